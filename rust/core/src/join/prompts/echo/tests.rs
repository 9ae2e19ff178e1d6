use super::*;
use crate::facts::further::Turn;
use crate::facts::words::trim;
use crate::join::made::Made;

/// As many characters, no two stretches of them alike.
fn chars(count: usize) -> String {
    let word = |number: usize| format!("wörd{number}.");
    (10..99).map(word).collect::<String>().chars().take(count).collect()
}

fn judge(made: &Made, text: &str, timestamp: Option<i64>, file: u32, line: u64) -> Option<Reason> {
    let moment = Moment { timestamp, file, place: (line, 0) };
    let candidate = Candidate { text, chars: text.chars().count(), moment };
    echoes(&made.corpus, &[candidate])[0]
}

fn spoken(words: &[&str], timestamp: Option<i64>) -> Made {
    let mut made = Made::new();
    made.parent("a");
    made.at(timestamp);
    made.assistant(words, Turn::default());
    made
}

#[test]
fn thirty_characters_may_be_equal_and_sixty_contained() {
    for (count, equal, contained) in [
        (29, None, None),
        (30, Some(Reason::Equal), None),
        (59, Some(Reason::Equal), None),
        (60, Some(Reason::Equal), Some(Reason::Contained)),
    ] {
        let text = chars(count);
        assert_eq!(trim(&text).chars().count(), count);
        let alone = spoken(&["other words", &format!(" {text}\n")], Some(1));
        assert_eq!(judge(&alone, &text, Some(2), 0, 9), equal, "{count}");
        let within = spoken(&[&format!("He said: {text}, or so.")], Some(1));
        assert_eq!(judge(&within, &text, Some(2), 0, 9), contained, "{count}");
    }
}

#[test]
fn only_what_was_said_before_is_repeated() {
    let text = chars(60);
    let equal = Some(Reason::Equal);
    let timed = spoken(&[&text], Some(5));
    assert_eq!(judge(&timed, &text, Some(6), 7, 1), equal, "in any file");
    assert_eq!(judge(&timed, &text, Some(5), 0, 9), None, "strictly");
    assert_eq!(judge(&timed, &text, Some(4), 0, 9), None, "time before place");
    assert_eq!(judge(&timed, &text, None, 0, 2), equal, "by place without a time");
    assert_eq!(judge(&timed, &text, None, 0, 1), None);
    assert_eq!(judge(&timed, &text, None, 1, 2), None, "places of one file");
    let untimed = spoken(&[&text], None);
    assert_eq!(judge(&untimed, &text, Some(0), 0, 2), equal);
    assert_eq!(judge(&untimed, &text, Some(0), 0, 1), None);
    assert_eq!(judge(&untimed, &text, Some(9), 1, 2), None);
}

#[test]
fn equal_is_tried_first_and_contained_where_that_was_later() {
    let text = chars(60);
    let mut made = spoken(&[&format!("{text}!")], Some(5));
    made.unit();
    made.parent("b");
    made.at(Some(8));
    made.assistant(&[&text], Turn::default());
    assert_eq!(judge(&made, &text, Some(9), 0, 9), Some(Reason::Equal));
    assert_eq!(judge(&made, &text, Some(7), 0, 9), Some(Reason::Contained));
}

#[test]
fn users_and_records_that_do_not_count_are_not_heard() {
    let text = chars(60);
    let mut made = spoken(&[&text], Some(1));
    made.stands(Standing::Replay);
    let number = made.facts().words.keep(&text);
    made.user(Turn { words: number..number + 1, ..Turn::default() });
    assert_eq!(judge(&made, &text, Some(2), 0, 9), None);
}

#[test]
fn many_candidates_are_judged_each_by_its_own_text_and_time() {
    let text = chars(200);
    let part =
        |from: usize, to: usize| -> String { text.chars().skip(from).take(to - from).collect() };
    let made = spoken(&[&text], Some(5));
    let texts =
        [part(0, 60), part(0, 61), part(33, 120), part(140, 200), format!("{}#", part(0, 60))];
    let candidates: Vec<Candidate<'_>> = texts
        .iter()
        .zip([6, 6, 6, 4, 6])
        .map(|(text, time)| Candidate {
            text,
            chars: text.chars().count(),
            moment: Moment { timestamp: Some(time), ..Moment::default() },
        })
        .collect();
    let contained = Some(Reason::Contained);
    assert_eq!(echoes(&made.corpus, &candidates), [contained, contained, contained, None, None]);
}
