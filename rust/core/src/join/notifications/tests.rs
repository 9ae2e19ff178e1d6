use super::*;
use crate::discover::FileKind;
use crate::join::made::{Joined, Made};

fn notified(joined: &Joined) -> Vec<&str> {
    let notifications = Notifications::of(&joined.corpus);
    let statuses = statuses(&joined.corpus, &notifications, &joined.pairs);
    statuses.into_iter().map(|status| joined.text(status)).collect()
}

#[test]
fn the_last_with_a_status_counts_for_the_calls_that_it_names() {
    let mut made = Made::new();
    made.parent("s1");
    made.launch("s1", "t1", "a1");
    made.call("s1", "t2", "Bash");
    let task = made.symbol("b1");
    made.result("s1", "t2", "").background_task = task;
    made.call("s1", "t3", "Bash");
    made.notification("s1", ["a1", "", "running"]);
    made.notification("s1", ["", "t1", "completed"]);
    made.notification("s1", ["a1", "t1", ""]);
    made.notification("s1", ["b1", "", "failed"]);
    made.parent("s2");
    made.call("s2", "t3", "Bash");
    made.notification("s2", ["", "t3", "killed"]);
    assert_eq!(notified(&made.join()), ["completed", "failed", "-", "killed"]);
}

#[test]
fn what_names_nothing_is_about_nothing() {
    let mut made = Made::new();
    made.parent("s1");
    made.call("s1", "", "Bash");
    made.result("s1", "", "");
    made.notification("s1", ["", "", "completed"]);
    assert_eq!(notified(&made.join()), ["-"]);
}

#[test]
fn records_without_session_are_joined_within_their_file() {
    let mut made = Made::new();
    for status in ["completed", "failed"] {
        made.file("x.jsonl", FileKind::Other, ["", "", ""]);
        made.call("", "t1", "Bash");
        made.notification("", ["", "t1", status]);
    }
    assert_eq!(notified(&made.join()), ["completed", "failed"]);
}
