//! Decomposable scores of a family: a node and its parents.

mod term;

pub(crate) use term::{Term, ln_regret};

use crate::{Table, Vars};

/// A decomposable score of structures: the score of a network is the sum over its families. Natural logarithms; larger is
/// better.
///
/// Written for a child of r values whose parents have q configurations (the product of the declared numbers of values,
/// the class included where it is a parent), with counts `N_jk` of configuration j and value k, `N_j = Σ_k N_jk`, and
/// `lnΓ` the logarithm of the gamma function. Configurations that were never seen contribute 0.
///
/// Every score is a sum over the cells of the family less a sum over the configurations of the parents; AIC and BIC have a
/// penalty besides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LocalScore {
    /// The maximised log-likelihood `LL = Σ_jk N_jk ln(N_jk / N_j)`.
    LogLikelihood,
    /// Akaike's criterion on the scale of the log-likelihood, `LL − (r − 1) q` (Akaike 1974).
    Aic,
    /// The Bayesian criterion on the scale of the log-likelihood, `LL − ½ ln N · (r − 1) q` (Schwarz 1978). The minimum
    /// description length is its negative: the largest BIC is the smallest MDL.
    Bic,
    /// Bayesian Dirichlet, equivalent and uniform, of the given equivalent sample size a (Buntine 1991; Heckerman, Geiger
    /// and Chickering 1995): `Σ_j [lnΓ(a/q) − lnΓ(a/q + N_j) + Σ_k (lnΓ(a/(rq) + N_jk) − lnΓ(a/(rq)))]`.
    Bdeu(f64),
    /// Bayesian Dirichlet, sparse (Scutari 2016): BDeu with q the number of parent configurations that were *seen*. It is not
    /// score equivalent.
    Bds(f64),
    /// The score of K2 (Cooper and Herskovits 1992): all Dirichlet parameters are 1,
    /// `Σ_j [lnΓ(r) − lnΓ(r + N_j) + Σ_k lnΓ(1 + N_jk)]`. It is not score equivalent.
    K2,
    /// Factorised normalised maximum likelihood, `LL − Σ_j ln C(N_j, r)` (Silander, Roos, Kontkanen and Myllymäki 2008),
    /// with `C(n, r)` the normaliser of a multinomial of r values over n rows. It is not score equivalent.
    FactorizedNml,
    /// Quotient normalised maximum likelihood, `LL − ln C(N, rq) + ln C(N, q)` (Silander, Leppä-aho, Jääsaari and Roos
    /// 2018); N is the number of rows of the table.
    QuotientNml,
}

/// The node that a family belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Child {
    /// A feature of the table.
    Feature(usize),
    /// The class.
    Class,
}

