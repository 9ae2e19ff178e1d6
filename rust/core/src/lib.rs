//! Reads coding-agent transcripts into Arrow tables.
//!
//! The flow is the layout; each stage is a module:
//!
//! ```text
//! discover -> map -> split -> decode -> fold -> join -> arrow
//!
//! discover  roots to transcripts and what stands beside them, in order
//! map       a transcript to its bytes, in stretches of whole lines
//! split     bytes to lines, at LF and nowhere else
//! decode    a line to records, or to what is wrong with it
//! fold      records to facts, a few per cent of the bytes (parallel cuts the work)
//! join      facts of all files to the corpus: copies, replays, pairs, sums
//! arrow     the corpus to record batches, one module for each table
//! ```
//!
//! `schema` holds the one definition of tables and vocabularies, `diagnose` the
//! findings, `side_file` reads what stands beside transcripts, `census`
//! counts the names of the format, `exchange` turns facts into Arrow tables and
//! back, `index` keeps them for the next scan, `storage` knows where the bytes
//! live, `tables` judges the facts once and makes every table of them, `scan` runs
//! the flow, `segments` runs it over one part of a corpus after the other, and
//! `tasks` has other processes fold.

pub mod arrow;
pub mod census;
pub mod coverage;
pub mod decode;
pub mod diagnose;
pub mod discover;
pub mod error;
pub mod exchange;
pub mod facts;
pub mod fold;
mod index;
pub mod join;
pub mod map;
pub mod parallel;
pub mod reader;
pub mod record;
pub mod scan;
pub mod schema;
pub mod search;
pub mod segments;
pub mod side_file;
mod spare;
pub mod split;
pub mod storage;
pub mod strings;
pub mod tables;
pub mod tasks;
pub mod time;

pub use coverage::Coverage;
pub use discover::Root;
pub use error::Error;
pub use map::MmapPolicy;
pub use parallel::Progress;
pub use reader::reader;
pub use scan::{Copies, Options, Scan, scan};
pub use schema::Table;
pub use segments::Segments;
pub use storage::Store;
pub use tasks::{Gathered, Plan};
