//! Time as transcripts write it: RFC 3339 text, or seconds or milliseconds
//! since 1970. Everything is whole microseconds in UTC and decimal arithmetic,
//! so that no fraction depends on how a double rounds; what does not fit the
//! grammar is `None`, never "now" and never the epoch.

use std::cell::Cell;

const MICROS: i64 = 1_000_000;
const DAY: i64 = 86_400;

/// 0001-01-01T00:00:00Z, and the first instant behind 9999-12-31, in seconds.
const FIRST_SECOND: i64 = -62_135_596_800;
const END_SECOND: i64 = 253_402_300_800;

/// Epoch numbers above this are milliseconds.
const MILLIS_ABOVE: u64 = 10_000_000_000;

/// A timestamp in a JSON string: RFC 3339, else a number as in [`parse_epoch`].
pub fn parse_timestamp_string(text: &[u8]) -> Option<i64> {
    parse_rfc3339(text).or_else(|| parse_epoch(text))
}

/// A clock that knows the minute that it read last: most timestamps are of the same as
/// the one before.
#[derive(Debug, Default)]
pub struct Clock(Cell<Option<([u8; 16], i64)>>);

impl Clock {
    /// The same as [`parse_timestamp_string`].
    #[inline]
    pub fn read(&self, text: &[u8]) -> Option<i64> {
        let Some((minute, [b':', s1, s2, b'.', m1, m2, m3, b'Z'])) = text.split_first_chunk::<16>()
        else {
            return parse_timestamp_string(text);
        };
        let [s1, s2, m1, m2, m3] = [s1, s2, m1, m2, m3].map(|byte| byte.wrapping_sub(b'0'));
        if s1 > 5 || s2.max(m1).max(m2).max(m3) > 9 {
            return parse_timestamp_string(text);
        }
        let millis = i64::from(m1) * 100 + i64::from(m2) * 10 + i64::from(m3);
        let within = (i64::from(s1) * 10 + i64::from(s2)) * MICROS + millis * 1000;
        if let Some((known, start)) = self.0.get()
            && known == *minute
        {
            return Some(start + within);
        }
        let micros = parse_timestamp_string(text)?;
        self.0.set(Some((*minute, micros - within)));
        Some(micros)
    }
}

/// `YYYY-MM-DD`, one of `T`, `t` and space, `HH:MM:SS`, a fraction of any
/// length (cut to microseconds), and `Z`, `z` or `±HH:MM`.
///
/// The date must exist, in UTC too it must lie in the years 1 to 9999, and
/// second 60 is the next minute's first.
pub fn parse_rfc3339(text: &[u8]) -> Option<i64> {
    let (head, tail) = text.split_first_chunk::<19>()?;
    let local = seconds_of(head)?;
    let (micros, offset) = match tail {
        // What nearly every record holds.
        [b'.', a, b, c, b'Z'] => (number(&[*a, *b, *c])? * 1000, 0),
        [b'.', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (fraction, zone) = rest.split_at(digits);
            if fraction.is_empty() {
                return None;
            }
            (decimals(fraction, 6), offset_of(zone)?)
        }
        zone => (0, offset_of(zone)?),
    };
    let seconds = local - offset;
    (FIRST_SECOND..END_SECOND).contains(&seconds).then_some(seconds * MICROS + micros)
}

/// Seconds, or milliseconds above 10^10, as `[0-9]+(\.[0-9]+)?`: no sign and no
/// exponent. Cut to microseconds.
pub fn parse_epoch(number_text: &[u8]) -> Option<i64> {
    let (whole, fraction) = match number_text.iter().position(|byte| *byte == b'.') {
        Some(dot) => (&number_text[..dot], &number_text[dot + 1..]),
        None => (number_text, &b"0"[..]),
    };
    let is_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let zeros = whole.iter().take_while(|byte| **byte == b'0').count();
    let significant = &whole[zeros..];
    // The last millisecond of the year 9999 has 15 digits.
    if significant.len() > 15 {
        return None;
    }
    let value = decimals(significant, significant.len()).unsigned_abs();
    let beyond = value == MILLIS_ABOVE && fraction.iter().any(|byte| *byte != b'0');
    let micros = if value > MILLIS_ABOVE || beyond {
        value as i64 * 1000 + decimals(fraction, 3)
    } else {
        value as i64 * MICROS + decimals(fraction, 6)
    };
    (micros < END_SECOND * MICROS).then_some(micros)
}

