//! `workflows/wf_*.json`

use super::{SideFile, owned};
use crate::decode::members::Members;
use crate::decode::scanner::{Scanner, Step};

/// What the definition of a workflow's run says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct WorkflowFile {
    pub run_id: Option<String>,
    pub name: Option<String>,
    pub workflow_name: Option<String>,
    pub status: Option<String>,
    pub total_tokens: Option<i64>,
    pub bad_values: u32,
}

impl SideFile for WorkflowFile {
    fn decode(scanner: &mut Scanner<'_>) -> Step<Self> {
        let start = scanner.at;
        let mut run = Self::default();
        let mut members = Members::default();
        scanner.object(|scanner, key| {
            match &*key.text() {
                "runId" => run.run_id = owned(members.string(scanner, 0)?),
                "name" => run.name = owned(members.string(scanner, 1)?),
                "workflowName" => run.workflow_name = owned(members.string(scanner, 2)?),
                "status" => run.status = owned(members.string(scanner, 3)?),
                "totalTokens" => run.total_tokens = members.integer(scanner, 4)?,
                _ => scanner.skip()?,
            }
            Ok(())
        })?;
        run.bad_values = members.flaws(u64::MAX, scanner.since(start), |_| None).bad_values;
        Ok(run)
    }

    fn bad_values(&self) -> u32 {
        self.bad_values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read_and_wrong_types_are_counted() {
        let read = |text: &str| {
            WorkflowFile::decode(&mut Scanner::new(text, 0, text.len())).expect("an object")
        };
        let some = |text: &str| Some(text.to_owned());
        let text = r#"{"runId":"r","name":"n","workflowName":"w","status":"s","totalTokens":-1}"#;
        let expected = WorkflowFile {
            run_id: some("r"),
            name: some("n"),
            workflow_name: some("w"),
            status: some("s"),
            total_tokens: Some(-1),
            bad_values: 0,
        };
        assert_eq!(read(text), expected);
        let text = r#"{"runId":{},"name":5,"workflowName":null,"status":true,"totalTokens":1e3}"#;
        assert_eq!(read(text), WorkflowFile { bad_values: 4, ..WorkflowFile::default() });
    }
}
