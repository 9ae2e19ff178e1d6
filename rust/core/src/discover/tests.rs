use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::*;

const ID: &str = "0f8e1a2b-3c4d-5e6f-7a8b-9c0d1e2f3a4b";

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn write(home: &Path, files: &[&str]) -> std::io::Result<()> {
    for file in files {
        let path = home.join(file);
        fs::create_dir_all(path.parent().unwrap_or(home))?;
        fs::write(path, "{}\n")?;
    }
    Ok(())
}

fn roots(paths: &[(&str, PathBuf)]) -> Vec<Root> {
    let root =
        |(label, path): &(&str, PathBuf)| Root { label: (*label).to_owned(), path: path.clone() };
    paths.iter().map(root).collect()
}

fn below(home: &Path, found: &[Transcript]) -> Vec<String> {
    let cut = |each: &Transcript| Some(each.path.strip_prefix(home).ok()?.to_str()?.to_owned());
    found.iter().filter_map(cut).collect()
}

fn paths(home: &Path) -> Vec<String> {
    below(home, &discover(&roots(&[("a", home.into())]), None).transcripts)
}

#[test]
fn files_come_in_the_order_of_their_bytes() -> Outcome {
    let home = tempfile::tempdir()?;
    let files = ["a-b/x.jsonl", "a.jsonl", "a/x.jsonl", "a/z.jsonl.gz", "aa/b.jsonl.zst"];
    write(home.path(), &files)?;
    write(home.path(), &["a/x.json", "a/notes.md", "a/tool-results/x.jsonl"])?;
    write(home.path(), &["a/file-history/x.jsonl", "aa/c.jsonl.bak"])?;
    assert_eq!(paths(home.path()), files);
    Ok(())
}

#[test]
fn many_names_and_many_folders_come_in_order_on_any_number_of_threads() -> Outcome {
    let home = tempfile::tempdir()?;
    let mut files: Vec<String> = (0..300).map(|file| format!("a/{file}.jsonl")).collect();
    files.extend((0..100).map(|folder| format!("a/{folder}/b/c.jsonl")));
    write(home.path(), &files.iter().map(String::as_str).collect::<Vec<_>>())?;
    files.sort_unstable();
    for threads in [1, 3] {
        let found = crate::scan::pool(Some(threads))?.install(|| paths(home.path()));
        assert_eq!(found, files, "{threads}");
    }
    Ok(())
}

#[test]
fn of_a_home_only_the_transcripts_folders_are_walked() -> Outcome {
    let home = tempfile::tempdir()?;
    write(home.path(), &["history.jsonl", "archived_sessions/b.jsonl"])?;
    assert_eq!(paths(home.path()), ["archived_sessions/b.jsonl", "history.jsonl"]);
    write(home.path(), &["sessions/2025/a.jsonl"])?;
    assert_eq!(paths(home.path()), ["archived_sessions/b.jsonl", "sessions/2025/a.jsonl"]);
    write(home.path(), &["projects/p/projects/q/c.jsonl", "projects/p/a.jsonl"])?;
    assert_eq!(paths(home.path()), ["projects/p/a.jsonl", "projects/p/projects/q/c.jsonl"]);
    Ok(())
}

#[test]
fn a_root_keeps_its_spelling() -> Outcome {
    let home = tempfile::tempdir()?;
    write(home.path(), &["p/a.jsonl", "p/notes.txt", "p/tool-results/b.jsonl"])?;
    let spelt = |path: &str| -> Vec<String> {
        let path = format!("{}/{path}", home.path().display());
        let found = discover(&roots(&[("a", path.clone().into())]), None).transcripts;
        found
            .iter()
            .map(|each| each.shown.replacen(&format!("{}/", home.path().display()), "", 1))
            .collect()
    };
    assert_eq!(spelt("p/../p/"), ["p/../p/a.jsonl"]);
    assert_eq!(spelt("./p"), ["./p/a.jsonl"]);
    assert_eq!(spelt("p/notes.txt"), ["p/notes.txt"]);
    assert_eq!(spelt("p/tool-results"), ["p/tool-results/b.jsonl"]);
    Ok(())
}

#[test]
fn a_physical_file_has_its_first_place_only() -> Outcome {
    let home = tempfile::tempdir()?;
    write(home.path(), &["b/x.jsonl", "c/y.jsonl"])?;
    symlink(home.path().join("c"), home.path().join("a"))?;
    fs::hard_link(home.path().join("b/x.jsonl"), home.path().join("b/z.jsonl"))?;
    symlink("y.jsonl", home.path().join("c/w.jsonl"))?;
    assert_eq!(paths(home.path()), ["a/w.jsonl", "b/x.jsonl"]);

    let sources = [("b", home.path().join("b")), ("all", home.path().into())];
    let found = discover(&roots(&sources), None).transcripts;
    assert_eq!(below(home.path(), &found), ["b/x.jsonl", "a/w.jsonl"]);
    assert_eq!(found[0].source, "b");
    Ok(())
}

