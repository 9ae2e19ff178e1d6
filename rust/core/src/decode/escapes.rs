//! What may stand behind a backslash.

/// Which of these bytes behind a backslash are the `u` of a character's escape;
/// nothing where one is no escape. The first of them is that of the text.
#[inline(never)] // In the pass it would take registers that every block needs.
pub(super) fn unicode(text: &[u8], mut escapes: u64) -> Option<u64> {
    let mut unicode = escapes;
    while escapes != 0 {
        let place = escapes.trailing_zeros() as usize;
        match text.get(place..place + 5) {
            // Writers that escape only control characters have no others.
            Some([b'u', b'0', b'0', third, fourth]) if is_digit(*third) & is_digit(*fourth) => {}
            Some([b'u', digits @ ..]) if is_character(digits) => {}
            _ if IS_SHORT_ESCAPE[usize::from(*text.get(place)?)] => {
                unicode ^= escapes & escapes.wrapping_neg();
            }
            _ => return None,
        }
        escapes &= escapes - 1;
    }
    Some(unicode)
}

/// Whether these are hex digits of a character on its own.
fn is_character(digits: &[u8]) -> bool {
    let is_surrogate = matches!(digits, [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..]);
    digits.iter().copied().all(is_digit) && !is_surrogate
}

/// Whether this byte is a hex digit.
fn is_digit(byte: u8) -> bool {
    IS_DIGIT[usize::from(byte)]
}

const IS_DIGIT: [bool; 256] = table(b"0123456789abcdefABCDEF");
/// What stands for a character behind a backslash, without more bytes.
pub(super) const IS_SHORT_ESCAPE: [bool; 256] = table(b"\"\\/bfnrt");

/// Which bytes are among these: comparisons of a byte that may be one of several kinds
/// are guesses that go wrong.
const fn table(mut members: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    while let [member, rest @ ..] = members {
        table[*member as usize] = true;
        members = rest;
    }
    table
}
