//! Copies of one response that differ in a count.

use hashbrown::HashMap;

use super::Response;
use crate::diagnose::{Code, Finding, Severity};
use crate::join::Corpus;
use crate::record::Counts;

/// Which token columns differ, one bit for each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conflicts(u8);

const COLUMNS: [&str; 7] = [
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "cache_creation_5m_input_tokens",
    "cache_creation_1h_input_tokens",
    "thinking_tokens",
];
const ONLY_OUTPUT: u8 = 1 << 1;

impl Conflicts {
    /// Whether any does.
    pub(super) fn is_some(self) -> bool {
        self.0 != 0
    }

    /// Adds those that differ between two copies.
    pub(super) fn add(&mut self, a: &Counts, b: &Counts) {
        let differs = [
            a.input != b.input,
            a.output != b.output,
            a.cache_creation != b.cache_creation,
            a.cache_read != b.cache_read,
            a.cache_creation_5m != b.cache_creation_5m,
            a.cache_creation_1h != b.cache_creation_1h,
            a.thinking != b.thinking,
        ];
        let bits = differs.iter().zip(0..).map(|(differs, bit)| u8::from(*differs) << bit);
        self.0 |= bits.sum::<u8>();
    }

    fn columns(self) -> String {
        let named = COLUMNS.iter().zip(0..).filter(|(_, bit)| self.0 >> bit & 1 == 1);
        named.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// What is found where they are, about no record yet.
    fn finding(self) -> Finding {
        let columns = self.columns();
        let mut finding = Finding::of_file(0, Code::UsageConflict, &[("columns", &columns)]);
        if self.0 != ONLY_OUTPUT {
            finding.severity = Severity::Warning;
        }
        finding
    }
}

/// What is found about the responses whose copies differ, in their order.
pub(super) fn findings(corpus: &Corpus, responses: &[Response]) -> Vec<Finding> {
    // Few sets of columns differ, each in many responses: its words are made once.
    let mut known: HashMap<u8, Finding> = HashMap::new();
    let differing = responses.iter().filter(|response| response.has_conflict());
    let finding = |response: &Response| {
        let conflicts = response.conflicts;
        let carrier = corpus.carrier(response.retained);
        let sketch = corpus.sketch(response.retained.unit, carrier.sketch);
        let known = known.entry(conflicts.0).or_insert_with(|| conflicts.finding());
        Finding {
            file: carrier.file,
            line: sketch.line,
            place: (sketch.place, 0),
            span: Some(sketch.span),
            ..known.clone()
        }
    };
    differing.map(finding).collect()
}
