//! Task notifications in texts (ruling 40). Only a few elements of one are
//! read; its other words are never evidence.

use crate::decode::text::Raw;
use crate::facts::further::Notification;
use crate::facts::words::{NOTIFICATION as OPEN, trim};
use crate::fold::Folder;
use crate::strings::Symbol;

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
    let mut tags = Tags { text, ahead: [None; 6], behind: 0 };
    std::iter::from_fn(move || {
        let start = tags.next(Tag::Open, tags.behind)? + OPEN.len();
        let end = tags.end(start);
        tags.behind = end;
        Some(&text[start..end])
    })
}

/// The tags that bound elements, and quotations in them.
#[derive(Clone, Copy)]
enum Tag {
    Open,
    Close,
    Summary,
    SummaryEnd,
    Result,
    ResultEnd,
}

impl Tag {
    const QUOTING: [(Self, Self); 2] =
        [(Self::Summary, Self::SummaryEnd), (Self::Result, Self::ResultEnd)];

    fn text(self) -> &'static str {
        match self {
            Self::Open => OPEN,
            Self::Close => CLOSE,
            Self::Summary => "<summary>",
            Self::SummaryEnd => "</summary>",
            Self::Result => "<result>",
            Self::ResultEnd => "</result>",
        }
    }
}

/// Where the next tag of each kind stands. Each is looked for from its place on
/// only, however many elements there are: a text may hold many, and tags that
/// nothing closes.
struct Tags<'t> {
    text: &'t str,
    /// By tag, once it was looked for; behind everything where there is none.
    ahead: [Option<usize>; 6],
    /// Where the last element ended.
    behind: usize,
}

impl Tags<'_> {
    /// The first such tag that starts at `from` or behind.
    fn next(&mut self, tag: Tag, from: usize) -> Option<usize> {
        let ahead = &mut self.ahead[tag as usize];
        if ahead.is_none_or(|at| at < from) {
            let found = self.text[from..].find(tag.text());
            *ahead = Some(found.map_or(usize::MAX, |at| from + at));
        }
        ahead.filter(|at| *at < usize::MAX)
    }

    /// Where the element that starts here ends: at its closing tag, or with the
    /// text. What stands in a summary or result is quoted, and ends nothing.
    fn end(&mut self, start: usize) -> usize {
        let mut from = start;
        while let Some(close) = self.next(Tag::Close, from) {
            let quotations = Tag::QUOTING.map(|(opening, closing)| {
                let open = self.next(opening, from).filter(|open| *open < close)?;
                Some((open, self.next(closing, open)? + closing.text().len()))
            });
            match quotations.into_iter().flatten().min() {
                Some((_, end)) => from = end,
                None => return close,
            }
        }
        self.text.len()
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
        let unclosed = "<task-notification><summary>a<result></task-notification></result>b\
            </task-notification>c<task-notification></task-notification><result>";
        let inside = "<summary>a<result></task-notification></result>b";
        assert_eq!(elements(unclosed).collect::<Vec<_>>(), [inside, ""]);
    }

    #[test]
    fn tags_are_looked_for_once_however_many_there_are() {
        const MANY: usize = 200_000;
        let unclosed = "<task-notification><summary></task-notification>".repeat(MANY);
        assert_eq!(elements(&unclosed).count(), MANY);
        let quoting = format!("{OPEN}{}{CLOSE}", "<summary></summary>".repeat(MANY));
        assert_eq!(elements(&quoting).count(), 1);
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
