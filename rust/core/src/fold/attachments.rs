//! What attachments say (ruling 39).

use crate::decode::text::code_points;
use crate::facts::FilePart;
use crate::facts::further::{AttachmentFact, SkillEvidence};
use crate::fold::Folder;
use crate::record::Record;
use crate::record::further::{Attachment, Carried};

impl Folder {
    /// Keeps what an attachment says.
    pub(super) fn attachment(
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
                    let text = self.facts.words.keep_once(&context.text());
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
}
