//! Letters that differ in case alone, made equal, one character for one (ruling 86).
//!
//! Only alphabets whose pairs have long been settled are folded, so that the answer
//! does not depend on the version of Unicode that a program was built with.

/// The letter that stands for all that differ from `letter` in case alone.
pub(super) fn fold(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    // The dotless i is a letter of its own, whatever its capital.
    if !may_fold(letter) || letter == 'ı' {
        return letter;
    }
    let only = |mut letters: std::char::ToUppercase| letters.next().filter(|_| letters.len() == 0);
    let upper = only(letter.to_uppercase()).unwrap_or(letter);
    let lower = |letter: char| {
        let mut letters = letter.to_lowercase();
        letters.next().filter(|_| letters.len() == 0)
    };
    lower(upper).or(lower(letter)).unwrap_or(letter)
}

/// Whether a letter is of an alphabet that is folded: Latin, Greek, Cyrillic, Armenian,
/// signs that are such letters, and full-width Latin.
pub(super) fn may_fold(letter: char) -> bool {
    matches!(letter, 'A'..='Z' | 'a'..='z' | '\u{80}'..='\u{58F}' | '\u{1E00}'..='\u{1FFF}'
        | '\u{2126}' | '\u{212A}' | '\u{212B}' | '\u{FF21}'..='\u{FF5A}')
}

/// Whether another character than itself may become this one.
pub(super) fn may_be_folded_to(letter: char) -> bool {
    // Small letters of two capitals that stand in another block.
    may_fold(letter) || matches!(letter, '\u{2C65}' | '\u{2C66}')
}

/// A text, folded, in `room`: as many characters as before.
pub(super) fn fold_text<'r>(text: &str, room: &'r mut String) -> &'r str {
    room.clear();
    let mut rest = text;
    while !rest.is_empty() {
        // Most of a text is ASCII, and folded many bytes at a time.
        let plain = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        let start = room.len();
        room.push_str(&rest[..plain]);
        room[start..].make_ascii_lowercase();
        let mut letters = rest[plain..].chars();
        if let Some(letter) = letters.next() {
            room.push(fold(letter));
        }
        rest = letters.as_str();
    }
    room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_one_kind_become_one() {
        for (letters, folded) in [
            ("Kk\u{212A}", 'k'),
            ("Ssſ", 's'),
            ("ΣσςΣ", 'σ'),
            ("ÅåÅ", 'å'),
            ("µμΜ", 'μ'),
            ("ßẞ", 'ß'),
            ("Жж", 'ж'),
            ("Ａａ", 'ａ'),
            ("ᾀᾈ", 'ᾀ'),
            ("ıııı", 'ı'),
            ("İ", 'İ'),
            ("日", '日'),
            ("ﬁ", 'ﬁ'),
        ] {
            for letter in letters.chars() {
                assert_eq!(fold(letter), folded, "{letter}");
            }
        }
    }

    #[test]
    fn a_text_is_folded_letter_by_letter() {
        let mut room = "left over".to_owned();
        for (text, folded) in [("", ""), ("ABC", "abc"), ("xÉ\u{212A}Y日", "xéky日"), ("Éß", "éß")]
        {
            assert_eq!(fold_text(text, &mut room), folded);
        }
    }

    #[test]
    fn folding_twice_is_folding_once_and_only_two_letters_become_ascii() {
        let mut reached = Vec::new();
        for letter in '\0'..=char::MAX {
            let folded = fold(letter);
            assert_eq!(fold(folded), folded, "{letter:?}");
            assert!(folded == letter || may_be_folded_to(folded), "{letter:?} {folded:?}");
            if folded.is_ascii() && !letter.is_ascii() {
                reached.push(letter);
            }
        }
        assert_eq!(reached, ['ſ', '\u{212A}']);
    }
}
