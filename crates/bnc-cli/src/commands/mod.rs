//! One module a command.

pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod datasets;
pub(crate) mod describe;
pub(crate) mod discretize;
pub(crate) mod evaluate;
pub(crate) mod learners;
pub(crate) mod man;
pub(crate) mod predict;
pub(crate) mod reproduce;
pub(crate) mod show;
pub(crate) mod train;
