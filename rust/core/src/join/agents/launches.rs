//! Which call launched an agent, and by which evidence (ruling 41).

use hashbrown::{HashMap, HashSet};

use crate::discover::FileKind;
use crate::join::Corpus;
use crate::join::agents::metas::Meta;
use crate::join::agents::parts::{Gathered, Parts, is_read};
use crate::join::originals::Owner;
use crate::join::tool_calls::Pair;
use crate::strings::Symbol;

/// How an agent is joined to what launched it: `vocabularies.joined_by`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum JoinedBy {
    ToolUseId,
    AgentId,
    Directory,
    Session,
    #[default]
    None,
}

impl JoinedBy {
    /// Its word in the vocabulary.
    pub fn name(self) -> &'static str {
        match self {
            Self::ToolUseId => "tool_use_id",
            Self::AgentId => "agent_id",
            Self::Directory => "directory",
            Self::Session => "session",
            Self::None => "none",
        }
    }
}

/// The call that launched an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Launch {
    /// The number of its pair.
    pub(super) pair: usize,
    evidence: JoinedBy,
}

/// What agents are joined by.
pub(super) struct Launches<'c> {
    gathered: &'c Gathered,
    metas: &'c [Meta],
    /// The first call with an id that some agent names, in its session.
    calls: HashMap<(Owner, Symbol), usize>,
    /// Sessions with a parent's file.
    parents: HashSet<Symbol>,
}

impl<'c> Launches<'c> {
    /// Looks up the calls that the agents name.
    pub(super) fn of(
        corpus: &Corpus,
        gathered: &'c Gathered,
        metas: &'c [Meta],
        pairs: &[Pair],
    ) -> Self {
        let mut launches = Self { gathered, metas, calls: HashMap::new(), parents: HashSet::new() };
        launches.calls = launches.named_calls(corpus, pairs);
        let parents = corpus
            .files
            .iter()
            .filter(|file| file.kind == FileKind::Parent && is_read(file) && file.session.is_id());
        launches.parents = parents.map(|file| file.session).collect();
        launches
    }

    fn named_calls(&self, corpus: &Corpus, pairs: &[Pair]) -> HashMap<(Owner, Symbol), usize> {
        let named: HashSet<(Owner, Symbol)> = (self.gathered.all.iter())
            .filter_map(|parts| Some((parts.owner?, parts)))
            .flat_map(|(owner, parts)| {
                [self.meta_tool_use(parts), parts.inline.parent_tool_use].map(|id| (owner, id))
            })
            .filter(|(_, id)| id.is_id())
            .collect();
        let mut calls = HashMap::with_capacity(named.len());
        if named.is_empty() {
            return calls;
        }
        for (number, pair) in pairs.iter().enumerate() {
            let key = (corpus.call_owner(pair), corpus.call(pair.call).id);
            if named.contains(&key) {
                calls.entry(key).or_insert(number);
            }
        }
        calls
    }

    fn meta_tool_use(&self, parts: &Parts) -> Symbol {
        parts.meta.map_or(Symbol::NONE, |number| self.metas[number].tool_use)
    }

    /// The launch of an agent: its meta file names it best, then a launch that
    /// names the agent, then the call that its inline records hang on.
    pub(super) fn launch(&self, parts: &Parts) -> Option<Launch> {
        let call = |id: Symbol| self.calls.get(&(parts.owner?, id)).copied();
        let by = |evidence| move |pair| Launch { pair, evidence };
        call(self.meta_tool_use(parts))
            .map(by(JoinedBy::ToolUseId))
            .or_else(|| parts.launches.map(|(first, _)| first).map(by(JoinedBy::AgentId)))
            .or_else(|| call(parts.inline.parent_tool_use).map(by(JoinedBy::ToolUseId)))
    }

    /// What an agent with this launch and in this workflow is joined by.
    pub(super) fn joined_by(
        &self,
        corpus: &Corpus,
        parts: &Parts,
        launch: Option<Launch>,
        workflow: Symbol,
    ) -> JoinedBy {
        if let Some(launch) = launch {
            return if parts.is_launch_alone() { JoinedBy::None } else { launch.evidence };
        }
        if workflow.is_some() {
            JoinedBy::Directory
        } else if self.has_parent_agent(parts) {
            JoinedBy::AgentId
        } else if self.has_parent_file(corpus, parts) {
            JoinedBy::Session
        } else {
            JoinedBy::None
        }
    }

    /// Whether the meta file names another agent of the session as its parent.
    fn has_parent_agent(&self, parts: &Parts) -> bool {
        let parent = parts.meta.map_or(Symbol::NONE, |number| self.metas[number].parent);
        let known = parts.owner.and_then(|owner| self.gathered.find(owner, parent));
        known.is_some() && parent != parts.id
    }

    /// Whether a flat file of the agent stands in a session that has a parent's file.
    fn has_parent_file(&self, corpus: &Corpus, parts: &Parts) -> bool {
        let kind = |file: &u32| corpus.files[*file as usize].kind;
        let session = parts.owner.map_or(Symbol::NONE, Owner::session);
        self.parents.contains(&session)
            && parts.transcripts.iter().any(|file| kind(file) == FileKind::FlatAgent)
    }
}
