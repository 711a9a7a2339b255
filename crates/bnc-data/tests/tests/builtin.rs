//! The built-in sets: their shapes, their rules, and that they never change.

use std::path::Path;

use bnc_data::{BUILTIN, Frame, Values, builtin};

use crate::support::reference;

/// The rows of a frame as in a file: cells parted by commas.
fn lines(frame: &Frame) -> Vec<String> {
    let cells = |row: usize| {
        let cells = frame.columns.iter().map(|column| column.values.text(row).expect("no missing cells"));
        cells.collect::<Vec<_>>().join(",")
    };
    (0..frame.rows()).map(cells).collect()
}

/// Names and labels of the columns, as in the head of an ARFF file.
fn head(frame: &Frame) -> Vec<String> {
    let column = |column: &bnc_data::Column| match &column.values {
        Values::Nominal { labels, .. } => format!("{} {{{}}}", column.name, labels.join(",")),
        Values::Numeric(_) => format!("{} real", column.name),
    };
    frame.columns.iter().map(column).collect()
}

fn codes<'a>(frame: &'a Frame, name: &str) -> &'a [u16] {
    let column = frame.columns.iter().find(|column| column.name == name);
    match &column.expect(name).values {
        Values::Nominal { codes, .. } => codes,
        Values::Numeric(_) => panic!("{name} is numeric"),
    }
}

fn class(frame: &Frame) -> &[u16] {
    codes(frame, &frame.columns[frame.class.unwrap()].name)
}

#[test]
fn sets_are_what_the_registry_says() {
    for info in BUILTIN {
        let frame = builtin(info.name).unwrap();
        assert_eq!(frame.rows(), info.rows, "{}", info.name);
        assert_eq!(frame.columns.len(), info.features + 1, "{}", info.name);
        assert_eq!(frame.class, Some(info.features), "{}", info.name);
        let Values::Nominal { labels, .. } = &frame.columns[info.features].values else {
            panic!("{}", info.name);
        };
        assert_eq!(labels.len(), info.classes, "{}", info.name);
        // Writing the defaults out changes nothing.
        let defaults: Vec<String> = info
            .parameters
            .iter()
            .map(|parameter| format!("{}={}", parameter.key, parameter.default))
            .collect();
        if !defaults.is_empty() {
            let written = builtin(&format!("{}:{}", info.name, defaults.join(","))).unwrap();
            assert_eq!(written.columns, frame.columns);
        }
    }
}

#[test]
fn complete_tables_have_the_known_class_counts() {
    let counts = |name: &str, classes: u16| {
        let frame = builtin(name).unwrap();
        (0..classes)
            .map(|code| class(&frame).iter().filter(|&&found| found == code).count())
            .collect::<Vec<_>>()
    };
    assert_eq!(counts("tic-tac-toe", 2), [332, 626]);
    assert_eq!(counts("balance-scale", 3), [288, 49, 288]);
    assert_eq!(counts("monks-1", 2), [216, 216]);
    assert_eq!(counts("monks-2", 2), [290, 142]);
    assert_eq!(counts("monks-3", 2), [204, 228]);
}

#[test]
fn complete_tables_have_no_row_twice() {
    for name in ["tic-tac-toe", "balance-scale", "monks-1", "monks-2", "monks-3"] {
        let frame = builtin(name).unwrap();
        let mut rows = lines(&frame);
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), frame.rows(), "{name}");
    }
}

