//! A sheet as Parquet, made from its CSV: doubles, integers of 64 bits and dictionaries of text, Snappy inside.
//!
//! The metadata of the file has the columns with unit and meaning as JSON under `rattleback.columns`; the library can
//! write no metadata per column. Rows go in groups, so that memory does not grow with the file.

use super::columns::{Column, Kind, Sheet};
use super::manifest::{FORMAT, summaries};
use super::sheet_reader::SheetReader;
use crate::error::{RecordError, Result};
use crate::whole_file::WholeFile;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Rows of a group: the widest sheet then takes about 10 MB.
const GROUP: usize = 1 << 15;

/// Writes the Parquet file of a sheet beside its CSV; says how long it is.
pub(super) fn convert(folder: &Path, sheet: Sheet) -> Result<u64> {
    let mut rows = SheetReader::open(folder, sheet)?;
    let path = folder.join(sheet.parquet());
    let unwritten = |source| RecordError::Write { path: path.clone(), source };
    let failed = |error: ParquetError| RecordError::Parquet { path: path.clone(), reason: error.to_string() };
    let file = WholeFile::create(&path).map_err(unwritten)?;
    let columns = sheet.columns();
    let schema = schema(columns).map_err(failed)?;
    let properties =
        properties(sheet).map_err(|reason| RecordError::Parquet { path: path.clone(), reason })?;
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(failed)?;
    let mut cells: Vec<Cells> = columns.iter().map(Cells::new).collect();
    loop {
        let mut count = 0;
        while count < GROUP && rows.next()? {
            for (k, cells) in cells.iter_mut().enumerate() {
                cells.take(&rows, k)?;
            }
            count += 1;
        }
        if count == 0 {
            break;
        }
        write_group(&mut writer, &mut cells).map_err(failed)?;
    }
    let file = writer.into_inner().map_err(failed)?;
    file.finish().map_err(unwritten)?;
    std::fs::metadata(&path)
        .map(|file| file.len())
        .map_err(|source| RecordError::Read { path: path.clone(), source })
}

/// Cells of a column that wait for their group.
enum Cells {
    Float {
        values: Vec<f64>,
        present: Option<Vec<i16>>,
    },
    Integer(Vec<i64>),
    /// Names come again and again; the same bytes are shared.
    Text {
        values: Vec<ByteArray>,
        known: HashMap<String, ByteArray>,
    },
}

impl Cells {
    fn new(column: &Column) -> Self {
        match column.kind {
            Kind::Float => Self::Float { values: Vec::new(), present: column.optional.then(Vec::new) },
            Kind::Integer => Self::Integer(Vec::new()),
            Kind::Text => Self::Text { values: Vec::new(), known: HashMap::new() },
        }
    }

    fn take(&mut self, rows: &SheetReader, column: usize) -> Result<()> {
        match self {
            Self::Float { values, present } => {
                let value = rows.float(column)?;
                values.extend(value);
                if let Some(present) = present {
                    present.push(i16::from(value.is_some()));
                }
            }
            Self::Integer(values) => values.push(rows.integer(column)?.into()),
            Self::Text { values, known } => {
                let cell = rows.cell(column);
                if !known.contains_key(cell) {
                    known.insert(cell.to_owned(), ByteArray::from(cell));
                }
                values.extend(known.get(cell).cloned());
            }
        }
        Ok(())
    }
}

fn write_group(writer: &mut SerializedFileWriter<WholeFile>, cells: &mut [Cells]) -> ParquetResult<()> {
    let mut group = writer.next_row_group()?;
    for cells in cells {
        let Some(mut column) = group.next_column()? else { break };
        match cells {
            Cells::Float { values, present } => {
                column.typed::<DoubleType>().write_batch(values, present.as_deref(), None)?;
                values.clear();
                present.iter_mut().for_each(Vec::clear);
            }
            Cells::Integer(values) => {
                column.typed::<Int64Type>().write_batch(values, None, None)?;
                values.clear();
            }
            Cells::Text { values, .. } => {
                column.typed::<ByteArrayType>().write_batch(values, None, None)?;
                values.clear();
            }
        }
        column.close()?;
    }
    group.close()?;
    Ok(())
}

fn schema(columns: &[Column]) -> ParquetResult<Arc<Type>> {
    let field = |column: &Column| {
        let (physical, logical) = match column.kind {
            Kind::Float => (Physical::DOUBLE, None),
            Kind::Integer => (Physical::INT64, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let field = Type::primitive_type_builder(column.name, physical);
        field.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<ParquetResult<Vec<_>>>()?;
    Type::group_type_builder("rattleback").with_fields(fields).build().map(Arc::new)
}

fn properties(sheet: Sheet) -> std::result::Result<WriterProperties, String> {
    let columns = serde_json::to_string(&summaries(sheet)).map_err(|error| error.to_string())?;
    let metadata = vec![
        KeyValue::new("rattleback.format".to_owned(), FORMAT.to_string()),
        KeyValue::new("rattleback.sheet".to_owned(), sheet.name().to_owned()),
        KeyValue::new("rattleback.columns".to_owned(), columns),
    ];
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("rattleback ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(metadata));
    for column in sheet.columns().iter().filter(|column| column.kind == Kind::Text) {
        builder = builder.set_column_dictionary_enabled(ColumnPath::from(column.name), true);
    }
    Ok(builder.build())
}
