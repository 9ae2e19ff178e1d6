//! Usage: each response once (SPEC section 4).

mod conflicts;

use hashbrown::{HashMap, HashSet};

use crate::diagnose::Finding;
use crate::facts::{Identity, UsageCarrier};
use crate::join::originals::{self, Claim, CopyOf, Owner, judge};
use crate::join::{Corpus, Place, Position};
use crate::strings::Symbol;
use conflicts::Conflicts;

/// A response: the copies of one message id in one session.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Response {
    /// The copy that is retained, whole.
    pub retained: Place,
    pub position: Position,
    pub n_records: i64,
    pub first_timestamp: Option<i64>,
    pub last_timestamp: Option<i64>,
    pub copy: CopyOf,
    pub is_fork: bool,
    pub is_uncertain: bool,
    /// It is no response, but the growth of a thread's totals (ruling 96).
    pub is_growth: bool,
    owner: Owner,
    message: Symbol,
    conflicts: Conflicts,
}

impl Response {
    /// Whether its copies differ in a count.
    pub fn has_conflict(&self) -> bool {
        self.conflicts.is_some()
    }

    /// Its word in the vocabulary `certainty`.
    pub fn certainty(&self, has_final: bool) -> &'static str {
        match (self.is_uncertain, has_final || self.is_growth) {
            (true, _) => "uncertain",
            (false, true) => "exact",
            (false, false) => "lower_bound",
        }
    }
}

/// Groups the carriers, retains one copy of each response, and finds the
/// copies that other sessions hold. The rows come in the table's order.
pub fn responses(corpus: &Corpus) -> (Vec<Response>, Vec<Finding>) {
    let mut responses = group(corpus);
    mark_copies(corpus, &mut responses);
    responses.sort_unstable_by_key(|response| response.position);
    let findings = conflicts::findings(corpus, &responses);
    (responses, findings)
}

fn group(corpus: &Corpus) -> Vec<Response> {
    let carriers: usize = corpus.units.iter().map(|unit| unit.usages.len()).sum();
    let mut responses: Vec<Response> = Vec::new();
    let mut by_key: HashMap<(Owner, Symbol), usize> = HashMap::with_capacity(carriers);
    // The copies of a response mostly stand one behind the other.
    let mut last: Option<((Owner, Symbol), usize)> = None;
    for (place, carrier) in corpus.carriers() {
        let owner = Owner::of(corpus.envelope(place).session, carrier.file);
        if carrier.message.is_id() {
            let key = (owner, carrier.message);
            let index = match last {
                Some((last, index)) if last == key => index,
                _ => *by_key.entry(key).or_insert(responses.len()),
            };
            last = Some((key, index));
            if let Some(response) = responses.get_mut(index) {
                response.add(corpus, place, carrier);
                continue;
            }
        }
        responses.push(Response::of(corpus, place, carrier, owner));
    }
    responses
}

impl Response {
    fn of(corpus: &Corpus, place: Place, carrier: &UsageCarrier, owner: Owner) -> Self {
        Self {
            retained: place,
            position: position(corpus, place, carrier),
            n_records: 1,
            first_timestamp: carrier.timestamp.get(),
            last_timestamp: carrier.timestamp.get(),
            copy: CopyOf::default(),
            is_fork: corpus.envelope(place).is_fork,
            is_uncertain: !carrier.message.is_id() && !corpus.is_growth(place),
            is_growth: corpus.is_growth(place),
            owner,
            message: carrier.message,
            conflicts: Conflicts::default(),
        }
    }

    fn add(&mut self, corpus: &Corpus, place: Place, carrier: &UsageCarrier) {
        let retained = corpus.carrier(self.retained);
        let (old, new) = (corpus.tally(self.retained), corpus.tally(place));
        if old != new {
            self.conflicts.add(&(*old).into(), &(*new).into());
        }
        let position = position(corpus, place, carrier);
        if rank(carrier, new.output(), position) > rank(retained, old.output(), self.position) {
            (self.retained, self.position) = (place, position);
        }
        self.n_records += 1;
        self.is_fork |= corpus.envelope(place).is_fork;
        if let Some(timestamp) = carrier.timestamp.get() {
            let first = self.first_timestamp.map_or(timestamp, |first| first.min(timestamp));
            let last = self.last_timestamp.map_or(timestamp, |last| last.max(timestamp));
            (self.first_timestamp, self.last_timestamp) = (Some(first), Some(last));
        }
    }
}

