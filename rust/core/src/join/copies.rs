//! Physical copies: files that hold one session several times (ruling 9).

use std::collections::BTreeMap;

use crate::diagnose::{Code, Finding};
use hashbrown::{HashMap, HashSet};

use crate::discover::{FileKind, Transcript};
use crate::join::Corpus;
use crate::join::files::Status;
use crate::map::{MmapPolicy, Source, open};
use crate::scan::Copies;
use crate::strings::Symbol;

/// Files are compared a stretch of this many bytes at a time.
const STRETCH: u64 = 4 << 20;

/// Finds copies, marks them, and groups the files that are read as one.
pub fn find(corpus: &mut Corpus, transcripts: &[Transcript], policy: MmapPolicy) {
    let groups = groups(corpus);
    for members in groups {
        let standing = if members.len() == 1 {
            members
        } else {
            compare(corpus, &members, transcripts, policy)
        };
        for file in standing.iter().skip(1) {
            corpus.findings.push(Finding::of_file(*file, Code::DivergingCopy, &[]));
        }
        corpus.threads.push(standing);
    }
    corpus.threads.sort();
}

/// Every file that was read on its own.
pub fn ignore(corpus: &mut Corpus) {
    corpus.threads = (0..).zip(&corpus.files).map(|(file, _)| vec![file]).collect();
}

/// Whether a file is read as one with no other, by paths alone: where the records
/// of another could still make it one of the same group, it is not known to be.
pub fn alone(transcripts: &[Transcript], copies: Copies) -> Vec<bool> {
    if copies == Copies::Keep {
        return vec![true; transcripts.len()];
    }
    let unnamed = transcripts.iter().any(|file| file.named.kind.is_none());
    let kinds: HashSet<FileKind> = transcripts
        .iter()
        .filter(|file| file.named.session_id.is_none())
        .filter_map(|file| file.named.kind)
        .collect();
    let mut members: HashMap<_, (u32, bool)> = HashMap::new();
    let key = |file: &Transcript| Some((file.named.kind?, file.named.session_id.clone()?));
    let mut named: HashMap<_, u32> = HashMap::new();
    let full = |file: &Transcript| {
        let (kind, session) = key(file)?;
        Some((kind, session, file.named.agent_id.clone(), file.named.workflow_id.clone()))
    };
    for file in transcripts {
        if let (Some(key), Some(full)) = (key(file), full(file)) {
            let (count, all_named) = members.entry(key).or_insert((0, true));
            *count += 1;
            *all_named &= file.named.agent_id.is_some();
            *named.entry(full).or_default() += 1;
        }
    }
    let is_alone = |file: &Transcript| {
        let Some((key, full)) = key(file).zip(full(file)) else { return false };
        let sole = members.get(&key).is_some_and(|(count, all_named)| {
            *count == 1 || (*all_named && named.get(&full) == Some(&1))
        });
        sole && !unnamed && !kinds.contains(&key.0)
    };
    transcripts.iter().map(is_alone).collect()
}

/// Files by what makes them one: kind, session, agent, workflow.
fn groups(corpus: &Corpus) -> Vec<Vec<u32>> {
    let mut groups: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for (file, number) in corpus.files.iter().zip(0..) {
        let session = file.stem_session.or(file.session);
        let readable = file.status != Status::Unreadable;
        let key = (file.kind, session, file.agent, file.workflow);
        // A file without a session is alone, under its own number.
        let alone = (!session.is_id() || !readable).then_some(number);
        let key = (
            alone,
            if alone.is_some() {
                (file.kind, Symbol::NONE, Symbol::NONE, Symbol::NONE)
            } else {
                key
            },
        );
        groups.entry(key).or_default().push(number);
    }
    groups.into_values().collect()
}

/// Marks the copies among files of one group; gives those that stand.
fn compare(
    corpus: &mut Corpus,
    members: &[u32],
    transcripts: &[Transcript],
    policy: MmapPolicy,
) -> Vec<u32> {
    let mut texts: Vec<(u32, Source)> = Vec::new();
    // What cannot be read a second time is compared with nothing, and stands.
    let mut files: Vec<u32> = Vec::new();
    for file in members {
        match open(&transcripts[*file as usize], policy) {
            Ok(text) => texts.push((*file, text)),
            Err(_) => files.push(*file),
        }
    }
    // The longest first; of equally long ones the first file first.
    texts.sort_by_key(|(file, text)| (std::cmp::Reverse(text.len()), *file));
    let mut standing: Vec<(u32, Source)> = Vec::new();
    for (file, text) in texts {
        match standing.iter().find(|(_, longer)| is_prefix(&text, longer)) {
            Some((original, _)) => corpus.mark_copy(file, *original),
            None => standing.push((file, text)),
        }
    }
    files.extend(standing.into_iter().map(|(file, _)| file));
    files.sort_unstable();
    files
}

/// Whether `text` is `longer`, or begins it and ends where one of its lines does.
fn is_prefix(text: &Source, longer: &Source) -> bool {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let mut start = 0;
    while start < text.len() {
        let range = start..(start + STRETCH).min(text.len());
        let last = range.end == text.len();
        let (Ok(short), Ok(long)) = (text.read(range.clone(), &mut a), longer.read(range, &mut b))
        else {
            return false;
        };
        let same = if last {
            let at_line_end = short.bytes.ends_with(b"\n")
                || long.bytes.get(short.bytes.len()).is_none_or(|next| *next == b'\n');
            long.bytes.starts_with(short.bytes) && at_line_end
        } else {
            short.bytes == long.bytes
        };
        if !same {
            return false;
        }
        start += STRETCH;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::Named;
    use crate::storage::Storage;

    fn file(kind: Option<FileKind>, session: &str, agent: &str) -> Transcript {
        let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (session_id, agent_id) = (said(session), said(agent));
        let named = Named { kind, session_id, agent_id, workflow_id: None };
        Transcript { named, ..Transcript::at("a.jsonl".into(), 0, Storage::Disk) }
    }

    #[test]
    fn a_file_is_alone_where_no_other_can_be_of_its_group() {
        let (parent, agent) = (Some(FileKind::Parent), Some(FileKind::Subagent));
        let alone = |files: &[Transcript]| super::alone(files, Copies::Collapse);
        let mut files = vec![file(parent, "s", ""), file(agent, "s", "a"), file(agent, "s", "b")];
        assert_eq!(alone(&files), [true, true, true]);
        files.push(file(agent, "s", "b"));
        assert_eq!(alone(&files), [true, true, false, false]);
        files.push(file(parent, "s", ""));
        assert_eq!(alone(&files), [false, true, false, false, false]);
        assert_eq!(super::alone(&files, Copies::Keep), [true; 5]);
        // Whose records may name any session.
        files.push(file(agent, "", "c"));
        assert_eq!(alone(&files), [false; 6]);
        assert_eq!(alone(&[file(parent, "s", ""), file(None, "", "")]), [false, false]);
    }

    #[test]
    fn an_agent_that_no_path_names_may_be_any() {
        let kind = Some(FileKind::Subagent);
        let files = [file(kind, "s", "a"), file(kind, "s", ""), file(kind, "t", "")];
        assert_eq!(super::alone(&files, Copies::Collapse), [false, false, true]);
    }
}
