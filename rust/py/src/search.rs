//! A search, as Python calls it.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sessionscan_core as core;
use sessionscan_core::search::{Hits, Query, Searched, Term};

use crate::arguments::{Choices, Roots};
use crate::store::PyStore;
use crate::stream::Stream;
use crate::wait;

/// Search what lies below `roots`: pairs of a label and a path.
///
/// A term is a pattern and the texts that stand in all that it matches, both folded
/// where `folds`, and whether it matches just these. Returns the hits as a stream, and what was searched as a dict. Raises
/// `ValueError` for a pattern that is none, and otherwise as `scan` does.
#[pyfunction]
#[pyo3(signature = (roots, *, terms, is_any_enough, folds, sidecars, threads, mmap, on_progress, chunk_bytes=None, store=None))]
#[allow(clippy::too_many_arguments)] // They are keywords in Python.
pub(crate) fn search<'py>(
    py: Python<'py>,
    roots: Roots,
    terms: Vec<(String, Vec<String>, bool)>,
    is_any_enough: bool,
    folds: bool,
    sidecars: bool,
    threads: Option<usize>,
    mmap: &str,
    on_progress: Option<&Bound<'py, PyAny>>,
    chunk_bytes: Option<u64>,
    store: Option<Bound<'py, PyAny>>,
) -> PyResult<(Stream, Bound<'py, PyDict>)> {
    let term = |(pattern, contains, is_literal)| Term { pattern, contains, is_literal };
    let terms: Vec<Term> = terms.into_iter().map(term).collect();
    let query = Query::new(&terms, is_any_enough, folds)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let copies = "collapse";
    let choices = Choices { text: true, threads, mmap, copies, max_line_bytes: None };
    let mut options = choices.options(Vec::new())?;
    options.chunk_bytes = chunk_bytes.unwrap_or(options.chunk_bytes);
    options.store = store.map(PyStore::of);
    let progress = Arc::default();
    let Hits { rows, schema, searched } =
        wait::until_done(py, &progress, on_progress, move |progress| {
            core::search::search(&roots.0, &query, sidecars, &options, progress)
        })?;
    Ok((Stream::of_batches(schema, vec![rows]), dict(py, &searched)?))
}

fn dict<'py>(py: Python<'py>, searched: &Searched) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, count) in [
        ("files_found", searched.files_found),
        ("files_read", searched.files_read),
        ("files_partial", searched.files_partial),
        ("files_unreadable", searched.files_unreadable),
        ("sidecars", searched.sidecars),
        ("bytes", searched.bytes),
        ("lines", searched.lines),
        ("lines_lost", searched.lines_lost),
    ] {
        dict.set_item(name, count)?;
    }
    Ok(dict)
}
