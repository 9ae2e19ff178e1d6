//! What a path alone says about a transcript.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use memchr::memrchr;

use super::{Compression, FileKind, Named};

const ENDING: &str = ".jsonl";

/// Whether a name below a folder is that of a transcript.
pub(super) fn is_transcript(name: &[u8]) -> bool {
    let packed = [&b".gz"[..], b".zst"];
    let bare = packed.iter().find_map(|ending| name.strip_suffix(*ending));
    bare.unwrap_or(name).ends_with(ENDING.as_bytes())
}

/// How a path's ending says that the file is packed.
pub(super) fn compression(path: &str) -> Option<Compression> {
    without_compression(path).1
}

/// Reads kind and ids out of a path's names. Nothing is decoded: a project's
/// folder is a lossy spelling of its path.
pub(super) fn named(path: &str) -> Named {
    let (folder, name) = folder_and_name(path);
    let (name, _) = without_compression(name);
    let stem = name.strip_suffix(ENDING);
    let kind = stem.and_then(|stem| kind(stem, folder));
    Named {
        kind,
        session_id: match kind {
            Some(FileKind::Parent) => stem,
            Some(FileKind::Codex) => {
                stem.and_then(rollout_session).or_else(|| session_folder(folder))
            }
            _ => session_folder(folder),
        }
        .map(str::to_owned),
        agent_id: stem
            .filter(|_| kind.is_some_and(is_agent))
            .and_then(|stem| stem.strip_prefix("agent-"))
            .map(str::to_owned),
        workflow_id: workflow_folder(folder).map(str::to_owned),
    }
}

/// Whether files of this kind are named by an agent.
pub(super) fn is_agent(kind: FileKind) -> bool {
    matches!(kind, FileKind::WorkflowAgent | FileKind::Subagent | FileKind::FlatAgent)
}

/// The path of a transcript or of a meta file without its ending, which is the
/// same for both of one agent.
pub(super) fn stem(path: &Path) -> &[u8] {
    let path = path.as_os_str().as_bytes();
    let packed = [&b".gz"[..], b".zst"];
    let bare = packed.iter().find_map(|ending| path.strip_suffix(*ending)).unwrap_or(path);
    let endings = [ENDING.as_bytes(), b".meta.json"];
    endings.iter().find_map(|ending| bare.strip_suffix(*ending)).unwrap_or(bare)
}

fn without_compression(name: &str) -> (&str, Option<Compression>) {
    let endings = [(".gz", Compression::Gzip), (".zst", Compression::Zstd)];
    endings
        .into_iter()
        .find_map(|(ending, compression)| Some((name.strip_suffix(ending)?, Some(compression))))
        .unwrap_or((name, None))
}

fn kind(stem: &str, folder: &str) -> Option<FileKind> {
    if stem.starts_with("rollout-") {
        Some(FileKind::Codex)
    } else if stem == "journal" && workflow_folder(folder).is_some() {
        Some(FileKind::Journal)
    } else if stem.starts_with("agent-") {
        let mut names = names_upwards(folder);
        Some(match [names.next(), names.next(), names.next()] {
            [Some(name), Some("workflows"), Some("subagents")] if is_workflow(name) => {
                FileKind::WorkflowAgent
            }
            [Some("subagents"), ..] => FileKind::Subagent,
            _ => FileKind::FlatAgent,
        })
    } else {
        is_uuid(stem).then_some(FileKind::Parent)
    }
}

/// The path of what holds a file, and the file's own name.
pub(super) fn folder_and_name(path: &str) -> (&str, &str) {
    match memrchr(b'/', path.as_bytes()) {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => ("", path),
    }
}

/// The names of a path, the last one first.
pub(super) fn names_upwards(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let path = rest?;
        let slash = memrchr(b'/', path.as_bytes());
        rest = slash.map(|slash| &path[..slash]);
        Some(&path[slash.map_or(0, |slash| slash + 1)..])
    })
}

/// A folder's own name, if it is that of a workflow.
pub(super) fn workflow_folder(folder: &str) -> Option<&str> {
    Some(folder_and_name(folder).1).filter(|name| is_workflow(name))
}

fn is_workflow(name: &str) -> bool {
    name.starts_with("wf_")
}

/// The name of what holds `subagents`, the nearest of several.
pub(super) fn session_folder(folder: &str) -> Option<&str> {
    let mut names = names_upwards(folder);
    names.find(|name| *name == "subagents")?;
    names.next().filter(|holder| !holder.is_empty())
}

/// The UUID that ends `rollout-<time>-<UUID>`.
fn rollout_session(stem: &str) -> Option<&str> {
    const LENGTH: usize = 36;
    let named = stem.strip_prefix("rollout-")?;
    let (time, id) = named.split_at_checked(named.len().checked_sub(LENGTH)?)?;
    (time.len() > 1 && time.ends_with('-') && is_uuid(id)).then_some(id)
}

