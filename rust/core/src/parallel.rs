//! Work for several cores: files and chunks of files are folded wherever a
//! thread is free, and their facts come back in the order of the files.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::discover::{Found, Transcript};
use crate::error::Error;
use crate::facts::Facts;
use crate::fold::{Folder, Stretch, Wanted};
use crate::map::{MmapPolicy, Part, Source, open};

/// Bytes of text in one unit of work, where nothing else is asked.
pub const CHUNK_BYTES: u64 = 8 << 20;

/// Bytes that are read and folded at a time: few enough to stay in the cache
/// between the passes over them.
pub(crate) const STRETCH_BYTES: u64 = 512 << 10;

/// How far a scan is, and the way to end it early. Shared with the thread that
/// waits for it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Files folded to their end.
    pub files_done: AtomicU64,
    /// Files to fold.
    pub files_total: AtomicU64,
    /// Bytes on disk folded.
    pub bytes_done: AtomicU64,
    /// Bytes on disk to fold.
    pub bytes_total: AtomicU64,
    /// Set it to end the scan with [`Error::Cancelled`].
    pub cancelled: AtomicBool,
}

impl Progress {
    /// Counts bytes that were folded, and the file that ended with them.
    pub(crate) fn passed(&self, bytes: u64, is_end_of_file: bool) {
        self.bytes_done.fetch_add(bytes, Ordering::Relaxed);
        self.files_done.fetch_add(u64::from(is_end_of_file), Ordering::Relaxed);
    }

    /// An error where the scan was cancelled.
    pub fn check(&self) -> Result<(), Error> {
        if self.cancelled.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }
}

/// What one task folds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Whole files.
    Files(Vec<u32>),
    /// The lines of one file that start in a range of its bytes.
    Chunk(u32, Range<u64>),
}

impl Unit {
    /// The files that it reads of.
    pub fn files(&self) -> &[u32] {
        match self {
            Self::Files(files) => files,
            Self::Chunk(file, _) => std::slice::from_ref(file),
        }
    }
}

/// A file that gave no text, or not all of it.
#[derive(Debug)]
pub enum Trouble {
    /// It could not be opened or read, for this reason.
    Unreadable(u32, String),
    /// Its compressed data are damaged behind this much text.
    Damaged(u32, u64),
}

/// Facts of one unit.
#[derive(Debug)]
pub struct Folded {
    /// The facts.
    pub facts: Facts,
    /// Files with trouble.
    pub troubles: Vec<Trouble>,
    /// Hash of the text of each part, where hashes were asked for.
    pub texts: Vec<u128>,
}

/// The hash of a text while it is read: of its bytes, and of where they begin.
#[derive(Default)]
struct TextHash {
    state: Xxh3,
    first: Option<u64>,
}

impl TextHash {
    fn add(&mut self, part: Part<'_>) {
        if !part.bytes.is_empty() {
            self.first.get_or_insert(part.offset);
            self.state.update(part.bytes);
        }
    }

    fn finish(mut self) -> u128 {
        self.state.update(&self.first.unwrap_or(u64::MAX).to_le_bytes());
        self.state.digest128()
    }
}

/// Cuts transcripts into units of about `chunk` bytes, in order.
pub fn units(transcripts: &[Transcript], chunk: u64) -> Vec<Unit> {
    let mut units = Vec::new();
    let (mut small, mut bytes) = (Vec::new(), 0);
    for (transcript, file) in transcripts.iter().zip(0..) {
        if !matches!(transcript.found, Found::Regular) {
            continue;
        }
        let size = transcript.size.unwrap_or(0);
        let divisible = transcript.compression.is_none() && size > chunk;
        // Files that take long to open are work for several threads, small as they are.
        let cost = size.max(transcript.storage.cost_of_opening());
        if !small.is_empty() && (divisible || bytes + cost > chunk) {
            units.push(Unit::Files(std::mem::take(&mut small)));
            bytes = 0;
        }
        if divisible {
            let count = size.div_ceil(chunk);
            // Chunks of equal length, so that no thread ends with a stub.
            let cut = |index: u64| {
                u64::try_from(u128::from(size) * u128::from(index) / u128::from(count))
                    .unwrap_or(size)
            };
            units.extend((0..count).map(|index| Unit::Chunk(file, cut(index)..cut(index + 1))));
        } else {
            small.push(file);
            bytes += cost;
        }
    }
    if !small.is_empty() {
        units.push(Unit::Files(small));
    }
    units
}

