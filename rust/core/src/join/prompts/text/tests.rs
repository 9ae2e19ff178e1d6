use super::*;
use crate::join::prompts::{Kind, Reason};

const TYPED: Said<'_> = Said {
    is_attachment: false,
    is_sidechain: false,
    is_compact_summary: false,
    is_meta: false,
    origin_kind: Some("human"),
    prompt_source: Some("typed"),
};

fn sorted(said: Said<'_>, text: &str) -> (Kind, Option<Reason>) {
    let reading = read(said, text);
    (reading.kind, reading.reason)
}

/// Kind, reason and text of what was typed.
fn typed(text: &str) -> (Kind, Option<Reason>, String) {
    let reading = read(TYPED, text);
    (reading.kind, reading.reason, reading.text.into_owned())
}

fn words(kind: Kind, reason: Reason, text: &str) -> (Kind, Option<Reason>, String) {
    (kind, Some(reason), text.to_owned())
}

fn plain(text: &str) -> (Kind, Option<Reason>, String) {
    (Kind::Prompt, None, text.to_owned())
}

#[test]
fn the_record_decides_before_the_text_and_in_this_order() {
    let all = Said {
        is_attachment: true,
        is_sidechain: true,
        is_compact_summary: true,
        is_meta: true,
        origin_kind: Some("task-notification"),
        prompt_source: Some("sdk"),
    };
    let notified = Said { is_sidechain: false, is_compact_summary: false, ..all };
    let peer = Said { origin_kind: Some("peer"), ..notified };
    let silent = Said { is_meta: false, origin_kind: None, ..peer };
    let by_program = Said { is_attachment: false, ..silent };
    let by_system = Said { prompt_source: Some("system"), ..by_program };
    let queued = Said { prompt_source: Some("queued"), ..by_program };
    let marker = "[Request interrupted by user for tool use]";
    for (said, text, kind, reason) in [
        (all, marker, Kind::Sidechain, Reason::IsSidechain),
        (
            Said { is_sidechain: false, ..all },
            marker,
            Kind::CompactSummary,
            Reason::IsCompactSummary,
        ),
        (notified, CONTINUATION, Kind::CompactSummary, Reason::Continuation),
        (notified, marker, Kind::Notification, Reason::Origin),
        (peer, "<task-notification> x", Kind::Notification, Reason::Tag),
        (peer, marker, Kind::Interruption, Reason::Marker),
        (peer, "/help", Kind::Meta, Reason::IsMeta),
        (Said { is_meta: false, ..peer }, "/help", Kind::Injected, Reason::Origin),
        (silent, "/help", Kind::Injected, Reason::Origin),
        (Said { origin_kind: Some(""), ..by_program }, "/help", Kind::Injected, Reason::Origin),
        (by_program, "/help", Kind::Injected, Reason::PromptSource),
        (by_system, "<bash-stdout>", Kind::Injected, Reason::PromptSource),
        (queued, "/help", Kind::Command, Reason::Slash),
    ] {
        assert_eq!(sorted(said, text), (kind, Some(reason)), "{said:?} {text}");
    }
    let person = Said { is_attachment: true, origin_kind: Some("human"), ..queued };
    assert_eq!(sorted(person, "words"), (Kind::Prompt, None));
    assert_eq!(sorted(Said::default(), "words"), (Kind::Prompt, None));
}

#[test]
fn beginnings_count_only_where_they_begin_the_text() {
    for text in [
        format!("So: {CONTINUATION}"),
        format!("see {NOTIFICATION}"),
        format!("what is {INTERRUPTION}] ?"),
        "a <command-name>/x</command-name>".to_owned(),
        "a <bash-input>ls</bash-input>".to_owned(),
        "a <bash-stdout>".to_owned(),
        "a /help".to_owned(),
    ] {
        assert_eq!(typed(&text), plain(&text));
    }
    assert_eq!(typed(" \n[Request interrupted by user]").0, Kind::Interruption);
}

