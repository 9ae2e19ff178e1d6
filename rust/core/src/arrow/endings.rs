//! The table `endings`.

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::endings::Ending;
use crate::schema::Table;

/// Rows of `endings`.
pub fn endings(corpus: &Corpus, endings: &[Ending<'_>], with_text: bool) -> Columns {
    let mut rows = Columns::in_stretches(&Table::Endings.schema());
    for ending in endings {
        push(&mut rows, corpus, ending, with_text);
    }
    rows
}

fn push(rows: &mut Columns, corpus: &Corpus, ending: &Ending<'_>, with_text: bool) {
    let text = |symbol| corpus.strings.text(symbol);
    let (file, line, _) = ending.position;
    rows.int(Some(i64::from(file)));
    rows.int(Some(line as i64));
    rows.text(text(ending.session));
    rows.text(Some(ending.kind.name()));
    rows.text(ending.last_assistant_kind);
    rows.list(ending.pending_tool_use_ids.iter().filter_map(|id| text(*id)));
    rows.int(ending.last_timestamp);
    rows.bool(ending.ends_with_question());
    let words = with_text.then(|| ending.text()).flatten();
    rows.text(words.as_deref());
    rows.end_row();
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;
    use crate::arrow::columns::batches;
    use crate::facts::further::Turn;
    use crate::join::made::Made;
    use crate::join::sessions::sessions;

    #[test]
    fn text_stands_only_where_it_was_asked_for_and_ids_in_a_list() {
        let mut made = Made::new();
        made.parent("a");
        made.call("t1", "Bash");
        made.call("t2", "Bash");
        made.assistant(&["Shall I", "go?"], Turn::default());
        let made = made.join();
        let sessions = sessions(&made.corpus, &[], &[]);
        let all = crate::join::endings::endings(&made.corpus, &sessions, &made.pairs);
        for with_text in [false, true] {
            let rows = endings(&made.corpus, &all, with_text);
            let built = batches(&Table::Endings.schema(), vec![rows]).expect("rows of the schema");
            let column = |name: &str| built[0].column_by_name(name).expect("a column");
            let ids = column("pending_tool_use_ids").as_list::<i32>().value(0);
            assert_eq!(ids.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("t1"), Some("t2")]);
            assert!(column("ends_with_question").as_boolean().value(0));
            let text: Vec<_> = column("text").as_string::<i32>().iter().collect();
            assert_eq!(text, [with_text.then_some("Shall I\ngo?")]);
        }
    }
}
