//! The table `ledger` (ruling 48).

use hashbrown::HashMap;

use crate::arrow::columns::Columns;
use crate::facts::further::CostFact;
use crate::join::originals::Owner;
use crate::join::{Corpus, Standing};
use crate::schema::Table;
use crate::strings::Symbol;

/// Rows of `ledger`.
pub fn ledger(corpus: &Corpus) -> Columns {
    let mut rows = Columns::in_stretches(&Table::Ledger.schema());
    let mut last: HashMap<Owner, (u32, u32)> = HashMap::new();
    for (unit, cost, session) in costs(corpus) {
        last.insert(Owner::of(session, cost.file), (unit, cost.sketch));
    }
    let text = |symbol| corpus.strings.text(symbol);
    for (unit, cost, session) in costs(corpus) {
        let sketch = corpus.sketch(unit, cost.sketch);
        rows.int(Some(i64::from(cost.file)));
        rows.int(Some(sketch.line as i64));
        rows.text(text(session));
        rows.int(sketch.timestamp);
        rows.text(text(cost.model));
        rows.double(cost.cost_usd);
        rows.double(cost.total_cost_usd);
        rows.int(cost.input);
        rows.int(cost.output);
        rows.int(cost.cache_creation);
        rows.int(cost.cache_read);
        // The client says no more of its tokens.
        (0..4).for_each(|_| rows.int(None));
        rows.bool(cost.has_unknown_model_cost);
        let is_last = last.get(&Owner::of(session, cost.file)) == Some(&(unit, cost.sketch));
        rows.bool(Some(is_last));
        rows.end_row();
    }
    rows
}

/// Every model of a cost record that counts: its unit, itself, its session.
fn costs(corpus: &Corpus) -> impl Iterator<Item = (u32, &CostFact, Symbol)> {
    corpus.units.iter().zip(0..).flat_map(move |(unit, number)| {
        let counts =
            move |cost: &&CostFact| corpus.standing(number, cost.sketch) == Standing::Counts;
        unit.further.costs.iter().filter(counts).map(move |cost| {
            let own = corpus.sketch(number, cost.sketch).session;
            (number, cost, corpus.session(own, cost.file))
        })
    })
}
