use super::*;
use crate::join::made::Made;
use crate::join::sessions::sessions;

/// Session, other, evidence, how much, first uuid and place of each link, and the
/// ancestors that sessions name then.
fn linked(made: Made) -> (Vec<String>, Vec<String>) {
    let joined = made.join();
    let mut sessions = sessions(&joined.corpus, &joined.responses, &joined.pairs);
    let links = links(&joined.corpus, &sessions, &joined.responses);
    name_ancestors(&mut sessions, &links);
    let text = |symbol| joined.text(symbol).to_owned();
    let row = |link: &Link| {
        let (file, line, _) = link.position;
        let uuid = link.first_shared_uuid.as_deref().unwrap_or("-");
        let found = if link.target_found { "" } else { " lost" };
        let (session, other) = (text(link.session), text(link.other));
        let (evidence, n) = (link.evidence.name(), link.n_shared);
        format!("{session}>{other} {evidence} {n} {uuid} {file}:{line}{found}")
    };
    let rows = links.iter().map(row).collect();
    let named = |session: &Session| format!("{}>{}", text(session.id), text(session.forked_from));
    (rows, sessions.iter().map(named).collect())
}

#[test]
fn forks_name_their_ancestor_even_where_it_is_missing() {
    let mut made = Made::new();
    made.parent("s1");
    made.record();
    made.fork("gone", "g1");
    made.parent("s2");
    made.fork("s2", "x");
    made.fork("s1", "u1");
    made.fork("s1", "u2");
    made.fork("before", "g2");
    let (links, named) = linked(made);
    let expected = [
        "s1>gone forkedFrom 1 g1 0:2 lost",
        "s2>s1 forkedFrom 2 u1 1:2",
        "s2>before forkedFrom 1 g2 1:4 lost",
    ];
    assert_eq!(links, expected);
    assert_eq!(named, ["s1>gone", "s2>s2"], "records name it themselves");
}

#[test]
fn two_that_name_each_other_have_two_rows_and_no_weaker_one() {
    let mut made = Made::new();
    for [session, other] in [["s1", "s2"], ["s2", "s1"]] {
        made.parent(session);
        made.fork(other, "u9");
        made.dated("u1", 1);
    }
    let (links, _) = linked(made);
    assert_eq!(links, ["s1>s2 forkedFrom 1 u9 0:1", "s2>s1 forkedFrom 1 u9 1:1"]);
}

#[test]
fn of_two_that_share_uuids_the_one_that_has_no_others_is_the_ancestor() {
    let uuid = "0123abcd-0000-4000-8000-00000000000f";
    let mut made = Made::new();
    made.parent("s1");
    made.dated("own", 1);
    made.dated(uuid, 2);
    made.dated("u2", 3);
    made.dated("u2", 3);
    made.parent("s2");
    made.dated("u2", 2);
    made.dated(uuid, 3);
    let (links, named) = linked(made);
    assert_eq!(links, [format!("s1>s2 shared_uuid 2 {uuid} 0:2")]);
    assert_eq!(named, ["s1>s2", "s2>-"]);
}

#[test]
fn else_the_one_whose_own_records_start_first_is_the_ancestor() {
    let mut made = Made::new();
    made.parent("s1");
    made.dated("u1", 1);
    made.dated("own 1", 9);
    made.parent("s2");
    made.dated("u1", 1);
    made.dated("own 2", 8);
    let (links, named) = linked(made);
    assert_eq!(links, ["s1>s2 shared_uuid 1 u1 0:1"]);
    assert_eq!(named, ["s1>s2", "s2>-"]);
}

#[test]
fn of_equals_the_first_session_is_the_ancestor() {
    let mut made = Made::new();
    for session in ["s2", "s1"] {
        made.parent(session);
        made.dated("u1", 1);
        made.dated(session, 5);
    }
    let (links, _) = linked(made);
    assert_eq!(links, ["s1>s2 shared_uuid 1 u1 1:1"]);
}

#[test]
fn what_a_third_session_has_too_is_still_ones_own_against_the_second() {
    // s1 and s3 share `x`, which s2 lacks: it is s1's oldest record that s2 lacks.
    let mut made = Made::new();
    made.parent("s1");
    made.dated("x", 1);
    made.dated("u1", 4);
    made.parent("s2");
    made.dated("u1", 4);
    made.dated("own", 3);
    made.parent("s3");
    made.dated("x", 1);
    made.dated("u1", 4);
    let (links, named) = linked(made);
    let expected =
        ["s2>s1 shared_uuid 1 u1 1:1", "s2>s3 shared_uuid 1 u1 1:1", "s3>s1 shared_uuid 2 x 2:1"];
    assert_eq!(links, expected);
    assert_eq!(named, ["s1>-", "s2>s1", "s3>s1"]);
}

#[test]
fn a_session_takes_the_ancestor_that_it_shares_most_with() {
    let mut made = Made::new();
    made.parent("s1");
    made.dated("u1", 1);
    made.parent("s2");
    made.dated("u1", 1);
    made.dated("u2", 2);
    made.parent("s3");
    for (uuid, timestamp) in [("u1", 1), ("u2", 2), ("u3", 3)] {
        made.dated(uuid, timestamp);
    }
    let (links, named) = linked(made);
    let expected =
        ["s2>s1 shared_uuid 1 u1 1:1", "s3>s1 shared_uuid 1 u1 2:1", "s3>s2 shared_uuid 2 u1 2:1"];
    assert_eq!(links, expected);
    assert_eq!(named, ["s1>-", "s2>s1", "s3>s2"]);
}

#[test]
fn copied_responses_point_to_their_original() {
    let mut made = Made::new();
    made.parent("s1");
    made.usage("m1", "r1").timestamp = Some(5).into();
    made.usage("m2", "r2").timestamp = Some(5).into();
    made.usage("m3", "r3").timestamp = Some(5).into();
    made.parent("s2");
    made.usage("m1", "r1").timestamp = Some(1).into();
    made.usage("m2", "r2").timestamp = Some(2).into();
    made.usage("m3", "other").timestamp = Some(3).into();
    let (links, named) = linked(made);
    assert_eq!(links, ["s1>s2 shared_response 2 - 0:1"]);
    assert_eq!(named, ["s1>s2", "s2>-"]);
}

#[test]
fn records_without_session_are_their_files() {
    let mut made = Made::new();
    made.parent("s1");
    made.dated("u1", 1);
    made.parent("s2");
    made.session("");
    made.dated("u1", 1);
    made.dated("own", 2);
    let (links, named) = linked(made);
    assert_eq!(links, ["s2>s1 shared_uuid 1 u1 1:1"]);
    assert_eq!(named, ["s1>-"], "no record names s2");
}
