//! Facts of files that are read as their own, reduced to what a lean scan needs
//! of them: nothing of a record that no row is made of but its sums.

use std::ops::Range;

use crate::diagnose::Code;
use crate::facts::further::Further;
use crate::facts::rollouts::Rollouts;
use crate::facts::sums::Sums;
use crate::facts::uuids::{Repetition, Uuids};
use crate::facts::{Facts, FilePart};
use crate::strings::Symbol;

impl Facts {
    /// Judges the replays of these whole files, each of which is read as one with
    /// no other, and drops what neither `usage` nor `tool_calls` needs. Every file
    /// of the unit has to be one of them, and none a rollout: what a fork replays
    /// is known only beside its parent.
    pub fn thin(&mut self) {
        let mut counts = vec![true; self.sketches.len()];
        let mut parts = std::mem::take(&mut self.parts);
        let mut uuids = Uuids::default();
        let mut types = Types::new(self.strings.len());
        for part in &mut parts {
            let sketches = self.sketches.range(part.sketches.clone());
            let mut sums = Sums::of(sketches);
            sums.types = types.of(self, part);
            sums.replays = self.judge(part, &mut uuids, &mut counts);
            part.sums = Some(Box::new(sums));
        }
        self.parts = parts;
        self.drop_facts(&counts);
        self.drop_unnamed();
    }

    /// Unmarks the replays of a file; gives their number.
    fn judge(&mut self, part: &FilePart, uuids: &mut Uuids<u32>, counts: &mut [bool]) -> u64 {
        let mut replays = 0;
        uuids.begin(part.sketches.len());
        for index in part.sketches.clone() {
            let sketch = self.sketches.get(index);
            let at = |place: u32| self.sketches.get(place as usize);
            match uuids.add(index as u32, &sketch, at) {
                Repetition::None => {}
                Repetition::Replay => {
                    counts[index] = false;
                    replays += 1;
                }
                Repetition::Conflict => {
                    let finding = sketch.finding(Code::UuidConflict, part.file, 0, &[]);
                    self.findings.push(finding);
                }
            }
        }
        replays
    }

    /// Drops the facts of records that are not marked.
    fn drop_facts(&mut self, counts: &[bool]) {
        let stands = |sketch: u32| counts[sketch as usize];
        self.further.notifications.retain(|fact| stands(fact.sketch));
        let mut number = 0;
        let mut inline = std::mem::take(&mut self.inline_uuids).into_iter().peekable();
        let kept = &mut self.inline_uuids;
        let mut old = 0;
        self.usages.retain(|carrier| {
            let stands = stands(carrier.sketch);
            if let Some((_, uuid)) = inline.next_if(|(carrier, _)| *carrier == old) {
                kept.extend(stands.then_some((number, uuid)));
            }
            old += 1;
            number += u32::from(stands);
            stands
        });
        let parts = &mut self.parts;
        retain(&mut self.calls, parts, |part| &mut part.calls, |call| stands(call.sketch));
        retain(&mut self.results, parts, |part| &mut part.results, |result| stands(result.sketch));
    }

    /// Drops what neither `usage` nor `tool_calls` needs, and the sketches that
    /// then no fact names; marks those that stay. The sums of the parts have to be
    /// taken before.
    pub(crate) fn drop_unnamed(&mut self) -> Vec<bool> {
        let notifications = std::mem::take(&mut self.further.notifications);
        self.further = Further { notifications, ..Further::default() };
        // Judged before, or of no file of such a unit.
        self.rollouts = Rollouts::default();
        let mut named = vec![false; self.sketches.len()];
        let notifications = &mut self.further.notifications;
        let mut numbers: Vec<&mut u32> = Vec::new();
        numbers.extend(self.usages.iter_mut().map(|carrier| &mut carrier.sketch));
        numbers.extend(self.calls.iter_mut().map(|call| &mut call.sketch));
        numbers.extend(self.results.iter_mut().map(|result| &mut result.sketch));
        numbers.extend(notifications.iter_mut().map(|fact| &mut fact.sketch));
        for number in &numbers {
            named[**number as usize] = true;
        }
        let renamed = self.sketches.retain(&named);
        for number in numbers {
            *number = renamed[*number as usize];
        }
        let new = |end: usize| renamed.get(end).map_or(self.sketches.len(), |end| *end as usize);
        for part in &mut self.parts {
            part.sketches = new(part.sketches.start)..new(part.sketches.end);
        }
        named
    }
}

/// Keeps some facts; the ranges of the parts go with them.
fn retain<F>(
    facts: &mut Vec<F>,
    parts: &mut [FilePart],
    range: impl Fn(&mut FilePart) -> &mut Range<usize>,
    keep: impl Fn(&F) -> bool,
) {
    let mut start = 0;
    for part in parts {
        let range = range(part);
        let kept = facts[range.clone()].iter().filter(|fact| keep(fact)).count();
        *range = start..start + kept;
        start += kept;
    }
    facts.retain(keep);
}

/// Counts of types, of one part after the other.
struct Types {
    /// By symbol; all 0 between parts.
    counts: Vec<u64>,
    untyped: u64,
}

impl Types {
    fn new(symbols: usize) -> Self {
        Self { counts: vec![0; symbols], untyped: 0 }
    }

    fn of(&mut self, facts: &Facts, part: &FilePart) -> Vec<(Symbol, u64)> {
        let mut seen = Vec::new();
        for sketch in facts.sketches.range(part.sketches.clone()) {
            let kind = sketch.kind;
            let count =
                if kind.is_some() { &mut self.counts[kind.index()] } else { &mut self.untyped };
            if *count == 0 {
                seen.push((kind, 0));
            }
            *count += 1;
        }
        for (kind, count) in &mut seen {
            let counted =
                if kind.is_some() { &mut self.counts[kind.index()] } else { &mut self.untyped };
            *count = std::mem::take(counted);
        }
        seen
    }
}
