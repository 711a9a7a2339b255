//! The whole road: train, predict, evaluate, show.

use crate::support::{Folder, LEARNERS, T1, T2, assert_near, posteriors, without_times};

#[test]
fn train_says_what_it_did() {
    let folder = Folder::new();
    folder.write("t2.csv", T2);
    let run = folder.ok("train t2.csv --learner nb -o m.bnc");
    for line in [
        "model      m.bnc, ",
        "learner    nb\n",
        "rows       7\n",
        "columns    2 features; class 'class' of 2 values\n",
        "numbers    none\n",
        "missing    2 cells\n",
        "structure  0 arcs between features, 5 free parameters\n",
        "time       ",
    ] {
        assert!(run.out.contains(line), "{line}\n{}", run.out);
    }
    assert!(run.err.contains("the class is 'class', the last column (--class names another)"), "{}", run.err);
    assert!(run.err.contains("missing: 2 cells in 2 columns (a 1, b 1)"), "{}", run.err);
    let quiet = folder.ok("train t2.csv --learner nb -o m.bnc --quiet --class class");
    assert_eq!(quiet.err, "");
}

#[test]
fn posteriors_are_those_of_the_formulas() {
    let folder = Folder::with_t1();
    folder.write("t2.csv", T2);
    folder.train("nb", "t1.csv");
    let t1 = folder.posteriors("nb.bnc", "a,b\nx,p\ny,q\n?,?\n");
    assert_near(&t1.concat(), &[0.2, 0.8, 0.8, 0.2, 0.5, 0.5], 1e-12);
    folder.train("nb", "t2.csv");
    let t2 = folder.posteriors("nb.bnc", "a,b\nx,p\n?,p\n?,?\n");
    let expected = [0.193_548, 0.806_452, 0.444_444, 0.555_556, 0.444_444, 0.555_556];
    assert_near(&t2.concat(), &expected, 5e-7);
}

#[test]
fn predictions_have_a_row_a_row_in_order_with_the_labels_of_the_model() {
    let folder = Folder::with_t1();
    folder.train("nb", "t1.csv");
    folder.write("new.csv", "extra,b,a\n1,p,x\n2,q,y\n");
    let run = folder.ok("predict nb.bnc new.csv");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "row,predicted,P(no),P(yes)");
    assert!(lines[1].starts_with("1,yes,0.") && lines[2].starts_with("2,no,0."), "{lines:?}");
    assert_eq!(lines.len(), 3);
    folder.ok("predict nb.bnc new.csv -o out.csv");
    assert_eq!(folder.read("out.csv"), run.out);
}

#[test]
fn labels_in_headers_are_quoted_as_csv_asks() {
    let folder = Folder::new();
    folder.write("odd.csv", "a,class\nx,\"1,5\"\ny,\"say \"\"no\"\"\"\n");
    folder.train("nb", "odd.csv");
    let run = folder.ok("predict nb.bnc odd.csv");
    assert_eq!(run.out.lines().next(), Some("row,predicted,\"P(1,5)\",\"P(say \"\"no\"\")\""));
    assert!(run.out.contains("\n1,\"1,5\",0."), "{}", run.out);
}

#[test]
fn metrics_are_printed_where_there_are_labels() {
    let folder = Folder::with_t1();
    folder.train("nb", "t1.csv");
    let run = folder.ok("predict nb.bnc t1.csv");
    assert!(run.err.contains("6 labelled rows: accuracy 1.0000, zero-one loss 0.0000"), "{}", run.err);
    let document = folder.json("predict nb.bnc t1.csv --json");
    assert_eq!(document["labels"], serde_json::json!(["no", "yes"]));
    assert_eq!(document["predictions"].as_array().unwrap().len(), 6);
    assert_eq!(document["predictions"][0]["predicted"], "yes");
    assert_eq!(document["metrics"]["accuracy"], 1.0);
    let log_loss = document["metrics"]["log_loss"].as_f64().unwrap();
    assert!((log_loss + 0.8_f64.ln()).abs() < 1e-12);
}

