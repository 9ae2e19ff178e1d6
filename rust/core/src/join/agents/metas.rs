//! Meta files: which agent of which session each describes.

use hashbrown::HashMap;

use crate::discover::{Compression, Transcript};
use crate::join::Corpus;
use crate::join::originals::Owner;
use crate::join::places::by_source;
use crate::join::side_files::Trouble;
use crate::strings::{Interner, Symbol};

/// A file `agent-<id>.meta.json`, as it was found and read.
#[derive(Clone, Debug, Default)]
pub struct MetaFile {
    /// The path as it is shown.
    pub path: String,
    /// Label of its source.
    pub source: String,
    /// The folder that holds `subagents`.
    pub session: Option<String>,
    /// The folder `wf_*` that holds the file.
    pub workflow: Option<String>,
    /// The id in its name.
    pub agent: String,
    /// What it says; none where it is damaged.
    pub says: Option<MetaSays>,
    /// How many of its values have the wrong type.
    pub bad_values: u64,
}

/// The keys of a meta file.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct MetaSays {
    pub agent_type: Option<String>,
    pub description: Option<String>,
    pub model: Option<String>,
    pub tool_use_id: Option<String>,
    pub parent_agent_id: Option<String>,
    pub worktree_branch: Option<String>,
    pub spawn_depth: Option<i64>,
    pub is_fork: Option<bool>,
    pub stopped_by_user: Option<bool>,
}

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
    pub trouble: Trouble,
}

/// Joins meta files to their sessions, in their order. Their words become
/// strings of the corpus.
pub fn metas(corpus: &mut Corpus, transcripts: &[Transcript], files: &[MetaFile]) -> Vec<Meta> {
    if files.is_empty() {
        return Vec::new();
    }
    let (stems, sources) = (by_stem(transcripts), by_source(transcripts));
    let mut metas = Vec::with_capacity(files.len());
    for file in files {
        let stem = file.path.strip_suffix(".meta.json");
        let beside = stem.and_then(|stem| stems.get(stem)).copied();
        let session = intern(&mut corpus.strings, file.session.as_deref());
        let owner = match beside {
            Some(number) => Some(Owner::of(corpus.files[number as usize].session, number)),
            None => session.is_id().then_some(Owner::Session(session)),
        };
        let first_of_source = sources.get(file.source.as_str()).copied();
        metas.push(Meta::of(&mut corpus.strings, file, owner, first_of_source));
    }
    metas
}

fn intern(strings: &mut Interner, text: Option<&str>) -> Symbol {
    text.map_or(Symbol::NONE, |text| strings.intern(text))
}

/// Transcripts by their paths up to `.jsonl`; of several the first.
fn by_stem(transcripts: &[Transcript]) -> HashMap<&str, u32> {
    let mut stems = HashMap::with_capacity(transcripts.len());
    for (transcript, number) in transcripts.iter().zip(0..) {
        let path = match transcript.compression {
            Some(Compression::Gzip) => transcript.shown.strip_suffix(".gz"),
            Some(Compression::Zstd) => transcript.shown.strip_suffix(".zst"),
            None => Some(transcript.shown.as_str()),
        };
        if let Some(stem) = path.and_then(|path| path.strip_suffix(".jsonl")) {
            stems.entry(stem).or_insert(number);
        }
    }
    stems
}

impl Meta {
    fn of(
        strings: &mut Interner,
        file: &MetaFile,
        owner: Option<Owner>,
        first_of_source: Option<u32>,
    ) -> Self {
        let nothing = MetaSays::default();
        let says = file.says.as_ref().unwrap_or(&nothing);
        let mut of = |text: &Option<String>| intern(strings, text.as_deref());
        Self {
            workflow: of(&file.workflow),
            agent_type: of(&says.agent_type),
            description: of(&says.description),
            model: of(&says.model),
            tool_use: of(&says.tool_use_id),
            parent: of(&says.parent_agent_id),
            worktree_branch: of(&says.worktree_branch),
            path: strings.intern(&file.path),
            agent: strings.intern(&file.agent),
            owner,
            spawn_depth: says.spawn_depth,
            is_fork: says.is_fork,
            stopped_by_user: says.stopped_by_user,
            first_of_source,
            trouble: Trouble::of(&file.path, file.says.is_none(), file.bad_values),
        }
    }
}
