//! Tables of a corpus that is larger than memory: the ordered list of files is
//! cut into segments that no fact spans, and these are scanned one after the
//! other. Put together, their rows are those of one scan.
//!
//! What links files is known beforehand from a pass over all of them that keeps
//! nothing but hashes of their keys (see [`linked`]). Prompts are told by texts
//! that stand anywhere in the corpus: two more passes, segment by segment, find
//! these. `census` counts the whole corpus, and is made whole.

mod assigned;
mod keys;
mod linked;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use rayon::ThreadPool;

use crate::arrow::columns::{Columns, Dictionaries, batch};
use crate::coverage::{Coverage, coverage};
use crate::discover::{Beside, Discovered, Found, Root, Transcript};
use crate::error::Error;
use crate::join::Corpus;
use crate::join::prompts::{Anywhere, Gathered, Heard, InPart, Texts};
use crate::parallel::Progress;
use crate::scan::{Options, announce, pool, read};
use crate::schema::Table;
use crate::tables::{Built, rows, tables};

/// Bytes of transcripts in a segment, where nothing else is asked and no fact
/// spans more.
pub const SEGMENT_BYTES: u64 = 256 << 20;

/// Tables that are told by words anywhere in the corpus.
const OF_PROMPTS: [Table; 2] = [Table::Sessions, Table::Prompts];

/// A corpus that is scanned segment by segment.
#[derive(Debug)]
pub struct Segments {
    pool: ThreadPool,
    transcripts: Vec<Transcript>,
    beside: Beside,
    /// With the tables that are made of segments.
    options: Options,
    /// `census` is to be made, of everything.
    has_census: bool,
    /// What tells prompts, where the corpus is cut and they are asked for.
    anywhere: Option<Anywhere>,
    waiting: VecDeque<Segment>,
    dictionaries: Vec<(Table, Dictionaries)>,
    coverage: Coverage,
    progress: Arc<Progress>,
}

/// Files that are scanned together.
#[derive(Debug)]
struct Segment {
    files: Range<usize>,
    /// What stands beside them.
    beside: Beside,
}

impl Segments {
    /// Cuts what lies below the roots into segments of at most about
    /// [`Options::segment_bytes`].
    pub fn plan(roots: &[Root], options: Options, progress: Arc<Progress>) -> Result<Self, Error> {
        let pool = pool(options.threads())?;
        let Discovered { transcripts, beside } = options.discover(&pool, roots)?;
        let mut planned = Self {
            pool,
            transcripts,
            beside,
            options,
            has_census: false,
            anywhere: None,
            waiting: VecDeque::new(),
            dictionaries: Vec::new(),
            coverage: Coverage::default(),
            progress,
        };
        if total(&planned.transcripts) <= planned.options.segment_bytes {
            planned.take_whole();
        } else {
            planned.cut()?;
        }
        Ok(planned)
    }

    /// Makes one segment of everything.
    fn take_whole(&mut self) {
        announce(&self.transcripts, 1, &self.progress);
        let none = self.beside.of_none();
        let beside = std::mem::replace(&mut self.beside, none);
        self.waiting = VecDeque::from([Segment { files: 0..self.transcripts.len(), beside }]);
    }

    fn cut(&mut self) -> Result<(), Error> {
        self.has_census = self.options.tables.contains(&Table::Census);
        self.options.tables.retain(|table| *table != Table::Census);
        let has_prompts = self.options.asks_for(&OF_PROMPTS);
        let passes = 2 + 2 * u64::from(has_prompts) + u64::from(self.has_census);
        announce(&self.transcripts, passes, &self.progress);
        let linked = linked::linked(&self.pool, &self.transcripts, &self.options, &self.progress)?;
        let bytes = self.options.segment_bytes;
        self.waiting = assigned::segments(&self.transcripts, &self.beside, linked, bytes);
        if has_prompts {
            self.anywhere = Some(self.listen()?);
        }
        Ok(())
    }

