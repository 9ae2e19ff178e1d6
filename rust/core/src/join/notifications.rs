//! Task notifications: which agent and which call each is about (ruling 40).
//! One event is often told several times; only the last that has a status counts.

use hashbrown::HashMap;

use crate::facts::further::Notification;
use crate::join::originals::Owner;
use crate::join::tool_calls::Pair;
use crate::join::{Corpus, Place, Standing};
use crate::strings::Symbol;

/// The notifications of a corpus that have a status.
#[derive(Debug, Default)]
pub struct Notifications {
    /// In order of file, line, place and element.
    all: Vec<Place>,
    by_task: Last,
    by_tool_use: Last,
}

/// The last notification, a place in [`Notifications::all`], that names an id in a session.
type Last = HashMap<(Owner, Symbol), u32>;

impl Notifications {
    /// Those of the records that count.
    pub fn of(corpus: &Corpus) -> Self {
        let mut notifications = Self::default();
        for (unit, number) in corpus.units.iter().zip(0..) {
            for (fact, index) in unit.further.notifications.iter().zip(0..) {
                let counts = corpus.standing(number, fact.sketch) == Standing::Counts;
                if counts && fact.status.is_some() {
                    notifications.add(corpus, Place { unit: number, index }, fact);
                }
            }
        }
        notifications
    }

    fn add(&mut self, corpus: &Corpus, place: Place, fact: &Notification) {
        let number = self.all.len() as u32;
        let session = corpus.sketch(place.unit, fact.sketch).session;
        let owner = corpus.owner(session, fact.file);
        for (last, id) in [(&mut self.by_task, fact.task), (&mut self.by_tool_use, fact.tool_use)] {
            if id.is_id() {
                last.insert((owner, id), number);
            }
        }
        self.all.push(place);
    }

    /// The one that counts for an agent with this id and `agents.tool_use_id`.
    pub fn about_agent(&self, owner: Owner, agent: Symbol, tool_use: Symbol) -> Option<Place> {
        self.last(owner, [agent], tool_use)
    }

    /// The one that counts for a call.
    pub fn about_call(&self, corpus: &Corpus, pair: &Pair) -> Option<Place> {
        let call = corpus.call(pair.call);
        let owner = corpus.owner(corpus.sketch(pair.call.unit, call.sketch).session, call.file);
        let tasks = pair.result.map_or([Symbol::NONE; 2], |place| {
            let result = corpus.result(place);
            [result.rare().background_task, result.rare().launched_agent]
        });
        self.last(owner, tasks, call.id)
    }

    fn last<const N: usize>(
        &self,
        owner: Owner,
        tasks: [Symbol; N],
        tool_use: Symbol,
    ) -> Option<Place> {
        let by_task = tasks.iter().filter_map(|task| self.by_task.get(&(owner, *task))).max();
        let by_tool_use = self.by_tool_use.get(&(owner, tool_use));
        by_task.max(by_tool_use).map(|number| self.all[*number as usize])
    }
}

/// `tool_calls.notified_status` of each pair.
pub fn statuses(corpus: &Corpus, notifications: &Notifications, pairs: &[Pair]) -> Vec<Symbol> {
    if notifications.all.is_empty() {
        return vec![Symbol::NONE; pairs.len()];
    }
    let status = |pair: &Pair| {
        let place = notifications.about_call(corpus, pair);
        place.map_or(Symbol::NONE, |place| corpus.notification(place).status)
    };
    pairs.iter().map(status).collect()
}

impl Corpus {
    /// A notification.
    pub fn notification(&self, place: Place) -> &Notification {
        &self.units[place.unit as usize].further.notifications[place.index as usize]
    }
}

#[cfg(test)]
mod tests;
