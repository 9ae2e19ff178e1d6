//! What Python passes, as the core takes it.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sessionscan_core::decode::lanes::Machine;
use sessionscan_core::{Copies, MmapPolicy, Options, Root, Table};

/// A sequence of pairs of a label and a path. Paths keep the bytes that Python
/// spells as surrogate escapes.
pub(crate) struct Roots(pub(crate) Vec<Root>);

impl FromPyObject<'_, '_> for Roots {
    type Error = PyErr;

    fn extract(pairs: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let pairs: Vec<(String, PathBuf)> = pairs.extract()?;
        let root = |(label, path)| Root { label, path };
        Ok(Self(pairs.into_iter().map(root).collect()))
    }
}

/// Names of tables.
pub(crate) struct Tables(pub(crate) Vec<Table>);

impl FromPyObject<'_, '_> for Tables {
    type Error = PyErr;

    fn extract(names: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let names: Vec<String> = names.extract()?;
        Ok(Self(names.iter().map(|name| table(name)).collect::<PyResult<_>>()?))
    }
}

/// The options that `scan` and `reader` have in common.
pub(crate) struct Choices<'py> {
    pub(crate) text: bool,
    pub(crate) threads: Option<usize>,
    pub(crate) mmap: &'py str,
    pub(crate) copies: &'py str,
    pub(crate) max_line_bytes: Option<u64>,
}

impl Choices<'_> {
    pub(crate) fn options(&self, tables: Vec<Table>) -> PyResult<Options> {
        let mmap = match self.mmap {
            "auto" => MmapPolicy::Auto,
            "always" => MmapPolicy::Always,
            "never" => MmapPolicy::Never,
            other => return Err(unknown("mmap", other)),
        };
        let copies = match self.copies {
            "collapse" => Copies::Collapse,
            "keep" => Copies::Keep,
            other => return Err(unknown("copies", other)),
        };
        Ok(Options {
            tables,
            text: self.text,
            threads: self.threads,
            mmap,
            copies,
            max_line_bytes: self.max_line_bytes,
            ..Options::default()
        })
    }
}

pub(crate) fn table(name: &str) -> PyResult<Table> {
    Table::from_name(name).ok_or_else(|| unknown("table", name))
}

pub(crate) fn machine(name: &str) -> PyResult<Machine> {
    let mut all = Machine::all().into_iter();
    all.find(|machine| machine.name() == name).ok_or_else(|| unknown("machine", name))
}

fn unknown(what: &str, given: &str) -> PyErr {
    PyValueError::new_err(format!("{given:?} is no value of {what}"))
}
