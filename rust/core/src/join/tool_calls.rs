//! Tool calls: each with its result (SPEC section 5, rulings 28 to 32).

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::diagnose::{Code, Finding};
use crate::facts::{Call, ToolResult};
use crate::join::originals::{self, Claim, CopyOf, Owner, judge};
use crate::join::{Corpus, Place, Position, Standing};
use crate::strings::Symbol;

/// A call and its result.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Pair {
    pub call: Place,
    pub position: Position,
    pub block: u32,
    pub result: Option<Place>,
    pub n_results: i64,
    pub copy: CopyOf,
}

/// What is known of how a call ended, and by which field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its word in the vocabulary `outcome`.
    pub outcome: &'static str,
    /// Its word in the vocabulary `evidence`.
    pub evidence: &'static str,
}

/// Pairs calls with results. The rows come in the table's order.
pub fn pairs(corpus: &Corpus) -> (Vec<Pair>, Vec<Finding>) {
    let paired: Vec<_> =
        corpus.threads.par_iter().map(|files| Thread::of(corpus, files).pair()).collect();
    let (mut pairs, mut findings) = (Vec::new(), Vec::new());
    for (more, found) in paired {
        pairs.extend(more);
        findings.extend(found);
    }
    pairs.sort_unstable_by_key(|pair: &Pair| (pair.position, pair.block));
    mark_copies(corpus, &mut pairs);
    (pairs, findings)
}

/// Calls and results of files that are read as one, in order.
struct Thread<'c> {
    corpus: &'c Corpus,
    calls: Vec<Place>,
    results: Vec<Place>,
}

/// Calls and results of one id.
#[derive(Default)]
struct OfId {
    /// The first result that no call has taken yet.
    result: Option<u32>,
    /// The last call so far, by the number of its pair.
    last_call: Option<usize>,
}

impl<'c> Thread<'c> {
    fn of(corpus: &'c Corpus, files: &[u32]) -> Self {
        let mut thread = Self { corpus, calls: Vec::new(), results: Vec::new() };
        for (unit, part) in files.iter().flat_map(|file| corpus.parts(*file)) {
            let facts = &corpus.units[unit as usize];
            let place = |index: usize| Place { unit, index: index as u32 };
            let counts = |sketch: u32| corpus.standing(unit, sketch) == Standing::Counts;
            let calls = part.calls.clone().filter(|index| counts(facts.calls[*index].sketch));
            thread.calls.extend(calls.map(place));
            let results = part.results.clone();
            let results = results.filter(|index| counts(facts.results[*index].sketch));
            thread.results.extend(results.map(place));
        }
        thread.drop_repeated_blocks();
        thread
    }

    /// The same block under one message id is one call, however often it is written.
    fn drop_repeated_blocks(&mut self) {
        let mut seen = HashSet::with_capacity(self.calls.len());
        let corpus = self.corpus;
        self.calls.retain(|place| {
            let call = corpus.call(*place);
            !(call.id.is_id() && call.message.is_id())
                || seen.insert((call.id, call.message, call.name, call.input))
        });
    }

    fn pair(&self) -> (Vec<Pair>, Vec<Finding>) {
        let mut by_id: HashMap<Symbol, OfId> = HashMap::with_capacity(self.calls.len());
        // The next result of the same id, for each.
        let mut next: Vec<Option<u32>> = vec![None; self.results.len()];
        for (number, place) in self.results.iter().enumerate().rev() {
            let id = self.corpus.result(*place).id;
            if id.is_id() {
                next[number] = by_id.entry(id).or_default().result.replace(number as u32);
            }
        }
        let mut is_taken = vec![false; self.results.len()];
        let mut pairs: Vec<Pair> = Vec::with_capacity(self.calls.len());
        let mut findings = Vec::new();
        for place in &self.calls {
            let call = self.corpus.call(*place);
            let mut pair = self.unpaired(*place, call);
            if call.id.is_id() {
                let own = by_id.entry(call.id).or_default();
                if own.last_call.is_some() {
                    findings.push(self.about_call(*place, call));
                }
                if let Some(number) = own.result {
                    own.result = next[number as usize];
                    is_taken[number as usize] = true;
                    pair.result = Some(self.results[number as usize]);
                    pair.n_results = 1;
                }
                own.last_call = Some(pairs.len());
            }
            pairs.push(pair);
        }
        self.judge_results(&by_id, &is_taken, &mut pairs, &mut findings);
        (pairs, findings)
    }

