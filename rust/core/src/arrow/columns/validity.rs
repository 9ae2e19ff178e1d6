//! Which rows of a column have a value.

use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};

/// Nothing is kept while all rows have one.
#[derive(Clone, Debug, Default)]
pub(super) struct Validity {
    rows: usize,
    flags: Vec<bool>,
}

impl Validity {
    /// Of an array.
    pub(super) fn of(nulls: Option<&NullBuffer>, rows: usize) -> Self {
        let flags = nulls.map_or_else(Vec::new, |nulls| nulls.iter().collect());
        Self { rows, flags }
    }

    /// Of rows with a flag each.
    pub(super) fn of_flags(flags: Vec<bool>) -> Self {
        Self { rows: flags.len(), flags }
    }

    /// Adds a row with a value.
    #[inline]
    pub(super) fn push(&mut self) {
        self.rows += 1;
        if !self.flags.is_empty() {
            self.flags.push(true);
        }
    }

    /// Adds a row with a value or without one, to a column of so many rows.
    #[inline]
    pub(super) fn push_whether(&mut self, has: bool, of: usize) {
        if !has && self.flags.is_empty() {
            self.flags.reserve_exact(of);
            self.flags.resize(self.rows, true);
        } else if self.flags.is_empty() {
            self.rows += 1;
            return;
        }
        self.flags.push(has);
        self.rows += 1;
    }

    /// Adds rows without one until there are `rows`.
    pub(super) fn pad(&mut self, rows: usize) {
        if rows > self.rows {
            self.flags.resize(self.rows, true);
            self.flags.resize(rows, false);
            self.rows = rows;
        }
    }

    /// Keeps the rows whose `keep` is true.
    pub(super) fn retain(&mut self, keep: &[bool]) {
        self.rows = keep[..self.rows].iter().filter(|keep| **keep).count();
        if !self.flags.is_empty() {
            let mut kept = keep.iter();
            self.flags.retain(|_| kept.next() == Some(&true));
        }
    }

    pub(super) fn shrink(&mut self) {
        self.flags.shrink_to_fit();
    }

    /// As Arrow has it.
    pub(super) fn nulls(&self) -> Option<NullBuffer> {
        self.flags.contains(&false).then(|| NullBuffer::new(bits(&self.flags)))
    }
}

/// Flags as Arrow has them, a bit for each.
pub(super) fn bits(flags: &[bool]) -> BooleanBuffer {
    /// Times eight bytes that are 0 or 1, its last byte has the bits of all of them.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let byte = |eight: [bool; 8]| {
        (u64::from_le_bytes(eight.map(u8::from)).wrapping_mul(GATHER) >> (u64::BITS - 8)) as u8
    };
    let (eights, rest) = flags.as_chunks();
    let mut last = [false; 8];
    last[..rest.len()].copy_from_slice(rest);
    let bytes: Vec<u8> = eights.iter().copied().chain([last]).map(byte).collect();
    BooleanBuffer::new(Buffer::from_vec(bytes), 0, flags.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_flag_is_a_bit() {
        for length in [0, 1, 7, 8, 9, 64, 77] {
            let flags: Vec<bool> = (0..length).map(|row| row % 3 == 0 || row % 7 == 2).collect();
            assert_eq!(bits(&flags).iter().collect::<Vec<_>>(), flags);
        }
    }

    #[test]
    fn rows_are_kept_as_they_were_added() {
        let mut valid = Validity::default();
        valid.push();
        assert!(valid.nulls().is_none());
        valid.pad(3);
        valid.push();
        valid.pad(2);
        let flags = |valid: &Validity| valid.nulls().map(|nulls| nulls.iter().collect::<Vec<_>>());
        assert_eq!(flags(&valid), Some(vec![true, false, false, true]));
        assert_eq!(flags(&Validity::of(valid.nulls().as_ref(), 4)), flags(&valid));
        valid.retain(&[true, false, true, true]);
        assert_eq!(flags(&valid), Some(vec![true, false, true]));
        valid.retain(&[true, false, true]);
        valid.push();
        assert!(valid.nulls().is_none());
    }
}
