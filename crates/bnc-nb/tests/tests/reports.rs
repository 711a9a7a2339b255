//! What users of such tools reported, where naive Bayes answers.

use approx::assert_abs_diff_eq;
use bnc_models::bnc_data::{Dataset, Encoder, Format, MISSING, Preparation, ReadOptions, Silent, read_from};
use bnc_models::{Classifier, Error, Learner, Smoothing};
use bnc_nb::NaiveBayes;

const T1: &str = "a,b,class\nx,p,yes\nx,q,yes\ny,p,no\ny,q,no\nx,p,yes\ny,p,no\n";
const T2: &str = "a,b,class\nx,p,yes\nx,q,yes\ny,p,no\n?,q,no\nx,?,yes\ny,p,no\nx,p,yes\n";

fn data(text: &str) -> Dataset {
    let (frame, _) =
        read_from(text.as_bytes(), "table", Format::Csv, &ReadOptions::default(), &Silent).unwrap();
    Encoder::fit(&frame, Preparation::default()).unwrap().encode(&frame).unwrap().data
}

fn posterior(text: &str, row: [u16; 2]) -> Vec<f64> {
    let model = NaiveBayes::default().fit(&data(text)).unwrap();
    let mut posterior = vec![0.0; 2];
    model.posterior_into(&row, &mut posterior).unwrap();
    posterior
}

#[test]
fn the_two_tables_have_the_stated_posteriors() {
    let close = |ours: Vec<f64>, expected: [f64; 2]| {
        assert_abs_diff_eq!(ours[0], expected[0], epsilon = 5e-7);
        assert_abs_diff_eq!(ours[1], expected[1], epsilon = 5e-7);
    };
    close(posterior(T1, [0, 0]), [0.2, 0.8]);
    close(posterior(T1, [1, 1]), [0.8, 0.2]);
    close(posterior(T1, [MISSING, MISSING]), [0.5, 0.5]);
    close(posterior(T2, [0, 0]), [0.193_548, 0.806_452]);
    close(posterior(T2, [MISSING, 0]), [0.444_444, 0.555_556]);
    close(posterior(T2, [MISSING, MISSING]), [0.444_444, 0.555_556]);
}

#[test]
fn r39_every_smoothing_parameter_works_or_is_refused_by_name() {
    for alpha in [0.0, 1e-300, 1e6] {
        for smoothing in [
            Smoothing::Lidstone(alpha),
            Smoothing::M(alpha),
            Smoothing::Bdeu(alpha),
            Smoothing::Friedman(alpha),
        ] {
            let model = NaiveBayes::default().with_smoothing(smoothing).fit(&data(T1)).unwrap();
            for row in [[0, 0], [1, 1], [MISSING, 0], [MISSING, MISSING]] {
                let mut posterior = vec![0.0; 2];
                model.posterior_into(&row, &mut posterior).unwrap();
                assert!(posterior.iter().all(|p| p.is_finite()), "{smoothing}: {posterior:?}");
                assert_abs_diff_eq!(posterior[0] + posterior[1], 1.0, epsilon = 1e-12);
            }
        }
    }
    let uniform = NaiveBayes::default().with_smoothing(Smoothing::Lidstone(1e6)).fit(&data(T1)).unwrap();
    let mut posterior = vec![0.0; 2];
    uniform.posterior_into(&[0, 0], &mut posterior).unwrap();
    assert_abs_diff_eq!(posterior[0], 0.5, epsilon = 1e-5);
    for alpha in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = NaiveBayes::default().with_smoothing(Smoothing::Lidstone(alpha)).fit(&data(T1));
        match refused {
            Err(Error::BadParameter { learner, parameter, .. }) => {
                assert_eq!((learner.as_str(), parameter.as_str()), ("nb", "smoothing"));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn r03_a_declared_value_that_no_row_has_gets_its_smoothed_cell() {
    let arff = "@relation r\n@attribute a {x,y,z}\n@attribute class {no,yes}\n@data\nx,yes\nx,yes\ny,no\n";
    let (frame, _) =
        read_from(arff.as_bytes(), "r.arff", Format::Arff, &ReadOptions::default(), &Silent).unwrap();
    let data = Encoder::fit(&frame, Preparation::default()).unwrap().encode(&frame).unwrap().data;
    let model = NaiveBayes::default().fit(&data).unwrap();
    let table = model.table(0);
    assert_eq!(table.dims(), [3]);
    let p = |value: usize, class: usize| table.logs()[value * 2 + class].exp();
    assert_abs_diff_eq!(p(2, 0), 1.0 / 4.0, epsilon = 1e-12);
    assert_abs_diff_eq!(p(2, 1), 1.0 / 5.0, epsilon = 1e-12);
    for class in 0..2 {
        assert_abs_diff_eq!((0..3).map(|value| p(value, class)).sum::<f64>(), 1.0, epsilon = 1e-12);
    }
}