/// Folds every unit; the outcomes come in the order of the units. Units whose
/// files are all `alone` and no rollouts are reduced to what a lean scan needs (see
/// [`Facts::thin`]).
pub fn fold(
    pool: &ThreadPool,
    units: &[Unit],
    transcripts: &[Transcript],
    policy: MmapPolicy,
    wanted: Wanted,
    alone: &[bool],
    progress: &Progress,
) -> Result<Vec<Folded>, Error> {
    let task = Task { transcripts, policy, wanted, alone, progress, hashed: false };
    let buffers = Buffers::default();
    let folded = pool.install(|| {
        let fold = |unit: &Unit| buffers.with(|buffer| task.fold(unit, buffer));
        units.par_iter().with_max_len(1).map(fold).collect()
    });
    progress.check()?;
    Ok(folded)
}

/// Buffers that text is read into, each of which goes from unit to unit: a new one is
/// filled with zeros and its pages have to be found.
#[derive(Debug, Default)]
pub(crate) struct Buffers(Mutex<Vec<Vec<u8>>>);

impl Buffers {
    /// Works with one that nobody else has.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = free().pop().unwrap_or_default();
        let done = work(&mut buffer);
        free().push(buffer);
        done
    }
}

/// How units are folded.
pub(crate) struct Task<'t> {
    pub(crate) transcripts: &'t [Transcript],
    pub(crate) policy: MmapPolicy,
    pub(crate) wanted: Wanted,
    /// The files that are read as one with no other, where facts are reduced.
    pub(crate) alone: &'t [bool],
    pub(crate) progress: &'t Progress,
    /// Whether the texts are hashed too.
    pub(crate) hashed: bool,
}

impl Task<'_> {
    /// Folds a unit.
    pub(crate) fn fold(&self, unit: &Unit, buffer: &mut Vec<u8>) -> Folded {
        let mut folder = Folder::new(self.wanted);
        let (mut troubles, mut texts) = (Vec::new(), Vec::new());
        match unit {
            Unit::Files(files) => {
                for file in files {
                    texts.extend(self.part(*file, None, &mut folder, buffer, &mut troubles));
                }
            }
            Unit::Chunk(file, range) => {
                let range = Some(range.clone());
                texts.extend(self.part(*file, range, &mut folder, buffer, &mut troubles));
            }
        }
        let mut facts = folder.finish();
        let is_alone = |file: &u32| self.alone.get(*file as usize) == Some(&true);
        let is_whole = matches!(unit, Unit::Files(files) if files.iter().all(is_alone));
        if is_whole && facts.rollouts.is_empty() {
            facts.thin();
        }
        facts.shrink();
        Folded { facts, troubles, texts }
    }

    /// Folds a file, or the lines of it that start in `range`; gives the hash of
    /// its text, where it is asked for.
    fn part(
        &self,
        file: u32,
        range: Option<Range<u64>>,
        folder: &mut Folder,
        buffer: &mut Vec<u8>,
        troubles: &mut Vec<Trouble>,
    ) -> Option<u128> {
        if self.progress.cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let mut text = self.hashed.then(TextHash::default);
        let transcript = &self.transcripts[file as usize];
        let size = transcript.size.unwrap_or(0);
        let is_last = range.as_ref().is_none_or(|range| range.end == size);
        let on_disk = range.as_ref().map_or(size, |range| range.end - range.start);
        match open(transcript, self.policy) {
            Err(reason) => troubles.push(Trouble::Unreadable(file, reason)),
            Ok(mut source) => {
                // Found shorter than it was when the scan was planned.
                let shrunk = transcript.compression.is_none() && source.len() < size;
                let range = range.unwrap_or(0..source.len());
                source.expect(&range);
                folder.begin(file);
                let cancelled = &self.progress.cancelled;
                let fold = |part: Part<'_>| {
                    if let Some(text) = &mut text {
                        text.add(part);
                    }
                    let truncated = part.truncated || shrunk;
                    let Part { bytes, offset, .. } = part;
                    folder.stretch(Stretch { bytes, offset, truncated }, cancelled);
                };
                if let Err(reason) = stretches(&source, range, buffer, self.progress, fold) {
                    troubles.push(Trouble::Unreadable(file, reason));
                }
                troubles.extend(source.damage().map(|end| Trouble::Damaged(file, end)));
            }
        }
        self.progress.passed(on_disk, is_last);
        text.map(TextHash::finish)
    }
}

