//! All files of the reference data load and have the known shape.

use std::path::PathBuf;

use bnc_data::{RawKind, ReadOptions, Silent};

use super::support::{assert_same, read_streamed};

/// The folder of reference material; `None`, and a message, when there is none.
fn reference() -> Option<PathBuf> {
    let folder = std::env::var_os("BNC_REFERENCE").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: BNC_REFERENCE does not name the folder of reference data");
    }
    folder
}

#[test]
fn reference_data_has_the_known_shape() {
    let Some(folder) = reference() else { return };
    let data = folder.join("data");
    let summary = std::fs::read_to_string(data.join("summary.csv")).unwrap();
    let mut files = 0;
    for line in summary.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [rows, attributes, classes] = [1, 2, 3].map(|field| fields[field].parse::<usize>().unwrap());
        // The prepared files of three sets drop an identifier, and the summary counts without it.
        for set in ["uci36", "uci36-discrete", "extra", "extra-discrete"] {
            let path = data.join(set).join(format!("{}.arff", fields[0]));
            if !path.exists() {
                continue;
            }
            files += 1;
            let (frame, report) = bnc_data::read(&path, &ReadOptions::default(), &Silent).unwrap();
            let identifier = ["Hospital Number", "Instance_name", "animal"]
                .iter()
                .any(|name| frame.columns.iter().any(|column| column.name == *name));
            assert_eq!(frame.rows(), rows, "{}", path.display());
            assert_eq!(frame.columns.len() - 1 - usize::from(identifier), attributes, "{}", path.display());
            let class = &report.columns[report.class.unwrap()].kind;
            assert!(
                matches!(class, RawKind::Nominal(labels) if labels.len() == classes),
                "{}: {class:?}",
                path.display()
            );
            let (streamed, _) = read_streamed(&path, &ReadOptions::default()).unwrap();
            assert_same(&frame, &streamed);
        }
    }
    assert!(files >= 97, "only {files} files");
}
