//! A Python object that has others fold tasks, as the workers of the core.
//! `sessionscan.executors.Workers` is what it is.
//!
//! The core asks from the thread that runs the scan, which attaches to the interpreter
//! for the call alone; the object lets go of it while it waits.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use sessionscan_core::Options;
use sessionscan_core::tasks::{Task, Workers, WorkersError};

use crate::tasks::{Told, told};

#[derive(Debug)]
pub(crate) struct PyWorkers(Py<PyAny>);

/// What a worker raised. A stream has nothing but words for it, so these have the
/// notes too.
#[derive(Debug)]
pub(crate) struct Raised(pub(crate) PyErr);

impl Display for Raised {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let notes: PyResult<Vec<String>> =
            Python::attach(|py| self.0.value(py).getattr("__notes__")?.extract());
        write!(to, "{}", self.0)?;
        notes.unwrap_or_default().iter().try_for_each(|note| write!(to, " ({note})"))
    }
}

impl std::error::Error for Raised {}

fn raised(error: PyErr) -> WorkersError {
    Box::new(Raised(error))
}

impl PyWorkers {
    pub(crate) fn of(workers: Bound<'_, PyAny>) -> Arc<dyn Workers> {
        Arc::new(Self(workers.unbind()))
    }
}

impl Workers for PyWorkers {
    fn name(&self) -> Result<String, WorkersError> {
        let name: PyResult<_> =
            Python::attach(|py| self.0.bind(py).call_method0("name")?.extract());
        name.map_err(raised)
    }

    fn begin(&self, tasks: Vec<Task>, options: &Options) -> Result<(), WorkersError> {
        let plan = tasks.first().map_or_else(String::new, |task| task.plan.clone());
        let units: Vec<Vec<Told>> = tasks.into_iter().map(told).collect();
        let tables: Vec<&str> = options.tables.iter().map(|table| table.name()).collect();
        let arguments = (plan, units, tables, options.text);
        let begun = Python::attach(|py| self.0.bind(py).call_method1("begin", arguments).map(drop));
        begun.map_err(raised)
    }

    fn next(&self, wait: Duration) -> Result<Option<(u32, Vec<u8>)>, WorkersError> {
        let done: PyResult<Option<(u32, PyBackedBytes)>> = Python::attach(|py| {
            self.0.bind(py).call_method1("next", (wait.as_secs_f64(),))?.extract()
        });
        // Copied when the interpreter is free for others again.
        let done = done.map_err(raised)?;
        Ok(done.map(|(number, bytes)| (number, bytes.to_vec())))
    }

    fn cancel(&self) {
        // The scan has failed already, and says why.
        drop(Python::attach(|py| self.0.bind(py).call_method0("cancel").map(drop)));
    }
}
