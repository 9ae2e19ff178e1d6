//! The hash by which two records of one uuid are told apart (ruling 23).

use twox_hash::XxHash3_64;
use xxhash_rust::xxh3::Xxh3Default;

use crate::decode::scanner::{Scanner, Step};
use crate::record::{Record, Str};

/// Members that two copies of one record may differ in.
const NOT_PAYLOAD: [&str; 8] =
    ["uuid", "parentUuid", "timestamp", "version", "gitBranch", "cwd", "promptId", "slug"];

/// Hash of the payload (ruling 23). It only ever tells records of one uuid
/// apart, so 64 bits are ample.
pub(super) fn payload<'a>(
    scanner: &Scanner<'a>,
    record: &Record<'a>,
    whole: [Option<(usize, usize)>; 2],
) -> Step<u64> {
    if record.string(Str::Uuid).is_none_or(|uuid| uuid.is_empty()) {
        return Ok(0);
    }
    for (span, seed) in whole.into_iter().zip(0..) {
        let json = span.map_or("null", |(start, end)| scanner.between(start, end));
        if json != "null" {
            return Ok(XxHash3_64::oneshot_with_seed(seed, json.as_bytes()));
        }
    }
    let mut hash = Xxh3Default::new();
    let mut inner = scanner.within(record.start, record.end);
    inner.object(|inner, key| {
        let start = inner.at;
        inner.skip()?;
        if !NOT_PAYLOAD.contains(&&*key.text()) {
            let value = inner.since(start);
            hash.update(&(key.written().len() as u64).to_le_bytes());
            hash.update(key.written().as_bytes());
            hash.update(&(value.len() as u64).to_le_bytes());
            hash.update(value.as_bytes());
        }
        Ok(())
    })?;
    Ok(hash.digest())
}
