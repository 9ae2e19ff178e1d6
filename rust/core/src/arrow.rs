//! Facts to record batches: one module for each table.

pub mod blocks;
pub mod census;
pub mod columns;
pub mod diagnostics;
pub mod files;
pub mod records;
pub mod sessions;
pub mod tool_calls;
pub mod usage;
