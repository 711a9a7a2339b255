//! Cut points that do not look at the class: equal width, equal frequency, median.

use super::between;
use crate::Histogram;

/// `low + i (high - low) / k`, low and high the extreme finite values. A cut that coincides with another one or
/// reaches `high`, because the range is too narrow for so many numbers, is left out. Two distinct values are
/// always parted.
pub(super) fn width(histogram: &Histogram, intervals: u16) -> Vec<f64> {
    let mut finite = histogram.values().map(|(value, _)| value).filter(|value| value.is_finite());
    let mut cuts = Vec::new();
    if let Some(low) = finite.next() {
        let high = finite.last().unwrap_or(low);
        let k = f64::from(intervals);
        // Halves, where the range itself is beyond the largest number.
        let scale = if (high - low).is_finite() { 1.0 } else { 2.0 };
        let step = (high / scale - low / scale) / k;
        cuts = (1..intervals).map(|i| (low / scale + step * f64::from(i)) * scale).collect();
        cuts.dedup();
        cuts.retain(|&cut| cut < high);
    }
    if cuts.is_empty() {
        // Nothing but one finite value and infinities, or two neighbouring numbers.
        let values: Vec<f64> = histogram.values().map(|(value, _)| value).collect();
        cuts = values.windows(2).filter_map(|pair| between(pair[0], pair[1])).take(1).collect();
    }
    cuts
}

/// The boundaries between distinct values nearest to the quantiles.
pub(super) fn frequency(histogram: &Histogram, intervals: u16) -> Vec<f64> {
    let values: Vec<(f64, u64)> = histogram.values().collect();
    let total = u128::from(histogram.total());
    let k = u128::from(intervals);
    let mut left = 0;
    // For each boundary that can be cut: how many rows are on its left, and the cut.
    let boundaries: Vec<(u128, f64)> = values
        .windows(2)
        .filter_map(|pair| {
            left += u128::from(pair[0].1);
            between(pair[0].0, pair[1].0).map(|cut| (left, cut))
        })
        .collect();
    let nearest = |i: u128| {
        let distance = |&(left, _): &(u128, f64)| (left * k).abs_diff(i * total);
        let after = boundaries.partition_point(|(left, _)| left * k < i * total);
        // `min_by_key` keeps the first of equally near ones.
        boundaries[after.saturating_sub(1)..]
            .iter()
            .take(2)
            .min_by_key(|boundary| distance(boundary))
            .map(|&(_, cut)| cut)
    };
    let mut cuts: Vec<f64> = (1..k).filter_map(nearest).collect();
    cuts.dedup();
    cuts
}

/// The median, unless no value is above it.
pub(super) fn median(histogram: &Histogram) -> Vec<f64> {
    let total = histogram.total();
    let mut seen = 0;
    let mut values = histogram.values();
    // The lower one of the middle two rows, or the middle one.
    let lower = values.by_ref().find(|&(_, count)| {
        seen += count;
        seen > total.saturating_sub(1) / 2
    });
    let (Some((lower, _)), Some((next, _))) = (lower, values.next()) else {
        return Vec::new();
    };
    let cut = if seen > total / 2 && lower.is_finite() {
        Some(lower)
    } else {
        // The middle two rows differ, or the median is minus infinity.
        between(lower, next)
    };
    cut.into_iter().collect()
}
