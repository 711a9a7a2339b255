//! What the processor at hand counts fastest with.

use multiversion::target::target_cfg_f;

/// Compiles a loop for several instruction sets; the best that the processor has is chosen when it is called.
macro_rules! vectorised {
    ($($function:tt)*) => {
        #[multiversion::multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
        $($function)*
    };
}

/// The same for a loop that counts ones, which there are instructions of their own for.
macro_rules! counts_ones {
    ($($function:tt)*) => {
        #[multiversion::multiversion(targets(
            "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq",
            "x86_64+avx2+bmi2+popcnt",
            "aarch64+neon"
        ))]
        $($function)*
    };
}

counts_ones! {
/// The time to count the ones of one bit of a plane, in nanoseconds, by the instructions that are chosen for it.
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
