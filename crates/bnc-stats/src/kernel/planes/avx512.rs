//! Bit planes by instructions of AVX-512 that no compiler makes of a loop: three-way logic, compression, bytes permuted and
//! multiplied as matrices of bits.
//!
//! These intrinsics are safe where their features are on; no pointer is touched. All that is here has its plain counterpart.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi16_mask, _mm512_gf2p8affine_epi64_epi8,
    _mm512_maskz_compress_epi64, _mm512_permutexvar_epi8, _mm512_popcnt_epi64, _mm512_reduce_add_epi64,
    _mm512_set1_epi16, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_slli_epi64,
    _mm512_ternarylogic_epi64, _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _pext_u32,
};

use bnc_data::Code;
use bytemuck::must_cast;

use super::loops::{LANES, Parts};
use super::tiles::{Pairs, Tile};

/// The codes of a vector.
const CODES: usize = 32;

/// As many planes of either family make a tile as leave room for their counts in the registers.
const SIDE: usize = 3;

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn count_pairs(pairs: &Pairs<'_>, counts: &mut [u64]) {
    pairs.for_each_tile::<SIDE>(|tile, leads, lasts| match (leads, lasts) {
        (1, 1) => count::<1, 1>(tile, counts),
        (1, 2) => count::<1, 2>(tile, counts),
        (1, 3) => count::<1, 3>(tile, counts),
        (2, 1) => count::<2, 1>(tile, counts),
        (2, 2) => count::<2, 2>(tile, counts),
        (2, 3) => count::<2, 3>(tile, counts),
        (3, 1) => count::<3, 1>(tile, counts),
        (3, 2) => count::<3, 2>(tile, counts),
        (3, 3) => count::<3, 3>(tile, counts),
        _ => {}
    });
}

/// Adds up two conjunctions at a time: a bitmap keeps the parity of what was added, and what passes it is counted. That is
/// five operations for two conjunctions; to count each by itself takes six.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
#[allow(clippy::needless_range_loop, reason = "only so does the compiler keep all sums in registers")]
fn count<const A: usize, const B: usize>(tile: &Tile<'_>, counts: &mut [u64]) {
    let (a, b) = tile.planes::<A, B, LANES>();
    let chunks = a[0].len();
    let zero = _mm512_setzero_si512();
    let (mut ones, mut twos) = ([[zero; B]; A], [[zero; B]; A]);
    for pair in 0..chunks / 2 {
        for i in 0..A {
            for j in 0..B {
                let start = ones[i][j];
                let half = add::<PARITY>(start, a[i][2 * pair], b[j][2 * pair]);
                let end = add::<PARITY>(half, a[i][2 * pair + 1], b[j][2 * pair + 1]);
                let carry = _mm512_ternarylogic_epi64::<CARRY>(start, half, end);
                ones[i][j] = end;
                twos[i][j] = _mm512_add_epi64(twos[i][j], _mm512_popcnt_epi64(carry));
            }
        }
    }
    let mut sums = [zero; SIDE * SIDE];
    for i in 0..A {
        for j in 0..B {
            let twos = _mm512_slli_epi64::<1>(twos[i][j]);
            let mut sum = _mm512_add_epi64(twos, _mm512_popcnt_epi64(ones[i][j]));
            if chunks % 2 == 1 {
                let last = _mm512_and_si512(must_cast(a[i][chunks - 1]), must_cast(b[j][chunks - 1]));
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(last));
            }
            sums[i * B + j] = sum;
        }
    }
    let mut sums = add_lanes(&sums);
    if chunks * LANES < tile.words {
        for i in 0..A {
            for j in 0..B {
                sums[i * B + j] += rest(tile, i, j, chunks * LANES);
            }
        }
    }
    for i in 0..A {
        for j in 0..B {
            tile.put(counts, i, j, sums[i * B + j]);
        }
    }
}

/// The ones of a conjunction from a word on.
fn rest(tile: &Tile<'_>, lead: usize, last: usize, from: usize) -> u64 {
    let a = &tile.lead[lead * tile.words..][from..tile.words];
    let b = &tile.last[last * tile.words..][from..tile.words];
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}

/// The sums of the words of each vector.
#[target_feature(enable = "avx512f")]
fn add_lanes(v: &[__m512i; SIDE * SIDE]) -> [u64; SIDE * SIDE] {
    let words =
        |a: __m512i, b: __m512i| _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let lanes = |a: __m512i, b: __m512i| {
        _mm512_add_epi64(_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b))
    };
    let sums =
        lanes(lanes(words(v[0], v[1]), words(v[2], v[3])), lanes(words(v[4], v[5]), words(v[6], v[7])));
    let [a, b, c, d, e, f, g, h]: [u64; 8] = must_cast(sums);
    [a, b, c, d, e, f, g, h, _mm512_reduce_add_epi64(v[8]).cast_unsigned()]
}

/// A ^ (B & C).
const PARITY: i32 = 0x78;

/// B ? !C : A. With the parities before, between and after two bits are added, that is whether two are carried.
const CARRY: i32 = 0x74;

#[target_feature(enable = "avx512f")]
fn add<const TABLE: i32>(sum: __m512i, a: [u64; LANES], b: [u64; LANES]) -> __m512i {
    _mm512_ternarylogic_epi64::<TABLE>(sum, must_cast(a), must_cast(b))
}

