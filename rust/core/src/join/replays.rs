//! Replays: records that repeat an earlier one of their file or copy group
//! (SPEC section 2, ruling 23).

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use rayon::prelude::*;

use crate::diagnose::{Code, Finding};
use crate::facts::Identity;
use crate::join::{Corpus, Standing};
use crate::strings::Symbol;

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

/// What a uuid was first seen with, and whatever else it was seen with.
struct Seen {
    first: (Symbol, u64),
    others: Vec<(Symbol, u64)>,
}

fn judge(corpus: &Corpus, files: &[u32]) -> Judged {
    let mut judged = Judged::default();
    let records: u64 = files.iter().map(|file| corpus.files[*file as usize].records).sum();
    let mut seen: HashMap<Identity, Seen> = HashMap::with_capacity(records as usize);
    for file in files {
        for (unit, part) in corpus.parts(*file) {
            for index in part.sketches.clone() {
                let sketch = &corpus.units[unit as usize].sketches[index];
                let Some(uuid) = sketch.uuid else { continue };
                let payload = (sketch.kind, sketch.payload);
                match seen.entry(uuid) {
                    Entry::Vacant(entry) => {
                        entry.insert(Seen { first: payload, others: Vec::new() });
                    }
                    Entry::Occupied(mut entry) => {
                        let seen = entry.get_mut();
                        if seen.first == payload || seen.others.contains(&payload) {
                            judged.replays.push((*file, unit, index));
                        } else {
                            seen.others.push(payload);
                            let code = Code::UuidConflict;
                            judged.conflicts.push(corpus.finding(code, *file, sketch, 0, &[]));
                        }
                    }
                }
            }
        }
    }
    judged
}
