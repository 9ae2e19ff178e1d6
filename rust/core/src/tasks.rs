//! Folding in other processes, on this machine or on others.
//!
//! Units of work are cut into [`Task`]s. A task is paths and lengths, and is folded
//! wherever these files can be read; what comes back are the facts of its units, as
//! bytes. [`Gathered`] takes them in any order. The units are those that the threads
//! of a scan would fold, and so are the tables that their facts are joined to.
//!
//! There are two ways to have tasks folded. With [`Workers`] a scan hands them out
//! itself, wherever it would fold. A [`Plan`] is for whoever hands them out alone.

mod cut;
mod gathered;
mod plan;
mod reply;
mod task;
mod workers;

pub use self::cut::{Cut, TASK_BYTES};
pub use self::gathered::{Gathered, Refused};
pub use self::plan::Plan;
pub use self::task::{Share, Task};
pub use self::workers::{Workers, WorkersError};

pub(crate) use self::workers::fold_units;

#[cfg(test)]
mod tests;
