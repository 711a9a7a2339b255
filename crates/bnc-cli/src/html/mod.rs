//! Results as pages: one file each, which needs nothing else and asks nothing of a network.

mod chart;
pub(crate) mod evaluation;
mod page;
mod parts;

use self::page::{Page, Section};
use self::parts::{Column, Table, figure, folded, grid, small_grid};
