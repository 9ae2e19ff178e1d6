//! Content blocks, and what a tool's result holds (rulings 19 to 21).

use std::borrow::Cow;

use crate::decode::keys::{Keys, ObjectKind};
use crate::decode::members::{Members, number};
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::record::further::CallInput;
use crate::record::{Block, Content, Entries, Flaws, ResultContent, ResultKind};

/// The content at the cursor: a string, an array, or none where it is null.
/// The boolean says that it is of another type. `block` reads an entry that is an
/// object.
pub fn content<'a>(
    scanner: &mut Scanner<'a>,
    block: impl Fn(&mut Scanner<'a>, &mut Block<'a>) -> Step<Flaws>,
) -> Step<(Option<Content<'a>>, bool)> {
    if scanner.peek() != Some(b'[') {
        return Ok(match scanner.value()? {
            Value::String(raw) => (Some(bare(raw)), false),
            Value::Null => (None, false),
            _ => (None, true),
        });
    }
    let mut content = Content::default();
    scanner.array(|scanner| {
        let index = content.entries;
        content.entries += 1;
        if scanner.peek() == Some(b'{') {
            // A block is large, mostly alone, and read where it stays.
            if content.blocks.is_empty() {
                content.blocks.reserve_exact(1);
            }
            content.blocks.push(Block { index, ..Block::default() });
            if let Some(last) = content.blocks.last_mut() {
                content.flaws += block(scanner, last)?;
            }
        } else if let Value::String(raw) = scanner.value()? {
            content.blocks.push(bare_block(raw, index));
        } else {
            content.flaws.bad_values += 1;
        }
        Ok(())
    })?;
    Ok((Some(content), false))
}