/// `YYYY-MM-DDTHH:MM:SS` as seconds since 1970, its offset not yet applied.
fn seconds_of(text: &[u8; 19]) -> Option<i64> {
    let separators = [text[4], text[7], text[13], text[16]];
    if separators != *b"--::" || !matches!(text[10], b'T' | b't' | b' ') {
        return None;
    }
    // One look at all digits: a branch for each is a guess that goes wrong.
    let digits = text.map(|byte| byte.wrapping_sub(b'0'));
    let places = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18];
    if places.iter().fold(0, |most, place| digits[*place].max(most)) > 9 {
        return None;
    }
    let two = |place: usize| i64::from(digits[place] * 10 + digits[place + 1]);
    let (year, month, day) = (two(0) * 100 + two(2), two(5), two(8));
    let (hour, minute, second) = (two(11), two(14), two(17));
    if day < 1 || day > days_in(year, month)? || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(days_since_1970(year, month, day) * DAY + hour * 3600 + minute * 60 + second)
}

/// The seconds by which `Z`, `z` or `±HH:MM` is ahead of UTC.
fn offset_of(zone: &[u8]) -> Option<i64> {
    match zone {
        b"Z" | b"z" => Some(0),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let seconds = hours * 3600 + minutes * 60;
            Some(if *sign == b'-' { -seconds } else { seconds })
        }
        _ => None,
    }
}

/// The value of a few decimal digits; `None` for any other byte.
fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit <= 9).then(|| value * 10 + i64::from(digit))
    })
}

/// The first `places` of a run of digits, filled up with zeros.
fn decimals(digits: &[u8], places: usize) -> i64 {
    let zeros = std::iter::repeat(&b'0');
    digits
        .iter()
        .chain(zeros)
        .take(places)
        .fold(0, |value, byte| value * 10 + i64::from(byte - b'0'))
}

fn days_in(year: i64, month: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if is_leap { 29 } else { 28 }),
        _ => None,
    }
}