impl LocalScore {
    /// The score that has a name: `loglik`, `aic`, `bic` or `mdl`, `bdeu`, `bds`, `k2`, `fnml`, `qnml`. The equivalent
    /// sample size is that of `bdeu` and `bds`. `None` for another name, or a size that is not positive and finite.
    #[must_use]
    pub fn from_name(name: &str, equivalent_sample_size: f64) -> Option<Self> {
        let positive = equivalent_sample_size > 0.0 && equivalent_sample_size.is_finite();
        match name {
            "loglik" => Some(Self::LogLikelihood),
            "aic" => Some(Self::Aic),
            "bic" | "mdl" => Some(Self::Bic),
            "bdeu" => positive.then_some(Self::Bdeu(equivalent_sample_size)),
            "bds" => positive.then_some(Self::Bds(equivalent_sample_size)),
            "k2" => Some(Self::K2),
            "fnml" => Some(Self::FactorizedNml),
            "qnml" => Some(Self::QuotientNml),
            _ => None,
        }
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LogLikelihood => "loglik",
            Self::Aic => "aic",
            Self::Bic => "bic",
            Self::Bdeu(_) => "bdeu",
            Self::Bds(_) => "bds",
            Self::K2 => "k2",
            Self::FactorizedNml => "fnml",
            Self::QuotientNml => "qnml",
        }
    }

    /// The equivalent sample size, where the score has one.
    #[must_use]
    pub fn equivalent_sample_size(self) -> Option<f64> {
        match self {
            Self::Bdeu(size) | Self::Bds(size) => Some(size),
            _ => None,
        }
    }

    /// The score of a family from its contingency table.
    ///
    /// The table is over the child, if that is a feature, and all features among its parents. `class_is_parent` says whether
    /// the class is a parent, too; it has no meaning for the class as the child. `rows` is the N of the BIC penalty.
    ///
    /// # Panics
    /// When the child is a feature that the table does not have.
    #[must_use]
    pub fn of_family(self, table: &Table, child: Child, class_is_parent: bool, rows: u64) -> f64 {
        let features: f64 = table.dims().iter().map(|&dim| dim as f64).product();
        let (arity, family, parents) = match child {
            Child::Class => (table.classes(), cells(table, true), cells(table, false)),
            Child::Feature(feature) => {
                let axis = table.vars().position(feature);
                assert!(axis.is_some(), "feature {feature} is not an axis of the table");
                let others = table.marginal(&Vars::new(table.vars().iter().filter(|&var| var != feature)));
                let arity = table.dims()[axis.unwrap_or_default()];
                (arity, cells(table, class_is_parent), cells(&others, class_is_parent))
            }
        };
        let configurations = match child {
            Child::Class => features,
            Child::Feature(_) if class_is_parent => features / arity as f64 * table.classes() as f64,
            Child::Feature(_) => features / arity as f64,
        };
        let seen = parents.len() as f64;
        let sum = |term: Term, counts: &[u64]| counts.iter().map(|&count| term.at(count)).sum::<f64>();
        let arity = arity as f64;
        let scored = sum(self.family_term(arity, configurations, seen), &family)
            - sum(self.parents_term(arity, configurations, seen), &parents);
        let regret = match self {
            Self::QuotientNml => {
                let total = family.iter().sum();
                ln_regret(total, arity * configurations) - ln_regret(total, configurations)
            }
            _ => self.penalty(rows) * (arity - 1.0) * configurations,
        };
        scored - regret
    }

    /// What one free parameter costs.
    pub(crate) fn penalty(self, rows: u64) -> f64 {
        match self {
            Self::Aic => 1.0,
            Self::Bic => 0.5 * (rows.max(1) as f64).ln(),
            _ => 0.0,
        }
    }

    /// What a cell of the family adds: `arity` values of the child, `configurations` of the parents, `seen` of them.
    pub(crate) fn family_term(self, arity: f64, configurations: f64, seen: f64) -> Term {
        match self {
            Self::Bdeu(size) => Term::Rising(size / (arity * configurations)),
            Self::Bds(size) => Term::Rising(size / (arity * seen.max(1.0))),
            Self::K2 => Term::Rising(1.0),
            _ => Term::CountLogCount,
        }
    }

    /// What a configuration of the parents takes away.
    pub(crate) fn parents_term(self, arity: f64, configurations: f64, seen: f64) -> Term {
        match self {
            Self::Bdeu(size) => Term::Rising(size / configurations),
            Self::Bds(size) => Term::Rising(size / seen.max(1.0)),
            Self::K2 => Term::Rising(arity),
            Self::FactorizedNml => Term::Regret(arity),
            _ => Term::CountLogCount,
        }
    }
}

/// The counts above 0 of a table's configurations, by class or over all classes.
fn cells(table: &Table, by_class: bool) -> Vec<u64> {
    let runs = table.runs().map(|(_, run)| run);
    if by_class {
        runs.flatten().copied().filter(|&count| count > 0).collect()
    } else {
        runs.map(|run| run.iter().sum()).filter(|&count| count > 0).collect()
    }
}
