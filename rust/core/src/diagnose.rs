//! Diagnostics: what was found that is not as it should be, and where.

use std::sync::LazyLock;

use crate::schema;

macro_rules! codes {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// A diagnostic code, in the schema's order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum Code { $($variant),* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its name in the schema.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

codes! {
    Unreadable "unreadable",
    NotAFile "not_a_file",
    SymlinkLoop "symlink_loop",
    MissingArchive "missing_archive",
    TruncatedWhileReading "truncated_while_reading",
    DecompressError "decompress_error",
    DivergingCopy "diverging_copy",
    Bom "bom",
    InvalidUtf8 "invalid_utf8",
    NulRun "nul_run",
    LineTooLong "line_too_long",
    Malformed "malformed",
    TooDeep "too_deep",
    NotAnObject "not_an_object",
    TornPrefix "torn_prefix",
    GluedRecords "glued_records",
    PendingTail "pending_tail",
    UnterminatedFinalLine "unterminated_final_line",
    LoneSurrogate "lone_surrogate",
    DuplicateKey "duplicate_key",
    BadValue "bad_value",
    UuidConflict "uuid_conflict",
    UsageConflict "usage_conflict",
    DuplicateToolUseId "duplicate_tool_use_id",
    DuplicateToolResult "duplicate_tool_result",
    OrphanToolResult "orphan_tool_result",
    PathOutsideSession "path_outside_session",
    DamagedSideFile "damaged_side_file",
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Severity {
    Info,
    Warning,
    Error,
}

impl Severity {
    /// Its word in the vocabulary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Severity and message template of every code, by its place in [`Code::ALL`].
static DEFINED: LazyLock<Vec<(Severity, &'static str)>> = LazyLock::new(|| {
    let defined = Code::ALL.iter().map(|code| schema::diagnostic(code.name()));
    defined.map(|(severity, message)| (Severity::from_name(severity), message)).collect()
});

impl Severity {
    fn from_name(name: &str) -> Self {
        match name {
            "info" => Self::Info,
            "warning" => Self::Warning,
            _ => Self::Error,
        }
    }
}

impl Code {
    /// Its severity, where nothing raises it.
    pub fn severity(self) -> Severity {
        DEFINED[self as usize].0
    }

    /// Its message with the `{names}` filled in.
    pub fn message(self, values: &[(&str, &str)]) -> String {
        let template = DEFINED[self as usize].1.to_owned();
        let fill = |text: String, (name, value): &(&str, &str)| {
            text.replace(&format!("{{{name}}}"), value)
        };
        values.iter().fold(template, fill)
    }
}

/// One finding; those of one code on one line become one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// `files.file_id`
    pub file: u32,
    /// The line, or 0 for the file as a whole.
    pub line: u64,
    /// Record and block on the line: orders findings of one code.
    pub place: (u32, u32),
    /// Offset and length in the file's text.
    pub span: Option<(u64, u64)>,
    /// What was found.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Words for people.
    pub message: String,
    /// How often.
    pub count: u64,
}

impl Finding {
    /// A finding about a file as a whole.
    pub fn of_file(file: u32, code: Code, values: &[(&str, &str)]) -> Self {
        Self {
            file,
            line: 0,
            place: (0, 0),
            span: None,
            code,
            severity: code.severity(),
            message: code.message(values),
            count: 1,
        }
    }
}

/// Sorts findings and makes one row of those with one code on one line: the
/// first gives place and message, the worst the severity (ruling 15).
pub fn merge(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| (finding.file, finding.line, finding.code, finding.place));
    let mut rows: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        match rows.last_mut() {
            Some(row)
                if (row.file, row.line, row.code) == (finding.file, finding.line, finding.code) =>
            {
                row.count += finding.count;
                row.severity = row.severity.max(finding.severity);
            }
            _ => rows.push(finding),
        }
    }
    rows.sort_by_key(|row| (row.file, row.line, row.span.map(|(offset, _)| offset), row.code));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u64, code: Code, offset: u64) -> Finding {
        let place = (offset as u32, 0);
        Finding { line, place, span: Some((offset, 1)), ..Finding::of_file(0, code, &[]) }
    }

    #[test]
    fn one_row_has_the_first_place_the_worst_severity_and_all_counts() {
        let raised = Finding { severity: Severity::Error, ..finding(2, Code::UsageConflict, 9) };
        let first = finding(2, Code::UsageConflict, 5);
        let elsewhere = finding(1, Code::UsageConflict, 1);
        let other = finding(2, Code::Bom, 3);
        let rows = merge(vec![raised, other.clone(), first.clone(), elsewhere.clone()]);
        let merged = Finding { severity: Severity::Error, count: 2, ..first };
        assert_eq!(rows, [elsewhere, other, merged]);
    }

    #[test]
    fn rows_of_a_file_as_a_whole_stand_first() {
        let file = Finding::of_file(0, Code::TruncatedWhileReading, &[]);
        let rows = merge(vec![finding(1, Code::Bom, 0), file.clone()]);
        assert_eq!((rows[0].line, rows[0].span), (0, None));
        assert_eq!(rows[0], file);
    }

    #[test]
    fn messages_are_filled_in() {
        let message = Code::LineTooLong.message(&[("length", "31"), ("limit", "26")]);
        assert!(message.contains("31") && message.contains("26"), "{message}");
        for code in Code::ALL {
            assert!(!code.message(&[]).is_empty(), "{}", code.name());
        }
    }
}
