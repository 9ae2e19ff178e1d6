//! Forks: rollouts that begin with the records of another (ruling 97).

use hashbrown::HashMap;

use crate::join::files::Status;
use crate::join::{Corpus, Standing};
use crate::record::rollout::RolloutKind;
use crate::strings::Symbol;

/// Marks the records of forks that their parents have.
pub(super) fn mark(corpus: &mut Corpus) {
    let parents = Parents::of(corpus);
    let replays: Vec<(u32, u32, u32)> = (0..corpus.files.len() as u32)
        .filter_map(|file| Some((file, parents.of_fork(corpus, file)?)))
        .flat_map(|(file, parent)| replayed(corpus, file, parent))
        .collect();
    for (file, unit, sketch) in replays {
        if corpus.standing(unit, sketch) == Standing::Counts {
            corpus.set_standing(unit, sketch as usize, Standing::Replay);
            corpus.files[file as usize].replays += 1;
        }
    }
}

/// The first two files of each session that were read, as no copies: one of them is another file.
struct Parents(HashMap<Symbol, (u32, Option<u32>)>);

impl Parents {
    fn of(corpus: &Corpus) -> Self {
        let mut first: HashMap<Symbol, (u32, Option<u32>)> = HashMap::new();
        for (file, number) in corpus.files.iter().zip(0..) {
            let is_read = matches!(file.status, Status::Ok | Status::Partial);
            if !is_read || !file.session.is_id() {
                continue;
            }
            let (one, other) = first.entry(file.session).or_insert((number, None));
            if *one != number {
                other.get_or_insert(number);
            }
        }
        Self(first)
    }

    /// The parent of a file that is a fork.
    fn of_fork(&self, corpus: &Corpus, file: u32) -> Option<u32> {
        if corpus.files[file as usize].status == Status::Copy {
            return None;
        }
        let is_meta = |kind| kind == RolloutKind::SessionMeta;
        let (_, first) = corpus.rollout(file).find(|(_, record)| is_meta(record.kind))?;
        let (one, other) = self.0.get(&first.forked_from)?;
        if *one == file { *other } else { Some(*one) }
    }
}

/// The records of a fork that repeat its parent's, each with its file and unit.
fn replayed(corpus: &Corpus, fork: u32, parent: u32) -> Vec<(u32, u32, u32)> {
    let mut of_parent =
        corpus.rollout(parent).filter(|(_, record)| record.kind != RolloutKind::SessionMeta);
    let (mut replays, mut metas) = (Vec::new(), Vec::new());
    let mut is_first = true;
    for (unit, record) in corpus.rollout(fork) {
        let place = (fork, unit, record.sketch);
        if record.kind == RolloutKind::SessionMeta {
            // The first is the fork's own; others are replayed with what is behind them.
            if !std::mem::take(&mut is_first) {
                metas.push(place);
            }
            continue;
        }
        let same = of_parent
            .next()
            .is_some_and(|(_, other)| (other.kind, other.payload) == (record.kind, record.payload));
        if !same {
            break;
        }
        replays.append(&mut metas);
        replays.push(place);
    }
    replays
}
