//! What sessions are called (ruling 50).

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::facts::Identity;
use crate::facts::further::{Title, TitleSource};
use crate::join::prompts::{Kind, Prompt};
use crate::join::{Corpus, Standing};
use crate::strings::Symbol;

/// What a session is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionTitle<'c> {
    /// Its word in the vocabulary `title_source`.
    pub source: &'static str,
    /// The title.
    pub text: &'c str,
}

/// The titles of all sessions that have one. `prompts` are those of the corpus.
pub fn titles<'c>(
    corpus: &'c Corpus,
    prompts: &'c [Prompt<'c>],
) -> HashMap<Symbol, SessionTitle<'c>> {
    let leaves = leaves(corpus);
    let mut best: HashMap<Symbol, (TitleSource, &str)> = HashMap::new();
    for (unit, title) in records(corpus) {
        let session = session(corpus, &leaves, unit, title);
        if !session.is_id() {
            continue;
        }
        let text = corpus.units[unit as usize].words.text(title.text);
        let held = best.entry(session).or_insert((title.source, text));
        // Of equally strong ones the last counts.
        if title.source <= held.0 {
            *held = (title.source, text);
        }
    }
    let named = |(session, (source, text))| (session, SessionTitle { source: name(source), text });
    let mut titles: HashMap<_, _> = best.into_iter().map(named).collect();
    for prompt in prompts {
        let is_title = prompt.kind == Kind::Prompt && !prompt.text.is_empty();
        if is_title && prompt.session.is_id() {
            let title = || SessionTitle { source: "first_prompt", text: prompt.first_line() };
            titles.entry(prompt.session).or_insert_with(title);
        }
    }
    titles
}

fn name(source: TitleSource) -> &'static str {
    match source {
        TitleSource::CustomTitle => "custom-title",
        TitleSource::AiTitle => "ai-title",
        TitleSource::Summary => "summary",
    }
}

/// The records that name a session and count, each with its unit.
fn records(corpus: &Corpus) -> impl Iterator<Item = (u32, &Title)> {
    corpus.units.iter().zip(0..).flat_map(move |(unit, number)| {
        let counts =
            move |title: &&Title| corpus.standing(number, title.sketch) == Standing::Counts;
        unit.further.titles.iter().filter(counts).map(move |title| (number, title))
    })
}

/// The session that a record names. A summary may stand in any session's file:
/// it is its own session's, or else that of the record that it ends with.
fn session(
    corpus: &Corpus,
    leaves: &HashMap<Identity, Symbol>,
    unit: u32,
    title: &Title,
) -> Symbol {
    let own = corpus.sketch(unit, title.sketch).session;
    if own.is_id() {
        own
    } else if title.source == TitleSource::Summary {
        title.leaf.and_then(|leaf| leaves.get(&leaf)).copied().unwrap_or_default()
    } else {
        corpus.session(own, file(corpus, unit, title.sketch))
    }
}

/// The file of a record.
fn file(corpus: &Corpus, unit: u32, sketch: u32) -> u32 {
    let parts = &corpus.units[unit as usize].parts;
    parts[parts.partition_point(|part| part.sketches.end <= sketch as usize)].file
}

/// The sessions of the records that summaries without a session end with.
fn leaves(corpus: &Corpus) -> HashMap<Identity, Symbol> {
    let lost = |(unit, title): &(u32, &Title)| !corpus.sketch(*unit, title.sketch).session.is_id();
    let wanted: HashSet<Identity> =
        records(corpus).filter(lost).filter_map(|(_, title)| title.leaf).collect();
    let mut sessions = HashMap::with_capacity(wanted.len());
    if wanted.is_empty() {
        return sessions;
    }
    let units = (0..corpus.units.len() as u32).into_par_iter();
    let found: Vec<_> = units.map(|unit| owners(corpus, unit, &wanted)).collect();
    for (uuid, session) in found.into_iter().flatten() {
        sessions.entry(uuid).or_insert(session);
    }
    sessions
}

