//! Small forms of what facts hold many times over.

use std::num::NonZeroU32;

use crate::record::Counts;

/// A number of something that may be missing, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(NonZeroU32);

impl Number {
    /// A number; none where it is the last that 32 bits hold.
    pub fn new(number: u32) -> Option<Self> {
        NonZeroU32::new(number.wrapping_add(1)).map(Self)
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0.get() - 1
    }
}

/// An integer that may be missing, in eight bytes. The least one stands for none:
/// it is for times and lengths, which never are that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Maybe(i64);

impl Maybe {
    /// No integer.
    pub const NONE: Self = Self(i64::MIN);

    /// The integer, if there is one.
    #[inline]
    pub fn get(self) -> Option<i64> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl Default for Maybe {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<Option<i64>> for Maybe {
    #[inline]
    fn from(value: Option<i64>) -> Self {
        value.map_or(Self::NONE, Self)
    }
}

/// The counts of a usage object, which are never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([Maybe; 7]);

impl Tally {
    /// The output tokens.
    #[inline]
    pub fn output(&self) -> Option<i64> {
        self.0[1].get()
    }
}

impl From<&Counts> for Tally {
    fn from(counts: &Counts) -> Self {
        let all = [
            counts.input,
            counts.output,
            counts.cache_creation,
            counts.cache_read,
            counts.cache_creation_5m,
            counts.cache_creation_1h,
            counts.thinking,
        ];
        Self(all.map(Maybe::from))
    }
}

impl From<Tally> for Counts {
    // Whoever wants one of the counts does not pay for the others.
    #[inline]
    fn from(Tally(counts): Tally) -> Self {
        let [input, output, cache_creation, cache_read, five_minutes, an_hour, thinking] = counts;
        Self {
            input: input.get(),
            output: output.get(),
            cache_creation: cache_creation.get(),
            cache_read: cache_read.get(),
            cache_creation_5m: five_minutes.get(),
            cache_creation_1h: an_hour.get(),
            thinking: thinking.get(),
        }
    }
}

/// Values that come in runs, each run kept once and named by a number. Equal
/// values may have several numbers, so numbers are not to be compared.
#[derive(Clone, Debug)]
pub struct Runs<T> {
    values: Vec<T>,
    recent: [u32; RECENT],
}

/// How many runs may go on beside one another.
const RECENT: usize = 8;

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self { values: Vec::new(), recent: [0; RECENT] }
    }
}

impl<T: PartialEq> Runs<T> {
    /// These values, each under the number of its place.
    pub(crate) fn of(values: Vec<T>) -> Self {
        Self { values, ..Self::default() }
    }

    /// Keeps a value; gives its number. Values with different hints mostly
    /// belong to different runs.
    #[inline]
    pub fn keep(&mut self, value: T, hint: usize) -> u32 {
        let recent = &mut self.recent[hint % RECENT];
        if self.values.get(*recent as usize) != Some(&value) {
            *recent = self.values.len() as u32;
            self.values.push(value);
        }
        *recent
    }

    /// The value of a number.
    #[inline]
    pub fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// Changes every value.
    pub fn change(&mut self, change: impl FnMut(&mut T)) {
        self.values.iter_mut().for_each(change);
    }

    /// All values, in the order of their numbers.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Gives back what it does not need.
    pub fn shrink(&mut self) {
        super::repack(&mut self.values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_forms_give_back_what_they_were_made_of() {
        assert_eq!([0, 7].map(|number| Number::new(number).map(Number::get)), [Some(0), Some(7)]);
        assert_eq!(Number::new(u32::MAX), None);
        let counts = Counts { output: Some(0), thinking: Some(i64::MAX), ..Counts::default() };
        let tally = Tally::from(&counts);
        assert_eq!((Counts::from(tally), tally.output()), (counts, Some(0)));
        assert_eq!((size_of::<Option<Number>>(), size_of::<Maybe>()), (4, 8));
    }

    #[test]
    fn runs_beside_one_another_are_kept_once() {
        let mut runs = Runs::default();
        let numbers = [(7, 0), (9, 1), (7, 0), (9, 1), (8, 0), (7, 0)];
        let numbers = numbers.map(|(value, hint)| runs.keep(value, hint));
        assert_eq!(numbers, [0, 1, 0, 1, 2, 3]);
        assert_eq!(runs.values(), [7, 9, 8, 7]);
    }
}
