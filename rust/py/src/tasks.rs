//! Plans whose tasks other processes fold.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sessionscan_core as core;
use sessionscan_core::tasks::{Refused, Share, Task};

use crate::stream::Stream;
use crate::{coverage, wait};

/// A unit of work: its files with their lengths, where the lines start that are
/// folded, and whether the facts are reduced.
pub(crate) type Told = (Vec<(OsString, u64)>, Option<(u64, u64)>, bool);

/// What is to be folded, and by which tasks.
#[pyclass(frozen, module = "sessionscan._core")]
pub(crate) struct Plan(Arc<core::Plan>);

impl Plan {
    pub(crate) fn of(
        py: Python<'_>,
        name: String,
        roots: Vec<core::Root>,
        options: core::Options,
        task_bytes: u64,
    ) -> PyResult<Self> {
        let plan = wait::until_done(py, &Arc::default(), None, move |_| {
            core::Plan::of(name, &roots, options, task_bytes)
        })?;
        Ok(Self(Arc::new(plan)))
    }
}

#[pymethods]
impl Plan {
    /// The units of each task, as `fold` takes them.
    fn tasks(&self) -> Vec<Vec<Told>> {
        self.0.tasks().map(told).collect()
    }

    /// What takes the facts of the tasks.
    fn gather(&self) -> Gathered {
        Gathered { plan: Arc::clone(&self.0), gathered: Mutex::new(self.0.gather()) }
    }
}

/// The facts of a plan's tasks, as they come in.
#[pyclass(frozen, module = "sessionscan._core")]
pub(crate) struct Gathered {
    plan: Arc<core::Plan>,
    gathered: Mutex<core::Gathered>,
}

#[pymethods]
impl Gathered {
    /// Take what `fold` gave for one of the tasks, in any order; what comes twice
    /// counts once. Raises `ValueError` for anything else.
    fn add(&self, py: Python<'_>, facts: &[u8]) -> PyResult<()> {
        let facts = facts.to_vec();
        py.detach(|| {
            let read = self.plan.read(facts)?;
            self.gathered.lock().unwrap_or_else(PoisonError::into_inner).put(read);
            Ok(())
        })
        .map_err(refused)
    }

    /// Join the facts and give them up. Returns what `scan` returns; raises `ValueError` where
    /// those of a task are missing.
    fn join<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let gathered = {
            let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
            self.plan.check(&gathered).map_err(refused)?;
            std::mem::replace(&mut *gathered, self.plan.gather())
        };
        let plan = Arc::clone(&self.plan);
        let scanned = wait::until_done(py, &Arc::default(), None, move |progress| {
            plan.join(gathered, progress)
        })?;
        let streams = PyDict::new(py);
        for (table, schema, batches) in scanned.tables {
            streams.set_item(table.name(), Stream::of_batches(schema, batches))?;
        }
        Ok((streams, coverage::dict(py, &scanned.coverage)?))
    }
}

/// The units of a task.
pub(crate) fn told(task: Task) -> Vec<Told> {
    let told = |share: Share| {
        let range = share.range.map(|range| (range.start, range.end));
        let file = |(path, size): (PathBuf, u64)| (path.into_os_string(), size);
        (share.files.into_iter().map(file).collect(), range, share.is_reduced)
    };
    task.shares.into_iter().map(told).collect()
}

/// Fold the units of a task.
pub(crate) fn folded(
    py: Python<'_>,
    plan: String,
    number: u32,
    units: Vec<Told>,
    options: core::Options,
) -> PyResult<Bound<'_, PyBytes>> {
    let share = |(files, range, is_reduced): Told| {
        let range = range.map(|(start, end)| start..end);
        let file = |(path, size): (OsString, u64)| (path.into(), size);
        Share { files: files.into_iter().map(file).collect(), range, is_reduced }
    };
    let task = Task { plan, number, shares: units.into_iter().map(share).collect() };
    let bytes =
        wait::until_done(py, &Arc::default(), None, move |progress| task.fold(&options, progress))?;
    Ok(PyBytes::new(py, &bytes))
}

#[allow(clippy::needless_pass_by_value)] // It is given up here.
fn refused(refused: Refused) -> PyErr {
    PyValueError::new_err(refused.to_string())
}
