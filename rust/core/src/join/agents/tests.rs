use super::metas::metas;
use super::*;
use crate::discover::{FileKind, MetaNote};
use crate::join::made::{Joined, Made};
use crate::join::sessions::{count_rows, sessions};
use crate::side_file::{Damaged, Meta as Says};

type File = (MetaNote, Result<Says, Damaged>);

/// The meta file of an agent in `subagents` of a session.
fn meta(session: &str, agent: &str, says: Says) -> File {
    let note = noted(&format!("p/{session}/subagents/agent-{agent}.meta.json"), agent);
    (MetaNote { session_id: Some(session.to_owned()), ..note }, Ok(says))
}

fn noted(path: &str, agent: &str) -> MetaNote {
    MetaNote {
        path: path.into(),
        shown: path.to_owned(),
        source: "made".to_owned(),
        agent_id: agent.to_owned(),
        session_id: None,
        workflow_id: None,
    }
}

fn says(tool_use: &str, parent: &str) -> Says {
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Says { tool_use_id: said(tool_use), parent_agent_id: said(parent), ..Says::default() }
}

struct Rows {
    joined: Joined,
    agents: Vec<Agent>,
    findings: Vec<Finding>,
}

fn rows(made: Made, files: &[File]) -> Rows {
    let mut joined = made.join();
    let files: Vec<_> = files.iter().map(|(note, read)| (note, read.clone())).collect();
    let metas = metas(&mut joined.corpus, &joined.transcripts, &files);
    let notifications = Notifications::of(&joined.corpus);
    let (agents, findings) =
        agents(&joined.corpus, &metas, &joined.pairs, &joined.responses, &notifications);
    Rows { joined, agents, findings }
}

impl Rows {
    /// Id, what joined it, whether it dangles and whether it is an orphan.
    fn judged(&self) -> Vec<(&str, &str, bool, bool)> {
        let judged = |agent: &Agent| {
            let word = agent.joined_by.name();
            (agent.id, word, agent.is_dangling(), agent.is_orphan())
        };
        let all = self.agents.iter().map(judged);
        all.map(|(id, by, dangles, alone)| (self.joined.text(id), by, dangles, alone)).collect()
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.joined.text(symbol)
    }
}

#[test]
fn a_meta_file_joins_by_the_call_it_names_before_a_launch_that_names_the_agent() {
    let mut made = Made::new();
    made.parent("s1");
    made.launch("t1", "a1");
    made.launch("t2", "a2");
    made.call("t3", "Other");
    made.subagent("s1", "a1");
    made.record();
    let rows = rows(made, &[meta("s1", "a1", says("t3", ""))]);
    let expected = [("a2", "none", true, false), ("a1", "tool_use_id", false, false)];
    assert_eq!(rows.judged(), expected);
    let agent = &rows.agents[1];
    assert_eq!((agent.position, agent.launch), ((0, 5, 0), Some((0, 5, 0))));
    assert_eq!(agent.said.total_tokens, Some(70), "the launch that names it says so");
    assert_eq!(rows.text(agent.agent_type), "-", "t3 is no launch");
    assert_eq!(rows.text(agent.tool_use), "t3");
}

#[test]
fn without_meta_or_without_its_tool_use_id_the_launch_that_names_the_agent_joins() {
    let mut made = Made::new();
    made.parent("s1");
    made.launch("t1", "a1");
    made.launch("t2", "a2");
    made.launch("t3", "a1");
    made.subagent("s1", "a1");
    made.subagent("s1", "a2");
    let rows = rows(made, &[meta("s1", "a2", says("unknown", ""))]);
    let expected = [("a1", "agent_id", false, false), ("a2", "agent_id", false, false)];
    assert_eq!(rows.judged(), expected);
    assert_eq!(rows.agents[0].launch, Some((0, 1, 0)), "the first launch");
    assert_eq!(rows.text(rows.agents[0].agent_type), "explorer");
    assert_eq!(rows.text(rows.agents[1].tool_use), "unknown");
}

