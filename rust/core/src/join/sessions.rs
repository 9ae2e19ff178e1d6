//! Sessions: what the records of one session id say together (ruling 35).

use hashbrown::{HashMap, HashSet};

use crate::facts::Sketch;
use crate::join::tool_calls::{Pair, outcome};
use crate::join::usage::Response;
use crate::join::{Corpus, Position, Standing};
use crate::strings::Symbol;

/// A session.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Session {
    pub id: Symbol,
    pub position: Position,
    pub files: Vec<u32>,
    pub project: Symbol,
    pub git_branch: Symbol,
    pub first_timestamp: Option<i64>,
    pub last_timestamp: Option<i64>,
    pub versions: Vec<Symbol>,
    pub entrypoints: Vec<Symbol>,
    pub models: Vec<Symbol>,
    pub n_records: i64,
    pub n_responses: i64,
    pub n_tool_calls: i64,
    pub n_failed: i64,
    pub n_denied: i64,
    pub n_api_errors: i64,
    /// Rows of other tables, counted once those are known.
    pub n_prompts: i64,
    pub n_agents: i64,
    pub n_compactions: i64,
    /// Its word in the vocabulary `ending_kind`.
    pub ending_kind: Option<&'static str>,
    pub tokens: [Sum; 8],
    pub forked_from: Symbol,
    pub leaf: Symbol,
}

/// A sum of counts (ruling 27): nothing is 0, all null is null, and so is what
/// int64 cannot hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    total: i128,
    rows: u64,
    nulls: u64,
}

impl Sum {
    /// Adds a count.
    pub fn add(&mut self, count: Option<i64>) {
        self.rows += 1;
        match count {
            Some(count) => self.total += i128::from(count),
            None => self.nulls += 1,
        }
    }

    /// The sum.
    pub fn value(&self) -> Option<i64> {
        if self.rows > 0 && self.rows == self.nulls {
            return None;
        }
        i64::try_from(self.total).ok()
    }
}

/// Sessions by symbol.
struct Sessions<'c> {
    corpus: &'c Corpus,
    index: Vec<u32>,
    all: Vec<Session>,
}

/// Sums up every session. The rows come in the table's order.
pub fn sessions(corpus: &Corpus, responses: &[Response], pairs: &[Pair]) -> Vec<Session> {
    let index = vec![u32::MAX; corpus.strings.len()];
    let mut sessions = Sessions { corpus, index, all: Vec::new() };
    sessions.add_records();
    sessions.add_inline();
    sessions.add_responses(responses);
    sessions.add_calls(pairs);
    sessions.all.sort_by_key(|session| session.position);
    sessions.all
}

/// What the lists of sessions hold: session, list, symbol. A list may be as long
/// as a session has records.
type Listed = HashSet<(Symbol, u8, Symbol)>;

fn push_new(listed: &mut Listed, session: Symbol, lists: [(&mut Vec<Symbol>, Symbol); 3]) {
    for ((list, symbol), number) in lists.into_iter().zip(0..) {
        let is_other = symbol.is_some() && list.last() != Some(&symbol);
        if is_other && listed.insert((session, number, symbol)) {
            list.push(symbol);
        }
    }
}

fn fill(own: &mut Symbol, other: Symbol) {
    *own = own.or(other);
}

