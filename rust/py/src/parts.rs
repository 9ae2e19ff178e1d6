//! Tables that come part by part, for corpora larger than memory.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sessionscan_core as core;

use crate::stream::Stream;
use crate::{coverage, wait};

/// A corpus that is scanned part by part.
#[pyclass(frozen, module = "sessionscan._core")]
pub(crate) struct Segments {
    /// None while a part is scanned, and once that has failed.
    segments: Mutex<Option<core::Segments>>,
    progress: Arc<core::Progress>,
}

impl Segments {
    pub(crate) fn plan(
        py: Python<'_>,
        roots: Vec<core::Root>,
        options: core::Options,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let progress: Arc<core::Progress> = Arc::default();
        let shared = Arc::clone(&progress);
        let segments = wait::until_done(py, &progress, on_progress, move |_| {
            core::Segments::plan(&roots, options, shared)
        })?;
        Ok(Self { segments: Mutex::new(Some(segments)), progress })
    }

    fn taken(&self) -> Option<core::Segments> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put_back(&self, segments: core::Segments) {
        *self.segments.lock().unwrap_or_else(PoisonError::into_inner) = Some(segments);
    }
}

#[pymethods]
impl Segments {
    /// Scan the next part. Returns pairs of a table's name and the stream of its
    /// further rows, or None once there are no more. Raises as `scan` does.
    #[pyo3(signature = (*, on_progress))]
    fn advance(
        &self,
        py: Python<'_>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<(&'static str, Stream)>>> {
        let mut segments = self.taken().ok_or_else(no_more)?;
        let (segments, built) = wait::until_done(py, &self.progress, on_progress, move |_| {
            let built = segments.advance()?;
            Ok((segments, built))
        })?;
        self.put_back(segments);
        let stream = |(table, schema, batches): core::tables::Built| {
            (table.name(), Stream::of_batches(schema, batches))
        };
        Ok(built.map(|built| built.into_iter().map(stream).collect()))
    }

    /// The coverage of what was scanned so far, as a dict.
    fn coverage<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        coverage::dict(py, segments.as_ref().ok_or_else(no_more)?.coverage())
    }
}

fn no_more() -> PyErr {
    PyRuntimeError::new_err("a part of the corpus is being scanned, or could not be")
}
