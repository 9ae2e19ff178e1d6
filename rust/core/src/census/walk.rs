//! The names in one record.

use super::tree::{Block, Found, Object};
use super::{Census, Holder, Item, NONE, Name, Scope};
use crate::decode::text::Raw;
use crate::record;
use crate::strings::Symbol;

/// The walk over one record.
pub(super) struct Walk<'c> {
    census: &'c mut Census,
    line: u64,
    version: Symbol,
}

impl<'c> Walk<'c> {
    /// Counts every name of a record.
    pub(super) fn record(census: &'c mut Census, record: &Object<'_>, line: u64) {
        let version = record.get("version").and_then(Found::string);
        let mut walk = Self::of(census, line, version);
        walk.envelope(record);
    }

    /// Counts every name of a record of a rollout, which has this version and these
    /// blocks.
    pub(super) fn rollout(
        census: &'c mut Census,
        record: &Object<'_>,
        line: u64,
        version: Option<Raw<'_>>,
        blocks: &[record::Block<'_>],
    ) {
        let mut walk = Self::of(census, line, version);
        if walk.envelope(record) {
            return;
        }
        for block in blocks {
            if block.is_bare {
                walk.count(Item::Block, "text");
            } else {
                walk.name(Item::Block, block.kind);
            }
        }
    }

    fn of(census: &'c mut Census, line: u64, version: Option<Raw<'_>>) -> Self {
        let version = version.map_or(Symbol::NONE, |raw| census.version(&raw.text()));
        Self { census, line, version }
    }

    /// Counts what a record names outside of a payload; whether it has content there.
    fn envelope(&mut self, record: &Object<'_>) -> bool {
        self.fields(Holder::Record, record);
        let kind = record.get("type").and_then(Found::string);
        self.name(Item::Record, kind);
        if kind.is_some_and(|kind| kind.is("attachment")) {
            let attachment = record.get("attachment").and_then(Found::object);
            self.name(Item::Attachment, type_of(attachment));
        }
        let content = content(record, kind);
        if let Some(content) = content {
            self.content(content);
        }
        content.is_some()
    }

    /// Counts the fields of an object, and of those in it that are entered.
    fn fields(&mut self, holder: Holder, object: &Object<'_>) {
        for member in object.fields() {
            let text = &*member.key.text();
            let name = Name {
                scope: Scope::Field(holder),
                text,
                text_hash: member.hash,
                json_type: Some(member.value.json_type()),
                version: self.version,
            };
            self.census.count(name, self.line);
            if let (Found::Object(inner), Some(holder)) = (&member.value, holder.of_object(text)) {
                self.fields(holder, inner);
            }
        }
    }

    fn content(&mut self, content: &Found<'_>) {
        match content {
            Found::Blocks(blocks) => blocks.iter().for_each(|block| self.block(block)),
            _ => self.block(&Block::Text),
        }
    }

    fn block(&mut self, block: &Block<'_>) {
        match block {
            Block::Text => self.count(Item::Block, "text"),
            Block::Object(object) => {
                self.fields(Holder::Block, object);
                self.name(Item::Block, type_of(Some(object)));
            }
        }
    }

    fn name(&mut self, item: Item, kind: Option<Raw<'_>>) {
        match kind {
            Some(kind) => self.count(item, &kind.text()),
            None => self.count(item, NONE),
        }
    }

    fn count(&mut self, item: Item, text: &str) {
        self.census.count(Name::of_type(item, text, self.version), self.line);
    }
}

fn type_of<'a>(object: Option<&Object<'a>>) -> Option<Raw<'a>> {
    object.and_then(|object| object.get("type")).and_then(Found::string)
}

/// The content by ruling 20. A value that cannot be content is as good as null
/// (ruling 16).
fn content<'r, 'a>(record: &'r Object<'a>, kind: Option<Raw<'a>>) -> Option<&'r Found<'a>> {
    let can_be = |found: &&Found<'_>| matches!(found, Found::Blocks(_) | Found::String(_));
    let of_message = match record.get("message") {
        Some(Found::Object(message)) => message.get("content").filter(can_be),
        Some(text @ Found::String(_)) => Some(text),
        _ => None,
    };
    let is_message = || {
        kind.is_some_and(|kind| kind.is("user") || kind.is("assistant"))
            || record.get("role").and_then(Found::string).is_some()
    };
    of_message.or_else(|| record.get("content").filter(can_be).filter(|_| is_message()))
}
