//! Compaction boundaries, each with the summary that follows it (ruling 44).

use crate::facts::further::Boundary;
use crate::join::{Corpus, Place, Position, Standing};
use crate::strings::Symbol;

/// A boundary of a record that counts.
#[derive(Clone, Copy, Debug)]
pub struct Compaction {
    /// The boundary.
    pub boundary: Place,
    /// Where it stands.
    pub position: Position,
    /// Its session (ruling 37).
    pub session: Symbol,
    /// Line of the summary.
    pub summary_line: Option<u64>,
}

impl Corpus {
    /// A boundary.
    pub fn boundary(&self, place: Place) -> &Boundary {
        &self.units[place.unit as usize].further.boundaries[place.index as usize]
    }
}

/// Every boundary, in order.
pub fn compactions(corpus: &Corpus) -> Vec<Compaction> {
    let mut all = boundaries(corpus);
    let mut summaries = summaries(corpus);
    // From the end, so that the summary behind a boundary is the last one seen.
    let mut behind: Option<Position> = None;
    for compaction in all.iter_mut().rev() {
        if corpus.boundary(compaction.boundary).is_micro {
            continue;
        }
        while let Some(summary) = summaries.pop_if(|summary| *summary > compaction.position) {
            behind = Some(summary);
        }
        let own = behind.take().filter(|(file, _, _)| *file == compaction.position.0);
        compaction.summary_line = own.map(|(_, line, _)| line);
    }
    all
}

fn boundaries(corpus: &Corpus) -> Vec<Compaction> {
    let mut all = Vec::new();
    for (unit, number) in corpus.units.iter().zip(0..) {
        for (boundary, index) in unit.further.boundaries.iter().zip(0..) {
            if corpus.standing(number, boundary.sketch) == Standing::Counts {
                let own = corpus.sketch(number, boundary.sketch).session;
                all.push(Compaction {
                    boundary: Place { unit: number, index },
                    position: corpus.position(boundary.file, number, boundary.sketch),
                    session: corpus.session(own, boundary.file),
                    summary_line: None,
                });
            }
        }
    }
    all
}

/// Where the summaries stand, in order.
fn summaries(corpus: &Corpus) -> Vec<Position> {
    let mut all = Vec::new();
    for (unit, number) in corpus.units.iter().zip(0..) {
        let mut parts = unit.parts.iter();
        let mut part = parts.next();
        for index in &unit.further.summaries {
            while part.is_some_and(|part| part.sketches.end <= *index as usize) {
                part = parts.next();
            }
            let Some(part) = part else { break };
            if corpus.standing(number, *index) == Standing::Counts {
                all.push(corpus.position(part.file, number, *index));
            }
        }
    }
    all
}
