//! The strings inside a JSON value, with the names that lead to each.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::decode::scanner::{Scanner, Step, Value};

/// A value as far as its strings go.
#[derive(Debug)]
pub(super) enum Node<'a> {
    /// A string between its quotes, as written.
    String(&'a str),
    Array(Vec<Node<'a>>),
    /// Of members with one name the last, at the place of the first.
    Object(Members<'a>),
    Null,
    Other,
}

/// Members beside words: what only joins records, and what no person reads.
const NOT_WORDS: [&str; 19] = [
    "agentId",
    "data",
    "encrypted_content",
    "encrypted_index",
    "id",
    "image_url",
    "media_type",
    "messageId",
    "parentUuid",
    "requestId",
    "sessionId",
    "session_id",
    "signature",
    "timestamp",
    "toolUseID",
    "toolUseId",
    "tool_use_id",
    "type",
    "uuid",
];

impl<'a> Node<'a> {
    /// The value that a JSON text is. It was walked over before, so it is sound.
    pub(super) fn of(json: &'a str) -> Self {
        if let Some(written) = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')) {
            return Self::String(written);
        }
        Self::read(&mut Scanner::new(json, 0, json.len())).unwrap_or(Self::Other)
    }

    /// The object or array that a text is, if it is one and no more.
    pub(super) fn of_text(text: &'a str) -> Option<Self> {
        let mut scanner = Scanner::new(text, 0, text.len());
        scanner.skip_space();
        let node = Self::read(&mut scanner).ok()?;
        scanner.skip_space();
        let is_whole = scanner.peek().is_none();
        (is_whole && matches!(node, Self::Object(_) | Self::Array(_))).then_some(node)
    }

    /// Reads the value at the cursor.
    fn read(scanner: &mut Scanner<'a>) -> Step<Self> {
        match scanner.peek() {
            Some(b'{') => {
                let mut members = Vec::new();
                scanner.object(|scanner, key| {
                    members.push((key.text(), Self::read(scanner)?));
                    Ok(())
                })?;
                Ok(Self::Object(without_lost(members)))
            }
            Some(b'[') => {
                let mut entries = Vec::new();
                scanner.array(|scanner| {
                    entries.push(Self::read(scanner)?);
                    Ok(())
                })?;
                Ok(Self::Array(entries))
            }
            _ => Ok(match scanner.value()? {
                Value::String(raw) => Self::String(raw.written()),
                Value::Null => Self::Null,
                _ => Self::Other,
            }),
        }
    }

    /// A member of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Every string with the names that lead to it; with `all` those too that are no words.
    pub(super) fn strings(&self, all: bool, each: &mut impl FnMut(&str, &'a str)) {
        self.below(&mut String::new(), all, each);
    }

    fn below(&self, names: &mut String, all: bool, each: &mut impl FnMut(&str, &'a str)) {
        match self {
            Self::String(written) => each(names, written),
            Self::Array(entries) => {
                for entry in entries {
                    entry.below(names, all, each);
                }
            }
            Self::Object(members) => {
                for (name, value) in members {
                    if !all && NOT_WORDS.contains(&&**name) {
                        continue;
                    }
                    let before = names.len();
                    if before > 0 {
                        names.push('.');
                    }
                    names.push_str(name);
                    value.below(names, all, each);
                    names.truncate(before);
                }
            }
            Self::Null | Self::Other => {}
        }
    }
}

type Members<'a> = Vec<(Cow<'a, str>, Node<'a>)>;

/// Objects of more members than this are searched for repeated names by a table.
const FEW: usize = 16;

fn without_lost(members: Members<'_>) -> Members<'_> {
    let is_first = |(place, (name, _)): (usize, &(Cow<'_, str>, Node<'_>))| {
        members[..place].iter().all(|(earlier, _)| earlier != name)
    };
    if members.len() <= FEW && members.iter().enumerate().all(is_first) {
        return members;
    }
    let mut places: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut kept: Members<'_> = Vec::with_capacity(members.len());
    for (name, value) in members {
        if let Some(place) = places.get(&name) {
            kept[*place].1 = value;
        } else {
            places.insert(name.clone(), kept.len());
            kept.push((name, value));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(json: &str, all: bool) -> Vec<String> {
        let mut found = Vec::new();
        Node::of(json).strings(all, &mut |names, written| found.push(format!("{names}={written}")));
        found
    }

    #[test]
    fn strings_come_with_names_and_the_last_of_equal_keys_wins_at_the_first_place() {
        let json = r#"{"a":["x",{"b":"y"}],"id":"i","c":"1","\u0063":{"d":"2"},"n":1}"#;
        assert_eq!(strings(json, false), ["a=x", "a.b=y", "c.d=2"]);
        assert_eq!(strings(json, true), ["a=x", "a.b=y", "id=i", "c.d=2"]);
        assert_eq!(strings(r#""only""#, false), ["=only"]);
    }
}
