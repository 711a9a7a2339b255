//! CSV: cells, kinds, labels, and what is refused.

use bnc_data::{Error, Format, ReadOptions, Silent, Values};
use proptest::prelude::*;

use super::support::*;

#[test]
fn a_small_table() {
    let frame = csv("sky,degrees,play\nclear,21.5,no\ngrey,,yes\nclear,-3,yes\n").unwrap();
    assert_eq!(names(&frame), ["sky", "degrees", "play"]);
    assert_eq!(frame.class, Some(2));
    assert_eq!(frame.lines, [2, 3, 4]);
    assert_eq!(labels(&frame, "sky"), ["clear", "grey"]);
    assert_eq!(texts(&frame, "play"), ["no", "yes", "yes"]);
    let degrees = numbers(&frame, "degrees");
    assert!(degrees[0] == 21.5 && degrees[1].is_nan() && degrees[2] == -3.0);
}

#[test]
fn the_order_of_rows_changes_no_code() {
    let frame = csv("n,t,class\n10,b,z\n9,a,y\n1.0,A,x\n1,10,x\n").unwrap();
    let other = csv("n,t,class\n1,10,x\n1.0,A,x\n9,a,y\n10,b,z\n").unwrap();
    assert_eq!(labels(&frame, "t"), ["10", "A", "a", "b"]);
    assert_eq!(labels(&frame, "class"), labels(&other, "class"));
    assert_eq!(labels(&frame, "t"), labels(&other, "t"));
    let nominal = ReadOptions { nominal: vec!["n".into()], ..ReadOptions::default() };
    let frame = csv_with("n,class\n10,z\n9,y\n1.0,x\n1,x\n", &nominal).unwrap();
    assert_eq!(labels(&frame, "n"), ["1", "1.0", "9", "10"]);
}

#[test]
fn a_leading_zero_makes_a_column_nominal() {
    let frame = csv("zip,half,class\n007,0.5,a\n7,0,b\n10,-0.25,a\n").unwrap();
    assert_eq!(texts(&frame, "zip"), ["007", "7", "10"]);
    assert_eq!(labels(&frame, "zip"), ["007", "7", "10"]);
    assert_eq!(numbers(&frame, "half"), [0.5, 0.0, -0.25]);
}

#[test]
fn only_plain_numbers_are_guessed_to_be_numbers() {
    for cell in ["nan", "inf", "0x1", "1_0", "1e999", "1.2.3"] {
        let frame = csv(&format!("x,class\n1,a\n{cell},b\n")).unwrap();
        assert_eq!(texts(&frame, "x"), ["1", cell]);
    }
}

#[test]
fn a_column_without_known_cells_is_nominal_without_labels() {
    let frame = csv("x,class\n?,a\n,b\n").unwrap();
    assert!(labels(&frame, "x").is_empty());
    assert_eq!(texts(&frame, "x"), ["?", "?"]);
}

#[test]
fn r24_blank_cells_are_missing() {
    let frame = csv("a,b,c\nx,   ,yes\nx,,yes\nx,\"   \",no\nx,\"\",no\n z ,? , no\n").unwrap();
    assert!(labels(&frame, "b").is_empty());
    assert_eq!(texts(&frame, "b"), ["?"; 5]);
    assert_eq!(labels(&frame, "a"), ["x", "z"]);
    assert_eq!(labels(&frame, "c"), ["no", "yes"]);
}

#[test]
fn r26_na_is_a_value_unless_named() {
    let text = "region,class\nNA,a\nEU,b\n\"AS\",a\n\"NA\",b\nnull,b\nNone,a\nn/a,a\n";
    let frame = csv(text).unwrap();
    assert_eq!(labels(&frame, "region"), ["AS", "EU", "NA", "None", "n/a", "null"]);
    let options = ReadOptions { missing_tokens: vec!["NA".into(), "null".into()], ..ReadOptions::default() };
    let (frame, report) = read_bytes(text.as_bytes(), Format::Csv, &options).unwrap();
    assert_eq!(texts(&frame, "region"), ["?", "EU", "AS", "?", "?", "None", "n/a"]);
    assert_eq!(report.columns[0].missing, 3);
    assert_eq!(report.with_missing().count(), 1);
}