#[test]
fn placeholders_are_counted_and_cut() {
    for (text, left, n_images) in [
        ("[Image #1] look [Image #22]\n", "look", 2),
        ("a[Image #1][Image #2]b", "ab", 2),
        ("[Image #1]", "", 1),
        ("[Image #] [Image #x] [Image #1", "[Image #] [Image #x] [Image #1", 0),
        ("[Image #[Image #1]2]", "[Image #2]", 1),
        ("[image #1] [Image #٣]", "[image #1] [Image #٣]", 0),
    ] {
        let reading = read(TYPED, text);
        assert_eq!((&*reading.text, reading.n_images), (left, n_images), "{text}");
        assert_eq!(reading.kind, Kind::Prompt);
    }
    assert_eq!(
        typed("[Image #1]/help [Image #2] me"),
        words(Kind::Command, Reason::Slash, "/help  me")
    );
}

#[test]
fn what_is_appended_is_cut_element_by_element() {
    let cut = |text: &str| words(Kind::Prompt, Reason::TailCut, text);
    let injected = |text: &str| words(Kind::Injected, Reason::Tag, text);
    let reminder = "<system-reminder>be kind</system-reminder>";
    let hook = "<user-prompt-submit-hook>ok</user-prompt-submit-hook>";
    assert_eq!(typed(&format!("do it\n\n{reminder}")), cut("do it"));
    assert_eq!(typed(&format!("do it{hook} {reminder}\n{hook}\n")), cut("do it"));
    assert_eq!(typed(&format!("{reminder} and more")), injected(&format!("{reminder} and more")));
    assert_eq!(typed(reminder), injected(reminder));
    assert_eq!(typed(&format!("{hook}\n{reminder}")), injected(hook));
    assert_eq!(typed(&format!("a {reminder} b")), plain(&format!("a {reminder} b")));
    // The last opening tag is the one that counts; what is left ends with none.
    let nested = "a <system-reminder>b <system-reminder>c</system-reminder>";
    assert_eq!(typed(nested), cut("a <system-reminder>b"));
    for text in ["a</system-reminder>", "<user-prompt-submit-hook>a</system-reminder>"] {
        assert_eq!(read(TYPED, text).text, text);
    }
    assert_eq!(
        typed(&format!("/go now {reminder}")),
        words(Kind::Command, Reason::Slash, "/go now")
    );
}

#[test]
fn an_envelope_holds_a_command_and_its_words() {
    let command = |text: &str| words(Kind::Command, Reason::Tag, text);
    for (text, left) in [
        ("<command-name>/a</command-name><command-args> b c </command-args>", "/a b c"),
        (
            "<command-message>a is running</command-message>\n<command-name>\n/a</command-name>",
            "/a",
        ),
        ("<command-args>b</command-args><command-name>/a</command-name>", "/a b"),
        ("<command-name>/a</command-name><command-args>\n</command-args>", "/a"),
        ("<command-name>/a</command-name><command-args>b", "/a"),
        ("<command-name>/a</command-name><command-name>/b</command-name>", "/a"),
        ("<command-message>a</command-message>", "<command-message>a</command-message>"),
        ("<command-name>/a", "<command-name>/a"),
        ("<command-name> </command-name>", "<command-name> </command-name>"),
        ("<bash-input> ls -l </bash-input>", "ls -l"),
        ("<bash-input> </bash-input>", "<bash-input> </bash-input>"),
        ("<bash-input>ls", "<bash-input>ls"),
    ] {
        assert_eq!(typed(text), command(left), "{text}");
    }
}

#[test]
fn output_of_the_client_is_injected() {
    for tag in INJECTED_TAGS {
        let text = format!("{tag}some</x>");
        assert_eq!(typed(&text), words(Kind::Injected, Reason::Tag, &text));
    }
}

#[test]
fn a_slash_and_a_name_make_a_command() {
    for text in ["/a", "/help me\nplease", "/plugin:do-it_2", "/A\r\n", "/x\t/y", "/c\n"] {
        assert_eq!(typed(text).0, Kind::Command, "{text}");
    }
    for text in ["/", "/ a", "/1a", "/a/b c", "/a.b", "/ä", "/a\u{a0}b", "//a", "-/a", "/-a"] {
        assert_eq!(typed(text), plain(text));
    }
}