#[test]
fn monks_names_and_rules() {
    let frame = builtin("monks-1").unwrap();
    assert_eq!(head(&frame)[4], "a5 {1,2,3,4}");
    assert_eq!(lines(&frame)[0], "1,1,1,1,1,1,1");
    assert_eq!(lines(&frame)[431], "3,3,2,3,4,2,1");
    // Row by row: first of a1 = a2 or a5 = 1; then two ones; then the two branches of the third concept.
    let holds = |name: &str, row: &str| lines(&builtin(name).unwrap()).contains(&row.to_string());
    assert!(holds("monks-1", "1,2,1,1,2,1,0") && holds("monks-1", "1,2,1,1,1,1,1"));
    assert!(holds("monks-2", "1,1,2,2,2,2,1") && holds("monks-2", "1,1,1,2,2,2,0"));
    assert!(holds("monks-3", "1,3,1,1,3,1,1") && holds("monks-3", "1,3,1,2,3,1,0"));
    assert!(holds("monks-3", "1,2,1,2,2,1,1") && holds("monks-3", "1,2,1,1,4,1,0"));
}

/// The rows after `@data`, and the declarations before it, of a plain ARFF file without quotes or gaps.
fn arff(path: &Path) -> (Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('%'));
    let head = lines()
        .filter_map(|line| line.strip_prefix("@attribute "))
        .map(|line| line.replace("{ ", "{").replace(", ", ","))
        .collect();
    let rows =
        lines().skip_while(|line| !line.eq_ignore_ascii_case("@data")).skip(1).map(String::from).collect();
    (head, rows)
}

#[test]
fn tables_equal_their_files_line_by_line() {
    let Some(folder) = reference("built-in tables against their files") else {
        return;
    };
    for (name, path) in
        [("tic-tac-toe", "data/extra/tic-tac-toe.arff"), ("balance-scale", "data/uci36/balance-scale.arff")]
    {
        let frame = builtin(name).unwrap();
        let (expected_head, expected_rows) = arff(&folder.join(path));
        assert_eq!(head(&frame), expected_head);
        assert_eq!(lines(&frame), expected_rows);
    }
}

#[test]
fn waveform_has_the_class_means_of_its_file() {
    let Some(folder) = reference("waveform-40 against its file") else {
        return;
    };
    let (expected_head, rows) = arff(&folder.join("data/uci36/waveform-5000.arff"));
    let frame = builtin("waveform-40").unwrap();
    assert_eq!(head(&frame), expected_head);
    let means = |rows: &[String]| {
        let mut sums = vec![[0.0; 40]; 3];
        let mut counts = [0.0; 3];
        for row in rows {
            let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
            let class = cells[40].to_string().parse::<usize>().unwrap();
            counts[class] += 1.0;
            for (sum, cell) in sums[class].iter_mut().zip(cells) {
                *sum += cell;
            }
        }
        sums.iter().zip(counts).flat_map(|(sums, count)| sums.map(|sum| sum / count)).collect::<Vec<f64>>()
    };
    // Means of about 1,660 rows of deviation at most 2: six standard errors of their difference.
    for (found, expected) in means(&lines(&frame)).iter().zip(means(&rows)) {
        assert!((found - expected).abs() < 0.4, "{found} {expected}");
    }
}

#[test]
fn waveform_follows_its_formula() {
    let frame = builtin("waveform-40:rows=30000").unwrap();
    let class = class(&frame).to_vec();
    let mean = |feature: usize, of_class: u16| {
        let Values::Numeric(numbers) = &frame.columns[feature].values else {
            panic!("waves are numeric");
        };
        let chosen: Vec<f64> = numbers
            .iter()
            .zip(&class)
            .filter(|(_, class)| **class == of_class)
            .map(|(number, _)| *number)
            .collect();
        chosen.iter().sum::<f64>() / chosen.len() as f64
    };
    // Waves peak at positions 7, 15 and 11 with height 6; a class sees half of each of its two on average.
    let wave = |position: usize, peak: usize| 6_usize.saturating_sub(position.abs_diff(peak)) as f64;
    for (label, peaks) in [(0, [7, 15]), (1, [7, 11]), (2, [11, 15])] {
        for position in 1..=40 {
            let expected = if position <= 21 {
                f64::midpoint(wave(position, peaks[0]), wave(position, peaks[1]))
            } else {
                0.0
            };
            let found = mean(position - 1, label);
            assert!((found - expected).abs() < 0.1, "class {label}, x{position}: {found}");
        }
    }
}

