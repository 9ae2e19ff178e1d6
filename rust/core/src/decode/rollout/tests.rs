//! What the payload of a record says, and what is wrong with it.

use super::*;
use crate::decode::fields::{Place, record};
use crate::record::rollout::{Part, Totals};
use crate::record::{Block, ResultKind};

fn read<T>(json: &str, look: impl FnOnce(&Record<'_>) -> T) -> T {
    let mut read = Record::at(0);
    let mut scanner = Scanner::new(json, 0, json.len());
    record(&mut scanner, Place::File, &mut read).expect("a record");
    look(&read)
}

fn item(payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-03-01T10:00:00Z","type":"response_item","payload":{payload}}}"#)
}

fn flaws(json: &str) -> (u32, u32) {
    read(json, |record| (record.flaws.bad_values, record.flaws.duplicate_keys))
}

fn text(raw: Option<Raw<'_>>) -> String {
    raw.map_or_else(|| "-".to_owned(), |raw| raw.text().into_owned())
}

#[test]
fn the_payload_fills_what_the_envelope_leaves_null() {
    let json = r#"{"type":"session_meta","cwd":"/hill","payload":{"id":"s1","cwd":"/dale",
        "cli_version":"0.9","originator":"kiln","git":{"branch":"moss"},"forked_from_id":"s0",
        "type":"begun"}}"#;
    read(json, |record| {
        let said = [Str::Subtype, Str::SessionId, Str::Cwd, Str::Version, Str::GitBranch];
        let said = said.map(|field| text(record.string(field)));
        assert_eq!(said, ["begun", "s1", "/hill", "0.9", "moss"]);
        assert_eq!(text(record.string(Str::Entrypoint)), "kiln");
        assert_eq!(text(record.forked_from_session_id), "s0");
        assert!(!record.is_fork && matches!(record.further, Further::None));
    });
    let json = r#"{"type":"turn_context","payload":{"model":"m","effort":"low","cwd":"/fen"}}"#;
    read(json, |record| {
        let model = record.message.as_ref().and_then(|message| message.model);
        let said = [record.string(Str::Cwd), record.string(Str::Effort), model].map(text);
        assert_eq!(said, ["/fen", "low", "m"]);
    });
}