#[test]
fn the_last_launch_with_an_id_says_what_became_of_it() {
    let mut made = Made::new();
    made.parent("s1");
    made.launch("t1", "a1");
    made.call("t2", "Agent");
    let done = made.symbol("completed");
    made.result("t2", "a1").status = done;
    let rows = rows(made, &[]);
    assert_eq!(rows.text(rows.agents[0].said.status), "completed");
    assert_eq!(rows.agents[0].said.total_tokens, None, "nothing is taken from another result");
}

#[test]
fn inline_records_join_by_the_call_they_hang_on() {
    let mut made = Made::new();
    made.parent("s1");
    made.call("t1", "Task");
    made.inline("a1", "");
    made.inline("a1", "t1").timestamp = Some(5);
    made.inline("a1", "t9").timestamp = Some(3);
    made.inline("a2", "t9");
    let rows = rows(made, &[]);
    let expected = [("a1", "tool_use_id", true, false), ("a2", "none", false, false)];
    assert_eq!(rows.judged(), expected);
    let sums = &rows.agents[0].sums;
    assert_eq!(sums.n_inline_records, 3);
    assert_eq!((sums.first_timestamp, sums.last_timestamp), (Some(3), Some(5)));
    assert_eq!(rows.agents[1].position, (0, 5, 0));
}

#[test]
fn what_no_call_launches_joins_by_folder_parent_agent_or_session() {
    let mut made = Made::new();
    made.parent("s1");
    made.file("w1", FileKind::WorkflowAgent, ["s1", "a1", "wf_1"]);
    made.record();
    made.subagent("s1", "a2");
    made.record();
    made.subagent("s1", "a3");
    made.record();
    made.file("p/agent-a4.jsonl", FileKind::FlatAgent, ["", "a4", ""]);
    made.session("s1");
    made.record();
    made.file("p/agent-a5.jsonl", FileKind::FlatAgent, ["", "a5", ""]);
    made.session("s2");
    made.record();
    let metas = [meta("s1", "a2", says("", "a3")), meta("s1", "a3", says("", "a3"))];
    let rows = rows(made, &metas);
    let expected = [
        ("a1", "directory", false, false),
        ("a2", "agent_id", false, false),
        ("a3", "none", false, true),
        ("a4", "session", false, false),
        ("a5", "none", false, true),
    ];
    assert_eq!(rows.judged(), expected, "no agent is its own parent; s2 has no parent's file");
}

#[test]
fn nested_agents_name_their_parents_by_meta_or_by_the_call_they_made() {
    let mut made = Made::new();
    made.parent("s1");
    made.launch("t1", "a1");
    made.subagent("s1", "a1");
    made.launch("t2", "a2");
    made.subagent("s1", "a2");
    made.launch("t3", "a3");
    made.subagent("s1", "a3");
    made.record();
    let rows = rows(made, &[meta("s1", "a3", says("t3", "a9"))]);
    let parents: Vec<&str> = rows.agents.iter().map(|agent| rows.text(agent.parent)).collect();
    assert_eq!(parents, ["-", "a1", "a9"]);
}

#[test]
fn an_agent_stands_before_those_that_its_first_record_launches() {
    let mut made = Made::new();
    made.subagent("s1", "a2");
    made.launch("t1", "a1");
    let rows = rows(made, &[]);
    let expected = [("a2", "none", false, true), ("a1", "none", true, false)];
    assert_eq!(rows.judged(), expected);
}

#[test]
fn sums_go_by_session_and_agent() {
    let mut made = Made::new();
    made.subagent("s1", "a1");
    made.call("t1", "Bash");
    made.result("t1", "").is_error = Some(true);
    made.counted_usage("m1", "r1", 7);
    made.counted_usage("m1", "r1", 9);
    made.usage("m2", "r2");
    made.dated("u1", 8);
    made.parent("s2");
    let agent = made.symbol("a1");
    made.call("t1", "Bash").agent = agent;
    let rows = rows(made, &[]);
    let sums = &rows.agents[0].sums;
    let counts = [sums.n_records, sums.n_tool_calls, sums.n_failed, sums.n_responses];
    assert_eq!(counts, [6, 1, 1, 2]);
    assert_eq!((sums.tokens[1].value(), sums.tokens[0].value()), (Some(9), None));
    assert_eq!((sums.first_timestamp, sums.last_timestamp), (Some(8), Some(8)));
}

