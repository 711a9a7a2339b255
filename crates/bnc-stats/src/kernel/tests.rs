//! All kernels against a count row by row.

use std::collections::BTreeMap;

use bnc_data::{Code, Domain, MISSING, Variable};
use proptest::prelude::*;

use super::combined::COUNTERS;
use super::*;

const KERNELS: [Kernel; 4] = [Kernel::Planes, Kernel::Blocked, Kernel::Direct, Kernel::Observed];

fn schema(dims: &[usize], classes: usize) -> Arc<Schema> {
    let labels = |count: usize| Domain::Labels((0..count).map(|value| value.to_string()).collect());
    let features =
        dims.iter().enumerate().map(|(i, &dim)| Variable::new(format!("x{i}"), labels(dim)).unwrap());
    Arc::new(Schema::new(Variable::new("y", labels(classes)).unwrap(), features.collect()).unwrap())
}

type Cells = BTreeMap<(Vec<Code>, Code), u64>;

fn naive(data: &Dataset, table: &Table) -> Cells {
    let mut cells = BTreeMap::new();
    for row in 0..data.rows() {
        let codes: Vec<Code> = table.vars().iter().map(|feature| data.features()[feature][row]).collect();
        let class = data.class()[row];
        let weight = data.weights().map_or(1, |weights| u64::from(weights[row]));
        if class != MISSING && !codes.contains(&MISSING) && weight > 0 {
            *cells.entry((codes, class)).or_insert(0) += weight;
        }
    }
    cells
}

fn cells(table: &Table) -> Cells {
    let mut cells = BTreeMap::new();
    for (number, run) in table.runs() {
        for (class, &count) in run.iter().enumerate().filter(|(_, count)| **count > 0) {
            cells.insert((table.codes(number), class as Code), count);
        }
    }
    cells
}

/// What a made data set looks like.
#[derive(Debug, Clone)]
struct Recipe {
    rows: usize,
    dims: Vec<usize>,
    classes: usize,
    /// One code in so many is missing: by feature, then the class; 0 for none.
    missing: Vec<u64>,
    weighted: bool,
    seed: u64,
}

impl Recipe {
    fn data(&self) -> Dataset {
        let mut state = self.seed;
        let mut below = move |bound: u64| {
            // SplitMix64.
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ (z >> 31)) % bound
        };
        let mut column = |values: usize, missing: u64| -> Vec<Code> {
            (0..self.rows)
                .map(|_| match missing {
                    1.. if below(missing) == 0 => MISSING,
                    // The extreme values are common, so that wide domains meet their bounds.
                    _ => match below(4) {
                        0 => 0,
                        1 => (values - 1) as Code,
                        _ => below(values as u64) as Code,
                    },
                })
                .collect()
        };
        let class = column(self.classes, self.missing[self.dims.len()]);
        let features = self.dims.iter().zip(&self.missing).map(|(&dim, &missing)| column(dim, missing));
        let features = features.collect();
        let weights = self.weighted.then(|| column(5, 0).into_iter().map(u32::from).collect());
        Dataset::new(schema(&self.dims, self.classes), class, features, weights).unwrap()
    }
}

/// Counts all tables of up to three features by the planner's choice and by every kernel, with and without threads.
fn check(recipe: &Recipe) {
    let data = recipe.data();
    let schema = data.schema();
    let asked: Vec<Vars> = [&[][..], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]]
        .map(|vars| Vars::new(vars.to_vec()))
        .into();
    let mut accumulator = Accumulator::new(schema, &asked).unwrap();
    accumulator.add(&data);
    let tables = accumulator.finish();
    let expected: Vec<Cells> = tables.iter().map(|table| naive(&data, table)).collect();
    for (table, expected) in tables.iter().zip(&expected) {
        assert_eq!(&cells(table), expected, "{recipe:?} {:?}", table.vars());
    }
    let empty = Accumulator::new(schema, &asked).unwrap();
    for kernel in KERNELS {
        // Planes of very wide tables take too much memory for a test, and weights are not for all.
        let able = |table: &Table| match kernel {
            Kernel::Direct | Kernel::Observed => true,
            Kernel::Planes => !recipe.weighted && table.dims().iter().product::<usize>() <= 70_000,
            Kernel::Blocked => !recipe.weighted,
            // See `check_combined` and `check_positional`.
            Kernel::Combined(_) | Kernel::Positional(_) => false,
        };
        let chosen: Vec<usize> = (0..asked.len())
            .filter(|&table| {
                able(&tables[table]) && (kernel == Kernel::Observed || tables[table].dense().is_some())
            })
            .collect();
        let blank: Vec<Table> = chosen
            .iter()
            .map(|&table| match (kernel, &empty.tables[table]) {
                (Kernel::Observed, table) => {
                    Table::observed(table.vars().clone(), table.dims().into(), recipe.classes)
                }
                (_, table) => table.clone(),
            })
            .collect();
        for nanoseconds in [0.0, f64::INFINITY] {
            let plan = Plan::prepare(&blank, vec![kernel; blank.len()], 3, nanoseconds);
            let counted = count_by(&plan, &blank, &data);
            for (table, &place) in counted.iter().zip(&chosen) {
                assert_eq!(&cells(table), &expected[place], "{kernel:?} {recipe:?} {:?}", table.vars());
            }
        }
    }
    if !recipe.weighted {
        check_combined(&data, &empty.tables, &tables);
        check_positional(&data, &empty.tables, &tables);
    }
}

