//! Joint tables summed down to the tables of pairs, single features and the class.

use smallvec::SmallVec;

use super::Job;
use super::combined::{Digit, Group};

/// A joint table: the code of the lead is slowest, then that of the part, then the class.
pub(super) struct JointTable<'a> {
    pub(super) lead: &'a Group,
    pub(super) part: Option<&'a Group>,
    pub(super) classes: usize,
    pub(super) extended: usize,
    pub(super) totals: &'a [u32],
}

impl JointTable<'_> {
    /// Adds its sums to the cells of the tables.
    pub(super) fn add(&self, jobs: &mut [Job<'_>], sums: &mut Vec<u32>) {
        let mut summed = None;
        for job in jobs {
            let (vars, dims, Some(cells)) = job.table.parts_mut() else {
                continue;
            };
            let Some(part) = self.part else {
                let digits: SmallVec<[&Digit; 2]> =
                    vars.iter().filter_map(|feature| self.lead.digit(feature)).collect();
                let configuration = |code: usize| {
                    digits
                        .iter()
                        .try_fold(0, |number, digit| Some(number * digit.values + digit.value(code)?))
                };
                self.add_runs(self.totals, configuration, cells);
                continue;
            };
            let of_lead = vars.iter().find_map(|feature| self.lead.digit(feature));
            let of_part = vars.iter().find_map(|feature| part.digit(feature));
            let (Some(of_lead), Some(of_part)) = (of_lead, of_part) else {
                continue;
            };
            let width = part.size * self.extended;
            if summed != Some(of_lead.feature) {
                of_lead.sum(self.totals, width, sums);
                summed = Some(of_lead.feature);
            }
            // How far apart two values lie in the table.
            let (far, near) = if of_lead.feature < of_part.feature { (dims[1], 1) } else { (1, dims[1]) };
            for (value, sums) in sums.chunks_exact(width).enumerate() {
                let configuration = |code: usize| Some(value * far + of_part.value(code)? * near);
                self.add_runs(sums, configuration, cells);
            }
        }
    }

    /// Adds the run over the classes of every code to that of its configuration, if it has one.
    fn add_runs(&self, sums: &[u32], configuration: impl Fn(usize) -> Option<usize>, cells: &mut [u64]) {
        for (code, run) in sums.chunks_exact(self.extended).enumerate() {
            if let Some(configuration) = configuration(code) {
                let cells = &mut cells[configuration * self.classes..][..self.classes];
                cells.iter_mut().zip(run).for_each(|(cell, &count)| *cell += u64::from(count));
            }
        }
    }
}

impl Digit {
    /// The value in a joint code; `None` where it is missing.
    fn value(&self, code: usize) -> Option<usize> {
        let value = code / self.stride % self.extended;
        (value < self.values).then_some(value)
    }

    /// Sums runs of `width` down to one for each value.
    fn sum(&self, totals: &[u32], width: usize, sums: &mut Vec<u32>) {
        sums.clear();
        sums.resize(self.values * width, 0);
        for (code, run) in totals.chunks_exact(width).enumerate() {
            if let Some(value) = self.value(code) {
                let sums = &mut sums[value * width..][..width];
                sums.iter_mut().zip(run).for_each(|(sum, &count)| *sum += count);
            }
        }
    }
}
