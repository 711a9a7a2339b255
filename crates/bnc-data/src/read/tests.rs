//! Neither threads nor blocks change what is read: the same frame and report, or the same error.

#![allow(clippy::expect_used, reason = "helpers of tests fail as tests do")]

use proptest::collection::vec;
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::*;
use crate::{Silent, Values};

/// What was read, as a text in which each bit shows.
fn shown(frame: &Frame) -> String {
    let columns = frame.columns.iter().map(|column| match &column.values {
        Values::Nominal { labels, codes } => format!("{}: {labels:?} {codes:?}", column.name),
        Values::Numeric(numbers) => {
            let bits: Vec<u64> = numbers.iter().map(|number| number.to_bits()).collect();
            format!("{}: {bits:?}", column.name)
        }
    });
    let columns: Vec<String> = columns.collect();
    format!("{columns:?} {:?} {:?} {:?}", frame.class, frame.weights, frame.lines)
}

fn read_as(bytes: &[u8], format: Format, options: &ReadOptions, block: usize, pool: &ThreadPool) -> String {
    pool.install(|| {
        let text =
            Text::new(bytes, None, "data".into(), text::encoding(options.encoding.as_deref())?, &Silent)?;
        Reading::blocks(Blocks::new(text, block), format, options)?.into_frame()
    })
    .map_or_else(
        |error: Error| format!("{error:?}"),
        |(frame, report)| format!("{} {report:?}", shown(&frame)),
    )
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool")
}

/// Mostly sound cells, so that a good part of the tables is read to the end.
fn cell() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(
        &[
            "a",
            "b",
            "c",
            "a",
            "b",
            "c",
            "1",
            "2",
            "3",
            "10",
            "2.5",
            "-1e3",
            " a ",
            "?",
            "",
            "ab",
            "long label number one",
            "\"q,\n\r\n\"\"d\"",
            "\"?\"",
            "a\"b",
            "é",
        ][..],
    )
}

fn csv_text() -> impl Strategy<Value = String> {
    let end = || proptest::sample::select(&["\n", "\n", "\n", "\r\n", "\r", "\n\n"][..]);
    let broken = proptest::option::weighted(
        0.4,
        (
            0..200usize,
            proptest::sample::select(
                &["x\n", "a,b,c,d\n", "\"", "\0", "a,007,\n", "a,b,-1\n", "a,b,c\n"][..],
            ),
        ),
    );
    (vec((cell(), cell(), 0..4u8, end()), 0..120), broken).prop_map(|(rows, broken)| {
        let mut text = String::from("a,b,w\n");
        for (at, (a, b, w, end)) in rows.iter().enumerate() {
            match &broken {
                Some((place, broken)) if *place == at => text.push_str(broken),
                _ => {}
            }
            text.extend([a, ",", b, ",", &w.to_string(), end]);
        }
        text
    })
}

fn arff_text() -> impl Strategy<Value = String> {
    let row = prop_oneof![
        10 => ("[ab?]", "[0-9]", "[x-z]{1,2}").prop_map(|(a, n, s)| format!("{a},{n},{s}")),
        2 => ("[ab]", "-?[0-9]\\.5", "'[x ,?]{0,3}'").prop_map(|(a, n, s)| format!("{a} , {n}\t{s} % end")),
        2 => "[ab]".prop_map(|a| format!("{{0 {a}, 2 x}}")),
        1 => "[1-9]".prop_map(|weight| format!("a,1,x,{{{weight}}}")),
        1 => Just("% a comment".to_string()),
        1 => Just(String::new()),
    ];
    let broken = proptest::option::weighted(
        0.4,
        (
            0..200usize,
            proptest::sample::select(&["a,1", "a,,x", "d,1,x", "a,text,x", "{0 a}", "'a", "{9 a}"][..]),
        ),
    );
    (vec(row, 0..120), broken).prop_map(|(mut rows, broken)| {
        if let Some((place, broken)) = broken
            && place < rows.len()
        {
            rows.insert(place, broken.into());
        }
        format!(
            "@relation t\n@attribute a {{a,b}}\n@attribute n numeric\n@attribute s string\n@data\n{}",
            rows.join("\n")
        )
    })
}

fn options() -> impl Strategy<Value = ReadOptions> {
    (0..4u8, any::<bool>(), any::<bool>()).prop_map(|(variant, infer_numbers, header)| ReadOptions {
        infer_numbers,
        header: header || variant == 1,
        weight: (variant == 1).then(|| "w".into()),
        missing_tokens: if variant == 2 { vec!["b".into()] } else { Vec::new() },
        encoding: (variant == 3).then(|| "latin1".into()),
        ..ReadOptions::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(384))]

    #[test]
    fn blocks_and_threads_change_nothing_in_csv(text in csv_text(), options in options(), block in 1..300usize) {
        let (one, three) = (pool(1), pool(3));
        let whole = read_as(text.as_bytes(), Format::Csv, &options, 1 << 20, &one);
        prop_assert_eq!(&whole, &read_as(text.as_bytes(), Format::Csv, &options, block, &three));
        prop_assert_eq!(&whole, &read_as(text.as_bytes(), Format::Csv, &options, block, &one));
    }

    #[test]
    fn blocks_and_threads_change_nothing_in_arff(text in arff_text(), block in 1..300usize) {
        let (one, three) = (pool(1), pool(3));
        let options = ReadOptions::default();
        let whole = read_as(text.as_bytes(), Format::Arff, &options, 1 << 20, &one);
        prop_assert_eq!(&whole, &read_as(text.as_bytes(), Format::Arff, &options, block, &three));
        prop_assert_eq!(&whole, &read_as(text.as_bytes(), Format::Arff, &options, block, &one));
    }

    #[test]
    fn bytes_that_are_no_text_are_found_on_the_same_line(
        text in "([a-c],[0-9é]{1,2}(\n|\r|\r\n)){0,40}",
        place in 0..300usize,
        bytes in proptest::sample::select(vec![&b"\xff"[..], b"\0", b"\xe2\x82", b"\xc3"]),
        block in 1..60usize,
    ) {
        let mut text = [b"a,b\n", text.as_bytes()].concat();
        let place = place.min(text.len());
        text.splice(place..place, bytes.iter().copied());
        let options = ReadOptions::default();
        let whole = read_as(&text, Format::Csv, &options, 1 << 20, &pool(1));
        prop_assert_eq!(&whole, &read_as(&text, Format::Csv, &options, block, &pool(3)));
    }
}

/// A column that runs out of room for labels in the middle of blocks that others are already working on.
#[test]
fn blocks_and_threads_change_no_column_of_many_values() {
    let rows = |cell: &dyn Fn(usize) -> String| -> String {
        (0..70_000).flat_map(|row| [cell(row), format!(",k{}\n", row % 3)]).collect()
    };
    let numbers = format!("n,class\n?,k0\n{}", rows(&|row| format!("{row}.5")));
    let late_text = format!("{numbers}7,k0\ntext,k1\nmore,k1\n");
    let repeated = format!("n,class\n{}", rows(&|row| format!("v{}", row * 7919 % 60_000)));
    let labels = format!("n,class\n{}", rows(&|row| format!("v{row}")));
    for text in [numbers, late_text, repeated, labels] {
        let options = ReadOptions::default();
        let whole = read_as(text.as_bytes(), Format::Csv, &options, 1 << 24, &pool(1));
        for block in [5_000, 200_000] {
            assert!(whole == read_as(text.as_bytes(), Format::Csv, &options, block, &pool(3)), "{block}");
        }
    }
}
