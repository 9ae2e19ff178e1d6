//! Links that shared uuids show. Forks that keep uuids and rewrite the session
//! id name no ancestor, so this is the only trace of them.
//!
//! Nearly every uuid stands in one record. A filter far smaller than a map of
//! uuids finds those that may stand in several; what they are shared by is
//! counted by sets of sessions, of which there are few.

use hashbrown::{HashMap, HashSet};

use super::members::{Member, Members};
use super::{Evidence, Link, Order, unordered, uuid_text};
use crate::facts::Identity;
use crate::join::{Corpus, Place};
use crate::strings::Symbol;

/// One for each pair of sessions, not linked yet, that share a uuid.
pub(super) fn links(
    corpus: &Corpus,
    members: &Members,
    order: &Order<'_>,
    linked: &HashSet<(Symbol, Symbol)>,
) -> Vec<Link> {
    let sets = Sets::of(corpus, members);
    if sets.all.is_empty() {
        return Vec::new();
    }
    let seen = Seen::of(corpus, members, &sets);
    let mut links = Vec::new();
    for (a, b, shared) in seen.pairs(&sets) {
        let [first, second] = [a, b].map(|number| members.sessions[number as usize]);
        if linked.contains(&unordered(first, second)) {
            continue;
        }
        // The one without records of its own, or whose own start first, is the ancestor.
        let age = |own: u32, other: u32, id: Symbol| {
            (seen.own_start(&sets, own, other), order.of_session(id))
        };
        let is_ancestor = age(a, b, first) < age(b, a, second);
        let (session, other, place) = if is_ancestor {
            (second, first, shared.second)
        } else {
            (first, second, shared.first)
        };
        let Some((file, Place { unit, index })) = place else { continue };
        let position = corpus.position(file, unit, index);
        links.push(Link {
            n_shared: shared.uuids,
            first_shared_uuid: uuid_text(corpus, unit, index),
            ..Link::new(session, other, Evidence::SharedUuid, position)
        });
    }
    links
}

/// Which uuids may stand in several records, by the slot of each: a filter that
/// lets a few too many through, and no wanted one be lost.
struct Slots {
    taken: Vec<u64>,
    taken_twice: Vec<u64>,
    shift: u32,
}

impl Slots {
    /// Sixteen slots for a record keep its uuid apart from most others, and all of
    /// them in a cache that is near.
    fn new(records: usize) -> Self {
        let slots = (records * 16).next_power_of_two().max(64);
        let words = slots / 64;
        let shift = u64::BITS - slots.trailing_zeros();
        Self { taken: vec![0; words], taken_twice: vec![0; words], shift }
    }

    /// The word and the bit of a uuid.
    fn slot(&self, uuid: Identity) -> (usize, u64) {
        let (Identity::Uuid(bits) | Identity::Hash(bits)) = uuid;
        let folded = (bits >> 64) as u64 ^ bits as u64;
        let slot = folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        (slot as usize / 64, 1 << (slot % 64))
    }

    fn add(&mut self, uuid: Identity) {
        let (word, bit) = self.slot(uuid);
        self.taken_twice[word] |= self.taken[word] & bit;
        self.taken[word] |= bit;
    }

    fn may_be_shared(&self, uuid: Identity) -> bool {
        let (word, bit) = self.slot(uuid);
        self.taken_twice[word] & bit != 0
    }
}

/// The sets of sessions that share uuids.
struct Sets {
    slots: Slots,
    all: Vec<Set>,
    by_uuid: HashMap<Identity, u32>,
}

struct Set {
    /// Numbers of its sessions, in order.
    sessions: Vec<u32>,
    /// How many uuids stand in these sessions and no others.
    uuids: i64,
}

impl Sets {
    fn of(corpus: &Corpus, members: &Members) -> Self {
        let records: usize = corpus.units.iter().map(|unit| unit.sketches.len()).sum();
        let mut slots = Slots::new(records);
        members.each_record(corpus, |member| {
            if let Some(uuid) = uuid(corpus, &member) {
                slots.add(uuid);
            }
        });
        let mut holders: HashMap<Identity, Vec<u32>> = HashMap::new();
        let mut in_order: Vec<Identity> = Vec::new();
        members.each_record(corpus, |member| {
            let uuid = uuid(corpus, &member).filter(|uuid| slots.may_be_shared(*uuid));
            let Some(uuid) = uuid else { return };
            let sessions = holders.entry(uuid).or_default();
            if sessions.is_empty() {
                in_order.push(uuid);
            }
            if let Err(place) = sessions.binary_search(&member.session) {
                sessions.insert(place, member.session);
            }
        });
        let mut sets = Self { slots, all: Vec::new(), by_uuid: HashMap::new() };
        sets.count(holders, &in_order);
        sets
    }