#[test]
fn only_what_is_read_has_flaws_and_only_in_a_rollout() {
    for (json, wanted) in [
        (r#"{"type":"session_meta","payload":{"id":7,"git":{"branch":1},"model":2}}"#, (2, 0)),
        (r#"{"type":"session_meta","payload":{"id":"a","id":"b","role":"c","role":"d"}}"#, (0, 1)),
        (r#"{"type":"session_meta","payload":7,"payload":{"id":"a"}}"#, (0, 1)),
        (r#"{"type":"session_meta","payload":{"id":"a"},"payload":7}"#, (0, 0)),
        (r#"{"type":"session_meta","payload":"x"}"#, (0, 0)),
        (r#"{"type":"notes","payload":{"id":7},"payload":{"id":8}}"#, (0, 0)),
        (r#"{"type":"event_msg","payload":{"type":"task_started","info":7}}"#, (0, 0)),
        (r#"{"type":"event_msg","payload":{"type":"token_count","info":7}}"#, (1, 0)),
        (r#"{"type":"compacted","payload":{"message":["x"]}}"#, (1, 0)),
    ] {
        assert_eq!(flaws(json), wanted, "{json}");
    }
    read(r#"{"type":"session_meta","payload":"x"}"#, |record| assert!(record.rollout.is_none()));
}

#[test]
fn entries_are_blocks_and_four_types_of_them_have_text() {
    let entries = r#"["loose",{"type":"input_text","text":"one"},{"text":"two","type":"output_text"},
        {"type":"tool_use","text":3,"id":"x"},{"type":"text","text":4},5,{"type":"image"}]"#;
    let json = item(&format!(r#"{{"type":"message","role":"user","content":{entries}}}"#));
    read(&json, |record| {
        let content = record.content.as_ref().expect("content");
        let texts = content.blocks.iter().map(|block| (block.index, text(block.text)));
        let wanted = [(0, "loose"), (1, "one"), (2, "two"), (3, "-"), (4, "-"), (6, "-")];
        assert_eq!(texts.collect::<Vec<_>>(), wanted.map(|(at, text)| (at, text.to_owned())));
        assert!(!content.blocks.iter().any(|block| block.is_call() || block.is_result()));
        assert_eq!((content.entries, text(record.role())), (7, "user".to_owned()));
    });
    assert_eq!(flaws(&json), (2, 0));
    let json = item(r#"{"type":"reasoning","summary":"quiet","content":[{"type":"x"}]}"#);
    read(&json, |record| assert_eq!(text(record.blocks()[0].text), "quiet"));
    for nothing in [r#"{"type":"message","content":null}"#, r#"{"type":"other","content":["x"]}"#] {
        read(&item(nothing), |record| assert!(record.content.is_none()));
    }
    read(r#"{"type":"event_msg","content":"x","payload":{"type":"user_message"}}"#, |record| {
        assert!(record.content.is_none());
    });
    let both = r#"{"type":"compacted","message":"own","payload":{"message":"other"}}"#;
    read(both, |record| assert_eq!(text(record.blocks()[0].text), "own"));
}

fn only<T>(payload: &str, look: impl FnOnce(&Block<'_>) -> T) -> T {
    read(&item(payload), |record| {
        assert_eq!(record.blocks().len(), 1, "{payload}");
        look(&record.blocks()[0])
    })
}

#[test]
fn a_call_has_a_name_and_an_input() {
    for (payload, name, input) in [
        (
            r#"{"type":"function_call","name":"dig","arguments":"{\"at\":\"caf\u00e9\"}"}"#,
            "dig",
            r#"{"at":"café"}"#,
        ),
        (r#"{"type":"function_call","name":"dig","arguments":{"at": 1}}"#, "dig", r#"{"at": 1}"#),
        (
            r#"{"type":"custom_tool_call","name":"sow","arguments":null,"input":"a\nb"}"#,
            "sow",
            r#""a\nb""#,
        ),
        (r#"{"type":"local_shell_call","action":["ls"]}"#, "local_shell", r#"["ls"]"#),
        (r#"{"type":"tool_search_call","input":null,"action":0}"#, "tool_search", "0"),
        (
            r#"{"type":"function_call","name":"dig","namespace":"mcp__farm","arguments":""}"#,
            "mcp__farm__dig",
            "",
        ),
        (
            r#"{"type":"function_call","namespace":"mcp__farm","input":1}"#,
            "mcp__farm__function",
            "1",
        ),
        (r#"{"type":"function_call","name":"dig","namespace":"farm","input":1}"#, "dig", "1"),
    ] {
        only(payload, |block| {
            assert!(block.is_call() && !block.is_server_call() && !block.is_result());
            let own = block.name.map(|name| name.text().into_owned());
            let found = block.made_name().or(own.as_deref());
            assert_eq!((found, block.input_json()), (Some(name), Some(input)));
        });
    }
    only(r#"{"type":"function_call","call_id":"c1"}"#, |block| {
        assert_eq!((text(block.id), block.input_json().is_none()), ("c1".to_owned(), true));
    });
}

#[test]
fn a_result_is_a_string_or_entries() {
    for (output, kind, chars, images) in [
        (r#""grün""#, ResultKind::String, 4, 0),
        (
            r#"[{"type":"input_text","text":"ab"},"c",{"type":"input_image"}]"#,
            ResultKind::Blocks,
            4,
            1,
        ),
        (r#"[{"type":"text","text":"ab"},{"type":"image"}]"#, ResultKind::Blocks, 2, 1),
        (r#"{"type":"input_text","text":"ab"}"#, ResultKind::Blocks, 2, 0),
        (r#"{"content":"ab"}"#, ResultKind::Blocks, 0, 0),
        ("null", ResultKind::Absent, 0, 0),
        ("7", ResultKind::Absent, 0, 0),
    ] {
        let payload =
            format!(r#"{{"type":"function_call_output","call_id":"c1","output":{output}}}"#);
        only(&payload, |block| {
            assert_eq!(block.of_rollout, Some(Part::Result));
            let result = &block.result;
            assert_eq!((result.kind, result.chars, result.images), (kind, chars, images));
            assert_eq!((text(block.tool_use_id), block.is_error), ("c1".to_owned(), None));
            let said = crate::decode::content::result_text(result);
            let count = said.map_or(0, |said| said.chars().count());
            assert_eq!(count as i64, chars, "{output}");
        });
        assert_eq!(flaws(&item(&payload)).0, u32::from(output == "7"));
    }
    let json = r#"{"type":"response_item","toolUseResult":"x","payload":{
        "type":"custom_tool_call_output","output":"y"}}"#;
    read(json, |record| assert_eq!(record.tool_use_result.carrier.name(), "absent"));
}

#[test]
fn totals_are_counts() {
    let totals = |info: &str| {
        let json =
            format!(r#"{{"type":"event_msg","payload":{{"type":"token_count","info":{info}}}}}"#);
        let totals = read(&json, |record| record.rollout.as_ref().and_then(|said| said.totals));
        (totals, flaws(&json))
    };
    let all = r#"{"total_token_usage":{"input_tokens":9,"cached_input_tokens":-1,
        "output_tokens":1.5,"reasoning_output_tokens":0},"last_token_usage":7}"#;
    let wanted = Totals { input: Some(9), reasoning: Some(0), ..Totals::default() };
    assert_eq!(totals(all), (Some(wanted), (2, 0)));
    let twice = r#"{"total_token_usage":{"input_tokens":"x"},"total_token_usage":{}}"#;
    assert_eq!(totals(twice), (Some(Totals::default()), (0, 1)));
    for (nothing, bad) in [("null", 0), ("{}", 0), (r#"{"total_token_usage":null}"#, 0), ("3", 1)] {
        assert_eq!(totals(nothing), (None, (bad, 0)), "{nothing}");
    }
}