#[test]
fn roots_of_one_label_are_one_source() -> Outcome {
    let home = tempfile::tempdir()?;
    write(home.path(), &["a/x.jsonl", "a-b/x.jsonl", "c/x.jsonl"])?;
    let at = |name: &str| home.path().join(name);
    let sources = [("g", at("a")), ("c", at("c")), ("g", at("a-b"))];
    let found = discover(&roots(&sources), None).transcripts;
    assert_eq!(below(home.path(), &found), ["a-b/x.jsonl", "a/x.jsonl", "c/x.jsonl"]);
    Ok(())
}

#[test]
fn odd_entries_are_rows() -> Outcome {
    let home = tempfile::tempdir()?;
    write(home.path(), &["p/folder.jsonl/x.jsonl", "p/s/a.jsonl"])?;
    let at = |name: &str| home.path().join(name);
    symlink("nowhere", at("p/gone.jsonl"))?;
    symlink("nowhere", at("p/gone"))?;
    symlink("itself", at("p/itself"))?;
    symlink("..", at("p/s/up"))?;
    let _listener = std::os::unix::net::UnixListener::bind(at("p/socket.jsonl"))?;

    let found = discover(&roots(&[("a", home.path().into())]), None).transcripts;
    let kinds: Vec<_> = below(home.path(), &found)
        .into_iter()
        .zip(found.iter().map(|each| (each.found.clone(), each.named.kind)))
        .collect();
    let gone = Found::Unreadable("No such file or directory".to_owned());
    let expected = [
        ("p/folder.jsonl", Found::NotAFile, None),
        ("p/gone.jsonl", gone, None),
        ("p/s/a.jsonl", Found::Regular, None),
        ("p/s/up", Found::SymlinkLoop, Some(FileKind::Other)),
        ("p/socket.jsonl", Found::NotAFile, None),
    ]
    .map(|(path, found, kind)| (path.to_owned(), (found, kind)));
    assert_eq!(kinds, expected);
    assert_eq!(
        found.iter().map(|each| each.size).collect::<Vec<_>>(),
        [None, None, Some(3), None, None]
    );
    Ok(())
}

#[test]
fn a_home_that_is_its_own_projects_is_a_loop() -> Outcome {
    let home = tempfile::tempdir()?;
    symlink(".", home.path().join("projects"))?;
    let found = discover(&roots(&[("a", home.path().into())]), None).transcripts;
    assert_eq!(below(home.path(), &found), ["projects"]);
    assert_eq!(found[0].found, Found::SymlinkLoop);
    Ok(())
}

/// Twelve folders that all link to one another lie on 12! paths.
#[test]
fn a_mesh_of_links_is_walked_once() -> Outcome {
    let home = tempfile::tempdir()?;
    for from in 'a'..='l' {
        write(home.path(), &[&format!("{from}/x.jsonl")])?;
        for to in ('a'..='l').filter(|to| *to != from) {
            symlink(format!("../{to}"), home.path().join(format!("{from}/{to}")))?;
        }
    }
    let found = discover(&roots(&[("a", home.path().into())]), None).transcripts;
    let regular = found.iter().filter(|each| each.found == Found::Regular);
    assert_eq!(regular.count(), 12);
    Ok(())
}

#[test]
fn no_depth_overflows_the_stack() -> Outcome {
    let home = tempfile::tempdir()?;
    let deep = "d/".repeat(1500);
    write(home.path(), &[&format!("{deep}x.jsonl")])?;
    assert_eq!(paths(home.path()), [format!("{deep}x.jsonl")]);
    Ok(())
}

#[test]
fn names_that_are_not_utf8_are_read_and_shown() -> Outcome {
    let home = tempfile::tempdir()?;
    let name = OsStr::from_bytes(b"caf\xe9.jsonl");
    if fs::write(home.path().join(name), "").is_err() {
        return Ok(()); // This file system takes UTF-8 names only.
    }
    let found = discover(&roots(&[("a", home.path().into())]), None).transcripts;
    assert!(found[0].shown.ends_with("/caf\u{fffd}.jsonl"));
    assert_eq!(found[0].path.file_name(), Some(name));
    Ok(())
}

#[test]
fn sizes_keep_what_they_name_no_longer_than_they_say() -> Outcome {
    let home = tempfile::tempdir()?;
    write(home.path(), &["a.jsonl", "b.jsonl", &format!("{ID}.jsonl")])?;
    let shown = |name: &str| home.path().join(name).to_string_lossy().into_owned();
    let sizes = HashMap::from([(shown("b.jsonl"), 2), (shown(&format!("{ID}.jsonl")), 9)]);
    let found = discover(&roots(&[("a", home.path().into())]), Some(&sizes)).transcripts;
    let kept: Vec<_> = found.iter().map(|each| (each.size, each.named.kind)).collect();
    assert_eq!(kept, [(Some(3), Some(FileKind::Parent)), (Some(2), None)]);
    Ok(())
}
