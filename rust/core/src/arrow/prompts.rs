//! The table `prompts`.

use rayon::prelude::*;

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::prompts::{Prompt, Reason};
use crate::schema::{Table, vocabulary};

/// Rows that are made at a time.
const ROWS: usize = 8192;

/// Rows of `prompts`, in stretches that are made side by side.
pub fn prompts(corpus: &Corpus, prompts: &[Prompt<'_>], with_text: bool) -> Vec<Columns> {
    prompts.par_chunks(ROWS).map(|prompts| stretch(corpus, prompts, with_text)).collect()
}

fn stretch(corpus: &Corpus, prompts: &[Prompt<'_>], with_text: bool) -> Columns {
    let sources: Vec<&str> = vocabulary("prompt_source").collect();
    let mut rows = Columns::in_stretches(&Table::Prompts.schema());
    for prompt in prompts {
        push(&mut rows, corpus, prompt, &sources, with_text);
    }
    rows
}

fn push(
    rows: &mut Columns,
    corpus: &Corpus,
    prompt: &Prompt<'_>,
    sources: &[&str],
    with_text: bool,
) {
    let text = |symbol| corpus.strings.text(symbol);
    let (file, line, _) = prompt.position;
    let said = text(prompt.prompt_source);
    rows.int(Some(i64::from(file)));
    rows.int(Some(line as i64));
    rows.text(text(prompt.session));
    rows.int(prompt.timestamp);
    rows.text(if prompt.is_attachment {
        Some("queued")
    } else {
        said.filter(|source| sources.contains(source))
    });
    rows.text(Some(prompt.kind.name()));
    rows.text(prompt.reason.map(Reason::name));
    rows.text(text(prompt.origin_kind));
    rows.text(said);
    rows.int(Some(prompt.chars));
    rows.int(Some(prompt.n_images));
    rows.int(prompt.duplicate_of_line.map(|line| line as i64));
    rows.text(with_text.then_some(&*prompt.text));
    rows.end_row();
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;

    use super::*;
    use crate::arrow::columns::batches;
    use crate::facts::further::PromptFact;
    use crate::join::made::Made;

    #[test]
    fn text_stands_only_where_it_was_asked_for() {
        let mut made = Made::new();
        made.parent("a");
        let prompt_source = made.symbol("elsewhere");
        made.prompt("[Image #1] words", PromptFact { prompt_source, ..PromptFact::default() });
        made.prompt("words", PromptFact { is_attachment: true, ..PromptFact::default() });
        let all = crate::join::prompts::prompts(&made.corpus);
        for with_text in [false, true] {
            let rows = prompts(&made.corpus, &all, with_text);
            let built = batches(&Table::Prompts.schema(), rows).expect("rows of the schema");
            let column = |name: &str| built[0].column_by_name(name).expect("a column");
            let source = column("source").as_dictionary::<arrow_array::types::Int32Type>();
            assert_eq!((source.key(0), source.key(1)), (None, Some(0)));
            assert_eq!(source.values().as_string::<i32>().value(0), "queued");
            let lines = column("duplicate_of_line").as_primitive::<Int64Type>();
            assert_eq!(lines.iter().collect::<Vec<_>>(), [None, Some(1)]);
            let text: Vec<_> = column("text").as_string::<i32>().iter().collect();
            assert_eq!(text, [with_text.then_some("words"); 2]);
        }
    }
}
