//! How fast a CSV file is read and coded, beside parsing alone. Set `BNC_BENCH_ROWS` for another number of rows.

#![allow(clippy::expect_used, reason = "a benchmark without its data is none")]

use std::fmt::Write;
use std::hint::black_box;
use std::io::Cursor;

use bnc_data::{Format, RawSource, ReadOptions, Silent};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const COLUMNS: usize = 31;

/// Rows of 30 features and a class. Labels are 1 to 8 bytes long and each column has 2 to 40 of them; in `numbers`
/// every third column holds decimals instead.
fn table(rows: usize, numbers: bool) -> String {
    let mut text = String::new();
    for column in 0..COLUMNS {
        let end = if column + 1 == COLUMNS { '\n' } else { ',' };
        let _ = write!(text, "c{column}{end}");
    }
    let mut state = 1u64;
    for _ in 0..rows {
        for column in 0..COLUMNS {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let draw = state >> 33;
            if numbers && column % 3 == 1 {
                let _ = write!(text, "{}.{:03}", draw % 100, draw / 100 % 1000);
            } else {
                let label = draw as usize % (2 + 38 * column / COLUMNS);
                let width = (label * 7 + column) % 8;
                let _ = write!(text, "{}{label}", &"abcdefgh"[..width.min(6)]);
            }
            text.push(if column + 1 == COLUMNS { '\n' } else { ',' });
        }
    }
    text
}

fn reading(criterion: &mut Criterion) {
    let rows = std::env::var("BNC_BENCH_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000);
    let options = ReadOptions::default();
    for (name, numbers) in [("labels", false), ("a third numbers", true)] {
        let text = table(rows, numbers);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.csv");
        std::fs::write(&path, &text).expect("room for the file");
        let mut group = criterion.benchmark_group(format!("{rows} rows of {COLUMNS} columns, {name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        group.bench_function("parse only (csv crate)", |bencher| {
            bencher.iter(|| {
                let mut reader = csv::Reader::from_reader(Cursor::new(text.as_bytes()));
                let mut record = csv::ByteRecord::new();
                let mut cells = 0;
                while reader.read_byte_record(&mut record).expect("valid CSV") {
                    cells += record.len();
                }
                black_box(cells)
            });
        });
        group.bench_function("read from memory", |bencher| {
            bencher.iter_batched(
                || Cursor::new(text.as_bytes()),
                |bytes| {
                    bnc_data::read_from(bytes, "table", Format::Csv, &options, &Silent).expect("valid CSV")
                },
                BatchSize::PerIteration,
            );
        });
        group.bench_function("read", |bencher| {
            bencher.iter(|| bnc_data::read(&path, &options, &Silent).expect("valid CSV"));
        });
        group.bench_function("open (survey)", |bencher| {
            bencher.iter(|| black_box(bnc_data::open(&path, &options, &Silent).expect("valid CSV")));
        });
        let source = bnc_data::open(&path, &options, &Silent).expect("valid CSV");
        group.bench_function("scan", |bencher| {
            bencher.iter(|| {
                let mut rows = 0;
                source
                    .scan(&mut |frame| {
                        rows += frame.rows();
                        Ok(())
                    })
                    .expect("valid CSV");
                black_box(rows)
            });
        });
        group.finish();
    }
}

criterion_group!(benches, reading);
criterion_main!(benches);
