//! The extension module `sessionscan._core`.