/// Days of the proleptic Gregorian calendar, counted in years that begin in
/// March, so that the leap day is a year's last and needs no case of its own.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    year * 365 + leap_days + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rfc(text: &str) -> Option<i64> {
        parse_rfc3339(text.as_bytes())
    }

    fn epoch(text: &str) -> Option<i64> {
        parse_epoch(text.as_bytes())
    }

    #[test]
    fn common_forms_are_one_instant() {
        let micros = 1_766_759_415_123_000;
        for text in [
            "2025-12-26T14:30:15.123Z",
            "2025-12-26t14:30:15.123z",
            "2025-12-26 14:30:15.123000Z",
            "2025-12-26T14:30:15.123000999999999999999999Z",
            "2025-12-26T15:30:15.123+01:00",
            "2025-12-26T09:00:15.123-05:30",
            "2025-12-26T14:30:15.123-00:00",
        ] {
            assert_eq!(rfc(text), Some(micros), "{text}");
        }
    }

    #[test]
    fn a_clock_reads_what_is_written_whatever_it_read_before() {
        let clock = Clock::default();
        for text in [
            "2025-12-26T14:30:15.123Z",
            "2025-12-26T14:30:59.999Z",
            "2025-12-26T14:30:60.000Z",
            "2025-12-26T14:30:6a.000Z",
            "2025-12-26T14:30:15.12Z",
            "2025-12-26T14:30:15.123z",
            "2025-12-26t14:31:15.123Z",
            "2025-13-26T14:31:15.123Z",
            "2025-13-26T14:31:15.124Z",
            "9999-12-31T23:59:60.000Z",
            "9999-12-31T23:59:59.999Z",
            "9999-12-31T23:59:60.000Z",
            "1766759415123",
        ] {
            assert_eq!(clock.read(text.as_bytes()), parse_timestamp_string(text.as_bytes()));
        }
    }

    #[test]
    fn fractions_are_cut_not_rounded() {
        assert_eq!(rfc("1970-01-01T00:00:00.9999999Z"), Some(999_999));
        assert_eq!(rfc("1969-12-31T23:59:59.9999999Z"), Some(-1));
        assert_eq!(rfc("1970-01-01T00:00:00.1Z"), Some(100_000));
        assert_eq!(rfc("1970-01-01T00:00:00.0000004Z"), Some(0));
    }

    #[test]
    fn leap_seconds_run_into_the_next_minute() {
        assert_eq!(rfc("2016-12-31T23:59:60Z"), rfc("2017-01-01T00:00:00Z"));
        assert_eq!(rfc("2020-06-01T10:20:60.5Z"), rfc("2020-06-01T10:21:00.5Z"));
        assert_eq!(rfc("2020-06-01T10:20:61Z"), None);
    }

    #[test]
    fn dates_must_exist() {
        for text in [
            "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2023-04-31T00:00:00Z",
            "2023-00-01T00:00:00Z",
            "2023-13-01T00:00:00Z",
            "2023-01-00T00:00:00Z",
            "2023-01-32T00:00:00Z",
            "2023-01-01T24:00:00Z",
            "2023-01-01T00:60:00Z",
        ] {
            assert_eq!(rfc(text), None, "{text}");
        }
        assert!(rfc("2000-02-29T00:00:00Z").is_some());
        assert!(rfc("2024-02-29T00:00:00Z").is_some());
    }

    #[test]
    fn years_run_from_1_to_9999_in_utc() {
        assert_eq!(rfc("0001-01-01T00:00:00Z"), Some(-62_135_596_800 * 1_000_000));
        assert_eq!(rfc("9999-12-31T23:59:59.999999Z"), Some(253_402_300_799_999_999));
        assert_eq!(rfc("0001-01-01T00:00:00+00:01"), None);
        assert_eq!(rfc("9999-12-31T23:59:59-00:01"), None);
        assert_eq!(rfc("9999-12-31T23:59:60Z"), None);
        assert_eq!(rfc("9999-12-31T23:59:60+00:01").map(|t| t % 60), Some(0));
        assert_eq!(rfc("0000-06-01T00:00:00Z"), None);
    }

    #[test]
    fn nothing_beside_the_grammar_is_time() {
        for text in [
            "",
            "Z",
            "2025-12-26",
            "2025-12-26T14:30:15",
            "2025-12-26T14:30Z",
            "2025-12-26T14:30:15.Z",
            "2025-12-26T14:30:15,5Z",
            "2025-12-26T14:30:15+0100",
            "2025-12-26T14:30:15+01",
            "2025-12-26T14:30:15+24:00",
            "2025-12-26T14:30:15+01:60",
            "2025-12-26T14:30:15Z ",
            " 2025-12-26T14:30:15Z",
            "2025-12-26_14:30:15Z",
            "20251226T143015Z",
            "+025-12-26T14:30:15Z",
            "2025-1a-26T14:30:15Z",
            "2025-12-26T14:30:15.12aZ",
            "2025-12-26T14:30:15.ab1Z",
            "２025-12-26T14:30:15Z",
        ] {
            assert_eq!(rfc(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_seconds_or_milliseconds() {
        assert_eq!(epoch("0"), Some(0));
        assert_eq!(epoch("1766759415"), Some(1_766_759_415_000_000));
        assert_eq!(epoch("1766759415123"), Some(1_766_759_415_123_000));
        assert_eq!(epoch("1766759415.1234567"), Some(1_766_759_415_123_456));
        assert_eq!(epoch("1766759415123.4567"), Some(1_766_759_415_123_456));
        assert_eq!(epoch("000001.5"), Some(1_500_000));
        assert_eq!(
            epoch("10000000000"),
            Some(10_000_000_000 * 1_000_000),
            "10^10 itself is seconds"
        );
        assert_eq!(
            epoch("10000000000.000"),
            Some(10_000_000_000 * 1_000_000),
            "and so is 10^10 with a fraction of zeros"
        );
        assert_eq!(epoch("10000000000.0000001"), Some(10_000_000_000 * 1000));
        assert_eq!(epoch("10000000001"), Some(10_000_000_001 * 1000));
    }

    #[test]
    fn numbers_beyond_9999_are_no_time() {
        assert_eq!(epoch("253402300799999.999999"), Some(253_402_300_799_999_999));
        assert_eq!(epoch("253402300800000"), None);
        assert_eq!(epoch("9999999999999999"), None);
        assert_eq!(epoch(&"9".repeat(5000)), None);
        assert_eq!(
            epoch(&format!("{}7", "0".repeat(5000))),
            Some(7_000_000),
            "leading zeros are digits like others"
        );
    }

    #[test]
    fn other_number_forms_are_no_time() {
        for text in
            ["", ".", "1.", ".5", "-1", "+1", "1e9", "1E9", "1.5e3", "1.2.3", " 1", "1 ", "NaN"]
        {
            assert_eq!(epoch(text), None, "{text}");
        }
    }

    #[test]
    fn strings_hold_either() {
        assert_eq!(parse_timestamp_string(b"1766759415"), Some(1_766_759_415_000_000));
        assert_eq!(parse_timestamp_string(b"1970-01-01T00:00:01Z"), Some(MICROS));
        assert_eq!(parse_timestamp_string(b"yesterday"), None);
        assert_eq!(parse_timestamp_string(b""), None);
    }

    /// Counts days one by one, as slowly as can be.
    #[test]
    fn days_follow_each_other() {
        let mut expected = FIRST_SECOND / DAY;
        for year in 1..=9999 {
            for month in 1..=12 {
                assert_eq!(days_since_1970(year, month, 1), expected);
                expected += days_in(year, month).unwrap_or_default();
            }
        }
        assert_eq!(expected, END_SECOND / DAY);
    }

    proptest! {
        #[test]
        fn any_bytes_are_met(text in proptest::collection::vec(any::<u8>(), 0..40)) {
            let micros = parse_timestamp_string(&text);
            prop_assert!(micros.is_none_or(|micros| micros < END_SECOND * MICROS));
        }

        #[test]
        fn offsets_move_the_instant(hour in 0_i64..24, minute in 0_i64..60, east: bool) {
            let sign = if east { '+' } else { '-' };
            let moved = rfc(&format!("2024-02-29T12:00:00{sign}{hour:02}:{minute:02}"));
            let seconds = (hour * 60 + minute) * if east { -60 } else { 60 };
            let noon = rfc("2024-02-29T12:00:00Z");
            prop_assert_eq!(moved, noon.map(|noon| noon + seconds * MICROS));
        }

        #[test]
        fn written_milliseconds_come_back(
            day in 0_i64..3_000_000, millis in 0_i64..86_400_000,
        ) {
            let (mut year, mut month, mut left) = (1, 1, day);
            while left >= days_in(year, month).unwrap_or(1) {
                left -= days_in(year, month).unwrap_or(1);
                (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            }
            let (second, fraction) = (millis / 1000, millis % 1000);
            let text = format!(
                "{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}.{fraction:03}Z",
                left + 1, second / 3600, second / 60 % 60, second % 60,
            );
            let expected = (FIRST_SECOND + day * DAY) * MICROS + millis * 1000;
            prop_assert_eq!(rfc(&text), Some(expected));
        }
    }
}