#[test]
fn r28_infinities_are_numbers_and_nan_is_missing() {
    let options = ReadOptions { numeric: vec!["x".into()], ..ReadOptions::default() };
    let frame = csv_with("x,class\nNaN,a\ninf,b\n-inf,a\n1e3,b\n,a\n", &options).unwrap();
    let x = numbers(&frame, "x");
    assert!(x[0].is_nan() && x[4].is_nan());
    assert_eq!(x[1..4], [f64::INFINITY, f64::NEG_INFINITY, 1000.0]);
    assert_error(
        csv_with("x,class\n1,a\n\ntwo,b\n", &options),
        &["data", "line 4", "'x'", "'two'", "number"],
    );
}

#[test]
fn quotes_follow_the_rfc() {
    let frame =
        csv("a,\"b,c\",class\n\"x,y\",\"say \"\"hi\"\"\",1\n\"two\r\nlines\",z,2\nlast,z,2\n").unwrap();
    assert_eq!(names(&frame), ["a", "b,c", "class"]);
    assert_eq!(texts(&frame, "a"), ["x,y", "two\nlines", "last"]);
    assert_eq!(texts(&frame, "b,c"), ["say \"hi\"", "z", "z"]);
    assert_eq!(frame.lines, [2, 3, 5]);
}

#[test]
fn lines_are_counted_past_blank_lines_and_any_line_end() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "a,class\n\n1,x\n\n\n2,y\n\"p\nq\",z".replace('\n', end);
        assert_eq!(csv(&text).unwrap().lines, [3, 6, 7], "{end:?}");
    }
}

#[test]
fn delimiters() {
    let semicolons = csv("a;b;class\n1,5;x;y\n").unwrap();
    assert_eq!(texts(&semicolons, "a"), ["1,5"]);
    assert_eq!(names(&csv("a\tclass\n1\tx\n").unwrap()), ["a", "class"]);
    let (tabs, _) = read_bytes(b"a,b\tclass\n1\tx\n", Format::Tsv, &ReadOptions::default()).unwrap();
    assert_eq!(names(&tabs), ["a,b", "class"]);
    let delimiter = |delimiter| ReadOptions { delimiter: Some(delimiter), ..ReadOptions::default() };
    assert_eq!(names(&csv_with("a|b,c\n1|x\n", &delimiter(b'|')).unwrap()), ["a", "b,c"]);
    for refused in [b'"', b'\n', b'\r', 0, 0xe9] {
        let error = csv_with("a\nb\n", &delimiter(refused)).unwrap_err();
        assert!(matches!(error, Error::BadParameter { .. }), "{error}");
    }
}

#[test]
fn without_a_header_columns_have_numbers() {
    let options = ReadOptions { header: false, ..ReadOptions::default() };
    let frame = csv_with("1,x\n2,y\n", &options).unwrap();
    assert_eq!(names(&frame), ["column1", "column2"]);
    assert_eq!(frame.lines, [1, 2]);
    assert_eq!(names(&csv(",b,class\n1,2,x\n").unwrap()), ["column1", "b", "class"]);
}

#[test]
fn r88_a_byte_order_mark_is_no_part_of_the_header() {
    for header in ["a,b,class", "\"a\",\"b\",\"class\""] {
        let frame = csv(&format!("\u{feff}{header}\n1,2,x\n")).unwrap();
        assert_eq!(names(&frame), ["a", "b", "class"]);
    }
}

