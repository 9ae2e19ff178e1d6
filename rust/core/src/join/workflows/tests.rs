use super::*;
use crate::facts::further::LaunchResult;
use crate::join::made::{Joined, Made};

type File = (WorkflowNote, Result<WorkflowFile, Damaged>);

fn definition(session: &str, workflow: &str, says: WorkflowFile) -> File {
    let path = format!("p/{session}/workflows/{workflow}.json");
    let note = WorkflowNote {
        path: path.clone().into(),
        shown: path,
        source: "made".to_owned(),
        workflow_id: workflow.to_owned(),
        session_id: Some(session.to_owned()),
    };
    (note, Ok(says))
}

fn rows(made: Made, files: &[File]) -> (Joined, Vec<Workflow>, Vec<Finding>) {
    let mut joined = made.join();
    let files: Vec<_> = files.iter().map(|(note, read)| (note, read.clone())).collect();
    let definitions = definitions(&mut joined.corpus, &joined.transcripts, &files);
    let (workflows, findings) = workflows(&joined.corpus, &definitions, &joined.pairs);
    (joined, workflows, findings)
}

fn start(made: &mut Made, id: &str, [folder, run, name]: [&str; 3]) {
    made.call(id, "Workflow");
    let [transcript_dir, run_id, workflow_name] = [folder, run, name].map(|text| made.symbol(text));
    let said = LaunchResult { workflow_name, run_id, transcript_dir, ..LaunchResult::default() };
    made.result(id, "").launch = Some(Box::new(said));
}

#[test]
fn journals_transcripts_definitions_and_calls_are_one_run() {
    let mut made = Made::new();
    made.parent("s1");
    start(&mut made, "t1", ["/h/wf_1/", "run one", "old"]);
    start(&mut made, "t2", [r"C:\h\wf_1", "run two", "new"]);
    start(&mut made, "t3", ["elsewhere", "wf_2", "by run"]);
    made.file("w/journal.jsonl", FileKind::Journal, ["s1", "", "wf_1"]);
    let kinds = ["started", "started", "result", "note"].map(|kind| made.symbol(kind));
    for kind in kinds {
        made.record_of(|record| record.kind = kind);
    }
    made.file("w/agent-a1.jsonl", FileKind::WorkflowAgent, ["s1", "a1", "wf_1"]);
    made.file("v/agent-a2.jsonl", FileKind::WorkflowAgent, ["s1", "a2", "wf_2"]);
    made.record();
    let says = WorkflowFile {
        workflow_name: Some("defined".to_owned()),
        total_tokens: Some(5),
        ..WorkflowFile::default()
    };
    let (joined, workflows, findings) = rows(made, &[definition("s1", "wf_1", says)]);
    let [first, second] = &workflows[..] else { panic!("{workflows:?}") };
    assert_eq!((first.position, second.position), ((1, 1, 0), (3, 1, 0)));
    assert_eq!((first.n_started, first.n_results, first.n_transcripts), (2, 1, 1));
    assert_eq!((joined.text(first.run), joined.text(first.name)), ("run two", "defined"));
    assert_eq!(
        (first.has_journal, first.has_definition, first.total_tokens),
        (true, true, Some(5))
    );
    assert_eq!((joined.text(second.run), joined.text(second.name)), ("wf_2", "by run"));
    assert_eq!((second.has_journal, second.has_definition), (false, false));
    assert!(findings.is_empty());
}

#[test]
fn a_run_without_records_stands_at_its_call_or_at_a_file() {
    let mut made = Made::new();
    made.parent("s0");
    made.parent("s1");
    start(&mut made, "t1", ["/h/wf_1", "", ""]);
    made.file("w/journal.jsonl", FileKind::Journal, ["s1", "", "wf_4"]);
    let files = ["wf_1", "wf_2", "wf_3"].map(|id| definition("s1", id, WorkflowFile::default()));
    let [called, mut broken, mut lost] = files;
    broken.1 = Err(Damaged);
    lost.0.session_id = None;
    let (joined, workflows, findings) = rows(made, &[called, broken, lost]);
    let places: Vec<_> = workflows.iter().map(|row| (joined.text(row.id), row.position)).collect();
    let expected =
        [("wf_3", (0, 0, 0)), ("wf_2", (1, 0, 0)), ("wf_1", (1, 1, 0)), ("wf_4", (2, 0, 0))];
    assert_eq!(places, expected);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!((finding.code.name(), finding.file), ("damaged_side_file", 1));
    assert!(finding.message.starts_with("wf_2.json "));
}

#[test]
fn runs_of_different_sessions_are_apart() {
    let mut made = Made::new();
    made.parent("s1");
    start(&mut made, "t1", ["wf_1", "one", ""]);
    made.file("v/journal.jsonl", FileKind::Journal, ["s1", "", "wf_1"]);
    made.file("w/journal.jsonl", FileKind::Journal, ["s2", "", "wf_1"]);
    made.file("x/journal.jsonl", FileKind::Journal, ["", "", "wf_1"]);
    made.file("y/journal.jsonl", FileKind::Journal, ["s3", "", ""]);
    let (joined, workflows, _) = rows(made, &[]);
    let runs: Vec<_> = workflows
        .iter()
        .map(|row| (joined.text(row.session), joined.text(row.run), row.position.0))
        .collect();
    assert_eq!(runs, [("s1", "one", 1), ("s2", "-", 2), ("-", "-", 3)]);
}
