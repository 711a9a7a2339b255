//! Files: gzip, chunks, progress, cancelling, changes between passes.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use bnc_data::{Error, Progress, RawSource, ReadOptions, Silent};

use super::support::*;

fn many_rows(rows: usize) -> String {
    let rows: String = (0..rows).map(|row| format!("{},v{},{}\n", row % 1000, row % 7, row % 2)).collect();
    format!("n,t,class\n{rows}")
}

#[test]
fn gzipped_files_are_read_like_plain_ones() {
    let files = Files::new();
    let options = ReadOptions::default();
    let text = many_rows(2000);
    let (plain, _) = bnc_data::read(&files.write("plain.csv", &text), &options, &Silent).unwrap();
    let (head, tail) = text.as_bytes().split_at(text.len() / 3);
    let members = [gzip(head), gzip(tail)].concat();
    for path in [files.write("data.csv.gz", &members), files.write("named.CSV", &members)] {
        let (whole, _) = bnc_data::read(&path, &options, &Silent).unwrap();
        assert_same(&plain, &whole);
        assert_same(&plain, &read_streamed(&path, &options).unwrap().0);
    }
    let cut = files.write("cut.csv.gz", &members[..members.len() - 20]);
    assert!(matches!(bnc_data::read(&cut, &options, &Silent), Err(Error::Io { .. })));
    let arff = files.write("a.arff.gz", gzip(b"@relation t\n@attribute c {x}\n@data\nx\n"));
    assert_eq!(bnc_data::read(&arff, &options, &Silent).unwrap().0.rows(), 1);
}

#[test]
fn chunks_have_65536_rows() {
    let files = Files::new();
    let path = files.write("data.csv", many_rows(140_000));
    let source = bnc_data::open(&path, &ReadOptions::default(), &Silent).unwrap();
    assert_eq!(source.report().rows, 140_000);
    for _ in 0..2 {
        let mut chunks = Vec::new();
        source
            .scan(&mut |chunk| {
                chunks.push(chunk.rows());
                Ok(())
            })
            .unwrap();
        assert_eq!(chunks, [65_536, 65_536, 8_928]);
    }
    let (whole, _) = bnc_data::read(&path, &ReadOptions::default(), &Silent).unwrap();
    assert_same(&whole, &read_streamed(&path, &ReadOptions::default()).unwrap().0);
    let mut visits = 0;
    let stopped = source.scan(&mut |_| {
        visits += 1;
        Err(Error::Cancelled)
    });
    assert!(matches!(stopped, Err(Error::Cancelled)) && visits == 1);
}

#[test]
fn a_source_can_be_shared_and_sent() {
    fn boxed(source: bnc_data::FileSource<'static>) -> Box<dyn RawSource + Send + Sync> {
        Box::new(source)
    }
    let files = Files::new();
    let path = files.write("data.csv", "a,class\nx,1\n");
    let source = boxed(bnc_data::open(&path, &ReadOptions::default(), &Silent).unwrap());
    assert_eq!(source.columns().len(), 2);
}

#[test]
fn weights_may_begin_in_a_late_chunk() {
    let rows = "x\n".repeat(70_000);
    let text = format!("@relation t\n@attribute c {{x}}\n@data\n{rows}x,{{4}}\n");
    let frame = arff(&text).unwrap();
    let weights = frame.weights.unwrap();
    assert!(weights[..70_000].iter().all(|&weight| weight == 1) && weights[70_000] == 4);
}

#[derive(Default)]
struct Log {
    steps: Mutex<Vec<(u64, Option<u64>)>>,
    cancel: AtomicBool,
}

impl Progress for Log {
    fn advance(&self, done: u64, total: Option<u64>) {
        self.steps.lock().unwrap().push((done, total));
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

#[test]
fn progress_counts_the_bytes_of_the_file() {
    let files = Files::new();
    let bytes = gzip(many_rows(50_000).as_bytes());
    let path = files.write("data.csv.gz", &bytes);
    let log = Log::default();
    bnc_data::read(&path, &ReadOptions::default(), &log).unwrap();
    let steps = log.steps.lock().unwrap().clone();
    let size = bytes.len() as u64;
    assert!(steps.is_sorted());
    assert!(steps.iter().all(|step| step.1 == Some(size)));
    assert_eq!(steps.last().unwrap().0, size);
}

#[test]
fn reading_can_be_cancelled() {
    let files = Files::new();
    let path = files.write("data.csv", many_rows(10));
    let log = Log::default();
    let source = bnc_data::open(&path, &ReadOptions::default(), &log).unwrap();
    log.cancel.store(true, Ordering::Relaxed);
    assert!(matches!(source.scan(&mut |_| Ok(())), Err(Error::Cancelled)));
    assert!(matches!(bnc_data::read(&path, &ReadOptions::default(), &log), Err(Error::Cancelled)));
    assert!(matches!(bnc_data::open(&path, &ReadOptions::default(), &log), Err(Error::Cancelled)));
}

#[test]
fn a_file_that_changes_is_noticed() {
    let files = Files::new();
    let path = files.write("data.csv", "a,class\nx,1\ny,2\n");
    let source = bnc_data::open(&path, &ReadOptions::default(), &Silent).unwrap();
    for changed in
        ["a,class\nx,1\nz,2\n", "b,class\nx,1\ny,2\n", "a,class\nx,1\n", "a,class\nx,1\ny,2\ny,2\n"]
    {
        files.write("data.csv", changed);
        let error = source.scan(&mut |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("changed while it was read"), "{error}");
    }
}

#[test]
fn names_of_files_say_their_format() {
    let files = Files::new();
    for name in ["data.txt", "data", "data.gz", "data.csv.zip"] {
        let error =
            bnc_data::read(&files.write(name, "a\nx\n"), &ReadOptions::default(), &Silent).unwrap_err();
        assert!(error.to_string().contains(".csv, .tsv or .arff"), "{error}");
    }
    let missing = bnc_data::read("nowhere/data.csv".as_ref(), &ReadOptions::default(), &Silent);
    assert!(matches!(missing, Err(Error::Io { .. })));
}
