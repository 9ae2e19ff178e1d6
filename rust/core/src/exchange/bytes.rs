//! Facts as bytes: Arrow IPC streams in a sealed box.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;

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

/// One stream for each batch.
pub(crate) fn streams(batches: &[RecordBatch]) -> Result<Vec<Vec<u8>>, ArrowError> {
    let stream = |batch: &RecordBatch| {
        let mut bytes = Vec::with_capacity(batch.get_array_memory_size() + 4096);
        let mut writer = StreamWriter::try_new(&mut bytes, batch.schema_ref())?;
        writer.write(batch)?;
        writer.finish()?;
        drop(writer);
        Ok(bytes)
    };
    batches.iter().map(stream).collect()
}

/// The batches of such streams.
pub(crate) fn batches(streams: &[Buffer]) -> Result<Vec<RecordBatch>, Damaged> {
    let batches = streams.iter().map(|stream| {
        // What is sealed is whole, and whoever sealed it may still be no friend:
        // the reader of Arrow does not promise to survive every message.
        catch_unwind(AssertUnwindSafe(|| batch(stream.clone())))
            .unwrap_or(Err(Damaged("no Arrow stream")))
    });
    batches.collect()
}

fn batch(mut stream: Buffer) -> Result<RecordBatch, Damaged> {
    let mut decoder = StreamDecoder::new();
    let batch = decoder.decode(&mut stream).map_err(|_| Damaged("no Arrow stream"))?;
    batch.ok_or(Damaged("an Arrow stream without batch"))
}
