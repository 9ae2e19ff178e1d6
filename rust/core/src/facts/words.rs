//! Texts that are kept for what needs them whole, one behind the other.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

/// White space of the tables that read texts (ruling 37).
pub const WHITE_SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Begins the text that says that a person cut a turn off (rulings 52, 54).
pub const INTERRUPTION: &str = "[Request interrupted by user";

/// Begins a task notification (rulings 40, 52).
pub const NOTIFICATION: &str = "<task-notification>";

/// A text without the white space around it.
pub fn trim(text: &str) -> &str {
    text.trim_matches(WHITE_SPACE)
}

/// Texts by number.
#[derive(Debug, Default)]
pub struct Words {
    bytes: String,
    ends: Vec<usize>,
    /// Numbers of those that are kept once.
    once: HashTable<u32>,
}

impl Words {
    /// Keeps a text; gives its number.
    pub fn keep(&mut self, text: &str) -> u32 {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        self.ends.len() as u32 - 1
    }

    /// Keeps a text that comes again and again, once; gives its number.
    pub fn keep_once(&mut self, text: &str) -> u32 {
        let hash = xxh3_64(text.as_bytes());
        if let Some(number) = self.once.find(hash, |number| self.text(*number) == text) {
            return *number;
        }
        let number = self.keep(text);
        let Self { bytes, ends, once } = self;
        once.insert_unique(hash, number, |number| {
            xxh3_64(text_of(bytes, ends, *number).as_bytes())
        });
        number
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of this number.
    pub fn text(&self, number: u32) -> &str {
        text_of(&self.bytes, &self.ends, number)
    }
}

fn text_of<'t>(bytes: &'t str, ends: &[usize], number: u32) -> &'t str {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[start..ends[number]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_once_is_found_again_among_the_rest() {
        let mut words = Words::default();
        assert_eq!(words.keep("a"), 0);
        let numbers: Vec<u32> = (0..50).map(|text| words.keep_once(&text.to_string())).collect();
        assert_eq!(words.keep_once("a"), 51, "the first was not kept once");
        for (text, number) in (0..50).zip(numbers) {
            assert_eq!(words.keep_once(&text.to_string()), number);
            assert_eq!(words.text(number), text.to_string());
        }
        assert_eq!(words.len(), 52);
    }
}
