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
    made.launch("t1", "a1");
    made.call("t2", "Bash");
    let task = made.symbol("b1");
    made.result("t2", "").rare_mut().background_task = task;
    made.call("t3", "Bash");
    made.notification(["a1", "", "running"]);
    made.notification(["", "t1", "completed"]);
    made.notification(["a1", "t1", ""]);
    made.notification(["b1", "", "failed"]);
    made.parent("s2");
    made.call("t3", "Bash");
    made.notification(["", "t3", "killed"]);
    assert_eq!(notified(&made.join()), ["completed", "failed", "-", "killed"]);
}

#[test]
fn what_names_nothing_is_about_nothing() {
    let mut made = Made::new();
    made.parent("s1");
    made.call("", "Bash");
    made.result("", "");
    made.notification(["", "", "completed"]);
    assert_eq!(notified(&made.join()), ["-"]);
}

#[test]
fn records_without_session_are_joined_within_their_file() {
    let mut made = Made::new();
    for status in ["completed", "failed"] {
        made.file("x.jsonl", FileKind::Other, ["", "", ""]);
        made.call("t1", "Bash");
        made.notification(["", "t1", status]);
    }
    assert_eq!(notified(&made.join()), ["completed", "failed"]);
}
