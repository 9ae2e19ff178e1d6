//! Links that copied responses show.

use hashbrown::{HashMap, HashSet};

use super::members::Members;
use super::{Evidence, Link, unordered};
use crate::join::Corpus;
use crate::join::usage::Response;
use crate::strings::Symbol;

/// One for each pair of sessions, not linked yet, of which one has copies of
/// the other's responses. The first copy says which.
pub(super) fn links(
    corpus: &Corpus,
    members: &Members,
    responses: &[Response],
    linked: &HashSet<(Symbol, Symbol)>,
) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let mut by_pair: HashMap<(Symbol, Symbol), usize> = HashMap::new();
    for response in responses.iter().filter(|response| response.copy.is_copy) {
        let carrier = corpus.carrier(response.retained);
        let session = corpus.session(corpus.envelope(response.retained).session, carrier.file);
        let other = response.copy.session;
        let known = |id: Symbol| id.is_id() && members.number(id).is_some();
        let pair = unordered(session, other);
        if session == other || !known(session) || !known(other) || linked.contains(&pair) {
            continue;
        }
        let number = *by_pair.entry(pair).or_insert(links.len());
        if number == links.len() {
            links.push(Link::new(session, other, Evidence::SharedResponse, response.position));
        }
        links[number].n_shared += 1;
    }
    links
}
