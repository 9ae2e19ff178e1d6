//! What ends a scan. Damage in the input never does: that is a row of
//! `diagnostics`.

use std::io;

use crate::storage::StoreError;
use crate::tasks::{Refused, WorkersError};

/// Why a scan returned no tables.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller set [`cancelled`](crate::Progress::cancelled).
    #[error("the scan was cancelled")]
    Cancelled,
    /// A worker panicked; this is always a defect of the engine.
    #[error("the engine panicked: {0}; this is a defect of sessionscan, please report it")]
    Panic(String),
    /// A table outgrew what Arrow can hold in one column.
    #[error("a table could not be built: {0}")]
    Arrow(#[from] arrow_schema::ArrowError),
    /// The operating system refused threads.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A store did not say what it holds.
    #[error("{0}")]
    Storage(StoreError),
    /// Workers that were to fold did not.
    #[error("{0}")]
    Workers(WorkersError),
    /// What workers gave are not the facts of their tasks.
    #[error("{refused}; they came for the task that begins with {path}")]
    #[allow(missing_docs)]
    Refused { path: String, refused: Refused },
}

impl Error {
    /// The error for a payload that `catch_unwind` or `JoinHandle::join` gave.
    pub fn from_panic(payload: &(dyn std::any::Any + Send)) -> Self {
        let message = payload
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| payload.downcast_ref::<String>().cloned());
        Self::Panic(message.unwrap_or_else(|| "no message".to_owned()))
    }
}

/// The operating system's words for an error, as `strerror` has them: Rust's
/// own display adds a number that a reader of a table has no use for.
pub(crate) fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if error.raw_os_error().is_some()
        && let Some(number) = text.rfind(" (os error ")
    {
        text.truncate(number);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_bare_strerror() {
        assert_eq!(reason(&io::Error::from_raw_os_error(2)), "No such file or directory");
        assert_eq!(reason(&io::Error::other("odd (os error 5)")), "odd (os error 5)");
    }

    #[test]
    fn a_panic_keeps_its_message() {
        for thrown in [
            std::panic::catch_unwind(|| std::panic::panic_any("plain")),
            std::panic::catch_unwind(|| std::panic::panic_any("plain".to_owned())),
        ] {
            let error = thrown.map_err(|payload| Error::from_panic(&*payload));
            assert!(matches!(error, Err(Error::Panic(message)) if message == "plain"));
        }
        assert!(
            matches!(Error::from_panic(&7_u8), Error::Panic(message) if message == "no message")
        );
    }
}
