//! The results as tables that people read.

use std::fmt::Write;

use comfy_table::Table;

use super::comparison::{Mean, Row};
use super::document::Document;
use super::protocol::{Measured, Protocol};
use super::significance::{Order, Versus};
use crate::error::Result;
use crate::text::{counted, table};

/// What marks a figure that is far from the published one.
const FAR: char = '≠';

/// The tables with their legends: of each measure by data set, the means, the tests, and what must be known of them.
pub(super) fn report(protocol: &Protocol, document: &Document<'_>) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "{}", document.paper)?;
    writeln!(text, "{}.", document.procedure)?;
    for measured in protocol.measures {
        writeln!(text, "\n{}", measured.title)?;
        writeln!(text, "{}", by_set(document, measured).trim_fmt())?;
    }
    writeln!(text, "\nmeans over the data sets\n{}", means(protocol, document).trim_fmt())?;
    if !document.gains.is_empty() {
        writeln!(text, "\n{}", gains(document).trim_fmt())?;
    }
    if !document.tests.is_empty() {
        writeln!(text, "\n{}", tests(&document.tests).trim_fmt())?;
    }
    for order in &document.orders {
        write_order(&mut text, order)?;
    }
    write_legend(&mut text, protocol, document)?;
    Ok(text)
}

/// Sets down, learners across; the published figures below ours where there are some.
fn by_set(document: &Document<'_>, measured: &Measured) -> Table {
    let rows: Vec<&Row<'_>> =
        document.rows.iter().filter(|row| row.measure == measured.measure.name()).collect();
    let compared = rows.iter().any(|row| row.published.is_some());
    let mut header = vec!["data".to_string()];
    if compared {
        header.push(String::new());
    }
    let first_number = header.len();
    header.extend(document.learners.iter().map(|learner| learner.name.to_string()));
    let mut table = table(&header, first_number);
    for set in &document.data_sets {
        let of = |name: &str| rows.iter().find(|row| row.dataset == set.dataset && row.name == name);
        let cells = |cell: &dyn Fn(&Row<'_>) -> String| -> Vec<String> {
            document.learners.iter().map(|it| of(it.name).map_or_else(String::new, |row| cell(row))).collect()
        };
        let ours = cells(&|row| {
            let mark = if row.differs { FAR } else { ' ' };
            let mark = if compared { mark.to_string() } else { String::new() };
            format!("{}{mark}", number(row.ours, measured))
        });
        let name = set.dataset.to_string();
        if !compared {
            table.add_row(std::iter::once(name).chain(ours));
            continue;
        }
        table.add_row([name, "ours".into()].into_iter().chain(ours));
        let published = cells(&|row| format!("{} ", number(row.published, measured)));
        table.add_row([String::new(), "published".into()].into_iter().chain(published));
    }
    table
}

fn means(protocol: &Protocol, document: &Document<'_>) -> Table {
    let header = ["measure", "learner", "ours", "sets", "published", "sets", "difference", ""];
    let mut table = table(&header.map(String::from), 2);
    if let Some(column) = table.column_mut(7) {
        column.set_cell_alignment(comfy_table::CellAlignment::Left);
    }
    let of = |measured: &Measured, mean: &Mean, first: bool| {
        let mark = if mean.differs { FAR } else { ' ' };
        let difference = mean.difference.map(|it| format!("{}{mark}", signed(it, measured.unit.places())));
        [
            if first { measured.title.to_string() } else { String::new() },
            mean.name.to_string(),
            number(mean.ours, measured),
            mean.data_sets.to_string(),
            number(mean.published, measured),
            mean.published_data_sets.map_or_else(String::new, |sets| sets.to_string()),
            difference.unwrap_or_default(),
            mean.source.clone().unwrap_or_default(),
        ]
    };
    for measured in protocol.measures {
        let its = document.means.iter().filter(|mean| mean.measure == measured.measure.name());
        for (index, mean) in its.enumerate() {
            table.add_row(of(measured, mean, index == 0));
        }
    }
    table
}

fn gains(document: &Document<'_>) -> Table {
    let mut table =
        table(&["gain", "data", "measure", "ours", "published", "difference"].map(String::from), 3);
    for gain in &document.gains {
        table.add_row([
            format!("{} over {}", gain.names[0], gain.names[1]),
            gain.dataset.to_string(),
            format!("{}, {}", gain.measure, gain.unit),
            signed(gain.ours, 2),
            signed(gain.published, 2),
            signed(gain.difference, 2),
        ]);
    }
    table
}

