//! The learners, by name. This is the only place that lists them.

use bnc_anb::{Anb, Bnc2p, FsAnb, Gbn, GreedyGbn, Manb, McDag, RaiAnb};
use bnc_kdb::{AKDB_LOADER, Akdb, BACK_OFF_LOADER, Kdb, LOCAL_KDB_LOADER, LocalKdb};
use bnc_models::{
    AnyLearner, Configure, Error, LearnerInfo, LearnerSpec, Loader, NETWORK_LOADER, Parameters,
};
use bnc_nb::NaiveBayes;
use bnc_ode::{
    A2DE_LOADER, A2de, Aode, AodeSrBranch, Aodesr, ENSEMBLE_LOADER, HNB_LOADER, Hnb, MiOde, Spode, Waode,
};
use bnc_tan::{Abn, TAN_FDA_LOADER, Tan, TanFda};

use crate::text::nearest;

/// A learner that can be made by name.
struct Entry {
    info: LearnerInfo,
    build: fn(&Parameters) -> bnc_models::Result<Box<dyn AnyLearner>>,
}

const fn entry<L: Configure + 'static>() -> Entry {
    Entry { info: L::INFO, build: |parameters| Ok(Box::new(L::configure(parameters)?)) }
}

const ENTRIES: &[Entry] = &[
    entry::<NaiveBayes>(),
    entry::<Tan>(),
    entry::<Abn>(),
    entry::<TanFda>(),
    entry::<Spode>(),
    entry::<Aode>(),
    entry::<Aodesr>(),
    entry::<AodeSrBranch>(),
    entry::<Waode>(),
    entry::<MiOde>(),
    entry::<Hnb>(),
    entry::<A2de>(),
    entry::<Kdb>(),
    entry::<LocalKdb>(),
    entry::<Akdb>(),
    entry::<Anb>(),
    entry::<Gbn>(),
    entry::<FsAnb>(),
    entry::<Manb>(),
    entry::<GreedyGbn>(),
    entry::<Bnc2p>(),
    entry::<McDag>(),
    entry::<RaiAnb>(),
];

/// What reads the models of all learners.
pub(crate) const LOADERS: &[Loader] = &[
    NETWORK_LOADER,
    TAN_FDA_LOADER,
    ENSEMBLE_LOADER,
    HNB_LOADER,
    A2DE_LOADER,
    BACK_OFF_LOADER,
    LOCAL_KDB_LOADER,
    AKDB_LOADER,
];

/// What is to be said about each learner.
pub(crate) fn infos() -> impl Iterator<Item = &'static LearnerInfo> {
    ENTRIES.iter().map(|entry| &entry.info)
}

/// What is to be said about the learner of that name.
pub(crate) fn info(name: &str) -> Result<&'static LearnerInfo, String> {
    infos().find(|info| info.name == name).ok_or_else(|| unknown(name))
}

/// The learner that is written so.
pub(crate) fn build(spec: &LearnerSpec) -> bnc_models::Result<Box<dyn AnyLearner>> {
    let entry =
        ENTRIES.iter().find(|entry| entry.info.name == spec.name).ok_or_else(|| Error::NoSuchLearner {
            name: spec.name.clone(),
            available: infos().map(|info| info.name.into()).collect(),
        })?;
    (entry.build)(&Parameters::new(&entry.info, spec.parameters.clone())?)
}

/// Reads a learner from the command line and refuses one that cannot be built.
pub(crate) fn parse(text: &str) -> Result<LearnerSpec, String> {
    let spec: LearnerSpec = text.parse().map_err(|error: Error| error.to_string())?;
    match build(&spec) {
        Ok(_) => Ok(spec),
        Err(Error::NoSuchLearner { name, .. }) => Err(unknown(&name)),
        Err(error) => Err(error.to_string()),
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = infos().map(|info| info.name).collect();
    let guess = nearest(name, names.iter().copied())
        .map(|guess| format!("; did you mean '{guess}'?"))
        .unwrap_or_default();
    format!("no learner '{name}'; there are: {}{guess}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_learner_is_built_by_its_name() {
        for info in infos() {
            assert!(parse(info.name).is_ok(), "{}", info.name);
        }
    }

    #[test]
    fn every_default_can_be_written() {
        for info in infos() {
            for parameter in info.parameters.iter().filter(|parameter| !parameter.default.contains(' ')) {
                let text = format!("{}:{}={}", info.name, parameter.name, parameter.default);
                assert!(parse(&text).is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn an_unknown_learner_is_refused_with_those_that_exist() {
        let error = parse("aodee").unwrap_err();
        assert!(error.starts_with("no learner 'aodee'; there are: nb, tan, "), "{error}");
        assert!(error.ends_with("; did you mean 'aode'?"), "{error}");
    }

    #[test]
    fn an_unknown_parameter_is_refused_with_those_that_exist() {
        let error = parse("aode:k=2").unwrap_err();
        assert_eq!(error, "aode has no parameter 'k'; it takes: m, joint, smoothing");
    }
}
