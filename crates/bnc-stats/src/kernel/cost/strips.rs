//! What positional counts save.

use super::{NANOSECONDS_A_FRESH_BYTE, Rows, suits, values};
use crate::Table;
use crate::kernel::carry_save::{Bitmap, Counts};
use crate::kernel::dispatch::nanoseconds_a_bitmap;
use crate::kernel::positional::{BLOCK, Layout};

/// The tables that are counted by positional counts, and what that saves.
pub(super) struct Strips {
    pub(super) layout: Layout,
    /// By table, its strip.
    pub(super) of_tables: Vec<Option<usize>>,
    pub(super) saved: f64,
}

impl Strips {
    /// What is worth it beside the times of the tables by themselves.
    pub(super) fn best(tables: &[Table], times: &[f64], rows: &Rows<'_>) -> Option<Self> {
        let classes = tables.first()?.classes();
        let pair = |table: &Table| suits(table) && table.dims().len() == 2;
        let values = values(tables.iter().filter(|table| pair(table)), rows.missing.len());
        let layout = Layout::new(&values, rows.missing, classes);
        let mut of_tables: Vec<Option<usize>> =
            tables.iter().map(|table| layout.strip(table.vars()).filter(|_| pair(table))).collect();
        let strips = layout.bitmaps();
        let count = rows.count as f64;
        let mut gains = vec![0.0; layout.fields().len() * strips];
        for ((table, time), strip) in tables.iter().zip(times).zip(&of_tables) {
            if let Some(strip) = *strip {
                let cells = table.dense_cells().unwrap_or(0) as f64;
                gains[strip] += time - (20.0 + 1.2 * cells);
            }
        }
        let speed = nanoseconds_a_bitmap();
        let blocks = count / BLOCK as f64;
        let fresh = (rows.count.min(BLOCK) * size_of::<Bitmap>() * strips) as f64;
        let mut saved = -fresh * NANOSECONDS_A_FRESH_BYTE
            - count * (0.6 * layout.fields().len() as f64 + 1.5 * strips as f64);
        for (lead, gains) in layout.fields().iter().zip(gains.chunks_exact_mut(strips.max(1))) {
            let runs = blocks.ceil() * (classes * lead.values) as f64;
            // Half a group more is added up for each run, and its digits are made bytes.
            let counts = (classes * lead.values * size_of::<Counts>()) as f64;
            let cost = speed * (count + (8.0 + 45.0) * runs) + counts * NANOSECONDS_A_FRESH_BYTE;
            for gain in &mut *gains {
                *gain = (*gain - cost).max(0.0);
            }
            let gain = gains.iter().sum::<f64>() - count * 1.2 - 5.0 * runs;
            if gain > 0.0 {
                saved += gain;
            } else {
                gains.fill(0.0);
            }
        }
        for strip in &mut of_tables {
            *strip = strip.filter(|&strip| gains[strip] > 0.0);
        }
        (saved > 0.0).then_some(Self { layout, of_tables, saved })
    }
}
