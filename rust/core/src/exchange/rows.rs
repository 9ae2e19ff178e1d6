//! The fields of every fact, listed once: a changed struct is a changed line
//! here, and a new [`FACTS_VERSION`](super::FACTS_VERSION).

use super::Damaged;
use super::fields::Nested;
use super::limits::{Confined, Of};
use super::value::Reader;
use crate::diagnose::Finding;
use crate::facts::further::{
    AttachmentFact, Boundary, CostFact, EventFact, InlineRecord, JournalFact, LaunchInput,
    LaunchResult, Notification, PromptFact, SkillFact, Title, TrackedFact, Turn,
};
use crate::facts::rollouts::{RolloutRecord, TotalsFact};
use crate::facts::sketches::loose::Loose;
use crate::facts::{
    CacheMiss, Call, Envelope, FilePart, Identity, IterationFact, RareOfResult, Sums, ToolResult,
    UsageCarrier,
};
use crate::record::Counts;
use crate::record::rollout::Totals;
use crate::strings::Symbol;

/// Facts as columns: `field in what` names what the numbers of a field point at,
/// `but field` what has a batch of its own.
macro_rules! rows {
    ($($fact:ty {
        $($field:ident $(in $what:ident)?),* $(,)? $(; but $other:ident)?
    })*) => {$(
        impl $crate::exchange::value::Value for $fact {
            fn write<'v>(
                name: &str,
                values: impl Iterator<Item = &'v Self> + Clone,
                to: &mut $crate::exchange::value::Writer,
            ) {
                $(
                    let name_of_field = $crate::exchange::value::part(name, stringify!($field));
                    $crate::exchange::value::Value::write(
                        &name_of_field, values.clone().map(|value| &value.$field), to,
                    );
                )*
            }

            fn read(
                from: &mut $crate::exchange::value::Reader<'_>,
            ) -> Result<Vec<Self>, $crate::exchange::Damaged> {
                $(
                    #[allow(unused_mut)]
                    let mut $field: Vec<_> = $crate::exchange::value::Value::read(from)?;
                    $($crate::exchange::rows::confine(&mut $field, $crate::exchange::limits::Of::$what, from)?;)?
                    let mut $field = $field.into_iter();
                )*
                let missing = || $crate::exchange::Damaged("columns of different length");
                let mut rows = Vec::with_capacity(from.rows);
                for _ in 0..from.rows {
                    rows.push(Self {
                        $($field: $field.next().ok_or_else(missing)?,)*
                        $($other: Default::default(),)?
                    });
                }
                Ok(rows)
            }
        }
    )*};
}
pub(crate) use rows;

/// An error where any number points at nothing.
pub(crate) fn confine<T: Confined>(
    values: &mut [T],
    what: Of,
    from: &Reader<'_>,
) -> Result<(), Damaged> {
    let limits = from.limits;
    let all = values.iter_mut().all(|value| value.confine(what, limits));
    if all { Ok(()) } else { Err(Damaged("a number that points at nothing")) }
}

