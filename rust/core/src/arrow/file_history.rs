//! The table `file_history`.

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::file_history::TrackedPath;
use crate::join::side_paths::Located;
use crate::schema::Table;

/// Rows of `file_history`.
pub fn file_history(corpus: &Corpus, paths: &[TrackedPath<'_>]) -> Vec<Columns> {
    const ROWS: usize = 1 << 16;
    paths.chunks(ROWS).map(|paths| stretch(corpus, paths)).collect()
}

fn stretch(corpus: &Corpus, paths: &[TrackedPath<'_>]) -> Columns {
    let text = |symbol| corpus.strings.text(symbol);
    let mut rows = Columns::in_stretches(&Table::FileHistory.schema());
    for path in paths {
        let fact = corpus.tracked(path.tracked);
        let sketch = corpus.sketch(path.tracked.unit, fact.sketch);
        let (exists, size) = path.located.map_or((None, None), Located::columns);
        rows.int(Some(i64::from(fact.file)));
        rows.int(Some(sketch.line as i64));
        rows.text(text(path.session));
        rows.text(Some(&path.path));
        rows.text(text(fact.backup));
        rows.int(fact.version);
        rows.int(fact.backup_time);
        rows.int(fact.snapshot_time);
        rows.bool(fact.is_tombstone);
        rows.bool(exists);
        rows.int(size);
        rows.end_row();
    }
    rows
}