#[test]
fn r81_encodings() {
    let encoding = |name: &str| ReadOptions { encoding: Some(name.into()), ..ReadOptions::default() };
    let chinese = csv("\u{feff}颜色,类\r\n红,是\r\n绿,否").unwrap();
    assert_eq!(texts(&chinese, "颜色"), ["红", "绿"]);
    let latin1 = b"name,class\nab\xe9,x\n";
    let read = |options: &ReadOptions| read_bytes(latin1, Format::Csv, options).map(|(frame, _)| frame);
    assert_error(read(&ReadOptions::default()), &["data", "line 2", "byte 3", "UTF-8", "--encoding latin1"]);
    for name in ["latin1", "windows-1252", "ISO-8859-1"] {
        assert_eq!(texts(&read(&encoding(name)).unwrap(), "name"), ["abé"]);
    }
    assert_error(read(&encoding("klingon")), &["encoding", "klingon"]);
    let utf16: Vec<u8> = "\u{feff}a,class\né,x\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (frame, _) = read_bytes(&utf16, Format::Csv, &ReadOptions::default()).unwrap();
    assert_eq!(texts(&frame, "a"), ["é"]);
    let unmarked = &utf16[2..];
    let result = read_bytes(unmarked, Format::Csv, &ReadOptions::default()).map(|(frame, _)| frame);
    assert_error(result, &["line 1", "NUL", "--encoding utf-16le"]);
    let (frame, _) = read_bytes(unmarked, Format::Csv, &encoding("utf-16le")).unwrap();
    assert_eq!(texts(&frame, "a"), ["é"]);
}

#[test]
fn r86_duplicate_names_are_refused() {
    assert_error(csv("a,b,a,class\n1,2,3,x\n"), &["two columns", "'a'"]);
    let options = ReadOptions { drop: vec!["a".into()], ..ReadOptions::default() };
    assert_eq!(names(&csv_with("a,b,a,class\n1,2,3,x\n", &options).unwrap()), ["b", "class"]);
}

#[test]
fn ragged_rows_are_refused_with_their_line() {
    assert_error(csv("a,b,class\n1,2,x\n\n1,x\n"), &["line 4", "2 cells", "3"]);
    assert_error(csv("a,b,class\n1,2,x\n1,2,3,x\n"), &["line 3", "4 cells", "3"]);
    assert_error(csv("a,b,class\n1,2,x\n1,2\n"), &["line 3", "2 cells"]);
    assert_error(csv("a,b,class\n1,2,x\n1\n"), &["line 3", "1 cell;"]);
}

#[test]
fn an_open_quote_is_refused_where_it_starts() {
    assert_error(csv("a,class\n1,x\n2,\"y"), &["line 3", "never closed"]);
    assert_error(csv("a,class\n1,x\n\"2,y\n3,z\n"), &["line 3", "never closed"]);
    assert_error(csv("\"a,class\n1,x\n"), &["line 1", "never closed"]);
    assert_eq!(texts(&csv("a,class\n1,\"y\"").unwrap(), "class"), ["y"]);
}

#[test]
fn files_without_rows_are_refused() {
    assert_error(csv(""), &["data", "empty"]);
    assert_error(csv("\n\n"), &["data", "empty"]);
    assert_error(csv("\u{feff}"), &["data", "empty"]);
    assert_error(csv("a,b,class\n"), &["data", "no rows"]);
    assert_error(csv("a,b,class"), &["data", "no rows"]);
}

#[test]
fn binary_files_are_refused() {
    let read = |bytes: &[u8]| read_bytes(bytes, Format::Csv, &ReadOptions::default()).map(|(frame, _)| frame);
    assert_error(read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), &["line 1", "byte 1", "UTF-8"]);
    assert_error(read(b"\x7fELF\x02\x01\x01\0\0"), &["line 1", "NUL", "binary"]);
    assert_error(read(b"a,class\n1,x\n2,\0\n"), &["line 3", "NUL"]);
}

#[test]
fn one_column_is_a_class_alone() {
    let frame = csv("class\nx\ny\n").unwrap();
    assert_eq!((frame.columns.len(), frame.class), (1, Some(0)));
    assert_eq!(labels(&frame, "class"), ["x", "y"]);
}

#[test]
fn there_may_be_65535_labels_and_no_more() {
    let table = |labels: usize| {
        let rows: String = (0..labels).map(|label| format!("v{label},x\n")).collect();
        format!("id,class\n{rows}v0,x\n")
    };
    assert_eq!(labels(&csv(&table(65_535)).unwrap(), "id").len(), 65_535);
    for too_many in [65_536, 65_537] {
        assert_error(csv(&table(too_many)), &["'id'", "65535"]);
    }
}

