//! What is wrong with files beside the transcripts (ruling 38).

use crate::diagnose::{Code, Finding};

/// What is wrong with such a file. It is told at the row that the file belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// Its name, where it is no readable JSON object.
    damaged: Option<String>,
    /// How many of its values have the wrong type.
    bad_values: u64,
}

impl Trouble {
    /// That of the file at `path`.
    pub fn of(path: &str, is_damaged: bool, bad_values: u64) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        Self { damaged: is_damaged.then(|| name.to_owned()), bad_values }
    }

    /// The findings about it, where its row stands in `file`.
    pub fn findings(&self, file: u32) -> impl Iterator<Item = Finding> {
        let damaged = self.damaged.iter().map(move |name| {
            Finding::of_file(file, Code::DamagedSideFile, &[("name", name.as_str())])
        });
        let bad_values = (self.bad_values > 0).then(|| Finding {
            count: self.bad_values,
            ..Finding::of_file(file, Code::BadValue, &[])
        });
        damaged.chain(bad_values)
    }
}
