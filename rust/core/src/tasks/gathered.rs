//! The facts of tasks, as they come in.

use super::cut::Cut;
use super::reply::PACKAGE;
use crate::exchange::Damaged;
use crate::parallel::Folded;

/// Why bytes are not the facts of a task, or not of all of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// They are no facts, or were damaged on the way.
    #[error("these are not the facts of a task: {0}")]
    Damaged(#[from] Damaged),
    /// Another version of the package has folded them.
    #[error(
        "these facts were folded by sessionscan {0}, and this is {PACKAGE}: where tasks are folded \
         and where they are joined the version has to be the same"
    )]
    OtherPackage(String),
    /// They are of a task of another plan.
    #[error("these are the facts of another plan: each plan joins those of its own tasks")]
    OtherPlan,
    /// They are of another task than the one that was done.
    #[error("these are the facts of another task")]
    OtherTask,
    /// Tasks are missing.
    #[error(
        "the facts of {missing} of {tasks} tasks are missing; the first is task {first}, which \
         begins with {path}"
    )]
    #[allow(missing_docs)]
    Missing { missing: usize, tasks: usize, first: usize, path: String },
}

/// What came in so far.
#[derive(Debug)]
pub struct Gathered {
    /// The units of each task that has come in.
    tasks: Vec<Option<Vec<Folded>>>,
}

impl Gathered {
    /// Nothing yet.
    pub(super) fn of(cut: &Cut) -> Self {
        Self { tasks: (0..cut.len()).map(|_| None).collect() }
    }

    /// Puts in the facts of a task; what came in for it already stays as it is.
    pub fn put(&mut self, (number, folded): (usize, Vec<Folded>)) {
        self.tasks[number].get_or_insert(folded);
    }

    /// The first task that has not come in, and how many have not.
    pub(super) fn missing(&self) -> Option<(usize, usize)> {
        let missing = self.tasks.iter().filter(|task| task.is_none()).count();
        Some((self.tasks.iter().position(Option::is_none)?, missing))
    }

    /// The units of all tasks, in order.
    pub(super) fn into_units(self) -> Vec<Folded> {
        self.tasks.into_iter().flatten().flatten().collect()
    }
}
