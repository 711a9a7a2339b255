//! Prediction of many rows: a block of rows at a time and in it family by family, so that columns and tables are read where
//! they lie. Every class adds its logarithms in the order in which a single row does.

use std::ops::Range;

use bnc_data::{Code, Dataset, MISSING, Variable};
use multiversion::multiversion;

use super::table::Blocks;
use super::{ConditionalTable, Network, add_run};
use crate::classifier::row_by_row;
use crate::exponential::exponentials;
use crate::logarithm::{divide_by_sum, subtract_largest};
use crate::{Classifier, Result};

/// The rows of a block: their sums and the places of their runs stay in the first-level cache.
const ROWS: usize = 256;

/// A place outside of every table: nothing is added.
const NOWHERE: u32 = u32::MAX;

/// A block of rows, and what is needed to classify it.
struct Block<'a> {
    /// For each feature its codes.
    columns: Vec<&'a [Code]>,
    /// For each feature whether the data lack a code.
    missing: &'a [bool],
    /// The rows in which a known value or the class depends on a missing one: they need inference.
    waiting: [bool; ROWS],
    /// For each row where the run of a family starts in its table.
    places: [u32; ROWS],
}

impl Network {
    /// What [`Classifier::posteriors_into`] asks for.
    pub(super) fn classify(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        let (classes, features) = (self.schema.classes(), self.schema.features());
        // A data set keeps to its own domains.
        let fits = |(known, theirs): (&Variable, &Variable)| theirs.cardinality() <= known.cardinality();
        let of_data = data.schema().features();
        if of_data.len() != features.len() || !features.iter().zip(of_data).all(fits) {
            return row_by_row(self, data, rows, out);
        }
        let mut block = Block {
            columns: Vec::with_capacity(features.len()),
            missing: data.features_have_missing(),
            waiting: [false; ROWS],
            places: [NOWHERE; ROWS],
        };
        for (first, out) in rows.clone().step_by(ROWS).zip(out.chunks_mut(ROWS * classes)) {
            let rows = first..rows.end.min(first + out.len() / classes);
            let out = &mut out[..rows.len() * classes];
            block.read(data, rows.clone());
            block.add_all(self, out);
            block.finish(self, data, rows, out)?;
        }
        Ok(())
    }
}

impl<'a> Block<'a> {
    /// Moves to other rows.
    fn read(&mut self, data: &'a Dataset, rows: Range<usize>) {
        self.waiting.fill(false);
        self.columns.clear();
        self.columns.extend(data.features().iter().map(|column| &column[rows.clone()]));
    }

    /// The log scores of all rows; those of the waiting ones lack something.
    fn add_all(&mut self, network: &Network, out: &mut [f64]) {
        let parents = network.structure.class_parents();
        if parents.is_empty() {
            let prior = network.class.block(&[]);
            out.chunks_exact_mut(prior.len()).for_each(|scores| scores.copy_from_slice(prior));
        } else {
            out.fill(0.0);
            self.add_family(&network.class, parents, None, network.schema.classes(), out);
        }
        for (feature, (family, table)) in network.structure.features().iter().zip(&network.tables).enumerate()
        {
            self.add_family(table, &family.parents, Some(feature), network.schema.classes(), out);
        }
    }

    /// Adds the runs of a family; `own` is its feature, none for the class.
    fn add_family(
        &mut self,
        table: &ConditionalTable,
        parents: &[usize],
        own: Option<usize>,
        classes: usize,
        out: &mut [f64],
    ) {
        for &parent in parents.iter().filter(|parent| self.missing[**parent]) {
            let missing = self.waiting.iter_mut().zip(self.columns[parent]);
            match own {
                None => missing.for_each(|(waits, &code)| *waits |= code == MISSING),
                Some(own) => missing
                    .zip(self.columns[own])
                    .for_each(|((waits, &code), &own)| *waits |= code == MISSING && own != MISSING),
            }
        }
        match table.blocks() {
            Blocks::Dense(logs) if logs.len() < NOWHERE as usize => {
                // The class's own table has blocks only.
                let run = if own.is_some() { table.run_length() } else { table.block_length() };
                self.place(table, parents, own, run);
                add_runs(logs, run, &self.places, classes, out);
            }
            _ => self.look_up(table, parents, own, classes, out),
        }
    }

