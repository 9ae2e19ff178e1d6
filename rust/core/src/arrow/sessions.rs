//! The table `sessions`.

use hashbrown::HashMap;

use crate::arrow::columns::Columns;
use crate::discover::Transcript;
use crate::join::Corpus;
use crate::join::sessions::Session;
use crate::schema::Table;
use crate::strings::Symbol;

/// Where the title of a session comes from, and the title where text is asked for.
pub type Titles<'t> = HashMap<Symbol, (&'static str, Option<&'t str>)>;

/// Rows of `sessions`.
pub fn sessions(
    corpus: &Corpus,
    sessions: &[Session],
    transcripts: &[Transcript],
    titles: &Titles<'_>,
) -> Columns {
    let mut rows = Columns::in_stretches(&Table::Sessions.schema());
    for session in sessions {
        push(&mut rows, corpus, session, transcripts, titles);
    }
    rows
}

fn push(
    rows: &mut Columns,
    corpus: &Corpus,
    session: &Session,
    transcripts: &[Transcript],
    titles: &Titles<'_>,
) {
    let text = |symbol| corpus.strings.text(symbol);
    let texts = |symbols: &[Symbol]| -> Vec<&str> {
        symbols.iter().filter_map(|symbol| text(*symbol)).collect()
    };
    let mut sources: Vec<&str> = Vec::new();
    for file in &session.files {
        let source = transcripts[*file as usize].source.as_str();
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    rows.int(Some(i64::from(session.position.0)));
    rows.text(text(session.id));
    rows.list(sources);
    rows.text(text(session.project));
    rows.text(text(session.git_branch));
    rows.int(session.first_timestamp);
    rows.int(session.last_timestamp);
    rows.list(texts(&session.versions));
    rows.list(texts(&session.entrypoints));
    rows.list(texts(&session.models));
    rows.int(Some(session.files.len() as i64));
    rows.int(Some(session.n_records));
    rows.int(Some(session.n_prompts));
    rows.int(Some(session.n_responses));
    rows.int(Some(session.n_tool_calls));
    rows.int(Some(session.n_failed));
    rows.int(Some(session.n_denied));
    rows.int(Some(session.n_agents));
    rows.int(Some(session.n_compactions));
    rows.int(Some(session.n_api_errors));
    session.tokens.iter().for_each(|sum| rows.int(sum.value()));
    let title = titles.get(&session.id);
    rows.text(title.and_then(|(_, title)| *title));
    rows.text(title.map(|(source, _)| *source));
    rows.text(text(session.forked_from));
    rows.text(text(session.leaf));
    rows.text(session.ending_kind);
    rows.end_row();
}
