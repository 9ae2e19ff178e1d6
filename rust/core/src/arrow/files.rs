//! The table `files`.

use crate::arrow::columns::Columns;
use crate::discover::{Compression, Found, Transcript};
use crate::join::Corpus;
use crate::join::files::{FileFacts, Status};
use crate::schema::Table;

/// Rows of `files`.
pub fn files(corpus: &Corpus, transcripts: &[Transcript]) -> Columns {
    let mut rows = Columns::new(&Table::Files.schema());
    for ((file, transcript), number) in corpus.files.iter().zip(transcripts).zip(0..) {
        push(&mut rows, corpus, number, file, transcript);
    }
    rows
}

fn push(
    rows: &mut Columns,
    corpus: &Corpus,
    number: i64,
    file: &FileFacts,
    transcript: &Transcript,
) {
    let text = |symbol| corpus.strings.text(symbol);
    let regular = !matches!(transcript.found, Found::NotAFile | Found::SymlinkLoop);
    rows.int(Some(number));
    rows.text(Some(&transcript.shown));
    rows.text(Some(&transcript.source));
    rows.text(Some(file.kind.as_str()));
    rows.text(text(file.session));
    rows.text(text(file.stem_session));
    rows.text(text(file.agent));
    rows.text(text(file.workflow));
    rows.int(transcript.size.filter(|_| regular).map(|size| size as i64));
    rows.int(Some(file.bytes as i64));
    rows.int(Some(file.records as i64));
    rows.int(Some(file.replays as i64));
    rows.int(Some(file.blank_lines as i64));
    rows.int(Some(file.lost_lines as i64));
    rows.int(file.first_timestamp);
    rows.int(file.last_timestamp);
    rows.text(text(file.version_first));
    rows.text(text(file.version_last));
    rows.text(Some(file.status.name()));
    rows.int(file.copy_of.filter(|_| file.status == Status::Copy).map(i64::from));
    rows.text(transcript.compression.map(Compression::as_str));
    rows.end_row();
}
