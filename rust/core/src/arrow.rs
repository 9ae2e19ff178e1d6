//! Facts to record batches: one module for each table.

pub mod blocks;
pub mod columns;
pub mod diagnostics;
pub mod endings;
pub mod files;
pub mod prompts;
pub mod records;
pub mod sessions;
pub mod tool_calls;
pub mod usage;
