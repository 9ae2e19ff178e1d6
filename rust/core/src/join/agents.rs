//! Agents: who was started by whom, joined from transcripts, meta files,
//! launching calls and inline records (SPEC section 6, ruling 41).

pub mod launches;
pub mod metas;
pub mod parts;
pub mod sums;

use hashbrown::HashMap;

use crate::diagnose::Finding;
use crate::facts::ToolResult;
use crate::facts::further::{LaunchInput, LaunchResult};
use crate::join::notifications::Notifications;
use crate::join::originals::Owner;
use crate::join::places::FirstFiles;
use crate::join::tool_calls::Pair;
use crate::join::usage::Response;
use crate::join::{Corpus, Place, Position};
use crate::strings::Symbol;
use launches::{JoinedBy, Launch, Launches};
use metas::Meta;
use parts::{Gathered, Parts};
use sums::Sums;

/// An agent of a session.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Agent {
    pub position: Position,
    /// The launching block.
    block: Option<u32>,
    pub session: Symbol,
    pub id: Symbol,
    pub agent_type: Symbol,
    pub description: Symbol,
    pub model: Symbol,
    pub spawn_depth: Option<i64>,
    pub parent: Symbol,
    pub tool_use: Symbol,
    pub workflow: Symbol,
    pub joined_by: JoinedBy,
    /// Its first transcript.
    pub transcript: Option<u32>,
    pub has_meta: bool,
    pub meta_path: Symbol,
    /// Where the launching call stands.
    pub launch: Option<Position>,
    pub is_fork: Option<bool>,
    pub stopped_by_user: Option<bool>,
    pub said: Said,
    pub notice: Option<Notice>,
    pub sums: Sums,
}

/// What `toolUseResult` says of an agent, with the meta file's word first.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Said {
    pub resolved_model: Symbol,
    pub status: Symbol,
    pub is_async: Option<bool>,
    pub worktree_branch: Symbol,
    pub total_tokens: Option<i64>,
    pub tool_uses: Option<i64>,
    pub duration_ms: Option<i64>,
}

/// The task notification about an agent that counts.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Notice {
    pub position: Position,
    pub status: Symbol,
}

impl Agent {
    /// Launched, and no transcript was found.
    pub fn is_dangling(&self) -> bool {
        self.launch.is_some() && self.transcript.is_none()
    }

    /// A transcript that nothing launches.
    pub fn is_orphan(&self) -> bool {
        self.transcript.is_some() && self.joined_by == JoinedBy::None
    }
}

/// Joins the agents. The rows come in the table's order, with what is wrong
/// with their meta files.
pub fn agents(
    corpus: &Corpus,
    metas: &[Meta],
    pairs: &[Pair],
    responses: &[Response],
    notifications: &Notifications,
) -> (Vec<Agent>, Vec<Finding>) {
    let gathered = Gathered::of(corpus, metas, pairs);
    if gathered.all.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let join = Join {
        corpus,
        metas,
        pairs,
        notifications,
        first_files: FirstFiles::of(corpus),
        launches: Launches::of(corpus, &gathered, metas, pairs),
    };
    let sums = sums::sums(corpus, &gathered, pairs, responses);
    let rows = gathered.all.iter().zip(sums).map(|(parts, sums)| join.agent(parts, sums));
    let mut agents: Vec<Option<Agent>> = rows.collect();
    let findings = findings(metas, &gathered, &agents);
    let text = |symbol| corpus.strings.text(symbol);
    let mut agents: Vec<Agent> = agents.drain(..).flatten().collect();
    agents.sort_by(|a, b| {
        let order =
            |agent: &Agent| (agent.position, agent.block, text(agent.id), text(agent.session));
        order(a).cmp(&order(b))
    });
    (agents, findings)
}

/// What is wrong with meta files, at the rows of their agents.
fn findings(metas: &[Meta], gathered: &Gathered, agents: &[Option<Agent>]) -> Vec<Finding> {
    // A meta file that nothing is joined to is known by its own number only.
    let alone: HashMap<usize, usize> = (gathered.all.iter().enumerate())
        .filter(|(_, parts)| parts.owner.is_none())
        .filter_map(|(row, parts)| Some((parts.meta?, row)))
        .collect();
    let mut findings = Vec::new();
    for (number, meta) in metas.iter().enumerate() {
        let row = match meta.owner {
            Some(owner) => gathered.find(owner, meta.agent),
            None => alone.get(&number).copied(),
        };
        if let Some(agent) = row.and_then(|row| agents[row].as_ref()) {
            let file = agent.position.0;
            let trouble = meta.trouble.iter().cloned();
            findings.extend(trouble.map(|finding| Finding { file, ..finding }));
        }
    }
    findings
}

/// What agents are joined with.
struct Join<'c> {
    corpus: &'c Corpus,
    metas: &'c [Meta],
    pairs: &'c [Pair],
    notifications: &'c Notifications,
    first_files: FirstFiles,
    launches: Launches<'c>,
}

