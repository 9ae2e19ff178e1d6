//! The extension module `sessionscan._core`: conversion only, no logic.
//!
//! `arguments` takes what Python passes, `wait` runs the engine on a thread of
//! its own while the calling one listens for Ctrl-C, `store` lets it read what
//! a Python object reaches, `workers` has such an object fold, `stream` hands tables
//! over by the Arrow `PyCapsule` interface, `parts` part by part, `tasks` has other
//! processes fold, `search` finds words, and `coverage` is a dict.

mod arguments;
mod coverage;
mod parts;
mod search;
mod store;
mod stream;
mod tasks;
mod wait;
mod workers;

use std::collections::HashMap;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sessionscan_core as core;
use sessionscan_core::decode::lanes::Machine;

use crate::arguments::{Choices, Roots, Tables};
use crate::parts::Segments;
use crate::store::PyStore;
use crate::stream::Stream;
use crate::tasks::Plan;
use crate::workers::PyWorkers;

/// The Rust engine of sessionscan. Its functions are called by the package and
/// promise nothing to others.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::parts::Segments;
    #[pymodule_export]
    use super::search::search;
    #[pymodule_export]
    use super::stream::Stream;
    #[pymodule_export]
    use super::tasks::{Gathered, Plan};
    #[pymodule_export]
    use super::{build_profile, fold, machines, plan, reader, scan, segments};

    use super::{Bound, PyModule, PyModuleMethods, PyResult, warn_of_debug_build};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        warn_of_debug_build(module.py())
    }
}

/// Scan what lies below `roots`: pairs of a label and a path.
///
/// Returns the tables as streams, by name, and the coverage as a dict. Raises
/// `ValueError` for a name that is none, and `RuntimeError` for a defect of the
/// engine; what a signal handler, `on_progress`, a listing of `store` or one of
/// `workers` raises ends the scan. The roots are paths of `store` where there is one. Where what is
/// found out cannot be kept in the folder `cache`, that is a warning.
#[pyfunction]
#[pyo3(signature = (roots, *, tables, text, threads, mmap, copies, max_line_bytes, sizes, on_progress, chunk_bytes=None, cache=None, settle_ms=None, machine=None, store=None, workers=None, task_bytes=None))]
#[allow(clippy::too_many_arguments)] // They are keywords in Python.
fn scan<'py>(
    py: Python<'py>,
    roots: Roots,
    tables: Tables,
    text: bool,
    threads: Option<usize>,
    mmap: &str,
    copies: &str,
    max_line_bytes: Option<u64>,
    sizes: Option<HashMap<String, u64>>,
    on_progress: Option<&Bound<'py, PyAny>>,
    chunk_bytes: Option<u64>,
    cache: Option<PathBuf>,
    settle_ms: Option<u64>,
    machine: Option<&str>,
    store: Option<Bound<'py, PyAny>>,
    workers: Option<Bound<'py, PyAny>>,
    task_bytes: Option<u64>,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let choices = Choices { text, threads, mmap, copies, max_line_bytes };
    let mut options = core::Options { sizes, index: cache, ..choices.options(tables.0)? };
    options.chunk_bytes = chunk_bytes.unwrap_or(options.chunk_bytes);
    options.settle = settle_ms.map_or(options.settle, Duration::from_millis);
    options.machine = machine.map_or(Ok(options.machine), arguments::machine)?;
    options.store = store.map(PyStore::of);
    options.workers = workers.map(PyWorkers::of);
    options.task_bytes = task_bytes.unwrap_or(options.task_bytes);
    let progress = Arc::default();
    let scanned = wait::until_done(py, &progress, on_progress, move |progress| {
        core::scan(&roots.0, &options, progress)
    })?;
    if let Some(warning) = &scanned.warning {
        warn_of_index(py, warning)?;
    }
    let streams = PyDict::new(py);
    for (table, schema, batches) in scanned.tables {
        streams.set_item(table.name(), Stream::of_batches(schema, batches))?;
    }
    Ok((streams, coverage::dict(py, &scanned.coverage)?))
}

/// Scan what lies below `roots` for one table, as a stream of batches of at
/// most `batch_rows` rows that are made while they are read.
#[pyfunction]
#[pyo3(signature = (roots, table, *, batch_rows, threads, mmap, copies, max_line_bytes, text, store=None, workers=None, task_bytes=None, segment_bytes=None))]
#[allow(clippy::too_many_arguments)] // They are keywords in Python.
fn reader(
    py: Python<'_>,
    roots: Roots,
    table: &str,
    batch_rows: usize,
    threads: Option<usize>,
    mmap: &str,
    copies: &str,
    max_line_bytes: Option<u64>,
    text: bool,
    store: Option<Bound<'_, PyAny>>,
    workers: Option<Bound<'_, PyAny>>,
    task_bytes: Option<u64>,
    segment_bytes: Option<u64>,
) -> PyResult<Stream> {
    let table = arguments::table(table)?;
    let choices = Choices { text, threads, mmap, copies, max_line_bytes };
    let mut options = choices.options(vec![table])?;
    options.store = store.map(PyStore::of);
    options.workers = workers.map(PyWorkers::of);
    options.task_bytes = task_bytes.unwrap_or(options.task_bytes);
    options.segment_bytes = segment_bytes.unwrap_or(options.segment_bytes);
    let calls_python = options.store.is_some() || options.workers.is_some();
    let progress: Arc<core::Progress> = Arc::default();
    let shared = Arc::clone(&progress);
    let reader = wait::until_done(py, &progress, None, move |_| {
        core::reader(roots.0, table, batch_rows, options, shared)
    })?;
    Ok(Stream::of_reader(reader, progress, calls_python))
}

