//! Running the engine while Python stays alive.
//!
//! The work has a thread of its own and the calling one is detached from the
//! interpreter, so other Python threads run. Every few hundredths of a second it
//! comes back for a moment, for signals and to report progress; where either
//! raises, the work is cancelled, and the exception goes on once it has ended.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sessionscan_core::{Error, Progress};

use crate::workers::Raised;

/// Ctrl-C must end a scan within a quarter of a second; most of that is left to
/// the engine.
const LISTEN_EVERY: Duration = Duration::from_millis(50);

/// Runs `work` to its end, or until a signal handler or `on_progress` raises.
pub(crate) fn until_done<T: Send + 'static>(
    py: Python<'_>,
    progress: &Arc<Progress>,
    on_progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Progress) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    let shared = Arc::clone(progress);
    let run = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&shared)));
        let outcome = outcome.unwrap_or_else(|panic| Err(Error::from_panic(&*panic)));
        // Nobody listens any more where the caller was interrupted.
        drop(sender.send(outcome));
    };
    let worker = Builder::new().name("sessionscan".to_owned()).spawn(run)?;
    let mut reporter = Reporter { progress, on_progress, reported: None };
    let outcome = listen(py, &mut receiver, &mut reporter);
    if outcome.is_err() {
        progress.cancelled.store(true, Ordering::Relaxed);
    }
    // The thread has sent its outcome or was just told to stop, and never panics.
    py.detach(|| drop(worker.join()));
    let done = outcome?.map_err(raised)?;
    reporter.report()?;
    Ok(done)
}

/// What a store or a worker raised as it is; any other error is one of the engine.
fn raised(error: Error) -> PyErr {
    match error {
        error @ Error::Refused { .. } => PyValueError::new_err(error.to_string()),
        Error::Workers(error) => match error.downcast::<Raised>() {
            Ok(raised) => raised.0,
            Err(error) => PyOSError::new_err(error.to_string()),
        },
        Error::Storage(error) => match error.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(error) => PyOSError::new_err(error.to_string()),
        },
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

/// The work's outcome, or what Python raised meanwhile.
fn listen<T: Send>(
    py: Python<'_>,
    receiver: &mut Receiver<Result<T, Error>>,
    reporter: &mut Reporter<'_, '_>,
) -> PyResult<Result<T, Error>> {
    loop {
        let receiver = &mut *receiver;
        match py.detach(move || receiver.recv_timeout(LISTEN_EVERY)) {
            Ok(outcome) => return Ok(outcome),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                reporter.report_change()?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(Err(Error::Panic("the thread ended early".to_owned())));
            }
        }
    }
}

/// Calls `on_progress` with files done and in all, bytes done and in all.
struct Reporter<'a, 'py> {
    progress: &'a Progress,
    on_progress: Option<&'a Bound<'py, PyAny>>,
    reported: Option<[u64; 4]>,
}

impl Reporter<'_, '_> {
    fn report_change(&mut self) -> PyResult<()> {
        if self.reported == Some(self.now()) {
            return Ok(());
        }
        self.report()
    }

    fn report(&mut self) -> PyResult<()> {
        let now = self.now();
        self.reported = Some(now);
        if let Some(on_progress) = self.on_progress {
            on_progress.call1(<(u64, u64, u64, u64)>::from(now))?;
        }
        Ok(())
    }

    fn now(&self) -> [u64; 4] {
        let progress = self.progress;
        [&progress.files_done, &progress.files_total, &progress.bytes_done, &progress.bytes_total]
            .map(|count| count.load(Ordering::Relaxed))
    }
}
