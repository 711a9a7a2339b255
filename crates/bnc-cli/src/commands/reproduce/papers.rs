//! The experiments that can be reproduced.

mod abn;
mod akdb;
mod anb;
mod mi_ode;
mod uci;

use clap::ValueEnum;

use super::protocol::Protocol;

/// A paper whose experiment can be reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Paper {
    /// One-dependence estimators weighted by values (Yu, Gan and Fan 2020)
    MiOde,
    /// Averaged k-dependence classifiers (Wang, Zhao, Sun and Ning 2015)
    Akdb,
    /// Exactly learnt augmented naive Bayes (Sugahara, Uto and Ueno 2018)
    Anb,
    /// Optimal augmented Bayes networks (Hamine and Helman 2005)
    Abn,
}

impl Paper {
    pub(super) fn protocol(self) -> &'static Protocol {
        match self {
            Self::MiOde => &mi_ode::PROTOCOL,
            Self::Akdb => &akdb::PROTOCOL,
            Self::Anb => &anb::PROTOCOL,
            Self::Abn => &abn::PROTOCOL,
        }
    }
}

#[cfg(test)]
mod tests;