    fn unpaired(&self, place: Place, call: &Call) -> Pair {
        let sketch = self.corpus.sketch(place.unit, call.sketch);
        Pair {
            call: place,
            position: (call.file, sketch.line, sketch.place),
            block: call.block,
            result: None,
            n_results: 0,
            copy: CopyOf::default(),
        }
    }

    fn about_call(&self, place: Place, call: &Call) -> Finding {
        let sketch = self.corpus.sketch(place.unit, call.sketch);
        sketch.finding(Code::DuplicateToolUseId, call.file, call.block, &[])
    }

    /// Results that no call takes belong to the last call of their id, or to none.
    fn judge_results(
        &self,
        by_id: &HashMap<Symbol, OfId>,
        is_taken: &[bool],
        pairs: &mut [Pair],
        findings: &mut Vec<Finding>,
    ) {
        for (place, _) in self.results.iter().zip(is_taken).filter(|(_, is_taken)| !**is_taken) {
            let result = self.corpus.result(*place);
            let code = match by_id.get(&result.id).and_then(|own| own.last_call) {
                Some(last) => {
                    pairs[last].n_results += 1;
                    Code::DuplicateToolResult
                }
                None => Code::OrphanToolResult,
            };
            let sketch = self.corpus.sketch(place.unit, result.sketch);
            findings.push(sketch.finding(code, result.file, result.block, &[]));
        }
    }
}

fn mark_copies(corpus: &Corpus, pairs: &mut [Pair]) {
    let calls = pairs.iter().enumerate().map(|(index, pair)| (corpus.call(pair.call), index));
    let with_ids = calls.filter(|(call, _)| call.message.is_id() && call.id.is_id());
    let shared = originals::shared(with_ids.map(|(call, index)| ((call.message, call.id), index)));
    for indices in shared {
        let claims: Vec<_> = indices.iter().map(|index| claim(corpus, &pairs[*index])).collect();
        for (index, copy) in indices.iter().zip(judge(&claims)) {
            pairs[*index].copy = copy;
        }
    }
}

fn claim(corpus: &Corpus, pair: &Pair) -> (Owner, Symbol, Claim) {
    let call = corpus.call(pair.call);
    let sketch = corpus.sketch(pair.call.unit, call.sketch);
    let claim = Claim {
        is_fork: sketch.is_fork,
        is_sidechain: call.is_sidechain == Some(true),
        timestamp: sketch.timestamp.unwrap_or(i64::MAX),
        position: pair.position,
        block: pair.block,
    };
    (Owner::of(sketch.session, call.file), sketch.session, claim)
}

/// How a call ended. Free text is never evidence.
pub fn outcome(corpus: &Corpus, call: &Call, result: Option<&ToolResult>) -> Outcome {
    let as_outcome = |outcome, evidence| Outcome { outcome, evidence };
    let Some(result) = result else { return as_outcome("no_result", "none") };
    match result.is_error {
        Some(true) => return as_outcome("failed", "is_error"),
        Some(false) => return as_outcome("not_failed", "is_error"),
        None => {}
    }
    match corpus.strings.text(result.status) {
        Some("async_launched" | "teammate_spawned") => return as_outcome("launched", "status"),
        Some("completed") => return as_outcome("not_failed", "status"),
        _ => {}
    }
    match corpus.strings.text(result.rare().content_type).filter(|_| call.is_server) {
        Some(kind) if kind.ends_with("_error") => as_outcome("failed", "content_type"),
        Some("advisor_redacted_result") => as_outcome("not_failed", "content_type"),
        _ => as_outcome("unknown", "none"),
    }
}
