//! `toolUseResult`: the structured form of a result, of any JSON type.

use hashbrown::HashSet;

use crate::decode::keys::{Keys, ObjectKind};
use crate::decode::members::Members;
use crate::decode::scanner::{Scanner, Step, Value};
use crate::decode::text::Raw;
use crate::record::further::Launched;
use crate::record::{Carrier, ToolUseResult};

/// Reads the value at the cursor.
pub fn tool_use_result<'a>(scanner: &mut Scanner<'a>) -> Step<ToolUseResult<'a>> {
    if scanner.peek() == Some(b'{') {
        return object(scanner);
    }
    let carrier = match scanner.value()? {
        Value::Null => Carrier::Absent,
        Value::String(raw) if is_json_container(raw) => Carrier::JsonString,
        Value::String(_) => Carrier::String,
        Value::Array(_) => Carrier::Array,
        _ => Carrier::Other,
    };
    Ok(ToolUseResult { carrier, ..ToolUseResult::default() })
}

const GIT_OPERATION: usize = 12;
static KEYS: Keys<22, 128> = Keys::new(
    ObjectKind::ToolUseResult,
    [
        "status",
        "agentId",
        "resolvedModel",
        "backgroundTaskId",
        "persistedOutputPath",
        "persistedOutputSize",
        "stdout",
        "stderr",
        "interrupted",
        "exitCode",
        "returnCode",
        "timedOutAfterMs",
        "gitOperation",
        "agentType",
        "worktreeBranch",
        "workflowName",
        "runId",
        "transcriptDir",
        "isAsync",
        "totalTokens",
        "totalToolUseCount",
        "totalDurationMs",
    ],
);

fn object<'a>(scanner: &mut Scanner<'a>) -> Step<ToolUseResult<'a>> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut result = ToolUseResult { carrier: Carrier::Object, ..ToolUseResult::default() };
    let chars = |raw: Raw<'_>| raw.chars() as i64;
    scanner.members(&KEYS, |scanner, number| {
        match number {
            Some(0) => result.status = members.string(scanner, 0)?,
            Some(1) => result.agent_id = members.string(scanner, 1)?,
            Some(2) => result.resolved_model = members.string(scanner, 2)?,
            Some(3) => result.background_task_id = members.string(scanner, 3)?,
            Some(4) => result.persisted_output_path = members.string(scanner, 4)?,
            Some(5) => result.persisted_output_size = members.integer(scanner, 5)?,
            Some(6) => result.stdout_chars = members.string(scanner, 6)?.map(chars),
            Some(7) => result.stderr_chars = members.string(scanner, 7)?.map(chars),
            Some(8) => result.interrupted = members.boolean(scanner, 8)?,
            Some(9) => result.exit_code = members.integer(scanner, 9)?,
            Some(10) => result.return_code = members.integer(scanner, 10)?,
            Some(11) => result.timed_out_after_ms = members.integer(scanner, 11)?,
            Some(GIT_OPERATION) => result.git_operation = git_operation(scanner, &mut members)?,
            Some(13) => launched(&mut result).agent_type = members.string(scanner, 13)?,
            Some(14) => {
                launched(&mut result).worktree_branch = members.string(scanner, 14)?;
            }
            Some(15) => launched(&mut result).workflow_name = members.string(scanner, 15)?,
            Some(16) => launched(&mut result).run_id = members.string(scanner, 16)?,
            Some(17) => {
                launched(&mut result).transcript_dir = members.string(scanner, 17)?;
            }
            Some(18) => launched(&mut result).is_async = members.boolean(scanner, 18)?,
            Some(19) => launched(&mut result).total_tokens = members.integer(scanner, 19)?,
            Some(20) => {
                launched(&mut result).total_tool_use_count = members.integer(scanner, 20)?;
            }
            Some(21) => {
                launched(&mut result).total_duration_ms = members.integer(scanner, 21)?;
            }
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    result.flaws = members.flaws(u64::MAX, scanner.since(start), |key| KEYS.number(key));
    Ok(result)
}

/// What it says of what the call started; made where it says anything.
fn launched<'r, 'a>(result: &'r mut ToolUseResult<'a>) -> &'r mut Launched<'a> {
    result.launched.get_or_insert_default()
}

/// A string, or the keys of an object in order of first appearance (ruling 34).
fn git_operation(scanner: &mut Scanner<'_>, members: &mut Members) -> Step<Option<String>> {
    if scanner.peek() != Some(b'{') {
        return Ok(members.string(scanner, GIT_OPERATION)?.map(|raw| raw.text().into_owned()));
    }
    let (mut keys, mut seen) = (Vec::new(), HashSet::new());
    scanner.object(|scanner, key| {
        let key = key.text();
        if seen.insert(key.clone()) {
            keys.push(key);
        }
        scanner.skip()
    })?;
    members.note(GIT_OPERATION);
    Ok(Some(keys.join(",")))
}

/// Whether a string holds one JSON object or array and nothing else (ruling 30).
fn is_json_container(raw: Raw<'_>) -> bool {
    if !raw.may_start_container() {
        return false;
    }
    let text = raw.text();
    let mut scanner = Scanner::new(&text, 0, text.len());
    scanner.skip_space();
    if !matches!(scanner.peek(), Some(b'{' | b'[')) || scanner.skip().is_err() {
        return false;
    }
    scanner.skip_space();
    scanner.peek().is_none()
}