impl Join<'_> {
    fn agent(&self, parts: &Parts, sums: Sums) -> Option<Agent> {
        let corpus = self.corpus;
        let launch = self.launches.launch(parts);
        let (position, block) = self.place(parts, launch)?;
        let meta = parts.meta.map(|number| &self.metas[number]);
        let of_meta = |field: fn(&Meta) -> Symbol| meta.map_or(Symbol::NONE, field);
        let transcript = parts.transcripts.first().copied();
        let workflow = transcript
            .map_or(Symbol::NONE, |file| corpus.files[file as usize].workflow)
            .or(of_meta(|meta| meta.workflow));
        let pair = launch.map(|launch| &self.pairs[launch.pair]);
        let call = pair.map(|pair| corpus.call(pair.call));
        let nothing = LaunchInput::default();
        let input = call.and_then(|call| call.launch.as_deref()).unwrap_or(&nothing);
        let tool_use = of_meta(|meta| meta.tool_use).or(call.map_or(Symbol::NONE, |call| call.id));
        let caller = call.map_or(Symbol::NONE, |call| corpus.agent(call.agent, call.file));
        let result = self.result(parts, launch).map(|place| corpus.result(place));
        let notice =
            parts.owner.and_then(|owner| self.notifications.about_agent(owner, parts.id, tool_use));
        let of_result = result.and_then(|result| result.launch.as_deref());
        let result_type = of_result.map_or(Symbol::NONE, |said| said.agent_type);
        Some(Agent {
            position,
            block,
            session: parts.owner.map_or(Symbol::NONE, Owner::session),
            id: parts.id,
            agent_type: of_meta(|meta| meta.agent_type).or(result_type).or(input.agent_type),
            description: of_meta(|meta| meta.description).or(input.description),
            model: of_meta(|meta| meta.model).or(input.model),
            spawn_depth: meta.and_then(|meta| meta.spawn_depth),
            parent: of_meta(|meta| meta.parent).or(caller),
            tool_use,
            workflow,
            joined_by: self.launches.joined_by(corpus, parts, launch, workflow),
            transcript,
            has_meta: meta.is_some(),
            meta_path: of_meta(|meta| meta.path),
            launch: pair.map(|pair| pair.position),
            is_fork: meta.and_then(|meta| meta.is_fork),
            stopped_by_user: meta.and_then(|meta| meta.stopped_by_user),
            said: self.said(of_meta(|meta| meta.worktree_branch), result, notice),
            notice: notice.map(|place| self.notice(place)),
            sums,
        })
    }

    /// Where an agent's row stands; none where there is no file for it.
    fn place(&self, parts: &Parts, launch: Option<Launch>) -> Option<(Position, Option<u32>)> {
        if let Some(launch) = launch {
            let pair = &self.pairs[launch.pair];
            return Some((pair.position, Some(pair.block)));
        }
        let record = || parts.transcripts.iter().find_map(|file| self.corpus.first_record(*file));
        let file = || {
            let of_session = || self.first_files.of_session(parts.owner);
            let of_source = || parts.meta.and_then(|number| self.metas[number].first_of_source);
            parts.transcripts.first().copied().or_else(of_session).or_else(of_source)
        };
        let place = record().or(parts.inline.first).or_else(|| Some((file()?, 0, 0)));
        place.map(|position| (position, None))
    }

    /// The result that says what became of an agent: that of the last launch
    /// with its id, else that of the call that launched it.
    fn result(&self, parts: &Parts, launch: Option<Launch>) -> Option<Place> {
        let last = parts.launches.map(|(_, last)| last);
        let pair = last.or(launch.map(|launch| launch.pair))?;
        self.pairs[pair].result
    }

    fn said(
        &self,
        worktree_branch: Symbol,
        result: Option<&ToolResult>,
        notice: Option<Place>,
    ) -> Said {
        let nothing = LaunchResult::default();
        let launch = result.and_then(|result| result.launch.as_deref()).unwrap_or(&nothing);
        let told = notice.map(|place| self.corpus.notification(place));
        Said {
            resolved_model: result.map_or(Symbol::NONE, |result| result.rare().resolved_model),
            status: result.map_or(Symbol::NONE, |result| result.status),
            is_async: launch.is_async,
            worktree_branch: worktree_branch.or(launch.worktree_branch),
            total_tokens: launch.total_tokens.or(told.and_then(|told| told.total_tokens)),
            tool_uses: launch.tool_uses.or(told.and_then(|told| told.tool_uses)),
            duration_ms: launch.duration_ms.or(told.and_then(|told| told.duration_ms)),
        }
    }

    fn notice(&self, place: Place) -> Notice {
        let fact = self.corpus.notification(place);
        let position = self.corpus.position(fact.file, place.unit, fact.sketch);
        Notice { position, status: fact.status }
    }
}

#[cfg(test)]
mod tests;
