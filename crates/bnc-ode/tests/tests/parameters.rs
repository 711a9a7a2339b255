//! Learners as users write them, and what they refuse.

use bnc_models::bnc_data::Dataset;
use bnc_models::conformance::schema;
use bnc_models::{Configure, Error, Learner, LearnerSpec, Parameters, Result, Smoothing};
use bnc_ode::{
    A2de, AodeSrBranch, Aodesr, Hnb, MiOde, PairInformation, Spode, SubsumptionRule, SuperParentChoice, Waode,
};

fn configured<L: Configure>(text: &str) -> Result<L> {
    let spec: LearnerSpec = text.parse()?;
    assert_eq!(spec.name, L::INFO.name);
    L::configure(&Parameters::new(&L::INFO, spec.parameters)?)
}

#[test]
fn defaults_are_those_of_the_builders() {
    assert_eq!(configured::<Waode>("waode").unwrap(), Waode::default());
    assert_eq!(configured::<MiOde>("mi-ode").unwrap(), MiOde::default());
    assert_eq!(configured::<Aodesr>("aodesr").unwrap(), Aodesr::default());
    assert_eq!(configured::<Hnb>("hnb").unwrap(), Hnb::default());
    assert_eq!(configured::<Spode>("spode").unwrap(), Spode::default());
    assert_eq!(configured::<AodeSrBranch>("aode-sr-branch").unwrap(), AodeSrBranch::default());
    assert_eq!(configured::<A2de>("a2de").unwrap(), A2de::default());
}

#[test]
fn parameters_are_read() {
    let aodesr = Aodesr::default()
        .with_subsumption(50, SubsumptionRule::Weka)
        .with_minimum_frequency(3)
        .with_smoothing(Smoothing::Laplace);
    assert_eq!(configured::<Aodesr>("aodesr:l=50,rule=weka,m=3,smoothing=laplace").unwrap(), aodesr);
    let hnb = Hnb::default().with_information(PairInformation::Weka);
    assert_eq!(configured::<Hnb>("hnb:cmi=weka").unwrap(), hnb);
    let choices = [
        ("loo", SuperParentChoice::LeaveOneOut),
        ("cv", SuperParentChoice::CrossValidation),
        ("odour", SuperParentChoice::Feature("odour".into())),
    ];
    for (word, choice) in choices {
        let spode = Spode::default().with_parent(choice);
        assert_eq!(configured::<Spode>(&format!("spode:parent={word}")).unwrap(), spode);
    }
    let branch = AodeSrBranch::default().with_frequency(7);
    assert_eq!(configured::<AodeSrBranch>("aode-sr-branch:l=7").unwrap(), branch);
    assert_eq!(configured::<A2de>("a2de:m=30").unwrap(), A2de::default().with_minimum_frequency(30));
    let m = Smoothing::M(2.0);
    assert_eq!(configured::<Waode>("waode:smoothing=m:2").unwrap(), Waode::default().with_smoothing(m));
    assert_eq!(configured::<MiOde>("mi-ode:smoothing=m:2").unwrap(), MiOde::default().with_smoothing(m));
}

#[test]
fn other_values_are_refused() {
    let refused = |error: Error| matches!(error, Error::BadParameter { .. });
    assert!(refused(configured::<Aodesr>("aodesr:rule=petal").unwrap_err()));
    assert!(refused(configured::<Aodesr>("aodesr:l=-1").unwrap_err()));
    assert!(refused(configured::<Hnb>("hnb:cmi=petal").unwrap_err()));
    assert!(refused(configured::<A2de>("a2de:m=one").unwrap_err()));
    assert!(refused(configured::<AodeSrBranch>("aode-sr-branch:l=x").unwrap_err()));
}

/// Counting would say that there are no rows.
#[test]
fn a2de_refuses_what_is_too_large_before_it_counts() {
    let wide = Dataset::new(schema(&[2; 2000], 2), Vec::new(), vec![Vec::new(); 2000], None).unwrap();
    let error = A2de::default().fit(&wide).unwrap_err();
    // 2000 · 1999 / 2 pairs of 4 configurations, 1998 children of 2 values, 2 classes.
    assert!(matches!(error, Error::TooLarge { cells: 63_904_032_000, .. }), "{error}");
}
