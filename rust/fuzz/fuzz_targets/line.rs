//! Any bytes as a line: nothing panics, records and findings lie in the line,
//! and every byte is part of a record, blank, or named by a finding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sessionscan_core::decode::marks::Marks;
use sessionscan_core::decode::{self, Context, Outcome};
use sessionscan_core::diagnose::Code;

fuzz_target!(|input: &[u8]| {
    // The first byte says where the line stands; the rest is the line.
    let Some((place, rest)) = input.split_first() else { return };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let context = Context {
        is_first: place & 1 != 0,
        terminated: place & 2 != 0,
        max_line_bytes: (place & 4 != 0).then_some(u64::from(place >> 3)),
    };
    let mut found = Vec::new();
    let mut named = vec![false; line.len()];
    let (mut records, mut behind) = (0, 0);
    let outcome = decode::line(line, context, &mut Marks::default(), &mut found, &mut |_,
                                                                                       at,
                                                                                       (
        offset,
        length,
    )| {
        assert_eq!(at, records, "places count up");
        assert!(behind <= offset, "records stand in order");
        behind = offset + length;
        assert_eq!((line[offset], line[behind - 1]), (b'{', b'}'));
        named[offset..behind].fill(true);
        records += 1;
    });
    assert_eq!(outcome == Outcome::Records, records > 0);
    for finding in &found {
        named[finding.offset..finding.offset + finding.length].fill(true);
    }
    // Of several runs of NUL the finding names the first and counts the rest.
    let has_nuls = found.iter().any(|finding| finding.code == Code::NulRun);
    for (byte, named) in line.iter().zip(named) {
        let blank = matches!(byte, b' ' | b'\t' | b'\r') || *byte == 0 && has_nuls;
        assert!(named || blank, "a byte is lost in silence");
    }
});
