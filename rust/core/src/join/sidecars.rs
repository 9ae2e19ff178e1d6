//! Outputs that stand in files of their own (ruling 46).

use std::path::PathBuf;

use hashbrown::HashMap;

use crate::diagnose::{Code, Finding};
use crate::discover::Transcript;
use crate::join::side_paths::{Located, in_session, session_folder};
use crate::join::tool_calls::Pair;
use crate::join::{Corpus, Place, Standing};
use crate::strings::Symbol;

/// An output that a result names.
#[derive(Clone, Copy, Debug)]
pub struct Sidecar {
    /// The result.
    pub result: Place,
    /// Its session (ruling 37).
    pub session: Symbol,
    /// The tool, where its call was found.
    pub tool: Symbol,
    /// The path as written.
    pub path: Symbol,
    /// It was found in the text, not in a field of its own.
    pub is_in_text: bool,
    /// What is there; none without a path.
    pub located: Option<Located>,
}

/// Every output, in order, and what is wrong with the paths.
pub fn sidecars(
    corpus: &Corpus,
    transcripts: &[Transcript],
    pairs: &[Pair],
) -> (Vec<Sidecar>, Vec<Finding>) {
    let mut sidecars = named(corpus);
    if sidecars.is_empty() {
        return (sidecars, Vec::new());
    }
    let tools = Tools::of(corpus, pairs);
    let mut folders: HashMap<(u32, Symbol), Option<PathBuf>> = HashMap::new();
    let mut findings = Vec::new();
    for sidecar in &mut sidecars {
        let result = corpus.result(sidecar.result);
        sidecar.tool = tools.of_result(sidecar.result, result.file, result.id);
        let Some(path) = corpus.strings.text(sidecar.path) else { continue };
        let folder = folders.entry((result.file, sidecar.session)).or_insert_with(|| {
            let file = &transcripts[result.file as usize].path;
            session_folder(file, corpus.strings.text(sidecar.session))
        });
        let located = folder.as_ref().map_or(Located::Elsewhere, |folder| in_session(folder, path));
        if located == Located::Elsewhere {
            let sketch = corpus.sketch(sidecar.result.unit, result.sketch);
            let code = Code::PathOutsideSession;
            findings.push(corpus.finding(code, result.file, sketch, result.block, &[]));
        }
        sidecar.located = Some(located);
    }
    (sidecars, findings)
}

/// The results that name an output. A field of the record belongs to its first result.
fn named(corpus: &Corpus) -> Vec<Sidecar> {
    let mut sidecars = Vec::new();
    for (unit, number) in corpus.units.iter().zip(0..) {
        let mut before = None;
        for (result, index) in unit.results.iter().zip(0..) {
            let is_first = before.replace(result.sketch) != Some(result.sketch);
            if corpus.standing(number, result.sketch) != Standing::Counts {
                continue;
            }
            let field = result.persisted_output_path;
            let is_in_text = !(is_first && field.is_some());
            let path = if is_in_text { result.persisted_in_text } else { Some(field) };
            let Some(path) = path else { continue };
            let own = corpus.sketch(number, result.sketch).session;
            sidecars.push(Sidecar {
                result: Place { unit: number, index },
                session: corpus.session(own, result.file),
                tool: Symbol::NONE,
                path,
                is_in_text,
                located: None,
            });
        }
    }
    sidecars
}

/// Which tool a result is of.
struct Tools {
    /// By result, where it was paired.
    paired: HashMap<(u32, u32), Symbol>,
    /// Of the last call with an id, by the files that are read as one.
    last: HashMap<(u32, Symbol), Symbol>,
    thread_of: HashMap<u32, u32>,
}

impl Tools {
    fn of(corpus: &Corpus, pairs: &[Pair]) -> Self {
        let threads = corpus.threads.iter().zip(0..);
        let thread_of: HashMap<u32, u32> = threads
            .flat_map(|(files, thread)| files.iter().map(move |file| (*file, thread)))
            .collect();
        let mut tools = Self { paired: HashMap::new(), last: HashMap::new(), thread_of };
        for pair in pairs {
            let call = corpus.call(pair.call);
            if let Some(result) = pair.result {
                tools.paired.insert((result.unit, result.index), call.name);
            }
            if let Some(thread) = tools.thread_of.get(&call.file).filter(|_| call.id.is_id()) {
                tools.last.insert((*thread, call.id), call.name);
            }
        }
        tools
    }

    fn of_result(&self, result: Place, file: u32, id: Symbol) -> Symbol {
        let paired = self.paired.get(&(result.unit, result.index));
        let last = || self.last.get(&(*self.thread_of.get(&file)?, id));
        paired.or_else(last).copied().unwrap_or_default()
    }
}
