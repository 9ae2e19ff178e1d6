//! Who spoke, and what: texts that may be a person's, and assistants' words
//! (rulings 51 to 54).

use std::borrow::Cow;

use crate::decode::text::Raw;
use crate::facts::further::{LastBlock, PromptFact, Turn};
use crate::facts::words::{INTERRUPTION, trim};
use crate::fold::Folder;
use crate::record::further::{Attachment, Further};
use crate::record::{Block, Flag, Record, Str};
use crate::strings::Symbol;

impl Folder {
    /// Keeps what a message says.
    pub(super) fn speech(&mut self, file: u32, sketch: u32, record: &Record<'_>) {
        if record.is_assistant() {
            if self.wanted.words {
                self.assistant_turn(file, sketch, record);
            }
        } else if record.is_user() {
            self.user_turn(file, sketch, record);
        }
    }

    fn assistant_turn(&mut self, file: u32, sketch: u32, record: &Record<'_>) {
        let mut turn = self.turn(file, sketch, record);
        turn.is_assistant = true;
        let first = self.facts.words.len() as u32;
        for block in record.blocks() {
            if block.is_call() {
                turn.last = LastBlock::Call;
            } else if let Some(text) = block.words() {
                let text = text.text();
                if !trim(&text).is_empty() {
                    turn.last = LastBlock::Text;
                    self.facts.words.keep(&text);
                }
            } else {
                turn.has_thinking |= block
                    .kind
                    .is_some_and(|kind| kind.is("thinking") || kind.is("redacted_thinking"));
            }
        }
        turn.words = first..self.facts.words.len() as u32;
        self.facts.further.turns.push(turn);
    }

    fn user_turn(&mut self, file: u32, sketch: u32, record: &Record<'_>) {
        let texts: Vec<Cow<'_, str>> =
            record.blocks().iter().filter_map(Block::words).map(|raw| raw.text()).collect();
        let text = match &texts[..] {
            [only] => Cow::Borrowed(&**only),
            texts => Cow::Owned(texts.join("\n")),
        };
        if !texts.is_empty() {
            self.notifications(file, sketch, &text, record.origin_kind);
        }
        if !self.wanted.words {
            return;
        }
        let mut turn = self.turn(file, sketch, record);
        turn.is_interruption = texts.iter().any(|text| trim(text).starts_with(INTERRUPTION));
        self.facts.further.turns.push(turn);
        self.prompt(file, sketch, record, record.origin_kind, &text);
    }

    /// A queued command: a prompt, and maybe a notification.
    pub(super) fn queued(
        &mut self,
        file: u32,
        sketch: u32,
        record: &Record<'_>,
        attachment: &Attachment<'_>,
        text: &str,
    ) {
        let origin = attachment.origin_kind.or(record.origin_kind);
        self.notifications(file, sketch, text, origin);
        if self.wanted.words {
            self.prompt(file, sketch, record, origin, text);
        }
    }

    /// Keeps a candidate; an attachment may have an origin of its own.
    fn prompt(
        &mut self,
        file: u32,
        sketch: u32,
        record: &Record<'_>,
        origin: Option<Raw<'_>>,
        text: &str,
    ) {
        if trim(text).is_empty() {
            return;
        }
        let is_true = |flag: Flag| record.flag(flag) == Some(true);
        let fact = PromptFact {
            sketch,
            file,
            is_attachment: matches!(record.further, Further::Attachment(_)),
            is_sidechain: is_true(Flag::IsSidechain),
            is_compact_summary: is_true(Flag::IsCompactSummary),
            is_meta: is_true(Flag::IsMeta),
            origin_kind: self.intern(origin),
            prompt_source: self.intern(record.string(Str::PromptSource)),
            text: self.facts.words.keep(text),
        };
        self.facts.further.prompts.push(fact);
    }

    fn turn(&mut self, file: u32, sketch: u32, record: &Record<'_>) -> Turn {
        let message = record.message.as_ref().and_then(|message| message.id);
        Turn {
            sketch,
            file,
            is_sidechain: record.flag(Flag::IsSidechain) == Some(true),
            is_meta: record.flag(Flag::IsMeta) == Some(true),
            message: message.map_or(Symbol::NONE, |id| self.facts.strings.intern(&id.text())),
            ..Turn::default()
        }
    }
}
