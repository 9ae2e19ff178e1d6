//! The table `sidecars`.

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::side_paths::Located;
use crate::join::sidecars::Sidecar;
use crate::schema::Table;

/// Rows of `sidecars`.
pub fn sidecars(corpus: &Corpus, sidecars: &[Sidecar]) -> Columns {
    let text = |symbol| corpus.strings.text(symbol);
    let mut rows = Columns::in_stretches(&Table::Sidecars.schema());
    for sidecar in sidecars {
        let result = corpus.result(sidecar.result);
        let sketch = corpus.sketch(sidecar.result.unit, result.sketch);
        let (exists, size) = sidecar.located.map_or((None, None), Located::columns);
        rows.int(Some(i64::from(result.file)));
        rows.int(Some(sketch.line as i64));
        rows.text(text(sidecar.session));
        rows.text(text(result.id));
        rows.text(text(sidecar.tool));
        rows.text(text(sidecar.path));
        rows.int(result.rare().persisted_output_bytes);
        rows.bool(exists);
        rows.int(size);
        rows.text(Some(if sidecar.is_in_text { "text" } else { "persistedOutputPath" }));
        rows.text(text(sidecar.path).map(kind));
        rows.end_row();
    }
    rows
}

/// Its word in the vocabulary `sidecar_kind`, by the end of its name.
fn kind(path: &str) -> &'static str {
    let path = path.to_ascii_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
    if ends(&[".txt", ".log", ".md"]) {
        "text"
    } else if ends(&[".json", ".jsonl"]) {
        "json"
    } else if ends(&[".png", ".jpg", ".jpeg", ".gif", ".webp"]) {
        "image"
    } else if ends(&[".pdf"]) {
        "pdf"
    } else {
        "other"
    }
}
