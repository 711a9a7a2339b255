//! Cut points: the reported cases, and what must hold for any numbers.

use bnc_data::{Discretization, Domain, Encoder, Frame, Histogram, HistogramBuilder, MISSING, Preparation};
use proptest::prelude::*;

use crate::support::{frame, nominal, numeric};

const ALL: [Discretization; 4] =
    [Discretization::Mdl, Discretization::Width(3), Discretization::Frequency(3), Discretization::Median];

fn histogram(rows: &[(f64, usize, u64)]) -> Histogram {
    let mut builder = HistogramBuilder::new(3);
    for &(number, class, weight) in rows {
        builder.add(number, class, weight);
    }
    builder.histogram()
}

fn cuts(method: Discretization, numbers: &[f64], classes: &str) -> Vec<f64> {
    let rows: Vec<_> = numbers
        .iter()
        .zip(classes.bytes())
        .map(|(&number, class)| (number, usize::from(class == b'y'), 1))
        .collect();
    method.cuts("a", &histogram(&rows)).unwrap()
}

fn cuts_of(method: Discretization, numbers: &[f64]) -> Vec<f64> {
    cuts(method, numbers, &"n".repeat(numbers.len()))
}

fn table(numbers: &[f64], classes: &[&str]) -> Frame {
    frame(vec![numeric("a", numbers), nominal("class", &["n", "y"], classes)])
}

fn fit(frame: &Frame, discretization: Discretization) -> Encoder {
    let preparation = Preparation { discretization, ..Preparation::default() };
    Encoder::fit(frame, preparation).unwrap()
}

#[test]
fn r60_cut_between_values_and_its_side() {
    let numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let frame = table(&numbers, &["n", "n", "n", "n", "y", "y", "y", "y"]);
    let encoder = fit(&frame, Discretization::Mdl);
    let domain = encoder.schema().features()[0].domain();
    assert_eq!(*domain, Domain::intervals(vec![4.5]));
    let new = table(&[4.0, 4.5, 4.5_f64.next_up(), 5.0], &["n", "n", "n", "n"]);
    assert_eq!(encoder.encode(&new).unwrap().data.features()[0], [0, 0, 1, 1]);
}

#[test]
fn r61_column_without_cuts_is_kept() {
    let numbers = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0];
    let classes = ["n", "n", "n", "n", "y", "y", "n", "n", "y", "y"];
    let encoder = fit(&table(&numbers, &classes), Discretization::Mdl);
    assert_eq!(encoder.schema().features().len(), 1);
    assert_eq!(encoder.schema().cardinality(0), 1);
    for method in ALL {
        let encoder = fit(&table(&[7.0; 10], &classes), method);
        assert_eq!(encoder.schema().cardinality(0), 1, "{method}");
        let coded = encoder.encode(&table(&[-1e300, 7.0, f64::INFINITY], &["n", "n", "n"])).unwrap();
        assert_eq!(coded.data.features()[0], [0, 0, 0], "{method}");
        assert!(coded.unseen.is_empty());
    }
}

#[test]
fn r62_skewed_values_are_parted() {
    let skewed = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0];
    assert_eq!(cuts_of(Discretization::Frequency(3), &skewed), [0.5]);
    assert_eq!(cuts_of(Discretization::Frequency(3), &[-1.0, -1.0, 1.0, 1.0]), [0.0]);
    assert_eq!(cuts_of(Discretization::Frequency(5), &[1.0, 2.0]), [1.5]);
    // The heavy value last, and in the middle.
    let mirrored: Vec<f64> = skewed.iter().map(|number| -number).collect();
    assert_eq!(cuts_of(Discretization::Frequency(3), &mirrored), [-0.5]);
    assert_eq!(cuts_of(Discretization::Frequency(3), &[1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0]), [1.5, 2.5]);
}

#[test]
fn r22_missing_numbers_are_no_cut_points() {
    let nan = f64::NAN;
    let numbers = [1.0, 2.0, nan, 3.0, nan, 4.0, 5.0, 6.0, nan];
    let frame = table(&numbers, &["n"; 9]);
    for (method, expected) in [
        (Discretization::Mdl, vec![]),
        (Discretization::Width(2), vec![3.5]),
        (Discretization::Frequency(3), vec![2.5, 4.5]),
        (Discretization::Median, vec![3.5]),
    ] {
        let encoder = fit(&frame, method);
        assert_eq!(*encoder.schema().features()[0].domain(), Domain::intervals(expected));
        let codes = encoder.encode(&frame).unwrap().data.features()[0].clone();
        for (number, code) in numbers.iter().zip(codes) {
            assert_eq!(number.is_nan(), code == MISSING, "{method}");
        }
    }
}

