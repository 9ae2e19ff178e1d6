//! What records say for the tables beside the core (ruling 39).

use std::borrow::Cow;

use memchr::memmem;

use crate::decode::content::result_text;
use crate::decode::text::{Raw, code_points};
use crate::facts::further::{
    AttachmentFact, Boundary, CostFact, EventFact, InlineRecord, JournalFact, LaunchInput,
    LaunchResult, SkillEvidence, SkillFact, Title, TitleSource, TrackedFact,
};
use crate::facts::{FilePart, Identity};
use crate::fold::Folder;
use crate::record::further::{
    Attachment, CallInput, Carried, Costs, Detail, Event, Further, Launched, Tracked,
};
use crate::record::{Block, Flag, Record, Str};
use crate::strings::Symbol;

/// Begins a result's text that stands in a file of its own.
const PERSISTED: &str = "<persisted-output>";

/// White space at both ends of a text (ruling 37).
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

impl Folder {
    /// Keeps what a record says besides its message.
    pub(super) fn further(&mut self, part: &mut FilePart, sketch: u32, record: &Record<'_>) {
        self.identity(sketch, record);
        if record.flag(Flag::IsCompactSummary) == Some(true) {
            self.facts.further.summaries.push(sketch);
        }
        if self.wanted.further && record.string(Str::AttributionSkill).is_some() {
            let name = self.intern(record.string(Str::AttributionSkill));
            self.skill(part.file, sketch, SkillEvidence::Attributed, 0, name);
        }
        if self.wanted.journal {
            self.journal_row(part.file, sketch, record);
        }
        match &record.further {
            Further::None => {}
            Further::Attachment(attachment) => self.attachment(part, sketch, record, attachment),
            Further::Event(event) => self.event(part.file, sketch, record, event),
        }
    }

    /// What links sessions: forks, and uuids in full where the sketch has a hash.
    fn identity(&mut self, sketch: u32, record: &Record<'_>) {
        if record.forked_from_session_id.is_some() {
            let uuid = self.intern(record.forked_from_message_uuid);
            self.facts.further.forks.push((sketch, uuid));
        }
        if let Some(Identity::Hash(_)) = self.facts.sketches[sketch as usize].uuid {
            let uuid = self.intern(record.string(Str::Uuid));
            self.facts.further.odd_uuids.push((sketch, uuid));
        }
    }

    fn skill(&mut self, file: u32, sketch: u32, by: SkillEvidence, index: u32, name: Symbol) {
        let fact = SkillFact { sketch, file, evidence: by, index, name };
        self.facts.further.skills.push(fact);
    }

    fn attachment(
        &mut self,
        part: &mut FilePart,
        sketch: u32,
        record: &Record<'_>,
        attachment: &Attachment<'_>,
    ) {
        match &attachment.carried {
            Carried::Nothing => {}
            Carried::Listed(names) => {
                part.skill_listings += 1;
                part.skill_listings_empty += u64::from(attachment.names == Some(0));
                if self.wanted.further {
                    for (name, index) in names.iter().zip(0..) {
                        let name = self.intern(Some(*name));
                        self.skill(part.file, sketch, SkillEvidence::Available, index, name);
                    }
                }
            }
            Carried::Invoked { entries, names } => {
                part.invoked_skills += 1;
                part.invoked_skills_empty += u64::from(*entries == 0);
                if self.wanted.further {
                    for (index, name) in names {
                        let name = self.intern(*name);
                        self.skill(part.file, sketch, SkillEvidence::Invoked, *index, name);
                    }
                }
            }
            Carried::Queued(text) => self.queued(part.file, sketch, record, attachment, text),
            Carried::Contexts(contexts) => {
                for context in contexts.iter().filter(|_| self.wanted.words) {
                    let text = self.facts.words.keep(&context.text());
                    self.facts.further.contexts.push((sketch, text));
                }
            }
        }
        if self.wanted.further {
            let fact = AttachmentFact {
                sketch,
                file: part.file,
                kind: self.intern(attachment.kind),
                hook_name: self.intern(attachment.hook_name),
                hook_event: self.intern(attachment.hook_event),
                exit_code: attachment.exit_code,
                duration_ms: attachment.duration_ms,
                tool_use: self.intern(attachment.tool_use_id),
                command_mode: self.intern(attachment.command_mode),
                origin_kind: self.intern(attachment.origin_kind.or(record.origin_kind)),
                names: attachment.names,
                chars: attachment.json.map(|json| code_points(json) as i64),
            };
            self.facts.further.attachments.push(fact);
        }
    }

