//! Texts that are kept for what needs them whole, one behind the other.

/// Texts by number.
#[derive(Debug, Default)]
pub struct Words {
    bytes: String,
    ends: Vec<usize>,
}

impl Words {
    /// Keeps a text; gives its number.
    pub fn keep(&mut self, text: &str) -> u32 {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        self.ends.len() as u32 - 1
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
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }
}
