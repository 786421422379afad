//! How is a table read from a Parquet file?

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader};
use ::parquet::arrow::{FieldLevels, ProjectionMask, parquet_to_arrow_field_levels};
use ::parquet::basic::Compression;
use ::parquet::file::metadata::ParquetMetaData;
use arrow_array::RecordBatchReader;
use arrow_schema::{DataType, FieldRef, Fields, SchemaRef};

use super::row_group::{RowGroup, Unreadable};
use super::views::{self, Decoded};
use super::{footer, pandas};
use crate::{Batch, Cells, Dialect, InputFormat, TableReader, column_names, typed_text};
use shoal_core::{Error, Result};

/// Reads Parquet.
pub(crate) struct ParquetReader {
    path: PathBuf,
    input: InputFormat,
    columns: Vec<String>,
    schema: SchemaRef,
    /// The same, where texts are views.
    levels: FieldLevels,
    are_views: Vec<bool>,
    file: Arc<File>,
    length: u64,
    metadata: Arc<ParquetMetaData>,
    /// The row group that comes next, the one that is being read, and what was read of it and not handed out.
    next_group: usize,
    group: Option<ParquetRecordBatchReader>,
    decoded: Option<Decoded>,
    /// How many rows were handed out.
    rows: u64,
}

impl ParquetReader {
    /// Opens a file and makes sure that all of its columns can be read.
    pub(crate) fn open(input: &InputFormat) -> Result<Self> {
        let path = &input.path;
        let file = Arc::new(input.open()?);
        let length = file.metadata().map_err(|error| Error::io("read", path, &error))?.len();
        let metadata = Arc::new(footer::read(&file).map_err(|_| damaged(path))?);
        let schema = ArrowReaderMetadata::try_new(metadata.clone(), ArrowReaderOptions::new());
        let schema = schema.map_err(|_| damaged(path))?.schema().clone();
        let columns: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let at_path = |error: Error| error.at(path.display());
        column_names::check(&columns).map_err(at_path)?;
        typed_text::check(schema.fields()).map_err(at_path)?;
        check_compression(&metadata).map_err(at_path)?;
        if columns.is_empty() || (metadata.file_metadata().num_rows() == 0 && !input.is_part) {
            return Err(Error::table(format!("{} has no rows", path.display())));
        }
        let (levels, are_views) = with_views(&metadata, schema.fields()).ok_or_else(|| damaged(path))?;
        Ok(Self {
            path: path.to_owned(),
            input: input.clone(),
            columns,
            schema,
            levels,
            are_views,
            file,
            length,
            metadata,
            next_group: 0,
            group: None,
            decoded: None,
            rows: 0,
        })
    }

    /// The rows that were read and not handed out yet; none after the last.
    fn decoded(&mut self) -> Result<Option<&mut Decoded>> {
        while self.decoded.as_ref().is_none_or(Decoded::is_empty) {
            self.decoded = None;
            match self.group.as_mut().and_then(Iterator::next) {
                Some(batch) => {
                    let batch = batch.map_err(|_| self.damaged())?;
                    self.decoded = Some(Decoded::new(batch));
                }
                None if self.next_group == self.metadata.num_row_groups() => return Ok(None),
                None => self.group = Some(self.open_group()?),
            }
        }
        Ok(self.decoded.as_mut())
    }

    fn open_group(&mut self) -> Result<ParquetRecordBatchReader> {
        let place = self.next_group;
        self.next_group += 1;
        let Self { file, length, metadata, are_views, .. } = self;
        let group = RowGroup { file, length: *length, metadata, place, views: are_views };
        let reader = group.read(&self.levels).and_then(|reader| {
            let schema = reader.schema();
            let are_views = schema.fields().iter().map(|field| views::is_view(field.data_type()));
            // What was measured is what is read.
            if are_views.eq(self.are_views.iter().copied()) { Ok(reader) } else { Err(Unreadable::Damaged) }
        });
        reader.map_err(|unreadable| match unreadable {
            Unreadable::Damaged => self.damaged(),
            Unreadable::TooLarge(most) => Error::table(format!(
                "{} is too large to be read: the pages of a row take more than {} GiB",
                self.path.display(),
                most >> 30
            ))
            .detail(format!("after row {}", self.rows))
            .hint("write it with smaller pages; a small file that unpacks to so much may be malicious"),
        })
    }

    fn damaged(&self) -> Error {
        damaged(&self.path).detail(format!("after row {}", self.rows))
    }
}