rows! {
    FilePart {
        file in files, sketches in sketches, calls in calls, results in results, lines, bytes,
        blank_lines, lost_lines, truncated, has_session_meta, has_journal_type, only_subagent,
        agent, sums, skill_listings, skill_listings_empty, invoked_skills, invoked_skills_empty;
        but block_types
    }
    Sums {
        records, replays, session, first_timestamp, last_timestamp, first_version, last_version;
        but types
    }
    Counted { part in parts, kind, count }
    Loose { line, place, span, uuid, payload, timestamp, envelope in envelopes }
    Envelope {
        kind, session, version, cwd, git_branch, entrypoint, model, forked_from, is_fork,
        is_api_error,
    }
    UsageCarrier {
        sketch in sketches, file in files, envelope in envelopes, message, request, agent,
        stop_reason, effort, attribution in attributions, counts in tallies, miss in misses,
        iterations in iterations, timestamp, is_sidechain, is_inline, is_api_error,
    }
    Counts {
        input, output, cache_creation, cache_read, cache_creation_5m, cache_creation_1h, thinking,
    }
    CacheMiss { kind, missed_input_tokens }
    InlineUuid { usage in usages, uuid }
    IterationFact { index, kind, model, counts }
    Call {
        sketch in sketches, file in files, block, agent, id, name, message, file_path,
        command_name, attribution in attributions, input, input_json in texts, command in texts,
        launch, is_sidechain, is_server,
    }
    LaunchInput { agent_type, description, model, skill }
    ToolResult {
        sketch in sketches, file in files, block, id, status, text in texts, chars, images,
        stdout_chars, stderr_chars, is_error, kind, has_structured_content, carrier, interrupted,
        rare, launch,
    }
    RolloutRecord { sketch in sketches, kind, payload, effort, forked_from }
    TotalsFact { sketch in sketches, counts }
    Totals { input, cached, output, reasoning }
    RareOfResult {
        content_type, denial_kind, exit_code, timed_out_after_ms, background_task, git_operation,
        persisted_output_path, persisted_output_bytes, launched_agent, resolved_model,
        persisted_in_text,
    }
    LaunchResult {
        agent_type, worktree_branch, workflow_name, run_id, transcript_dir, is_async,
        total_tokens, tool_uses, duration_ms,
    }
    Notification {
        sketch in sketches, file in files, task, tool_use, status, total_tokens, tool_uses,
        duration_ms,
    }
    InlineRecord { sketch in sketches, file in files, agent, parent_tool_use, timestamp }
    Uuid { sketch in sketches, uuid }
    Boundary {
        sketch in sketches, file in files, is_micro, trigger, pre_tokens, post_tokens,
        duration_ms, cumulative_dropped_tokens, preserved_messages,
    }
    Summary { sketch in sketches }
    PromptFact {
        sketch in sketches, file in files, is_attachment, is_sidechain, is_compact_summary,
        is_meta, origin_kind, prompt_source, text in words,
    }
    Turn {
        sketch in sketches, file in files, is_assistant, is_sidechain, is_meta, message,
        is_interruption, last, has_thinking, words in words,
    }
    Context { sketch in sketches, text in words }
    Title { sketch in sketches, source, text in words, leaf }
    AttachmentFact {
        sketch in sketches, file in files, kind, hook_name, hook_event, exit_code, duration_ms,
        tool_use, command_mode, origin_kind, names, chars,
    }
    EventFact {
        sketch in sketches, file in files, subtype, level, operation, queue_priority, duration_ms,
        retry_in_ms, retry_attempt, status, hook_count, hook_errors, content_chars,
    }
    JournalFact {
        sketch in sketches, file in files, agent, label, phase, result_kind, result_chars,
    }
    SkillFact { sketch in sketches, file in files, evidence, index, name }
    TrackedFact {
        sketch in sketches, file in files, index, path, real_parent, backup, version, backup_time,
        snapshot_time, is_tombstone,
    }
    CostFact {
        sketch in sketches, file in files, model, cost_usd, total_cost_usd, input, output,
        cache_creation, cache_read, has_unknown_model_cost,
    }
    Finding { file in files, line, place, span, code, severity, message, count }
}

impl Nested for LaunchInput {}
impl Nested for LaunchResult {}
impl Nested for RareOfResult {}
impl Nested for Sums {}

/// How often a type of block, or of record, occurs in a part of a file.
pub(super) struct Counted {
    pub(super) part: u32,
    pub(super) kind: Symbol,
    pub(super) count: u64,
}

/// A uuid that a record names.
pub(super) struct Uuid {
    pub(super) sketch: u32,
    pub(super) uuid: Symbol,
}

/// The uuid of an inline carrier of usage.
pub(super) struct InlineUuid {
    pub(super) usage: u32,
    pub(super) uuid: Option<Identity>,
}

/// A summary of a compaction.
pub(super) struct Summary {
    pub(super) sketch: u32,
}

/// A text that a hook put into the context.
pub(super) struct Context {
    pub(super) sketch: u32,
    pub(super) text: u32,
}
