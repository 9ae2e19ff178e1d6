//! Lines read with every way of finding strings that this machine has: records
//! and findings are those of the bytewise way, to the last field. The lines
//! come one after the other, as guesses at keys are carried from one to the next.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sessionscan_core::decode::lanes::Machine;
use sessionscan_core::decode::marks::Marks;
use sessionscan_core::decode::{self, Context};
use sessionscan_core::record::Record;

fuzz_target!(|input: &[u8]| {
    let expected = said(Machine::Bytewise, input);
    for machine in Machine::all() {
        assert_eq!(said(machine, input), expected, "{}", machine.name());
    }
});

/// All that decoding says of the lines.
fn said(machine: Machine, input: &[u8]) -> Vec<String> {
    let mut marks = Marks::of(machine);
    let mut said = Vec::new();
    for line in input.split(|byte| *byte == b'\n') {
        let context = Context { is_first: said.is_empty(), terminated: true, max_line_bytes: None };
        let mut found = Vec::new();
        let mut each = |record: &Record<'_>, place: u32, span: (usize, usize)| {
            said.push(format!("{place} {span:?} {record:?}"));
        };
        let outcome = decode::line(line, context, &mut marks, &mut found, &mut each);
        said.push(format!("{outcome:?} {found:?}"));
    }
    said
}