    fn event(&mut self, file: u32, sketch: u32, record: &Record<'_>, event: &Event<'_>) {
        if let Some(content) = event.content.filter(|_| record.is_type("queue-operation")) {
            self.notifications(file, sketch, &content.text(), record.origin_kind);
        }
        self.inline_record(file, sketch, record, event);
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

    fn inline_record(&mut self, file: u32, sketch: u32, record: &Record<'_>, event: &Event<'_>) {
        let Some(progress) = &record.progress else { return };
        let is_agent = progress.kind.is_some_and(|kind| kind.is("agent_progress"));
        let agent = progress.agent_id.filter(|agent| is_agent && !agent.is_empty());
        if agent.is_some() {
            let fact = InlineRecord {
                sketch,
                file,
                agent: self.intern(agent),
                parent_tool_use: self.intern(event.parent_tool_use_id),
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
    fn journal_row(&mut self, file: u32, sketch: u32, record: &Record<'_>) {
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

    pub(super) fn launch_input(&mut self, said: &CallInput<'_>) -> LaunchInput {
        LaunchInput {
            agent_type: self.intern(said.subagent_type),
            description: self.intern(said.description),
            model: self.intern(said.model),
            skill: self.intern(said.skill),
        }
    }

    pub(super) fn launch_result(&mut self, said: &Launched<'_>) -> LaunchResult {
        LaunchResult {
            agent_type: self.intern(said.agent_type),
            worktree_branch: self.intern(said.worktree_branch),
            workflow_name: self.intern(said.workflow_name),
            run_id: self.intern(said.run_id),
            transcript_dir: self.intern(said.transcript_dir),
            is_async: said.is_async,
            total_tokens: said.total_tokens,
            tool_uses: said.total_tool_use_count,
            duration_ms: said.total_duration_ms,
        }
    }

    /// Where a result's text says that its output went (ruling 46).
    pub(super) fn persisted_in_text(
        &mut self,
        record: &Record<'_>,
        block: &Block<'_>,
    ) -> Option<Symbol> {
        let json = block.result.json;
        // A prefilter: it lets escapes through, which may spell the marker too.
        let may_be = |json: &str| {
            let find = |needle: &str| memmem::find(json.as_bytes(), needle.as_bytes()).is_some();
            find("persisted-output") || find("\\u")
        };
        if !self.wanted.further || !may_be(json) {
            return None;
        }
        let is_first =
            record.blocks().iter().find(|block| block.is_result()).map(|first| first.index);
        let has_path = record.tool_use_result.persisted_output_path.is_some();
        if has_path && is_first == Some(block.index) {
            return None;
        }
        let text = Cow::Owned::<str>(result_text(json)?);
        let text = trim(&text);
        let path = text.starts_with(PERSISTED).then(|| path_behind(text))?;
        Some(path.map_or(Symbol::NONE, |path| self.facts.strings.intern(path)))
    }
}

/// What follows the first `saved to: ` up to the end of its line.
fn path_behind(text: &str) -> Option<&str> {
    const SAVED: &str = "saved to: ";
    let start = text.find(SAVED)? + SAVED.len();
    let rest = &text[start..];
    Some(trim(rest.split('\n').next().unwrap_or_default()))
}
