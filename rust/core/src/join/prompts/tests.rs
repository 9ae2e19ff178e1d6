use super::*;
use crate::facts::further::Turn;
use crate::join::made::Made;
use crate::join::sessions::count_rows;
use crate::schema::vocabulary;

const BLOCK: &str = "Boilerplate that a hook appends, word for word.";

fn plain() -> PromptFact {
    PromptFact::default()
}

fn queued(made: &mut Made) -> PromptFact {
    PromptFact { is_attachment: true, origin_kind: made.symbol("human"), ..plain() }
}

fn sorted(made: &Made) -> Vec<(&'static str, Option<&'static str>, String)> {
    let prompts = prompts(&made.corpus);
    let word = |prompt: &Prompt<'_>| prompt.reason.map(Reason::name);
    prompts
        .iter()
        .map(|prompt| (prompt.kind.name(), word(prompt), prompt.text.clone().into_owned()))
        .collect()
}

fn row(
    kind: &'static str,
    reason: &'static str,
    text: &str,
) -> (&'static str, Option<&'static str>, String) {
    (kind, Some(reason).filter(|reason| !reason.is_empty()), text.to_owned())
}

#[test]
fn kinds_and_reasons_are_those_of_the_definition() {
    let kinds = [
        Kind::Prompt,
        Kind::Command,
        Kind::Injected,
        Kind::Paste,
        Kind::Echo,
        Kind::Interruption,
        Kind::Notification,
        Kind::CompactSummary,
        Kind::Meta,
        Kind::Sidechain,
    ];
    let reasons = [
        Reason::IsSidechain,
        Reason::IsCompactSummary,
        Reason::Continuation,
        Reason::Origin,
        Reason::Tag,
        Reason::Marker,
        Reason::IsMeta,
        Reason::PromptSource,
        Reason::Slash,
        Reason::KnownBlock,
        Reason::TailCut,
        Reason::Equal,
        Reason::Contained,
        Reason::Ascii,
        Reason::Lines,
    ];
    assert!(vocabulary("prompt_kind").eq(kinds.map(Kind::name)));
    assert!(vocabulary("prompt_reason").eq(reasons.map(Reason::name)));
}

#[test]
fn a_row_says_whose_it_is_and_where() {
    let mut made = Made::new();
    made.parent("file's");
    made.session("");
    made.prompt("[Image #1] wörd", plain());
    made.unit();
    made.parent("other");
    made.session("own");
    made.at(Some(7));
    let (origin_kind, prompt_source) = (made.symbol("human"), made.symbol("typed"));
    made.record();
    made.prompt("words", PromptFact { origin_kind, prompt_source, ..plain() });
    let rows = prompts(&made.corpus);
    let text = |symbol| made.corpus.strings.text(symbol);
    let [first, second] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((first.position, text(first.session)), ((0, 1, 0), Some("file's")));
    assert_eq!((first.chars, first.n_images, first.timestamp), (4, 1, None));
    assert_eq!((second.position, text(second.session)), ((1, 2, 0), Some("own")));
    assert_eq!((second.chars, second.n_images, second.timestamp), (5, 0, Some(7)));
    assert_eq!(
        (text(second.origin_kind), text(second.prompt_source)),
        (Some("human"), Some("typed"))
    );
}

#[test]
fn replays_copies_blanks_and_codex_have_no_row() {
    let mut made = Made::new();
    made.parent("a");
    made.prompt("replay", plain());
    made.stands(Standing::Replay);
    made.prompt("copy", plain());
    made.stands(Standing::Copied);
    made.prompt(" \r\n\t", plain());
    made.prompt("one", plain());
    made.codex("b");
    made.prompt("codex", plain());
    assert_eq!(sorted(&made), [row("prompt", "", "one")]);
}

#[test]
fn what_hooks_and_meta_records_say_is_no_prompt_wherever_it_stands() {
    let mut made = Made::new();
    made.parent("a");
    made.prompt(BLOCK, plain());
    made.prompt(&format!("My words.\n\n{BLOCK}\n"), plain());
    made.prompt(&format!("My words:{BLOCK}"), plain());
    made.prompt(&format!("[Image #3] mine {BLOCK}"), plain());
    made.prompt(&format!("/go {BLOCK}"), plain());
    let without = sorted(&made);
    assert!(without.iter().all(|(kind, reason, _)| *kind == "command" || reason.is_none()));
    let meta = PromptFact { is_meta: true, ..plain() };
    made.unit();
    made.parent("b");
    made.prompt(&format!("{BLOCK}\n"), meta);
    let expected = [
        row("injected", "known_block", BLOCK),
        row("prompt", "tail_cut", "My words."),
        row("prompt", "", &format!("My words:{BLOCK}")),
        row("prompt", "tail_cut", "mine"),
        row("command", "slash", &format!("/go {BLOCK}")),
        row("meta", "isMeta", BLOCK),
    ];
    assert_eq!(sorted(&made), expected);
    assert_eq!(prompts(&made.corpus)[3].chars, 4);
}

