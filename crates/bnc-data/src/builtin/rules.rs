//! Complete tables: every row that exists, classified by a rule.

use super::{nominal, numbered};
use crate::{Code, Column, Values};

const SQUARES: [&str; 9] = [
    "top-left-square",
    "top-middle-square",
    "top-right-square",
    "middle-left-square",
    "middle-middle-square",
    "middle-right-square",
    "bottom-left-square",
    "bottom-middle-square",
    "bottom-right-square",
];

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// All boards at the end of a game in which x moved first; `positive` where x has won. Names, labels and order
/// are those of the UCI set: won by x, won by o, drawn; within these x before o before blank, square by square.
pub(super) fn tic_tac_toe() -> Vec<Column> {
    const O: Code = 1;
    const X: Code = 2;
    let mut endings: [Vec<Vec<Code>>; 3] = Default::default();
    // The first square changes slowest, and each runs through x, o, blank.
    for board in product(&[3; 9]) {
        let board: Vec<Code> = board.iter().map(|digit| X - digit).collect();
        let count = |player| board.iter().filter(|&&square| square == player).count();
        let wins = |player| LINES.iter().any(|line| line.iter().all(|&square| board[square] == player));
        let ending = match (count(X), count(O), wins(X), wins(O)) {
            (x, o, true, false) if x == o + 1 => 0,
            (x, o, false, true) if x == o => 1,
            (5, 4, false, false) => 2,
            _ => continue,
        };
        endings[ending].push(board);
    }
    let won = endings[0].len();
    let boards = endings.concat();
    let labels = |labels: &[&str]| labels.iter().map(ToString::to_string).collect::<Vec<_>>();
    let class = (0..boards.len()).map(|row| Code::from(row < won)).collect();
    SQUARES
        .iter()
        .enumerate()
        .map(|(square, name)| {
            let codes = boards.iter().map(|board| board[square]).collect();
            nominal(*name, labels(&["b", "o", "x"]), codes)
        })
        .chain([nominal("Class", labels(&["negative", "positive"]), class)])
        .collect()
}

/// All weights and distances from 1 to 5, the right distance changing fastest. The features are numeric, as in
/// the UCI set; name them nominal to have five categories each, as some papers do.
pub(super) fn balance_scale() -> Vec<Column> {
    let rows = product(&[5; 4]);
    let class = rows
        .iter()
        .map(|row| {
            let torque = |weight: usize, distance: usize| (row[weight] + 1) * (row[distance] + 1);
            match torque(0, 1).cmp(&torque(2, 3)) {
                std::cmp::Ordering::Greater => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 2,
            }
        })
        .collect();
    ["left-weight", "left-distance", "right-weight", "right-distance"]
        .iter()
        .enumerate()
        .map(|(feature, name)| Column {
            name: (*name).into(),
            values: Values::Numeric(rows.iter().map(|row| f64::from(row[feature] + 1)).collect()),
        })
        .chain([nominal("class", ["L", "B", "R"].map(String::from), class)])
        .collect()
}

/// All robots of the MONK's problems, a6 changing fastest; class `1` where the concept holds.
pub(super) fn monks(concept: impl Fn([Code; 6]) -> bool) -> Vec<Column> {
    const VALUES: [Code; 6] = [3, 3, 2, 3, 4, 2];
    let rows = product(&VALUES);
    let class =
        rows.iter().map(|row| Code::from(concept(std::array::from_fn(|feature| row[feature] + 1)))).collect();
    VALUES
        .iter()
        .enumerate()
        .map(|(feature, &values)| {
            let labels = (1..=values).map(|value| value.to_string());
            let codes = rows.iter().map(|row| row[feature]).collect();
            nominal(format!("a{}", feature + 1), labels, codes)
        })
        .chain([numbered("class", 2, class)])
        .collect()
}

/// All rows of codes below `values`, the last place changing fastest.
fn product(values: &[Code]) -> Vec<Vec<Code>> {
    values.iter().fold(vec![Vec::new()], |rows, &values| {
        let longer = |row: Vec<Code>| {
            (0..values).map(move |value| {
                let mut row = row.clone();
                row.push(value);
                row
            })
        };
        rows.into_iter().flat_map(longer).collect()
    })
}
