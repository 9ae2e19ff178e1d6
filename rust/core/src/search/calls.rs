//! The calls that results are of: their ids, and their tools.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hashbrown::{HashMap, HashSet};

use super::look::Looked;
use super::prefilter::Prefilter;
use crate::record::Record;

/// Calls by their ids: where the first of each stands in its file, and its tool.
pub(super) type Calls = BTreeMap<String, (u64, Option<String>)>;

/// Notes the calls of a record that stands on the line at `offset`.
pub(super) fn note(record: &Record<'_>, offset: u64, calls: &mut Calls) {
    for block in record.blocks().iter().filter(|block| block.is_call()) {
        let Some(id) = block.id.map(|id| id.text().into_owned()) else { continue };
        let name = || block.called().map(Cow::into_owned);
        match calls.entry(id) {
            Entry::Vacant(free) => {
                free.insert((offset, name()));
            }
            Entry::Occupied(mut taken) if taken.get().0 > offset => {
                taken.insert((offset, name()));
            }
            Entry::Occupied(_) => {}
        }
    }
}

/// The tools of all calls of each file by their ids, where all its lines were looked at
/// for calls.
pub(super) fn of_files(looked: &mut [Looked]) -> HashMap<u32, HashMap<String, Option<String>>> {
    let mut known: HashMap<u32, HashMap<String, Option<String>>> = HashMap::new();
    let mut unknown = HashSet::new();
    for part in looked.iter_mut().filter(|part| part.bytes > 0) {
        let Some(calls) = part.calls.take() else {
            unknown.insert(part.file);
            continue;
        };
        let of_file = known.entry(part.file).or_default();
        for (id, (_, tool)) in calls {
            of_file.entry(id).or_insert(tool);
        }
    }
    known.retain(|file, _| !unknown.contains(file));
    known
}

/// The lines that may hold calls: each names its type, whose quotes nothing can escape.
pub(super) fn call_lines() -> Prefilter {
    Prefilter::of_texts(&["tool_use\"", "_call\""])
}
