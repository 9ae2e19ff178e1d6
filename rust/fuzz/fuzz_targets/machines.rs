//! Lines read with every way of finding strings that this machine has, one after the
//! other, as what is known of one helps with the next: records and findings are those
//! of the bytewise way that knows nothing of the lines before, to the last field.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sessionscan_core::decode::lanes::Machine;
use sessionscan_core::decode::marks::Marks;
use sessionscan_core::decode::{self, Context};
use sessionscan_core::record::Record;

fuzz_target!(|input: &[u8]| {
    let expected = said(Machine::Bytewise, input, true);
    for machine in Machine::all() {
        assert_eq!(said(machine, input, false), expected, "{}", machine.name());
    }
});

/// All that decoding says of the lines.
fn said(machine: Machine, input: &[u8], is_forgetful: bool) -> Vec<String> {
    let mut marks = Marks::of(machine);
    let mut said = Vec::new();
    for line in input.split(|byte| *byte == b'\n') {
        let context = Context { is_first: said.is_empty(), terminated: true, max_line_bytes: None };
        let mut found = Vec::new();
        let mut each = |record: &Record<'_>, place: u32, span: (usize, usize)| {
            let record = format!("{record:?}");
            // Its last field tells of the lines before.
            let record = record.rsplit_once("likeness: ").map(|(record, _)| record);
            said.push(format!("{place} {span:?} {record:?}"));
        };
        let outcome = decode::line(line, context, &mut marks, &mut found, &mut each);
        said.push(format!("{outcome:?} {found:?}"));
        if is_forgetful {
            marks = Marks::of(machine);
        }
    }
    said
}
