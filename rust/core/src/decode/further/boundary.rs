//! The metadata of compaction boundaries.

use crate::decode::further::{Object, entries};
use crate::decode::scanner::{Scanner, Step};
use crate::record::Flaws;
use crate::record::further::Boundary;

/// The metadata at the cursor.
pub(super) fn boundary<'a>(scanner: &mut Scanner<'a>) -> Step<(Boundary<'a>, Flaws)> {
    const PRESERVED: usize = 5;
    let mut object = Object::at(scanner);
    let mut boundary = Boundary::default();
    let mut inside = Flaws::default();
    scanner.object(|scanner, key| {
        let members = &mut object.members;
        match &*key.text() {
            "trigger" => boundary.trigger = members.string(scanner, 0)?,
            "preTokens" => boundary.pre_tokens = members.integer(scanner, 1)?,
            "postTokens" => boundary.post_tokens = members.integer(scanner, 2)?,
            "durationMs" => boundary.duration_ms = members.integer(scanner, 3)?,
            "cumulativeDroppedTokens" => {
                boundary.cumulative_dropped_tokens = members.integer(scanner, 4)?;
            }
            "preservedMessages" => {
                inside = Flaws::default();
                boundary.preserved_messages = match scanner.peek() {
                    Some(b'[') => members.array(scanner, PRESERVED, |scanner| entries(scanner))?,
                    Some(b'{') => {
                        let read = members.object(scanner, PRESERVED, preserved)?;
                        let (count, flaws) = read.unwrap_or_default();
                        inside = flaws;
                        count
                    }
                    _ => members.integer(scanner, PRESERVED)?,
                };
            }
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let keys = [
        "trigger",
        "preTokens",
        "postTokens",
        "durationMs",
        "cumulativeDroppedTokens",
        "preservedMessages",
    ];
    let mut flaws = object.flaws(scanner, u64::MAX, keys);
    flaws += inside;
    Ok((boundary, flaws))
}

fn preserved(scanner: &mut Scanner<'_>) -> Step<(Option<i64>, Flaws)> {
    let mut object = Object::at(scanner);
    let mut count = None;
    scanner.object(|scanner, key| {
        if key.is("uuids") {
            count = object.members.array(scanner, 0, |scanner| entries(scanner))?;
            return Ok(());
        }
        scanner.skip()
    })?;
    Ok((count, object.flaws(scanner, 1, ["uuids"])))
}
