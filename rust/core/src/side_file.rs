//! Files beside the transcripts that are read whole: what a meta file says of
//! its agent and a definition of its workflow's run (rulings 38 and 39).

mod meta;
mod workflow;

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rayon::prelude::*;

pub use self::meta::Meta;
pub use self::workflow::WorkflowFile;
use crate::decode::scanner::{Scanner, Step};
use crate::decode::text::Raw;
use crate::diagnose::{Code, Finding};
use crate::discover::{Beside, MetaNote, WorkflowNote};
use crate::map::O_NONBLOCK;
use crate::storage::Storage;

/// No side file of a client comes near it; one that is larger is none.
const MAX_BYTES: u64 = 16 << 20;

/// A file that cannot be read, or is not one JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// What such a file may hold.
pub trait SideFile: Sized {
    /// Reads the object at the cursor.
    fn decode(scanner: &mut Scanner<'_>) -> Step<Self>;

    /// How many of its values have the wrong type.
    fn bad_values(&self) -> u32;
}

/// Reads every meta file, in the order of their notes.
pub fn metas(beside: &Beside) -> Vec<(&MetaNote, Result<Meta, Damaged>)> {
    beside.metas.par_iter().map(|note| (note, read(&beside.storage, &note.path))).collect()
}

/// Reads every definition of a workflow's run, in the order of their notes.
pub fn workflows(beside: &Beside) -> Vec<(&WorkflowNote, Result<WorkflowFile, Damaged>)> {
    beside.workflows.par_iter().map(|note| (note, read(&beside.storage, &note.path))).collect()
}

/// What is wrong with a side file, at the file of the row that it belongs to.
pub fn finding<T: SideFile>(
    file: u32,
    path: &Path,
    outcome: &Result<T, Damaged>,
) -> Option<Finding> {
    match outcome {
        Err(Damaged) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Some(Finding::of_file(file, Code::DamagedSideFile, &[("name", &*name)]))
        }
        Ok(read) => {
            let count = u64::from(read.bad_values());
            let finding = Finding { count, ..Finding::of_file(file, Code::BadValue, &[]) };
            (count > 0).then_some(finding)
        }
    }
}

fn read<T: SideFile>(storage: &Storage, path: &Path) -> Result<T, Damaged> {
    let bytes = match storage {
        Storage::Disk => bytes(path, MAX_BYTES),
        Storage::Elsewhere(elsewhere) => elsewhere.bytes(path, MAX_BYTES),
    };
    decode(&bytes.map_err(|_| Damaged)?)
}

fn bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // It was a regular file when it was noted; what has taken its place must not block.
    let file = OpenOptions::new().read(true).custom_flags(O_NONBLOCK).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > limit {
        return Err(io::Error::other("not a side file"));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // One that grows meanwhile is held to the limit too.
    let read = file.take(limit + 1).read_to_end(&mut bytes)?;
    if read as u64 > limit { Err(io::Error::other("not a side file")) } else { Ok(bytes) }
}

fn decode<T: SideFile>(bytes: &[u8]) -> Result<T, Damaged> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = simdutf8::basic::from_utf8(bytes).map_err(|_| Damaged)?;
    let mut scanner = Scanner::new(text, 0, text.len());
    scanner.skip_space();
    if scanner.peek() != Some(b'{') {
        return Err(Damaged);
    }
    let read = T::decode(&mut scanner).map_err(|_| Damaged)?;
    scanner.skip_space();
    if scanner.peek().is_none() { Ok(read) } else { Err(Damaged) }
}

fn owned(raw: Option<Raw<'_>>) -> Option<String> {
    raw.map(|raw| raw.text().into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn one_object_with_white_space_around_is_read() {
        let whole = Ok(Meta { model: Some("m".to_owned()), ..Meta::default() });
        for text in [
            r#"{"model":"m"}"#,
            "\u{feff}\r\n\t {\n  \"model\": \"m\"\n}\n",
            r#"{"model":1,"m\u006fdel":"m","other":[{}]}"#,
        ] {
            assert_eq!(decode(text.as_bytes()), whole, "{text}");
        }
    }

    #[test]
    fn anything_else_is_damaged() {
        let deep = format!(r#"{{"a":{}}}"#, "[".repeat(512) + &"]".repeat(512));
        for text in [
            "",
            " ",
            "[]",
            "null",
            "\"{}\"",
            "{}{}",
            "{} x",
            "{}\0",
            "{\"a\":NaN}",
            "{\"a\":1,}",
            "{\"model\":\"m\"",
            "\u{feff}\u{feff}{}",
            "\u{a0}{}",
            &deep,
        ] {
            assert_eq!(decode::<Meta>(text.as_bytes()), Err(Damaged), "{text}");
        }
        assert_eq!(decode::<Meta>(b"{\"model\":\"\xff\"}"), Err(Damaged));
        assert_eq!(decode::<Meta>(b"\xff\xfe{\0}\0"), Err(Damaged));
    }

    #[test]
    fn only_a_regular_file_within_the_limit_is_read() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("agent-a.meta.json");
        fs::write(&path, "{}  ")?;
        assert_eq!(bytes(&path, 4)?, b"{}  ");
        assert!(bytes(&path, 3).is_err());
        assert!(bytes(folder.path(), 4).is_err());
        assert_eq!(read::<Meta>(&Storage::Disk, &folder.path().join("gone")), Err(Damaged));
        Ok(())
    }

    #[test]
    fn findings_name_the_file_or_count_its_values() {
        let path = Path::new("folder/agent-a.meta.json");
        let damaged = finding::<Meta>(7, path, &Err(Damaged)).expect("a finding");
        assert_eq!((damaged.file, damaged.line, damaged.span), (7, 0, None));
        assert_eq!(damaged.code, Code::DamagedSideFile);
        assert!(damaged.message.contains("agent-a.meta.json"), "{}", damaged.message);
        let odd = finding(7, path, &Ok(Meta { bad_values: 2, ..Meta::default() }));
        let odd = odd.expect("a finding");
        assert_eq!((odd.code, odd.count, odd.line), (Code::BadValue, 2, 0));
        assert_eq!(finding(7, path, &Ok(Meta::default())), None);
    }

    #[test]
    fn notes_come_with_what_their_files_hold() -> Outcome {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("workflows"))?;
        fs::write(at("agent-a.meta.json"), r#"{"agentType":"scout"}"#)?;
        fs::write(at("agent-b.meta.json"), "{")?;
        fs::write(at("workflows/wf_1.json"), r#"{"runId":"r","totalTokens":9}"#)?;
        let root = crate::Root { label: "a".to_owned(), path: folder.path().into() };
        let beside = crate::discover::discover(&[root], None).beside;
        let read = metas(&beside);
        assert_eq!(read[0].0.agent_id, "a");
        assert_eq!(
            read[0].1.as_ref().ok().and_then(|meta| meta.agent_type.as_deref()),
            Some("scout")
        );
        assert_eq!((&*read[1].0.agent_id, &read[1].1), ("b", &Err(Damaged)));
        let [(note, Ok(run))] = &workflows(&beside)[..] else { panic!("one run") };
        assert_eq!((&*note.workflow_id, run.total_tokens), ("wf_1", Some(9)));
        Ok(())
    }
}
