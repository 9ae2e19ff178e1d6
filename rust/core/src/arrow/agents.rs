//! The table `agents`.

use crate::arrow::columns::Columns;
use crate::join::Corpus;
use crate::join::agents::Agent;
use crate::schema::Table;

/// Rows of `agents`.
pub fn agents(corpus: &Corpus, agents: &[Agent], with_text: bool) -> Columns {
    let mut rows = Columns::in_stretches(&Table::Agents.schema());
    for agent in agents {
        push(&mut rows, corpus, agent, with_text);
    }
    rows
}

fn push(rows: &mut Columns, corpus: &Corpus, agent: &Agent, with_text: bool) {
    let text = |symbol| corpus.strings.text(symbol);
    let (file, line, _) = agent.position;
    rows.int(Some(i64::from(file)));
    rows.int(Some(line as i64));
    rows.text(text(agent.session));
    rows.text(text(agent.id));
    rows.text(text(agent.agent_type));
    rows.text(text(agent.description).filter(|_| with_text));
    rows.text(text(agent.model));
    rows.text(text(agent.said.resolved_model));
    rows.int(agent.spawn_depth);
    rows.text(text(agent.parent));
    rows.text(text(agent.tool_use));
    rows.text(text(agent.workflow));
    rows.text(Some(agent.joined_by.name()));
    rows.bool(Some(agent.transcript.is_some()));
    rows.bool(Some(agent.has_meta));
    rows.bool(Some(agent.launch.is_some()));
    rows.int(agent.transcript.map(i64::from));
    rows.text(text(agent.meta_path));
    rows.int(agent.launch.map(|(file, _, _)| i64::from(file)));
    rows.int(agent.launch.map(|(_, line, _)| line as i64));
    rows.text(text(agent.said.status));
    rows.bool(agent.said.is_async);
    rows.bool(agent.is_fork);
    rows.bool(agent.stopped_by_user);
    rows.text(text(agent.said.worktree_branch));
    rows.int(agent.notice.map(|notice| i64::from(notice.position.0)));
    rows.int(agent.notice.map(|notice| notice.position.1 as i64));
    rows.text(agent.notice.and_then(|notice| text(notice.status)));
    rows.bool(Some(agent.is_dangling()));
    rows.bool(Some(agent.is_orphan()));
    sums(rows, agent);
    rows.int(agent.said.total_tokens);
    rows.int(agent.said.tool_uses);
    rows.int(agent.said.duration_ms);
    rows.int(agent.sums.first_timestamp);
    rows.int(agent.sums.last_timestamp);
    rows.end_row();
}

fn sums(rows: &mut Columns, agent: &Agent) {
    let sums = &agent.sums;
    let counts =
        [sums.n_records, sums.n_inline_records, sums.n_tool_calls, sums.n_failed, sums.n_responses];
    for count in counts {
        rows.int(Some(count));
    }
    sums.tokens.iter().for_each(|sum| rows.int(sum.value()));
}
