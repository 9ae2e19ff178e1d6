//! Usage objects read before: the records of one response repeat theirs, and most
//! others differ from it in their numbers alone. What stands between the numbers is
//! compared, and the numbers are read.

use std::cell::RefCell;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::decode::scanner::{Scanner, Step};
use crate::decode::text::Raw;
use crate::record::{Counts, Flaws, Iteration, Usage};

/// Shapes that are remembered.
const WAYS: usize = 4;
/// One in so many objects of unknown shape is learnt, from the first on: that takes seven
/// times as long as reading one, and objects may differ in more than numbers.
const LEARNT: u32 = 8;
/// Longer objects are not remembered.
const MOST_BYTES: usize = 4096;
/// Digits of a number that fits whatever they are.
const MOST_DIGITS: usize = 18;

/// Shapes that were read before.
#[derive(Debug, Default)]
pub struct UsageShapes(RefCell<Memory>);

#[derive(Debug, Default)]
struct Memory {
    /// The frequent ones in front.
    shapes: Vec<Shape>,
    /// Objects that were of none.
    unknown: u32,
}

/// What objects differ in that have the same text around their numbers.
#[derive(Debug)]
struct Shape {
    /// What stands before each number, and behind the last.
    around: Vec<String>,
    /// What each number is.
    meanings: Vec<Meaning>,
    quotes: usize,
    iterations: Vec<Entry>,
    last: Read,
    /// Room for the object that is being compared.
    next: Read,
}

/// An object of a shape.
#[derive(Debug, Default)]
struct Read {
    text: String,
    numbers: Vec<i64>,
    /// Where what stands around the numbers begins.
    starts: Vec<usize>,
}

/// Which count a number is: of the object itself, of an iteration, or none.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Own(usize),
    OfIteration(usize, usize),
    Nothing,
}

/// An iteration without its counts.
#[derive(Debug)]
struct Entry {
    index: u32,
    kind: Option<Place>,
    model: Option<Place>,
}

/// Which of the texts around numbers holds a string, and where.
#[derive(Debug)]
struct Place {
    around: usize,
    range: Range<usize>,
}

impl UsageShapes {
    /// The usage with which `text` begins, where it is of a shape that is known; with its
    /// bytes and quotes.
    #[inline]
    pub fn find<'a>(&self, text: &'a str) -> Option<(Usage<'a>, usize, usize)> {
        let Memory { shapes, .. } = &mut *self.0.borrow_mut();
        let found = shapes.iter_mut().position(|shape| shape.fits(text))?;
        let shape = &shapes[found];
        let told = (shape.usage(text), shape.last.text.len(), shape.quotes);
        if found > 0 {
            shapes.swap(found, found - 1);
        }
        Some(told)
    }

    /// Takes note of a usage with this text, whose shape is unknown, and may remember it.
    /// `read` reads one.
    pub fn learn(&self, text: &str, read: impl for<'t> Fn(&mut Scanner<'t>) -> Step<Usage<'t>>) {
        let Memory { shapes, unknown } = &mut *self.0.borrow_mut();
        let is_due = unknown.is_multiple_of(LEARNT);
        *unknown = unknown.wrapping_add(1);
        if is_due && let Some(shape) = Shape::of(text, read) {
            shapes.truncate(WAYS - 1);
            shapes.push(shape);
        }
    }
}

impl Shape {
    /// The shape of an object that has no flaws. What its numbers mean is seen from what
    /// an object with others in their places is read as.
    fn of(text: &str, read: impl for<'t> Fn(&mut Scanner<'t>) -> Step<Usage<'t>>) -> Option<Self> {
        if text.len() > MOST_BYTES || memchr(b'\\', text.as_bytes()).is_some() {
            return None;
        }
        let (mut probe, mut starts, mut around) = (String::new(), Vec::new(), Vec::new());
        let mut behind = 0;
        for (number, range) in (1..).zip(numbers(text)) {
            starts.push(probe.len());
            around.push(text[behind..range.start].to_owned());
            probe += &text[behind..range.start];
            // From 1: a zero may have a sign and be a count.
            probe += &i32::to_string(&number);
            behind = range.end;
        }
        starts.push(probe.len());
        around.push(text[behind..].to_owned());
        probe += &text[behind..];

