//! Where rows stand that sum up many records, or that no record holds (ruling 41).

use hashbrown::HashMap;

use crate::discover::Transcript;
use crate::join::originals::Owner;
use crate::join::{Corpus, Position, Standing};

impl Corpus {
    /// Where a record stands.
    pub fn position(&self, file: u32, unit: u32, sketch: u32) -> Position {
        let sketch = self.sketch(unit, sketch);
        (file, sketch.line, sketch.place)
    }

    /// The records of a file that count, each with its unit.
    pub fn standing_records(&self, file: u32) -> impl Iterator<Item = (u32, u32)> {
        self.parts(file).flat_map(move |(unit, part)| {
            let sketches = part.sketches.start as u32..part.sketches.end as u32;
            sketches
                .filter(move |sketch| self.standing(unit, *sketch) == Standing::Counts)
                .map(move |sketch| (unit, sketch))
        })
    }

    /// Where the first record of a file stands that counts.
    pub fn first_record(&self, file: u32) -> Option<Position> {
        let (unit, sketch) = self.standing_records(file).next()?;
        Some(self.position(file, unit, sketch))
    }
}

/// The first file of each session.
#[derive(Debug)]
pub struct FirstFiles(HashMap<Owner, u32>);

impl FirstFiles {
    /// Those of a corpus.
    pub fn of(corpus: &Corpus) -> Self {
        let mut first = HashMap::with_capacity(corpus.files.len());
        for (file, number) in corpus.files.iter().zip(0..) {
            first.entry(Owner::of(file.session, number)).or_insert(number);
        }
        Self(first)
    }

    /// The first file of this session, or the file that takes its place.
    pub fn of_session(&self, owner: Option<Owner>) -> Option<u32> {
        self.0.get(&owner?).copied()
    }
}

/// The first file of each source, by its label.
pub fn by_source(transcripts: &[Transcript]) -> HashMap<&str, u32> {
    let mut first = HashMap::new();
    for (transcript, number) in transcripts.iter().zip(0..) {
        first.entry(transcript.source.as_str()).or_insert(number);
    }
    first
}