#[test]
fn known_are_meta_tagged_and_systems_texts_and_contexts_that_count() {
    for (source, fact, is_known) in [
        ("meta", PromptFact { is_meta: true, ..plain() }, true),
        ("system", plain(), true),
        ("sdk", plain(), false),
        ("other", PromptFact { is_sidechain: true, ..plain() }, false),
        ("attached", PromptFact { is_attachment: true, ..plain() }, false),
    ] {
        let mut made = Made::new();
        made.parent("a");
        let prompt_source = made.symbol(source);
        made.prompt(BLOCK, PromptFact { prompt_source, ..fact });
        made.prompt(BLOCK, plain());
        let kind = if is_known { "injected" } else { "prompt" };
        assert_eq!(sorted(&made)[1].0, kind, "{source}");
    }
    let tagged = "<local-command-caveat>not for you</local-command-caveat>";
    let mut made = Made::new();
    made.parent("a");
    made.prompt(tagged, plain());
    made.prompt(&format!("mine {tagged}"), plain());
    assert_eq!(sorted(&made)[1], row("prompt", "tail_cut", "mine"));
    let mut made = Made::new();
    made.parent("a");
    made.prompt(BLOCK, plain());
    made.unit();
    made.parent("b");
    made.context(&format!("\n{BLOCK} "));
    assert_eq!(sorted(&made), [row("injected", "known_block", BLOCK)]);
    made.stands(Standing::Copied);
    assert_eq!(sorted(&made), [row("prompt", "", BLOCK)]);
}

#[test]
fn echoes_come_before_pastes_and_are_looked_for_in_what_is_left() {
    let long = format!("{BLOCK} {}", "word ".repeat(500).trim_end());
    let mut made = Made::new();
    made.parent("a");
    made.prompt(&long, plain());
    made.assistant(&[&long, "short"], Turn::default());
    made.context("what a hook said of it, at some length");
    made.prompt(&long, plain());
    made.prompt(&format!("{long} what a hook said of it, at some length"), plain());
    made.prompt(&long[..100], plain());
    made.prompt("short", plain());
    let expected = [
        row("paste", "ascii", &long),
        row("echo", "equal", &long),
        row("echo", "equal", &long),
        row("echo", "contained", &long[..100]),
        row("prompt", "", "short"),
    ];
    assert_eq!(sorted(&made), expected);
}

#[test]
fn a_paste_is_long_and_of_ascii_or_many_lines() {
    let text = |ascii: usize, other: usize| "a".repeat(ascii) + &"ж".repeat(other);
    let lines = |count: usize| "жж\n \t\n".repeat(count) + &"ж".repeat(2000);
    for (text, reason) in [
        (text(1999, 0), None),
        (text(2000, 0), Some("ascii")),
        (text(1200, 800), Some("ascii")),
        (text(1199, 801), None),
        (lines(8), None),
        (lines(9), Some("lines")),
        ("a\n".repeat(900), None),
    ] {
        let mut made = Made::new();
        made.parent("a");
        made.prompt(&text, plain());
        let kind = if reason.is_some() { "paste" } else { "prompt" };
        let trimmed = text.trim_end().to_owned();
        assert_eq!(sorted(&made), [(kind, reason, trimmed)]);
    }
}

#[test]
fn a_prompt_that_was_queued_and_sent_is_counted_once() {
    let mut made = Made::new();
    made.parent("a");
    made.prompt("one", plain());
    let fact = queued(&mut made);
    made.prompt("one ", fact.clone());
    made.prompt("one", plain());
    made.prompt("one", plain());
    made.prompt("[Image #1]", plain());
    made.prompt("[Image #2]", fact.clone());
    made.parent("b");
    made.prompt("one", fact);
    made.prompt("/help", plain());
    let rows = prompts(&made.corpus);
    let lines: Vec<_> = rows.iter().map(|prompt| prompt.duplicate_of_line).collect();
    assert_eq!(lines, [None, Some(1), Some(2), Some(2), None, None, None, None]);
}

#[test]
fn a_session_has_the_prompts_that_are_counted_once() {
    let mut made = Made::new();
    made.parent("a");
    let fact = queued(&mut made);
    for session in ["a", "b", "c"] {
        made.session(session);
        made.prompt("/help", plain());
        if session != "c" {
            made.prompt("mine", fact.clone());
            made.prompt("mine", plain());
        }
        if session == "a" {
            made.prompt("more", plain());
        }
    }
    let mut sessions = crate::join::sessions::sessions(&made.corpus, &[], &[]);
    let prompts = prompts(&made.corpus);
    let ids = prompts.iter().filter(|prompt| prompt.is_counted()).map(|prompt| prompt.session);
    count_rows(&mut sessions, ids, |session| &mut session.n_prompts);
    let counts: Vec<_> = sessions.iter().map(|session| session.n_prompts).collect();
    assert_eq!(counts, [2, 0, 0]);
}
