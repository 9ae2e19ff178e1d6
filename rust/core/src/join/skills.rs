//! Evidence of skills (ruling 45).

use hashbrown::HashMap;

use crate::facts::further::{SkillEvidence, SkillFact};
use crate::join::tool_calls::Pair;
use crate::join::{Corpus, Position, Standing};
use crate::strings::Symbol;

/// A row of `skills`.
#[derive(Clone, Debug)]
pub struct Skill {
    /// Where it stands.
    pub position: Position,
    /// What shows it.
    pub evidence: SkillEvidence,
    /// Its place in the record.
    pub index: u32,
    /// The session of the record.
    pub session: Symbol,
    /// Its name.
    pub name: Symbol,
    /// How often it is listed, or attributed to.
    pub n: i64,
    record: (u32, u32),
}

/// All evidence, in the table's order.
pub fn skills(corpus: &Corpus, pairs: &[Pair]) -> Vec<Skill> {
    let mut skills: Vec<Skill> = Vec::new();
    let mut by_name: HashMap<(u32, SkillEvidence, Symbol), usize> = HashMap::new();
    for (unit, number) in corpus.units.iter().zip(0..) {
        for fact in &unit.further.skills {
            if corpus.standing(number, fact.sketch) != Standing::Counts {
                continue;
            }
            let skill = skill(corpus, number, fact);
            if fact.evidence == SkillEvidence::Invoked {
                skills.push(skill);
                continue;
            }
            let key = (fact.file, fact.evidence, fact.name);
            let index = *by_name.entry(key).or_insert(skills.len());
            if index == skills.len() {
                skills.push(skill);
            } else {
                skills[index].add(skill);
            }
        }
    }
    skills.extend(pairs.iter().filter_map(|pair| called(corpus, pair)));
    skills.sort_by_key(|skill| (skill.position, skill.evidence, skill.index));
    skills
}

impl Skill {
    /// Adds a later record that lists it, or is attributed to it.
    fn add(&mut self, later: Self) {
        if self.record == later.record {
            return;
        }
        let n = self.n + 1;
        if self.evidence == SkillEvidence::Available {
            *self = later;
        } else {
            self.record = later.record;
        }
        self.n = n;
    }
}

fn skill(corpus: &Corpus, unit: u32, fact: &SkillFact) -> Skill {
    let sketch = corpus.sketch(unit, fact.sketch);
    Skill {
        position: (fact.file, sketch.line, sketch.place),
        evidence: fact.evidence,
        index: fact.index,
        session: corpus.session(sketch.session, fact.file),
        name: fact.name,
        n: 1,
        record: (unit, fact.sketch),
    }
}

/// A call of the tool that invokes skills.
fn called(corpus: &Corpus, pair: &Pair) -> Option<Skill> {
    let call = corpus.call(pair.call);
    let is_skill = corpus.strings.text(call.name) == Some("Skill");
    if !is_skill || corpus.units[pair.call.unit as usize].rollouts.has(call.sketch) {
        return None;
    }
    let sketch = corpus.sketch(pair.call.unit, call.sketch);
    Some(Skill {
        position: pair.position,
        evidence: SkillEvidence::Invoked,
        index: pair.block,
        session: corpus.session(sketch.session, call.file),
        name: call.launch.as_ref().map_or(Symbol::NONE, |launch| launch.skill),
        n: 1,
        record: (pair.call.unit, call.sketch),
    })
}