impl Sessions<'_> {
    fn of(&mut self, id: Symbol, position: Position) -> Option<&mut Session> {
        if !id.is_id() {
            return None;
        }
        let index = &mut self.index[id.index()];
        if *index == u32::MAX {
            *index = self.all.len() as u32;
            self.all.push(Session::new(id, position));
        }
        self.all.get_mut(*index as usize)
    }

    fn add_records(&mut self) {
        let corpus = self.corpus;
        let mut listed = Listed::new();
        for (unit, number) in corpus.units.iter().zip(0..) {
            let counts = |index: u32| corpus.standing(number, index) == Standing::Counts;
            let sketches = &unit.sketches;
            // By envelope the last file with it, and the place of its session: what else
            // it says was taken from the first of its records there.
            let mut met: Vec<Option<(u32, u32)>> = vec![None; sketches.envelopes().len()];
            for part in &unit.parts {
                for index in part.sketches.clone().filter(|index| counts(*index as u32)) {
                    let envelope = sketches.envelope_number(index);
                    let met = &mut met[envelope as usize];
                    if met.is_none_or(|(file, _)| file != part.file) {
                        let sketch = sketches.get(index);
                        let place = self.meet(&sketch, part.file, &mut listed);
                        *met = place.map(|place| (part.file, place));
                    }
                    let Some((_, place)) = *met else { continue };
                    let session = &mut self.all[place as usize];
                    session.n_records += 1;
                    let is_api_error = sketches.envelope_at(envelope).is_api_error;
                    session.n_api_errors += i64::from(is_api_error);
                    if let Some(timestamp) = sketches.timestamp(index) {
                        session.date(timestamp);
                    }
                }
            }
            for (index, leaf) in sketches.leaves() {
                let id = sketches.envelope_of(*index as usize).session;
                let place = self.index.get(id.index()).filter(|_| counts(*index));
                if let Some(session) = place.and_then(|place| self.all.get_mut(*place as usize)) {
                    session.leaf = *leaf;
                }
            }
        }
    }

    /// Takes what a record says like others of its envelope; gives the place of its
    /// session.
    fn meet(&mut self, sketch: &Sketch, file: u32, listed: &mut Listed) -> Option<u32> {
        let session = self.of(sketch.session, (file, sketch.line, sketch.place))?;
        if session.files.last() != Some(&file) {
            session.files.push(file);
        }
        fill(&mut session.project, sketch.cwd);
        fill(&mut session.git_branch, sketch.git_branch);
        fill(&mut session.forked_from, sketch.forked_from);
        let lists = [
            (&mut session.versions, sketch.version),
            (&mut session.entrypoints, sketch.entrypoint),
            (&mut session.models, sketch.model),
        ];
        push_new(listed, session.id, lists);
        self.index.get(sketch.session.index()).copied()
    }

    /// Sessions that only inline carriers name stand where the first one does.
    fn add_inline(&mut self) {
        let corpus = self.corpus;
        for (place, carrier) in corpus.carriers().filter(|(_, carrier)| carrier.is_inline) {
            let sketch = corpus.sketch(place.unit, carrier.sketch);
            let session = corpus.envelope(place).session;
            self.of(session, (carrier.file, sketch.line, sketch.place));
        }
    }

    fn add_responses(&mut self, responses: &[Response]) {
        let corpus = self.corpus;
        for response in responses {
            let id = corpus.envelope(response.retained).session;
            let Some(session) = self.of(id, response.position) else { continue };
            session.n_responses += 1;
            let counts = corpus.counts(response.retained).columns();
            session.tokens.iter_mut().zip(counts).for_each(|(sum, count)| sum.add(count));
        }
    }

    fn add_calls(&mut self, pairs: &[Pair]) {
        let corpus = self.corpus;
        for pair in pairs {
            let call = corpus.call(pair.call);
            let result = pair.result.map(|place| corpus.result(place));
            let sketch = corpus.sketch(pair.call.unit, call.sketch);
            let Some(session) = self.of(sketch.session, pair.position) else { continue };
            session.n_tool_calls += 1;
            let failed = outcome(corpus, call, result).outcome == "failed";
            session.n_failed += i64::from(failed);
            let denied = result.is_some_and(|result| result.rare().denial_kind.is_some());
            session.n_denied += i64::from(denied);
        }
    }
}

/// Sets a count of each session to how often its id is given.
pub fn count_rows(
    sessions: &mut [Session],
    ids: impl Iterator<Item = Symbol>,
    count: impl Fn(&mut Session) -> &mut i64,
) {
    let mut counts: HashMap<Symbol, i64> = HashMap::new();
    for id in ids {
        *counts.entry(id).or_default() += 1;
    }
    for session in sessions {
        *count(session) = counts.get(&session.id).copied().unwrap_or(0);
    }
}

impl Session {
    fn new(id: Symbol, position: Position) -> Self {
        Self {
            id,
            position,
            files: Vec::new(),
            project: Symbol::NONE,
            git_branch: Symbol::NONE,
            first_timestamp: None,
            last_timestamp: None,
            versions: Vec::new(),
            entrypoints: Vec::new(),
            models: Vec::new(),
            n_records: 0,
            n_responses: 0,
            n_tool_calls: 0,
            n_failed: 0,
            n_denied: 0,
            n_api_errors: 0,
            n_prompts: 0,
            n_agents: 0,
            n_compactions: 0,
            ending_kind: None,
            tokens: [Sum::default(); 8],
            forked_from: Symbol::NONE,
            leaf: Symbol::NONE,
        }
    }

    fn date(&mut self, timestamp: i64) {
        let first = self.first_timestamp.map_or(timestamp, |first| first.min(timestamp));
        let last = self.last_timestamp.map_or(timestamp, |last| last.max(timestamp));
        (self.first_timestamp, self.last_timestamp) = (Some(first), Some(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::made::Made;

    #[test]
    fn lists_hold_what_records_name_once_in_order_of_appearance() {
        let mut made = Made::new();
        made.parent("s1");
        for version in ["2", "1", "2", "1", "1", "3"] {
            let version = made.symbol(version);
            made.record_of(|record| record.version = version);
        }
        made.parent("s2");
        let version = made.symbol("1");
        made.record_of(|record| (record.version, record.model) = (version, version));
        let sessions = sessions(&made.corpus, &[], &[]);
        let text = |symbol: &Symbol| made.corpus.strings.text(*symbol);
        let texts = |list: &[Symbol]| list.iter().filter_map(text).collect::<String>();
        let lists = sessions.iter().map(|row| (texts(&row.versions), texts(&row.models)));
        assert_eq!(
            lists.collect::<Vec<_>>(),
            [("213".to_owned(), String::new()), ("1".to_owned(), "1".to_owned())]
        );
    }
}
