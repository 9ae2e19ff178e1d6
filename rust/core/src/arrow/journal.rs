//! The table `journal`.

use crate::arrow::columns::Columns;
use crate::decode::json_type::JsonType;
use crate::discover::FileKind;
use crate::facts::further::JournalFact;
use crate::join::{Corpus, Standing};
use crate::schema::Table;

/// Rows of `journal`: records of files that are journals.
pub fn journal(corpus: &Corpus) -> Columns {
    let text = |symbol| corpus.strings.text(symbol);
    let mut rows = Columns::in_stretches(&Table::Journal.schema());
    let is_journal =
        |fact: &&JournalFact| corpus.files[fact.file as usize].kind == FileKind::Journal;
    for (unit, number) in corpus.units.iter().zip(0..) {
        for fact in unit.further.journal.iter().filter(is_journal) {
            if corpus.standing(number, fact.sketch) != Standing::Counts {
                continue;
            }
            let sketch = corpus.sketch(number, fact.sketch);
            rows.int(Some(i64::from(fact.file)));
            rows.int(Some(sketch.line as i64));
            rows.text(text(corpus.session(sketch.session, fact.file)));
            rows.text(text(corpus.files[fact.file as usize].workflow));
            rows.text(text(sketch.kind));
            rows.text(text(fact.agent));
            rows.text(text(fact.label));
            rows.text(text(fact.phase));
            rows.text(fact.result_kind.map(JsonType::name));
            rows.int(fact.result_chars);
            rows.end_row();
        }
    }
    rows
}
