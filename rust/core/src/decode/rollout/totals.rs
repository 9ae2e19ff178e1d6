//! `info` of an event that counts tokens (ruling 96).

use crate::decode::members::{Members, number};
use crate::decode::scanner::{Scanner, Step};
use crate::record::Flaws;
use crate::record::rollout::Totals;

/// Reads the object at the cursor; it may hold no totals.
pub(super) fn totals(scanner: &mut Scanner<'_>) -> Step<(Option<Totals>, Flaws)> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut read = None;
    scanner.object(|scanner, key| {
        if key.is("total_token_usage") {
            read = members.object(scanner, 0, counts)?;
            return Ok(());
        }
        scanner.skip()
    })?;
    let (totals, below) = read.unzip();
    let mut flaws = members.flaws(u64::MAX, scanner.since(start), number(["total_token_usage"]));
    flaws += below.unwrap_or_default();
    Ok((totals, flaws))
}

const COUNTS: [&str; 4] =
    ["input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens"];

fn counts(scanner: &mut Scanner<'_>) -> Step<(Totals, Flaws)> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut counts = [None; 4];
    scanner.object(|scanner, key| {
        match COUNTS.iter().position(|name| key.is(name)) {
            Some(index) => counts[index] = members.count(scanner, index)?,
            None => scanner.skip()?,
        }
        Ok(())
    })?;
    let [input, cached, output, reasoning] = counts;
    let flaws = members.flaws(u64::MAX, scanner.since(start), number(COUNTS));
    Ok((Totals { input, cached, output, reasoning }, flaws))
}