    fn count(&mut self, mut holders: HashMap<Identity, Vec<u32>>, in_order: &[Identity]) {
        let mut by_sessions: HashMap<Vec<u32>, u32> = HashMap::new();
        for uuid in in_order {
            let Some(sessions) = holders.remove(uuid).filter(|sessions| sessions.len() > 1) else {
                continue;
            };
            let next = self.all.len() as u32;
            let number = *by_sessions.entry_ref(&sessions).or_insert(next);
            if number == next {
                self.all.push(Set { sessions, uuids: 0 });
            }
            self.all[number as usize].uuids += 1;
            self.by_uuid.insert(*uuid, number);
        }
    }

    /// The set of a uuid that stands in several sessions.
    fn set(&self, uuid: Identity) -> Option<u32> {
        if self.slots.may_be_shared(uuid) { self.by_uuid.get(&uuid).copied() } else { None }
    }
}

fn uuid(corpus: &Corpus, member: &Member) -> Option<Identity> {
    let Place { unit, index } = member.place;
    corpus.units[unit as usize].sketches.uuid(index as usize)
}

/// A record and its file; records compare by their places.
type Spot = (u32, Place);

/// When and where the records of sessions stand, by the set of their uuid.
struct Seen {
    /// Of each session of a set, as the set lists them.
    traces: Vec<Vec<Trace>>,
    /// Of each session the earliest timestamps in its sets, in order; uuids of it
    /// alone are in none.
    starts: Vec<Vec<(i64, Option<u32>)>>,
}

/// The records of a session whose uuid has one set.
#[derive(Clone, Copy, Default)]
struct Trace {
    first: Option<Spot>,
    start: Option<i64>,
}

/// What two sessions share.
#[derive(Default)]
struct Shared {
    uuids: i64,
    first: Option<Spot>,
    second: Option<Spot>,
}

impl Seen {
    fn of(corpus: &Corpus, members: &Members, sets: &Sets) -> Self {
        let of_set = |set: &Set| vec![Trace::default(); set.sessions.len()];
        let mut traces: Vec<Vec<Trace>> = sets.all.iter().map(of_set).collect();
        let mut own = vec![Trace::default(); members.sessions.len()];
        members.each_record(corpus, |member| {
            let Some(uuid) = uuid(corpus, &member) else { return };
            let shared = sets.set(uuid).and_then(|set| {
                let sessions = &sets.all[set as usize].sessions;
                let place = sessions.binary_search(&member.session).ok()?;
                traces[set as usize].get_mut(place)
            });
            let trace = shared.unwrap_or(&mut own[member.session as usize]);
            trace.first = trace.first.or(Some((member.file, member.place)));
            let Place { unit, index } = member.place;
            let timestamp = corpus.units[unit as usize].sketches.timestamp(index as usize);
            trace.start = earliest(trace.start, timestamp);
        });
        let starts = starts(&own, sets, &traces);
        Self { traces, starts }
    }

    /// The earliest timestamp of the records whose uuid the other session lacks.
    fn own_start(&self, sets: &Sets, session: u32, other: u32) -> Option<i64> {
        let lacks = |set: u32| sets.all[set as usize].sessions.binary_search(&other).is_err();
        let starts = &self.starts[session as usize];
        starts.iter().find(|(_, set)| set.is_none_or(lacks)).map(|(timestamp, _)| *timestamp)
    }

    /// Every pair of sessions that share something, and what.
    fn pairs(&self, sets: &Sets) -> Vec<(u32, u32, Shared)> {
        let mut pairs: Vec<(u32, u32, Shared)> = Vec::new();
        let mut numbers: HashMap<(u32, u32), usize> = HashMap::new();
        for (set, traces) in sets.all.iter().zip(&self.traces) {
            for (i, a) in set.sessions.iter().enumerate() {
                for (j, b) in set.sessions.iter().enumerate().skip(i + 1) {
                    let number = *numbers.entry((*a, *b)).or_insert(pairs.len());
                    if number == pairs.len() {
                        pairs.push((*a, *b, Shared::default()));
                    }
                    let shared = &mut pairs[number].2;
                    shared.uuids += set.uuids;
                    shared.first = earlier(shared.first, traces[i].first);
                    shared.second = earlier(shared.second, traces[j].first);
                }
            }
        }
        pairs
    }
}

fn starts(own: &[Trace], sets: &Sets, traces: &[Vec<Trace>]) -> Vec<Vec<(i64, Option<u32>)>> {
    let alone = own.iter().map(|trace| trace.start.map(|start| (start, None)));
    let mut starts: Vec<Vec<_>> = alone.map(|start| start.into_iter().collect()).collect();
    for ((set, traces), number) in sets.all.iter().zip(traces).zip(0..) {
        for (session, trace) in set.sessions.iter().zip(traces) {
            let start = trace.start.map(|start| (start, Some(number)));
            starts[*session as usize].extend(start);
        }
    }
    for starts in &mut starts {
        starts.sort_unstable();
    }
    starts
}

fn earliest(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.into_iter().chain(b).min()
}

fn earlier(a: Option<Spot>, b: Option<Spot>) -> Option<Spot> {
    a.into_iter().chain(b).min_by_key(|(_, place)| *place)
}
