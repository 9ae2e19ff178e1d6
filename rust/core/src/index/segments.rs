//! Folding with an index: what is kept of the same bytes is taken, the rest is
//! read and kept.

use arrow_buffer::Buffer;
use rayon::prelude::*;

use super::Index;
use super::pieces::{Piece, Span, pieces, spans, unit};
use super::segment::{Kept, Segment, name, to_bytes};
use super::stamp::Stamp;
use crate::discover::Transcript;
use crate::facts::Facts;
use crate::map::MmapPolicy;
use crate::parallel::{Buffers, Folded, Progress, Task, text_hash};
use crate::scan::Options;

/// What is at hand when segments are looked at.
struct Work<'w> {
    index: &'w Index,
    transcripts: &'w [Transcript],
    stamps: Vec<Option<Stamp>>,
    pieces: Vec<Piece>,
    policy: MmapPolicy,
    progress: &'w Progress,
}

impl Index {
    /// Folds every transcript, in the thread pool that it is called in.
    pub(crate) fn fold(
        &self,
        transcripts: &[Transcript],
        options: &Options,
        progress: &Progress,
    ) -> Vec<Folded> {
        let chunk = options.chunk_bytes.max(1);
        // Before anything is read: what is written later makes another stamp.
        let stamps = transcripts.par_iter().map(|file| Stamp::of(&file.path)).collect();
        let pieces = pieces(transcripts, chunk);
        let policy = options.mmap;
        let work = Work { index: self, transcripts, stamps, pieces, policy, progress };
        let kept = work.kept();
        let spans = spans(&work.pieces, kept, chunk);
        let wanted = options.wanted();
        // Which files stand alone is known of the whole corpus; a segment may hold
        // nothing but what its own bytes say.
        let alone = &[];
        let task = Task { transcripts, policy, wanted, alone, progress, hashed: true };
        let buffers = Buffers::default();
        let fold = |span| buffers.with(|buffer| work.folded(span, &task, buffer));
        spans.into_par_iter().with_max_len(1).map(fold).collect()
    }
}

impl Work<'_> {
    /// For each piece the facts that begin with it, and of how many pieces they are.
    fn kept(&self) -> Vec<Option<(usize, Facts)>> {
        let starts = (0..self.pieces.len()).into_par_iter().with_max_len(1);
        let buffers = Buffers::default();
        starts.map(|start| buffers.with(|buffer| self.kept_from(start, buffer))).collect()
    }

    fn kept_from(&self, start: usize, buffer: &mut Vec<u8>) -> Option<(usize, Facts)> {
        self.progress.check().ok()?;
        let first = &self.pieces[start];
        let name = name(self.index.of_facts, first, &self.transcripts[first.file as usize]);
        let bytes = self.index.store.read(&name)?;
        let usable = self.usable(start, &name, &bytes, buffer);
        if usable.is_none() && self.progress.check().is_ok() {
            // What takes its place may begin with another file.
            self.index.store.remove(&name);
        }
        usable
    }

    fn usable(
        &self,
        start: usize,
        name: &str,
        bytes: &Buffer,
        buffer: &mut Vec<u8>,
    ) -> Option<(usize, Facts)> {
        let segment = Segment::of_bytes(bytes).ok()?;
        let count = segment.kept.len();
        let pieces = self.pieces.get(start..start + count).filter(|_| count > 0)?;
        let mut same = segment.kept.iter().zip(pieces);
        if !same.all(|(kept, piece)| kept.is_of(piece, &self.transcripts[piece.file as usize])) {
            return None;
        }
        let mut now = Vec::with_capacity(count);
        for (kept, piece) in segment.kept.iter().zip(pieces) {
            now.push(self.verified(kept, piece, buffer)?);
        }
        let files: Vec<u32> = pieces.iter().map(|piece| piece.file).collect();
        let facts = segment.facts(&files).ok()?;
        // Stamps that say no more than the old ones are not worth a write.
        let tick = self.index.settle;
        let says_more = |(old, new): (&Kept, &Kept)| {
            old.stamp != new.stamp
                || (new.stamp.is_settled(new.seen, tick) && !old.stamp.is_settled(old.seen, tick))
        };
        if segment.kept.iter().zip(&now).any(says_more)
            && let Ok(bytes) = segment.with(&now)
        {
            self.index.store.write(name, &bytes);
        }
        Some((count, facts))
    }

    /// A piece that still has its bytes, with its stamp of today.
    fn verified(&self, kept: &Kept, piece: &Piece, buffer: &mut Vec<u8>) -> Option<Kept> {
        let transcript = &self.transcripts[piece.file as usize];
        let stamp = self.stamps[piece.file as usize];
        if kept.is_unchanged(transcript, stamp, self.index.settle) {
            return Some(kept.clone());
        }
        // Of a whole file the length says enough.
        if piece.is_whole && transcript.size != Some(kept.size) {
            return None;
        }
        let range = (!piece.is_whole).then(|| piece.range.clone());
        let text = text_hash(transcript, range, self.policy, self.progress, buffer)?;
        let now = Kept::of(piece, transcript, text, stamp?, self.index.began);
        kept.has_text(text).then_some(now)
    }

    fn folded(&self, span: Span<Facts>, task: &Task<'_>, buffer: &mut Vec<u8>) -> Folded {
        let pieces = &self.pieces[span.pieces];
        if let Some(facts) = span.kept {
            for piece in pieces {
                let size = self.transcripts[piece.file as usize].size.unwrap_or(0);
                self.progress.passed(piece.bytes(), piece.is_whole || piece.range.end == size);
            }
            return Folded { facts, troubles: Vec::new(), texts: Vec::new() };
        }
        let folded = task.fold(&unit(pieces), buffer);
        self.keep(pieces, &folded);
        folded
    }

    /// Keeps facts of texts that were read as they are.
    fn keep(&self, pieces: &[Piece], folded: &Folded) {
        let is_whole = folded.troubles.is_empty()
            && folded.texts.len() == pieces.len()
            && !folded.facts.parts.iter().any(|part| part.truncated);
        if !is_whole || self.progress.check().is_err() {
            return;
        }
        let kept = pieces.iter().zip(&folded.texts).map(|(piece, text)| {
            let transcript = &self.transcripts[piece.file as usize];
            let stamp = self.stamps[piece.file as usize]?;
            Some(Kept::of(piece, transcript, *text, stamp, self.index.began))
        });
        let Some(kept) = kept.collect::<Option<Vec<_>>>() else { return };
        let first = &pieces[0];
        let name = name(self.index.of_facts, first, &self.transcripts[first.file as usize]);
        // Facts that outgrow a column are not kept.
        if let Ok(bytes) = to_bytes(&kept, &folded.facts) {
            self.index.store.write(&name, &bytes);
        }
    }
}