#[test]
fn r28_not_a_number_and_infinities() {
    let (nan, infinity) = (f64::NAN, f64::INFINITY);
    let numbers = [-infinity, -infinity, nan, 1.0, 2.0, 3.0, infinity, infinity, nan];
    let frame = table(&numbers, &["n", "n", "n", "n", "n", "y", "y", "y", "y"]);
    for method in ALL {
        let encoder = fit(&frame, method);
        let last = encoder.schema().cardinality(0) as u16 - 1;
        assert!(last >= 1, "{method}");
        let codes = encoder.encode(&frame).unwrap().data.features()[0].clone();
        for (number, code) in [(0, 0), (2, MISSING), (6, last), (8, MISSING)] {
            assert_eq!(codes[number], code, "{method}");
        }
    }
    assert_eq!(cuts_of(Discretization::Width(4), &[-infinity, 3.0]), [f64::MIN]);
    assert_eq!(cuts_of(Discretization::Frequency(2), &[infinity, 3.0]), [f64::MAX]);
    assert_eq!(cuts_of(Discretization::Median, &[-infinity, infinity]), [0.0]);
    assert!(cuts_of(Discretization::Median, &[infinity, infinity, 3.0]).is_empty());
    let (negative, positive) = (vec![-infinity; 9], vec![3.0; 9]);
    let separable = cuts(Discretization::Mdl, &[negative, positive].concat(), "nnnnnnnnnyyyyyyyyy");
    assert_eq!(separable, [f64::MIN]);
}

#[test]
fn equal_width_is_exact_and_covers_the_whole_range_of_numbers() {
    assert_eq!(cuts_of(Discretization::Width(4), &[2.0, 0.0, 8.0, 7.0]), [2.0, 4.0, 6.0]);
    let next = 1.0_f64.next_up();
    assert_eq!(cuts_of(Discretization::Width(9), &[1.0, next]), [1.0]);
    let huge = 2.0_f64.powi(1023);
    let widest = cuts_of(Discretization::Width(4), &[-huge, huge]);
    assert_eq!(widest, [-huge / 2.0, 0.0, huge / 2.0]);
}

#[test]
fn median_takes_ties_to_the_left() {
    let median = |numbers: &[f64]| cuts_of(Discretization::Median, numbers);
    assert_eq!(median(&[3.0, 1.0, 2.0]), [2.0]);
    assert_eq!(median(&[4.0, 3.0, 1.0, 2.0]), [2.5]);
    assert_eq!(median(&[1.0, 2.0, 2.0, 5.0]), [2.0]);
    // The middle two of an even number of rows.
    assert_eq!(median(&[1.0, 1.0, 4.0, 4.0]), [2.5]);
    assert!(median(&[0.0, 1.0, 1.0, 1.0]).is_empty());
    assert!(median(&[]).is_empty());
    let weighted = histogram(&[(1.0, 0, 1), (2.0, 0, 3), (9.0, 0, 3)]);
    assert_eq!(Discretization::Median.cuts("a", &weighted).unwrap(), [2.0]);
}

#[test]
fn many_classes_do_not_overflow() {
    let classes = 2_000;
    let mut builder = HistogramBuilder::new(classes);
    for class in 0..classes {
        builder.add(class as f64, class, 50);
    }
    let cuts = Discretization::Mdl.cuts("a", &builder.histogram()).unwrap();
    assert!(cuts.iter().all(|cut| cut.is_finite()) && !cuts.is_empty());
}

#[test]
fn a_cut_at_every_value_does_not_exhaust_the_stack() {
    let mut builder = HistogramBuilder::new(2);
    for block in 0..3_000_u32 {
        builder.add(f64::from(block), (block % 2) as usize, 100_000);
    }
    let cuts = Discretization::Mdl.cuts("a", &builder.histogram()).unwrap();
    assert_eq!(cuts.len(), 2_999);
}

/// Class entropy in bits of the rows in `range`, straight from its definition.
fn entropy(rows: &[(f64, usize, u64)]) -> f64 {
    let total = rows.iter().map(|row| row.2).sum::<u64>() as f64;
    (0..3)
        .map(|class| {
            let count = rows.iter().filter(|row| row.1 == class).map(|row| row.2).sum::<u64>() as f64;
            if count > 0.0 { -count / total * (count / total).log2() } else { 0.0 }
        })
        .sum()
}

fn count(rows: &[(f64, usize, u64)]) -> f64 {
    rows.iter().map(|row| row.2).sum::<u64>() as f64
}

