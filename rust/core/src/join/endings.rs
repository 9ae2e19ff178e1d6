//! Endings: what the last thing in a session was (SPEC section 7, ruling 54).

use hashbrown::HashSet;

use crate::discover::FileKind;
use crate::facts::further::{LastBlock, Turn};
use crate::facts::words::{WHITE_SPACE, trim};
use crate::join::sessions::Session;
use crate::join::tool_calls::Pair;
use crate::join::{Corpus, Place, Position, Standing};
use crate::strings::Symbol;

/// How a session ended.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Ending<'c> {
    pub session: Symbol,
    /// The last record of the last response, else the session's first record.
    pub position: Position,
    pub kind: Kind,
    /// Its word in the vocabulary `last_assistant_kind`.
    pub last_assistant_kind: Option<&'static str>,
    pub pending_tool_use_ids: Vec<Symbol>,
    pub last_timestamp: Option<i64>,
    /// The words of the last response, a text block each.
    pub words: Vec<&'c str>,
}

/// What the end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Interrupted,
    ApiError,
    Done,
    NoReply,
    Empty,
}

impl Kind {
    /// Its word in the vocabulary `ending_kind`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::ApiError => "api_error",
            Self::Done => "done",
            Self::NoReply => "no_reply",
            Self::Empty => "empty",
        }
    }
}

/// One for each session, in their order.
pub fn endings<'c>(corpus: &'c Corpus, sessions: &[Session], pairs: &[Pair]) -> Vec<Ending<'c>> {
    let index = Index::new(corpus, sessions);
    let mut last = index.last_messages();
    index.complete_responses(&mut last);
    let pending = index.pending(pairs);
    let ends = sessions.iter().zip(last).zip(pending);
    ends.map(|((session, last), pending)| ending(corpus, session, &last, pending)).collect()
}

/// What stands last in a session.
#[derive(Clone, Default)]
struct Last {
    message: Option<Place>,
    assistant: Option<Place>,
    response: Vec<Place>,
}

/// Sessions by symbol.
struct Index<'c> {
    corpus: &'c Corpus,
    rows: Vec<u32>,
    count: usize,
}

impl<'c> Index<'c> {
    fn new(corpus: &'c Corpus, sessions: &[Session]) -> Self {
        let mut rows = vec![u32::MAX; corpus.strings.len()];
        for (session, row) in sessions.iter().zip(0..) {
            rows[session.id.index()] = row;
        }
        Self { corpus, rows, count: sessions.len() }
    }

    fn row(&self, session: Symbol) -> Option<usize> {
        let row = *self.rows.get(session.index()).filter(|_| session.is_id())?;
        (row != u32::MAX).then_some(row as usize)
    }

    /// The messages of all sessions, in order, each with its session's row.
    fn messages(&self) -> impl Iterator<Item = (usize, Place, &'c Turn)> {
        let corpus = self.corpus;
        corpus.units.iter().zip(0..).flat_map(move |(facts, unit)| {
            facts.further.turns.iter().zip(0..).filter_map(move |(turn, index)| {
                let counts = corpus.standing(unit, turn.sketch) == Standing::Counts;
                let is_codex = corpus.files[turn.file as usize].kind == FileKind::Codex;
                if !counts || is_codex || turn.is_sidechain {
                    return None;
                }
                let own = corpus.sketch(unit, turn.sketch).session;
                let row = self.row(corpus.session(own, turn.file))?;
                Some((row, Place { unit, index }, turn))
            })
        })
    }

    fn last_messages(&self) -> Vec<Last> {
        let mut last = vec![Last::default(); self.count];
        for (row, place, turn) in self.messages() {
            last[row].message = Some(place);
            if turn.is_assistant && !turn.is_meta {
                last[row].assistant = Some(place);
            }
        }
        last
    }

    /// A response is written as several records, and others may stand between them.
    fn complete_responses(&self, last: &mut [Last]) {
        for (row, place, turn) in self.messages().filter(|(_, _, turn)| turn.is_assistant) {
            let last = &mut last[row];
            let Some(assistant) = last.assistant else { continue };
            let message = turn_at(self.corpus, assistant).message;
            if place == assistant || message.is_id() && turn.message == message {
                last.response.push(place);
            }
        }
    }

