//! `toolUseResult`: the structured form of a result, of any JSON type.

use hashbrown::HashSet;

use crate::decode::members::{Members, number};
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
const KEYS: [&str; 22] = [
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
];

fn object<'a>(scanner: &mut Scanner<'a>) -> Step<ToolUseResult<'a>> {
    let start = scanner.at;
    let mut members = Members::default();
    let mut result = ToolUseResult { carrier: Carrier::Object, ..ToolUseResult::default() };
    let chars = |raw: Raw<'_>| raw.chars() as i64;
    scanner.object(|scanner, key| {
        match &*key.text() {
            "status" => result.status = members.string(scanner, 0)?,
            "agentId" => result.agent_id = members.string(scanner, 1)?,
            "resolvedModel" => result.resolved_model = members.string(scanner, 2)?,
            "backgroundTaskId" => result.background_task_id = members.string(scanner, 3)?,
            "persistedOutputPath" => result.persisted_output_path = members.string(scanner, 4)?,
            "persistedOutputSize" => result.persisted_output_size = members.integer(scanner, 5)?,
            "stdout" => result.stdout_chars = members.string(scanner, 6)?.map(chars),
            "stderr" => result.stderr_chars = members.string(scanner, 7)?.map(chars),
            "interrupted" => result.interrupted = members.boolean(scanner, 8)?,
            "exitCode" => result.exit_code = members.integer(scanner, 9)?,
            "returnCode" => result.return_code = members.integer(scanner, 10)?,
            "timedOutAfterMs" => result.timed_out_after_ms = members.integer(scanner, 11)?,
            "gitOperation" => result.git_operation = git_operation(scanner, &mut members)?,
            "agentType" => launched(&mut result).agent_type = members.string(scanner, 13)?,
            "worktreeBranch" => {
                launched(&mut result).worktree_branch = members.string(scanner, 14)?;
            }
            "workflowName" => launched(&mut result).workflow_name = members.string(scanner, 15)?,
            "runId" => launched(&mut result).run_id = members.string(scanner, 16)?,
            "transcriptDir" => {
                launched(&mut result).transcript_dir = members.string(scanner, 17)?;
            }
            "isAsync" => launched(&mut result).is_async = members.boolean(scanner, 18)?,
            "totalTokens" => launched(&mut result).total_tokens = members.integer(scanner, 19)?,
            "totalToolUseCount" => {
                launched(&mut result).total_tool_use_count = members.integer(scanner, 20)?;
            }
            "totalDurationMs" => {
                launched(&mut result).total_duration_ms = members.integer(scanner, 21)?;
            }
            _ => scanner.skip()?,
        }
        Ok(())
    })?;
    result.flaws = members.flaws(u64::MAX, scanner.since(start), number(KEYS));
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
