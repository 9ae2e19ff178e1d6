use super::*;
use crate::join::made::Made;
use crate::join::sessions::sessions;

fn plain() -> Turn {
    Turn::default()
}

fn of(made: &mut Made, message: &str) -> Turn {
    Turn { message: made.symbol(message), ..plain() }
}

fn call() -> Turn {
    Turn { last: LastBlock::Call, ..plain() }
}

/// The only session's ending.
fn end(made: &Made) -> Ending<'_> {
    let sessions = sessions(&made.corpus, &[], &[]);
    let mut all = endings(&made.corpus, &sessions, &[]);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn begun() -> Made {
    let mut made = Made::new();
    made.parent("a");
    made.at(Some(4));
    made.user(plain());
    made
}

fn kinds(made: &Made) -> (&'static str, Option<&'static str>, u64) {
    let end = end(made);
    (end.kind.name(), end.last_assistant_kind, end.position.1)
}

#[test]
fn without_a_response_a_session_is_empty() {
    let mut made = begun();
    made.user(Turn { is_interruption: true, ..plain() });
    made.assistant(&["side"], Turn { is_sidechain: true, ..plain() });
    made.assistant(&["meta"], Turn { is_meta: true, ..plain() });
    made.assistant(&["replay"], plain());
    made.stands(Standing::Replay);
    let end = end(&made);
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
        let mut made = begun();
        made.assistant(&["earlier"], plain());
        made.assistant(words, turn);
        assert_eq!(kinds(&made), (kind, Some(last), 3));
    }
}

#[test]
fn a_response_is_all_records_of_its_message() {
    let mut made = begun();
    let turn = of(&mut made, "m1");
    made.assistant(&["other"], plain());
    made.assistant(&["Is it so?", "Yes"], turn.clone());
    made.assistant(&["other"], plain());
    made.user(plain());
    made.assistant(&[], Turn { last: LastBlock::None, has_thinking: true, ..turn.clone() });
    let end = end(&made);
    assert_eq!(end.text().as_deref(), Some("Is it so?\nYes"));
    assert_eq!(kinds(&made), ("done", Some("text"), 6));
    made.assistant(&[], Turn { is_meta: true, ..call() });
    assert_eq!(kinds(&made).0, "done", "another message's, and meta");
    made.assistant(&[], Turn { is_meta: true, last: LastBlock::Call, ..turn });
    assert_eq!(kinds(&made), ("no_reply", Some("tool_use"), 8));
}

#[test]
fn records_without_a_message_id_are_responses_of_their_own() {
    for message in ["", "none"] {
        let mut made = begun();
        let turn = if message.is_empty() { of(&mut made, "") } else { plain() };
        made.assistant(&["first"], turn.clone());
        made.assistant(&["second"], turn);
        assert_eq!(end(&made).words, ["second"]);
    }
}

#[test]
fn an_interruption_counts_while_nothing_follows() {
    let mut made = begun();
    made.assistant(&["words"], plain());
    made.api_error();
    assert_eq!(kinds(&made).0, "api_error");
    made.user(Turn { is_interruption: true, ..plain() });
    assert_eq!(kinds(&made), ("interrupted", Some("text"), 2));
    made.user(Turn { is_sidechain: true, ..plain() });
    assert_eq!(kinds(&made).0, "interrupted");
    made.user(plain());
    assert_eq!(kinds(&made).0, "api_error");
}

#[test]
fn any_error_of_the_response_counts_but_none_before_it() {
    let mut made = begun();
    let turn = of(&mut made, "m");
    made.assistant(&[], turn.clone());
    made.api_error();
    made.assistant(&["words"], turn);
    assert_eq!(kinds(&made).0, "api_error");
    made.assistant(&["words"], plain());
    assert_eq!(kinds(&made).0, "done");
}

#[test]
fn messages_belong_to_their_session_else_to_their_files_and_never_to_codex() {
    let mut made = begun();
    made.session("b");
    made.assistant(&["b's"], plain());
    let mut last = Made::new();
    last.parent("a");
    last.record();
    last.codex("a");
    last.assistant(&["codex"], plain());
    assert_eq!(end(&last).kind, Kind::Empty);
    let sessions = sessions(&made.corpus, &[], &[]);
    let ends = endings(&made.corpus, &sessions, &[]);
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
        let mut made = begun();
        made.assistant(words, plain());
        assert_eq!(end(&made).ends_with_question(), Some(asks), "{words:?}");
    }
    let mut made = begun();
    made.assistant(&[], call());
    assert_eq!(end(&made).ends_with_question(), None);
}

#[test]
fn pending_are_the_calls_that_nothing_answers_in_the_whole_session() {
    let mut made = begun();
    made.call("t1", "Bash");
    made.call("t2", "Bash").is_sidechain = Some(false);
    made.call("t3", "Bash").is_sidechain = Some(true);
    made.call("", "Bash");
    made.call("t4", "Bash");
    made.call("t2", "Bash");
    made.result("t4", "");
    made.unit();
    made.parent("a");
    made.call("t1", "Bash");
    made.call("t4", "Bash");
    made.session("b");
    made.call("t2", "Bash");
    made.call("t1", "Bash");
    made.result("t1", "");
    made.result("t2", "");
    let made = made.join();
    let sessions = sessions(&made.corpus, &[], &[]);
    let ends = endings(&made.corpus, &sessions, &made.pairs);
    let pending = |end: &Ending<'_>| -> Vec<&str> {
        let ids = end.pending_tool_use_ids.iter();
        ids.filter_map(|id| made.corpus.strings.text(*id)).collect()
    };
    assert_eq!(pending(&ends[0]), ["t2"]);
    assert_eq!(pending(&ends[1]), ["t1"]);
}
