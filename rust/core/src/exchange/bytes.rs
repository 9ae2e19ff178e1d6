//! Facts as bytes: Arrow IPC streams in a sealed box.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};

use super::sealed::{Seal, open, seal};
use super::{Damaged, FACTS_VERSION, facts, tables};
use crate::facts::Facts;

/// What facts begin with.
const SEAL: Seal = Seal { magic: *b"ssfacts\n", version: FACTS_VERSION };

/// Facts as bytes.
pub fn to_bytes(facts: &Facts) -> Result<Vec<u8>, ArrowError> {
    Ok(seal(SEAL, &streams(&tables(facts)?)?))
}

/// Facts of bytes that [`to_bytes`] made; `files` is that of [`facts`].
pub fn from_bytes(bytes: Vec<u8>, files: Option<&[u32]>) -> Result<Facts, Damaged> {
    facts(&batches(&open(SEAL, &Buffer::from_vec(bytes))?)?, files)
}

/// Facts of a section that holds what [`to_bytes`] made; `file` gives each file's
/// number here, none where the facts are to hold nothing of it.
pub(crate) fn from_section(
    section: &Buffer,
    file: impl Fn(u32) -> Option<u32>,
) -> Result<Facts, Damaged> {
    let batches = batches(&open(SEAL, section)?)?;
    let numbers = super::files(&batches)?;
    let files: Option<Vec<u32>> = numbers.into_iter().map(file).collect();
    facts(&batches, Some(&files.ok_or(Damaged("facts of other files"))?))
}

/// One stream for each batch.
pub(crate) fn streams(batches: &[RecordBatch]) -> Result<Vec<Vec<u8>>, ArrowError> {
    batches.iter().map(|batch| stream(batch.schema_ref(), std::slice::from_ref(batch))).collect()
}

/// The batches of such streams.
pub(crate) fn batches(streams: &[Buffer]) -> Result<Vec<RecordBatch>, Damaged> {
    let batches = streams.iter().map(|stream| {
        let (_, mut batches) = read_stream(stream)?;
        batches.pop().filter(|_| batches.is_empty()).ok_or(Damaged("not one batch"))
    });
    batches.collect()
}

/// Batches as one stream.
pub(crate) fn stream(schema: &SchemaRef, batches: &[RecordBatch]) -> Result<Vec<u8>, ArrowError> {
    let bytes: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
    let mut stream = Vec::with_capacity(bytes + 4096);
    let mut writer = StreamWriter::try_new(&mut stream, schema)?;
    batches.iter().try_for_each(|batch| writer.write(batch))?;
    writer.finish()?;
    drop(writer);
    Ok(stream)
}

/// The schema and the batches of a stream.
pub(crate) fn read_stream(stream: &Buffer) -> Result<(SchemaRef, Vec<RecordBatch>), Damaged> {
    // What is sealed is whole, and whoever sealed it may still be no friend: the
    // reader of Arrow does not promise to survive every message.
    catch_unwind(AssertUnwindSafe(|| decode(stream.clone())))
        .ok()
        .and_then(Result::ok)
        .flatten()
        .ok_or(Damaged("no Arrow stream"))
}

type Decoded = Option<(SchemaRef, Vec<RecordBatch>)>;

fn decode(mut stream: Buffer) -> Result<Decoded, ArrowError> {
    let mut decoder = StreamDecoder::new();
    let mut batches = Vec::new();
    while let Some(batch) = decoder.decode(&mut stream)? {
        batches.push(batch);
    }
    decoder.finish()?;
    Ok(decoder.schema().map(|schema| (schema, batches)))
}
