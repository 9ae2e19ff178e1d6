//! Facts to record batches: one module for each table.

pub mod agents;
pub mod blocks;
pub mod columns;
pub mod diagnostics;
pub mod files;
pub mod links;
pub mod records;
pub mod sessions;
pub mod tool_calls;
pub mod usage;
pub mod workflows;
