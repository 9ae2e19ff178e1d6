//! Everything that shows an agent, put together by session and agent id: the
//! full outer join before anything is judged (ruling 41).

use hashbrown::{HashMap, HashSet};

use crate::discover::FileKind;
use crate::join::agents::metas::Meta;
use crate::join::files::{FileFacts, Status};
use crate::join::originals::Owner;
use crate::join::tool_calls::Pair;
use crate::join::{Corpus, Position, Standing};
use crate::strings::Symbol;

/// What shows one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// None for a meta file that nothing else is joined to.
    pub(super) owner: Option<Owner>,
    pub(super) id: Symbol,
    /// Its transcripts, in order.
    pub(super) transcripts: Vec<u32>,
    /// Its meta file, by number.
    pub(super) meta: Option<usize>,
    /// The first and the last launch with its id, by number of their pairs.
    pub(super) launches: Option<(usize, usize)>,
    /// Its records inside progress records.
    pub(super) inline: Inline,
}

impl Parts {
    /// Nothing but a launch shows it.
    pub(super) fn is_launch_alone(&self) -> bool {
        self.transcripts.is_empty() && self.meta.is_none() && self.inline.count == 0
    }
}

/// Records of an agent inside progress records.
#[derive(Clone, Debug, Default)]
pub(super) struct Inline {
    pub(super) count: i64,
    pub(super) first: Option<Position>,
    /// `parentToolUseID` of the first that has one.
    pub(super) parent_tool_use: Symbol,
    /// Earliest and latest timestamp.
    pub(super) dates: Option<(i64, i64)>,
}

/// Agents by session and id.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) all: Vec<Parts>,
    by_key: HashMap<(Owner, Symbol), usize>,
}

/// Whether a file is the transcript of an agent.
pub(super) fn is_transcript(file: &FileFacts) -> bool {
    let kinds = [FileKind::Subagent, FileKind::WorkflowAgent, FileKind::FlatAgent];
    kinds.contains(&file.kind) && is_read(file)
}

/// Whether a file was read and stands for itself.
pub(in crate::join) fn is_read(file: &FileFacts) -> bool {
    matches!(file.status, Status::Ok | Status::Partial)
}

impl Gathered {
    /// Puts together what a corpus shows.
    pub(super) fn of(corpus: &Corpus, metas: &[Meta], pairs: &[Pair]) -> Self {
        let mut gathered = Self::default();
        gathered.add_transcripts(corpus);
        gathered.add_metas(metas);
        gathered.add_launches(corpus, pairs);
        gathered.add_inline(corpus);
        gathered.leave_out_repeated_launches(corpus, pairs);
        gathered
    }

    /// The number of an agent that is known.
    pub(super) fn find(&self, owner: Owner, id: Symbol) -> Option<usize> {
        self.by_key.get(&(owner, id)).copied()
    }

    /// The parts of an agent; none where its id is none.
    fn parts(&mut self, owner: Owner, id: Symbol) -> Option<&mut Parts> {
        if !id.is_id() {
            return None;
        }
        let number = *self.by_key.entry((owner, id)).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(Parts { owner: Some(owner), id, ..Parts::default() });
        }
        self.all.get_mut(number)
    }

    fn add_transcripts(&mut self, corpus: &Corpus) {
        let files = corpus.files.iter().zip(0..);
        for (file, number) in files.filter(|(file, _)| is_transcript(file)) {
            if let Some(parts) = self.parts(Owner::of(file.session, number), file.agent) {
                parts.transcripts.push(number);
            }
        }
    }

    fn add_metas(&mut self, metas: &[Meta]) {
        for (number, meta) in metas.iter().enumerate() {
            match meta.owner {
                Some(owner) => {
                    if let Some(parts) = self.parts(owner, meta.agent) {
                        parts.meta = parts.meta.or(Some(number));
                    }
                }
                None if meta.agent.is_id() => {
                    let meta = Parts { id: meta.agent, meta: Some(number), ..Parts::default() };
                    self.all.push(meta);
                }
                None => {}
            }
        }
    }

    fn add_launches(&mut self, corpus: &Corpus, pairs: &[Pair]) {
        for (number, pair) in pairs.iter().enumerate() {
            let Some(result) = pair.result else { continue };
            let agent = corpus.result(result).rare().launched_agent;
            let call = corpus.call(pair.call);
            let is_launch = || matches!(corpus.strings.text(call.name), Some("Agent" | "Task"));
            if !agent.is_id() || !is_launch() {
                continue;
            }
            if let Some(parts) = self.parts(corpus.call_owner(pair), agent) {
                let (first, _) = parts.launches.unwrap_or((number, number));
                parts.launches = Some((first, number));
            }
        }
    }

    /// A fork repeats the launches of its ancestor, but not what they launched:
    /// a launch alone is nothing new where another session has its agent.
    fn leave_out_repeated_launches(&mut self, corpus: &Corpus, pairs: &[Pair]) {
        let ids = |parts: &Parts| {
            let (first, _) = parts.launches?;
            let call = corpus.call(pairs[first].call);
            (call.message.is_id() && call.id.is_id()).then_some((call.message, call.id))
        };
        let (alone, others): (Vec<_>, Vec<_>) =
            self.all.drain(..).enumerate().partition(|(_, parts)| parts.is_launch_alone());
        let known: HashSet<_> = others.iter().filter_map(|(_, parts)| ids(parts)).collect();
        let is_new = |parts: &Parts| {
            let is_copy = parts.launches.is_some_and(|(first, _)| pairs[first].copy.is_copy);
            !is_copy && ids(parts).is_none_or(|ids| !known.contains(&ids))
        };
        let mut kept = others;
        kept.extend(alone.into_iter().filter(|(_, parts)| is_new(parts)));
        kept.sort_unstable_by_key(|(number, _)| *number);
        self.all = kept.into_iter().map(|(_, parts)| parts).collect();
        let keys = self.all.iter().enumerate();
        self.by_key =
            keys.filter_map(|(number, parts)| Some(((parts.owner?, parts.id), number))).collect();
    }

    fn add_inline(&mut self, corpus: &Corpus) {
        for (unit, number) in corpus.units.iter().zip(0..) {
            for fact in &unit.further.inline_records {
                if corpus.standing(number, fact.sketch) != Standing::Counts {
                    continue;
                }
                let owner = corpus.owner(corpus.sketch(number, fact.sketch).session, fact.file);
                let Some(parts) = self.parts(owner, fact.agent) else { continue };
                let inline = &mut parts.inline;
                inline.count += 1;
                if inline.first.is_none() {
                    inline.first = Some(corpus.position(fact.file, number, fact.sketch));
                }
                if !inline.parent_tool_use.is_id() {
                    inline.parent_tool_use = fact.parent_tool_use;
                }
                if let Some(timestamp) = fact.timestamp {
                    inline.dates = Some(widen(inline.dates, timestamp));
                }
            }
        }
    }
}

/// Bounds that hold one more timestamp.
pub(super) fn widen(bounds: Option<(i64, i64)>, timestamp: i64) -> (i64, i64) {
    let (first, last) = bounds.unwrap_or((timestamp, timestamp));
    (first.min(timestamp), last.max(timestamp))
}

impl Corpus {
    /// What a call is joined by.
    pub(in crate::join) fn call_owner(&self, pair: &Pair) -> Owner {
        let call = self.call(pair.call);
        self.owner(self.sketch(pair.call.unit, call.sketch).session, call.file)
    }
}
