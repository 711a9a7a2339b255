//! Parquet files of another writer.

use crate::support::Folder;

const WEATHER: &[u8] = include_bytes!("../fixtures/weather.parquet");

#[cfg(feature = "parquet")]
#[test]
fn parquet_gives_the_model_of_the_same_rows_as_csv() {
    let folder = Folder::new();
    folder.write("weather.parquet", WEATHER);
    let error = folder.error(1, "describe weather.parquet");
    assert!(error.contains("'tags'") && error.contains("drop the column"), "{error}");
    folder.ok("discretize weather.parquet --drop tags --discretize none -o weather.csv");
    assert!(
        folder
            .read("weather.csv")
            .starts_with("outlook,temperature,humidity,windy,play\nsunny,30,85,false,no\n")
    );
    for learner in ["nb", "tan", "aode"] {
        folder.ok(&format!("train weather.parquet --drop tags --learner {learner} -o parquet.bnc"));
        folder.ok(&format!("train weather.csv --learner {learner} -o csv.bnc"));
        assert_eq!(folder.bytes("parquet.bnc"), folder.bytes("csv.bnc"), "{learner}");
        // Prediction reads only the columns of the model.
        let predicted = folder.ok("predict parquet.bnc weather.parquet");
        assert_eq!(predicted.out, folder.ok("predict csv.bnc weather.csv").out, "{learner}");
    }
    let error = folder.error(2, "discretize weather.parquet --drop tags -o coded.parquet");
    assert!(error.contains(".csv, .tsv or .arff"), "{error}");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_one() {
    let folder = Folder::new();
    folder.write("weather.parquet", WEATHER);
    let error = folder.error(1, "describe weather.parquet");
    assert!(error.contains("--features parquet"), "{error}");
}
