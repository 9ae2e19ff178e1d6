//! The facts of a plan's tasks, as they come in.

use super::Plan;
use super::reply::{PACKAGE, Reply};
use crate::exchange::Damaged;
use crate::parallel::{Folded, Unit};

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
    pub fn of(plan: &Plan) -> Self {
        Self { tasks: plan.tasks.iter().map(|_| None).collect() }
    }

    /// Puts in what [`Plan::read`] gave; a task that came in already stays as it is.
    pub fn put(&mut self, (number, folded): (usize, Vec<Folded>)) {
        self.tasks[number].get_or_insert(folded);
    }

    /// An error where not every task has come in.
    pub fn check(&self, plan: &Plan) -> Result<(), Refused> {
        let missing = self.tasks.iter().filter(|task| task.is_none()).count();
        let Some(first) = self.tasks.iter().position(Option::is_none) else { return Ok(()) };
        let path = plan.first(first).to_owned();
        Err(Refused::Missing { missing, tasks: self.tasks.len(), first, path })
    }

    /// The units of all tasks, in order.
    pub(super) fn into_units(self) -> Vec<Folded> {
        self.tasks.into_iter().flatten().flatten().collect()
    }
}

impl Plan {
    /// The facts of one of its tasks, and which one that is.
    pub fn read(&self, bytes: Vec<u8>) -> Result<(usize, Vec<Folded>), Refused> {
        let reply = Reply::of(bytes)?;
        if reply.head.package != PACKAGE {
            return Err(Refused::OtherPackage(reply.head.package));
        }
        let number = reply.head.task as usize;
        if reply.head.plan != self.name || number >= self.tasks.len() {
            return Err(Refused::OtherPlan);
        }
        let files: Vec<&[u32]> = self.tasks[number].iter().map(Unit::files).collect();
        Ok((number, reply.folded(&files)?))
    }
}
