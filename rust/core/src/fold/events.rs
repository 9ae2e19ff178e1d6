//! What records say that are neither messages nor attachments (ruling 39).

use crate::decode::text::Raw;
use crate::facts::Identity;
use crate::facts::further::{
    Boundary, CostFact, EventFact, InlineRecord, JournalFact, Title, TitleSource, TrackedFact,
};
use crate::facts::words::trim;
use crate::fold::Folder;
use crate::record::further::{Costs, Detail, Event, Further, Tracked};
use crate::record::{Record, Str};

impl Folder {
    /// Keeps what an event says.
    pub(super) fn event(&mut self, file: u32, sketch: u32, record: &Record<'_>, event: &Event<'_>) {
        if let Some(content) = event.content.filter(|_| record.is_type("queue-operation")) {
            self.notifications(file, sketch, &content.text(), record.origin_kind);
        }
        match &event.detail {
            Detail::Boundary(said) => {
                let fact = Boundary {
                    sketch,
                    file,
                    is_micro: record
                        .string(Str::Subtype)
                        .is_some_and(|kind| kind.is("microcompact_boundary")),
                    trigger: self.intern(said.trigger),
                    pre_tokens: said.pre_tokens,
                    post_tokens: said.post_tokens,
                    duration_ms: said.duration_ms,
                    cumulative_dropped_tokens: said.cumulative_dropped_tokens,
                    preserved_messages: said.preserved_messages,
                };
                self.facts.further.boundaries.push(fact);
            }
            Detail::Title(title) => self.title(sketch, record, *title),
            Detail::Tracked(tracked) if self.wanted.further => {
                for (entry, index) in tracked.iter().zip(0..) {
                    self.tracked(file, sketch, index, record, entry);
                }
            }
            Detail::Costs(costs) if self.wanted.further => self.costs(file, sketch, costs),
            _ => {}
        }
        if self.wanted.further {
            self.event_row(file, sketch, record, event);
        }
    }

    /// Keeps a subagent's record inside a progress record, which may be a message too.
    pub(super) fn inline_record(&mut self, file: u32, sketch: u32, record: &Record<'_>) {
        let Some(progress) = &record.progress else { return };
        let is_agent = progress.kind.is_some_and(|kind| kind.is("agent_progress"));
        let agent = progress.agent_id.filter(|agent| is_agent && !agent.is_empty());
        if agent.is_some() {
            let parent_tool_use = match &record.further {
                Further::Event(event) => event.parent_tool_use_id,
                _ => None,
            };
            let fact = InlineRecord {
                sketch,
                file,
                agent: self.intern(agent),
                parent_tool_use: self.intern(parent_tool_use),
                timestamp: progress.inline_timestamp.or(record.timestamp),
            };
            self.facts.further.inline_records.push(fact);
        }
    }

    fn title(&mut self, sketch: u32, record: &Record<'_>, title: Raw<'_>) {
        let title = title.text();
        let title = trim(&title);
        if title.is_empty() || !self.wanted.words {
            return;
        }
        let source = if record.is_type("custom-title") {
            TitleSource::CustomTitle
        } else if record.is_type("ai-title") {
            TitleSource::AiTitle
        } else {
            TitleSource::Summary
        };
        let leaf = record.string(Str::LeafUuid).and_then(|leaf| Identity::of(&leaf.text()));
        let text = self.facts.words.keep(title);
        self.facts.further.titles.push(Title { sketch, source, text, leaf });
    }

    fn event_row(&mut self, file: u32, sketch: u32, record: &Record<'_>, event: &Event<'_>) {
        let progress = record.progress.as_ref();
        let kind = progress.and_then(|progress| progress.kind);
        let status = progress.and_then(|progress| progress.status);
        let fact = EventFact {
            sketch,
            file,
            subtype: self.intern(record.string(Str::Subtype).or(kind)),
            level: self.intern(event.level),
            operation: self.intern(event.operation),
            queue_priority: self.intern(event.queue_priority),
            duration_ms: event.duration_ms,
            retry_in_ms: event.retry_in_ms,
            retry_attempt: event.retry_attempt,
            status: self.intern(event.status.or(status)),
            hook_count: event.hook_count,
            hook_errors: event.hook_errors,
            content_chars: event.content.map(|content| content.chars() as i64),
        };
        self.facts.further.events.push(fact);
    }

    /// Of every record: only all of a file's records say whether it is a journal.
    pub(super) fn journal_row(&mut self, file: u32, sketch: u32, record: &Record<'_>) {
        let mut fact = JournalFact {
            sketch,
            file,
            agent: self.intern(record.string(Str::AgentId)),
            ..JournalFact::default()
        };
        if let Further::Event(event) = &record.further
            && let Detail::Journal(journal) = &event.detail
        {
            fact.label = self.intern(journal.label);
            fact.phase = self.intern(journal.phase);
            fact.result_kind = journal.result_kind;
            fact.result_chars = journal.result_chars;
        }
        self.facts.further.journal.push(fact);
    }

    fn tracked(
        &mut self,
        file: u32,
        sketch: u32,
        index: u32,
        record: &Record<'_>,
        entry: &Tracked<'_>,
    ) {
        let fact = TrackedFact {
            sketch,
            file,
            index,
            path: self.facts.strings.intern(&entry.path),
            real_parent: self.intern(entry.real_parent_dir),
            backup: self.intern(entry.backup_file_name),
            version: entry.version,
            backup_time: entry.backup_time,
            snapshot_time: entry.snapshot_time.or(record.timestamp),
            is_tombstone: entry.is_tombstone,
        };
        self.facts.further.tracked.push(fact);
    }

    fn costs(&mut self, file: u32, sketch: u32, costs: &Costs<'_>) {
        for cost in &costs.models {
            let fact = CostFact {
                sketch,
                file,
                model: self.facts.strings.intern(&cost.model),
                cost_usd: cost.cost_usd,
                total_cost_usd: costs.total_cost_usd,
                input: cost.input,
                output: cost.output,
                cache_creation: cost.cache_creation,
                cache_read: cost.cache_read,
                has_unknown_model_cost: costs.has_unknown_model_cost,
            };
            self.facts.further.costs.push(fact);
        }
    }
}