/// Wins, ties and losses, and p-values over all sets where there are some.
fn tests(tests: &[Versus<'_>]) -> Table {
    let has_p = tests.iter().any(|test| test.p.is_some());
    let has_adjusted = tests.iter().any(|test| test.adjusted_p.is_some());
    let mut header = vec!["test", "measure", "comparison", "wins/ties/losses"];
    if has_p {
        header.push("p");
    }
    if has_adjusted {
        header.push("adjusted p");
    }
    header.push("published");
    let header: Vec<String> = header.into_iter().map(String::from).collect();
    let mut table = table(&header, 3);
    let p = |p: Option<f64>| p.map_or_else(String::new, |p| format!("{p:.4}"));
    for (index, test) in tests.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &tests[before]);
        let is_new = |of: fn(&Versus<'_>) -> &'static str| before.is_none_or(|before| of(before) != of(test));
        let mut row = vec![
            if is_new(|it| it.test) { test.test.to_string() } else { String::new() },
            if is_new(|it| it.measure) { test.measure.to_string() } else { String::new() },
            format!("{} against {}", test.names[0], test.names[1]),
            format!("{}/{}/{}", test.ours.wins, test.ours.ties, test.ours.losses),
        ];
        if has_p {
            row.push(p(test.p));
        }
        if has_adjusted {
            row.push(p(test.adjusted_p));
        }
        row.push(test.published.as_ref().map_or_else(String::new, |found| {
            let value = found.wins.map(|wins| format!("{wins} wins"));
            let value = value.or(found.adjusted_p.map(|p| format!("adjusted p {p:.4}")));
            let sets = found.data_sets.map_or_else(String::new, |sets| format!(", {sets} sets"));
            format!("{}{sets}", value.unwrap_or_default())
        }));
        table.add_row(row);
    }
    table
}

fn write_order(text: &mut String, order: &Order<'_>) -> std::fmt::Result {
    let header = ["place", "learner", "mean rank", "published place"].map(String::from);
    let mut table = table(&header, 2);
    for place in &order.learners {
        table.add_row([
            place.place.to_string(),
            place.name.to_string(),
            format!("{:.3}", place.mean_rank),
            place.published_place.map_or_else(String::new, |place| place.to_string()),
        ]);
    }
    writeln!(
        text,
        "\n{} test of {} over {}: χ² = {:.2}, p = {}; Nemenyi's critical difference (5 %) {:.3}\n{}",
        order.test,
        order.measure,
        counted(order.data_sets as u64, "data set"),
        order.chi_square,
        crate::text::probability(order.p),
        order.critical_difference,
        table.trim_fmt()
    )
}

fn write_legend(text: &mut String, protocol: &Protocol, document: &Document<'_>) -> std::fmt::Result {
    let folds = counted(document.folds as u64, "fold");
    let repeats = counted(document.repeats as u64, "repeat");
    let source = match (&document.folds_from, document.seed) {
        (Some(folder), _) => format!("from {folder}"),
        (None, Some(seed)) => format!("seed {seed}"),
        (None, None) => String::new(),
    };
    writeln!(
        text,
        "\nOur folds: {folds}, {repeats}, {source}. What is learnt before the split flatters all learners."
    )?;
    let learners: Vec<String> =
        document.learners.iter().map(|it| format!("{} is {}", it.name, it.spec)).collect();
    writeln!(text, "{}.", learners.join(", "))?;
    if document.means.iter().any(|mean| mean.published.is_none()) {
        writeln!(text, "– never published in a readable table.")?;
    }
    if document.repeats != protocol.repeats {
        writeln!(text, "The paper's protocol has {}.", counted(protocol.repeats as u64, "repeat"))?;
    }
    let differs = document.rows.iter().any(|row| row.differs) || document.means.iter().any(|it| it.differs);
    if differs {
        for measured in protocol.measures {
            let [set, mean] = measured.tolerance;
            writeln!(
                text,
                "{FAR} {}: further than {set} from every published figure of the set, and than one row; of means, than {mean}.",
                measured.measure.name()
            )?;
        }
    }
    if !document.data_sets_missing.is_empty() {
        writeln!(text, "Missing data sets: {}.", document.data_sets_missing.join(", "))?;
    }
    for set in &document.data_sets {
        if let Some(remark) = set.remark {
            writeln!(text, "{}: {remark}.", set.dataset)?;
        }
    }
    for remark in document.remarks {
        writeln!(text, "{remark}")?;
    }
    Ok(())
}

/// With its sign, and without one that is left of rounding.
fn signed(value: f64, places: usize) -> String {
    let text = format!("{value:+.places$}");
    if text.bytes().any(|byte| matches!(byte, b'1'..=b'9')) { text } else { text.replace('-', "+") }
}

fn number(value: Option<f64>, measured: &Measured) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.places$}", places = measured.unit.places()))
}
