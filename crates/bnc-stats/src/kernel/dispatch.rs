//! What the processor at hand counts fastest with.

use multiversion::target::target_cfg_f;

/// Compiles a loop for several instruction sets; the best that the processor has is chosen when it is called. Processors of
/// the first have `avx512vpopcntdq`, which counts ones by the vector, and all else that [`super::planes`] takes of AVX-512.
macro_rules! vectorised {
    ($($function:tt)*) => {
        #[multiversion::multiversion(targets(
            "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vpopcntdq+bmi2+gfni+popcnt",
            "x86_64+avx2+bmi2+popcnt",
            "aarch64+neon"
        ))]
        $($function)*
    };
}

vectorised! {
/// The time to count the ones of one bit of a plane, in nanoseconds, by the instructions that are chosen for it.
pub(super) fn nanoseconds_a_bit() -> f64 {
    if target_cfg_f!(target_feature = "avx512f") {
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
}

vectorised! {
/// The time to add a bitmap up, in nanoseconds, by the instructions that are chosen for it.
pub(super) fn nanoseconds_a_bitmap() -> f64 {
    if target_cfg_f!(target_feature = "avx512f") {
        return 1.4;
    }
    if target_cfg_f!(target_feature = "avx2") {
        return 1.8;
    }
    4.5
}
}
