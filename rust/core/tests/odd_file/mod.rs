//! A small file with everything that could go wrong where work is cut: every
//! repair, replays, calls and results far from each other, copies of usage.

/// Its lines, without their line feeds; the last one is still being written.
pub(crate) fn lines() -> Vec<Vec<u8>> {
    let first = assistant("u1", "m1", 3, &call("Bash", "t1"), "null", SESSION);
    let answer = user("u3", &result("t1"));
    let torn = [&first[..90], &user("u6", &result("t9"))].concat();
    let texts: [&[u8]; 20] = [
        &[b"\xEF\xBB\xBF", &first[..]].concat(),
        &user("u2", &result("t2")),
        b"",
        b" \t\r",
        &[&assistant("u4", "m1", 40, &call("Read", "t2"), "\"tool_use\"", SESSION)[..], b"\r"]
            .concat(),
        &answer,
        &[b"\0\0", &answer[..], b"\0"].concat(),
        &[&first[..], b" \0 ", &user("u5", &result("t1"))].concat(),
        &torn,
        br#"{"type":"user","uuid":"u1","message":"another payload"}"#,
        b"[1, 2]",
        b"{\"broken\": \x01}",
        b"{\"type\":\"user\",\"uuid\":\"u7\",\"text\":\"\xFF\xFE \xE2\x80\xA8\"}",
        &[0; 9],
        &[b'['; 520],
        &first,
        &assistant("u8", "m2", 7, &call("Bash", "t1"), "null", OTHER),
        br#"{"type":"invented_type","version":"1","timestamp":1782900000,"slug":1,"slug":2}"#,
        br#"{"type":"user","uuid":"u9","message":{"content":["\ud800",{"type":"thinking"}]}}"#,
        br#"{"still being writ"#,
    ];
    texts.iter().map(|text| text.to_vec()).collect()
}

const SESSION: &str = "11111111-aaaa-4aaa-8aaa-000000000001";
const OTHER: &str = "22222222-bbbb-4bbb-8bbb-000000000002";

fn assistant(
    uuid: &str,
    message: &str,
    output: u32,
    block: &str,
    stop: &str,
    session: &str,
) -> Vec<u8> {
    format!(
        r#"{{"type":"assistant","uuid":"{uuid}","sessionId":"{session}","requestId":"r1","timestamp":"2026-07-01T10:00:{output:02}.5Z","message":{{"id":"{message}","model":"invented-1","role":"assistant","content":[{block}],"stop_reason":{stop},"usage":{{"input_tokens":2,"output_tokens":{output},"iterations":[{{"type":"compaction","input_tokens":9}}]}}}}}}"#
    )
    .into_bytes()
}

fn user(uuid: &str, block: &str) -> Vec<u8> {
    format!(
        r#"{{"type":"user","uuid":"{uuid}","sessionId":"{SESSION}","timestamp":"2026-07-01T10:01:00Z","message":{{"role":"user","content":[{block}]}},"toolUseResult":{{"stdout":"größer 🚲","interrupted":false}}}}"#
    )
    .into_bytes()
}

fn call(name: &str, id: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{{"command":"ls -l"}}}}"#)
}

fn result(id: &str) -> String {
    format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"a\u00e9\ud800"}}"#)
}
