//! Words made by hand, each text in a record of its own.

use super::Made;
use crate::facts::Identity;
use crate::facts::further::{LastBlock, PromptFact, Title, TitleSource, Turn};

impl Made {
    #[allow(clippy::needless_pass_by_value)] // Callers write it in place.
    /// A record with a candidate for words of a person.
    pub(crate) fn prompt(&mut self, text: &str, prompt: PromptFact) {
        let (sketch, file) = self.placed();
        let facts = self.facts();
        let text = facts.words.keep(text);
        facts.further.prompts.push(PromptFact { sketch, file, text, ..prompt });
    }

    /// A message of a user.
    pub(in crate::join) fn user(&mut self, turn: Turn) {
        let (sketch, file) = self.placed();
        self.facts().further.turns.push(Turn { sketch, file, ..turn });
    }

    #[allow(clippy::needless_pass_by_value)] // Callers write it in place.
    /// A message of an assistant with these words.
    pub(crate) fn assistant(&mut self, words: &[&str], turn: Turn) {
        let (sketch, file) = self.placed();
        let facts = self.facts();
        let start = facts.words.len() as u32;
        for text in words {
            facts.words.keep(text);
        }
        let words = start..facts.words.len() as u32;
        let last = if words.is_empty() { turn.last } else { LastBlock::Text };
        let turn = Turn { sketch, file, is_assistant: true, words, last, ..turn };
        facts.further.turns.push(turn);
    }

    /// A record with a context of a hook.
    pub(in crate::join) fn context(&mut self, text: &str) {
        let (sketch, _) = self.placed();
        let facts = self.facts();
        let text = facts.words.keep(text);
        facts.further.contexts.push((sketch, text));
    }

    /// A record that names a session.
    pub(in crate::join) fn title(&mut self, source: TitleSource, text: &str, leaf: Option<&str>) {
        let (sketch, _) = self.placed();
        let facts = self.facts();
        let text = facts.words.keep(text);
        let leaf = leaf.and_then(Identity::of);
        facts.further.titles.push(Title { sketch, source, text, leaf });
    }
}
