//! `bnc bench`.

use serde_json::Value;

use crate::support::Folder;

fn last_line(out: &str) -> Value {
    serde_json::from_str(out.lines().last().unwrap()).unwrap()
}

#[test]
fn the_last_line_is_json() {
    let folder = Folder::with_t1();
    folder.write("test.csv", "class,b,a\nyes,p,x\nno,q,y\nyes,p,y\nyes,new,x\n");
    let run = folder.ok("bench t1.csv --learner nb --test test.csv --runs 4 --threads 1");
    let last = last_line(&run.out);
    for key in ["load_s", "train_s", "predict_s"] {
        assert!(last[key].as_f64().unwrap() >= 0.0, "{key}");
    }
    assert_eq!((&last["rows"], &last["test_rows"], &last["features"]), (&6.into(), &4.into(), &2.into()));
    assert_eq!((&last["runs"], &last["threads"], &last["learner"]), (&4.into(), &1.into(), &"nb".into()));
    // The third row looks like those of the other class.
    assert_eq!(last["accuracy"], 0.75);
    assert!(run.out.contains("median"), "{}", run.out);
}

#[test]
fn without_a_test_file_the_training_rows_are_predicted() {
    let folder = Folder::with_t1();
    let last = last_line(&folder.ok("bench t1.csv --learner tan --runs 1").out);
    assert_eq!((&last["test_rows"], &last["accuracy"]), (&6.into(), &1.0.into()));
    assert!(last["test"].is_null());
    let piped = folder.run_with_input("bench - --learner nb --runs 2", crate::support::T1);
    assert_eq!(last_line(&piped.out)["rows"], 6, "{}", piped.err);
    folder.error(2, "bench t1.csv --learner nb --runs 0");
    folder.error(1, "bench t1.csv --learner nb --test nowhere.csv");
}
