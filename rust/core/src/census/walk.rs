//! The names in one record.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use super::{Census, Holder, Item, JsonType, NONE, Name, Scope};
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::strings::Symbol;

/// A member of an object.
struct Member<'a> {
    key: Raw<'a>,
    /// Of the key's text.
    hash: u64,
    value: Value<'a>,
    /// A later one has the same key.
    is_lost: bool,
}

/// Objects with more members than this are searched for repeated keys by a
/// table: in small ones comparing all with all is faster.
const FEW: usize = 32;

/// The walk over one record.
pub(super) struct Walk<'c, 'a> {
    census: &'c mut Census,
    json: &'a str,
    line: u64,
    version: Symbol,
    /// Members of the objects that are being walked, the innermost last.
    members: Vec<Member<'a>>,
}

/// What of a record decides about more than its own name.
#[derive(Default)]
struct Outer<'a> {
    kind: Option<Raw<'a>>,
    has_role: bool,
    message: Option<Value<'a>>,
    attachment: Option<Value<'a>>,
    content: Option<Value<'a>>,
}

impl<'c, 'a> Walk<'c, 'a> {
    pub(super) fn new(census: &'c mut Census, json: &'a str, line: u64) -> Self {
        Self { census, json, line, version: Symbol::NONE, members: Vec::with_capacity(48) }
    }

    pub(super) fn record(mut self) -> Step<()> {
        self.read(self.json)?;
        let version = self.member("version", 0).and_then(string);
        self.version = match version {
            Some(raw) => self.census.version(&raw.text()),
            None => Symbol::NONE,
        };
        self.count_members(Holder::Record, 0);
        let outer = self.outer()?;
        self.count_type(Item::Record, outer.kind);
        let message = self.message(outer.message)?;
        self.attachment(&outer)?;
        let is_message = outer.has_role
            || outer.kind.is_some_and(|kind| kind.is("user") || kind.is("assistant"));
        self.content(message.or(outer.content.filter(|_| is_message)))
    }

