//! The rows of a sweep as one Parquet file: the parameters in SI units, how each run ended, its outputs.
//!
//! | column | |
//! |---|---|
//! | `run` | the number of the run, from zero |
//! | one per parameter, by its name | its value in SI units |
//! | `status` | finished, broken or failed |
//! | `verdict` | on the run's health, or the error |
//! | `outcome` | what an application says became of it |
//! | `reached_s`, `steps`, `contacts` | how far it came, how many steps it took, how many contacts it had |
//! | one per output, by its expression | its value; NaN where the run failed |

use crate::error::Result;
use crate::log::Row;
use crate::study::Study;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use rattleback_record::{RecordError, WholeFile};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// Rows of a group.
const GROUP: usize = 1 << 16;

/// The cells of a column.
enum Cells {
    Float(Vec<f64>),
    Integer(Vec<i64>),
    Text(Vec<ByteArray>),
}

/// The cells of some rows.
type CellsOf<'s> = Box<dyn Fn(&[Row]) -> Result<Cells> + 's>;

/// A column: name, unit, and its cells of some rows.
struct Column<'s> {
    name: &'s str,
    unit: &'s str,
    kind: Physical,
    cells: CellsOf<'s>,
}

fn columns(study: &Study) -> Vec<Column<'_>> {
    fn text<'s>(name: &'s str, of: impl Fn(&Row) -> &str + 's) -> Column<'s> {
        let cells =
            move |rows: &[Row]| Ok(Cells::Text(rows.iter().map(|row| ByteArray::from(of(row))).collect()));
        Column { name, unit: "", kind: Physical::BYTE_ARRAY, cells: Box::new(cells) }
    }
    fn integer<'s>(name: &'s str, of: impl Fn(&Row) -> u64 + 's) -> Column<'s> {
        let cells = move |rows: &[Row]| Ok(Cells::Integer(rows.iter().map(|row| of(row) as i64).collect()));
        Column { name, unit: "", kind: Physical::INT64, cells: Box::new(cells) }
    }
    fn float<'s>(name: &'s str, unit: &'s str, of: impl Fn(&Row) -> Result<f64> + 's) -> Column<'s> {
        let cells = move |rows: &[Row]| Ok(Cells::Float(rows.iter().map(&of).collect::<Result<_>>()?));
        Column { name, unit, kind: Physical::DOUBLE, cells: Box::new(cells) }
    }
    let mut columns = vec![integer("run", |row| row.run as u64)];
    for (k, (name, unit)) in study.parameters().enumerate() {
        columns.push(float(name, unit, move |row| Ok(study.values(row.run)?[k].value)));
    }
    columns.push(text("status", |row| row.status.word()));
    columns.push(text("verdict", |row| &row.verdict));
    columns.push(text("outcome", |row| &row.outcome));
    columns.push(float("reached_s", "s", |row| Ok(row.reached_s.0)));
    columns.push(integer("steps", |row| row.steps));
    columns.push(integer("contacts", |row| row.contacts));
    for (k, (name, unit)) in study.outputs().enumerate() {
        columns.push(float(name, unit, move |row| Ok(row.outputs[k].0)));
    }
    columns
}

/// Writes the rows of a study.
pub fn write_table(path: &Path, study: &Study, rows: &[Row]) -> Result<()> {
    let unwritten = |source| RecordError::Write { path: path.to_owned(), source };
    let failed =
        |error: ParquetError| RecordError::Parquet { path: path.to_owned(), reason: error.to_string() };
    let columns = columns(study);
    let file = WholeFile::create(path).map_err(unwritten)?;
    let schema = schema(&columns).map_err(failed)?;
    let properties = Arc::new(properties(study, &columns));
    let mut writer = SerializedFileWriter::new(file, schema, properties).map_err(failed)?;
    for rows in rows.chunks(GROUP) {
        let cells = columns.iter().map(|column| (column.cells)(rows)).collect::<Result<Vec<_>>>()?;
        write_group(&mut writer, &cells).map_err(failed)?;
    }
    Ok(writer.into_inner().map_err(failed)?.finish().map_err(unwritten)?)
}

fn write_group(writer: &mut SerializedFileWriter<WholeFile>, cells: &[Cells]) -> ParquetResult<()> {
    let mut group = writer.next_row_group()?;
    for cells in cells {
        let Some(mut column) = group.next_column()? else { break };
        match cells {
            Cells::Float(values) => column.typed::<DoubleType>().write_batch(values, None, None)?,
            Cells::Integer(values) => column.typed::<Int64Type>().write_batch(values, None, None)?,
            Cells::Text(values) => column.typed::<ByteArrayType>().write_batch(values, None, None)?,
        };
        column.close()?;
    }
    group.close()?;
    Ok(())
}

fn schema(columns: &[Column<'_>]) -> ParquetResult<Arc<Type>> {
    let field = |column: &Column<'_>| {
        let logical = (column.kind == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let field = Type::primitive_type_builder(column.name, column.kind);
        field.with_repetition(Repetition::REQUIRED).with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<ParquetResult<Vec<_>>>()?;
    Type::group_type_builder("rattleback").with_fields(fields).build().map(Arc::new)
}

fn properties(study: &Study, columns: &[Column<'_>]) -> WriterProperties {
    let units = columns.iter().map(|column| json!({"name": column.name, "unit": column.unit}));
    let metadata = vec![
        KeyValue::new("rattleback.study".to_owned(), study.title.clone()),
        KeyValue::new("rattleback.columns".to_owned(), json!(units.collect::<Vec<_>>()).to_string()),
    ];
    WriterProperties::builder()
        .set_created_by(concat!("rattleback ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(metadata))
        .build()
}
