//! `data` of a progress record: what is inside an `agent_progress` is a record of its own.

use crate::decode::fields::{Place, record};
use crate::decode::members::{Members, number};
use crate::decode::record_keys::DATA;
use crate::decode::scanner::{Scanner, Step, Value};
use crate::record::further::Progress;
use crate::record::{Flaws, Inline, Record};

const DATA_KEYS: [&str; 4] = ["type", "agentId", "message", "status"];

/// Reads `data` of a progress record; what is inside an `agent_progress` is a
/// record of its own.
pub(super) fn data<'a>(
    scanner: &Scanner<'a>,
    start: usize,
    end: usize,
    outer: &mut Record<'a>,
    members: &mut Members,
) -> Step<Flaws> {
    let mut inner = scanner.within(start, end);
    if inner.peek() != Some(b'{') {
        if !matches!(inner.value()?, Value::Null) {
            members.mark_bad(DATA);
        }
        return Ok(Flaws::default());
    }
    let mut own = Members::default();
    let mut progress = Progress::default();
    let mut message = None;
    inner.object(|inner, key| {
        match &*key.text() {
            "type" => progress.kind = own.string(inner, 0)?,
            "agentId" => progress.agent_id = own.string(inner, 1)?,
            "message" => {
                let start = inner.at;
                own.anything(inner, 2)?;
                message = Some((start, inner.at));
            }
            "status" => progress.status = own.string(inner, 3)?,
            _ => inner.skip()?,
        }
        Ok(())
    })?;
    let progress = outer.progress.insert(progress);
    if !progress.kind.is_some_and(|kind| kind.is("agent_progress")) {
        return Ok(own.flaws(0b1011, inner.since(start), number(DATA_KEYS)));
    }
    let mut flaws = Flaws::default();
    let object = inner.since(start);
    if let Some((start, end)) = message {
        let mut inner = scanner.within(start, end);
        if inner.peek() == Some(b'{') {
            let mut inside = Box::new(Record::at(start));
            record(&mut inner, Place::Inline, &mut inside)?;
            progress.inline_timestamp = inside.timestamp;
            let is_carrier = inside.is_assistant()
                && inside.message.as_ref().is_some_and(|message| message.usage.is_some());
            if is_carrier {
                flaws = inside.flaws;
                outer.inline = Some(Inline { agent_id: progress.agent_id, record: inside });
            }
        } else if !matches!(inner.value()?, Value::Null) {
            own.mark_bad(2);
        }
    }
    flaws += own.flaws(0b1111, object, number(DATA_KEYS));
    Ok(flaws)
}
