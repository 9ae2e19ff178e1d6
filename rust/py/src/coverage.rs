//! The coverage statement as plain Python.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sessionscan_core::Coverage;
use sessionscan_core::discover::BesideCounts;

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
    for (name, count) in [
        ("skill_listings", coverage.skill_listings),
        ("skill_listings_empty", coverage.skill_listings_empty),
        ("invoked_skills", coverage.invoked_skills),
        ("invoked_skills_empty", coverage.invoked_skills_empty),
    ] {
        dict.set_item(name, count)?;
    }
    dict.set_item("beside", beside(py, &coverage.beside)?)?;
    Ok(dict)
}

fn beside<'py>(py: Python<'py>, counts: &BesideCounts) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, count) in [
        ("meta", counts.meta),
        ("workflow", counts.workflow),
        ("memory", counts.memory),
        ("script", counts.script),
        ("tool_result", counts.tool_result),
    ] {
        dict.set_item(name, count)?;
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