    /// Finds what decides, and counts the fields of the objects that need no more.
    fn outer(&mut self) -> Step<Outer<'a>> {
        let mut outer = Outer::default();
        for index in 0..self.members.len() {
            let Member { key, value, is_lost, .. } = self.members[index];
            if is_lost {
                continue;
            }
            let holder = match &*key.text() {
                "type" => {
                    outer.kind = string(value);
                    continue;
                }
                "role" => {
                    outer.has_role = string(value).is_some();
                    continue;
                }
                "message" => {
                    outer.message = Some(value);
                    continue;
                }
                "attachment" => {
                    outer.attachment = Some(value);
                    continue;
                }
                "content" => {
                    outer.content = content(value);
                    continue;
                }
                "toolUseResult" => Holder::ToolUseResult,
                "data" => Holder::Data,
                "snapshot" => Holder::Snapshot,
                "origin" => Holder::Origin,
                "forkedFrom" => Holder::ForkedFrom,
                "compactMetadata" => Holder::CompactMetadata,
                "microcompactMetadata" => Holder::MicrocompactMetadata,
                "backup" => Holder::Backup,
                _ => continue,
            };
            self.fields(holder, Some(value))?;
        }
        Ok(outer)
    }

    /// Counts the fields of a value that is an object.
    fn fields(&mut self, holder: Holder, value: Option<Value<'a>>) -> Step<()> {
        let base = self.members.len();
        if let Some(Value::Object(json)) = value {
            self.read(json)?;
            self.count_members(holder, base);
            self.members.truncate(base);
        }
        Ok(())
    }

    /// Counts the fields of a message and gives its content.
    fn message(&mut self, message: Option<Value<'a>>) -> Step<Option<Value<'a>>> {
        match message {
            Some(Value::Object(json)) => {
                let base = self.members.len();
                self.read(json)?;
                self.count_members(Holder::Message, base);
                let usage = self.member("usage", base);
                let found = self.member("content", base).and_then(content);
                self.members.truncate(base);
                self.fields(Holder::Usage, usage)?;
                Ok(found)
            }
            Some(value @ Value::String(_)) => Ok(Some(value)),
            _ => Ok(None),
        }
    }

    fn attachment(&mut self, outer: &Outer<'a>) -> Step<()> {
        let base = self.members.len();
        let mut kind = None;
        if let Some(Value::Object(json)) = outer.attachment {
            self.read(json)?;
            self.count_members(Holder::Attachment, base);
            kind = self.member("type", base).and_then(string);
            self.members.truncate(base);
        }
        if outer.kind.is_some_and(|kind| kind.is("attachment")) {
            self.count_type(Item::Attachment, kind);
        }
        Ok(())
    }

    fn content(&mut self, content: Option<Value<'a>>) -> Step<()> {
        match content {
            Some(Value::Array(json)) => {
                let mut scanner = Scanner::new(json, 0, json.len());
                scanner.array(|scanner| match scanner.value()? {
                    Value::Object(json) => self.block(json),
                    Value::String(_) => {
                        self.count_text();
                        Ok(())
                    }
                    _ => Ok(()),
                })
            }
            Some(Value::String(_)) => {
                self.count_text();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn block(&mut self, json: &'a str) -> Step<()> {
        let base = self.members.len();
        self.read(json)?;
        self.count_members(Holder::Block, base);
        let kind = self.member("type", base).and_then(string);
        self.members.truncate(base);
        self.count_type(Item::Block, kind);
        Ok(())
    }

    /// Adds the members of an object.
    fn read(&mut self, json: &'a str) -> Step<()> {
        let base = self.members.len();
        Scanner::new(json, 0, json.len()).object(|scanner, key| {
            let value = scanner.value()?;
            let hash = xxh3_64(key.text().as_bytes());
            self.members.push(Member { key, hash, value, is_lost: false });
            Ok(())
        })?;
        mark_lost(&mut self.members[base..]);
        Ok(())
    }

    /// The value of a key in the innermost object, whose members begin at `base`.
    fn member(&self, key: &str, base: usize) -> Option<Value<'a>> {
        let members = self.members[base..].iter();
        members.rev().find(|member| member.key.is(key)).map(|member| member.value)
    }

    fn count_members(&mut self, holder: Holder, base: usize) {
        for member in self.members[base..].iter().filter(|member| !member.is_lost) {
            let name = Name {
                scope: Scope::Field(holder),
                text: &member.key.text(),
                text_hash: member.hash,
                json_type: Some(JsonType::of(member.value)),
                version: self.version,
            };
            self.census.count(name, self.line);
        }
    }

    fn count_type(&mut self, item: Item, kind: Option<Raw<'a>>) {
        match kind {
            Some(kind) => self.count_name(item, &kind.text()),
            None => self.count_name(item, NONE),
        }
    }

    fn count_text(&mut self) {
        self.count_name(Item::Block, "text");
    }

    fn count_name(&mut self, item: Item, text: &str) {
        self.census.count(Name::of_type(item, text, self.version), self.line);
    }
}

fn string(value: Value<'_>) -> Option<Raw<'_>> {
    match value {
        Value::String(raw) => Some(raw),
        _ => None,
    }
}

/// A value that can be content; any other is as good as null (ruling 16).
fn content(value: Value<'_>) -> Option<Value<'_>> {
    matches!(value, Value::String(_) | Value::Array(_)).then_some(value)
}

/// Marks the members whose key stands again behind them.
fn mark_lost(members: &mut [Member<'_>]) {
    let same = |one: &Member<'_>, other: &Member<'_>| {
        one.hash == other.hash && one.key.text() == other.key.text()
    };
    if members.len() <= FEW {
        for index in 1..members.len() {
            let (before, from) = members.split_at_mut(index);
            let earlier = before.iter_mut().rev().find(|earlier| same(earlier, &from[0]));
            earlier.into_iter().for_each(|earlier| earlier.is_lost = true);
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