/// 8-4-4-4-12 hex digits, of any case.
fn is_uuid(stem: &str) -> bool {
    let groups = stem.split('-').map(str::len);
    groups.eq([8, 4, 4, 4, 12]) && stem.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0f8e1a2b-3c4d-5e6f-7a8b-9c0d1e2f3a4b";

    fn said(path: &str) -> (Option<FileKind>, [Option<String>; 3]) {
        let named = named(&path.replace("ID", ID));
        (named.kind, [named.session_id, named.agent_id, named.workflow_id])
    }

    fn ids(ids: [&str; 3]) -> [Option<String>; 3] {
        ids.map(|id| (!id.is_empty()).then(|| id.replace("ID", ID)))
    }

    #[test]
    fn shapes_name_their_kind_and_ids() {
        use FileKind::{Codex, FlatAgent, Journal, Parent, Subagent, WorkflowAgent};
        for (path, kind, expected) in [
            ("p/-a/ID.jsonl", Parent, ["ID", "", ""]),
            ("ID.jsonl.gz", Parent, ["ID", "", ""]),
            ("a/ID/subagents/agent-a1.jsonl.zst", Subagent, ["ID", "a1", ""]),
            ("a/odd/subagents/agent-acompact-1.jsonl", Subagent, ["odd", "acompact-1", ""]),
            ("a/ID/subagents/workflows/wf_1/agent-a2.jsonl", WorkflowAgent, ["ID", "a2", "wf_1"]),
            ("a/ID/subagents/workflows/wf_1/journal.jsonl", Journal, ["ID", "", "wf_1"]),
            ("wf_1/journal.jsonl", Journal, ["", "", "wf_1"]),
            ("a/agent-1234abcd.jsonl", FlatAgent, ["", "1234abcd", ""]),
            ("a/ID/subagents/more/agent-a3.jsonl", FlatAgent, ["ID", "a3", ""]),
            ("a/workflows/wf_1/agent-a4.jsonl", FlatAgent, ["", "a4", "wf_1"]),
            ("subagents/agent-a5.jsonl", Subagent, ["", "a5", ""]),
            ("/subagents/agent-a5.jsonl", Subagent, ["", "a5", ""]),
            ("a/subagents/b/subagents/agent-a6.jsonl", Subagent, ["b", "a6", ""]),
            ("sessions/2025/rollout-2025-01-02-x.jsonl", Codex, ["", "", ""]),
            ("sessions/2025/rollout-2025-01-02T03-04-05-ID.jsonl", Codex, ["ID", "", ""]),
            ("rollout-1-ID.jsonl.zst", Codex, ["ID", "", ""]),
            ("rollout-1ID.jsonl", Codex, ["", "", ""]),
            ("rollout-ID.jsonl", Codex, ["", "", ""]),
            ("rollout-é-0f8e1a2b-3c4d-5e6f-7a8b-9c0d1e2f3a4.jsonl", Codex, ["", "", ""]),
        ] {
            assert_eq!(said(path), (Some(kind), ids(expected)), "{path}");
        }
    }

    #[test]
    fn other_shapes_say_no_kind() {
        for (path, expected) in [
            ("a/journal.jsonl", ["", "", ""]),
            ("a/history.jsonl", ["", "", ""]),
            ("a/ID.json", ["", "", ""]),
            ("a/ID", ["", "", ""]),
            ("a/xID.jsonl", ["", "", ""]),
            ("a/s/subagents/notes.jsonl", ["s", "", ""]),
            ("a/0f8e1a2b-3c4d-5e6f-7a8b-9c0d1e2f3a4g.jsonl", ["", "", ""]),
            ("a/0f8e1a2b3c4d-5e6f-7a8b--9c0d1e2f3a4b.jsonl", ["", "", ""]),
        ] {
            assert_eq!(said(path), (None, ids(expected)), "{path}");
        }
    }

    #[test]
    fn endings_decide_what_is_read_and_how() {
        for (name, is_one, packed) in [
            ("a.jsonl", true, None),
            (".jsonl", true, None),
            ("a.jsonl.gz", true, Some(Compression::Gzip)),
            ("a.jsonl.zst", true, Some(Compression::Zstd)),
            ("a.jsonl.gz.zst", false, Some(Compression::Zstd)),
            ("a.json", false, None),
            ("a.JSONL", false, None),
            ("a.jsonl.bak", false, None),
            ("a.txt.gz", false, Some(Compression::Gzip)),
        ] {
            assert_eq!(is_transcript(name.as_bytes()), is_one, "{name}");
            assert_eq!(compression(name), packed, "{name}");
        }
    }
}
