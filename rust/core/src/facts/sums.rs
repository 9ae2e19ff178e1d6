//! What the records of a file, or of a part of it, are together.

use crate::facts::sketches::Sketch;
use crate::strings::{Renaming, Symbol};

/// What records say of their file (rulings 6, 7). Sums of consecutive parts are
/// put together by [`Sums::append`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many there are.
    pub records: u64,
    /// Those of them that repeat another, where that was judged already.
    pub replays: u64,
    /// How many there are of each type, where the sketches are not there to tell.
    pub types: Vec<(Symbol, u64)>,
    /// The first session id.
    pub session: Symbol,
    /// The earliest timestamp.
    pub first_timestamp: Option<i64>,
    /// The latest timestamp.
    pub last_timestamp: Option<i64>,
    pub(crate) first_version: Dated,
    pub(crate) last_version: Dated,
}

type Dated = Option<(i64, Symbol)>;

impl Sums {
    /// The sums of these records, without their types.
    pub fn of(sketches: impl Iterator<Item = Sketch>) -> Self {
        let mut sums = Self::default();
        sketches.for_each(|sketch| sums.add(&sketch));
        sums
    }

    #[inline]
    fn add(&mut self, sketch: &Sketch) {
        self.records += 1;
        if !self.session.is_id() && sketch.session.is_id() {
            self.session = sketch.session;
        }
        let Some(timestamp) = sketch.timestamp else { return };
        let version = sketch.version.is_some().then_some((timestamp, sketch.version));
        self.date((timestamp, timestamp), version, version);
    }

    #[inline]
    fn date(&mut self, (first, last): (i64, i64), earliest: Dated, latest: Dated) {
        self.first_timestamp = Some(self.first_timestamp.map_or(first, |old| old.min(first)));
        self.last_timestamp = Some(self.last_timestamp.map_or(last, |old| old.max(last)));
        if let Some(version) = earliest
            && self.first_version.is_none_or(|old| version.0 < old.0)
        {
            self.first_version = earliest;
        }
        if let Some(version) = latest
            && self.last_version.is_none_or(|old| version.0 >= old.0)
        {
            self.last_version = latest;
        }
    }

    /// Adds the sums of the part that follows.
    pub fn append(&mut self, next: &Self) {
        self.records += next.records;
        self.replays += next.replays;
        self.types.extend_from_slice(&next.types);
        if !self.session.is_id() && next.session.is_id() {
            self.session = next.session;
        }
        if let (Some(first), Some(last)) = (next.first_timestamp, next.last_timestamp) {
            self.date((first, last), next.first_version, next.last_version);
        }
    }

    /// The version of the earliest record that has one.
    pub fn version_first(&self) -> Symbol {
        self.first_version.map_or(Symbol::NONE, |(_, version)| version)
    }

    /// The version of the latest record that has one.
    pub fn version_last(&self) -> Symbol {
        self.last_version.map_or(Symbol::NONE, |(_, version)| version)
    }

    /// Renames every symbol; see [`super::Facts::rename`].
    pub fn rename(&mut self, names: &Renaming) {
        names.apply(&mut self.session);
        self.types.iter_mut().for_each(|(kind, _)| names.apply(kind));
        let versions = self.first_version.iter_mut().chain(&mut self.last_version);
        versions.for_each(|(_, version)| names.apply(version));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strings::Interner;

    #[test]
    fn sums_of_parts_are_those_of_the_whole() {
        let mut strings = Interner::of_ids();
        let ids = ["", "a", "b"].map(|text| strings.intern(text));
        let record = |(session, timestamp, version): (usize, Option<i64>, usize)| Sketch {
            session: ids[session],
            timestamp,
            version: ids.get(version).copied().unwrap_or_default(),
            ..Sketch::default()
        };
        let records =
            [(0, Some(5), 9), (0, None, 1), (1, Some(5), 1), (2, Some(5), 2), (1, Some(3), 9)];
        let records = records.map(record);
        let whole = Sums::of(records.into_iter());
        assert_eq!((whole.session, whole.records), (ids[1], 5));
        assert_eq!((whole.first_timestamp, whole.last_timestamp), (Some(3), Some(5)));
        assert_eq!((whole.version_first(), whole.version_last()), (ids[1], ids[2]));
        for cut in 0..=records.len() {
            let mut sums = Sums::of(records[..cut].iter().copied());
            sums.append(&Sums::of(records[cut..].iter().copied()));
            assert_eq!(sums, whole, "{cut}");
        }
    }
}
