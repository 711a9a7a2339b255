//! nb
