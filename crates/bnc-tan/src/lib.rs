//! tan
