//! Rows as one word each, so that refining a partition moves words and gathers nothing.

use bnc_data::Code;

/// The key of a row, and how often the row counts.
pub(super) trait Row<K>: Copy + Default + Send + Sync {
    /// Whether every row of this form counts once.
    const UNIT: bool;
    fn new(key: K, weight: u64) -> Self;
    fn key(self) -> K;
    fn weight(self) -> u64;
}

/// A row that counts once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unit<K>(K);

/// A row with a weight.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weighted<K> {
    key: K,
    weight: u64,
}

impl<K: Copy + Default + Send + Sync> Row<K> for Unit<K> {
    const UNIT: bool = true;

    fn new(key: K, _weight: u64) -> Self {
        Self(key)
    }

    #[inline]
    fn key(self) -> K {
        self.0
    }

    #[inline]
    fn weight(self) -> u64 {
        1
    }
}

impl<K: Copy + Default + Send + Sync> Row<K> for Weighted<K> {
    const UNIT: bool = false;

    fn new(key: K, weight: u64) -> Self {
        Self { key, weight }
    }

    #[inline]
    fn key(self) -> K {
        self.key
    }

    #[inline]
    fn weight(self) -> u64 {
        self.weight
    }
}

/// How codes are read from the keys of rows.
pub(super) trait Codes: Sync {
    type Key: Copy + Default + Send + Sync;
    type Field<'a>: Copy
    where
        Self: 'a;

    /// The key of a row.
    fn key(&self, row: usize) -> Self::Key;
    /// What reads the codes of a variable.
    fn field(&self, variable: usize) -> Self::Field<'_>;
    /// The code of a key.
    fn code(field: Self::Field<'_>, key: Self::Key) -> usize;
    /// The variables on which two rows agree, at least among those of `asked`: a bit mask.
    fn agreement(&self, a: Self::Key, b: Self::Key, asked: u64) -> u64;
    /// The codes of variables of two values, those of a bit mask: a bit each.
    fn low_bits(&self, key: Self::Key, asked: usize) -> usize;
}

/// A word that holds bits.
pub(super) trait Word: Copy + Default + Send + Sync + 'static {
    const BITS: usize;
    fn bit(self, at: u32) -> usize;
    fn set(&mut self, at: usize);
    fn xor(self, other: Self) -> Self;
    /// The 64 bits from a place on.
    fn bits_from(self, at: usize) -> u64;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const BITS: usize = <$word>::BITS as usize;

            #[inline]
            fn bit(self, at: u32) -> usize {
                (self >> at) as usize & 1
            }

            fn set(&mut self, at: usize) {
                *self |= 1 << at;
            }

            #[inline]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline]
            fn bits_from(self, at: usize) -> u64 {
                (self >> at) as u64
            }
        }
    };
}

word!(u64);
word!(u128);

/// Codes as bit planes: bit y of plane b is bit b of the code of variable y, so that the variables on which two rows agree are
/// read off a few shifts. A plane leaves out the variables before the first that needs it.
#[derive(Debug)]
pub(super) struct Planes<W> {
    words: Vec<W>,
    /// The planes after the first: where variable 0 would be, and the variables that are there.
    higher: Vec<(usize, u64)>,
    /// The places of each variable's bits after the second.
    more: Vec<Vec<u32>>,
    /// The places of each variable's first two bits; a bit that is always 0 stands for one that it does not need.
    first: Vec<(u32, u32)>,
}

impl<W: Word> Planes<W> {
    /// `None` where a word is too short. `columns` holds the codes of each variable, `dims` their numbers of values.
    pub(super) fn new(columns: &[&[Code]], dims: &[usize]) -> Option<Self> {
        let needed = |dim: usize| dim.saturating_sub(1).checked_ilog2().map_or(1, |bit| bit as usize + 1);
        let variables = dims.len();
        let mut end = variables;
        let mut planes = Vec::new();
        while let Some(lowest) = dims.iter().position(|&dim| needed(dim) > planes.len() + 1) {
            planes.push((end - lowest, (u64::MAX << lowest) & !(u64::MAX << variables)));
            end += variables - lowest;
        }
        if end >= W::BITS {
            return None;
        }
        let place = |variable: usize, plane: usize| match plane {
            0 => variable,
            _ => planes[plane - 1].0 + variable,
        };
        let mut words = vec![W::default(); columns.first().map_or(0, |column| column.len())];
        let (mut first, mut more) = (Vec::new(), Vec::new());
        for (variable, (column, &dim)) in columns.iter().zip(dims).enumerate() {
            let places: Vec<usize> = (0..needed(dim)).map(|plane| place(variable, plane)).collect();
            for (word, &code) in words.iter_mut().zip(*column) {
                for (bit, &at) in places.iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1) {
                    debug_assert!(bit < 16);
                    word.set(at);
                }
            }
            let second = places.get(1).copied().unwrap_or(W::BITS - 1);
            first.push((places[0] as u32, second as u32));
            more.push(places.iter().skip(2).map(|&at| at as u32).collect());
        }
        Some(Self { words, higher: planes, more, first })
    }
}

