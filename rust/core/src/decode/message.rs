//! `message` of a record where it is an object.

use crate::decode::content::content;
use crate::decode::members::{Members, number};
use crate::decode::scanner::{Scanner, Step};
use crate::decode::usage::{CacheMiss, diagnostics, usage};
use crate::record::{Flaws, Message};

const CONTENT: usize = 4;
const KEYS: [&str; 7] = ["id", "role", "model", "stop_reason", "content", "usage", "diagnostics"];

/// Reads the message object at the cursor. The content of an inline record is
/// not read.
pub fn message<'a>(scanner: &mut Scanner<'a>, with_content: bool) -> Step<Message<'a>> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut message = Message::default();
    let mut miss = CacheMiss::default();
    scanner.object(|scanner, key| {
        match &*key.text() {
            "id" => message.id = members.string(scanner, 0)?,
            "role" => message.role = members.string(scanner, 1)?,
            "model" => message.model = members.string(scanner, 2)?,
            "stop_reason" => message.stop_reason = members.string(scanner, 3)?,
            "content" if with_content => {
                let (read, bad) = content(scanner)?;
                members.note(CONTENT);
                if bad {
                    members.mark_bad(CONTENT);
                }
                message.content = read;
            }
            "usage" => message.usage = members.object(scanner, 5, usage)?,
            "diagnostics" => {
                miss = members.object(scanner, 6, diagnostics)?.unwrap_or_default();
            }
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let read = if with_content { u64::MAX } else { !(1 << CONTENT) };
    message.flaws = members.flaws(read, scanner.since(start), number(KEYS));
    message.flaws += miss.flaws;
    message.flaws += message.usage.as_ref().map_or(Flaws::default(), |usage| usage.flaws);
    message.cache_miss_type = miss.kind;
    message.cache_missed_input_tokens = miss.missed_input_tokens;
    Ok(message)
}
