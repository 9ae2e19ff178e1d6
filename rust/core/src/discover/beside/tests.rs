use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::super::{Root, discover};
use super::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn write(home: &Path, files: &[&str]) -> std::io::Result<()> {
    for file in files {
        let path = home.join(file);
        fs::create_dir_all(path.parent().unwrap_or(home))?;
        fs::write(path, "{}\n")?;
    }
    Ok(())
}

fn beside(home: &Path, sources: &[(&str, &str)]) -> Beside {
    let root = |(label, path): &(&str, &str)| Root {
        label: (*label).to_owned(),
        path: if path.is_empty() { home.into() } else { home.join(path) },
    };
    discover(&sources.iter().map(root).collect::<Vec<_>>(), None).beside
}

fn below<'a>(home: &Path, paths: impl IntoIterator<Item = &'a PathBuf>) -> Vec<String> {
    let cut = |path: &PathBuf| Some(path.strip_prefix(home).ok()?.to_str()?.to_owned());
    paths.into_iter().filter_map(cut).collect()
}

fn metas(home: &Path, beside: &Beside) -> Vec<String> {
    below(home, beside.metas.iter().map(|note| &note.path))
}

#[test]
fn each_kind_is_told_by_its_name_and_folder() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    write(
        home,
        &[
            "p/s/subagents/agent-a1.meta.json",
            "p/s/subagents/agent-a1.jsonl",
            "p/s/subagents/agent-a2.meta.json.bak",
            "p/s/subagents/workflows/wf_1/agent-b.meta.json",
            "p/s/workflows/wf_1.json",
            "p/s/workflows/other.json",
            "p/s/workflows/deeper/wf_2.json",
            "p/s/workflows/scripts/run.js",
            "p/s/workflows/scripts/agent-c.meta.json",
            "p/s/workflows/scripts/deeper/run.js",
            "p/s/scripts/run.js",
            "p/memory/notes.md",
            "p/memory/notes.txt",
            "p/notes.md",
            "p/s/file-history/agent-d.meta.json",
        ],
    )?;
    let beside = beside(home, &[("a", "")]);
    assert_eq!(
        metas(home, &beside),
        [
            "p/s/subagents/agent-a1.meta.json",
            "p/s/subagents/workflows/wf_1/agent-b.meta.json",
            "p/s/workflows/scripts/agent-c.meta.json",
        ]
    );
    let workflows = below(home, beside.workflows.iter().map(|note| &note.path));
    assert_eq!(workflows, ["p/s/workflows/wf_1.json"]);
    let counts = BesideCounts { meta: 3, workflow: 1, memory: 1, script: 1, tool_result: 0 };
    assert_eq!(beside.counts, counts);
    Ok(())
}

#[test]
fn notes_say_what_their_path_says() -> Outcome {
    let home = tempfile::tempdir()?;
    write(
        home.path(),
        &[
            "s/subagents/workflows/wf_1/agent-acompact-b.meta.json",
            "s/workflows/wf_1.json",
            "agent-c.meta.json",
        ],
    )?;
    let beside = beside(home.path(), &[("label", "")]);
    let said = |note: &MetaNote| {
        (note.agent_id.clone(), note.session_id.clone(), note.workflow_id.clone())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(said(&beside.metas[0]), ("c".to_owned(), None, None));
    assert_eq!(said(&beside.metas[1]), ("acompact-b".to_owned(), some("s"), some("wf_1")));
    assert_eq!(beside.metas[0].source, "label");
    let workflow = &beside.workflows[0];
    assert_eq!((&*workflow.workflow_id, workflow.session_id.clone()), ("wf_1", some("s")));
    Ok(())
}

#[test]
fn a_meta_file_has_the_stem_of_its_transcript() -> Outcome {
    let home = tempfile::tempdir()?;
    write(home.path(), &["agent-a.jsonl.gz", "agent-a.meta.json", "agent-ab.jsonl"])?;
    let root = Root { label: "a".to_owned(), path: home.path().into() };
    let found = discover(&[root], None);
    let stems: Vec<bool> =
        found.transcripts.iter().map(|each| each.stem() == found.beside.metas[0].stem()).collect();
    assert_eq!(stems, [true, false]);
    Ok(())
}

#[test]
fn tool_results_are_counted_at_any_depth_without_links() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    write(
        home,
        &[
            "p/s/tool-results/a.txt",
            "p/s/tool-results/b.jsonl",
            "p/s/tool-results/deep/er/agent-a.meta.json",
            "q/elsewhere/c.txt",
        ],
    )?;
    symlink("a.txt", home.join("p/s/tool-results/link.txt"))?;
    symlink("../../../q", home.join("p/s/tool-results/folder"))?;
    symlink("../elsewhere", home.join("q/elsewhere/tool-results"))?;
    let beside = beside(home, &[("a", "")]);
    assert_eq!(beside.counts, BesideCounts { tool_result: 3, ..BesideCounts::default() });
    Ok(())
}

#[test]
fn an_agent_that_is_a_root_has_its_meta_file() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    write(home, &["s/subagents/agent-a.jsonl", "s/subagents/agent-a.meta.json"])?;
    write(home, &["s/subagents/agent-b.jsonl", "s/subagents/agent-b.meta.json"])?;
    write(home, &["s/subagents/notes.jsonl", "s/subagents/notes.meta.json"])?;
    let one = ("a", "s/subagents/agent-a.jsonl");
    let roots = [one, ("b", "s/subagents/notes.jsonl")];
    let alone = beside(home, &roots);
    assert_eq!(metas(home, &alone), ["s/subagents/agent-a.meta.json"]);
    let both = beside(home, &[one, ("all", "")]);
    assert_eq!(
        metas(home, &both),
        ["s/subagents/agent-a.meta.json", "s/subagents/agent-b.meta.json"]
    );
    assert_eq!((&*both.metas[0].source, &*both.metas[1].source), ("a", "all"));
    assert_eq!(both.counts.meta, 2);
    Ok(())
}

#[test]
fn a_name_needs_a_regular_file() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    write(home, &["p/agent-a.meta.json/agent-b.meta.json", "q/real.json"])?;
    symlink("nowhere", home.join("p/agent-c.meta.json"))?;
    symlink("../q/real.json", home.join("p/agent-d.meta.json"))?;
    let _listener = std::os::unix::net::UnixListener::bind(home.join("p/agent-e.meta.json"))?;
    let found = beside(home, &[("a", "")]);
    let expected = ["p/agent-a.meta.json/agent-b.meta.json", "p/agent-d.meta.json"];
    assert_eq!(metas(home, &found), expected);
    Ok(())
}

#[test]
fn a_physical_file_counts_once_under_each_name() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    write(home, &["a/agent-a.meta.json"])?;
    fs::create_dir(home.join("b"))?;
    fs::hard_link(home.join("a/agent-a.meta.json"), home.join("b/agent-a.meta.json"))?;
    fs::hard_link(home.join("a/agent-a.meta.json"), home.join("b/agent-b.meta.json"))?;
    let found = beside(home, &[("a", "")]);
    assert_eq!(metas(home, &found), ["a/agent-a.meta.json", "b/agent-b.meta.json"]);
    Ok(())
}
