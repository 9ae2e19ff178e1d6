//! What segments are made of: whole files, and chunks of large ones that stay
//! where they are when the file grows.

use std::ops::Range;

use crate::discover::{Found, Transcript};
use crate::parallel::Unit;

/// A file, or the lines of one that start in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) file: u32,
    pub(super) range: Range<u64>,
    pub(super) is_whole: bool,
}

impl Piece {
    /// Bytes on disk.
    pub(super) fn bytes(&self) -> u64 {
        self.range.end - self.range.start
    }
}

/// Cuts transcripts into pieces of at most `chunk` bytes, in order. Chunks begin
/// at multiples of it, wherever the file ends.
pub(super) fn pieces(transcripts: &[Transcript], chunk: u64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (transcript, file) in transcripts.iter().zip(0..) {
        if !matches!(transcript.found, Found::Regular) {
            continue;
        }
        let size = transcript.size.unwrap_or(0);
        if transcript.compression.is_some() || size <= chunk {
            pieces.push(Piece { file, range: 0..size, is_whole: true });
            continue;
        }
        let mut start = 0;
        while start < size {
            let end = start.saturating_add(chunk).min(size);
            pieces.push(Piece { file, range: start..end, is_whole: false });
            start = end;
        }
    }
    pieces
}

/// A part of the work: pieces that follow each other, and what is known of them.
#[derive(Debug)]
pub(super) struct Span<K> {
    pub(super) pieces: Range<usize>,
    pub(super) kept: Option<K>,
}

/// Puts what is kept and what is new in order. `kept` has for each piece what
/// begins with it, and of how many pieces that is.
///
/// New pieces share units of `chunk` bytes. Small neighbours of theirs that are
/// kept are folded with them, or else each new file would have a segment of its
/// own for ever.
pub(super) fn spans<K>(
    pieces: &[Piece],
    mut kept: Vec<Option<(usize, K)>>,
    chunk: u64,
) -> Vec<Span<K>> {
    let mut spans: Vec<Span<K>> = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let (count, kept) =
            kept[start].take().map_or((1, None), |(count, kept)| (count, Some(kept)));
        let end = (start + count).min(pieces.len());
        spans.push(Span { pieces: start..end, kept });
        start = end;
    }
    let is_new: Vec<bool> = spans.iter().map(|span| span.kept.is_none()).collect();
    for (index, span) in spans.iter_mut().enumerate() {
        let beside = index.checked_sub(1).is_some_and(|before| is_new[before])
            || is_new.get(index + 1) == Some(&true);
        let of = &pieces[span.pieces.clone()];
        let bytes: u64 = of.iter().map(Piece::bytes).sum();
        if beside && bytes < chunk / SMALL && of.iter().all(|piece| piece.is_whole) {
            span.kept = None;
        }
    }
    grouped(pieces, spans, chunk)
}

/// The part of a chunk that is a small one.
const SMALL: u64 = 8;

/// Puts new whole files together.
fn grouped<K>(pieces: &[Piece], spans: Vec<Span<K>>, chunk: u64) -> Vec<Span<K>> {
    let mut grouped: Vec<Span<K>> = Vec::new();
    let mut bytes = 0;
    for span in spans {
        let of = &pieces[span.pieces.clone()];
        if span.kept.is_some() || !of.iter().all(|piece| piece.is_whole) {
            grouped.push(span);
            bytes = u64::MAX;
            continue;
        }
        for (piece, index) in of.iter().zip(span.pieces.clone()) {
            bytes = bytes.saturating_add(piece.bytes());
            match grouped.last_mut() {
                Some(last) if bytes <= chunk => last.pieces.end = index + 1,
                _ => {
                    grouped.push(Span { pieces: index..index + 1, kept: None });
                    bytes = piece.bytes();
                }
            }
        }
    }
    grouped
}

/// Pieces as a unit of work.
pub(super) fn unit(pieces: &[Piece]) -> Unit {
    match pieces {
        [piece] if !piece.is_whole => Unit::Chunk(piece.file, piece.range.clone()),
        _ => Unit::Files(pieces.iter().map(|piece| piece.file).collect()),
    }
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
    fn chunks_stay_where_they_are_when_a_file_grows() {
        let of = |size| pieces(&[transcript(size, None)], 10);
        let small = |size| vec![Piece { file: 0, range: 0..size, is_whole: true }];
        assert_eq!((of(0), of(10)), (small(0), small(10)));
        let (before, after) = (of(27), of(41));
        assert_eq!(before[..2], after[..2]);
        assert_eq!((before[2].range.clone(), after[2].range.clone()), (20..27, 20..30));
        assert_eq!(after.last().map(|piece| piece.range.clone()), Some(40..41));
        let huge = pieces(&[transcript(u64::MAX, None)], u64::MAX / 2);
        assert_eq!(huge.len(), 3);
        let packed = pieces(&[transcript(99, Some(Compression::Zstd))], 10);
        assert!(packed[0].is_whole && packed.len() == 1);
    }

    fn cut(sizes: &[u64], kept: &[(usize, usize)]) -> Vec<(Range<usize>, bool)> {
        let files: Vec<Transcript> = sizes.iter().map(|size| transcript(*size, None)).collect();
        let pieces = pieces(&files, 16);
        let mut known: Vec<Option<(usize, ())>> = vec![None; pieces.len()];
        for (start, count) in kept {
            known[*start] = Some((*count, ()));
        }
        let spans = spans(&pieces, known, 16).into_iter();
        spans.map(|span| (span.pieces, span.kept.is_some())).collect()
    }

    #[test]
    fn new_files_share_units_and_what_is_kept_stands_between() {
        assert_eq!(cut(&[9, 7, 1], &[]), [(0..2, false), (2..3, false)]);
        assert_eq!(cut(&[9, 7, 1], &[(0, 2)]), [(0..2, true), (2..3, false)]);
        assert_eq!(cut(&[5, 9, 5, 5], &[(1, 1)]), [(0..1, false), (1..2, true), (2..4, false)]);
        assert_eq!(
            cut(&[5, 20, 5], &[]),
            [(0..1, false), (1..2, false), (2..3, false), (3..4, false)]
        );
        assert_eq!(cut(&[20], &[(0, 1)]), [(0..1, true), (1..2, false)]);
    }

    #[test]
    fn small_neighbours_of_new_files_are_folded_with_them() {
        assert_eq!(cut(&[1, 5, 1], &[(0, 1), (2, 1)]), [(0..3, false)]);
        assert_eq!(cut(&[1, 5, 2], &[(0, 1), (2, 1)]), [(0..2, false), (2..3, true)]);
        assert_eq!(cut(&[1, 1], &[(0, 1), (1, 1)]), [(0..1, true), (1..2, true)]);
    }

    #[test]
    fn what_is_inside_of_something_kept_is_not_looked_at() {
        assert_eq!(cut(&[4, 4, 4], &[(0, 2), (1, 2)]), [(0..2, true), (2..3, false)]);
    }
}
