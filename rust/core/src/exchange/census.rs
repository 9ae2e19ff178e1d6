//! The batches of a census, which come all three or not at all.

use super::Damaged;
use super::limits::Limits;
use super::named::Batches;
use crate::census::Census;

/// Their names.
pub(super) const NAMES: [&str; 3] = ["census_strings", "census_files", "census_names"];

/// The census, where there is one.
pub(super) fn read(batches: &Batches<'_>, limits: &Limits) -> Result<Option<Census>, Damaged> {
    let there = NAMES.iter().filter(|name| batches.has(name)).count();
    if there == 0 {
        return Ok(None);
    }
    if there < NAMES.len() {
        return Err(Damaged("a part of a census"));
    }
    let [strings, files, names] = NAMES.map(|name| batches.get(name));
    Census::of_batches([strings?, files?, names?], limits).map(Some)
}