/// Puts packed rows behind those of the same class.
#[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
pub(super) fn put(parts: &Parts, class: &[Code], next: &mut [usize], ordered: &mut [u64]) {
    const { assert!(CODES == 4 * LANES) };
    for (chunk, codes) in class.chunks(CODES).enumerate() {
        let mut padded = [Code::MAX; CODES];
        padded[..codes.len()].copy_from_slice(codes);
        let codes: __m512i = must_cast(padded);
        let [a, b, c, d] = parts.each_ref().map(|part| part.as_chunks::<CODES>().0[chunk]);
        let (low, more_low) = interleave(must_cast(a), must_cast(b));
        let (high, more_high) = interleave(must_cast(c), must_cast(d));
        let words = [
            _mm512_unpacklo_epi32(low, high),
            _mm512_unpackhi_epi32(low, high),
            _mm512_unpacklo_epi32(more_low, more_high),
            _mm512_unpackhi_epi32(more_low, more_high),
        ];
        for (class, next) in next.iter_mut().enumerate() {
            let rows = _mm512_cmpeq_epi16_mask(codes, _mm512_set1_epi16((class as Code).cast_signed()));
            for (vector, &words) in words.iter().enumerate() {
                // The vector has every fourth pair of rows.
                let rows = _pext_u32(rows, 0x0303_0303 << (2 * vector)) as u8;
                let words: [u64; LANES] = must_cast(_mm512_maskz_compress_epi64(rows, words));
                ordered[*next..*next + LANES].copy_from_slice(&words);
                *next += rows.count_ones() as usize;
            }
        }
    }
}

/// Pairs of codes, those of the first and of the second half of each eight rows.
#[target_feature(enable = "avx512bw")]
fn interleave(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b))
}

/// The words of this many matrices are a cache line of each slice.
const MATRICES: usize = LANES;

/// Transposes every 64 words as a matrix of bits, eight matrices at a time; the last ones may be incomplete.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn transpose(ordered: &[u64], slices: &mut [u64], stride: usize) {
    // Bytes of a word, of which `slices` has a slice for each bit.
    let bytes = (slices.len() / stride).div_ceil(8);
    let mut bands = [[[0_u64; LANES]; MATRICES]; 8];
    for (line, matrices) in ordered.chunks(64 * MATRICES).enumerate() {
        for (number, matrix) in matrices.as_chunks::<64>().0.iter().enumerate() {
            let (rows, _) = matrix.as_chunks::<LANES>();
            let eighths: [__m512i; 8] = std::array::from_fn(|eighth| turn_bits(must_cast(rows[eighth])));
            for (band, words) in bands.iter_mut().zip(transpose_words(&eighths)).take(bytes) {
                band[number] = must_cast(_mm512_permutexvar_epi8(must_cast(BY_BYTE), words));
            }
        }
        for (band, slices) in bands.iter().zip(slices.chunks_mut(8 * stride)) {
            let lines = transpose_words(&band.map(must_cast));
            for (slice, words) in slices.chunks_mut(stride).zip(lines) {
                let words: [u64; LANES] = must_cast(words);
                slice[line * LANES..(line + 1) * LANES].copy_from_slice(&words);
            }
        }
    }
}

/// Where each byte comes from when the bytes of eight words are transposed.
const BY_BYTE: [u8; 64] = {
    let mut from = [0; 64];
    let mut to = 0;
    while to < 64 {
        from[to] = (to % 8 * 8 + to / 8) as u8;
        to += 1;
    }
    from
};

/// The same, the bytes of each word in the order that [`turn_bits`] takes them.
const BY_BYTE_REVERSED: [u8; 64] = {
    let mut from = BY_BYTE;
    let mut to = 0;
    while to < 64 {
        from[to] = BY_BYTE[to ^ 7];
        to += 1;
    }
    from
};

/// Of eight rows of 64 bits: byte `b` of word `k` has bit `8 k + b` of each row.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn turn_bits(rows: __m512i) -> __m512i {
    // The product of the rows' bits with those of the bytes 1, 2, 4, …: bit by bit from the last byte of the matrix on.
    let unit = _mm512_set1_epi64(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
    let matrix = _mm512_permutexvar_epi8(must_cast(BY_BYTE_REVERSED), rows);
    _mm512_gf2p8affine_epi64_epi8::<0>(unit, matrix)
}

/// Transposes eight vectors as a matrix of words.
#[target_feature(enable = "avx512f")]
fn transpose_words(v: &[__m512i; 8]) -> [__m512i; 8] {
    let [a, b, c, d] = [(0, 1), (2, 3), (4, 5), (6, 7)]
        .map(|(i, j)| (_mm512_unpacklo_epi64(v[i], v[j]), _mm512_unpackhi_epi64(v[i], v[j])));
    let quarters = |a: __m512i, b: __m512i, c: __m512i, d: __m512i| {
        // Pairs of words of two vectors, those of even and of odd places.
        let (even, odd) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
        let (more_even, more_odd) = (_mm512_shuffle_i64x2::<0x88>(c, d), _mm512_shuffle_i64x2::<0xdd>(c, d));
        [
            _mm512_shuffle_i64x2::<0x88>(even, more_even),
            _mm512_shuffle_i64x2::<0x88>(odd, more_odd),
            _mm512_shuffle_i64x2::<0xdd>(even, more_even),
            _mm512_shuffle_i64x2::<0xdd>(odd, more_odd),
        ]
    };
    let [first, third, fifth, seventh] = quarters(a.0, b.0, c.0, d.0);
    let [second, fourth, sixth, eighth] = quarters(a.1, b.1, c.1, d.1);
    [first, second, third, fourth, fifth, sixth, seventh, eighth]
}
