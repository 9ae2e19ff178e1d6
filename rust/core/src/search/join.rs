//! Identical records once, in the order of files and lines; the others are where it
//! stands as well (ruling 88).

use hashbrown::HashMap;

use super::hit::{RecordHit, SegmentHit};
use super::outputs::Output;
use crate::discover::Transcript;

/// A record, or an output, that holds what was looked for.
#[derive(Debug)]
pub(super) struct Hit {
    pub(super) path: String,
    pub(super) line: u64,
    pub(super) place: u32,
    pub(super) session: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) timestamp: Option<i64>,
    pub(super) role: Option<String>,
    /// Other files that hold it, in order.
    pub(super) also_in: Vec<String>,
    pub(super) segments: Vec<SegmentHit>,
}

/// Puts records and outputs together, outputs last.
pub(super) fn hits(
    mut records: Vec<RecordHit>,
    outputs: Vec<Output>,
    transcripts: &[Transcript],
) -> Vec<Hit> {
    records.sort_by_key(|record| (record.file, record.line, record.place));
    let mut once = Once::default();
    for record in records {
        let path = &transcripts[record.file as usize].shown;
        let identity = (record.session.clone(), record.identity);
        once.add(identity, path, |path| of_record(record, path));
    }
    for mut output in outputs {
        let Some(segment) = output.hit.take() else { continue };
        let identity = (Some(output.session.clone()), output.identity);
        let path = output.shown.clone();
        once.add(identity, &path, |path| of_output(output, segment, path));
    }
    once.hits
}

type Identity = (Option<String>, u128);

#[derive(Default)]
struct Once {
    hits: Vec<Hit>,
    places: HashMap<Identity, usize>,
}

impl Once {
    fn add(&mut self, identity: Identity, path: &str, hit: impl FnOnce(String) -> Hit) {
        if let Some(place) = self.places.get(&identity) {
            let first = &mut self.hits[*place];
            if first.path != path && !first.also_in.iter().any(|other| other == path) {
                first.also_in.push(path.to_owned());
            }
            return;
        }
        self.places.insert(identity, self.hits.len());
        self.hits.push(hit(path.to_owned()));
    }
}

fn of_record(record: RecordHit, path: String) -> Hit {
    Hit {
        path,
        line: record.line,
        place: record.place,
        session: record.session,
        cwd: record.cwd,
        timestamp: record.timestamp,
        role: record.role,
        also_in: Vec::new(),
        segments: record.segments,
    }
}

fn of_output(output: Output, segment: SegmentHit, path: String) -> Hit {
    Hit {
        path,
        line: output.line,
        place: 0,
        session: Some(output.session),
        cwd: None,
        timestamp: None,
        role: None,
        also_in: Vec::new(),
        segments: vec![segment],
    }
}