/// The schema with texts as views, and which columns these are; none if the library does not read them so.
fn with_views(metadata: &ParquetMetaData, fields: &Fields) -> Option<(FieldLevels, Vec<bool>)> {
    let descriptor = metadata.file_metadata().schema_descr();
    let viewed: Fields = fields.iter().map(views::viewed).collect();
    let levels = parquet_to_arrow_field_levels(descriptor, ProjectionMask::all(), Some(&viewed)).ok()?;
    let is_view = |field: &FieldRef| views::is_view(field.data_type());
    Some((levels, viewed.iter().map(is_view).collect()))
}

/// The reason that the Parquet library gives is left out: it speaks of bytes, and might quote them.
fn damaged(path: &Path) -> Error {
    Error::table(format!("{} is not a Parquet file, or it is damaged or cut short", path.display()))
        .hint("copy or download it again, or write it anew")
}

/// Refuses codecs that are not built in: the library would say so only in the middle of the file.
fn check_compression(metadata: &ParquetMetaData) -> Result<()> {
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        match column.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) | Compression::ZSTD(_) => {}
            other => {
                return Err(Error::table(format!(
                    "column `{}` is compressed with {other}",
                    column.column_path().string()
                ))
                .hint("write the file with Snappy, gzip, Zstandard or no compression"));
            }
        }
    }
    Ok(())
}