    /// Finds what tells prompts anywhere in the corpus.
    fn listen(&self) -> Result<Anywhere, Error> {
        let options = Options { tables: vec![Table::Prompts], text: false, ..self.options.clone() };
        let mut gathered = Gathered::default();
        for segment in &self.waiting {
            let corpus = self.facts(segment, &options)?;
            self.pool.install(|| gathered.add(&corpus));
        }
        let (blocks, candidates) = gathered.told();
        let texts = Texts::new(candidates.iter().map(String::as_str).collect());
        let mut heard = Heard::default();
        for segment in &self.waiting {
            let corpus = self.facts(segment, &options)?;
            let first = segment.files.start as u32;
            heard = heard.and(self.pool.install(|| texts.hear(&corpus, first)));
        }
        Ok(Anywhere::new(blocks, &texts, heard))
    }

    fn facts(&self, segment: &Segment, options: &Options) -> Result<Corpus, Error> {
        read(&self.pool, &self.transcripts[segment.files.clone()], options, &self.progress)
    }

    /// The next rows of some tables; nothing once all were given.
    pub fn advance(&mut self) -> Result<Option<Vec<Built>>, Error> {
        self.progress.check()?;
        if std::mem::take(&mut self.has_census) {
            return self.census().map(Some);
        }
        // What comes behind a gap would look like all there is.
        let Some(segment) = self.waiting.pop_front() else { return Ok(None) };
        let outcome = self.scan(segment);
        if outcome.is_err() {
            self.waiting.clear();
        }
        outcome.map(Some)
    }

    fn scan(&mut self, segment: Segment) -> Result<Vec<Built>, Error> {
        let first_file = segment.files.start as u32;
        let mut corpus = self.facts(&segment, &self.options)?;
        let transcripts = &self.transcripts[segment.files];
        let part = self.anywhere.as_ref().map(|anywhere| InPart { anywhere, first_file });
        let (coverage, rows) = self.pool.install(|| {
            let coverage = coverage(&corpus, &segment.beside);
            let (beside, options) = (&segment.beside, &self.options);
            let rows = rows(&mut corpus, transcripts, beside, part, options, &self.progress)?;
            Ok::<_, Error>((coverage, rows))
        })?;
        drop(corpus);
        self.coverage.add(coverage);
        let mut built = Vec::with_capacity(rows.len());
        for (table, rows) in rows {
            built.push(self.built(table, rows, first_file)?);
        }
        Ok(built)
    }

    /// What was seen so far.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    fn census(&self) -> Result<Vec<Built>, Error> {
        let options = Options { tables: vec![Table::Census], ..self.options.clone() };
        let mut corpus = read(&self.pool, &self.transcripts, &options, &self.progress)?;
        let built = self.pool.install(|| {
            tables(&mut corpus, &self.transcripts, &self.beside, &options, &self.progress)
        })?;
        Ok(built.into_iter().filter(|(table, _, _)| *table == Table::Census).collect())
    }

    /// The batches of a table's rows in a segment that begins with this file.
    fn built(&mut self, table: Table, rows: Vec<Columns>, first: u32) -> Result<Built, Error> {
        let schema = table.schema();
        let dictionaries = self.dictionaries(table, &schema);
        let mut batches: Vec<RecordBatch> = Vec::new();
        for mut rows in rows.into_iter().flat_map(Columns::split) {
            if rows.rows() > 0 {
                rows.shift_files(&schema, first);
                dictionaries.share(&mut rows);
                let values = dictionaries.values();
                batches.push(batch(&schema, rows, &values)?);
            }
        }
        Ok((table, schema, batches))
    }

    fn dictionaries(&mut self, table: Table, schema: &SchemaRef) -> &mut Dictionaries {
        let known = self.dictionaries.iter().position(|(known, _)| *known == table);
        let place = known.unwrap_or_else(|| {
            self.dictionaries.push((table, Dictionaries::new(schema)));
            self.dictionaries.len() - 1
        });
        &mut self.dictionaries[place].1
    }
}

/// Bytes that are there to read.
fn total(transcripts: &[Transcript]) -> u64 {
    let regular = transcripts.iter().filter(|file| matches!(file.found, Found::Regular));
    regular.map(|file| file.size.unwrap_or(0)).sum()
}
