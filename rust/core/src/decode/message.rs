//! `message` of a record where it is an object.

use crate::decode::content::{block, content};
use crate::decode::keys::{Keys, ObjectKind};
use crate::decode::members::Members;
use crate::decode::scanner::{Scanner, Step};
use crate::decode::usage::{CacheMiss, diagnostics, usage};
use crate::record::{Flaws, Message};

const ID: usize = 0;
const ROLE: usize = 1;
const MODEL: usize = 2;
const STOP_REASON: usize = 3;
const CONTENT: usize = 4;
const USAGE: usize = 5;
const DIAGNOSTICS: usize = 6;
static KEYS: Keys<7, 32> = Keys::new(
    ObjectKind::Message,
    ["id", "role", "model", "stop_reason", "content", "usage", "diagnostics"],
);

/// Reads the message object at the cursor into `message`, which says nothing yet. The
/// content of an inline record is not read.
pub fn message<'a>(
    scanner: &mut Scanner<'a>,
    with_content: bool,
    message: &mut Message<'a>,
) -> Step<()> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut miss = CacheMiss::default();
    scanner.members(&KEYS, |scanner, number| {
        match number {
            Some(ID) => message.id = members.string(scanner, ID)?,
            Some(ROLE) => message.role = members.string(scanner, ROLE)?,
            Some(MODEL) => message.model = members.string(scanner, MODEL)?,
            Some(STOP_REASON) => message.stop_reason = members.string(scanner, STOP_REASON)?,
            Some(CONTENT) if with_content => {
                let (read, bad) = content(scanner, block)?;
                members.note(CONTENT);
                if bad {
                    members.mark_bad(CONTENT);
                }
                message.content = read;
            }
            Some(USAGE) => message.usage = members.object(scanner, USAGE, usage)?,
            Some(DIAGNOSTICS) => {
                miss = members.object(scanner, DIAGNOSTICS, diagnostics)?.unwrap_or_default();
            }
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let read = if with_content { u64::MAX } else { !(1 << CONTENT) };
    message.flaws = members.flaws(read, scanner.since(start), |key| KEYS.number(key));
    message.flaws += miss.flaws;
    message.flaws += message.usage.as_ref().map_or(Flaws::default(), |usage| usage.flaws);
    message.cache_miss_type = miss.kind;
    message.cache_missed_input_tokens = miss.missed_input_tokens;
    Ok(())
}