/// Place of a carrier. An inline one shares its record's place with none.
fn position(corpus: &Corpus, place: Place, carrier: &UsageCarrier) -> Position {
    let sketch = corpus.sketch(place.unit, carrier.sketch);
    (carrier.file, sketch.line, sketch.place)
}

/// The copy with the highest rank is retained.
fn rank(
    carrier: &UsageCarrier,
    output: Option<i64>,
    position: Position,
) -> (Option<i64>, bool, bool, Option<i64>, Position) {
    let has_stop = carrier.stop_reason.is_some();
    (output, has_stop, !carrier.is_inline, carrier.timestamp.get(), position)
}

/// Finds the groups of different sessions that are one response.
fn mark_copies(corpus: &Corpus, responses: &mut [Response]) {
    let has_id = |response: &Response| response.message.is_id();
    let certain = responses.iter().enumerate().filter(|(_, response)| has_id(response));
    let shared = originals::shared(certain.map(|(index, response)| (response.message, index)));
    if shared.is_empty() {
        return;
    }
    let evidence = evidence(corpus, responses, &shared);
    for indices in shared {
        for linked in components(&indices, &evidence) {
            let claims: Vec<_> =
                linked.iter().map(|index| claim(corpus, &responses[*index])).collect();
            for (index, copy) in linked.iter().zip(judge(&claims)) {
                responses[*index].copy = copy;
            }
        }
    }
}

fn claim(corpus: &Corpus, response: &Response) -> (Owner, Symbol, Claim) {
    let carrier = corpus.carrier(response.retained);
    let claim = Claim {
        is_fork: response.is_fork,
        is_sidechain: carrier.is_sidechain == Some(true),
        timestamp: response.first_timestamp.unwrap_or(i64::MAX),
        position: response.position,
        block: 0,
    };
    (response.owner, corpus.envelope(response.retained).session, claim)
}

/// What a group's carriers can share with another's.
#[derive(Default)]
struct Evidence {
    requests: HashSet<Symbol>,
    uuids: HashSet<Identity>,
}

fn evidence(
    corpus: &Corpus,
    responses: &[Response],
    shared: &[Vec<usize>],
) -> HashMap<usize, Evidence> {
    let wanted: HashMap<(Owner, Symbol), usize> = shared
        .iter()
        .flatten()
        .map(|index| ((responses[*index].owner, responses[*index].message), *index))
        .collect();
    let mut evidence: HashMap<usize, Evidence> = HashMap::new();
    for (place, carrier) in corpus.carriers() {
        let owner = Owner::of(corpus.envelope(place).session, carrier.file);
        if let Some(index) = wanted.get(&(owner, carrier.message)) {
            let evidence = evidence.entry(*index).or_default();
            if carrier.request.is_id() {
                evidence.requests.insert(carrier.request);
            }
            evidence.uuids.extend(corpus.uuid(place));
        }
    }
    evidence
}

/// Groups that are linked, directly or through others.
fn components(indices: &[usize], evidence: &HashMap<usize, Evidence>) -> Vec<Vec<usize>> {
    let mut by_request: HashMap<Symbol, usize> = HashMap::new();
    let mut by_uuid: HashMap<Identity, usize> = HashMap::new();
    let mut parent: Vec<usize> = (0..indices.len()).collect();
    for (place, index) in indices.iter().enumerate() {
        let Some(own) = evidence.get(index) else { continue };
        #[allow(clippy::iter_over_hash_type, reason = "joining sets is the same in any order")]
        for request in &own.requests {
            let other = *by_request.entry(*request).or_insert(place);
            unite(&mut parent, place, other);
        }
        #[allow(clippy::iter_over_hash_type, reason = "joining sets is the same in any order")]
        for uuid in &own.uuids {
            let other = *by_uuid.entry(*uuid).or_insert(place);
            unite(&mut parent, place, other);
        }
    }
    let mut sets: Vec<Vec<usize>> = vec![Vec::new(); indices.len()];
    for (place, index) in indices.iter().enumerate() {
        sets[root(&parent, place)].push(*index);
    }
    sets.retain(|set| set.len() > 1);
    sets
}

fn root(parent: &[usize], mut place: usize) -> usize {
    while parent[place] != place {
        place = parent[place];
    }
    place
}

fn unite(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}
