//! What an agent did: records, calls, responses and tokens (rulings 27, 41).

use crate::join::Corpus;
use crate::join::agents::parts::{Gathered, Parts, widen};
use crate::join::sessions::Sum;
use crate::join::tool_calls::{Pair, outcome};
use crate::join::usage::Response;

/// Sums over what is an agent's.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Sums {
    pub n_records: i64,
    pub n_inline_records: i64,
    pub n_tool_calls: i64,
    pub n_failed: i64,
    pub n_responses: i64,
    pub tokens: [Sum; 8],
    pub first_timestamp: Option<i64>,
    pub last_timestamp: Option<i64>,
}

/// The sums of all agents, in their order.
pub(super) fn sums(
    corpus: &Corpus,
    gathered: &Gathered,
    pairs: &[Pair],
    responses: &[Response],
) -> Vec<Sums> {
    let mut sums: Vec<Sums> = gathered.all.iter().map(|parts| of_records(corpus, parts)).collect();
    for pair in pairs {
        let call = corpus.call(pair.call);
        let agent = corpus.agent(call.agent, call.file);
        if !agent.is_id() {
            continue;
        }
        if let Some(number) = gathered.find(corpus.call_owner(pair), agent) {
            let result = pair.result.map(|place| corpus.result(place));
            sums[number].n_tool_calls += 1;
            sums[number].n_failed += i64::from(outcome(corpus, call, result).outcome == "failed");
        }
    }
    for response in responses {
        let carrier = corpus.carrier(response.retained);
        let agent = if carrier.is_inline {
            carrier.agent
        } else {
            corpus.agent(carrier.agent, carrier.file)
        };
        if !agent.is_id() {
            continue;
        }
        let owner = corpus.owner(corpus.envelope(response.retained).session, carrier.file);
        if let Some(number) = gathered.find(owner, agent) {
            let counts = corpus.counts(response.retained).columns();
            sums[number].n_responses += 1;
            sums[number].tokens.iter_mut().zip(counts).for_each(|(sum, count)| sum.add(count));
        }
    }
    sums
}

fn of_records(corpus: &Corpus, parts: &Parts) -> Sums {
    let mut dates = parts.inline.dates;
    let mut n_records = 0;
    for number in &parts.transcripts {
        for (unit, sketch) in corpus.standing_records(*number) {
            n_records += 1;
            if let Some(timestamp) = corpus.sketch(unit, sketch).timestamp {
                dates = Some(widen(dates, timestamp));
            }
        }
    }
    Sums {
        n_records,
        n_inline_records: parts.inline.count,
        first_timestamp: dates.map(|(first, _)| first),
        last_timestamp: dates.map(|(_, last)| last),
        ..Sums::default()
    }
}
