//! A Python object that reaches files elsewhere than on disk, as a store of the
//! core. `sessionscan.remote.Store` is what it is.
//!
//! The core asks from threads of its pool. Each attaches to the interpreter for
//! the call alone, and the object lets go of it while it waits for an answer.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use sessionscan_core::Store;
use sessionscan_core::storage::{Kind, Listed, Listing, StoreError};

#[derive(Debug)]
pub(crate) struct PyStore(Py<PyAny>);

/// Path below the root, whether it is a file (true) or a folder (false) or
/// neither (none), length, and time of the last change in ns of the epoch.
type Row = (String, Option<bool>, u64, Option<i64>);

impl PyStore {
    pub(crate) fn of(store: Bound<'_, PyAny>) -> Arc<dyn Store> {
        Arc::new(Self(store.unbind()))
    }
}

impl Store for PyStore {
    fn list(&self, root: &Path) -> Result<Listing, StoreError> {
        let (shown, rows): (String, Vec<Row>) = Python::attach(|py| {
            self.0.bind(py).call_method1("listing", (root.to_string_lossy(),))?.extract()
        })?;
        Ok(Listing { shown, listed: rows.into_iter().map(listed).collect() })
    }

    fn look(&self, path: &Path) -> io::Result<Option<Listed>> {
        let row: PyResult<Option<Row>> = Python::attach(|py| {
            self.0.bind(py).call_method1("look", (path.to_string_lossy(),))?.extract()
        });
        Ok(row.map_err(in_its_words)?.map(listed))
    }

    fn read_at(&self, path: &Path, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes: PyResult<PyBackedBytes> = Python::attach(|py| {
            let arguments = (path.to_string_lossy(), offset, buffer.len());
            Ok(self.0.bind(py).call_method1("read_at", arguments)?.extract()?)
        });
        // Copied when the interpreter is free for others again.
        let bytes = bytes.map_err(in_its_words)?;
        let read = bytes.len().min(buffer.len());
        buffer[..read].copy_from_slice(&bytes[..read]);
        Ok(read)
    }
}

fn listed((below, is_file, size, modified): Row) -> Listed {
    let kind = match is_file {
        Some(true) => Kind::File,
        Some(false) => Kind::Folder,
        None => Kind::Other,
    };
    let since_epoch = modified.and_then(|ns| u64::try_from(ns).ok()).map(Duration::from_nanos);
    let modified = since_epoch.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
    Listed { below, kind, size, modified }
}

/// The words that a finding has for an exception.
#[allow(clippy::needless_pass_by_value)] // It is given up here.
fn in_its_words(error: PyErr) -> io::Error {
    io::Error::other(Python::attach(|py| error.value(py).to_string()))
}