#[test]
fn standard_input_is_read_as_csv() {
    let folder = Folder::with_t1();
    for learner in LEARNERS {
        let model = folder.train(learner, "t1.csv");
        let run = folder.run_with_input(&format!("train - --learner {learner} -o piped.bnc"), T1);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(folder.bytes("piped.bnc"), folder.bytes(&model));
        let piped = folder.run_with_input(&format!("predict {model} -"), T1);
        assert_eq!(piped.out, folder.ok(&format!("predict {model} t1.csv")).out);
    }
    let run = folder.run_with_input("train - --learner nb -o m.bnc", "a,class\nx\n");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("error: standard input, line 2"), "{}", run.err);
}

#[test]
fn threads_change_nothing() {
    let folder = Folder::new();
    for learner in LEARNERS {
        let each = ["1", "8"].map(|threads| {
            let model = format!("{learner}-{threads}.bnc");
            folder.ok(&format!(
                "--threads {threads} train builtin:waveform-21:rows=700 --learner {learner} -o {model}"
            ));
            let run =
                folder.ok(&format!("--threads {threads} predict {model} builtin:waveform-21:rows=2000"));
            (folder.bytes(&model), run.out, run.err)
        });
        assert!(each[0] == each[1], "{learner}");
    }
    let each = ["1", "8"].map(|threads| {
        let run = format!("--threads {threads} evaluate builtin:led-7:rows=300 --repeats 2 --json");
        without_times(folder.json(&run))
    });
    assert_eq!(each[0], each[1]);
}

#[test]
fn a_file_in_chunks_is_predicted_like_one_in_memory() {
    // A chunk of a stream has 65,536 rows.
    let folder = Folder::with_t1();
    folder.train("aode", "t1.csv");
    let mut text = String::from("a,b,class\n");
    for row in 0..70_000 {
        text.push_str(["x,p,yes\n", "y,q,no\n", "?,p,yes\n", "y,w,no\n"][row % 4]);
    }
    folder.write("long.csv", &text);
    let streamed = folder.ok("predict aode.bnc long.csv");
    let in_memory = folder.run_with_input("predict aode.bnc -", &text);
    assert!(streamed.out == in_memory.out);
    assert_eq!(posteriors(&streamed.out).len(), 70_000);
    assert!(streamed.out.lines().last().unwrap().starts_with("70000,"));
    assert!(streamed.err.contains("17500 cells of 'b' (first 'w' in long.csv, line 5)"), "{}", streamed.err);
}

#[test]
fn weights_stand_for_rows() {
    let folder = Folder::with_t1();
    folder.write("weighted.csv", "a,b,n,class\nx,p,2,yes\nx,q,1,yes\ny,p,2,no\ny,q,1,no\n");
    folder.train("tan", "t1.csv");
    folder.ok("train weighted.csv --weight n --learner tan -o weighted.bnc");
    assert_eq!(folder.bytes("weighted.bnc"), folder.bytes("tan.bnc"));
}

#[test]
fn a_gzipped_file_is_the_same() {
    let folder = Folder::with_t1();
    // The six rows, gzipped without compression: header, one stored block, CRC-32 and length.
    let text = T1.as_bytes();
    let length = text.len() as u16;
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    bytes.extend(length.to_le_bytes());
    bytes.extend((!length).to_le_bytes());
    bytes.extend(text);
    bytes.extend(crc32fast::hash(text).to_le_bytes());
    bytes.extend(u32::from(length).to_le_bytes());
    folder.write("t1.csv.gz", bytes);
    folder.train("nb", "t1.csv");
    folder.ok("train t1.csv.gz --learner nb -o gz.bnc");
    assert_eq!(folder.bytes("gz.bnc"), folder.bytes("nb.bnc"));
}
