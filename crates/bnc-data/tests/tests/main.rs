//! Integration tests of bnc-data.

mod reading;