#[test]
fn the_last_notification_tells_how_an_agent_ended() {
    let mut made = Made::new();
    made.parent("s1");
    made.launch("t1", "a1");
    made.launch("t2", "a2");
    made.notification(["", "t1", "failed"]);
    made.notification(["a1", "", "completed"]);
    made.notification(["a2", "", ""]);
    let rows = rows(made, &[]);
    let notice = rows.agents[0].notice.expect("a notice");
    assert_eq!((notice.position, rows.text(notice.status)), ((0, 6, 0), "completed"));
    assert_eq!(rows.agents[0].said.total_tokens, Some(70), "the launch's word is first");
    assert!(rows.agents[1].notice.is_none());
}

#[test]
fn a_row_that_no_record_holds_stands_at_a_file() {
    let mut made = Made::new();
    made.parent("s0");
    made.subagent("s1", "a1");
    let nowhere = |agent: &str| noted(&format!("agent-{agent}.meta.json"), agent);
    let lost = MetaNote { source: "empty".to_owned(), ..nowhere("a5") };
    let files = [
        meta("s1", "a2", Says::default()),
        meta("s9", "a3", Says::default()),
        (nowhere("a4"), Ok(Says::default())),
        (nowhere("a4"), Ok(Says::default())),
        (lost, Ok(Says::default())),
    ];
    let rows = rows(made, &files);
    let places: Vec<_> =
        rows.agents.iter().map(|agent| (rows.text(agent.id), agent.position)).collect();
    let (session, source) = ((1, 0, 0), (0, 0, 0));
    let expected =
        [("a3", source), ("a4", source), ("a4", source), ("a1", session), ("a2", session)];
    assert_eq!(places, expected);
    let sessions: Vec<&str> = rows.agents.iter().map(|agent| rows.text(agent.session)).collect();
    assert_eq!(sessions, ["s9", "-", "-", "s1", "s1"]);
}

#[test]
fn a_meta_file_beside_a_transcript_has_its_session() {
    let mut made = Made::new();
    made.file("p/agent-a1.jsonl.gz", FileKind::FlatAgent, ["", "a1", ""]);
    made.session("s1");
    made.record();
    let rows = rows(made, &[(noted("p/agent-a1.meta.json", "a1"), Ok(Says::default()))]);
    assert_eq!(rows.agents.len(), 1);
    assert!(rows.agents[0].has_meta);
    assert_eq!(rows.text(rows.agents[0].session), "s1");
}

#[test]
fn what_is_wrong_with_a_meta_file_is_told_at_its_row() {
    let mut made = Made::new();
    made.parent("s1");
    made.subagent("s1", "a1");
    let damaged = (meta("s1", "a1", Says::default()).0, Err(Damaged));
    let odd = meta("s1", "a2", Says { bad_values: 2, ..Says::default() });
    let second = (MetaNote { shown: "q".to_owned(), ..damaged.0.clone() }, Err(Damaged));
    let rows = rows(made, &[damaged, odd, second]);
    let found: Vec<_> = (rows.findings.iter())
        .map(|finding| (finding.code.name(), finding.file, finding.line, finding.count))
        .collect();
    let damaged = ("damaged_side_file", 1, 0, 1);
    assert_eq!(found, [damaged, ("bad_value", 0, 0, 2), damaged]);
    assert!(rows.findings[0].message.contains("agent-a1.meta.json"));
    assert!(rows.agents.iter().all(|agent| agent.has_meta));
}

#[test]
fn agents_are_counted_by_session() {
    let mut made = Made::new();
    made.parent("s0");
    made.record();
    for [session, agent] in [["s1", "a1"], ["s2", "a1"], ["s2", "a2"]] {
        made.subagent(session, agent);
        made.record();
    }
    let rows = rows(made, &[]);
    let joined = &rows.joined;
    let mut sessions = sessions(&joined.corpus, &joined.responses, &joined.pairs);
    let ids = rows.agents.iter().map(|agent| agent.session);
    count_rows(&mut sessions, ids, |session| &mut session.n_agents);
    let counts: Vec<_> =
        sessions.iter().map(|session| (rows.text(session.id), session.n_agents)).collect();
    assert_eq!(counts, [("s0", 0), ("s1", 1), ("s2", 2)]);
}
