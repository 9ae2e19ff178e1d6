//! Usage of rollouts: the growth of a thread's totals (ruling 96).

use crate::facts::rollouts::RolloutRecord;
use crate::facts::{Attribution, Envelope, Sketch, UsageCarrier};
use crate::join::files::Status;
use crate::join::{Corpus, Standing};
use crate::record::Counts;
use crate::record::rollout::{RolloutKind, Totals};
use crate::strings::Symbol;

/// Adds a carrier of usage for each growth, behind those that were folded.
pub(super) fn keep(corpus: &mut Corpus) {
    let growths: Vec<Growth> = (0..corpus.files.len() as u32)
        .filter(|file| corpus.files[*file as usize].status != Status::Copy)
        .flat_map(|file| growths(corpus, file))
        .collect();
    corpus.growths_from = corpus.units.iter().map(|unit| unit.usages.len() as u32).collect();
    for Growth { unit, file, sketch, envelope, effort, counts } in growths {
        let unit = &mut corpus.units[unit as usize];
        let carrier = UsageCarrier {
            sketch,
            file,
            envelope: unit.sketches.envelope(envelope),
            effort,
            attribution: unit.attributions.keep(Attribution::default(), 0),
            counts: unit.tallies.keep((&counts).into(), 0),
            timestamp: unit.sketches.get(sketch as usize).timestamp.into(),
            ..UsageCarrier::default()
        };
        unit.usages.push(carrier);
    }
    corpus.units.iter_mut().for_each(|unit| unit.rollouts.totals = Vec::new());
}

/// A growth, and what the records before it say of it.
struct Growth {
    unit: u32,
    file: u32,
    sketch: u32,
    envelope: Envelope,
    effort: Symbol,
    counts: Counts,
}

fn growths(corpus: &Corpus, file: u32) -> Vec<Growth> {
    let (mut thread, mut said) = (Thread::default(), Said::default());
    let mut growths = Vec::new();
    for (unit, record) in corpus.rollout(file) {
        let sketch = corpus.sketch(unit, record.sketch);
        said.listen(record, &sketch);
        let Some(totals) = corpus.rollouts(unit).totals(record.sketch) else { continue };
        let counts = thread.growth(totals);
        if corpus.standing(unit, record.sketch) != Standing::Counts {
            continue;
        }
        growths.extend(counts.map(|counts| Growth {
            unit,
            file,
            sketch: record.sketch,
            envelope: Envelope { session: sketch.session, ..said.envelope },
            effort: said.effort,
            counts,
        }));
    }
    growths
}

/// What the records so far say of the next growth.
#[derive(Default)]
struct Said {
    envelope: Envelope,
    effort: Symbol,
}

impl Said {
    fn listen(&mut self, record: &RolloutRecord, sketch: &Sketch) {
        let said = &mut self.envelope;
        match record.kind {
            RolloutKind::SessionMeta => {
                said.cwd = sketch.cwd.or(said.cwd);
                said.version = said.version.or(sketch.version);
                said.git_branch = said.git_branch.or(sketch.git_branch);
                said.entrypoint = said.entrypoint.or(sketch.entrypoint);
            }
            RolloutKind::TurnContext => {
                said.cwd = sketch.cwd.or(said.cwd);
                said.model = sketch.model.or(said.model);
                self.effort = record.effort.or(self.effort);
            }
            _ => {}
        }
    }
}

/// The totals of a thread: input, cached, output, reasoning.
#[derive(Default)]
struct Thread([i64; 4]);

impl Thread {
    /// What these totals are more than those before; none where that is nothing.
    fn growth(&mut self, Totals { input, cached, output, reasoning }: Totals) -> Option<Counts> {
        let totals = [input, cached, output, reasoning];
        let is_less = |(new, old): (&Option<i64>, &i64)| new.is_some_and(|new| new < *old);
        if totals.iter().zip(&self.0).any(is_less) {
            self.0 = [0; 4];
        }
        let mut growth = [None; 4];
        for ((new, old), growth) in totals.into_iter().zip(&mut self.0).zip(&mut growth) {
            let Some(new) = new else { continue };
            *growth = Some(new.saturating_sub(*old));
            *old = new;
        }
        if growth.iter().all(|growth| growth.unwrap_or(0) == 0) {
            return None;
        }
        let [input, cached, output, reasoning] = growth;
        Some(Counts {
            input: input.map(|input| input.saturating_sub(cached.unwrap_or(0))),
            cache_read: cached,
            output,
            thinking: reasoning,
            ..Counts::default()
        })
    }
}