/// The cuts of the method, as its definition reads: recursive, all sums anew at every candidate.
fn mdl_by_definition(rows: &[(f64, usize, u64)], out: &mut Vec<f64>) {
    let split = |cut: f64| rows.split_at(rows.partition_point(|row| row.0 <= cut));
    let conditional = |cut: f64| {
        let (left, right) = split(cut);
        (count(left) * entropy(left) + count(right) * entropy(right)) / count(rows)
    };
    let candidates =
        rows.windows(2).filter(|pair| pair[0].0 < pair[1].0).map(|pair| f64::midpoint(pair[0].0, pair[1].0));
    let mut best = None;
    for cut in candidates {
        // Entropies that differ by rounding only are equal, and the first counts.
        if best.is_none_or(|(least, _)| conditional(cut) < least - 1e-12) {
            best = Some((conditional(cut), cut));
        }
    }
    let Some((least, cut)) = best else { return };
    let (left, right) = split(cut);
    let present = |rows: &[(f64, usize, u64)]| {
        (0..3).filter(|&class| rows.iter().any(|row| row.1 == class)).count() as f64
    };
    let gain = entropy(rows) - least;
    let delta = (3.0_f64.powf(present(rows)) - 2.0).log2()
        - (present(rows) * entropy(rows) - present(left) * entropy(left) - present(right) * entropy(right));
    if gain > ((count(rows) - 1.0).log2() + delta) / count(rows) {
        mdl_by_definition(left, out);
        out.push(cut);
        mdl_by_definition(right, out);
    }
}

fn rows() -> impl Strategy<Value = Vec<(f64, usize, u64)>> {
    // Few distinct values make ties, a class that follows the number makes cuts.
    let row = (0..40_u8, 0..8_usize, 1..4_u64).prop_map(|(number, noise, weight)| {
        let class = if noise < 3 { noise } else { usize::from(number / 14) };
        (f64::from(number) / 4.0, class, weight)
    });
    proptest::collection::vec(row, 0..120)
}

proptest! {
    #[test]
    fn mdl_is_what_its_definition_says(mut rows in rows()) {
        let found = Discretization::Mdl.cuts("a", &histogram(&rows)).unwrap();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut expected = Vec::new();
        mdl_by_definition(&rows, &mut expected);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn order_and_weights_do_not_matter(rows in rows(), k in 2..12_u16) {
        let reversed: Vec<_> = rows.iter().rev().copied().collect();
        let repeated: Vec<_> = rows
            .iter()
            .flat_map(|&(number, class, weight)| vec![(number, class, 1); weight as usize])
            .collect();
        for method in [
            Discretization::Mdl,
            Discretization::Width(k),
            Discretization::Frequency(k),
            Discretization::Median,
        ] {
            let cuts = method.cuts("a", &histogram(&rows)).unwrap();
            prop_assert_eq!(&cuts, &method.cuts("a", &histogram(&reversed)).unwrap());
            prop_assert_eq!(&cuts, &method.cuts("a", &histogram(&repeated)).unwrap());
        }
    }

    #[test]
    fn cuts_are_finite_increasing_and_part_what_can_be_parted(
        numbers in proptest::collection::vec((proptest::num::f64::ANY, 0..3_usize), 0..40),
        k in 2..12_u16,
    ) {
        let rows: Vec<_> = numbers.iter().map(|&(number, class)| (number, class, 1)).collect();
        let histogram = histogram(&rows);
        for method in [
            Discretization::Mdl,
            Discretization::Width(k),
            Discretization::Frequency(k),
            Discretization::Median,
        ] {
            let cuts = method.cuts("a", &histogram).unwrap();
            prop_assert!(cuts.iter().all(|cut| cut.is_finite()));
            prop_assert!(cuts.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(cuts.len() < usize::from(k).max(2) || method == Discretization::Mdl);
            // Every cut but the inner ones of equal width has rows on both sides.
            let values: Vec<f64> = histogram.values().map(|(value, _)| value).collect();
            for cut in &cuts {
                prop_assert!(values[0] <= *cut && *cut < values[values.len() - 1], "{}", method);
            }
            if matches!(method, Discretization::Width(_) | Discretization::Frequency(_)) {
                prop_assert_eq!(cuts.is_empty(), values.len() < 2);
            }
        }
    }

    #[test]
    fn equal_frequency_is_as_even_as_distinct_values_allow(size in 1..200_usize, k in 2..12_u16) {
        let numbers: Vec<f64> = (0..size).map(|number| number as f64).collect();
        let below = |cut: f64| numbers.iter().filter(|&&number| number <= cut).count();
        let cuts = cuts_of(Discretization::Frequency(k), &numbers);
        let edges = cuts.iter().map(|&cut| below(cut));
        let edges: Vec<usize> = [0].into_iter().chain(edges).chain([size]).collect();
        let sizes = || edges.windows(2).map(|pair| pair[1] - pair[0]);
        if size >= usize::from(k) {
            prop_assert_eq!(sizes().count(), usize::from(k));
            prop_assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1);
        }
    }
}
