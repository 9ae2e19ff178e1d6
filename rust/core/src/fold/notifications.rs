//! Task notifications in texts (ruling 40). Only a few elements of one are
//! read; its other words are never evidence.

use crate::decode::text::Raw;
use crate::facts::further::Notification;
use crate::fold::Folder;
use crate::fold::further::trim;
use crate::strings::Symbol;

const OPEN: &str = "<task-notification>";
const CLOSE: &str = "</task-notification>";

impl Folder {
    /// Keeps the notifications of a text whose record has this `origin.kind`.
    pub(super) fn notifications(
        &mut self,
        file: u32,
        sketch: u32,
        text: &str,
        origin: Option<Raw<'_>>,
    ) {
        let is_notification = origin.is_some_and(|origin| origin.is("task-notification"));
        if !is_notification && !trim(text).starts_with(OPEN) {
            return;
        }
        for element in elements(text) {
            let (head, tail) = (head(element), tail(element));
            let usage = usage(tail);
            let count = |name: &str| usage.and_then(|usage| inside(usage, name)).and_then(count);
            let fact = Notification {
                sketch,
                file,
                task: self.element(head, "task-id"),
                tool_use: self.element(head, "tool-use-id"),
                status: self.element(head, "status"),
                total_tokens: count("total_tokens"),
                tool_uses: count("tool_uses"),
                duration_ms: count("duration_ms"),
            };
            self.facts.further.notifications.push(fact);
        }
    }

    fn element(&mut self, text: &str, name: &str) -> Symbol {
        inside(text, name).map_or(Symbol::NONE, |text| self.facts.strings.intern(text))
    }
}

/// The insides of the elements of a text.
fn elements(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(OPEN)? + OPEN.len();
        let behind = &rest[start..];
        let end = end_of(behind);
        rest = &behind[end..];
        Some(&behind[..end])
    })
}

/// Where an element ends: at its closing tag, or with the text. What stands in a
/// summary or result is quoted, and ends nothing.
fn end_of(behind: &str) -> usize {
    let mut from = 0;
    loop {
        let Some(close) = behind[from..].find(CLOSE).map(|at| from + at) else {
            return behind.len();
        };
        let quoted = [("<summary>", "</summary>"), ("<result>", "</result>")]
            .into_iter()
            .filter_map(|(open, end)| Some((from + behind[from..close].find(open)?, end)))
            .min()
            .and_then(|(open, end)| Some(open + behind[open..].find(end)? + end.len()));
        match quoted {
            Some(end) => from = end,
            None => return close,
        }
    }
}

/// What stands before the first words that are not the harness's own.
fn head(element: &str) -> &str {
    let end = ["<summary>", "<result>"].iter().filter_map(|tag| element.find(tag)).min();
    &element[..end.unwrap_or(element.len())]
}

/// What stands behind the last of these words.
fn tail(element: &str) -> &str {
    const RESULT: &str = "</result>";
    element.rfind(RESULT).map_or(element, |at| &element[at + RESULT.len()..])
}

/// The last `<usage>` up to its closing tag, or to the end.
fn usage(tail: &str) -> Option<&str> {
    const USAGE: &str = "<usage>";
    let usage = &tail[tail.rfind(USAGE)? + USAGE.len()..];
    Some(usage.find("</usage>").map_or(usage, |end| &usage[..end]))
}

/// The trimmed inside of the first element of this name; none where it is empty
/// or not closed.
fn inside<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let open = format!("<{name}>");
    let behind = &text[text.find(&open)? + open.len()..];
    let end = behind.find(&format!("</{name}>"))?;
    Some(trim(&behind[..end])).filter(|inside| !inside.is_empty())
}

/// An integer of ruling 16 from 0.
fn count(text: &str) -> Option<i64> {
    let text = if text == "-0" { "0" } else { text };
    let is_plain = text == "0" || !text.starts_with('0');
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain && digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_result_are_no_evidence() {
        let element = "<task-id>a1</task-id><result><status>failed</status><usage>\
            <total_tokens>1</total_tokens></usage></result><usage><total_tokens>7</total_tokens>";
        assert_eq!(inside(head(element), "task-id"), Some("a1"));
        assert_eq!(inside(head(element), "status"), None);
        assert_eq!(usage(tail(element)).and_then(|usage| inside(usage, "total_tokens")), Some("7"));
    }

    #[test]
    fn elements_follow_one_another_and_the_last_may_be_open() {
        let text = "x<task-notification>a</task-notification> <task-notification>b";
        assert_eq!(elements(text).collect::<Vec<_>>(), ["a", "b"]);
        let quoting = "<task-notification>a<result></task-notification></result>\
            <summary></task-notification><task-notification></summary>b</task-notification>c";
        let inside = "a<result></task-notification></result>\
            <summary></task-notification><task-notification></summary>b";
        assert_eq!(elements(quoting).collect::<Vec<_>>(), [inside]);
    }

    #[test]
    fn counts_are_integers_as_json_writes_them() {
        for (text, expected) in [("0", Some(0)), ("12", Some(12)), ("012", None), ("-1", None)] {
            assert_eq!(count(text), expected);
        }
        assert_eq!(count("99999999999999999999"), None);
        assert_eq!(count("1.0"), None);
    }
}
