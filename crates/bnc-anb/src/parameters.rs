//! The parameters that the learners of this crate share.

use bnc_models::bnc_stats::LocalScore;
use bnc_models::{Error, ParameterInfo, Parameters, Result, Smoothing};

/// What the key `score` takes where every decomposable score will do.
pub(crate) const SCORES: &str = "bdeu | bds | k2 | mdl (bic) | aic | fnml | qnml | loglik";

pub(crate) const SCORE: ParameterInfo = ParameterInfo {
    name: "score",
    default: "bdeu",
    values: SCORES,
    meaning: "what the structure maximises; mdl is minimised, which is to maximise bic",
};

pub(crate) const EQUIVALENT_SAMPLE_SIZE: ParameterInfo = ParameterInfo {
    name: "ess",
    default: "1",
    values: "a number above 0",
    meaning: "the equivalent sample size of bdeu and bds",
};

/// The keys `score`, one of `allowed`, and `ess`.
pub(crate) fn score(parameters: &Parameters, allowed: &str, default: LocalScore) -> Result<LocalScore> {
    let equivalent_sample_size: Option<f64> = parameters.get("ess", "a number above 0")?;
    if let Some(size) = equivalent_sample_size.filter(|size| !(size.is_finite() && *size > 0.0)) {
        return Err(parameters.bad("ess", size.to_string(), "a number above 0"));
    }
    let name: Option<String> = parameters.get("score", allowed)?;
    let name = name.unwrap_or_else(|| default.name().into());
    let known = allowed.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == name);
    let score = LocalScore::from_name(&name, equivalent_sample_size.unwrap_or(1.0)).filter(|_| known);
    let score = score.ok_or_else(|| parameters.bad("score", name, allowed))?;
    if let (Some(size), None) = (equivalent_sample_size, score.equivalent_sample_size()) {
        return Err(parameters.bad("ess", size.to_string(), "for bdeu and bds only; leave it out"));
    }
    Ok(score)
}

/// Refuses an equivalent sample size that is not above 0, for learners made without [`score`].
pub(crate) fn validate(score: LocalScore, learner: &str) -> Result<()> {
    match score.equivalent_sample_size() {
        Some(size) if !(size.is_finite() && size > 0.0) => Err(Error::BadParameter {
            learner: learner.into(),
            parameter: "ess".into(),
            value: size.to_string(),
            expected: "a number above 0".into(),
        }),
        _ => Ok(()),
    }
}

/// The expected a posteriori estimate that goes with a score: BDeu with its equivalent sample size, or with 1.
pub(crate) fn smoothing_of(score: LocalScore) -> Smoothing {
    Smoothing::Bdeu(score.equivalent_sample_size().unwrap_or(1.0))
}

pub(crate) const MAX_PARENTS: ParameterInfo = ParameterInfo {
    name: "max-parents",
    default: "none",
    values: "a number, or none",
    meaning: "the most parents of a feature, the class not counted",
};

/// A number of parents, or no limit.
pub(crate) fn max_parents(parameters: &Parameters) -> Result<Option<usize>> {
    const EXPECTED: &str = "a whole number of 0 or more, or none";
    let text: Option<String> = parameters.get("max-parents", EXPECTED)?;
    match text.as_deref() {
        None | Some("none") => Ok(None),
        Some(text) => match text.parse() {
            Ok(limit) => Ok(Some(limit)),
            Err(_) => Err(parameters.bad("max-parents", text.into(), EXPECTED)),
        },
    }
}
