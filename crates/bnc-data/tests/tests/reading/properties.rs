//! Properties: no bytes are a panic, streaming changes nothing, what is written is read.

use bnc_data::{ClassChoice, Format, ReadOptions};
use proptest::prelude::*;

use super::support::*;

fn options() -> impl Strategy<Value = ReadOptions> {
    (
        any::<bool>(),
        any::<bool>(),
        proptest::option::of(prop_oneof![Just(b','), Just(b';'), any::<u8>()]),
        0..4usize,
    )
        .prop_map(|(header, infer_numbers, delimiter, variant)| ReadOptions {
            header,
            infer_numbers,
            delimiter,
            class: match variant {
                0 => ClassChoice::Named("a".into()),
                1 => ClassChoice::IfPresent("a".into()),
                _ => ClassChoice::Last,
            },
            weight: (variant == 2).then(|| "w".into()),
            encoding: (variant == 3).then(|| "latin1".into()),
            missing_tokens: vec!["x".into()],
            ..ReadOptions::default()
        })
}

/// Bytes, or pieces that formats are made of.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: &[&str] = &[
        "a",
        "b",
        "w",
        "x",
        "?",
        "0",
        "1",
        "007",
        "-2.5e3",
        "nan",
        ",",
        ",",
        ",",
        ";",
        "\t",
        " ",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\"",
        "'",
        "\\",
        "%",
        "{",
        "}",
        "@relation",
        "@attribute ",
        "@data\n",
        "real",
        "string",
        "date",
        "{a,b}",
        "é",
        "\u{feff}",
        "'\\''",
        "@attribute a {a,b}\n",
        "@attribute w numeric\n",
    ];
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        proptest::collection::vec(proptest::sample::select(PIECES), 0..60)
            .prop_map(|pieces| pieces.concat().into_bytes()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_bytes_are_a_panic_and_streams_equal_frames(
        bytes in soup(),
        options in options(),
        arff in any::<bool>(),
        zipped in any::<bool>(),
    ) {
        let bytes = if zipped { gzip(&bytes) } else { bytes };
        let format = if arff { Format::Arff } else { Format::Csv };
        // Both ways are taken and compared inside.
        let _ = read_bytes(&bytes, format, &options);
    }

    #[test]
    fn what_is_quoted_is_read_back(
        cells in proptest::collection::vec((cell(), cell()), 1..30),
    ) {
        let quoted: String = cells.iter().map(|(a, b)| format!("\"{}\",\"{}\"\n", a.replace('"', "\"\""), b.replace('"', "\"\""))).collect();
        let frame = csv_with(
            &format!("a,b\n{quoted}"),
            &ReadOptions { infer_numbers: false, ..ReadOptions::default() },
        ).unwrap();
        let expected = |text: &String| match text.trim_ascii() {
            "" => "?".to_string(),
            text => text.to_string(),
        };
        prop_assert_eq!(texts(&frame, "a"), cells.iter().map(|(a, _)| expected(a)).collect::<Vec<_>>());
        prop_assert_eq!(texts(&frame, "b"), cells.iter().map(|(_, b)| expected(b)).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_are_read_to_the_bit(numbers in proptest::collection::vec(proptest::num::f64::NORMAL | proptest::num::f64::ZERO, 1..40)) {
        let rows: String = numbers.iter().map(|number| format!("{number},{number:e},k\n")).collect();
        let frame = csv(&format!("plain,scientific,class\n{rows}")).unwrap();
        let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        for name in ["plain", "scientific"] {
            let read = super::support::numbers(&frame, name);
            prop_assert_eq!(bits(&read), bits(&numbers));
        }
    }

    #[test]
    fn the_order_of_rows_changes_no_label(
        cells in proptest::collection::vec(cell(), 1..40).prop_shuffle(),
    ) {
        let table = |cells: &mut dyn Iterator<Item = &String>| {
            let rows: String = cells.map(|cell| format!("\"{}\",k\n", cell.replace('"', "\"\""))).collect();
            csv(&format!("a,class\n{rows}")).unwrap()
        };
        let forwards = table(&mut cells.iter());
        let backwards = table(&mut cells.iter().rev());
        let rows: Vec<usize> = (0..cells.len()).rev().collect();
        prop_assert_eq!(format!("{:?}", forwards.columns), format!("{:?}", backwards.select(&rows).columns));
    }
}

fn cell() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]{0,20}", "[0-9]{1,3}", "-?[0-9]\\.[0-9]{1,2}", "[ a\"\n,;é'%]{0,6}",]
}
