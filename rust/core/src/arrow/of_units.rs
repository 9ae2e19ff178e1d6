//! Rows that are made of one fact each, unit by unit, side by side.

use rayon::prelude::*;

use crate::arrow::columns::Columns;
use crate::facts::{Facts, Sketch};
use crate::join::{Corpus, Standing};
use crate::schema::Table;

/// A fact of a record.
pub trait OfRecord {
    /// Its record's place in [`Facts::sketches`].
    fn sketch(&self) -> u32;
}

/// Makes a row of every fact whose record counts.
pub fn rows<F: OfRecord>(
    corpus: &Corpus,
    table: Table,
    facts: impl Fn(&Facts) -> &[F] + Sync,
    push: impl Fn(&mut Columns, &Sketch, &F) + Sync,
) -> Vec<Columns> {
    let schema = table.schema();
    let of_unit = |number: usize| {
        let mut rows = Columns::in_stretches(&schema);
        let unit = &corpus.units[number];
        for fact in facts(unit) {
            if corpus.standing(number as u32, fact.sketch()) == Standing::Counts {
                push(&mut rows, &unit.sketches.get(fact.sketch() as usize), fact);
                rows.end_row();
            }
        }
        rows
    };
    (0..corpus.units.len()).into_par_iter().map(of_unit).collect()
}

macro_rules! of_record {
    ($($fact:ident),* $(,)?) => {
        $(impl OfRecord for crate::facts::further::$fact {
            fn sketch(&self) -> u32 {
                self.sketch
            }
        })*
    };
}

of_record!(AttachmentFact, EventFact);
