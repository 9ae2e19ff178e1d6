//! Bytes to UTF-8, with a way back to the original offsets.

use std::borrow::Cow;

/// The text of a line, ill-formed bytes replaced by U+FFFD (Unicode 3.9: each
/// maximal ill-formed part is one).
#[derive(Debug)]
pub struct Repaired<'a> {
    text: Cow<'a, str>,
    /// Bytes of the line before the text (a byte order mark).
    skipped: usize,
    /// Where each piece begins: (in the text, in the original); empty where
    /// nothing was replaced.
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    repaired: usize,
    original: usize,
    replaces: usize,
}

impl<'a> Repaired<'a> {
    /// The text of `bytes` behind the first `skipped`.
    pub fn new(bytes: &'a [u8], skipped: usize) -> Self {
        match simdutf8::basic::from_utf8(&bytes[skipped..]) {
            Ok(text) => Self { text: Cow::Borrowed(text), skipped, pieces: Vec::new() },
            Err(_) => Self::replace(bytes, skipped),
        }
    }

    fn replace(bytes: &'a [u8], skipped: usize) -> Self {
        let mut text = String::with_capacity(bytes.len());
        let mut pieces = Vec::new();
        let mut original = skipped;
        for chunk in bytes[skipped..].utf8_chunks() {
            pieces.push(Piece { repaired: text.len(), original, replaces: 0 });
            text.push_str(chunk.valid());
            original += chunk.valid().len();
            let replaces = chunk.invalid().len();
            if replaces > 0 {
                pieces.push(Piece { repaired: text.len(), original, replaces });
                text.push(char::REPLACEMENT_CHARACTER);
                original += replaces;
            }
        }
        pieces.push(Piece { repaired: text.len(), original, replaces: 0 });
        Self { text: Cow::Owned(text), skipped, pieces }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Span of the first ill-formed part in the line, and how many there are.
    pub fn replaced(&self) -> Option<((usize, usize), u32)> {
        let mut parts = self.pieces.iter().filter(|piece| piece.replaces > 0);
        let first = parts.next()?;
        Some(((first.original, first.replaces), 1 + parts.count() as u32))
    }

    /// The offset in the line's bytes of an offset in the text.
    pub fn original(&self, at: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.repaired <= at);
        match index.checked_sub(1).map(|index| &self.pieces[index]) {
            None => at + self.skipped,
            Some(piece) if piece.replaces > 0 => piece.original,
            Some(piece) => piece.original + (at - piece.repaired),
        }
    }
}

/// Start and end of what stands between the white space and NUL bytes at both
/// ends; equal where nothing does.
pub fn margins(bytes: &[u8]) -> (usize, usize) {
    let inside = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\r' | 0);
    match (bytes.iter().position(inside), bytes.iter().rposition(inside)) {
        (Some(start), Some(last)) => (start, last + 1),
        _ => (bytes.len(), bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_maximal_part_is_replaced_once_and_offsets_lead_back() {
        let bytes = b"a\xED\xA0\x80b\xF0\x9F\x98c\xC3";
        let repaired = Repaired::new(bytes, 0);
        assert_eq!(repaired.text(), String::from_utf8_lossy(bytes));
        assert_eq!(repaired.replaced(), Some(((1, 1), 5)));
        for (at, _) in repaired.text().char_indices().filter(|(_, c)| c.is_ascii()) {
            let original = repaired.original(at);
            assert_eq!(bytes[original], repaired.text().as_bytes()[at]);
        }
        assert_eq!(repaired.original(repaired.text().len()), bytes.len());
    }

    #[test]
    fn margins_leave_nothing_of_white_space_and_nul() {
        assert_eq!(margins(b" \t\0{}\0\r"), (3, 5));
        assert_eq!(margins(b" \0 "), (3, 3));
    }
}