/// The digits' segments, once more, as pictures read off a display.
const LIT: [[u16; 7]; 10] = [
    [1, 1, 1, 0, 1, 1, 1],
    [0, 0, 1, 0, 0, 1, 0],
    [1, 0, 1, 1, 1, 0, 1],
    [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1, 1],
];

fn inverted(text: &str) -> f64 {
    let frame = builtin(text).unwrap();
    let wrong_in = |segment: usize| {
        let codes = codes(&frame, &format!("x{}", segment + 1));
        codes
            .iter()
            .zip(class(&frame))
            .filter(|(lit, digit)| **lit != LIT[usize::from(**digit)][segment])
            .count()
    };
    let wrong: usize = (0..7).map(wrong_in).sum();
    wrong as f64 / (7 * frame.rows()) as f64
}

#[test]
fn led_segments_are_inverted_as_often_as_asked() {
    assert!((inverted("led-7:rows=20000") - 0.1).abs() < 0.004);
    assert!((inverted("led-24:rows=20000,noise=0.25") - 0.25).abs() < 0.006);
    assert!(inverted("led-7:noise=0") == 0.0 && inverted("led-7:noise=1") >= 1.0);
}

#[test]
fn led_has_the_published_bayes_rate() {
    // Breiman et al.: at 10 % noise the best classifier is right for 74 % of the rows.
    let frame = builtin("led-7:rows=50000,seed=3").unwrap();
    let columns: Vec<&[u16]> = (1..=7).map(|number| codes(&frame, &format!("x{number}"))).collect();
    let right = (0..frame.rows())
        .filter(|&row| {
            let distance = |digit: &usize| (0..7).filter(|&i| columns[i][row] != LIT[*digit][i]).count();
            let nearest = (0..10).min_by_key(distance).unwrap();
            nearest == usize::from(class(&frame)[row])
        })
        .count();
    assert!((right as f64 / 50_000.0 - 0.74).abs() < 0.008, "{right}");
}

#[test]
fn irrelevant_led_features_are_fair_coins() {
    let frame = builtin("led-24:rows=20000").unwrap();
    for number in 8..=24 {
        let ones: u32 = codes(&frame, &format!("x{number}")).iter().map(|&code| u32::from(code)).sum();
        assert!(ones.abs_diff(10_000) < 400, "x{number}: {ones}");
    }
}

#[test]
fn networks_have_the_shape_asked_for() {
    let frame = builtin("network:features=30,arity=2-4,parents=3,rows=4000,seed=9,classes=5").unwrap();
    assert_eq!((frame.rows(), frame.columns.len()), (4000, 31));
    let arities: Vec<usize> = frame.columns[..30]
        .iter()
        .map(|column| match &column.values {
            Values::Nominal { labels, .. } => labels.len(),
            Values::Numeric(_) => 0,
        })
        .collect();
    for arity in 2..=4 {
        assert!(arities.contains(&arity));
    }
    assert!(arities.iter().all(|arity| (2..=4).contains(arity)));
    for code in 0..5 {
        let rows = class(&frame).iter().filter(|&&found| found == code).count();
        assert!(rows.abs_diff(800) < 150, "class {code}: {rows}");
    }
}

/// The statistic of Pearson's test of independence between two columns of two values.
fn dependence(frame: &Frame, first: &str, second: &str) -> f64 {
    let mut counts = [[0.0_f64; 2]; 2];
    for (&a, &b) in codes(frame, first).iter().zip(codes(frame, second)) {
        counts[usize::from(a)][usize::from(b)] += 1.0;
    }
    let [[a, b], [c, d]] = counts;
    let margins = (a + b) * (c + d) * (a + c) * (b + d);
    (a + b + c + d) * (a * d - b * c).powi(2) / margins
}

