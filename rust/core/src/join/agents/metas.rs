//! Meta files: which agent of which session each describes.

use hashbrown::HashMap;

use crate::diagnose::Finding;
use crate::discover::{MetaNote, Transcript};
use crate::join::Corpus;
use crate::join::originals::Owner;
use crate::join::places::by_source;
use crate::side_file::{Damaged, Meta as Says, finding};
use crate::strings::{Interner, Symbol};

/// A meta file, joined to its session.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Meta {
    pub path: Symbol,
    /// None where the path names no session and no transcript stands beside it:
    /// nothing else is joined to such a file.
    pub owner: Option<Owner>,
    pub workflow: Symbol,
    pub agent: Symbol,
    pub agent_type: Symbol,
    pub description: Symbol,
    pub model: Symbol,
    pub tool_use: Symbol,
    pub parent: Symbol,
    pub worktree_branch: Symbol,
    pub spawn_depth: Option<i64>,
    pub is_fork: Option<bool>,
    pub stopped_by_user: Option<bool>,
    /// The first file of its source.
    pub first_of_source: Option<u32>,
    /// What is wrong with it, whatever file that is told at.
    pub trouble: Option<Finding>,
}

/// Joins meta files to their sessions, in their order. Their words become
/// strings of the corpus.
pub fn metas(
    corpus: &mut Corpus,
    transcripts: &[Transcript],
    files: &[(&MetaNote, Result<Says, Damaged>)],
) -> Vec<Meta> {
    if files.is_empty() {
        return Vec::new();
    }
    let (stems, sources) = (by_stem(transcripts), by_source(transcripts));
    let mut metas = Vec::with_capacity(files.len());
    for (note, read) in files {
        let session = intern(&mut corpus.strings, note.session_id.as_deref());
        let owner = match stems.get(note.stem()) {
            Some(file) => Some(Owner::of(corpus.files[*file as usize].session, *file)),
            None => session.is_id().then_some(Owner::Session(session)),
        };
        let meta = Meta::of(&mut corpus.strings, note, read);
        let first_of_source = sources.get(note.source.as_str()).copied();
        metas.push(Meta { owner, first_of_source, ..meta });
    }
    metas
}

fn intern(strings: &mut Interner, text: Option<&str>) -> Symbol {
    text.map_or(Symbol::NONE, |text| strings.intern(text))
}

/// Transcripts of agents by their paths without ending; of several the first.
fn by_stem(transcripts: &[Transcript]) -> HashMap<&[u8], u32> {
    let mut stems = HashMap::with_capacity(transcripts.len());
    for (transcript, number) in transcripts.iter().zip(0..) {
        if transcript.named.agent_id.is_some() {
            stems.entry(transcript.stem()).or_insert(number);
        }
    }
    stems
}

impl Meta {
    /// What the file says, joined to nothing yet.
    fn of(strings: &mut Interner, note: &MetaNote, read: &Result<Says, Damaged>) -> Self {
        let nothing = Says::default();
        let says = read.as_ref().unwrap_or(&nothing);
        let mut of = |text: &Option<String>| intern(strings, text.as_deref());
        Self {
            workflow: of(&note.workflow_id),
            agent_type: of(&says.agent_type),
            description: of(&says.description),
            model: of(&says.model),
            tool_use: of(&says.tool_use_id),
            parent: of(&says.parent_agent_id),
            worktree_branch: of(&says.worktree_branch),
            path: strings.intern(&note.shown),
            agent: strings.intern(&note.agent_id),
            owner: None,
            spawn_depth: says.spawn_depth,
            is_fork: says.is_fork,
            stopped_by_user: says.stopped_by_user,
            first_of_source: None,
            trouble: finding(0, &note.path, read),
        }
    }
}
