//! What a task hands back, as bytes: who it is, which files gave trouble, and the
//! facts of its units. Files have the numbers that they are mentioned by in the task,
//! counted from 0.

use arrow_buffer::Buffer;
use arrow_schema::ArrowError;

use crate::exchange::limits::Limits;
use crate::exchange::rows::rows;
use crate::exchange::sealed::{Seal, open, seal};
use crate::exchange::value::{Reader, Value};
use crate::exchange::{self, Damaged, FACTS_VERSION, batch};
use crate::parallel::{Folded, Trouble};

const SEAL: Seal = Seal { magic: *b"sstasks\n", version: FACTS_VERSION };

/// The package that folds: what it makes of a line is its own.
pub(super) const PACKAGE: &str = env!("CARGO_PKG_VERSION");

/// Whose facts these are.
pub(super) struct Head {
    pub(super) package: String,
    pub(super) plan: String,
    pub(super) task: u32,
}

/// A file with trouble, and the unit that met it.
struct Troubled {
    unit: u32,
    file: u32,
    /// The text behind which its compressed data are damaged; else it could not be read.
    damaged_behind: Option<u64>,
    reason: String,
}

rows! {
    Head { package, plan, task }
    Troubled { unit, file, damaged_behind, reason }
}

/// The facts of a task that was folded, as bytes.
pub(super) fn to_bytes(plan: &str, task: u32, folded: &[Folded]) -> Result<Vec<u8>, ArrowError> {
    of_package(PACKAGE, plan, task, folded)
}

pub(super) fn of_package(
    package: &str,
    plan: &str,
    task: u32,
    folded: &[Folded],
) -> Result<Vec<u8>, ArrowError> {
    let head = Head { package: package.to_owned(), plan: plan.to_owned(), task };
    let units = folded.iter().zip(0..);
    let troubled: Vec<Troubled> = units
        .flat_map(|(folded, unit)| {
            folded.troubles.iter().map(move |trouble| Troubled::of(unit, trouble))
        })
        .collect();
    let mut sections = exchange::streams(&[batch(&[head])?, batch(&troubled)?])?;
    for folded in folded {
        sections.push(exchange::to_bytes(&folded.facts)?);
    }
    Ok(seal(SEAL, &sections))
}

impl Troubled {
    fn of(unit: u32, trouble: &Trouble) -> Self {
        let (file, damaged_behind, reason) = match trouble {
            Trouble::Unreadable(file, reason) => (*file, None, reason.clone()),
            Trouble::Damaged(file, end) => (*file, Some(*end), String::new()),
        };
        Self { unit, file, damaged_behind, reason }
    }
}

/// What a task handed back.
pub(super) struct Reply {
    pub(super) head: Head,
    troubled: Vec<Troubled>,
    units: Vec<Buffer>,
}

impl Reply {
    /// The reply of such bytes.
    pub(super) fn of(bytes: Vec<u8>) -> Result<Self, Damaged> {
        let mut sections = open(SEAL, &Buffer::from_vec(bytes))?;
        if sections.len() < 2 {
            return Err(Damaged("no sections"));
        }
        let units = sections.split_off(2);
        let head = values(&sections[0])?.pop().ok_or(Damaged("no head"))?;
        Ok(Self { head, troubled: values(&sections[1])?, units })
    }

    /// The units, where there are as many as `files` has members: of each, the
    /// numbers of its files here.
    pub(super) fn folded(&self, files: &[&[u32]]) -> Result<Vec<Folded>, Damaged> {
        if files.len() != self.units.len() {
            return Err(Damaged("another number of units"));
        }
        let mut first = 0;
        let mut folded = Vec::with_capacity(files.len());
        for ((section, files), unit) in self.units.iter().zip(files).zip(0..) {
            let file = |mentioned: u32| {
                let place = mentioned.checked_sub(first)?;
                files.get(place as usize).copied()
            };
            let facts = exchange::from_section(section, file)?;
            let own = self.troubled.iter().filter(|troubled| troubled.unit == unit);
            let troubles = own.map(|troubled| Some(troubled.trouble(file(troubled.file)?)));
            let troubles: Option<Vec<Trouble>> = troubles.collect();
            let troubles = troubles.ok_or(Damaged("trouble with another file"))?;
            folded.push(Folded { facts, troubles, texts: Vec::new() });
            first += files.len() as u32;
        }
        Ok(folded)
    }
}

impl Troubled {
    fn trouble(&self, file: u32) -> Trouble {
        match self.damaged_behind {
            Some(end) => Trouble::Damaged(file, end),
            None => Trouble::Unreadable(file, self.reason.clone()),
        }
    }
}

/// The rows of a section, if it has the columns of such rows.
fn values<T: Value>(section: &Buffer) -> Result<Vec<T>, Damaged> {
    let read = exchange::batches(std::slice::from_ref(section))?;
    let like = batch::<T>(&[]).map_err(|_| Damaged("no rows"))?;
    if read[0].schema() != like.schema() {
        return Err(Damaged("other rows"));
    }
    T::read(&mut Reader::of(&read[0], &Limits::default()))
}
