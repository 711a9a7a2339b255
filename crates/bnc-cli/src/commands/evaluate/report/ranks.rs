//! The learners over several data sets: mean ranks, and every one against every other.

use std::fmt::Write;

use bnc_eval::{Friedman, Nemenyi};
use comfy_table::Table;

use crate::experiment::Significance;
use crate::text::{p_value, table};

/// So many learners have a column each; the JSON document has all pairs.
const COLUMNS: usize = 12;

/// Writes what the tests by accuracy say.
pub(super) fn write(text: &mut String, learners: &[&str], found: &Significance) -> std::fmt::Result {
    let (Some(friedman), Some(nemenyi)) = (&found.friedman, &found.nemenyi) else { return Ok(()) };
    writeln!(text, "\nOver {} data sets by accuracy", friedman.data_sets)?;
    writeln!(text, "{}", pairs(learners, friedman, found).trim_fmt())?;
    write!(text, "Mean rank: 1 is best. Friedman χ² = {:.3}", friedman.chi_square.statistic)?;
    writeln!(
        text,
        ", {} degrees of freedom, p = {}; Iman and Davenport F = {:.3}, p = {}.",
        learners.len() - 1,
        p_value(friedman.chi_square.p),
        friedman.iman_davenport.statistic,
        p_value(friedman.iman_davenport.p)
    )?;
    write!(text, "Nemenyi's critical difference of mean ranks, 5 %: {:.3}", nemenyi.critical_difference)?;
    writeln!(text, "; not different: {}.", groups(learners, nemenyi))?;
    writeln!(text, "v NAME: data sets won/tied/lost against it, corrected resampled t-test, 5 %.")
}

fn pairs(learners: &[&str], friedman: &Friedman, found: &Significance) -> Table {
    let shown = learners.len().min(COLUMNS);
    let header: Vec<String> = ["learner".to_string(), "mean rank".into()]
        .into_iter()
        .chain(learners[..shown].iter().map(|name| format!("v {name}")))
        .collect();
    let mut table = table(&header, 1);
    for (index, name) in learners.iter().enumerate() {
        let against = (0..shown).map(|other| {
            found
                .tally(index, other)
                .map_or_else(String::new, |it| format!("{}/{}/{}", it.wins, it.ties, it.losses))
        });
        let rank = format!("{:.3}", friedman.mean_ranks[index]);
        table.add_row([(*name).to_string(), rank].into_iter().chain(against));
    }
    table
}

fn groups(learners: &[&str], nemenyi: &Nemenyi) -> String {
    if nemenyi.groups.is_empty() {
        return "none".into();
    }
    let group = |group: &Vec<usize>| group.iter().map(|&it| learners[it]).collect::<Vec<_>>().join(" = ");
    nemenyi.groups.iter().map(group).collect::<Vec<_>>().join("; ")
}
