//! Facts to record batches: one module for each table.

pub mod agents;
pub mod attachments;
pub mod blocks;
pub mod census;
pub mod columns;
pub mod compactions;
pub mod diagnostics;
pub mod endings;
pub mod events;
pub mod file_history;
pub mod files;
pub mod journal;
pub mod ledger;
pub mod links;
pub mod of_units;
pub mod prompts;
pub mod records;
pub mod sessions;
pub mod sidecars;
pub mod skills;
pub mod tool_calls;
pub mod usage;
pub mod workflows;
