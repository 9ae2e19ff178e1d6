//! The columns of values that are more than a number: symbols, identities,
//! ranges, words of a vocabulary, and what may be missing as a whole.

use std::ops::Range;

use arrow_array::types::{UInt8Type, UInt32Type};
use arrow_array::{Array, BooleanArray, FixedSizeBinaryArray, PrimitiveArray, UInt8Array};

use super::Damaged;
use super::value::{Reader, Value, Writer, options, part};
use crate::decode::json_type::JsonType;
use crate::diagnose::{Code, Severity};
use crate::facts::Identity;
use crate::facts::further::{LastBlock, SkillEvidence, TitleSource};
use crate::record::rollout::RolloutKind;
use crate::record::{Carrier, ResultKind};
use crate::strings::Symbol;

impl Value for Symbol {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        let numbers = values.map(|symbol| symbol.is_some().then(|| symbol.index() as u32));
        to.column(name, true, numbers.collect::<PrimitiveArray<UInt32Type>>());
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let numbers = options(from.column::<PrimitiveArray<UInt32Type>>()?).into_iter();
        let symbol = |number: Option<u32>| match number {
            None => Ok(Self::NONE),
            Some(number) => Self::of_index(number as usize, from.limits.strings)
                .ok_or(Damaged("a symbol without a string")),
        };
        numbers.map(symbol).collect()
    }
}

impl Value for Option<Symbol> {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        let there: Vec<bool> = values.clone().map(Option::is_some).collect();
        to.column(&part(name, "is_some"), false, BooleanArray::from(there));
        Symbol::write(name, values.map(|value| value.as_ref().unwrap_or(&Symbol::NONE)), to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let there = bool::read(from)?.into_iter();
        Ok(there.zip(Symbol::read(from)?).map(|(there, symbol)| there.then_some(symbol)).collect())
    }
}

const IDENTITY_BYTES: i32 = 16;

impl Value for Option<Identity> {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer) {
        let bytes = values.clone().map(|identity| {
            identity.map(|identity| match identity {
                Identity::Uuid(bits) | Identity::Hash(bits) => bits.to_be_bytes(),
            })
        });
        let bytes = FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes, IDENTITY_BYTES);
        // All of them have the size that is named.
        to.column(name, true, bytes.unwrap_or_else(|_| FixedSizeBinaryArray::new_null(16, 0)));
        let hashes = values.map(|identity| matches!(identity, Some(Identity::Hash(_))));
        let hashes = BooleanArray::from(hashes.collect::<Vec<_>>());
        to.column(&part(name, "is_hash"), false, hashes);
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let bytes = from.column::<FixedSizeBinaryArray>()?;
        let hashes = from.column::<BooleanArray>()?;
        let identity = |row: usize| {
            let bytes = bytes.is_valid(row).then(|| bytes.value(row).try_into().ok())??;
            let bits = u128::from_be_bytes(bytes);
            Some(if hashes.value(row) { Identity::Hash(bits) } else { Identity::Uuid(bits) })
        };
        Ok((0..from.rows).map(identity).collect())
    }
}

/// Values of two parts, with the names of the parts.
macro_rules! pairs {
    ($($pair:ty: $one:literal $other:literal $half:ty, |$value:ident| $split:expr, $join:expr;)*) => {$(
        impl Value for $pair {
            fn write<'v>(
                name: &str,
                values: impl Iterator<Item = &'v Self> + Clone,
                to: &mut Writer,
            ) {
                let halves: Vec<($half, $half)> = values.map(|$value| $split).collect();
                <$half>::write(&part(name, $one), halves.iter().map(|(one, _)| one), to);
                <$half>::write(&part(name, $other), halves.iter().map(|(_, other)| other), to);
            }

            fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
                let (ones, others) = (<$half>::read(from)?, <$half>::read(from)?);
                Ok(ones.into_iter().zip(others).map($join).collect())
            }
        }
    )*};
}

/// A number that fits, else one that no range may have.
fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pairs! {
    (u64, u64): "offset" "length" u64, |value| *value, |value| value;
    (u32, u32): "record" "block" u32, |value| *value, |value| value;
    Option<(u64, u64)>: "0" "1" Option<u64>, |value| value.unzip(),
        |(one, other)| one.zip(other);
    Range<u32>: "start" "end" u32, |value| (value.start, value.end), |(start, end)| start..end;
    Range<usize>: "start" "end" u64, |value| (value.start as u64, value.end as u64),
        |(start, end)| place(start)..place(end);
}