    /// Finds the places of a family's runs in a table that has all of them; nowhere where a value is missing.
    fn place(&mut self, table: &ConditionalTable, parents: &[usize], own: Option<usize>, run: usize) {
        self.places.fill(0);
        let mut stride = run as u32;
        let dims = table.dims().iter().rev().skip(usize::from(own.is_none()));
        let axes = || own.into_iter().chain(parents.iter().rev().copied());
        for (axis, &dim) in axes().zip(dims) {
            // Missing codes make numbers without a meaning, which the next loop replaces.
            add_axis(self.columns[axis], stride, &mut self.places);
            stride = stride.wrapping_mul(dim as u32);
        }
        for axis in axes().filter(|axis| self.missing[*axis]) {
            for (place, &code) in self.places.iter_mut().zip(self.columns[axis]) {
                *place = if code == MISSING { NOWHERE } else { *place };
            }
        }
    }

    /// Adds the runs of a family whose table has no places, row by row.
    fn look_up(
        &self,
        table: &ConditionalTable,
        parents: &[usize],
        own: Option<usize>,
        classes: usize,
        out: &mut [f64],
    ) {
        for (row, scores) in out.chunks_exact_mut(classes).enumerate() {
            let own = own.map(|own| self.columns[own][row]);
            if self.waiting[row] || own == Some(MISSING) {
                continue;
            }
            let codes = parents.iter().map(|&parent| self.columns[parent][row]);
            match own {
                Some(own) => add_run(table.run_of(codes, own), scores),
                None => add_run(table.block_of(codes), scores),
            }
        }
    }

    /// Turns log scores into posteriors, and gives the rows that need more than sums to the network.
    fn finish(
        &mut self,
        network: &Network,
        data: &Dataset,
        rows: Range<usize>,
        out: &mut [f64],
    ) -> Result<()> {
        let classes = network.schema.classes();
        for (scores, waits) in out.chunks_exact_mut(classes).zip(&mut self.waiting) {
            *waits |= !subtract_largest(scores);
        }
        exponentials(out);
        let mut row = Vec::new();
        for ((index, posterior), &waits) in rows.zip(out.chunks_exact_mut(classes)).zip(&self.waiting) {
            if waits {
                row.resize(self.columns.len(), MISSING);
                data.row_into(index, &mut row);
                network.posterior_into(&row, posterior)?;
            } else {
                divide_by_sum(posterior);
            }
        }
        Ok(())
    }
}

/// Moves places along an axis of a table.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn add_axis(codes: &[Code], stride: u32, places: &mut [u32; ROWS]) {
    for (place, &code) in places.iter_mut().zip(codes) {
        *place = place.wrapping_add(u32::from(code).wrapping_mul(stride));
    }
}

/// Adds to each row's scores the run at its place, if it has one.
fn add_runs(logs: &[f64], run: usize, places: &[u32], classes: usize, out: &mut [f64]) {
    match (run == 1, classes) {
        (false, 2) => add_fixed::<2>(logs, places, out),
        (false, 3) => add_fixed::<3>(logs, places, out),
        (false, 4) => add_fixed::<4>(logs, places, out),
        (false, 5) => add_fixed::<5>(logs, places, out),
        (false, 6) => add_fixed::<6>(logs, places, out),
        (false, 7) => add_fixed::<7>(logs, places, out),
        (false, 8) => add_fixed::<8>(logs, places, out),
        _ => {
            for (scores, &place) in out.chunks_exact_mut(classes).zip(places) {
                if let Some(run) = logs.get(place as usize..).and_then(|logs| logs.get(..run)) {
                    add_run(run, scores);
                }
            }
        }
    }
}

/// The same for a number of classes whose loops unroll.
fn add_fixed<const CLASSES: usize>(logs: &[f64], places: &[u32], out: &mut [f64]) {
    for (scores, &place) in out.as_chunks_mut::<CLASSES>().0.iter_mut().zip(places) {
        if let Some(run) = logs.get(place as usize..).and_then(|logs| logs.first_chunk::<CLASSES>()) {
            scores.iter_mut().zip(run).for_each(|(score, log)| *score += log);
        }
    }
}
