//! A table as an Arrow stream, handed over by the `PyCapsule` interface.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sessionscan_core::{Error, Progress};

type Reader = Box<dyn RecordBatchReader + Send>;

/// The rows of a table, to be read once by anything that takes an Arrow
/// `PyCapsule` stream: `pyarrow.RecordBatchReader.from_stream(stream)`.
#[pyclass(frozen, module = "sessionscan._core")]
pub(crate) struct Stream {
    schema: SchemaRef,
    reader: Mutex<Option<Reader>>,
}

impl Stream {
    /// Batches that are there already.
    pub(crate) fn of_batches(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        let batches = batches.into_iter().map(Ok);
        Self::new(RecordBatchIterator::new(batches, schema))
    }

    /// Batches that are made while they are read; `progress` is cancelled when
    /// nobody reads on. `calls_python` where threads attach to the interpreter
    /// to make them.
    pub(crate) fn of_reader(reader: Reader, progress: Arc<Progress>, calls_python: bool) -> Self {
        let schema = reader.schema();
        Self::new(Guarded { schema, reader: Some(reader), progress, calls_python })
    }

    fn new(reader: impl RecordBatchReader + Send + 'static) -> Self {
        Self { schema: reader.schema(), reader: Mutex::new(Some(Box::new(reader))) }
    }
}

#[pymethods]
impl Stream {
    /// The schema; the stream can still be read.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref())
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, once. A schema that is asked for is not looked at, as the
    /// interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(reader) = reader else {
            return Err(PyValueError::new_err("the stream was handed over already"));
        };
        // Dropped with the capsule, the struct releases what nobody has taken.
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }
}

/// A reader whose panic is an error of its stream. It is called from C, where
/// an unwinding panic would end the process.
struct Guarded {
    schema: SchemaRef,
    /// None once it has panicked: its state is then anybody's guess.
    reader: Option<Reader>,
    progress: Arc<Progress>,
    calls_python: bool,
}

impl Iterator for Guarded {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        let mut next = || catch_unwind(AssertUnwindSafe(|| reader.next()));
        // Whoever pulls may hold the interpreter, and would then wait for threads
        // that wait for it.
        let pulled = if self.calls_python { Python::attach(|py| py.detach(next)) } else { next() };
        pulled.unwrap_or_else(|panic| {
            self.reader = None;
            let error = Error::from_panic(&*panic);
            Some(Err(ArrowError::ExternalError(Box::new(error))))
        })
    }
}

impl RecordBatchReader for Guarded {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.progress.cancelled.store(true, Ordering::Relaxed);
    }
}
