use super::*;
use crate::join::by_hand::ByHand;
use crate::join::sessions::sessions;

fn plain() -> Turn {
    Turn::default()
}

fn of(hand: &mut ByHand, message: &str) -> Turn {
    Turn { message: hand.symbol(message), ..plain() }
}

fn call() -> Turn {
    Turn { last: LastBlock::Call, ..plain() }
}

/// The only session's ending.
fn end(hand: &ByHand) -> Ending<'_> {
    let sessions = sessions(&hand.corpus, &[], &[]);
    let mut all = endings(&hand.corpus, &sessions, &[]);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn begun() -> ByHand {
    let mut hand = ByHand::new("a");
    hand.session("a");
    hand.at(Some(4));
    hand.user(plain());
    hand
}

fn kinds(hand: &ByHand) -> (&'static str, Option<&'static str>, u64) {
    let end = end(hand);
    (end.kind.name(), end.last_assistant_kind, end.position.1)
}

#[test]
fn without_a_response_a_session_is_empty() {
    let mut hand = begun();
    hand.user(Turn { is_interruption: true, ..plain() });
    hand.assistant(&["side"], Turn { is_sidechain: true, ..plain() });
    hand.assistant(&["meta"], Turn { is_meta: true, ..plain() });
    hand.assistant(&["replay"], plain());
    hand.stands(Standing::Replay);
    let end = end(&hand);
    assert_eq!((end.kind, end.last_assistant_kind, end.position), (Kind::Empty, None, (0, 1, 0)));
    assert_eq!((end.text(), end.ends_with_question()), (None, None));
    assert_eq!(end.last_timestamp, Some(4));
}

#[test]
fn the_last_call_or_words_of_the_response_decide() {
    for (turn, words, kind, last) in [
        (plain(), &["Done."][..], "done", "text"),
        (call(), &[], "no_reply", "tool_use"),
        (Turn { has_thinking: true, ..plain() }, &[], "no_reply", "thinking"),
        (plain(), &[], "no_reply", "empty"),
        (Turn { has_thinking: true, ..plain() }, &["Done."], "done", "text"),
    ] {
        let mut hand = begun();
        hand.assistant(&["earlier"], plain());
        hand.assistant(words, turn);
        assert_eq!(kinds(&hand), (kind, Some(last), 3));
    }
}

#[test]
fn a_response_is_all_records_of_its_message() {
    let mut hand = begun();
    let turn = of(&mut hand, "m1");
    hand.assistant(&["other"], plain());
    hand.assistant(&["Is it so?", "Yes"], turn.clone());
    hand.assistant(&["other"], plain());
    hand.user(plain());
    hand.assistant(&[], Turn { last: LastBlock::None, has_thinking: true, ..turn.clone() });
    let end = end(&hand);
    assert_eq!(end.text().as_deref(), Some("Is it so?\nYes"));
    assert_eq!(kinds(&hand), ("done", Some("text"), 6));
    hand.assistant(&[], Turn { is_meta: true, ..call() });
    assert_eq!(kinds(&hand).0, "done", "another message's, and meta");
    hand.assistant(&[], Turn { is_meta: true, last: LastBlock::Call, ..turn });
    assert_eq!(kinds(&hand), ("no_reply", Some("tool_use"), 8));
}

#[test]
fn records_without_a_message_id_are_responses_of_their_own() {
    for message in ["", "none"] {
        let mut hand = begun();
        let turn = if message.is_empty() { of(&mut hand, "") } else { plain() };
        hand.assistant(&["first"], turn.clone());
        hand.assistant(&["second"], turn);
        assert_eq!(end(&hand).words, ["second"]);
    }
}

#[test]
fn an_interruption_counts_while_nothing_follows() {
    let mut hand = begun();
    hand.assistant(&["words"], plain());
    hand.api_error();
    assert_eq!(kinds(&hand).0, "api_error");
    hand.user(Turn { is_interruption: true, ..plain() });
    assert_eq!(kinds(&hand), ("interrupted", Some("text"), 2));
    hand.user(Turn { is_sidechain: true, ..plain() });
    assert_eq!(kinds(&hand).0, "interrupted");
    hand.user(plain());
    assert_eq!(kinds(&hand).0, "api_error");
}

#[test]
fn any_error_of_the_response_counts_but_none_before_it() {
    let mut hand = begun();
    let turn = of(&mut hand, "m");
    hand.assistant(&[], turn.clone());
    hand.api_error();
    hand.assistant(&["words"], turn);
    assert_eq!(kinds(&hand).0, "api_error");
    hand.assistant(&["words"], plain());
    assert_eq!(kinds(&hand).0, "done");
}

#[test]
fn messages_belong_to_their_session_else_to_their_files_and_never_to_codex() {
    let mut hand = begun();
    hand.session("b");
    hand.assistant(&["b's"], plain());
    let mut last = ByHand::new("a");
    last.session("a");
    last.record();
    last.file("a");
    last.codex();
    last.assistant(&["codex"], plain());
    assert_eq!(end(&last).kind, Kind::Empty);
    let sessions = sessions(&hand.corpus, &[], &[]);
    let ends = endings(&hand.corpus, &sessions, &[]);
    let found: Vec<_> = ends.iter().map(|end| (end.kind, end.position)).collect();
    assert_eq!(found, [(Kind::Empty, (0, 1, 0)), (Kind::Done, (0, 2, 0))]);
}

#[test]
fn a_question_may_be_dressed_up() {
    for (words, asks) in [
        (&["Shall I?"][..], true),
        (&["**Shall I?**\n"], true),
        (&["(Or „so?”) ` \" _' »] ’"], true),
        (&["続けますか？"], true),
        (&["Shall I? Yes."], false),
        (&["Shall I?", "Yes."], false),
        (&["Yes.", "Shall I?", "**", "__\n"], true),
        (&["**"], false),
        (&["Shall I?\u{a0}"], false),
        (&["Shall I ?>"], false),
    ] {
        let mut hand = begun();
        hand.assistant(words, plain());
        assert_eq!(end(&hand).ends_with_question(), Some(asks), "{words:?}");
    }
    let mut hand = begun();
    hand.assistant(&[], call());
    assert_eq!(end(&hand).ends_with_question(), None);
}

#[test]
fn pending_are_the_calls_that_nothing_answers_in_the_whole_session() {
    let mut hand = begun();
    let mut pairs = vec![
        hand.call("t1", None, false),
        hand.call("t2", Some(false), false),
        hand.call("t3", Some(true), false),
        hand.call("", None, false),
        hand.call("t4", None, true),
        hand.call("t2", None, false),
    ];
    hand.unit("a");
    hand.session("a");
    pairs.extend([hand.call("t1", None, true), hand.call("t4", None, false)]);
    hand.session("b");
    pairs.extend([hand.call("t2", None, true), hand.call("t1", None, false)]);
    let sessions = sessions(&hand.corpus, &[], &[]);
    let ends = endings(&hand.corpus, &sessions, &pairs);
    let pending = |end: &Ending<'_>| -> Vec<&str> {
        let ids = end.pending_tool_use_ids.iter();
        ids.filter_map(|id| hand.corpus.strings.text(*id)).collect()
    };
    assert_eq!(pending(&ends[0]), ["t2"]);
    assert_eq!(pending(&ends[1]), ["t1"]);
}