        let usage = read(&mut Scanner::new(&probe, 0, probe.len())).ok()?;
        if usage.flaws != Flaws::default() {
            return None;
        }
        let mut meanings = vec![Meaning::Nothing; around.len() - 1];
        let mut mean = |counts: &Counts, meaning: &dyn Fn(usize) -> Meaning| {
            for (count, number) in counts.slots().into_iter().enumerate() {
                if let Some(number) = number {
                    meanings[number as usize - 1] = meaning(count);
                }
            }
        };
        mean(&usage.counts, &Meaning::Own);
        for (iteration, entry) in usage.iterations.iter().enumerate() {
            mean(&entry.counts, &|count| Meaning::OfIteration(iteration, count));
        }
        let place = |raw: Option<Raw<'_>>| {
            let written = raw?.written();
            let start = written.as_ptr() as usize - probe.as_ptr() as usize;
            let around = starts.partition_point(|begin| *begin <= start) - 1;
            let start = start - starts[around];
            Some(Place { around, range: start..start + written.len() })
        };
        let iterations = usage.iterations.iter().map(|entry| Entry {
            index: entry.index,
            kind: place(entry.kind),
            model: place(entry.model),
        });
        let mut shape = Self {
            iterations: iterations.collect(),
            quotes: memchr_iter(b'"', text.as_bytes()).count(),
            around,
            meanings,
            last: Read::default(),
            next: Read::default(),
        };
        shape.read(text).then_some(shape)
    }

    /// Whether `text` begins with an object of this shape, which is then the last one.
    #[inline]
    fn fits(&mut self, text: &str) -> bool {
        text.as_bytes().starts_with(self.last.text.as_bytes()) || self.read(text)
    }

    fn read(&mut self, text: &str) -> bool {
        let next = &mut self.next;
        next.numbers.clear();
        next.starts.clear();
        let bytes = text.as_bytes();
        let mut at = 0;
        for around in &self.around {
            if !bytes[at..].starts_with(around.as_bytes()) {
                return false;
            }
            next.starts.push(at);
            at += around.len();
            if next.numbers.len() == self.meanings.len() {
                break;
            }
            let Some((number, digits)) = number(&bytes[at..]) else { return false };
            next.numbers.push(number);
            at += digits;
        }
        next.text.clear();
        next.text.push_str(&text[..at]);
        std::mem::swap(&mut self.last, &mut self.next);
        true
    }

    /// The last object, with which `text` begins.
    fn usage<'a>(&self, text: &'a str) -> Usage<'a> {
        let raw = |place: &Option<Place>| {
            let Place { around, range } = place.as_ref()?;
            let start = self.last.starts[*around];
            Some(Raw::new(text.get(start + range.start..start + range.end)?, 0))
        };
        let iterations = self.iterations.iter().map(|entry| Iteration {
            index: entry.index,
            kind: raw(&entry.kind),
            model: raw(&entry.model),
            counts: Counts::default(),
        });
        let mut usage = Usage { iterations: iterations.collect(), ..Usage::default() };
        for (meaning, number) in self.meanings.iter().zip(&self.last.numbers) {
            match meaning {
                Meaning::Own(count) => *usage.counts.slot(*count) = Some(*number),
                Meaning::OfIteration(iteration, count) => {
                    *usage.iterations[*iteration].counts.slot(*count) = Some(*number);
                }
                Meaning::Nothing => {}
            }
        }
        usage
    }
}

/// The digits of a text that stand in no string, run by run. There are no escapes in it.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut numbers: Vec<Range<usize>> = Vec::new();
    let mut is_string = false;
    for (at, byte) in text.bytes().enumerate() {
        is_string ^= byte == b'"';
        if is_string || !byte.is_ascii_digit() {
            continue;
        }
        match numbers.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => numbers.push(at..at + 1),
        }
    }
    numbers
}