/// Counts tables that are zeros as planned.
fn count_by(plan: &Plan, blank: &[Table], data: &Dataset) -> Vec<Table> {
    let mut forced = Accumulator { schema: Arc::clone(data.schema()), tables: blank.to_vec() };
    forced.add_by(plan, data);
    forced.finish()
}

/// Counts by combined codes whatever fits, with groups of all kinds.
fn check_combined(data: &Dataset, blank: &[Table], expected: &[Table]) {
    let values: Vec<Option<usize>> = (0..3).map(|feature| Some(data.schema().cardinality(feature))).collect();
    for (lead, part) in [(1, 1), (20, 20), (100, 9), (9, 1), (70_000, 70_000)] {
        let groups = Groups::new(&values, data.features_have_missing(), lead, Some(part));
        let kernel = |table: &Table| {
            let block = groups.block(table.vars()).filter(|&block| {
                let (_, lead, part) = groups.shape(block);
                table.dims().len() <= 2
                    && table.dense_cells().is_some()
                    && lead * part * (table.classes() + 1) <= COUNTERS
            });
            block.map_or(
                if table.dense_cells().is_some() { Kernel::Direct } else { Kernel::Observed },
                Kernel::Combined,
            )
        };
        let kernels: Vec<Kernel> = blank.iter().map(kernel).collect();
        let mut plan = Plan::prepare(blank, kernels, 3, 0.0);
        plan.groups = Some(groups);
        for nanoseconds in [0.0, f64::INFINITY] {
            plan.nanoseconds = nanoseconds;
            assert_eq!(count_by(&plan, blank, data), expected, "{lead} {part}");
        }
    }
}

/// Counts by positional counts whatever fits.
fn check_positional(data: &Dataset, blank: &[Table], expected: &[Table]) {
    let schema = data.schema();
    let values: Vec<Option<usize>> =
        (0..schema.features().len()).map(|feature| Some(schema.cardinality(feature))).collect();
    let layout = Layout::new(&values, data.features_have_missing(), schema.classes());
    let kernel = |table: &Table| {
        let strip = layout.strip(table.vars()).filter(|_| table.dense_cells().is_some());
        strip.map_or(
            if table.dense_cells().is_some() { Kernel::Direct } else { Kernel::Observed },
            Kernel::Positional,
        )
    };
    let kernels: Vec<Kernel> = blank.iter().map(kernel).collect();
    let mut plan = Plan::prepare(blank, kernels, values.len(), 0.0);
    plan.layout = Some(layout);
    for nanoseconds in [0.0, f64::INFINITY] {
        plan.nanoseconds = nanoseconds;
        assert_eq!(count_by(&plan, blank, data), expected);
    }
}