/// The names of the ways to find strings that this machine can run, the fastest
/// last; any of them gives the same tables.
#[pyfunction]
fn machines() -> Vec<&'static str> {
    Machine::all().into_iter().map(Machine::name).collect()
}

/// Plan a scan of what lies below `roots` part by part, and return the plan. A
/// part has about `segment_bytes` of transcripts.
#[pyfunction]
#[pyo3(signature = (roots, *, tables, text, threads, mmap, copies, max_line_bytes, on_progress, segment_bytes=None, store=None, workers=None, task_bytes=None))]
#[allow(clippy::too_many_arguments)] // They are keywords in Python.
fn segments(
    py: Python<'_>,
    roots: Roots,
    tables: Tables,
    text: bool,
    threads: Option<usize>,
    mmap: &str,
    copies: &str,
    max_line_bytes: Option<u64>,
    on_progress: Option<&Bound<'_, PyAny>>,
    segment_bytes: Option<u64>,
    store: Option<Bound<'_, PyAny>>,
    workers: Option<Bound<'_, PyAny>>,
    task_bytes: Option<u64>,
) -> PyResult<Segments> {
    let choices = Choices { text, threads, mmap, copies, max_line_bytes };
    let mut options = choices.options(tables.0)?;
    options.segment_bytes = segment_bytes.unwrap_or(options.segment_bytes);
    options.store = store.map(PyStore::of);
    options.workers = workers.map(PyWorkers::of);
    options.task_bytes = task_bytes.unwrap_or(options.task_bytes);
    Segments::plan(py, roots.0, options, on_progress)
}

/// Plan a scan of what lies below `roots` whose tasks other processes fold, and return
/// the plan. `name` is to tell it from every other; a task has about `task_bytes` of
/// transcripts.
#[pyfunction]
#[pyo3(signature = (roots, *, name, task_bytes, tables, text, threads, mmap, copies, max_line_bytes, chunk_bytes=None, store=None))]
#[allow(clippy::too_many_arguments)] // They are keywords in Python.
fn plan(
    py: Python<'_>,
    roots: Roots,
    name: String,
    task_bytes: u64,
    tables: Tables,
    text: bool,
    threads: Option<usize>,
    mmap: &str,
    copies: &str,
    max_line_bytes: Option<u64>,
    chunk_bytes: Option<u64>,
    store: Option<Bound<'_, PyAny>>,
) -> PyResult<Plan> {
    let choices = Choices { text, threads, mmap, copies, max_line_bytes };
    let mut options = choices.options(tables.0)?;
    options.chunk_bytes = chunk_bytes.unwrap_or(options.chunk_bytes);
    options.store = store.map(PyStore::of);
    Plan::of(py, name, roots.0, options, task_bytes)
}

/// Fold a task of the plan `plan`, the one of this number there; return the facts.
/// The units are those of `Plan.tasks`, the options those of the plan.
#[pyfunction]
#[pyo3(signature = (plan, number, units, *, tables, text, threads, mmap, max_line_bytes, store=None))]
#[allow(clippy::too_many_arguments)] // They are keywords in Python.
fn fold<'py>(
    py: Python<'py>,
    plan: String,
    number: u32,
    units: Vec<tasks::Told>,
    tables: Tables,
    text: bool,
    threads: Option<usize>,
    mmap: &str,
    max_line_bytes: Option<u64>,
    store: Option<Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    // What to do with copies is for whoever joins the facts to say.
    let choices = Choices { text, threads, mmap, copies: "collapse", max_line_bytes };
    let mut options = choices.options(tables.0)?;
    options.store = store.map(PyStore::of);
    tasks::folded(py, plan, number, units, options)
}

/// How the extension was built: `release`, or `debug`, which is slow.
#[pyfunction]
fn build_profile() -> &'static str {
    if cfg!(debug_assertions) { "debug" } else { "release" }
}

/// Warns whoever called the package's function, three calls above.
fn warn_of_index(py: Python<'_>, warning: &str) -> PyResult<()> {
    // Without NUL, whatever the folder is called.
    let message = CString::new(warning.replace('\0', ""))?;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 4)
}

/// So that no benchmark is wrong for that reason.
fn warn_of_debug_build(py: Python<'_>) -> PyResult<()> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    let message = c"sessionscan._core is a debug build and many times slower than a release build";
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), message, 1)
}