#[test]
fn there_may_be_any_number_of_numbers() {
    let rows: String = (0..70_000).map(|row| format!("{row}.5,x\n")).collect();
    let frame = csv(&format!("n,class\n?,x\n{rows}")).unwrap();
    let numbers = numbers(&frame, "n");
    assert!(numbers[0].is_nan());
    assert!((0..70_000).all(|row| numbers[row + 1] == row as f64 + 0.5));
    for late in ["text", "007"] {
        assert_error(csv(&format!("n,class\n{rows}{late},x\n")), &["'n'", "65535"]);
        assert_error(csv(&format!("n,class\n{late},x\n{rows}")), &["'n'", "65535"]);
    }
}

#[test]
fn ten_thousand_columns() {
    let line = |cell: &dyn Fn(usize) -> String| (0..10_000).map(cell).collect::<Vec<_>>().join(",");
    let text = [
        line(&|column| format!("c{column}")),
        line(&|column| (column % 7).to_string()),
        line(&|column| format!("v{}", column % 3)),
    ]
    .join("\n");
    let frame = csv(&text).unwrap();
    assert_eq!((frame.columns.len(), frame.rows()), (10_000, 2));
    assert_eq!(texts(&frame, "c9999"), ["3", "v0"]);
}

#[test]
fn long_and_short_labels_are_told_apart() {
    let long = "x".repeat(100_000);
    let cells = ["a", "ab", "abcdefgh", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnop", &long];
    let rows: String = cells.iter().chain(&cells).map(|cell| format!("{cell},k\n")).collect();
    let frame = csv(&format!("t,class\n{rows}")).unwrap();
    assert_eq!(texts(&frame, "t"), [cells, cells].concat());
}

#[test]
fn read_from_names_its_stream() {
    let error = bnc_data::read_from(
        &b"a,b\n1\n"[..],
        "standard input",
        Format::Csv,
        &ReadOptions::default(),
        &Silent,
    )
    .unwrap_err();
    assert!(error.to_string().starts_with("standard input, line 2"), "{error}");
    let (frame, _) = bnc_data::read_from(
        &gzip(b"a,b\n1,x\n")[..],
        "standard input",
        Format::Csv,
        &ReadOptions::default(),
        &Silent,
    )
    .unwrap();
    assert!(matches!(&column(&frame, "a").values, Values::Numeric(numbers) if numbers == &[1.0]));
}

/// Rows of three cells, quoted and not, with delimiters, line ends and doubled quotes in quotes.
fn rows_of_cells() -> impl Strategy<Value = String> {
    let cell = prop_oneof!["[a ]{0,3}", "\"[a,\n ]{0,4}\"", "\"a\"\"[a,]\"", "a\"a?"];
    let row = prop::collection::vec(cell, 3).prop_map(|cells| cells.join(","));
    prop::collection::vec(row, 1..8).prop_map(|rows| rows.join("\n"))
}

proptest! {
    /// Rows are split as the csv crate splits them, wherever quotes and line ends stand.
    #[test]
    fn cells_are_those_of_the_csv_crate(body in prop_oneof![rows_of_cells(), "[a,\"\n ]{0,60}"]) {
        let text = format!("x,y,class\n{body}");
        let mut reader = ::csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let expected: Vec<Vec<String>> = reader
            .records()
            .map(|record| record.unwrap().iter().map(|cell| cell.trim_ascii().to_string()).collect())
            .collect();
        match csv(&text) {
            Ok(frame) => {
                prop_assert_eq!(frame.rows(), expected.len());
                for (row, cells) in expected.iter().enumerate() {
                    let ours: Vec<String> = frame
                        .columns
                        .iter()
                        .map(|column| column.values.text(row).unwrap_or_default())
                        .collect();
                    prop_assert_eq!(&ours, cells);
                }
            }
            Err(error) => {
                let error = error.to_string();
                let ragged = expected.iter().any(|cells| cells.len() != 3) && error.contains("cell");
                let none = expected.is_empty() && error.contains("no rows");
                prop_assert!(ragged || none || error.contains("never closed"), "{}", error);
            }
        }
    }
}
