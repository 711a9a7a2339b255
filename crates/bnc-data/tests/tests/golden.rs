//! Cut points and coded files against those of WEKA.
//!
//! Its `Discretize` ran after `ReplaceMissingValues`, which puts the mode or the mean in the place of a missing
//! cell; that is what the policy `mode` does.

use std::path::{Path, PathBuf};

use bnc_data::{Domain, Encoder, Frame, MissingPolicy, Preparation, ReadOptions, Silent, Values, read};

use crate::support::reference;

const PARTS: [&str; 2] = ["uci36", "extra"];

fn load(path: &Path) -> Frame {
    read(path, &ReadOptions::default(), &Silent).unwrap().0
}

fn fit(frame: &Frame) -> Encoder {
    let preparation = Preparation { missing: MissingPolicy::Mode, ..Preparation::default() };
    Encoder::fit(frame, preparation).unwrap()
}

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

#[test]
fn mdl_cuts_are_those_of_weka_bit_for_bit() {
    let Some(folder) = reference("MDL cut points against WEKA's") else {
        return;
    };
    let (mut columns, mut cuts) = (0, 0);
    for path in files(folder.join("golden/cuts")) {
        let set = stem(&path);
        let golden: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let raw = PARTS.map(|part| folder.join(format!("data/{part}/{set}.arff")));
        let frame = load(raw.iter().find(|path| path.exists()).unwrap());
        let mut compared = 0;
        for (index, variable) in fit(&frame).schema().features().iter().enumerate() {
            let key = format!("{index}:{}", variable.name());
            let Domain::Intervals { cuts: found, .. } = variable.domain() else {
                assert!(!golden.contains_key(&key), "{set} {key} is not numeric");
                continue;
            };
            // A column in which WEKA found no cut may not be listed.
            let expected: Vec<f64> = golden
                .get(&key)
                .map(|cuts| serde_json::from_value(cuts.clone()).unwrap())
                .unwrap_or_default();
            let bits = |cuts: &[f64]| cuts.iter().map(|cut| cut.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(found), bits(&expected), "{set} {key}: {found:?} {expected:?}");
            compared += usize::from(golden.contains_key(&key));
            columns += 1;
            cuts += found.len();
        }
        assert_eq!(compared, golden.len(), "{set}: every listed column was compared");
    }
    println!("{columns} numeric columns, {cuts} cuts are equal");
    assert!(cuts > 0, "nothing was compared");
}

#[test]
fn coded_sets_equal_the_discrete_files_of_weka() {
    let Some(folder) = reference("coded sets against WEKA's discrete files") else {
        return;
    };
    let (mut sets, mut cells) = (0, 0);
    for part in PARTS {
        for path in files(folder.join(format!("data/{part}-discrete"))) {
            let set = stem(&path);
            let raw = folder.join(format!("data/{part}/{set}.arff"));
            if !raw.exists() {
                continue;
            }
            let (raw, discrete) = (load(&raw), load(&path));
            let encoder = fit(&raw);
            let coded = encoder.encode(&raw).unwrap().data;
            for column in &discrete.columns {
                let features = encoder.schema().features().iter().zip(coded.features());
                let (variable, found) = features
                    .map(|(variable, codes)| (variable, codes.as_slice()))
                    .chain([(encoder.schema().class(), coded.class())])
                    .find(|(variable, _)| variable.name() == column.name)
                    .unwrap_or_else(|| panic!("{set}: no column {}", column.name));
                let Values::Nominal { labels, codes } = &column.values else {
                    panic!("{set}: {} is not discrete", column.name);
                };
                if let Domain::Labels(known) = variable.domain() {
                    assert_eq!(known.as_slice(), &labels[..], "{set}: {}", column.name);
                } else {
                    assert_eq!(variable.cardinality(), labels.len(), "{set}: {}", column.name);
                }
                let first = (0..codes.len()).find(|&row| codes[row] != found[row]);
                assert_eq!(first, None, "{set}: the first row in which {} differs", column.name);
                cells += codes.len();
            }
            sets += 1;
        }
    }
    println!("{sets} sets, {cells} cells are equal");
    assert!(sets > 0, "nothing was compared");
}
