//! The scores of all families are those of their tables, whatever the form of the rows.

use std::sync::atomic::{AtomicU64, Ordering};

use bnc_data::{Code, Dataset, MISSING};
use bnc_models::conformance::{pattern, schema};
use bnc_stats::{Child, ClassRole, Counter, Error, FamilyScores, LocalScore, Vars};
use proptest::prelude::*;

use crate::scores::SCORES;

const GO_ON: &(dyn Fn(u64, u64) -> bool + Sync) = &|_, _| true;

/// Rows whose columns depend on each other, from a seed.
#[derive(Debug, Clone)]
struct Plan {
    dims: Vec<usize>,
    classes: usize,
    rows: usize,
    /// Of 100 cells so many are missing.
    missing: u64,
    weighted: bool,
    /// Of 10 rows so many repeat an earlier one.
    repeated: u64,
    seed: u64,
}

/// A number from a seed and a place (`SplitMix64`).
fn number(seed: u64, place: usize) -> u64 {
    let mut z = seed.wrapping_add((place as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Plan {
    fn data(&self) -> Dataset {
        let width = self.dims.len() + 2;
        let mut class: Vec<Code> = Vec::new();
        let mut columns: Vec<Vec<Code>> = vec![Vec::new(); self.dims.len()];
        for row in 0..self.rows {
            let at = |column: usize| number(self.seed, row * width + column);
            if row > 0 && at(width - 1) % 10 < self.repeated {
                let same = (at(width - 2) % row as u64) as usize;
                class.push(class[same]);
                for column in &mut columns {
                    column.push(column[same]);
                }
                continue;
            }
            let label = at(0) % self.classes as u64;
            class.push(if (at(0) >> 32).is_multiple_of(200) && self.missing > 0 {
                MISSING
            } else {
                label as Code
            });
            for (feature, &dim) in self.dims.iter().enumerate() {
                let draw = at(feature + 1);
                let code = if draw % 3 == 0 { label } else { (draw >> 8) % 7 } % dim as u64;
                let code = if (draw >> 16) % 5 == 0 { (dim - 1) as u64 } else { code };
                let missing = (draw >> 32) % 100 < self.missing;
                columns[feature].push(if missing { MISSING } else { code as Code });
            }
        }
        let weight = |row: usize| [1, 1, 0, 2, 3, 70][(number(self.seed ^ 1, row) % 6) as usize];
        let weights = self.weighted.then(|| (0..self.rows).map(weight).collect());
        Dataset::new(schema(&self.dims, self.classes), class, columns, weights).unwrap()
    }
}

/// The rows that are complete over some features.
fn complete(data: &Dataset, features: &[usize]) -> Dataset {
    let known = |row: &usize| {
        data.class()[*row] != MISSING
            && features.iter().all(|&feature| data.features()[feature][*row] != MISSING)
    };
    data.select(&(0..data.rows()).filter(known).collect::<Vec<_>>())
}

/// The score of a family from its table.
fn from_table(
    data: &Dataset,
    features: &[usize],
    class: ClassRole,
    score: LocalScore,
    node: usize,
    parents: u64,
) -> f64 {
    let has = |node: usize| parents >> node & 1 == 1;
    let child = features.get(node).map_or(Child::Class, |&feature| Child::Feature(feature));
    let vars = features.iter().enumerate().filter(|&(other, _)| has(other) || other == node);
    let table = &data.count(&[Vars::new(vars.map(|(_, &feature)| feature))]).unwrap()[0];
    let class_is_parent = class == ClassRole::Parent || has(features.len());
    let rows = data.count(&[Vars::default()]).unwrap()[0].total();
    score.of_family(table, child, class_is_parent, rows)
}

/// Compares a selection of families (all, where there are few) with their tables.
fn check(
    data: &Dataset,
    features: &[usize],
    class: ClassRole,
    score: LocalScore,
    most: Option<usize>,
    tried: usize,
) {
    let scores = FamilyScores::count(data, features, class, score, most, GO_ON).unwrap();
    let complete = complete(data, features);
    let nodes = features.len() + usize::from(class == ClassRole::Variable);
    assert_eq!(scores.nodes(), nodes);
    let families = nodes << nodes;
    let step = (families / tried).max(1) | 1;
    for family in (0..families).step_by(step) {
        let (node, parents) = (family >> nodes, family as u64 & ((1 << nodes) - 1));
        if parents >> node & 1 == 1 {
            continue;
        }
        let ours = scores.score(node, parents);
        if most.is_some_and(|most| parents.count_ones() as usize > most) {
            assert!(ours == f64::NEG_INFINITY);
            continue;
        }
        let expected = from_table(&complete, features, class, score, node, parents);
        assert!(
            (ours - expected).abs() <= 1e-9 * expected.abs().max(1.0),
            "{score:?} {class:?} {most:?}, node {node}, parents {parents:b}: {ours}, from the table {expected}"
        );
    }
}

fn plans() -> impl Strategy<Value = Plan> {
    let dims = prop::collection::vec(prop::sample::select(vec![1_usize, 2, 2, 3, 4, 5, 11]), 1..6);
    let missing = prop::sample::select(vec![0_u64, 0, 5]);
    let repeated = prop::sample::select(vec![0_u64, 1, 8]);
    (dims, 1..4_usize, 0..150_usize, missing, any::<bool>(), repeated, any::<u64>()).prop_map(
        |(dims, classes, rows, missing, weighted, repeated, seed)| Plan {
            dims,
            classes,
            rows,
            missing,
            weighted,
            repeated,
            seed,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn few_features(plan in plans()) {
        let data = plan.data();
        // Any order, and not all of them.
        let features: Vec<usize> = (0..plan.dims.len()).rev().filter(|&feature| plan.dims.len() < 4 || feature != 1).collect();
        for class in [ClassRole::Parent, ClassRole::Variable] {
            for score in SCORES {
                for most in [None, Some(0), Some(2)] {
                    check(&data, &features, class, score, most, usize::MAX);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn many_features(seed in any::<u64>(), weighted in any::<bool>(), repeated in prop::sample::select(vec![0_u64, 1, 6]), wide in any::<bool>()) {
        // Enough for whole blocks of rows that are together, in words of either length.
        let dims: Vec<usize> = (0..14).map(|feature| [2, 3, 2, 4, 2, if wide { 40 } else { 3 }][feature % 6]).collect();
        let plan = Plan { dims, classes: 3, rows: 160, missing: 0, weighted, repeated, seed };
        let data = plan.data();
        let features: Vec<usize> = (0..14).collect();
        for score in [LocalScore::Bdeu(1.0), LocalScore::QuotientNml, LocalScore::Bic, LocalScore::K2] {
            check(&data, &features, ClassRole::Parent, score, None, 150);
        }
        check(&data, &features[..13], ClassRole::Variable, LocalScore::Bdeu(10.0), None, 150);
        check(&data, &features, ClassRole::Variable, LocalScore::FactorizedNml, Some(3), 1000);
        check(&data, &features[..9], ClassRole::Parent, LocalScore::Bds(1.0), None, 150);
    }
}

#[test]
fn every_family_is_the_same_with_a_limit_that_leaves_out_one_only() {
    let dims: Vec<usize> = (0..13).map(|feature| 2 + feature % 3).collect();
    let plan = Plan { dims, classes: 2, rows: 300, missing: 1, weighted: false, repeated: 1, seed: 5 };
    let (data, features) = (plan.data(), (0..13).collect::<Vec<_>>());
    let count = |most| {
        FamilyScores::count(&data, &features, ClassRole::Parent, LocalScore::Bdeu(1.0), most, GO_ON).unwrap()
    };
    let (all, limited) = (count(None), count(Some(11)));
    for node in 0..13 {
        for parents in
            (0..1_u64 << 13).filter(|parents| parents >> node & 1 == 0 && parents.count_ones() < 12)
        {
            let (ours, other) = (all.score(node, parents), limited.score(node, parents));
            assert!((ours - other).abs() < 1e-9, "node {node}, parents {parents:b}: {ours} {other}");
        }
    }
}

#[test]
fn rows_that_fit_no_word() {
    let plan = |features: usize| Plan {
        dims: vec![60_000; features],
        classes: 2,
        rows: 60,
        missing: 2,
        weighted: false,
        repeated: 2,
        seed: 9,
    };
    // Words of 64 and of 128 bits, and columns.
    for features in [3, 6, 9] {
        let features_asked: Vec<usize> = (0..features).collect();
        for data in [plan(features).data(), Plan { weighted: true, ..plan(features) }.data()] {
            for score in [LocalScore::Bdeu(1.0), LocalScore::K2, LocalScore::LogLikelihood] {
                check(&data, &features_asked, ClassRole::Parent, score, Some(3), 60);
                check(&data, &features_asked, ClassRole::Variable, score, Some(3), 60);
            }
        }
    }
    // All subsets, with rows together: 16 variables of 9 bits.
    let dims: Vec<usize> = (0..15).map(|feature| if feature < 13 { 2 } else { 60_000 }).collect();
    let wide: Vec<usize> = (0..14).map(|_| 700).collect();
    for dims in [dims, wide] {
        let features: Vec<usize> = (0..dims.len().min(14)).collect();
        let plan = Plan { dims, classes: 2, rows: 100, missing: 0, weighted: false, repeated: 1, seed: 3 };
        check(&plan.data(), &features, ClassRole::Parent, LocalScore::Bic, None, 60);
    }
}

#[test]
fn many_features_with_few_parents() {
    let dims: Vec<usize> = (0..60).map(|feature| 2 + feature % 3).collect();
    let plan = Plan { dims, classes: 3, rows: 200, missing: 0, weighted: false, repeated: 0, seed: 11 };
    let (data, features) = (plan.data(), (0..60).collect::<Vec<_>>());
    let scores =
        FamilyScores::count(&data, &features, ClassRole::Variable, LocalScore::Bdeu(1.0), Some(2), GO_ON)
            .unwrap();
    let families =
        [(0, 1 << 60 | 1 << 59), (60, 0), (60, 1 << 17 | 1 << 3), (31, 1 << 2 | 1 << 60), (59, 1 << 58)];
    for (node, parents) in families {
        let expected =
            from_table(&data, &features, ClassRole::Variable, LocalScore::Bdeu(1.0), node, parents);
        assert!((scores.score(node, parents) - expected).abs() < 1e-9 * expected.abs());
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let dims: Vec<usize> = (0..15).map(|feature| 2 + feature % 3).collect();
    let plan = Plan { dims, classes: 3, rows: 400, missing: 1, weighted: false, repeated: 1, seed: 2 };
    let (data, features) = (plan.data(), (0..15).collect::<Vec<_>>());
    for (score, features, most) in [
        (LocalScore::Bdeu(1.0), &features[..], None),
        (LocalScore::Bic, &features[..], Some(4)),
        (LocalScore::Bds(1.0), &features[..8], None),
    ] {
        let bits = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let count =
                || FamilyScores::count(&data, features, ClassRole::Parent, score, most, GO_ON).unwrap();
            let scores = pool.install(count);
            let of_node = |node: usize| {
                let masks = (0..1_u64 << features.len()).filter(move |parents| parents >> node & 1 == 0);
                masks.map(|parents| scores.score(node, parents).to_bits()).collect::<Vec<_>>()
            };
            (0..features.len()).flat_map(of_node).collect::<Vec<_>>()
        };
        assert_eq!(bits(1), bits(4));
    }
}

#[test]
fn progress_is_told_and_work_can_be_stopped() {
    let data = pattern(&[2; 14], 2, 50, 0);
    let features: Vec<usize> = (0..14).collect();
    for (score, most) in [(LocalScore::K2, None), (LocalScore::Bic, Some(2)), (LocalScore::Bds(1.0), Some(2))]
    {
        let (last, whole) = (AtomicU64::new(0), AtomicU64::new(0));
        let calls = AtomicU64::new(0);
        let watch = |done: u64, total: u64| {
            whole.store(total, Ordering::Relaxed);
            last.fetch_max(done, Ordering::Relaxed);
            calls.fetch_add(1, Ordering::Relaxed);
            true
        };
        FamilyScores::count(&data, &features, ClassRole::Parent, score, most, &watch).unwrap();
        assert_eq!(last.load(Ordering::Relaxed), whole.load(Ordering::Relaxed));
        assert!(calls.load(Ordering::Relaxed) > 1);
        let stopped = FamilyScores::count(&data, &features, ClassRole::Parent, score, most, &|_, _| false);
        assert!(matches!(stopped, Err(Error::Data(bnc_data::Error::Cancelled))));
    }
}

#[test]
fn memory_is_known_and_too_much_is_refused() {
    let data = pattern(&[2, 3, 4, 2, 3, 4], 3, 50, 0);
    let features: Vec<usize> = (0..6).collect();
    let memory = |class, score, most| FamilyScores::memory(data.schema(), &features, class, score, most);
    assert_eq!(memory(ClassRole::Parent, LocalScore::Bic, None), 8 * 64);
    assert_eq!(memory(ClassRole::Variable, LocalScore::Bic, None), 8 * 128);
    // One function for the family, one for each of three numbers of values.
    assert_eq!(memory(ClassRole::Parent, LocalScore::K2, None), 8 * 64 * 4);
    // While the values find their order they are held twice.
    assert_eq!(memory(ClassRole::Parent, LocalScore::Bic, Some(1)), 8 * 22 * 2);
    assert_eq!(memory(ClassRole::Parent, LocalScore::Bds(1.0), None), 8 * 6 * 32);
    let wide = pattern(&[2; 70], 2, 10, 0);
    for count in [62, 70] {
        let features: Vec<usize> = (0..count).collect();
        let result = FamilyScores::count(&wide, &features, ClassRole::Parent, LocalScore::Bic, None, GO_ON);
        assert!(matches!(result, Err(Error::TooManySubsets { nodes, .. }) if nodes == count));
    }
    let result = FamilyScores::count(&wide, &[70], ClassRole::Parent, LocalScore::Bic, None, GO_ON);
    assert!(matches!(result, Err(Error::NoSuchFeature { feature: 70, features: 70 })));
}
