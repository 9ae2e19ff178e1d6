//! Outputs that stand in files of their own: what is in the folders `tool-results` of
//! the sessions that the transcripts are of (ruling 91).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use memchr::memmem::rfind;
use rayon::prelude::*;

use super::hit::SegmentHit;
use super::prefilter::line_feeds;
use super::query::Query;
use super::segments::{Field, Segment};
use crate::discover::{FileKind, Found, Named, Transcript};
use crate::map::{MmapPolicy, open};
use crate::storage::{Kind, Storage};

const FOLDER: &str = "tool-results";
const SUBAGENTS: &str = "/subagents/";

/// An output that was searched.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) shown: String,
    pub(super) session: String,
    pub(super) bytes: u64,
    /// The line where the first match starts.
    pub(super) line: u64,
    pub(super) identity: u128,
    pub(super) hit: Option<SegmentHit>,
}

/// The folder of a session, as it is and as tables show it.
#[derive(Clone, Debug)]
struct Folder {
    storage: Storage,
    path: PathBuf,
    shown: String,
    session: String,
}

/// Searches all outputs, in order of their paths.
pub(super) fn search(transcripts: &[Transcript], query: &Query) -> Vec<Output> {
    let mut folders: BTreeMap<Vec<u8>, Folder> = BTreeMap::new();
    for folder in transcripts.iter().filter_map(session_folder) {
        folders.entry(folder.path.as_os_str().as_bytes().to_vec()).or_insert(folder);
    }
    let files: Vec<_> = folders.into_values().flat_map(|folder| files(&folder)).collect();
    files.par_iter().filter_map(|(file, session)| look(file, session, query)).collect()
}

/// The folder beside a parent, or the one that holds `subagents`.
fn session_folder(transcript: &Transcript) -> Option<Folder> {
    let session = transcript.named.session_id.clone()?;
    let (path, shown) = (transcript.path.as_os_str().as_bytes(), &*transcript.shown);
    let (path, shown) = match transcript.named.kind? {
        FileKind::Parent => {
            let stem = transcript.stem();
            (stem, &shown[..shown.len() - (path.len() - stem.len())])
        }
        _ => (&path[..rfind(path, SUBAGENTS.as_bytes())?], &shown[..shown.rfind(SUBAGENTS)?]),
    };
    Some(Folder {
        storage: transcript.storage.clone(),
        path: PathBuf::from(OsString::from_vec(path.to_vec())),
        shown: shown.to_owned(),
        session,
    })
}

/// The regular files below a session's outputs, as what can be opened.
fn files(folder: &Folder) -> Vec<(Transcript, String)> {
    let top = folder.path.join(FOLDER);
    let is_folder =
        |path: &Path| folder.storage.stat_itself(path).is_ok_and(|stat| stat.kind == Kind::Folder);
    let mut found = Vec::new();
    let mut open = if is_folder(&top) { vec![top] } else { Vec::new() };
    while let Some(inner) = open.pop() {
        for member in folder.storage.members(&inner).into_iter().flatten().flatten() {
            match member.kind() {
                Some(Kind::File) => found.push(member.path()),
                Some(Kind::Folder) => open.push(member.path()),
                _ => {}
            }
        }
    }
    found.sort_by(|one, other| one.as_os_str().as_bytes().cmp(other.as_os_str().as_bytes()));
    found.into_iter().filter_map(|path| file(folder, path)).collect()
}

fn file(folder: &Folder, path: PathBuf) -> Option<(Transcript, String)> {
    let stat = folder.storage.stat_itself(&path).ok().filter(|stat| stat.kind == Kind::File)?;
    let below = path.strip_prefix(&folder.path).ok()?;
    let transcript = Transcript {
        shown: format!("{}/{}", folder.shown, below.to_string_lossy()),
        storage: folder.storage.clone(),
        source: String::new(),
        found: Found::Regular,
        size: Some(stat.len),
        modified: None,
        named: Named::default(),
        compression: None,
        path,
    };
    Some((transcript, folder.session.clone()))
}

/// What cannot be read was not searched.
fn look(file: &Transcript, session: &str, query: &Query) -> Option<Output> {
    let source = open(file, MmapPolicy::Never).ok()?;
    let mut buffer = Vec::new();
    let bytes = source.read(0..source.len(), &mut buffer).ok()?.bytes;
    let mut output = Output {
        shown: file.shown.clone(),
        session: session.to_owned(),
        bytes: bytes.len() as u64,
        line: 0,
        identity: 0,
        hit: None,
    };
    if !query.prefilter().may_be_in(bytes) {
        return Some(output);
    }
    let text = String::from_utf8_lossy(bytes);
    let mut searcher = query.searcher();
    let spans = searcher.spans(&text);
    if searcher.is_met() && !spans.is_empty() {
        let start = text.char_indices().nth(spans[0].0 as usize).map_or(0, |(byte, _)| byte);
        output.line = 1 + line_feeds(&text.as_bytes()[..start]);
        output.identity = xxhash_rust::xxh3::xxh3_128(bytes);
        let (field, call, result_of) = (Field::Sidecar, None, None);
        let segment = Segment { field, key: "", call, result_of, text: &text };
        output.hit = Some(SegmentHit::new(&segment, spans));
    }
    Some(output)
}
