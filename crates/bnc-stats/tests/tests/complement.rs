//! Counts of a fold's training rows by subtraction are those of the rows.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bnc_data::{Code, Dataset, Domain, MISSING, Schema, Variable};
use bnc_stats::{CachedCounter, Complement, Counter, Error, Table, Vars};
use proptest::prelude::*;

/// The values of each feature; three of them have more configurations together than a dense table may have.
const DIMS: [usize; 6] = [2, 3, 120, 120, 120, 5];
const CLASSES: usize = 3;

fn schema() -> Arc<Schema> {
    let labels = |count: usize| Domain::Labels((0..count).map(|value| value.to_string()).collect());
    let features =
        DIMS.iter().enumerate().map(|(i, &dim)| Variable::new(format!("x{i}"), labels(dim)).unwrap());
    let class = Variable::new("y", labels(CLASSES)).unwrap();
    Arc::new(Schema::new(class, features.collect()).unwrap())
}

/// Rows with gaps, some without a class, perhaps weighted (0 among the weights).
fn data() -> impl Strategy<Value = Dataset> {
    let code = |dim: usize| prop_oneof![8 => 0..dim as Code, 1 => Just(MISSING)];
    let row = (prop::collection::vec(any::<prop::sample::Index>(), DIMS.len()), code(CLASSES), 0_u32..4);
    (prop::collection::vec(row, 1..80), any::<bool>(), 0_usize..3).prop_map(|(rows, weighted, gaps)| {
        let column = |feature: usize| -> Vec<Code> {
            let codes = rows.iter().map(|(cells, ..)| cells[feature].index(DIMS[feature] + gaps));
            codes.map(|code| if code < DIMS[feature] { code as Code } else { MISSING }).collect()
        };
        let class = rows.iter().map(|row| row.1).collect();
        let weights = weighted.then(|| rows.iter().map(|row| row.2).collect());
        Dataset::new(schema(), class, (0..DIMS.len()).map(column).collect(), weights).unwrap()
    })
}

/// Dense tables, small and large, one that is not dense, and one asked for twice.
fn plan() -> Vec<Vars> {
    let plan: [&[usize]; 9] = [&[], &[0], &[5], &[0, 1], &[0, 5], &[2, 3], &[2, 3, 4], &[0, 1, 5], &[0]];
    plan.iter().map(|vars| Vars::new(vars.iter().copied())).collect()
}

/// Counts how often each table is counted.
struct Spy {
    data: Dataset,
    tables: AtomicUsize,
}

impl Counter for Spy {
    fn schema(&self) -> &Arc<Schema> {
        self.data.schema()
    }

    fn count(&self, asked: &[Vars]) -> bnc_stats::Result<Vec<Table>> {
        self.tables.fetch_add(asked.len(), Ordering::SeqCst);
        self.data.count(asked)
    }

    fn rows(&self) -> bnc_stats::Result<std::borrow::Cow<'_, Dataset>> {
        Counter::rows(&self.data)
    }
}

/// The rows of a part by a mask, and the labelled ones that are not.
fn split(data: &Dataset, mask: u128) -> (Vec<usize>, Vec<usize>) {
    let labelled = (0..data.rows()).filter(|&row| data.class()[row] != MISSING);
    labelled.partition(|&row| mask >> row & 1 == 1)
}

proptest! {
    #[test]
    fn a_complement_counts_as_its_rows_do(data in data(), masks in prop::collection::vec(any::<u128>(), 1..4)) {
        // As many rows as asked tables have cells, so that most are kept; the real number keeps only the smallest.
        for rows in [1 << 20, data.rows()] {
            let whole = CachedCounter::new(data.clone(), rows);
            for &mask in &masks {
                let (test, train) = split(&data, mask);
                let expected = data.select(&train);
                let complement = Complement::new(&whole, Arc::new(data.select(&test)), train);
                let cached = CachedCounter::new(complement, rows);
                for _ in 0..2 {
                    prop_assert_eq!(cached.count(&plan()).unwrap(), expected.count(&plan()).unwrap());
                }
                prop_assert_eq!(&*cached.rows().unwrap(), &expected);
                prop_assert!(cached.count(&[]).unwrap().is_empty());
            }
        }
    }
}

fn some_rows(rows: usize) -> Dataset {
    let column = |dim: usize, step: usize| (0..rows).map(|row| (row * step / 3 % dim) as Code).collect();
    let columns = DIMS.iter().enumerate().map(|(i, &dim)| column(dim, i + 1)).collect();
    Dataset::new(schema(), column(CLASSES, 7), columns, None).unwrap()
}

#[test]
fn a_table_is_counted_once() {
    let spy = Spy { data: some_rows(100), tables: AtomicUsize::new(0) };
    let cached = CachedCounter::new(spy, 100);
    let tables = cached.count(&plan()).unwrap();
    // Seven small ones, of which one is asked for twice; the two large ones are not kept.
    assert_eq!(cached.counter().tables.load(Ordering::SeqCst), 8);
    assert_eq!(cached.count(&plan()).unwrap(), tables);
    assert_eq!(cached.count(&[Vars::new([1, 0])]).unwrap()[0], tables[3]);
    assert_eq!(cached.counter().tables.load(Ordering::SeqCst), 10);
}

#[test]
fn tables_that_cannot_be_counted_are_named_each_time() {
    let data = some_rows(50);
    let whole = CachedCounter::new(data.clone(), 50);
    let complement = Complement::new(&whole, Arc::new(data.select(&[3])), (4..50).collect());
    for _ in 0..2 {
        let error = complement.count(&[Vars::new([0]), Vars::new([6])]).unwrap_err();
        assert!(matches!(error, Error::NoSuchFeature { feature: 6, features: 6 }));
    }
    assert_eq!(whole.count(&[Vars::new([0])]).unwrap(), data.count(&[Vars::new([0])]).unwrap());
}

#[test]
fn threads_that_ask_at_the_same_time_get_the_same() {
    let data = some_rows(3000);
    let whole = CachedCounter::new(data.clone(), 3000);
    let expected = data.count(&plan()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(whole.count(&plan()).unwrap(), expected));
        }
    });
}
