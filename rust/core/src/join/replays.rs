//! Replays: records that repeat an earlier one of their file or copy group
//! (SPEC section 2, ruling 23).

use rayon::prelude::*;

use crate::diagnose::{Code, Finding};
use crate::facts::uuids::{Repetition, Uuids};
use crate::join::{Corpus, Place, Standing};

/// Marks the replays and notes the uuids that stand for different records.
pub fn find(corpus: &mut Corpus) {
    let threads = std::mem::take(&mut corpus.threads);
    let judged: Vec<Judged> = threads.par_iter().map(|files| judge(corpus, files)).collect();
    corpus.threads = threads;
    for Judged { replays, conflicts } in judged {
        for (file, unit, sketch) in replays {
            corpus.set_standing(unit, sketch, Standing::Replay);
            corpus.files[file as usize].replays += 1;
        }
        corpus.findings.extend(conflicts);
    }
}

#[derive(Default)]
struct Judged {
    replays: Vec<(u32, u32, usize)>,
    conflicts: Vec<Finding>,
}

fn judge(corpus: &Corpus, files: &[u32]) -> Judged {
    let mut judged = Judged::default();
    // What was judged while folding has its sums.
    let parts = |file: u32| corpus.parts(file).filter(|(_, part)| part.sums.is_none());
    let records = files.iter().flat_map(|file| parts(*file)).map(|(_, part)| part.sketches.len());
    let mut uuids = Uuids::default();
    uuids.begin(records.sum());
    let at = |place: Place| corpus.sketch(place.unit, place.index);
    for file in files {
        for (unit, part) in parts(*file) {
            for index in part.sketches.clone() {
                let place = Place { unit, index: index as u32 };
                let sketch = at(place);
                match uuids.add(place, &sketch, at) {
                    Repetition::None => {}
                    Repetition::Replay => judged.replays.push((*file, unit, index)),
                    Repetition::Conflict => {
                        let finding = sketch.finding(Code::UuidConflict, *file, 0, &[]);
                        judged.conflicts.push(finding);
                    }
                }
            }
        }
    }
    judged
}
