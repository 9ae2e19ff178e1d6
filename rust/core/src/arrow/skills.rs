//! The table `skills`.

use crate::arrow::columns::Columns;
use crate::facts::further::SkillEvidence;
use crate::join::Corpus;
use crate::join::skills::Skill;
use crate::schema::Table;

/// Rows of `skills`.
pub fn skills(corpus: &Corpus, skills: &[Skill]) -> Columns {
    let mut rows = Columns::in_stretches(&Table::Skills.schema());
    for skill in skills {
        let (file, line, _) = skill.position;
        rows.int(Some(i64::from(file)));
        rows.int(Some(line as i64));
        rows.text(corpus.strings.text(skill.session));
        rows.text(corpus.strings.text(skill.name));
        rows.text(Some(match skill.evidence {
            SkillEvidence::Available => "available",
            SkillEvidence::Invoked => "invoked",
            SkillEvidence::Attributed => "attributed",
        }));
        rows.int(Some(skill.n));
        rows.end_row();
    }
    rows
}
