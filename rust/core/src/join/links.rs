//! Links: sessions that share records, and which of two is the ancestor
//! (SPEC section 6, ruling 43).

mod forks;
mod members;
mod responses;
mod shared;

use std::cmp::Reverse;

use hashbrown::{HashMap, HashSet};

use crate::facts::Identity;
use crate::join::sessions::Session;
use crate::join::usage::Response;
use crate::join::{Corpus, Position};
use crate::strings::Symbol;
use members::Members;

/// A session and its ancestor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Link {
    pub position: Position,
    pub session: Symbol,
    pub other: Symbol,
    pub evidence: Evidence,
    pub n_shared: i64,
    pub first_shared_uuid: Option<String>,
    pub target_found: bool,
}

/// What shows that two sessions are linked, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Evidence {
    ForkedFrom,
    SharedUuid,
    SharedResponse,
}

impl Evidence {
    /// Its word in the vocabulary `link_evidence`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ForkedFrom => "forkedFrom",
            Self::SharedUuid => "shared_uuid",
            Self::SharedResponse => "shared_response",
        }
    }
}

/// Links sessions, each pair by its strongest evidence. The rows come in the
/// table's order.
pub fn links(corpus: &Corpus, sessions: &[Session], responses: &[Response]) -> Vec<Link> {
    let members = Members::of(corpus);
    let order = Order::of(corpus, sessions);
    let mut links = forks::links(corpus, &members);
    let mut linked: HashSet<(Symbol, Symbol)> = links.iter().map(Link::pair).collect();
    if members.sessions.len() > 1 {
        links.extend(shared::links(corpus, &members, &order, &linked));
        linked.extend(links.iter().map(Link::pair));
        links.extend(responses::links(corpus, &members, responses, &linked));
    }
    for link in &mut links {
        link.target_found = order.ranks.contains_key(&link.other);
    }
    links.sort_by(|a, b| {
        let of_session = order.of_session(a.session).cmp(&order.of_session(b.session));
        of_session.then_with(|| order.of_session(a.other).cmp(&order.of_session(b.other)))
    });
    links
}

impl Link {
    /// A link between sessions that `n_shared` records, uuids or responses show.
    fn new(session: Symbol, other: Symbol, evidence: Evidence, position: Position) -> Self {
        let (n_shared, first_shared_uuid, target_found) = (0, None, false);
        Self { position, session, other, evidence, n_shared, first_shared_uuid, target_found }
    }

    /// Its sessions, whichever is the ancestor.
    fn pair(&self) -> (Symbol, Symbol) {
        unordered(self.session, self.other)
    }
}

fn unordered(a: Symbol, b: Symbol) -> (Symbol, Symbol) {
    (a.min(b), a.max(b))
}

/// The order of sessions: as in their table, others last, by bytes.
struct Order<'c> {
    corpus: &'c Corpus,
    ranks: HashMap<Symbol, usize>,
}

impl<'c> Order<'c> {
    fn of(corpus: &'c Corpus, sessions: &[Session]) -> Self {
        Self { corpus, ranks: sessions.iter().map(|session| session.id).zip(0..).collect() }
    }

    fn of_session(&self, id: Symbol) -> (usize, Option<&'c str>) {
        let rank = self.ranks.get(&id).copied().unwrap_or(usize::MAX);
        (rank, self.corpus.strings.text(id))
    }
}

/// Names the ancestor of each session whose records do not name one themselves.
pub fn name_ancestors(sessions: &mut [Session], links: &[Link]) {
    let mut best: HashMap<Symbol, &Link> = HashMap::new();
    for link in links {
        let rank = |link: &Link| (link.evidence, Reverse(link.n_shared));
        let known = best.entry(link.session).or_insert(link);
        if rank(link) < rank(known) {
            *known = link;
        }
    }
    for session in sessions.iter_mut().filter(|session| !session.forked_from.is_some()) {
        session.forked_from = best.get(&session.id).map_or(Symbol::NONE, |link| link.other);
    }
}

/// A uuid as it is written.
fn uuid_text(corpus: &Corpus, unit: u32, sketch: u32) -> Option<String> {
    match corpus.sketch(unit, sketch).uuid? {
        Identity::Uuid(bits) => {
            let hex = format!("{bits:032x}");
            let groups = [0..8, 8..12, 12..16, 16..20, 20..32];
            Some(groups.map(|group| &hex[group]).join("-"))
        }
        Identity::Hash(_) => {
            let odd = &corpus.units[unit as usize].further.odd_uuids;
            let place = odd.binary_search_by_key(&sketch, |(sketch, _)| *sketch).ok()?;
            corpus.strings.text(odd[place].1).map(str::to_owned)
        }
    }
}

#[cfg(test)]
mod tests;
