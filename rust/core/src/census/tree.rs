//! A record as far as the census looks into it, read in one pass.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use super::Holder;
use crate::decode::json_type::JsonType;
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;

/// An object whose fields are counted.
pub(super) struct Object<'a> {
    members: Vec<Member<'a>>,
}

/// A field.
pub(super) struct Member<'a> {
    pub(super) key: Raw<'a>,
    /// Of the key's text.
    pub(super) hash: u64,
    pub(super) value: Found<'a>,
    /// A later one has the same key.
    is_lost: bool,
}

/// What a field holds.
pub(super) enum Found<'a> {
    /// Nothing that is looked into.
    Plain(JsonType),
    String(Raw<'a>),
    Object(Object<'a>),
    Blocks(Vec<Block<'a>>),
}

/// An entry of content.
pub(super) enum Block<'a> {
    Text,
    Object(Object<'a>),
}

impl Found<'_> {
    pub(super) fn json_type(&self) -> JsonType {
        match self {
            Self::Plain(json_type) => *json_type,
            Self::String(_) => JsonType::String,
            Self::Object(_) => JsonType::Object,
            Self::Blocks(_) => JsonType::Array,
        }
    }
}

impl<'a> Found<'a> {
    pub(super) fn string(&self) -> Option<Raw<'a>> {
        match self {
            Self::String(raw) => Some(*raw),
            _ => None,
        }
    }

    pub(super) fn object(&self) -> Option<&Object<'a>> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }
}

impl<'a> Object<'a> {
    /// Reads the object at the cursor.
    pub(super) fn read(scanner: &mut Scanner<'a>, holder: Holder) -> Step<Self> {
        let mut members = Vec::with_capacity(16);
        scanner.object(|scanner, key| {
            let text = key.text();
            let hash = xxh3_64(text.as_bytes());
            let value = match (scanner.peek(), holder) {
                (Some(b'{'), _) => match holder.of_object(&text) {
                    Some(inner) => Found::Object(Self::read(scanner, inner)?),
                    None => plain(scanner)?,
                },
                (Some(b'['), Holder::Record | Holder::Message) if text == "content" => {
                    Found::Blocks(blocks(scanner)?)
                }
                _ => plain(scanner)?,
            };
            members.push(Member { key, hash, value, is_lost: false });
            Ok(())
        })?;
        mark_lost(&mut members);
        Ok(Self { members })
    }

    /// Its fields; of those with one name the last.
    pub(super) fn fields(&self) -> impl Iterator<Item = &Member<'a>> {
        self.members.iter().filter(|member| !member.is_lost)
    }

    /// What a field holds.
    pub(super) fn get(&self, key: &str) -> Option<&Found<'a>> {
        let mut last_first = self.members.iter().rev();
        last_first.find(|member| member.key.is(key)).map(|member| &member.value)
    }
}

fn plain<'a>(scanner: &mut Scanner<'a>) -> Step<Found<'a>> {
    Ok(match scanner.value()? {
        Value::String(raw) => Found::String(raw),
        other => Found::Plain(JsonType::of(other)),
    })
}

/// The entries that have a type.
fn blocks<'a>(scanner: &mut Scanner<'a>) -> Step<Vec<Block<'a>>> {
    let mut blocks = Vec::new();
    scanner.array(|scanner| {
        if scanner.peek() == Some(b'{') {
            blocks.push(Block::Object(Object::read(scanner, Holder::Block)?));
        } else if let Value::String(_) = scanner.value()? {
            blocks.push(Block::Text);
        }
        Ok(())
    })?;
    Ok(blocks)
}

/// Objects with more members than this are searched for repeated keys by a
/// table: in small ones comparing all with all is faster.
const FEW: usize = 32;

/// Marks the members whose key stands again behind them.
fn mark_lost(members: &mut [Member<'_>]) {
    let same = |one: &Member<'_>, other: &Member<'_>| {
        one.hash == other.hash && one.key.text() == other.key.text()
    };
    if members.len() <= FEW {
        for index in 1..members.len() {
            let (before, from) = members.split_at_mut(index);
            if let Some(earlier) = before.iter_mut().rev().find(|earlier| same(earlier, &from[0])) {
                earlier.is_lost = true;
            }
        }
        return;
    }
    let mut table: HashTable<usize> = HashTable::with_capacity(members.len());
    for index in (0..members.len()).rev() {
        let hash = members[index].hash;
        if table.find(hash, |later| same(&members[*later], &members[index])).is_some() {
            members[index].is_lost = true;
        } else {
            table.insert_unique(hash, index, |later| members[*later].hash);
        }
    }
}