/// Reads a range of a text, a stretch at a time.
pub(crate) fn stretches(
    source: &Source,
    range: Range<u64>,
    buffer: &mut Vec<u8>,
    progress: &Progress,
    mut each: impl FnMut(Part<'_>),
) -> Result<(), String> {
    let mut start = range.start;
    // Once even where the range is empty: an empty file may have shrunk.
    loop {
        let end = (start + STRETCH_BYTES).min(range.end);
        each(source.read(start..end, buffer)?);
        start = end;
        if start >= range.end || progress.cancelled.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
}

/// The hash that folding a file, or the lines of it that start in `range`, gives
/// for its text; none where it cannot be read as it was found.
pub(crate) fn text_hash(
    transcript: &Transcript,
    range: Option<Range<u64>>,
    policy: MmapPolicy,
    progress: &Progress,
    buffer: &mut Vec<u8>,
) -> Option<u128> {
    let source = open(transcript, policy).ok()?;
    let shrunk = transcript.compression.is_none() && transcript.size != Some(source.len());
    let (mut text, mut is_whole) = (TextHash::default(), !shrunk && source.damage().is_none());
    let range = range.unwrap_or(0..source.len());
    let read = stretches(&source, range, buffer, progress, |part| {
        is_whole &= !part.truncated;
        text.add(part);
    });
    read.ok().filter(|()| is_whole && progress.check().is_ok()).map(|()| text.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::Compression;
    use crate::storage::Storage;

    fn transcript(size: u64, compression: Option<Compression>) -> Transcript {
        let found = Transcript::at("a.jsonl".into(), size, Storage::Disk);
        Transcript { compression, ..found }
    }

    #[test]
    fn chunks_cover_a_file_once_and_are_of_equal_length() {
        for (size, chunk) in [(100, 7), (u64::MAX, u64::MAX / 3), (9, 1)] {
            let units = units(&[transcript(size, None)], chunk);
            let mut covered = 0;
            for unit in &units {
                let Unit::Chunk(0, range) = unit else { panic!("no chunk: {unit:?}") };
                assert_eq!(range.start, covered);
                assert!((1..=chunk).contains(&(range.end - range.start)));
                covered = range.end;
            }
            assert_eq!((covered, units.len() as u64), (size, size.div_ceil(chunk)));
        }
    }

    #[test]
    fn small_files_share_a_unit_and_packed_ones_are_not_cut() {
        let missing = Transcript { found: Found::NotAFile, ..transcript(1, None) };
        let files = [
            transcript(4, None),
            transcript(0, None),
            missing,
            transcript(7, None),
            transcript(99, Some(Compression::Gzip)),
            transcript(11, None),
            transcript(3, None),
        ];
        let wanted = [
            Unit::Files(vec![0, 1]),
            Unit::Files(vec![3]),
            Unit::Files(vec![4]),
            Unit::Chunk(5, 0..5),
            Unit::Chunk(5, 5..11),
            Unit::Files(vec![6]),
        ];
        assert_eq!(units(&files, 10), wanted);
    }
}