impl<W: Word> Codes for Planes<W> {
    type Key = W;
    type Field<'a>
        = (u32, u32, &'a [u32])
    where
        W: 'a;

    fn key(&self, row: usize) -> W {
        self.words.get(row).copied().unwrap_or_default()
    }

    #[inline]
    fn field(&self, variable: usize) -> Self::Field<'_> {
        let (low, high) = self.first[variable];
        (low, high, &self.more[variable])
    }

    #[inline]
    fn code((low, high, more): Self::Field<'_>, key: W) -> usize {
        let mut code = key.bit(low) | key.bit(high) << 1;
        for (plane, &at) in more.iter().enumerate() {
            code |= key.bit(at) << (plane + 2);
        }
        code
    }

    #[inline]
    fn agreement(&self, a: W, b: W, _asked: u64) -> u64 {
        let differ = a.xor(b);
        let mut variables = differ.bits_from(0);
        for &(base, there) in &self.higher {
            variables |= differ.bits_from(base) & there;
        }
        !variables
    }

    #[inline]
    fn low_bits(&self, key: W, asked: usize) -> usize {
        key.bits_from(0) as usize & asked
    }
}

/// Columns of codes; a row is known by its number. For rows that fit no word.
#[derive(Debug)]
pub(super) struct Columns<'a>(pub(super) &'a [&'a [Code]]);

impl Codes for Columns<'_> {
    type Key = u32;
    type Field<'a>
        = &'a [Code]
    where
        Self: 'a;

    fn key(&self, row: usize) -> u32 {
        row as u32
    }

    #[inline]
    fn field(&self, variable: usize) -> &[Code] {
        self.0[variable]
    }

    #[inline]
    fn code(field: &[Code], key: u32) -> usize {
        usize::from(field[key as usize])
    }

    fn agreement(&self, a: u32, b: u32, asked: u64) -> u64 {
        (0..self.0.len().min(64))
            .filter(|&variable| asked >> variable & 1 == 1)
            .filter(|&variable| self.0[variable][a as usize] == self.0[variable][b as usize])
            .fold(0, |agree, variable| agree | 1 << variable)
    }

    fn low_bits(&self, key: u32, asked: usize) -> usize {
        let columns = self.0.iter().take(asked.count_ones() as usize).enumerate();
        columns.fold(0, |bits, (variable, column)| bits | usize::from(column[key as usize]) << variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<C: Codes>(codes: &C, columns: &[&[Code]]) {
        for a in 0..columns[0].len() {
            for (variable, column) in columns.iter().enumerate() {
                assert_eq!(C::code(codes.field(variable), codes.key(a)), usize::from(column[a]));
            }
            for b in 0..columns[0].len() {
                let expected = columns.iter().enumerate().fold(0, |agree, (variable, column)| {
                    agree | u64::from(column[a] == column[b]) << variable
                });
                let asked = (1 << columns.len()) - 1;
                assert_eq!(codes.agreement(codes.key(a), codes.key(b), asked) & asked, expected);
            }
        }
    }

    #[test]
    fn words_and_columns_give_the_same_codes_and_agreements() {
        let dims = [1, 2, 300, 3, 4, 5, 17];
        let columns: Vec<Vec<Code>> =
            dims.iter().map(|&dim| (0..40).map(|row| (row * row / 3 * 7 % dim) as Code).collect()).collect();
        let columns: Vec<&[Code]> = columns.iter().map(Vec::as_slice).collect();
        check(&Planes::<u64>::new(&columns, &dims).unwrap(), &columns);
        check(&Planes::<u128>::new(&columns, &dims).unwrap(), &columns);
        check(&Columns(&columns), &columns);
        let empty: &[Code] = &[];
        assert!(Planes::<u64>::new(&[empty; 32], &[4; 32]).is_none());
        assert!(Planes::<u64>::new(&[empty; 31], &[4; 31]).is_some());
    }
}
