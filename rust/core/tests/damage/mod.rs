//! Lines damaged as files are, and as they never were.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::odd_file;

/// Bytes of which JSON and its damage are made, and any others.
pub(crate) fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        8 => select(b"{{}}[]\"\"\":,\\u0d8e1-ntf \t\r\n\n\0".to_vec()),
        1 => select(b"\xEF\xBB\xBF\xED\xA0\x80\xF0\x9F\xC3\xA9".to_vec()),
        1 => any::<u8>(),
    ]
}

#[derive(Clone, Debug)]
pub(crate) enum Damage {
    Replace(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    Repeat(Index, usize),
    CutOff(Index),
}

pub(crate) fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), byte()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        3 => (at(), vec(byte(), 1..6)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        3 => (at(), 1..90_usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        2 => (at(), 1..400_usize).prop_map(|(at, length)| Damage::Repeat(at, length)),
        1 => at().prop_map(Damage::CutOff),
    ]
}

pub(crate) fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let place = |index: &Index| index.index(bytes.len() + 1);
    match damage {
        Damage::Replace(index, byte) => {
            let at = place(index);
            bytes.splice(at..(at + 1).min(bytes.len()), [*byte]);
        }
        Damage::Insert(index, more) => {
            let at = place(index);
            bytes.splice(at..at, more.iter().copied());
        }
        Damage::Remove(index, length) => {
            let at = place(index);
            bytes.drain(at..(at + length).min(bytes.len()));
        }
        Damage::Repeat(index, length) => {
            let at = place(index);
            let again = bytes[at..(at + length).min(bytes.len())].to_vec();
            bytes.splice(at..at, again);
        }
        Damage::CutOff(index) => bytes.truncate(place(index)),
    }
}

/// Some lines of the odd file, damaged in some places.
pub(crate) fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let lines = odd_file::lines();
    (vec(select(lines), 1..5), any::<bool>(), vec(damage(), 0..6)).prop_map(
        |(lines, terminated, damages)| {
            let mut bytes = lines.join(&b'\n');
            bytes.extend(terminated.then_some(b'\n'));
            for damage in &damages {
                apply(&mut bytes, damage);
            }
            bytes
        },
    )
}