fn recipe(rows: usize) -> impl Strategy<Value = Recipe> {
    let dim = || prop::sample::select(vec![1, 2, 3, 4, 7, 8, 64, 255, 256, 257, 65_000]);
    (
        0..=rows,
        prop::collection::vec(dim(), 3),
        prop::sample::select(vec![1, 2, 3, 5, 70, 300]),
        prop::collection::vec(prop::sample::select(vec![0, 0, 1, 2, 20]), 4),
        prop::bool::weighted(0.25),
        any::<u64>(),
    )
        .prop_map(|(rows, dims, classes, missing, weighted, seed)| Recipe {
            rows,
            dims,
            classes,
            missing,
            weighted,
            seed,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn kernels_agree_with_a_naive_count(recipe in recipe(400)) {
        check(&recipe);
    }
}

#[test]
fn kernels_agree_around_the_bounds_of_words_steps_and_blocks() {
    let bounds = [64, 1024, BLOCK_ROWS, 2 * BLOCK_ROWS];
    for rows in bounds.into_iter().flat_map(|bound| [bound - 1, bound, bound + 1]) {
        for (missing, weighted) in [([0; 4], false), ([9, 0, 7, 0], false), ([0, 5, 0, 11], rows < 2000)] {
            let dims = vec![2, 5, 20];
            check(&Recipe { rows, dims, classes: 3, missing: missing.to_vec(), weighted, seed: rows as u64 });
        }
    }
}

#[test]
fn joint_counts_agree_beyond_a_band() {
    let recipe = Recipe {
        rows: (1 << 20) + 3,
        dims: vec![2, 3, 20],
        classes: 3,
        missing: vec![0, 1000, 0, 5000],
        weighted: false,
        seed: 7,
    };
    let data = recipe.data();
    let asked = [&[][..], &[1], &[0, 1], &[0, 2], &[1, 2]].map(|vars| Vars::new(vars.to_vec()));
    let blank = Accumulator::new(data.schema(), &asked).unwrap().tables;
    let direct = Plan::prepare(&blank, vec![Kernel::Direct; blank.len()], 3, 0.0);
    let expected = count_by(&direct, &blank, &data);
    check_combined(&data, &blank, &expected);
    check_positional(&data, &blank, &expected);
}

#[test]
fn positional_counts_agree_over_several_bitmaps() {
    let dims = [64, 2, 40, 7, 64, 33, 64, 12, 50, 64, 3, 64, 64, 20];
    let mut missing = vec![0; dims.len() + 1];
    (missing[2], missing[10], missing[dims.len()]) = (7, 5, 30);
    let recipe = Recipe { rows: 9_000, dims: dims.to_vec(), classes: 3, missing, weighted: false, seed: 11 };
    let data = recipe.data();
    let blank = Accumulator::new(data.schema(), &crate::all_pairs(dims.len())).unwrap().tables;
    let direct = Plan::prepare(&blank, vec![Kernel::Direct; blank.len()], dims.len(), 0.0);
    check_positional(&data, &blank, &count_by(&direct, &blank, &data));
}

#[test]
fn planes_agree_over_several_packed_words() {
    // Few classes and many, whose rows are put in order in different ways.
    for classes in [1, 3, 16, 17] {
        let dims = [64, 2, 40, 7, 64, 33, 64, 12, 50, 64, 3, 64, 64, 20];
        let mut missing = vec![0; dims.len() + 1];
        (missing[2], missing[10], missing[dims.len()]) = (7, 5, 30);
        let recipe = Recipe { rows: 6_000, dims: dims.to_vec(), classes, missing, weighted: false, seed: 13 };
        let data = recipe.data();
        let blank = Accumulator::new(data.schema(), &crate::all_pairs(dims.len())).unwrap().tables;
        let by = |kernel| {
            let plan = Plan::prepare(&blank, vec![kernel; blank.len()], dims.len(), 0.0);
            count_by(&plan, &blank, &data)
        };
        assert_eq!(by(Kernel::Planes), by(Kernel::Direct), "{classes} classes");
    }
}

#[test]
fn the_planner_knows_its_kernels() {
    let rows = |count, weighted| Rows { count, weighted, missing: &[false; 30] };
    let blank = |dims: &[usize], asked: &[&[usize]]| {
        let asked: Vec<Vars> = asked.iter().map(|vars| Vars::new(vars.to_vec())).collect();
        Accumulator::new(&schema(dims, 3), &asked).unwrap().tables
    };
    let tables = blank(&[2, 2, 30, 65_000], &[&[], &[0, 1], &[0, 2], &[2, 3], &[1, 2]]);
    assert_eq!(Plan::new(&tables, &rows(BLOCK_ROWS, false)).kernels[3], Kernel::Observed);
    assert_eq!(Plan::new(&tables, &rows(2, false)).kernels[2], Kernel::Direct);
    assert_eq!(Plan::new(&tables, &rows(BLOCK_ROWS, true)).kernels[1], Kernel::Direct);
    // What is prepared for all tables together does not pay for one.
    let one = blank(&[2, 2], &[&[0, 1]]);
    assert_eq!(Plan::new(&one, &rows(1 << 20, false)).kernels, [Kernel::Direct]);
    // Joint tables are not worth it for few rows, nor for tables of three features.
    let many: Vec<[usize; 2]> = (0..30).flat_map(|i| (i + 1..30).map(move |j| [i, j])).collect();
    let many: Vec<&[usize]> = many.iter().map(<[usize; 2]>::as_slice).collect();
    let few = Plan::new(&blank(&[2; 30], &many), &rows(2_000, false));
    assert!(few.kernels.iter().all(|kernel| *kernel == Kernel::Planes), "{:?}", few.kernels);
    let singles: Vec<[usize; 1]> = (0..30).map(|feature| [feature]).collect();
    let singles: Vec<&[usize]> = singles.iter().map(<[usize; 1]>::as_slice).collect();
    let large = Plan::new(&blank(&[4; 30], &singles), &rows(1 << 20, false));
    assert!(large.kernels.iter().all(|kernel| matches!(kernel, Kernel::Combined(_))), "{:?}", large.kernels);
    let large = Plan::new(&blank(&[24; 30], &many), &rows(1 << 20, false));
    // Which of the two depends on the processor.
    let joint = |kernel: &Kernel| matches!(kernel, Kernel::Combined(_) | Kernel::Positional(_));
    assert!(large.kernels[..20].iter().all(joint), "{:?}", large.kernels);
    let triples = blank(&[12, 12, 12, 300], &[&[0, 1, 2], &[0, 1, 3]]);
    assert_eq!(Plan::new(&triples, &rows(1 << 20, false)).kernels, [Kernel::Blocked, Kernel::Direct]);
}
