//! Outputs that stand in files of their own (ruling 46).

use hashbrown::HashMap;

use crate::diagnose::{Code, Finding};
use crate::discover::Transcript;
use crate::join::side_paths::{Located, SessionFolder, in_session, session_folder};
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
    /// What is there; none without a path, or without a session.
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
    let mut folders: HashMap<(u32, Symbol), Option<SessionFolder>> = HashMap::new();
    let mut findings = Vec::new();
    for sidecar in &mut sidecars {
        let result = corpus.result(sidecar.result);
        sidecar.tool = tools.of_result(sidecar.result, result.file, result.id);
        let Some(path) = corpus.strings.text(sidecar.path) else { continue };
        let folder = folders.entry((result.file, sidecar.session)).or_insert_with(|| {
            let file = &transcripts[result.file as usize].path;
            session_folder(file, corpus.strings.text(sidecar.session))
        });
        let Some(folder) = folder else { continue };
        let storage = &transcripts[result.file as usize].storage;
        let located = in_session(storage, folder, path);
        if located == Located::Elsewhere {
            let sketch = corpus.sketch(sidecar.result.unit, result.sketch);
            let code = Code::PathOutsideSession;
            findings.push(sketch.finding(code, result.file, result.block, &[]));
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
            let is_of_rollout = unit.rollouts.has(result.sketch);
            if is_of_rollout || corpus.standing(number, result.sketch) != Standing::Counts {
                continue;
            }
            let field = result.rare().persisted_output_path;
            let is_in_text = !(is_first && field.is_some());
            let path = if is_in_text { result.rare().persisted_in_text } else { Some(field) };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::FileKind;
    use crate::join::made::Made;

    #[test]
    fn without_a_session_nothing_is_looked_for_and_nothing_is_wrong() {
        let mut made = Made::new();
        made.file("nowhere/x.jsonl", FileKind::Other, ["", "", ""]);
        let path = made.symbol("tool-results/a.txt");
        made.result("t", "").rare_mut().persisted_output_path = path;
        made.parent("s1");
        for session in ["", "s1", "../s1"] {
            made.session(session);
            made.result("t", "").rare_mut().persisted_output_path = path;
        }
        let made = made.join();
        let (sidecars, findings) = sidecars(&made.corpus, &made.transcripts, &made.pairs);
        let located: Vec<_> = sidecars.iter().map(|sidecar| sidecar.located).collect();
        let missing = Some(Located::Missing);
        assert_eq!(located, [None, missing, missing, Some(Located::Elsewhere)]);
        assert_eq!(findings.len(), 1);
    }

    #[test]
    fn a_field_of_the_record_is_before_the_text_of_its_first_result() {
        let mut made = Made::new();
        made.parent("s1");
        let [field, text] = ["field", "text"].map(|path| made.symbol(path));
        made.result("t1", "").rare_mut().persisted_in_text = Some(text);
        let both = made.result("t2", "");
        let rare = both.rare_mut();
        (rare.persisted_output_path, rare.persisted_in_text) = (field, Some(text));
        made.result("t3", "");
        let made = made.join();
        let (sidecars, _) = sidecars(&made.corpus, &made.transcripts, &made.pairs);
        let named: Vec<_> =
            sidecars.iter().map(|sidecar| (made.text(sidecar.path), sidecar.is_in_text)).collect();
        assert_eq!(named, [("text", true), ("field", false)]);
    }
}