/// A string as content: one block of text.
pub fn bare(raw: Raw<'_>) -> Content<'_> {
    Content { blocks: vec![bare_block(raw, 0)], entries: 1, flaws: Flaws::default() }
}

fn bare_block(raw: Raw<'_>, index: u32) -> Block<'_> {
    Block { index, is_bare: true, text: Some(raw), ..Block::default() }
}

const TYPE: usize = 0;
const TEXT: usize = 1;
const THINKING: usize = 2;
const SIGNATURE: usize = 3;
const ID: usize = 4;
const NAME: usize = 5;
const INPUT: usize = 6;
const TOOL_USE_ID: usize = 7;
const IS_ERROR: usize = 8;
const CONTENT: usize = 9;
const TOOL_NAME: usize = 10;
const SOURCE: usize = 11;
static KEYS: Keys<12, 64> = Keys::new(
    ObjectKind::Block,
    [
        "type",
        "text",
        "thinking",
        "signature",
        "id",
        "name",
        "input",
        "tool_use_id",
        "is_error",
        "content",
        "tool_name",
        "source",
    ],
);

/// The keys that are read from a block of this type, as bits.
fn keys_read(block: &Block<'_>) -> u64 {
    let keys: &[usize] = if block.is_call() {
        &[TYPE, ID, NAME, INPUT]
    } else if block.is_result() {
        &[TYPE, TOOL_USE_ID, IS_ERROR, CONTENT]
    } else {
        match block.kind.map(|kind| kind.text()).as_deref() {
            Some("text") => &[TYPE, TEXT],
            Some("thinking") => &[TYPE, THINKING, SIGNATURE],
            Some("tool_reference") => &[TYPE, TOOL_NAME],
            Some("image" | "document") => &[TYPE, SOURCE],
            _ => &[TYPE],
        }
    };
    keys.iter().fold(0, |bits, key| bits | 1 << key)
}

/// Reads every field that some type of block has, since `type` may come last;
/// then forgets the flaws of those that this one does not have. `block` has nothing but
/// its index.
pub fn block<'a>(scanner: &mut Scanner<'a>, block: &mut Block<'a>) -> Step<Flaws> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut input = Input::default();
    let mut in_source = Flaws::default();
    scanner.members(&KEYS, |scanner, number| {
        match number {
            Some(TYPE) => block.kind = members.string(scanner, TYPE)?,
            Some(TEXT) => block.text = members.string(scanner, TEXT)?,
            Some(THINKING) => block.thinking = members.string(scanner, THINKING)?,
            Some(SIGNATURE) => {
                let signature = members.string(scanner, SIGNATURE)?;
                block.has_signature = signature.is_some_and(|raw| !raw.is_empty());
            }
            Some(ID) => block.id = members.string(scanner, ID)?,
            Some(NAME) => block.name = members.string(scanner, NAME)?,
            Some(INPUT) => {
                let start = scanner.at;
                input = Input::read(scanner)?;
                members.note(INPUT);
                block.input = Some(scanner.since(start)).filter(|json| *json != "null");
            }
            Some(TOOL_USE_ID) => block.tool_use_id = members.string(scanner, TOOL_USE_ID)?,
            Some(TOOL_NAME) => block.tool_name = members.string(scanner, TOOL_NAME)?,
            Some(IS_ERROR) => block.is_error = members.boolean(scanner, IS_ERROR)?,
            Some(CONTENT) => {
                let (result, bad) = result_content(scanner, Entries::OfMessages)?;
                members.note(CONTENT);
                if bad {
                    members.mark_bad(CONTENT);
                }
                block.result = result;
            }
            Some(SOURCE) => {
                let source = members.object(scanner, SOURCE, source)?.unwrap_or_default();
                (block.media_type, block.media_bytes, in_source) = source;
            }
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let read = keys_read(block);
    let mut flaws = members.flaws(read, scanner.since(start), |key| KEYS.number(key));
    if read >> INPUT & 1 == 1 {
        let object = block.input.unwrap_or_default();
        flaws +=
            input.members.flaws(Input::keys_read(block), object, |key| Input::KEYS.number(key));
        block.file_path = input.file_path;
        block.notebook_path = input.notebook_path;
        block.command = input.command;
        block.names = input.names(block);
    }
    if read >> SOURCE & 1 == 1 {
        flaws += in_source;
    }
    Ok(flaws)
}

type Source<'a> = (Option<Raw<'a>>, Option<i64>, Flaws);

fn source<'a>(scanner: &mut Scanner<'a>) -> Step<Source<'a>> {
    let start = scanner.at;
    let mut members = Members::default();
    let (mut media_type, mut media_bytes) = (None, None);
    scanner.object(|scanner, key| {
        match &*key.text() {
            "media_type" => media_type = members.string(scanner, 0)?,
            "data" => media_bytes = members.string(scanner, 1)?.map(decoded_length),
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let keys = ["media_type", "data"];
    Ok((media_type, media_bytes, members.flaws(u64::MAX, scanner.since(start), number(keys))))
}

/// Bytes that base64 text decodes to.
fn decoded_length(data: Raw<'_>) -> i64 {
    let padding = data.text().bytes().rev().take_while(|byte| *byte == b'=').count();
    ((data.chars() - padding) as i64) * 3 / 4
}

/// `input` of a call: the few members that tables show.
#[derive(Default)]
struct Input<'a> {
    members: Members,
    file_path: Option<Raw<'a>>,
    notebook_path: Option<Raw<'a>>,
    command: Option<Raw<'a>>,
    subagent_type: Option<Raw<'a>>,
    description: Option<Raw<'a>>,
    model: Option<Raw<'a>>,
    skill: Option<Raw<'a>>,
}

static INPUT_KEYS: Keys<7, 32> = Keys::new(
    ObjectKind::Input,
    ["file_path", "notebook_path", "command", "subagent_type", "description", "model", "skill"],
);

impl<'a> Input<'a> {
    const KEYS: &'static Keys<7, 32> = &INPUT_KEYS;

    fn read(scanner: &mut Scanner<'a>) -> Step<Self> {
        let mut input = Self::default();
        if scanner.peek() != Some(b'{') {
            scanner.skip()?;
            return Ok(input);
        }
        scanner.members(Self::KEYS, |scanner, number| {
            match number {
                Some(0) => input.file_path = input.members.string(scanner, 0)?,
                Some(1) => input.notebook_path = input.members.string(scanner, 1)?,
                Some(2) => input.command = input.members.string(scanner, 2)?,
                Some(3) => input.subagent_type = input.members.string(scanner, 3)?,
                Some(4) => input.description = input.members.string(scanner, 4)?,
                Some(5) => input.model = input.members.string(scanner, 5)?,
                Some(6) => input.skill = input.members.string(scanner, 6)?,
                _ => scanner.skip()?,
            }
            Ok(())
        })?;
        Ok(input)
    }

    /// Most keys are read from the calls of one tool only.
    fn keys_read(block: &Block<'_>) -> u64 {
        match block.name.map(|name| name.text()).as_deref() {
            Some("Bash") => 0b000_0111,
            Some("Agent" | "Task") => 0b011_1011,
            Some("Skill") => 0b100_0011,
            _ => 0b000_0011,
        }
    }

    /// What a call that starts an agent or a skill says of it.
    fn names(&self, block: &Block<'_>) -> Option<Box<CallInput<'a>>> {
        let read = Self::keys_read(block);
        let only = |key: usize, value: Option<Raw<'a>>| value.filter(|_| read >> key & 1 == 1);
        (read >> 3 != 0).then(|| {
            Box::new(CallInput {
                subagent_type: only(3, self.subagent_type),
                description: only(4, self.description),
                model: only(5, self.model),
                skill: only(6, self.skill),
            })
        })
    }
}

/// Sums up a result's content. The boolean says that it is of the wrong type.
pub fn result_content<'a>(
    scanner: &mut Scanner<'a>,
    entries: Entries,
) -> Step<(ResultContent<'a>, bool)> {
    let start = scanner.at;
    let mut result = ResultContent { entries, ..ResultContent::default() };
    let mut pieces = 0_i64;
    match scanner.peek() {
        Some(b'[') => {
            result.kind = ResultKind::Blocks;
            scanner.array(|scanner| {
                if scanner.peek() == Some(b'{') {
                    entry(scanner)?.add_to(&mut result, &mut pieces);
                } else if let Value::String(raw) = scanner.value()? {
                    result.chars += raw.chars() as i64;
                    pieces += 1;
                }
                Ok(())
            })?;
        }
        Some(b'{') => {
            result.kind = ResultKind::Blocks;
            let only = entry(scanner)?;
            result.content_type = only.kind;
            only.add_to(&mut result, &mut pieces);
        }
        _ => match scanner.value()? {
            Value::String(raw) => {
                result.kind = ResultKind::String;
                result.chars = raw.chars() as i64;
                result.string = Some(raw);
            }
            Value::Null => {}
            _ => return Ok((result, true)),
        },
    }
    result.chars += (pieces - 1).max(0);
    result.json = scanner.since(start);
    Ok((result, false))
}

#[derive(Default)]
struct Entry<'a> {
    kind: Option<Raw<'a>>,
    text: Option<Raw<'a>>,
}

impl<'a> Entry<'a> {
    /// Its text, where it is an entry of text.
    fn words(&self, of: Entries) -> Option<Raw<'a>> {
        self.text.filter(|_| self.is("text", "input_text", of))
    }

    /// Whether its type is the first of these, or the second where rollouts have that.
    fn is(&self, name: &str, in_rollouts: &str, of: Entries) -> bool {
        self.kind
            .is_some_and(|kind| kind.is(name) || of == Entries::OfRollout && kind.is(in_rollouts))
    }

    fn add_to(&self, result: &mut ResultContent<'a>, pieces: &mut i64) {
        if let Some(words) = self.words(result.entries) {
            result.chars += words.chars() as i64;
            *pieces += 1;
        }
        result.images += i64::from(self.is("image", "input_image", result.entries));
    }
}

fn entry<'a>(scanner: &mut Scanner<'a>) -> Step<Entry<'a>> {
    let mut entry = Entry::default();
    scanner.object(|scanner, key| {
        let slot = if key.is("type") {
            &mut entry.kind
        } else if key.is("text") {
            &mut entry.text
        } else {
            return scanner.skip();
        };
        *slot = match scanner.value()? {
            Value::String(raw) => Some(raw),
            _ => None,
        };
        Ok(())
    })?;
    Ok(entry)
}

