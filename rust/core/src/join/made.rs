//! A corpus made by hand, record by record, for tests of what is joined: files
//! in order, each with records, and calls, results, words and so on of the
//! record last made.
//!
//! It may be judged as it stands; [`Made::join`] finds replays and pairs first.

mod records;
mod words;

use crate::discover::{FileKind, Found, Named, Transcript};
use crate::facts::{Facts, FilePart};
use crate::join::files::FileFacts;
use crate::join::tool_calls::{Pair, pairs};
use crate::join::usage::{Response, responses};
use crate::join::{Corpus, copies, files, replays, rollouts};
use crate::storage::Storage;
use crate::strings::{Interner, Symbol};

/// A corpus in the making, and what is written into its next records.
pub(crate) struct Made {
    pub(crate) corpus: Corpus,
    transcripts: Vec<Transcript>,
    session: Symbol,
    timestamp: Option<i64>,
}

/// A corpus that is made, with what every further join needs.
pub(crate) struct Joined {
    pub(crate) corpus: Corpus,
    pub(super) transcripts: Vec<Transcript>,
    pub(crate) pairs: Vec<Pair>,
    pub(super) responses: Vec<Response>,
}

impl Made {
    /// One unit without files.
    pub(crate) fn new() -> Self {
        let corpus = Corpus {
            strings: Interner::of_ids(),
            units: vec![Facts::new()],
            files: Vec::new(),
            standing: vec![Vec::new()],
            threads: Vec::new(),
            named: Vec::new(),
            growths_from: Vec::new(),
            findings: Vec::new(),
        };
        Self { corpus, transcripts: Vec::new(), session: Symbol::NONE, timestamp: None }
    }

    /// Begins a file; its path names what is not empty. Its session is that of
    /// the records to come.
    pub(super) fn file(
        &mut self,
        path: &str,
        kind: FileKind,
        [session, agent, workflow]: [&str; 3],
    ) {
        let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let named = Named {
            kind: Some(kind),
            session_id: said(session),
            agent_id: said(agent),
            workflow_id: said(workflow),
        };
        let file = self.transcripts.len() as u32;
        self.transcripts.push(Transcript {
            path: path.into(),
            shown: path.to_owned(),
            source: "made".to_owned(),
            found: Found::Regular,
            size: None,
            modified: None,
            storage: Storage::Disk,
            named,
            compression: None,
        });
        self.session(session);
        let session = self.session;
        self.corpus.files.push(FileFacts { kind, session, ..FileFacts::default() });
        let facts = self.facts();
        let (sketches, calls) = (facts.sketches.len(), facts.calls.len());
        let results = facts.results.len();
        facts.parts.push(FilePart {
            file,
            sketches: sketches..sketches,
            calls: calls..calls,
            results: results..results,
            ..FilePart::default()
        });
    }

    /// Begins a session's file.
    pub(crate) fn parent(&mut self, session: &str) {
        self.file(&format!("p/{session}.jsonl"), FileKind::Parent, [session, "", ""]);
    }

    /// Begins an agent's file.
    pub(super) fn subagent(&mut self, session: &str, agent: &str) {
        let path = format!("p/{session}/subagents/agent-{agent}.jsonl");
        self.file(&path, FileKind::Subagent, [session, agent, ""]);
    }

    /// Begins a file of Codex.
    pub(super) fn codex(&mut self, session: &str) {
        self.file("rollout-1.jsonl", FileKind::Codex, [session, "", ""]);
    }

    /// Begins a unit: what follows is folded apart from what was before.
    pub(super) fn unit(&mut self) {
        self.corpus.units.push(Facts::new());
        self.corpus.standing.push(Vec::new());
    }

    /// The session of the records to come; they have none where it is empty.
    pub(crate) fn session(&mut self, session: &str) {
        self.session = if session.is_empty() { Symbol::NONE } else { self.symbol(session) };
    }

    /// The timestamp of the records to come.
    pub(super) fn at(&mut self, timestamp: Option<i64>) {
        self.timestamp = timestamp;
    }

    pub(crate) fn symbol(&mut self, text: &str) -> Symbol {
        self.corpus.strings.intern(text)
    }

    pub(super) fn facts(&mut self) -> &mut Facts {
        self.corpus.units.last_mut().expect("a unit")
    }

    fn part(&mut self) -> &mut FilePart {
        self.facts().parts.last_mut().expect("a file")
    }

    /// Joins what was made.
    pub(crate) fn join(self) -> Joined {
        let Self { mut corpus, transcripts, .. } = self;
        corpus.files = files::sum_up(&mut corpus.strings, &corpus.units, &transcripts);
        copies::ignore(&mut corpus);
        replays::find(&mut corpus);
        rollouts::judge(&mut corpus);
        let (pairs, _) = pairs(&corpus);
        let (responses, _) = responses(&corpus);
        Joined { corpus, transcripts, pairs, responses }
    }
}

impl Joined {
    pub(super) fn text(&self, symbol: Symbol) -> &str {
        self.corpus.strings.text(symbol).unwrap_or("-")
    }
}
