//! Objects whose keys are data: tracked paths, and models in a cost record. Of
//! equal keys the last value stands at the place of the first, without finding.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::decode::further::Object;
use crate::decode::scanner::{Scanner, Step};
use crate::record::Flaws;
use crate::record::further::{ModelCost, Tracked};

/// The members of the object at the cursor: keys, and where the values start.
fn members<'a>(scanner: &mut Scanner<'a>) -> Step<Vec<(Cow<'a, str>, usize)>> {
    let mut places: HashMap<Cow<'a, str>, usize> = HashMap::new();
    let mut all: Vec<(Cow<'a, str>, usize)> = Vec::new();
    scanner.object(|scanner, key| {
        let start = scanner.at;
        scanner.skip()?;
        let key = key.text();
        let place = *places.entry(key.clone()).or_insert(all.len());
        if place == all.len() {
            all.push((key, start));
        } else {
            all[place].1 = start;
        }
        Ok(())
    })?;
    Ok(all)
}

/// Reads each value that is an object; others are flaws.
fn values<'a, T>(
    scanner: &mut Scanner<'a>,
    mut read: impl FnMut(&mut Scanner<'a>, Cow<'a, str>) -> Step<(T, Flaws)>,
) -> Step<(Vec<T>, Flaws)> {
    let all = members(scanner)?;
    let (mut values, mut flaws) = (Vec::with_capacity(all.len()), Flaws::default());
    let end = scanner.at;
    for (key, start) in all {
        let mut inner = scanner.within(start, end);
        if inner.peek() == Some(b'{') {
            let (value, found) = read(&mut inner, key)?;
            values.push(value);
            flaws += found;
        } else {
            flaws.bad_values += 1;
        }
    }
    Ok((values, flaws))
}

/// `snapshot`: paths, all of one time.
pub fn snapshot<'a>(scanner: &mut Scanner<'a>) -> Step<(Vec<Tracked<'a>>, Flaws)> {
    let mut object = Object::at(scanner);
    let (mut tracked, mut time) = (Vec::<Tracked<'_>>::new(), None);
    let mut inside = Flaws::default();
    scanner.object(|scanner, key| {
        match &*key.text() {
            "timestamp" => time = object.members.timestamp(scanner, 0)?,
            "trackedFileBackups" => {
                let read = object.members.object(scanner, 1, tracked_file_backups)?;
                (tracked, inside) = read.unwrap_or_default();
            }
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    for entry in &mut tracked {
        entry.snapshot_time = time;
    }
    let mut flaws = object.flaws(scanner, u64::MAX, ["timestamp", "trackedFileBackups"]);
    flaws += inside;
    Ok((tracked, flaws))
}

fn tracked_file_backups<'a>(scanner: &mut Scanner<'a>) -> Step<(Vec<Tracked<'a>>, Flaws)> {
    values(scanner, |inner, path| {
        let (mut tracked, flaws) = backup(inner)?;
        tracked.path = path.into_owned();
        Ok((tracked, flaws))
    })
}

/// The backup at the cursor.
pub fn backup<'a>(scanner: &mut Scanner<'a>) -> Step<(Tracked<'a>, Flaws)> {
    let mut object = Object::at(scanner);
    let mut tracked = Tracked::default();
    scanner.object(|scanner, key| {
        let members = &mut object.members;
        match &*key.text() {
            "backupFileName" => {
                let is_null = scanner.peek() == Some(b'n');
                tracked.backup_file_name = members.string(scanner, 0)?;
                let is_string = tracked.backup_file_name.is_some();
                tracked.is_tombstone = (is_null || is_string).then_some(is_null);
            }
            "version" => tracked.version = members.integer(scanner, 1)?,
            "backupTime" => tracked.backup_time = members.timestamp(scanner, 2)?,
            "realParentDir" => tracked.real_parent_dir = members.string(scanner, 3)?,
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    let keys = ["backupFileName", "version", "backupTime", "realParentDir"];
    Ok((tracked, object.flaws(scanner, u64::MAX, keys)))
}

/// `modelUsage`
pub fn model_usage<'a>(scanner: &mut Scanner<'a>) -> Step<(Vec<ModelCost<'a>>, Flaws)> {
    values(scanner, |inner, model| {
        let mut object = Object::at(inner);
        let mut cost = ModelCost { model, ..ModelCost::default() };
        inner.object(|scanner, key| {
            let members = &mut object.members;
            match &*key.text() {
                "inputTokens" => cost.input = members.count(scanner, 0)?,
                "outputTokens" => cost.output = members.count(scanner, 1)?,
                "cacheReadInputTokens" => cost.cache_read = members.count(scanner, 2)?,
                "cacheCreationInputTokens" => cost.cache_creation = members.count(scanner, 3)?,
                "costUSD" => cost.cost_usd = members.double(scanner, 4)?,
                _ => scanner.skip()?,
            }
            Ok(())
        })?;
        let keys = [
            "inputTokens",
            "outputTokens",
            "cacheReadInputTokens",
            "cacheCreationInputTokens",
            "costUSD",
        ];
        let flaws = object.flaws(inner, u64::MAX, keys);
        Ok((cost, flaws))
    })
}