    /// The calls of each session that nothing answers. Whichever of call and
    /// result stands first: all calls are seen before any is judged.
    fn pending(&self, pairs: &[Pair]) -> Vec<Vec<Symbol>> {
        let mut calls: Vec<Vec<Symbol>> = vec![Vec::new(); self.count];
        let mut settled: HashSet<(usize, Symbol)> = HashSet::new();
        for pair in pairs {
            let call = self.corpus.call(pair.call);
            let own = self.corpus.sketch(pair.call.unit, call.sketch).session;
            let row = self.row(self.corpus.session(own, call.file));
            let Some(row) = row.filter(|_| call.id.is_id() && call.is_sidechain != Some(true))
            else {
                continue;
            };
            if pair.result.is_some() {
                settled.insert((row, call.id));
            } else {
                calls[row].push(call.id);
            }
        }
        // An id is settled, or listed, once.
        for (calls, row) in calls.iter_mut().zip(0..) {
            calls.retain(|id| settled.insert((row, *id)));
        }
        calls
    }
}

fn turn_at(corpus: &Corpus, place: Place) -> &Turn {
    &corpus.units[place.unit as usize].further.turns[place.index as usize]
}

fn ending<'c>(
    corpus: &'c Corpus,
    session: &Session,
    last: &Last,
    pending_tool_use_ids: Vec<Symbol>,
) -> Ending<'c> {
    let response = last.response.iter().map(|place| turn_at(corpus, *place));
    let block = response.clone().map(|turn| turn.last).rfind(|last| *last != LastBlock::None);
    let kind = kind(corpus, last, block);
    let position = last.response.last().map_or(session.position, |place| {
        let turn = turn_at(corpus, *place);
        let sketch = corpus.sketch(place.unit, turn.sketch);
        (turn.file, sketch.line, sketch.place)
    });
    let assistant_kind = match block {
        Some(LastBlock::Text) => "text",
        Some(LastBlock::Call) => "tool_use",
        _ if response.clone().any(|turn| turn.has_thinking) => "thinking",
        _ => "empty",
    };
    Ending {
        session: session.id,
        position,
        kind,
        last_assistant_kind: (!last.response.is_empty()).then_some(assistant_kind),
        pending_tool_use_ids,
        last_timestamp: session.last_timestamp,
        words: words(corpus, &last.response),
    }
}

fn kind(corpus: &Corpus, last: &Last, block: Option<LastBlock>) -> Kind {
    let is_error =
        |place: &Place| corpus.sketch(place.unit, turn_at(corpus, *place).sketch).is_api_error;
    if last.response.is_empty() {
        Kind::Empty
    } else if last.message.is_some_and(|place| turn_at(corpus, place).is_interruption) {
        Kind::Interrupted
    } else if last.response.iter().any(is_error) {
        Kind::ApiError
    } else if block == Some(LastBlock::Text) {
        Kind::Done
    } else {
        Kind::NoReply
    }
}

fn words<'c>(corpus: &'c Corpus, response: &[Place]) -> Vec<&'c str> {
    let texts = response.iter().flat_map(|place| {
        let words = &corpus.units[place.unit as usize].words;
        turn_at(corpus, *place).words.clone().map(|number| words.text(number))
    });
    texts.filter(|text| !trim(text).is_empty()).collect()
}

impl Ending<'_> {
    /// The words of the last response.
    pub fn text(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| self.words.join("\n"))
    }

    /// Whether they end with a question mark, whatever emphasis, quotes or
    /// brackets close behind it.
    pub fn ends_with_question(&self) -> Option<bool> {
        const CLOSING: [char; 10] = ['*', '_', '`', '"', '\'', ')', ']', '”', '’', '»'];
        let closes = |c: char| CLOSING.contains(&c) || WHITE_SPACE.contains(&c);
        let ends = self.words.iter().rev().map(|text| text.trim_end_matches(closes));
        let end = ends.clone().find(|text| !text.is_empty()).unwrap_or_default();
        (!self.words.is_empty()).then(|| end.ends_with(['?', '？']))
    }
}

#[cfg(test)]
mod tests;
