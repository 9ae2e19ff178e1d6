//! Links that records name: `forkedFrom`.

use hashbrown::HashMap;

use super::members::{Member, Members};
use super::{Evidence, Link};
use crate::join::Corpus;
use crate::strings::Symbol;

/// One for each session and other session that its records name.
pub(super) fn links(corpus: &Corpus, members: &Members) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let mut by_pair: HashMap<(Symbol, Symbol), usize> = HashMap::new();
    for member in &members.forks {
        let named = corpus.sketch(member.place.unit, member.place.index).forked_from;
        let session = members.sessions[member.session as usize];
        if named == session {
            continue;
        }
        let number = *by_pair.entry((session, named)).or_insert(links.len());
        if number == links.len() {
            links.push(first(corpus, *member, session, named));
        }
        links[number].n_shared += 1;
    }
    links
}

fn first(corpus: &Corpus, member: Member, session: Symbol, named: Symbol) -> Link {
    let Member { file, place, .. } = member;
    let forks = &corpus.units[place.unit as usize].further.forks;
    let found = forks.binary_search_by_key(&place.index, |(sketch, _)| *sketch);
    let uuid = found.ok().and_then(|found| corpus.strings.text(forks[found].1));
    let position = corpus.position(file, place.unit, place.index);
    Link {
        first_shared_uuid: uuid.map(str::to_owned),
        ..Link::new(session, named, Evidence::ForkedFrom, position)
    }
}
