use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::discover::{Root, discover};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn transcript(path: &Path) -> Transcript {
    let root = Root { label: String::new(), path: path.into() };
    discover(&[root], None).transcripts.remove(0)
}

fn source(path: &Path, policy: MmapPolicy) -> Result<Source, String> {
    open(&transcript(path), policy)
}

/// What the parts between `cuts` hold, joined; each must be whole lines.
fn joined(source: &Source, cuts: &[u64], buffer: &mut Vec<u8>) -> Result<Vec<u8>, String> {
    let mut text: Vec<u8> = Vec::new();
    for pair in cuts.windows(2) {
        let part = source.read(pair[0]..pair[1], buffer)?;
        assert!(!part.truncated);
        if part.bytes.is_empty() {
            continue;
        }
        assert_eq!(part.offset, text.len() as u64);
        assert!((pair[0]..pair[1]).contains(&part.offset));
        text.extend(part.bytes);
        assert!(text.ends_with(b"\n") || text.len() as u64 == source.len());
    }
    Ok(text)
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![2 => Just(b'\n'), 5 => any::<u8>()];
    prop::collection::vec(byte, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn parts_hold_every_line_once(text in texts(), mut cuts in prop::collection::vec(0_u64..70, 0..9)) {
        let folder = tempfile::tempdir()?;
        let (plain, packed) = (folder.path().join("a.jsonl"), folder.path().join("a.jsonl.zst"));
        fs::write(&plain, &text)?;
        fs::write(&packed, zstd::bulk::compress(&text, 1)?)?;
        cuts.extend([0, text.len() as u64]);
        cuts.retain(|cut| *cut <= text.len() as u64);
        cuts.sort_unstable();
        let mut buffer = vec![b'\n'; 7];
        for (path, policy) in [
            (&plain, MmapPolicy::Auto),
            (&plain, MmapPolicy::Always),
            (&plain, MmapPolicy::Never),
            (&packed, MmapPolicy::Auto),
        ] {
            let source = source(path, policy).map_err(TestCaseError::fail)?;
            prop_assert_eq!(source.len(), text.len() as u64);
            let read = joined(&source, &cuts, &mut buffer).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&read, &text);
        }
    }
}

#[test]
fn a_line_belongs_to_the_range_that_it_starts_in() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.jsonl");
    fs::write(&path, "ab\ncd\n\nefgh")?;
    for policy in [MmapPolicy::Never, MmapPolicy::Always] {
        let source = source(&path, policy)?;
        for (range, offset, bytes) in [
            (0..1, 0, "ab\n"),
            (0..3, 0, "ab\n"),
            (0..4, 0, "ab\ncd\n"),
            (1..3, 3, ""),
            (1..4, 3, "cd\n"),
            (3..4, 3, "cd\n"),
            (4..6, 6, ""),
            (4..7, 6, "\n"),
            (6..8, 6, "\nefgh"),
            (8..11, 11, ""),
            (7..99, 7, "efgh"),
            (20..99, 11, ""),
            (5..5, 5, ""),
        ] {
            let mut buffer = Vec::new();
            let part = source.read(range.clone(), &mut buffer)?;
            let expected = Part { bytes: bytes.as_bytes(), offset, truncated: false };
            assert_eq!(part, expected, "{range:?}");
        }
    }
    Ok(())
}

#[test]
fn lines_longer_than_many_steps_are_whole() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.jsonl");
    let long = "x".repeat(300_000);
    let text = format!("a\n{long}\nb\n{long}");
    fs::write(&path, &text)?;
    let source = source(&path, MmapPolicy::Auto)?;
    let cuts: Vec<u64> = (0..source.len()).step_by(7001).chain([source.len()]).collect();
    let mut buffer = Vec::new();
    assert_eq!(joined(&source, &cuts, &mut buffer)?, text.into_bytes());
    assert!(buffer.capacity() < 2 * long.len());
    Ok(())
}

#[test]
fn a_buffer_gives_back_what_one_long_line_needed() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.jsonl");
    fs::write(&path, format!("{}\nshort\n", "x".repeat(20 << 20)))?;
    let source = source(&path, MmapPolicy::Auto)?;
    let mut buffer = Vec::new();
    let length = source.read(0..10, &mut buffer)?.bytes.len();
    assert_eq!(length, (20 << 20) + 1);
    let part = source.read(length as u64..source.len(), &mut buffer)?;
    assert_eq!(part.bytes, b"short\n");
    assert!(buffer.capacity() <= 16 << 20);
    Ok(())
}

#[test]
fn the_length_is_fixed_when_a_file_is_opened() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.jsonl");
    fs::write(&path, "first\nsec")?;
    let source = source(&path, MmapPolicy::Auto)?;
    fs::write(&path, "first\nsecond\nthird\n")?;
    let mut buffer = Vec::new();
    assert_eq!(source.read(0..source.len(), &mut buffer)?.bytes, b"first\nsec");
    Ok(())
}

#[test]
fn a_file_that_was_cut_short_ends_early() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.jsonl");
    let text = "line\n".repeat(20_000);
    fs::write(&path, &text)?;
    let source = source(&path, MmapPolicy::Auto)?;
    fs::write(&path, &text[..50_003])?;
    let mut buffer = Vec::new();
    assert!(!source.read(0..40_000, &mut buffer)?.truncated);
    let part = source.read(40_000..60_000, &mut buffer)?;
    assert_eq!((part.offset, part.bytes.len(), part.truncated), (40_000, 10_003, true));
    assert!(part.bytes.ends_with(b"\nlin"));
    let part = source.read(60_000..source.len(), &mut buffer)?;
    assert_eq!((part.bytes, part.truncated), (&b""[..], true));
    Ok(())
}

#[test]
fn the_smaller_of_two_lengths_counts() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.jsonl");
    fs::write(&path, "first\nsecond\n")?;
    let mut shorter = transcript(&path);
    shorter.size = Some(6);
    assert_eq!(open(&shorter, MmapPolicy::Auto)?.len(), 6);
    assert_eq!(open(&shorter, MmapPolicy::Always)?.len(), 6);
    shorter.size = Some(99);
    assert_eq!(open(&shorter, MmapPolicy::Always)?.len(), 13);
    Ok(())
}

#[test]
fn damage_is_where_the_kept_text_ends() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.jsonl.zst");
    let mut packed = zstd::bulk::compress(b"first\nsecond", 1)?;
    packed.extend(b"odd");
    fs::write(&path, packed)?;
    let source = source(&path, MmapPolicy::Always)?;
    assert_eq!((source.len(), source.damage()), (6, Some(6)));
    fs::write(&path, "")?;
    let empty = self::source(&path, MmapPolicy::Auto)?;
    assert_eq!((empty.is_empty(), empty.damage()), (true, None));
    Ok(())
}

#[test]
fn what_cannot_be_opened_has_a_reason() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.jsonl");
    let refused = |each: &Transcript| open(each, MmapPolicy::Auto).err();
    fs::write(&path, "")?;
    let gone = transcript(&path);
    fs::remove_file(&path)?;
    let no_such = Some("No such file or directory".to_owned());
    assert_eq!(refused(&gone), no_such);
    assert_eq!(refused(&transcript(&path)), no_such);
    fs::create_dir(&path)?;
    assert_eq!(refused(&gone), Some("not a regular file".to_owned()));
    Ok(())
}
