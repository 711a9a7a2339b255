//! ARFF: attributes, rows, and what is refused.

use bnc_data::{Format, ReadOptions};

use super::support::*;

const WEATHER: &str = "\
% a comment
@RELATION 'the weather'

@Attribute sky {grey, 'clear', \"as in\\\"quotes\"}
@attribute degrees Real
@ATTRIBUTE 'wind speed' INTEGER
@attribute play {yes,no}
@DATA
% another
grey, 21.5, 3, no
'clear',?,?,yes

\"as in\\\"quotes\"\t-1e2\t0\t?
";

#[test]
fn a_small_table() {
    let frame = arff(WEATHER).unwrap();
    assert_eq!(names(&frame), ["sky", "degrees", "wind speed", "play"]);
    assert_eq!(labels(&frame, "sky"), ["grey", "clear", "as in\"quotes"]);
    assert_eq!(labels(&frame, "play"), ["yes", "no"]);
    assert_eq!(texts(&frame, "play"), ["no", "yes", "?"]);
    assert_eq!(numbers(&frame, "wind speed")[..1], [3.0]);
    assert_eq!(numbers(&frame, "degrees")[2], -100.0);
    assert_eq!(frame.lines, [10, 11, 13]);
    assert_eq!(frame.class, Some(3));
}

#[test]
fn any_line_end_and_mark_will_do() {
    let plain = arff(WEATHER).unwrap();
    for end in ["\r\n", "\r"] {
        assert_same(&plain, &arff(&WEATHER.replace('\n', end)).unwrap());
    }
    assert_same(&plain, &arff(&format!("\u{feff}{}", WEATHER.trim_end())).unwrap());
}

fn table(attributes: &str, rows: &str) -> String {
    format!("@relation t\n{attributes}\n@attribute class {{no,yes}}\n@data\n{rows}\n")
}

#[test]
fn r04_values_outside_the_declared_list_are_refused() {
    let text = "@relation t\n@attribute a {x,y}\n@attribute b {p,q}\n@attribute class {no,yes}\n@data\nx,p,no\nz,p,yes\n";
    assert_error(arff(text), &["data", "line 7", "'a'", "'z'", "{x, y}"]);
    assert_error(
        arff(&table("@attribute a {x,y}", "x,maybe")),
        &["line 5", "'class'", "'maybe'", "{no, yes}"],
    );
}

#[test]
fn r73_commas_in_quotes() {
    let frame =
        arff(&table("@attribute a {'a,b','c,d'}\n@attribute b {\"e,f\"}", "'a,b',\"e,f\",no")).unwrap();
    assert_eq!(texts(&frame, "a"), ["a,b"]);
    assert_eq!(texts(&frame, "b"), ["e,f"]);
    assert_eq!(labels(&frame, "a"), ["a,b", "c,d"]);
}

#[test]
fn r76_comments_after_an_attribute() {
    let frame = arff(&table(
        "@attribute c {-1,1} %{low, high}\n@attribute d numeric % a number\n@attribute e {'5%', '%'}",
        "-1,3,'5%',no % a comment\n1,4,'%',yes",
    ))
    .unwrap();
    assert_eq!(labels(&frame, "c"), ["-1", "1"]);
    assert_eq!(texts(&frame, "e"), ["5%", "%"]);
    assert_eq!(numbers(&frame, "d"), [3.0, 4.0]);
}

#[test]
fn r81_encodings() {
    let text = "@relation t\r\n@attribute 颜色 {红,绿}\r\n@attribute 类 {是,否}\r\n@data\r\n红,是\r\n绿,否";
    assert_eq!(texts(&arff(text).unwrap(), "颜色"), ["红", "绿"]);
    assert_eq!(texts(&arff(&format!("\u{feff}{text}")).unwrap(), "类"), ["是", "否"]);
    let latin1 = b"@relation t\n@attribute a {caf\xe9}\n@attribute class {x}\n@data\ncaf\xe9,x\n";
    let read = |options: &ReadOptions| read_bytes(latin1, Format::Arff, options).map(|(frame, _)| frame);
    assert_error(read(&ReadOptions::default()), &["line 2", "byte 18", "--encoding latin1"]);
    let options = ReadOptions { encoding: Some("latin1".into()), ..ReadOptions::default() };
    assert_eq!(texts(&read(&options).unwrap(), "a"), ["café"]);
}

#[test]
fn r86_duplicate_names_are_refused() {
    assert_error(arff(&table("@attribute a real\n@attribute a real", "1,2,no")), &["two columns", "'a'"]);
}

#[test]
fn a_quoted_question_mark_is_a_value() {
    let frame = arff(&table("@attribute a {'?', x}", "'?',no\n?,yes\nx,no")).unwrap();
    assert_eq!(labels(&frame, "a"), ["?", "x"]);
    assert_eq!(bnc_data::describe(&frame).unwrap().columns[0].missing, 1);
}

#[test]
fn escapes_and_quotes_inside_words() {
    let frame = arff(&table(
        r#"@attribute a {'it\'s', "a\\b", 'tab\there', '', '  ', O'Brien}"#,
        "'it\\'s',no\n\"a\\\\b\",no\n'tab\\there',no\n'',no\n'  ',no\nO'Brien,no",
    ))
    .unwrap();
    assert_eq!(labels(&frame, "a"), ["it's", "a\\b", "tab\there", "", "  ", "O'Brien"]);
    assert_eq!(texts(&frame, "a"), labels(&frame, "a"));
}

#[test]
fn sparse_rows_leave_out_zeros_and_first_labels() {
    let frame = arff(&table(
        "@attribute a {x,y}\n@attribute n numeric\n@attribute s string",
        "{0 y, 1 2.5, 2 word, 3 yes}\n{2 'other word'}\n{1 ?, 2 word},{3}\n{ 3 yes,2 w }",
    ))
    .unwrap();
    assert_eq!(texts(&frame, "a"), ["y", "x", "x", "x"]);
    let n = numbers(&frame, "n");
    assert!(n[..2] == [2.5, 0.0] && n[2].is_nan() && n[3] == 0.0);
    assert_eq!(texts(&frame, "s"), ["word", "other word", "word", "w"]);
    assert_eq!(labels(&frame, "s"), ["other word", "w", "word"]);
    assert_eq!(texts(&frame, "class"), ["yes", "no", "no", "yes"]);
    assert_eq!(frame.weights, Some(vec![1, 1, 3, 1]));
    for (row, parts) in [
        ("{0 x, 4 1, 2 w}", ["'4'", "0 to 3"]),
        ("{0 x, 0 y, 2 w}", ["two values", "0"]),
        ("{0, 2 w}", ["a comma", "value of attribute 0"]),
        ("{0 x", ["end of the line", "}"]),
        ("{0 x, 2 w} no", ["'no'", "end of the row"]),
        ("{0 x}", ["leaves this cell out", "'s'"]),
    ] {
        let text = table("@attribute a {x,y}\n@attribute n numeric\n@attribute s string", row);
        assert_error(arff(&text), &[&parts[..], &["line 7"]].concat());
    }
}

#[test]
fn weights_of_rows() {
    let frame = arff(&table("@attribute a {x,y}", "x,no\ny,yes,{5}\nx,yes {0}")).unwrap();
    assert_eq!(frame.weights, Some(vec![1, 5, 0]));
    for weight in ["-1", "1.5", "x", "4294967296"] {
        let text = table("@attribute a {x,y}", &format!("x,no\ny,yes,{{{weight}}}"));
        assert_error(arff(&text), &["line 6", &format!("'{weight}'"), "whole numbers"]);
    }
}

#[test]
fn dates_are_numbers() {
    let frame = arff(&table(
        "@attribute t date\n@attribute d DATE 'yyyy-MM-dd HH:mm:ss'\n@attribute y date \"yyyy\"",
        "1970-01-01T00:00:01,'1970-01-02 00:00:00',1971,no\n?,?,?,yes",
    ))
    .unwrap();
    assert_eq!(numbers(&frame, "t")[0], 1000.0);
    assert_eq!(numbers(&frame, "d")[0], 86_400_000.0);
    assert_eq!(numbers(&frame, "y")[0], 31_536_000_000.0);
    assert!(numbers(&frame, "y")[1].is_nan());
    assert_error(
        arff(&table("@attribute t date yyyy-MM-dd", "1970-13-01,no")),
        &["line 5", "'t'", "'1970-13-01'", "yyyy-MM-dd"],
    );
    assert_error(arff(&table("@attribute t date 'ww'", "1,no")), &["line 2", "'ww'"]);
}

#[test]
fn kinds_can_be_overridden() {
    let options = ReadOptions {
        nominal: vec!["n".into(), "d".into()],
        numeric: vec!["l".into(), "s".into()],
        ..ReadOptions::default()
    };
    let attributes =
        "@attribute n real\n@attribute d date yyyy\n@attribute l {30,20,ten}\n@attribute s string";
    let frame =
        arff_with(&table(attributes, "10,1999,20,5,no\n9,2000,30,?,yes\n9.0,?,?,6,no"), &options).unwrap();
    assert_eq!(labels(&frame, "n"), ["9", "9.0", "10"]);
    assert_eq!(texts(&frame, "d"), ["1999", "2000", "?"]);
    assert_eq!(numbers(&frame, "l")[..2], [20.0, 30.0]);
    assert_eq!(numbers(&frame, "s")[0], 5.0);
    for value in ["ten", "40"] {
        let text = table(attributes, &format!("10,1999,{value},5,no"));
        assert_error(arff_with(&text, &options), &["line 8", "'l'", value, "number among the declared"]);
    }
}

#[test]
fn a_numeric_class_is_read_as_labels() {
    let frame = arff("@relation t\n@attribute a real\n@attribute c numeric\n@data\n1,10\n2,9\n").unwrap();
    assert_eq!(labels(&frame, "c"), ["9", "10"]);
    assert_eq!(numbers(&frame, "a"), [1.0, 2.0]);
}

#[test]
fn old_headers_state_ranges() {
    let frame =
        arff(&table("@attribute a integer [1,10]\n@attribute b real [0.0, 1.0] % odd", "1,0.5,no")).unwrap();
    assert_eq!(numbers(&frame, "b"), [0.5]);
}

#[test]
fn broken_rows_are_refused_with_their_line() {
    let attributes = "@attribute a {x,y}\n@attribute n numeric";
    for (row, parts) in [
        ("x,1", ["2 values", "3"]),
        ("x,1,no,no", ["4 values", "3"]),
        ("x,,no", ["an empty value", "?"]),
        (",1,no", ["an empty value", "?"]),
        ("x,1,", ["a comma at the end", "value"]),
        ("x,one,no", ["'n'", "'one'"]),
        ("'x,1,no", ["never closed", "\\'"]),
        ("'x'y,1,no", ["right after a closing", "comma"]),
        ("x,1%,no", ["% inside a word", "quotes"]),
        ("x,1,no}", ["a '}' after 3", "weight"]),
        ("x,{1},no", ["a '{' after 1", "weight"]),
        ("x,1,no,{2", ["end of the line", "}"]),
        ("x,1,no,{2} 3", ["'3'", "end of the row"]),
        ("x,1,no,{}", ["a '}'", "weight"]),
    ] {
        assert_error(
            arff(&table(attributes, &format!("x,1,no\n{row}"))),
            &[&parts[..], &["data, line 7"]].concat(),
        );
    }
}

#[test]
fn broken_headers_are_refused_with_their_line() {
    for (text, parts) in [
        ("", ["data", "empty"]),
        ("% only a comment\n", ["line 1", "before @data"]),
        ("@relation t\n@attribute a real\n", ["line 2", "before @data"]),
        ("@relation t\n@data\n1\n", ["line 2", "before any @attribute"]),
        ("@relation t\n@attribute a real\n@data\n", ["data", "no rows"]),
        ("@relation t\n@attribute a real\n@data now\n1\n", ["line 3", "'now'"]),
        ("hello\n", ["line 1", "'hello'"]),
        ("{\n", ["line 1", "a '{'"]),
        ("@relation t\n@attribute\n", ["line 2", "name of the attribute"]),
        ("@relation t\n@attribute a\n", ["line 2", "type of attribute 'a'"]),
        ("@relation t\n@attribute my name real\n", ["line 2", "'name'"]),
        ("@relation t\n@attribute a relational\n", ["line 2", "relational"]),
        ("@relation t\n@attribute a {x,y\n", ["line 2", "}"]),
        ("@relation t\n@attribute a {}\n", ["line 2", "no values"]),
        ("@relation t\n@attribute a {x,,y}\n", ["line 2", "a comma"]),
        ("@relation t\n@attribute a {x,x}\n", ["line 2", "twice"]),
        ("@relation t\n@attribute a {x} y\n", ["line 2", "'y'"]),
        ("@relation t\n@attribute 'a real\n", ["line 2", "never closed"]),
        ("@relation t\n@attribute a string [1]\n", ["line 2", "end of the line"]),
    ] {
        assert_error(arff(text), &parts);
    }
}

#[test]
fn binary_files_are_refused() {
    let read =
        |bytes: &[u8]| read_bytes(bytes, Format::Arff, &ReadOptions::default()).map(|(frame, _)| frame);
    assert_error(read(b"\x7fELF\x02\x01\x01\0\0"), &["line 1", "NUL", "binary"]);
    assert_error(read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), &["line 1", "byte 1"]);
}

#[test]
fn strings_have_room_for_65535_labels() {
    let rows = |labels: usize| (0..labels).map(|label| format!("v{label},no\n")).collect::<String>();
    let frame = arff(&table("@attribute s string", &rows(65_535))).unwrap();
    assert_eq!(labels(&frame, "s").len(), 65_535);
    assert_error(arff(&table("@attribute s string", &rows(65_537))), &["'s'", "65535"]);
    let declared = (0..65_537).map(|label| format!("v{label}")).collect::<Vec<_>>().join(",");
    assert_error(arff(&table(&format!("@attribute s {{{declared}}}"), "v1,no")), &["'s'", "65535"]);
}

#[test]
fn missing_tokens_hold_in_arff_too() {
    let options = ReadOptions { missing_tokens: vec!["NA".into(), "-9".into()], ..ReadOptions::default() };
    let frame =
        arff_with(&table("@attribute s string\n@attribute n real", "NA,-9,no\nx,9,yes"), &options).unwrap();
    assert_eq!(texts(&frame, "s"), ["?", "x"]);
    assert!(numbers(&frame, "n")[0].is_nan());
}
