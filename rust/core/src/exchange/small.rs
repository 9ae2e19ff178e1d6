//! The columns of the small forms in which facts hold what they have many of.

use arrow_array::PrimitiveArray;
use arrow_array::types::{Int64Type, UInt32Type};

use super::Damaged;
use super::limits::{Confined, Limits, Of};
use super::value::{Reader, Value, Writer, part};
use crate::facts::Attribution;
use crate::facts::kept::{Maybe, Number, Tally};
use crate::record::Counts;
use crate::strings::Symbol;

impl Value for Maybe {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        let values = values.map(|value| value.get());
        to.column(name, true, values.collect::<PrimitiveArray<Int64Type>>());
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        Ok(Option::<i64>::read(from)?.into_iter().map(Self::from).collect())
    }
}

impl Value for Option<Number> {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        let numbers = values.map(|number| number.map(Number::get));
        to.column(name, true, numbers.collect::<PrimitiveArray<UInt32Type>>());
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let number = |number: Option<u32>| match number {
            None => Ok(None),
            Some(number) => Number::new(number).map(Some).ok_or(Damaged("a number too large")),
        };
        Option::<u32>::read(from)?.into_iter().map(number).collect()
    }
}

impl Confined for Option<Number> {
    fn confine(&mut self, what: Of, limits: &Limits) -> bool {
        self.is_none_or(|number| number.get().confine(what, limits))
    }
}

impl Value for Tally {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        let counts: Vec<Counts> = values.map(|tally| Counts::from(*tally)).collect();
        Counts::write(name, counts.iter(), to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        Ok(Counts::read(from)?.iter().map(Self::from).collect())
    }
}

/// What each is attributed to, in the order of [`Attribution`].
const ATTRIBUTED: [&str; 5] = ["agent", "skill", "plugin", "mcp_server", "mcp_tool"];

impl Value for Attribution {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        for (index, to_what) in ATTRIBUTED.iter().enumerate() {
            let each = values.clone().map(|Self(symbols)| &symbols[index]);
            Symbol::write(&part(name, to_what), each, to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let mut rows = vec![Self::default(); from.rows];
        for index in 0..ATTRIBUTED.len() {
            for (Self(row), symbol) in rows.iter_mut().zip(Symbol::read(from)?) {
                row[index] = symbol;
            }
        }
        Ok(rows)
    }
}

/// Length and hash of a text.
impl Value for (Maybe, u64) {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        Maybe::write(&part(name, "length"), values.clone().map(|(length, _)| length), to);
        u64::write(&part(name, "hash"), values.map(|(_, hash)| hash), to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let (lengths, hashes) = (Maybe::read(from)?, u64::read(from)?);
        Ok(lengths.into_iter().zip(hashes).collect())
    }
}

/// A string, and the time that it is of.
impl Value for Option<(i64, Symbol)> {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        let halves: Vec<_> = values.map(|value| value.unzip()).collect();
        let texts: Vec<Symbol> = halves.iter().map(|(_, text)| text.unwrap_or_default()).collect();
        Option::<i64>::write(&part(name, "timestamp"), halves.iter().map(|(time, _)| time), to);
        Symbol::write(&part(name, "text"), texts.iter(), to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let times = Option::<i64>::read(from)?.into_iter();
        let values = times.zip(Symbol::read(from)?);
        Ok(values.map(|(time, text)| time.map(|time| (time, text))).collect())
    }
}
