//! What the processor at hand counts fastest with.

use multiversion::{multiversion, target::target_cfg_f};

/// The time to count the ones of one bit of a plane, in nanoseconds, by the instructions that `multiversion` will choose in
/// [`planes`](super::planes); the features named are the same there.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+bmi2+popcnt",
    "aarch64+neon"
))]
pub(super) fn nanoseconds_a_bit() -> f64 {
    if target_cfg_f!(target_feature = "avx512vpopcntdq") {
        return 0.0012;
    }
    if target_cfg_f!(target_feature = "avx2") {
        return 0.0033;
    }
    if target_cfg_f!(target_feature = "neon") {
        return 0.005;
    }
    0.012
}