#[test]
fn network_features_depend_on_the_class_and_on_their_parents() {
    let sparse = builtin("network:features=12,arity=2,parents=0,rows=20000,seed=2").unwrap();
    let of_class =
        (1..=12).filter(|number| dependence(&sparse, &format!("x{number}"), "class") > 10.0).count();
    assert!(of_class >= 10, "{of_class}");
    // Without feature parents, features are independent within a class.
    let of_one_class = |frame: &Frame| {
        let rows: Vec<usize> = (0..frame.rows()).filter(|&row| class(frame)[row] == 0).collect();
        frame.select(&rows)
    };
    let strongest = |frame: &Frame| {
        let within = of_one_class(frame);
        let pairs = (1..=12).flat_map(|a| (1..a).map(move |b| (a, b)));
        pairs.map(|(a, b)| dependence(&within, &format!("x{a}"), &format!("x{b}"))).fold(0.0, f64::max)
    };
    let dense = builtin("network:features=12,arity=2,parents=1,rows=20000,seed=2").unwrap();
    assert!(strongest(&sparse) < 20.0 && strongest(&dense) > 1000.0);
}

#[test]
fn more_rows_begin_with_fewer_rows() {
    for name in ["led-7", "led-24", "waveform-21", "waveform-40", "network"] {
        let long = lines(&builtin(&format!("{name}:rows=50,seed=4")).unwrap());
        let short = lines(&builtin(&format!("{name}:seed=4,rows=20")).unwrap());
        assert_eq!(short, long[..20], "{name}");
        let other = lines(&builtin(&format!("{name}:rows=20,seed=5")).unwrap());
        assert_ne!(short, other, "{name}");
    }
}

/// CRC-32 of the rows as comma-separated text. Another value here is another set under an old name.
#[test]
fn random_sets_never_change() {
    for (text, expected) in [
        ("led-7:rows=1000,seed=1", 0xeb99_7eca),
        ("led-24:rows=1000,seed=1", 0x7581_e050),
        ("waveform-21:rows=1000,seed=1", 0x487b_a535),
        ("waveform-40:rows=1000,seed=1", 0xfb36_f1cf),
        ("network:rows=1000,seed=1", 0xb2bf_34c9),
        ("network:features=9,arity=2-5,parents=3,rows=1000,seed=18446744073709551615,classes=4", 0xcd97_7495),
    ] {
        let found = crc32fast::hash(lines(&builtin(text).unwrap()).join("\n").as_bytes());
        assert_eq!(found, expected, "{text}: {found:08x}");
    }
    assert_eq!(lines(&builtin("led-7:seed=1,rows=1").unwrap()), ["1,0,1,1,0,1,1,3"]);
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    for (text, expected) in [
        ("iris", "one of tic-tac-toe, balance-scale, monks-1"),
        ("", "one of tic-tac-toe"),
        ("LED-7", "led-7, led-24"),
        ("monks-1:rows=3", "no parameters"),
        ("monks-1:", "no parameters"),
        ("led-7:row=3", "rows, seed, noise"),
        ("led-7:rows", "rows, seed, noise"),
        ("led-7:rows=3,", "rows, seed, noise"),
        ("led-7:rows=3,rows=4", "once only"),
        ("led-7:rows=0", "at least 1"),
        ("led-7:rows=many", "at least 1"),
        ("led-7:rows=1000000000000", "at most 134217728"),
        ("led-7:noise=1.1", "0 to 1"),
        ("led-7:noise=NaN", "0 to 1"),
        ("waveform-21:noise=0.1", "rows, seed"),
        ("led-24:seed=-1", "2^64 - 1"),
        ("network:features=0", "1 to 100000"),
        ("network:arity=1", "2 to 1000"),
        ("network:arity=4-2", "2 to 1000"),
        ("network:arity=2-", "2 to 1000"),
        ("network:parents=21", "0 to 20"),
        ("network:classes=1", "2 to 1000"),
        ("network:features=100,arity=10,parents=20", "fewer"),
        ("network:features=100,arity=1000,parents=20", "fewer"),
    ] {
        let error = builtin(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
