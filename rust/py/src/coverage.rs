//! The coverage statement as plain Python.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sessionscan_core::Coverage;

/// A dict of numbers, and of dicts of names whose order is that of their bytes.
pub(crate) fn dict<'py>(py: Python<'py>, coverage: &Coverage) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, count) in [
        ("files_found", coverage.files_found),
        ("files_read", coverage.files_read),
        ("files_partial", coverage.files_partial),
        ("files_unreadable", coverage.files_unreadable),
        ("files_copied", coverage.files_copied),
        ("bytes", coverage.bytes),
        ("records", coverage.records),
        ("lines_lost", coverage.lines_lost),
        ("blank_lines", coverage.blank_lines),
    ] {
        dict.set_item(name, count)?;
    }
    for (name, counts) in [
        ("records_by_type", &coverage.records_by_type),
        ("unknown_types", &coverage.unknown_types),
        ("unknown_blocks", &coverage.unknown_blocks),
    ] {
        dict.set_item(name, by_name(py, counts)?)?;
    }
    Ok(dict)
}

fn by_name<'py>(py: Python<'py>, counts: &BTreeMap<String, u64>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, count) in counts {
        dict.set_item(name, count)?;
    }
    Ok(dict)
}