/// The records of a unit that have one of these uuids, in order, by their session.
fn owners(corpus: &Corpus, unit: u32, wanted: &HashSet<Identity>) -> Vec<(Identity, Symbol)> {
    let facts = &corpus.units[unit as usize];
    let mut owners = Vec::new();
    for part in &facts.parts {
        for index in part.sketches.clone() {
            let sketch = facts.sketches.get(index);
            let Some(uuid) = sketch.uuid.filter(|uuid| wanted.contains(uuid)) else { continue };
            let session = corpus.session(sketch.session, part.file);
            if session.is_id() && corpus.standing(unit, index as u32) == Standing::Counts {
                owners.push((uuid, session));
            }
        }
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::further::PromptFact;
    use crate::join::made::Made;
    use crate::join::prompts::prompts;

    const SUMMARY: TitleSource = TitleSource::Summary;

    /// Source and title of a session.
    fn titled(made: &mut Made, session: &str) -> Option<(&'static str, String)> {
        let session = made.symbol(session);
        let prompts = prompts(&made.corpus);
        let titles = titles(&made.corpus, &prompts);
        titles.get(&session).map(|title| (title.source, title.text.to_owned()))
    }

    #[test]
    fn the_last_title_of_the_strongest_source_counts() {
        let mut made = Made::new();
        made.parent("a");
        assert_eq!(titled(&mut made, "a"), None);
        made.prompt("/clear", PromptFact::default());
        made.prompt("[Image #1]", PromptFact::default());
        made.prompt("words \r\n and more", PromptFact::default());
        made.prompt("other words", PromptFact::default());
        assert_eq!(titled(&mut made, "a"), Some(("first_prompt", "words".to_owned())));
        made.title(SUMMARY, "sum", None);
        assert_eq!(titled(&mut made, "a"), Some(("summary", "sum".to_owned())));
        made.title(TitleSource::AiTitle, "ai 1", None);
        made.title(TitleSource::AiTitle, "ai 2", None);
        made.title(SUMMARY, "later", None);
        assert_eq!(titled(&mut made, "a"), Some(("ai-title", "ai 2".to_owned())));
        made.title(TitleSource::CustomTitle, "mine", None);
        made.title(TitleSource::AiTitle, "ai 3", None);
        assert_eq!(titled(&mut made, "a"), Some(("custom-title", "mine".to_owned())));
        made.title(TitleSource::CustomTitle, "repeated", None);
        made.stands(Standing::Replay);
        assert_eq!(titled(&mut made, "a"), Some(("custom-title", "mine".to_owned())));
    }

    #[test]
    fn a_title_without_a_session_is_its_files_but_a_summary_its_leafs() {
        let mut made = Made::new();
        made.parent("a");
        made.session("");
        made.title(SUMMARY, "of b", Some("leaf"));
        made.title(SUMMARY, "of none", Some("elsewhere"));
        made.title(SUMMARY, "of none", None);
        assert_eq!(titled(&mut made, "b"), None);
        made.unit();
        made.parent("x");
        made.session("c");
        made.dated("leaf", 1);
        made.stands(Standing::Replay);
        made.session("b");
        made.dated("leaf", 2);
        made.session("d");
        made.dated("leaf", 3);
        assert_eq!(titled(&mut made, "b"), Some(("summary", "of b".to_owned())));
        assert_eq!((titled(&mut made, "c"), titled(&mut made, "d")), (None, None));
        assert_eq!(titled(&mut made, "a"), None);
        let mut made = Made::new();
        made.parent("a");
        made.parent("b");
        made.session("");
        made.title(TitleSource::CustomTitle, "of the file", None);
        assert_eq!(titled(&mut made, "b"), Some(("custom-title", "of the file".to_owned())));
    }

    #[test]
    fn a_leaf_without_a_session_of_its_own_is_its_files() {
        let mut made = Made::new();
        made.parent("a");
        made.session("");
        made.title(SUMMARY, "of b", Some("leaf"));
        made.parent("b");
        made.session("");
        made.dated("leaf", 1);
        assert_eq!(titled(&mut made, "b"), Some(("summary", "of b".to_owned())));
    }
}