/// The texts of the array at the cursor: entries of type `text`, and bare strings.
pub fn texts<'a>(scanner: &mut Scanner<'a>) -> Step<Vec<Raw<'a>>> {
    texts_of(scanner, Entries::OfMessages)
}

fn texts_of<'a>(scanner: &mut Scanner<'a>, entries: Entries) -> Step<Vec<Raw<'a>>> {
    let mut texts = Vec::new();
    scanner.array(|scanner| {
        if scanner.peek() == Some(b'{') {
            texts.extend(entry(scanner)?.words(entries));
        } else if let Value::String(raw) = scanner.value()? {
            texts.push(raw);
        }
        Ok(())
    })?;
    Ok(texts)
}

/// The text that `chars` counts; none where the content is absent.
pub fn result_text<'a>(content: &ResultContent<'a>) -> Option<Cow<'a, str>> {
    if let Some(string) = content.string {
        return Some(string.text());
    }
    let mut scanner = Scanner::new(content.json, 0, content.json.len());
    let pieces = match scanner.peek() {
        Some(b'[') => texts_of(&mut scanner, content.entries),
        Some(b'{') => {
            entry(&mut scanner).map(|only| only.words(content.entries).into_iter().collect())
        }
        _ => return None,
    };
    // The text was scanned once already, so it cannot stop being JSON here.
    Some(match &pieces.ok()?[..] {
        [only] => only.text(),
        pieces => Cow::Owned(pieces.iter().map(Raw::text).collect::<Vec<_>>().join("\n")),
    })
}