impl TableReader for ParquetReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let first_row = self.rows + 1;
        let schema = self.schema.clone();
        let Some(decoded) = self.decoded()? else { return Ok(None) };
        let Some(rows) = decoded.next_rows() else {
            return Err(Error::table("the row takes more than 64 MiB")
                .at(format!("{}, row {first_row}", self.path.display()))
                .hint("no table has such rows; a small file whose rows are so long may be malicious"));
        };
        let columns = views::written_out(&rows, &schema).ok_or_else(|| self.damaged())?;
        self.rows += rows.num_rows() as u64;
        Ok(Some(Batch { first_row, columns: columns.into_iter().map(Cells::Typed).collect() }))
    }

    fn dialect(&self) -> Dialect {
        let entries = self.metadata.file_metadata().key_value_metadata();
        let of_pandas = entries.into_iter().flatten().find(|entry| entry.key == pandas::KEY);
        Dialect { pandas: of_pandas.and_then(|entry| entry.value.clone()), ..Dialect::default() }
    }

    /// Reads the file once more, up to the column that has no text.
    fn explain(&self, error: Error) -> Error {
        let read = || -> Result<()> {
            let mut reader = Self::open(&self.input)?;
            while let Some(batch) = reader.next_batch()? {
                for (cells, name) in batch.columns.iter().zip(&self.columns) {
                    let last = batch.first_row + batch.rows() as u64 - 1;
                    let place =
                        || format!("{}, rows {} to {last}, column `{name}`", self.path.display(), batch.first_row);
                    cells.text().map_err(|error| error.at(place()))?;
                }
            }
            Ok(())
        };
        read().err().unwrap_or(error)
    }

    fn data_type(&self, column: usize) -> Option<DataType> {
        self.schema.fields().get(column).map(|field| field.data_type().clone())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::Arc;

    use ::parquet::arrow::ArrowWriter;
    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use ::parquet::basic::{Encoding, GzipLevel, ZstdLevel};
    use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};
    use arrow_array::{
        Array, ArrayRef, BinaryArray, BooleanArray, DictionaryArray, Int32Array, LargeStringArray, RecordBatch,
        StringArray, StructArray,
    };
    use arrow_schema::Field;

    use super::*;
    use crate::sample_files::{SampleFile, text_columns};
    use crate::{BATCH_ROWS, Dialect, open};

    fn file_of(columns: Vec<(&str, ArrayRef)>) -> SampleFile {
        let file = SampleFile::named("a.parquet");
        let batch = RecordBatch::try_from_iter(columns).expect("a batch");
        let handle = File::create(&file.path).expect("a file");
        let mut writer = ArrowWriter::try_new(handle, batch.schema(), None).expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("closed");
        file
    }

    #[test]
    fn a_nested_column_is_refused_by_name() {
        let number: ArrayRef = Arc::new(Int32Array::from(vec![1]));
        let nested = StructArray::from(vec![(Arc::new(Field::new("x", DataType::Int32, true)), number.clone())]);
        let file = file_of(vec![("age", number), ("address", Arc::new(nested))]);
        assert_eq!(
            file.refusal(),
            "FILE: column `address` is nested\nhint: leave the column out, or write it as text or numbers"
        );
    }

    #[test]
    fn a_file_that_is_no_parquet_or_a_part_of_one_is_refused() {
        let words: Vec<String> = (0..20_000).map(|n| format!("secret{n}")).collect();
        let whole = file_of(vec![("a", Arc::new(StringArray::from(words)))]).bytes();
        let mut damaged = whole.clone();
        damaged[30..2000].fill(0xff);
        for bytes in [&whole[..whole.len() - 1], &whole[..whole.len() / 2], b"", b"a,b\n1,2\n", &damaged] {
            let text = SampleFile::with("a.parquet", bytes).refusal();
            assert!(text.starts_with("FILE is not a Parquet file, or it is damaged or cut short"), "{text}");
            assert!(!text.contains("secret"), "{text}");
        }
    }

    #[test]
    fn a_codec_that_is_not_built_in_is_named() {
        let file = file_of(vec![("n", Arc::new(Int32Array::from(vec![1])))]);
        let handle = File::open(&file.path).expect("a file");
        let builder = ParquetRecordBatchReaderBuilder::try_new(handle).expect("Parquet");
        assert!(check_compression(builder.metadata()).is_ok());
        let group = builder.metadata().row_group(0);
        let column = group.column(0).clone().into_builder().set_compression(Compression::LZ4_RAW).build();
        let group = group.clone().into_builder().set_column_metadata(vec![column.expect("a column")]).build();
        let metadata = builder.metadata().as_ref().clone().into_builder();
        let metadata = metadata.set_row_groups(vec![group.expect("a group")]).build();
        let error = check_compression(&metadata).expect_err("not built in");
        assert_eq!(error.message(), "column `n` is compressed with LZ4_RAW");
    }

    #[test]
    fn a_table_needs_rows() {
        let empty: ArrayRef = Arc::new(Int32Array::from(Vec::<i32>::new()));
        assert_eq!(file_of(vec![("a", empty)]).refusal(), "FILE has no rows");
    }

    #[test]
    fn batches_end_where_they_should() {
        let count = BATCH_ROWS + 5;
        let file = file_of(vec![("n", Arc::new(Int32Array::from_iter_values(0..count as i32)))]);
        let (_, rows) = file.read().expect("a table");
        assert_eq!(rows.len(), count);
        assert!(rows.iter().enumerate().all(|(at, row)| row[0] == Some(at.to_string())));
        assert_eq!(open(&file.input()).expect("a table").data_type(0), Some(DataType::Int32));
    }

    /// The same text in many rows, which a dictionary holds once; `columns` of it.
    fn repeating(text: &str, rows: usize, columns: usize, properties: WriterPropertiesBuilder) -> SampleFile {
        let words: ArrayRef = Arc::new(LargeStringArray::from(vec![text]));
        let cells: ArrayRef = Arc::new(DictionaryArray::new(Int32Array::from(vec![0; rows]), words));
        let batch = RecordBatch::try_from_iter((0..columns).map(|place| (format!("c{place}"), cells.clone())));
        let batch = batch.expect("a batch");
        let file = SampleFile::named("a.parquet");
        let handle = File::create(&file.path).expect("a file");
        let properties = properties.set_compression(Compression::ZSTD(ZstdLevel::default()));
        let properties = properties.set_dictionary_page_size_limit(1 << 28);
        let properties = properties.set_statistics_enabled(EnabledStatistics::None).build();
        let mut writer = ArrowWriter::try_new(handle, batch.schema(), Some(properties)).expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("closed");
        file
    }

    /// Reads all of a table, no batch of which may be large; how many rows it has, and what the first cell is.
    fn read_in_little_memory(file: &SampleFile, batches: usize) -> (usize, String) {
        let mut reader = open(&file.input()).expect("a table");
        let (mut rows, mut first) = (0, None);
        for _ in 0..batches {
            let Some(batch) = reader.next_batch().expect("a batch") else { break };
            let texts: Vec<_> = batch.columns.iter().map(|cells| cells.text().expect("text").into_owned()).collect();
            let bytes: usize = texts.iter().map(Array::get_array_memory_size).sum();
            assert!(bytes < 80 << 20, "a batch of {bytes} bytes");
            assert_eq!(batch.first_row, rows as u64 + 1);
            rows += batch.rows();
            first.get_or_insert_with(|| texts[0].value(0).to_owned());
        }
        (rows, first.expect("a row"))
    }

    #[test]
    fn a_long_text_in_a_dictionary_is_written_out_for_few_rows_at_a_time() {
        let text = "x".repeat(4 << 20);
        let file = repeating(&text, 600, 1, WriterProperties::builder());
        assert!(file.bytes().len() < 10_000, "two gigabytes in {} bytes", file.bytes().len());
        assert_eq!(read_in_little_memory(&file, 6), (6 * 8, text));
        let mut reader = open(&file.input()).expect("a table");
        let Some(Cells::Typed(cells)) = reader.next_batch().expect("a batch").map(|mut batch| batch.columns.remove(0))
        else {
            panic!("typed cells")
        };
        assert_eq!(Some(cells.data_type().clone()), reader.data_type(0), "the type is that of the file");
    }

    #[test]
    fn values_that_begin_like_the_one_before_are_written_out_for_few_rows_at_a_time() {
        let delta = WriterProperties::builder().set_dictionary_enabled(false);
        let text = "y".repeat(1 << 20);
        let file = repeating(&text, 800, 1, delta.set_encoding(Encoding::DELTA_BYTE_ARRAY));
        assert!(file.bytes().len() < 1_000_000);
        assert_eq!(read_in_little_memory(&file, usize::MAX), (800, text));
        let ordinary = WriterProperties::builder().set_dictionary_enabled(false);
        let ordinary = repeating("word", 50_000, 2, ordinary.set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY));
        assert_eq!(read_in_little_memory(&ordinary, usize::MAX), (50_000, "word".to_owned()));
    }

    #[test]
    fn a_row_that_takes_too_much_is_refused_before_it_is_unpacked() {
        let long = repeating(&"x".repeat(70 << 20), 2, 1, WriterProperties::builder());
        assert!(long.refusal().starts_with("FILE, row 1: the row takes more than 64 MiB"), "{}", long.refusal());
        let wide = repeating(&"x".repeat(8 << 20), 2, 150, WriterProperties::builder());
        assert!(wide.bytes().len() < 1_000_000);
        let text = wide.refusal();
        assert!(text.starts_with("FILE is too large to be read: the pages of a row take more than 1 GiB"), "{text}");
    }

    /// Every encoding, codec and version that is written is read as it is by the library itself.
    #[test]
    fn pages_are_read_as_another_reader_reads_them() {
        let texts: StringArray = (0..5000).map(|n| (n % 7 != 0).then(|| format!("text {}", n * n % 300))).collect();
        let numbers: Int32Array = (0..5000).map(|n| (n % 5 != 0).then_some(n * 3)).collect();
        let bytes: BinaryArray = (0..5000).map(|n| Some(format!("{n}").into_bytes())).collect();
        let flags: BooleanArray = (0..5000).map(|n| Some(n % 3 == 0)).collect();
        let batch = RecordBatch::try_from_iter([
            ("t", Arc::new(texts) as ArrayRef),
            ("n", Arc::new(numbers)),
            ("b", Arc::new(bytes)),
            ("f", Arc::new(flags)),
        ]);
        let batch = batch.expect("a batch");
        let codecs = [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::GZIP(GzipLevel::default()),
            Compression::ZSTD(ZstdLevel::default()),
        ];
        for (place, codec) in codecs.into_iter().enumerate() {
            for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
                let file = SampleFile::named("a.parquet");
                let properties = WriterProperties::builder().set_compression(codec).set_writer_version(version);
                let properties = properties.set_max_row_group_row_count(Some(1700)).set_data_page_row_count_limit(300);
                let properties = properties.set_dictionary_enabled(place % 2 == 0).build();
                let handle = File::create(&file.path).expect("a file");
                let mut writer = ArrowWriter::try_new(handle, batch.schema(), Some(properties)).expect("a writer");
                writer.write(&batch).expect("written");
                writer.close().expect("closed");
                let handle = File::open(&file.path).expect("a file");
                let theirs = ParquetRecordBatchReaderBuilder::try_new(handle).expect("Parquet").build().expect("rows");
                let theirs: Vec<RecordBatch> = theirs.collect::<Result<_, _>>().expect("rows");
                let theirs = arrow_select::concat::concat_batches(&batch.schema(), &theirs).expect("rows");
                let mut reader = open(&file.input()).expect("a table");
                let mut from = 0;
                while let Some(part) = reader.next_batch().expect("a batch") {
                    for (cells, column) in part.columns.iter().zip(theirs.columns()) {
                        let Cells::Typed(cells) = cells else { panic!("typed cells") };
                        assert_eq!(cells, &column.slice(from, part.rows()), "{codec} {version:?}");
                    }
                    from += part.rows();
                }
                assert_eq!(from, 5000);
            }
        }
    }

    #[test]
    fn a_text_that_does_not_fit_its_type_is_refused_and_not_shown() {
        let mut columns = text_columns(&["age"]);
        columns[0].data_type = Some(DataType::Int32);
        let file = SampleFile::named("a.parquet");
        let handle = File::create(&file.path).expect("a file");
        let mut writer = crate::create(&file.path, handle, &columns, &Dialect::default(), "").expect("a writer");
        writer.write(&[Cells::Text(StringArray::from(vec!["30"]))]).expect("a number");
        let error = writer.write(&[Cells::Text(StringArray::from(vec!["secret"]))]).expect_err("no number");
        assert_eq!(file.shorten(&error), "FILE: column `age` has a value that does not fit its type Int32");
    }
}
