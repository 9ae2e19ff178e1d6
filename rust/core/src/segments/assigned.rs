//! The cuts between segments, and which segment each file beside the
//! transcripts belongs to: that of the row which it is told at.

use std::collections::VecDeque;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use super::Segment;
use super::keys::{Kind, of_text};
use super::linked::Linked;
use crate::discover::{Beside, MetaNote, Transcript};
use crate::join::places::by_source;

/// Cuts the files into segments of at most about `bytes`.
pub(super) fn segments(
    transcripts: &[Transcript],
    beside: &Beside,
    mut linked: Linked,
    bytes: u64,
) -> VecDeque<Segment> {
    let places = Places::of(transcripts, &linked);
    let places_of = |source: &str, session: Option<&str>, stem: Option<u32>| {
        places.of_note(&linked, source, session, stem)
    };
    let stems = by_stem(transcripts, &beside.metas);
    let metas: Vec<Place> = beside
        .metas
        .iter()
        .map(|note| {
            let stem = stems.get(note.stem()).copied();
            places_of(&note.source, note.session_id.as_deref(), stem)
        })
        .collect();
    let workflows: Vec<Place> = beside
        .workflows
        .iter()
        .map(|note| places_of(&note.source, note.session_id.as_deref(), None))
        .collect();
    for place in metas.iter().chain(&workflows) {
        if let Some(other) = place.with {
            linked.keys.link(place.file, other);
        }
    }
    let cuts = cuts(transcripts, &linked.keys.into_reach(), bytes);
    let mut segments: Vec<Segment> =
        cuts.into_iter().map(|files| Segment { files, beside: beside.of_none() }).collect();
    let number = |place: &Place, segments: &[Segment]| {
        segments.partition_point(|segment| segment.files.end <= place.file as usize)
    };
    for (note, place) in beside.metas.iter().zip(&metas) {
        let number = number(place, &segments);
        segments[number].beside.metas.push(note.clone());
    }
    for (note, place) in beside.workflows.iter().zip(&workflows) {
        let number = number(place, &segments);
        segments[number].beside.workflows.push(note.clone());
    }
    if let Some(first) = segments.first_mut() {
        // They are counted once, wherever they stand.
        first.beside.counts = beside.counts;
    }
    segments.into()
}

/// The file at which a note may be told, and another that has to be with it.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    file: u32,
    with: Option<u32>,
}

/// What tells where a note belongs.
struct Places<'t> {
    /// Sessions that some file is of.
    sessions: HashSet<u64>,
    sources: HashMap<&'t str, u32>,
}

impl<'t> Places<'t> {
    fn of(transcripts: &'t [Transcript], linked: &Linked) -> Self {
        let sessions = linked.sessions.iter().flatten().copied().collect();
        Self { sessions, sources: by_source(transcripts) }
    }

    fn of_note(
        &self,
        linked: &Linked,
        source: &str,
        session: Option<&str>,
        stem: Option<u32>,
    ) -> Place {
        let of_source = self.sources.get(source).copied();
        let key = session.filter(|text| !text.is_empty()).map(|text| of_text(Kind::Session, text));
        let of_session = key.and_then(|key| Some((key, linked.keys.first(key)?)));
        match (stem, of_session) {
            (Some(file), _) => Place { file, with: None },
            (None, Some((key, file))) => {
                // Without a file of its session it may be told at the source's first.
                let with = of_source.filter(|_| !self.sessions.contains(&key));
                Place { file, with }
            }
            (None, None) => Place { file: of_source.unwrap_or(0), with: None },
        }
    }
}

/// Transcripts of agents by their paths without ending; of several the first.
fn by_stem<'t>(transcripts: &'t [Transcript], metas: &[MetaNote]) -> HashMap<&'t [u8], u32> {
    let mut stems = HashMap::new();
    if metas.is_empty() {
        return stems;
    }
    for (transcript, number) in transcripts.iter().zip(0..) {
        if transcript.named.agent_id.is_some() {
            stems.entry(transcript.stem()).or_insert(number);
        }
    }
    stems
}

/// Ranges of files that nothing spans, each of at most `bytes` where it can be.
fn cuts(transcripts: &[Transcript], reach: &[u32], bytes: u64) -> Vec<Range<usize>> {
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let (mut start, mut end, mut size, mut more) = (0, 0, 0_u64, 0_u64);
    let mut last = 0;
    for (file, transcript) in transcripts.iter().enumerate() {
        last = last.max(reach[file] as usize);
        more = more.saturating_add(transcript.size.unwrap_or(0));
        if last > file {
            continue;
        }
        // Files up to here are held together; those before `end` are in the segment.
        if end > start && size.saturating_add(more) > bytes {
            cuts.push(start..end);
            (start, size) = (end, 0);
        }
        (end, size, more) = (file + 1, size.saturating_add(more), 0);
    }
    if end > start {
        cuts.push(start..end);
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Storage;

    fn transcript(size: u64) -> Transcript {
        Transcript::at("a.jsonl".into(), size, Storage::Disk)
    }

    #[test]
    fn a_cut_spans_no_key_and_segments_are_as_large_as_they_may_be() {
        let files: Vec<Transcript> = [4, 1, 1, 9, 1, 2].map(transcript).into();
        let alone = [0, 1, 2, 3, 4, 5];
        assert_eq!(cuts(&files, &alone, 6), [0..3, 3..4, 4..6]);
        assert_eq!(cuts(&files, &alone, 1), [0..1, 1..2, 2..3, 3..4, 4..5, 5..6]);
        assert_eq!(cuts(&files, &[0, 4, 2, 3, 4, 5], 6), [0..1, 1..5, 5..6]);
        assert_eq!(cuts(&files, &[5, 1, 2, 3, 4, 5], 1).first(), Some(&(0..6)));
        assert!(cuts(&[], &[], 6).is_empty());
    }
}