/// Words of a vocabulary, as their numbers in it.
macro_rules! words {
    ($($word:ty: [$($variant:ident),*];)*) => {$(
        impl $crate::exchange::fields::Word for $word {
            const ALL: &'static [Self] = &[$(<$word>::$variant),*];

            fn number(self) -> u8 {
                match self { $(<$word>::$variant)|* => self as u8 }
            }
        }

        $crate::exchange::fields::word_values!($word);
    )*};
}
pub(crate) use words;

/// Columns for a [`Word`].
macro_rules! word_values {
    ($word:ty) => {
        const _: () = {
            let mut number = 0;
            while number < <$word as $crate::exchange::fields::Word>::ALL.len() {
                assert!(<$word as $crate::exchange::fields::Word>::ALL[number] as usize == number);
                number += 1;
            }
        };

        impl $crate::exchange::value::Value for $word {
            fn write<'v>(
                name: &str,
                values: impl Iterator<Item = &'v Self> + Clone,
                to: &mut $crate::exchange::value::Writer,
            ) {
                $crate::exchange::fields::write_words(name, values.copied(), to);
            }

            fn read(
                from: &mut $crate::exchange::value::Reader<'_>,
            ) -> Result<Vec<Self>, $crate::exchange::Damaged> {
                $crate::exchange::fields::read_words(from)
            }
        }

        impl $crate::exchange::value::Value for Option<$word> {
            fn write<'v>(
                name: &str,
                values: impl Iterator<Item = &'v Self> + Clone,
                to: &mut $crate::exchange::value::Writer,
            ) {
                $crate::exchange::fields::write_some_words(name, values.copied(), to);
            }

            fn read(
                from: &mut $crate::exchange::value::Reader<'_>,
            ) -> Result<Vec<Self>, $crate::exchange::Damaged> {
                $crate::exchange::fields::read_some_words(from)
            }
        }
    };
}
pub(crate) use word_values;

/// A word of a closed vocabulary.
pub(crate) trait Word: Copy + 'static {
    /// Every word, by its number.
    const ALL: &'static [Self];

    /// Its number.
    fn number(self) -> u8;
}

/// The column of words.
pub(crate) fn write_words<W: Word>(name: &str, words: impl Iterator<Item = W>, to: &mut Writer) {
    to.column(name, false, UInt8Array::from_iter_values(words.map(Word::number)));
}

fn word<W: Word>(number: u8) -> Result<W, Damaged> {
    W::ALL.get(number as usize).copied().ok_or(Damaged("a word of no vocabulary"))
}

/// The words of a column.
pub(crate) fn read_words<W: Word>(from: &mut Reader<'_>) -> Result<Vec<W>, Damaged> {
    from.column::<UInt8Array>()?.values().iter().map(|number| word(*number)).collect()
}

/// The column of words of which some are missing.
pub(crate) fn write_some_words<W: Word>(
    name: &str,
    words: impl Iterator<Item = Option<W>>,
    to: &mut Writer,
) {
    let numbers = words.map(|word| word.map(Word::number));
    to.column(name, true, numbers.collect::<PrimitiveArray<UInt8Type>>());
}

/// The words of a column of which some are missing.
pub(crate) fn read_some_words<W: Word>(from: &mut Reader<'_>) -> Result<Vec<Option<W>>, Damaged> {
    let numbers = options(from.column::<UInt8Array>()?).into_iter();
    numbers.map(|number| number.map(word).transpose()).collect()
}

words! {
    ResultKind: [String, Blocks, Absent];
    RolloutKind: [SessionMeta, ResponseItem, EventMsg, TurnContext, Compacted, WorldState];
    Carrier: [Object, String, JsonString, Array, Other, Absent];
    JsonType: [String, Integer, Number, Boolean, Null, Object, Array];
    SkillEvidence: [Available, Invoked, Attributed];
    LastBlock: [None, Text, Call];
    TitleSource: [CustomTitle, AiTitle, Summary];
    Severity: [Info, Warning, Error];
}

impl Word for Code {
    const ALL: &'static [Self] = Self::ALL;

    fn number(self) -> u8 {
        self as u8
    }
}

word_values!(Code);

/// What is a part of another fact, or is missing there.
pub(crate) trait Nested: Value + Default {}

impl<T: Nested> Value for Option<Box<T>> {
    fn write<'v>(name: &str, values: impl Iterator<Item = &'v Self> + Clone, to: &mut Writer)
    where
        Self: 'v,
    {
        let there: Vec<bool> = values.clone().map(Option::is_some).collect();
        to.column(&part(name, "is_some"), false, BooleanArray::from(there));
        let nothing = T::default();
        T::write(name, values.map(|value| value.as_deref().unwrap_or(&nothing)), to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<Self>, Damaged> {
        let there = bool::read(from)?.into_iter();
        let values = there.zip(T::read(from)?);
        Ok(values.map(|(there, value)| there.then(|| Box::new(value))).collect())
    }
}
