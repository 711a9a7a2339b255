//! How fast files are read and coded on one thread and more, in bytes of text, beside splitting alone. Set `BNC_BENCH_ROWS` for another number of rows.

#![allow(clippy::expect_used, reason = "a benchmark without its data is none")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{Cursor, Write as _};

use bnc_data::{Encoder, Preparation, RawSource, ReadOptions, Silent};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::ThreadPoolBuilder;

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

/// The same rows with a header that lists the labels.
fn arff(text: &str) -> String {
    let mut arff = String::from("@relation table\n");
    let mut rows = text.lines();
    let names: Vec<&str> = rows.next().unwrap_or_default().split(',').collect();
    let mut labels = vec![std::collections::BTreeSet::new(); names.len()];
    for row in rows.clone() {
        for (labels, cell) in labels.iter_mut().zip(row.split(',')) {
            labels.insert(cell);
        }
    }
    for (name, labels) in names.iter().zip(labels) {
        let labels: Vec<&str> = labels.into_iter().collect();
        let _ = writeln!(arff, "@attribute {name} {{{}}}", labels.join(","));
    }
    arff.push_str("@data\n");
    rows.for_each(|row| arff.extend([row, "\n"]));
    arff
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("room in memory");
    encoder.finish().expect("room in memory")
}

fn reading(criterion: &mut Criterion) {
    let rows = std::env::var("BNC_BENCH_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000);
    let options = ReadOptions::default();
    for (name, numbers) in [("labels", false), ("a third numbers", true)] {
        let text = table(rows, numbers);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("table.csv"), &text).expect("room for the file");
        std::fs::write(path("table.csv.gz"), gzip(&text)).expect("room for the file");
        let mut files = vec!["table.csv", "table.csv.gz"];
        if !numbers {
            std::fs::write(path("table.arff"), arff(&text)).expect("room for the file");
            files.push("table.arff");
        }
        let mut group = criterion.benchmark_group(format!("{rows} rows of {COLUMNS} columns, {name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        group.bench_function("split only (csv crate)", |bencher| {
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
        for threads in [1, 2, 4] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            for file in &files {
                let path = path(file);
                group.bench_function(format!("read {file}, {threads} threads"), |bencher| {
                    bencher.iter(|| {
                        pool.install(|| bnc_data::read(&path, &options, &Silent).expect("a sound file"))
                    });
                });
            }
            let path = path("table.csv");
            group.bench_function(format!("read, fit and encode, {threads} threads"), |bencher| {
                bencher.iter(|| {
                    pool.install(|| {
                        let (frame, _) = bnc_data::read(&path, &options, &Silent).expect("a sound file");
                        let encoder = Encoder::fit(&frame, Preparation::default()).expect("a class");
                        encoder.encode_owned(frame).expect("known columns")
                    })
                });
            });
            group.bench_function(format!("open (survey), {threads} threads"), |bencher| {
                bencher.iter(|| {
                    pool.install(|| {
                        let source = bnc_data::open(&path, &options, &Silent).expect("a sound file");
                        black_box(source.report().rows)
                    })
                });
            });
            let source = bnc_data::open(&path, &options, &Silent).expect("a sound file");
            group.bench_function(format!("scan, {threads} threads"), |bencher| {
                let scan = || {
                    let mut rows = 0;
                    source
                        .scan(&mut |frame| {
                            rows += frame.rows();
                            Ok(())
                        })
                        .expect("a sound file");
                    black_box(rows)
                };
                bencher.iter(|| pool.install(scan));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, reading);
criterion_main!(benches);
