//! The table `diagnostics`.

use crate::arrow::columns::Columns;
use crate::diagnose::Finding;
use crate::schema::Table;

/// Rows of `diagnostics`, from findings that are merged and sorted.
pub fn diagnostics(findings: &[Finding]) -> Columns {
    let mut rows = Columns::new(&Table::Diagnostics.schema());
    for finding in findings {
        rows.int(Some(i64::from(finding.file)));
        rows.int(Some(finding.line as i64));
        rows.int(finding.span.map(|(offset, _)| offset as i64));
        rows.int(finding.span.map(|(_, length)| length as i64));
        rows.text(Some(finding.severity.name()));
        rows.text(Some(finding.code.name()));
        rows.text(Some(&finding.message));
        rows.int(Some(finding.count as i64));
        rows.end_row();
    }
    rows
}
