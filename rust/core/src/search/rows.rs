//! Hits as Arrow rows: one for each text that holds something.

use std::sync::Arc;

use arrow_array::builder::{
    Int64Builder, ListBuilder, StringBuilder, StringDictionaryBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};

use super::hit::SegmentHit;
use super::join::Hit;

/// The columns, as `sessionscan.search` describes them.
pub(super) fn schema() -> SchemaRef {
    let dictionary = || DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
    let list = |inner| DataType::List(Arc::new(Field::new("item", inner, true)));
    let moment = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let columns = [
        ("session_id", DataType::Utf8, true),
        ("project", DataType::Utf8, true),
        ("path", DataType::Utf8, false),
        ("line", DataType::Int64, false),
        ("place", DataType::Int64, false),
        ("timestamp", moment, true),
        ("role", dictionary(), true),
        ("field", dictionary(), false),
        ("key", DataType::Utf8, true),
        ("tool_name", dictionary(), true),
        ("snippet", DataType::Utf8, false),
        ("snippet_start", DataType::Int64, false),
        ("starts", list(DataType::Int64), false),
        ("ends", list(DataType::Int64), false),
        ("also_in", list(DataType::Utf8), false),
    ];
    let fields = columns.map(|(name, kind, nullable)| Field::new(name, kind, nullable));
    Arc::new(Schema::new(fields.to_vec()))
}

type Words = StringDictionaryBuilder<Int32Type>;

/// The columns under construction, in the order of the schema.
#[derive(Default)]
struct Rows {
    session_id: StringBuilder,
    project: StringBuilder,
    path: StringBuilder,
    line: Int64Builder,
    place: Int64Builder,
    timestamp: TimestampMicrosecondBuilder,
    role: Words,
    field: Words,
    key: StringBuilder,
    tool_name: Words,
    snippet: StringBuilder,
    snippet_start: Int64Builder,
    starts: ListBuilder<Int64Builder>,
    ends: ListBuilder<Int64Builder>,
    also_in: ListBuilder<StringBuilder>,
}

/// All hits in one batch.
pub(super) fn batch(schema: &SchemaRef, hits: &[Hit]) -> Result<RecordBatch, ArrowError> {
    let mut rows = Rows::default();
    for hit in hits {
        hit.segments.iter().for_each(|segment| rows.push(hit, segment));
    }
    RecordBatch::try_new(schema.clone(), rows.finish())
}

impl Rows {
    fn push(&mut self, hit: &Hit, segment: &SegmentHit) {
        self.session_id.append_option(hit.session.as_deref());
        self.project.append_option(hit.cwd.as_deref());
        self.path.append_value(&hit.path);
        self.line.append_value(hit.line as i64);
        self.place.append_value(i64::from(hit.place));
        self.timestamp.append_option(hit.timestamp);
        self.role.append_option(hit.role.as_deref());
        self.field.append_value(segment.field.name());
        self.key.append_option((!segment.key.is_empty()).then_some(&segment.key));
        self.tool_name.append_option(segment.tool.as_deref());
        self.snippet.append_value(&segment.snippet);
        self.snippet_start.append_value(segment.skipped);
        for (start, end) in &segment.spans {
            self.starts.values().append_value(*start);
            self.ends.values().append_value(*end);
        }
        self.starts.append(true);
        self.ends.append(true);
        hit.also_in.iter().for_each(|path| self.also_in.values().append_value(path));
        self.also_in.append(true);
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.session_id.finish()),
            Arc::new(self.project.finish()),
            Arc::new(self.path.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.place.finish()),
            Arc::new(self.timestamp.finish().with_timezone("UTC")),
            Arc::new(self.role.finish()),
            Arc::new(self.field.finish()),
            Arc::new(self.key.finish()),
            Arc::new(self.tool_name.finish()),
            Arc::new(self.snippet.finish()),
            Arc::new(self.snippet_start.finish()),
            Arc::new(self.starts.finish()),
            Arc::new(self.ends.finish()),
            Arc::new(self.also_in.finish()),
        ]
    }
}