/// The number with which a text begins, without sign, and its digits.
#[inline]
fn number(bytes: &[u8]) -> Option<(i64, usize)> {
    let mut number = 0;
    for (digits, byte) in bytes.iter().enumerate() {
        match byte.wrapping_sub(b'0') {
            digit @ 0..=9 if digits < MOST_DIGITS => number = number * 10 + i64::from(digit),
            0..=9 => return None,
            _ if digits > 1 && bytes[0] == b'0' => return None,
            _ => return (digits > 0).then_some((number, digits)),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::usage::read;

    fn alone(text: &str) -> Usage<'_> {
        read(&mut Scanner::new(text, 0, text.len())).expect("an object")
    }

    /// Two that differ in numbers alone stand one behind the other.
    const OBJECTS: [&str; 17] = [
        r#"{"input_tokens":3,"cache_creation":{"ephemeral_5m_input_tokens":7},"output_tokens":0}"#,
        r#"{"input_tokens":12,"cache_creation":{"ephemeral_5m_input_tokens":0},"output_tokens":5}"#,
        r#"{"server_tool_use":{"n":[1,2.5e3]},"output_tokens":1,"tier":"t2"}"#,
        r#"{"server_tool_use":{"n":[90,0.25e31]},"output_tokens":10,"tier":"t2"}"#,
        r#"{"iterations":[{"type":"message","input_tokens":1},{"model":"m-5","output_tokens":2}]}"#,
        r#"{"iterations":[{"type":"message","input_tokens":88},{"model":"m-5","output_tokens":9}]}"#,
        r#"{"iterations":[{"type":"message","input_tokens":1},{"model":"m-6","output_tokens":2}]}"#,
        r#"{"input_tokens":123456789012345678,"output_tokens":1}"#,
        r#"{"input_tokens":1234567890123456789,"output_tokens":1}"#,
        r#"{"input_tokens":99999999999999999999,"output_tokens":1}"#,
        r#"{"input_tokens":-0,"output_tokens":4}"#,
        r#"{"input_tokens":-4,"output_tokens":4}"#,
        r#"{"input_tokens":1.0,"output_tokens":4}"#,
        r#"{"input_tokens":1,"input_tokens":1}"#,
        r#"{"input_tokens":1,"input_tokens":2}"#,
        r#"{"input_tok\u0065ns":1}"#,
        r#"{"input_tok\u0065ns":2}"#,
    ];

    #[test]
    fn a_shape_says_of_an_object_what_reading_it_says() {
        let mut found = 0;
        for learnt in OBJECTS {
            for text in OBJECTS {
                let shapes = UsageShapes::default();
                shapes.learn(learnt, read);
                let ahead = format!("{text},\"id\":1}}");
                // A second time it is the last one.
                for _ in 0..2 {
                    let Some((usage, length, quotes)) = shapes.find(&ahead) else { continue };
                    assert_eq!(format!("{usage:?}"), format!("{:?}", alone(text)), "{learnt}");
                    assert_eq!((length, quotes), (text.len(), text.matches('"').count()));
                    found += 1;
                }
            }
        }
        // Eight by themselves, six by a neighbour: those that one of them is no count in
        // have no shape.
        assert_eq!(found, 2 * (8 + 6));
    }

    #[test]
    fn what_no_number_of_the_shape_can_be_is_not_taken_for_one() {
        let shapes = UsageShapes::default();
        shapes.learn(r#"{"output_tokens":7}"#, read);
        let output = |text: &str| {
            let text = format!("{{\"output_tokens\":{text}}}");
            shapes.find(&text).and_then(|(usage, _, _)| usage.counts.output)
        };
        for text in ["null", "-1", "", "01", "1.5", "1e3", "1234567890123456789", "\"1\""] {
            assert_eq!(output(text), None, "{text}");
        }
        assert_eq!((output("0"), output("90")), (Some(0), Some(90)));
        assert!(shapes.find(r#"{"output_tokens":7"#).is_none());
    }
}
