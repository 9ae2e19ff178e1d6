//! A corpus put together by hand, record by record, for tests of what is judged
//! over it.

use crate::discover::FileKind;
use crate::facts::further::{LastBlock, PromptFact, Title, TitleSource, Turn};
use crate::facts::{Call, Facts, FilePart, Identity, Sketch};
use crate::join::files::FileFacts;
use crate::join::originals::CopyOf;
use crate::join::tool_calls::Pair;
use crate::join::{Corpus, Place, Standing};
use crate::strings::{Interner, Symbol};

/// The corpus, and what is written into its next records.
pub(crate) struct ByHand {
    pub(crate) corpus: Corpus,
    session: Symbol,
    timestamp: Option<i64>,
    uuid: Option<Identity>,
}

impl ByHand {
    /// One unit with one file, whose records have no session of their own.
    pub(crate) fn new(file_session: &str) -> Self {
        let corpus = Corpus {
            strings: Interner::of_ids(),
            units: vec![Facts::new()],
            files: Vec::new(),
            standing: vec![Vec::new()],
            threads: Vec::new(),
            findings: Vec::new(),
        };
        let mut hand = Self { corpus, session: Symbol::NONE, timestamp: None, uuid: None };
        hand.file(file_session);
        hand
    }

    /// Begins a unit; a file begins too.
    pub(crate) fn unit(&mut self, file_session: &str) {
        self.corpus.units.push(Facts::new());
        self.corpus.standing.push(Vec::new());
        self.file(file_session);
    }

    /// Begins a file.
    pub(crate) fn file(&mut self, session: &str) {
        let session = self.symbol(session);
        let file = self.corpus.files.len() as u32;
        let kind = FileKind::Parent;
        self.corpus.files.push(FileFacts { kind, session, ..FileFacts::default() });
        let facts = self.facts();
        let at = facts.sketches.len();
        facts.parts.push(FilePart { file, sketches: at..at, ..FilePart::default() });
    }

    /// Makes the file that was begun one of Codex.
    pub(crate) fn codex(&mut self) {
        let file = self.now();
        self.corpus.files[file as usize].kind = FileKind::Codex;
    }

    /// The session of the records to come.
    pub(crate) fn session(&mut self, session: &str) {
        self.session = self.symbol(session);
    }

    /// The timestamp of the records to come.
    pub(crate) fn at(&mut self, timestamp: Option<i64>) {
        self.timestamp = timestamp;
    }

    /// The uuid of the records to come.
    pub(crate) fn uuid(&mut self, uuid: &str) {
        self.uuid = Identity::of(uuid);
    }

    pub(crate) fn symbol(&mut self, text: &str) -> Symbol {
        self.corpus.strings.intern(text)
    }

    fn facts(&mut self) -> &mut Facts {
        self.corpus.units.last_mut().expect("a unit")
    }

    fn now(&mut self) -> u32 {
        self.facts().parts.last().expect("a file").file
    }

    /// Adds a record on a line of its own; gives its sketch.
    pub(crate) fn record(&mut self) -> u32 {
        let (session, timestamp, uuid) = (self.session, self.timestamp, self.uuid);
        let standing = self.corpus.standing.last_mut().expect("a unit");
        if !standing.is_empty() {
            standing.push(Standing::Counts);
        }
        let facts = self.facts();
        let part = facts.parts.last_mut().expect("a file");
        part.sketches.end += 1;
        let line = part.sketches.len() as u64;
        facts.sketches.push(Sketch { line, uuid, session, timestamp, ..Sketch::default() });
        facts.sketches.len() as u32 - 1
    }

    /// The record that was added last is one of the API's errors.
    pub(crate) fn api_error(&mut self) {
        self.facts().sketches.last_mut().expect("a record").is_api_error = true;
    }

    /// The record that was added last does not count.
    pub(crate) fn stands(&mut self, standing: Standing) {
        let unit = self.corpus.units.len() as u32 - 1;
        let sketch = self.facts().sketches.len() - 1;
        self.corpus.set_standing(unit, sketch, standing);
    }

    #[allow(clippy::needless_pass_by_value)] // Callers write it in place.
    /// Adds a candidate for words of a person.
    pub(crate) fn prompt(&mut self, text: &str, prompt: PromptFact) {
        let (sketch, file) = (self.record(), self.now());
        let facts = self.facts();
        let text = facts.words.keep(text);
        facts.further.prompts.push(PromptFact { sketch, file, text, ..prompt });
    }

    /// Adds a message of a user.
    pub(crate) fn user(&mut self, turn: Turn) {
        let (sketch, file) = (self.record(), self.now());
        self.facts().further.turns.push(Turn { sketch, file, ..turn });
    }

    #[allow(clippy::needless_pass_by_value)] // Callers write it in place.
    /// Adds a message of an assistant with these words.
    pub(crate) fn assistant(&mut self, words: &[&str], turn: Turn) {
        let (sketch, file) = (self.record(), self.now());
        let facts = self.facts();
        let start = facts.words.len() as u32;
        for text in words {
            facts.words.keep(text);
        }
        let words = start..facts.words.len() as u32;
        let last = if words.is_empty() { turn.last } else { LastBlock::Text };
        let turn = Turn { sketch, file, is_assistant: true, words, last, ..turn };
        facts.further.turns.push(turn);
    }

    /// Adds a context of a hook.
    pub(crate) fn context(&mut self, text: &str) {
        let sketch = self.record();
        let facts = self.facts();
        let text = facts.words.keep(text);
        facts.further.contexts.push((sketch, text));
    }

    /// Adds a record that names a session.
    pub(crate) fn title(&mut self, source: TitleSource, text: &str, leaf: Option<&str>) {
        let sketch = self.record();
        let facts = self.facts();
        let text = facts.words.keep(text);
        let leaf = leaf.and_then(Identity::of);
        facts.further.titles.push(Title { sketch, source, text, leaf });
    }

    /// Adds a call; gives it with or without a result.
    pub(crate) fn call(&mut self, id: &str, is_sidechain: Option<bool>, answered: bool) -> Pair {
        let (sketch, file, id) = (self.record(), self.now(), self.symbol(id));
        let unit = self.corpus.units.len() as u32 - 1;
        let facts = self.facts();
        let place = Place { unit, index: facts.calls.len() as u32 };
        let line = facts.sketches[sketch as usize].line;
        facts.calls.push(Call { sketch, file, is_sidechain, id, ..Call::default() });
        Pair {
            call: place,
            position: (file, line, 0),
            block: 0,
            result: answered.then_some(place),
            n_results: i64::from(answered),
            copy: CopyOf::default(),
        }
    }
}
