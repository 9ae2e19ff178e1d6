//! Which of many texts begin a given one.

/// Texts in order. Those that begin one text begin each other too, so that each
/// needs to know but the longest that begins it.
#[derive(Debug)]
pub(super) struct Prefixes<T> {
    sorted: Vec<T>,
    /// For each, the longest other that begins it.
    shorter: Vec<Option<u32>>,
}

impl<T: AsRef<[u8]>> Prefixes<T> {
    /// These texts, each once.
    pub(super) fn new(mut texts: Vec<T>) -> Self {
        texts.sort_unstable_by(|a, b| a.as_ref().cmp(b.as_ref()));
        texts.dedup_by(|a, b| a.as_ref() == b.as_ref());
        let mut shorter = Vec::with_capacity(texts.len());
        let mut open: Vec<u32> = Vec::new();
        for (text, number) in texts.iter().zip(0..) {
            let begins = |other: &u32| text.as_ref().starts_with(texts[*other as usize].as_ref());
            while open.last().is_some_and(|other| !begins(other)) {
                open.pop();
            }
            shorter.push(open.last().copied());
            open.push(number);
        }
        Self { sorted: texts, shorter }
    }

    /// The texts, by number.
    pub(super) fn texts(&self) -> &[T] {
        &self.sorted
    }

    /// Numbers of those that begin `text`, the longest first.
    pub(super) fn of<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = u32> + 'a {
        // Whatever begins `text` stands before it, and begins all that stands between.
        let before = self.sorted.partition_point(|other| other.as_ref() <= text);
        let nearest = before.checked_sub(1).map(|number| number as u32);
        let text_of = |number: u32| self.sorted[number as usize].as_ref();
        // They begin the nearest as well: how much of that is alike tells it of all.
        let alike = nearest.map_or(0, |number| alike(text_of(number), text));
        std::iter::successors(nearest, |number| self.shorter[*number as usize])
            .skip_while(move |number| text_of(*number).len() > alike)
    }
}

/// How many bytes two texts begin with alike.
fn alike(one: &[u8], other: &[u8]) -> usize {
    if other.starts_with(one) {
        return one.len();
    }
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_text_that_begins_another_and_the_longest_first() {
        let texts = ["", "a", "ab", "abc", "abd", "ac", "b", "ba"];
        let prefixes = Prefixes::new(texts.iter().rev().chain(&texts).copied().collect());
        assert_eq!(prefixes.texts(), texts);
        for text in ["", "a", "abcd", "abd", "abe", "acb", "aa", "bb", "c", "abc"] {
            let mut expected: Vec<&str> =
                texts.into_iter().filter(|other| text.starts_with(other)).collect();
            expected.reverse();
            let found = prefixes.of(text.as_bytes()).map(|number| texts[number as usize]);
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn of_no_texts_none_begins_another() {
        assert_eq!(Prefixes::<&str>::new(Vec::new()).of(b"a").next(), None);
    }
}
