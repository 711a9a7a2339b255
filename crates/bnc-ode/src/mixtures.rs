//! Hidden naive Bayes for many rows at once: one feature after the other, with the sums of the single rows.

#![allow(
    clippy::inline_always,
    reason = "the loops must be compiled with the instructions of each of their callers"
)]

use std::ops::Range;

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::{Classifier, Result, normalize};
use multiversion::multiversion;

use crate::hnb::{HnbModel, Mixture};
use crate::tiles::{TILE, Tiles, plus, run};

/// The number of rows to take at a time.
const ROWS: usize = 1 << 10;

/// The posteriors of some rows, those of [`Classifier::posterior_into`] bit for bit. A row with a missing value, of which the
/// mixtures have other weights, is taken alone.
pub(crate) fn posteriors_into(
    model: &HnbModel,
    data: &Dataset,
    rows: Range<usize>,
    out: &mut [f64],
) -> Result<()> {
    let (tables, classes) = (model.tables(), model.schema().classes());
    let mut row = vec![MISSING; data.features().len()];
    let together = rows.len() >= TILE && !row.is_empty();
    let all: Vec<usize> = (0..tables.features()).collect();
    let mut tiles = Tiles::new(tables);
    let (mut mixture, mut sums) = (Mixture::default(), Vec::new());
    let end = rows.end;
    for (start, out) in rows.step_by(ROWS).zip(out.chunks_mut(ROWS * classes)) {
        let rows = start..end.min(start + ROWS);
        let summed = together && tiles.read(tables, data, &rows);
        if summed {
            out.chunks_exact_mut(classes).for_each(|out| out.copy_from_slice(&tables.prior));
            sums.resize(rows.len().next_multiple_of(TILE) * classes, 0.0);
            for child in 0..all.len() {
                let mixture = model.mix(child, &all, &mut mixture).then_some(&mixture);
                add_factor(model, &tiles, child, mixture, &mut sums, out);
            }
        }
        for (index, out) in rows.zip(out.chunks_exact_mut(classes)) {
            data.row_into(index, &mut row);
            if !summed || row.contains(&MISSING) || !normalize(out) {
                model.posterior_into(&row, out)?;
            }
        }
    }
    Ok(())
}

/// Adds the logarithm of the factor of a feature to the scores of all rows that know every value.
fn add_factor(
    model: &HnbModel,
    tiles: &Tiles,
    child: usize,
    mixture: Option<&Mixture>,
    sums: &mut [f64],
    out: &mut [f64],
) {
    let classes = tiles.classes;
    let Some(mixture) = mixture else {
        let codes = tiles.iter().flat_map(|(_, codes)| codes[child]);
        for (code, out) in codes.zip(out.chunks_exact_mut(classes)).filter(|(code, _)| *code != MISSING) {
            out.iter_mut().zip(model.tables().naive_run(child, code)).for_each(|(score, log)| *score += log);
        }
        return;
    };
    add_probabilities(model, tiles, child, mixture, sums);
    for (score, sum) in out.iter_mut().zip(sums) {
        *score += (*sum / mixture.sum).ln();
    }
}

/// The weighted sums of the probabilities of a feature's values by class.
#[multiversion(targets("x86_64+avx2"))]
fn add_probabilities(model: &HnbModel, tiles: &Tiles, child: usize, mixture: &Mixture, sums: &mut [f64]) {
    let classes = tiles.classes;
    let of_tiles = sums.chunks_exact_mut(TILE * classes);
    for ((_, codes), of_tile) in tiles.iter().zip(of_tiles) {
        let mut class = 0;
        while class < classes {
            class += match classes - class {
                5.. => add_part::<8>(model, codes, (child, class), mixture, of_tile),
                _ => add_part::<4>(model, codes, (child, class), mixture, of_tile),
            };
        }
    }
}

/// The same for a tile and `WIDTH` classes from one on, of which those past the last are dropped.
#[inline(always)]
fn add_part<const WIDTH: usize>(
    model: &HnbModel,
    codes: &[[Code; TILE]],
    (child, class): (usize, usize),
    mixture: &Mixture,
    out: &mut [f64],
) -> usize {
    let classes = out.len() / TILE;
    let [mut a, mut b, mut c, mut d] = [[0.0; WIDTH]; TILE];
    let own = codes[child];
    for &(parent, weight) in &mixture.weights {
        let (children, place, width) = model.children(parent, child);
        let cells = |code: Code, own: Code| {
            let start = place + usize::from(code) * width + usize::from(own) * classes + class;
            run::<WIDTH>(children, start)
        };
        let [code_a, code_b, code_c, code_d] = codes[parent];
        a = plus_times(a, weight, cells(code_a, own[0]));
        b = plus_times(b, weight, cells(code_b, own[1]));
        c = plus_times(c, weight, cells(code_c, own[2]));
        d = plus_times(d, weight, cells(code_d, own[3]));
    }
    for (row, sums) in [a, b, c, d].iter().enumerate() {
        for (out, sum) in out[row * classes + class..(row + 1) * classes].iter_mut().zip(sums) {
            *out = *sum;
        }
    }
    WIDTH
}

/// The sums with a weighted run more, where there is one.
#[inline(always)]
fn plus_times<const WIDTH: usize>(
    sums: [f64; WIDTH],
    weight: f64,
    run: Option<&[f64; WIDTH]>,
) -> [f64; WIDTH] {
    plus(sums, run.map(|run| run.map(|probability| weight * probability)).as_ref())
}
