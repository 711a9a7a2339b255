//! Averaged k-dependence Bayesian classifiers.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, Schema};
use bnc_models::bnc_stats::Counter;
use bnc_models::{
    Classifier, Configure, Learner, LearnerInfo, Loader, Member, ParameterInfo, Parameters, Result, Saved,
    Smoothing,
};

use crate::kdb::K;
use crate::local::L;
use crate::rows::distinct;
use crate::{Kdb, KdbModel, LocalKdb, LocalKdbModel, local_wire};

/// AKDB: the mean of KDB, one structure for all rows, and local KDB, a structure for every row.
///
/// `P(y | x) = ½ P_KDB(y | x) + ½ P_local(y | x)`
///
/// # Steps
/// 1. Learn [`Kdb`] and [`LocalKdb`] with the same k and the same smoothing.
/// 2. Take the mean of their posteriors, each of which sums to 1.
///
/// # Complexity
/// That of both; the training rows are kept.
///
/// # Departures
/// - The paper does not say whether posteriors or joint probabilities are averaged; a later paper of its group normalises
///   first, and so does this.
/// - Those of [`Kdb`] and [`LocalKdb`]: a missing value is summed out in the one and left out in the other.
///
/// # References
/// - Wang, L., Zhao, H., Sun, M., Ning, Y. (2015). General and local: averaged k-dependence Bayesian classifiers. Entropy 17
///   (6), 4134–4154.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_kdb::Akdb;
/// use bnc_kdb::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_kdb::bnc_models::{Classifier, Learner};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("xor")?, vec![binary("a")?, binary("b")?])?);
/// let data = Dataset::new(schema, vec![0, 1, 1, 0], vec![vec![0, 0, 1, 1], vec![0, 1, 0, 1]], None)?;
/// let model = Akdb::default().fit(&data)?;
/// assert_eq!(model.predict(&[0, 1])?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Akdb {
    local: LocalKdb,
}

impl Akdb {
    /// The largest number of feature parents.
    #[must_use]
    pub fn with_k(mut self, k: usize) -> Self {
        self.local = self.local.with_k(k);
        self
    }

    /// How many rows must have a value for it to imply others.
    #[must_use]
    pub fn with_l(mut self, l: u64) -> Self {
        self.local = self.local.with_l(l);
        self
    }

    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.local = self.local.with_smoothing(smoothing);
        self
    }

    fn fit_rows(&self, rows: Dataset) -> Result<AkdbModel> {
        let general = Kdb::default().with_k(self.local.k).with_smoothing(self.local.smoothing).fit(&rows)?;
        Ok(AkdbModel { general, local: LocalKdbModel::new(self.local, rows)? })
    }
}

impl Learner for Akdb {
    type Model = AkdbModel;

    fn fit(&self, counter: &dyn Counter) -> Result<AkdbModel> {
        self.local.smoothing.validate(Self::INFO.name)?;
        self.fit_rows(distinct(&*counter.rows()?)?)
    }
}

impl Configure for Akdb {
    const INFO: LearnerInfo = LearnerInfo {
        name: "akdb",
        title: "Averaged k-dependence Bayesian classifiers",
        idea: "The mean of KDB, one structure for all rows, and local KDB, a structure for every row.",
        when: "When accuracy matters more than size and speed: better than either part, but all training rows are kept.",
        parameters: &[K, L, ParameterInfo::smoothing("laplace")],
        complexity: "train O(N n²), predict O(n² k + n k N / 64)",
        reference: "Wang, Zhao, Sun and Ning, Entropy 17, 2015",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Ok(Self { local: LocalKdb::read(parameters)? })
    }
}

/// A fitted [`Akdb`].
#[derive(Debug, Clone)]
pub struct AkdbModel {
    general: KdbModel,
    local: LocalKdbModel,
}

impl AkdbModel {
    /// The part with one structure for all rows.
    #[must_use]
    pub fn general(&self) -> &KdbModel {
        &self.general
    }

    /// The part with a structure for every row.
    #[must_use]
    pub fn local(&self) -> &LocalKdbModel {
        &self.local
    }
}

impl Classifier for AkdbModel {
    fn schema(&self) -> &Arc<Schema> {
        self.local.schema()
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        let mut general = vec![0.0; out.len()];
        self.general.posterior_into(row, &mut general)?;
        self.local.posterior_into(row, out)?;
        average(out, &general);
        Ok(())
    }

    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        let mut general = vec![0.0; out.len()];
        self.general.posteriors_into(data, rows.clone(), &mut general)?;
        self.local.posteriors_into(data, rows, out)?;
        average(out, &general);
        Ok(())
    }

    /// The structure of the general part; the local one has one for every row.
    fn members(&self) -> Vec<Member> {
        self.general.members()
    }

    fn save(&self) -> Result<Saved> {
        let bytes = local_wire::write(self.local.learner, &self.local.rows)?;
        Ok(Saved { kind: KIND, version: VERSION, bytes })
    }
}

fn average(local: &mut [f64], general: &[f64]) {
    local.iter_mut().zip(general).for_each(|(local, general)| *local = f64::midpoint(*local, *general));
}

/// Reads AKDB.
pub const AKDB_LOADER: Loader = Loader { kind: KIND, version: VERSION, load, older: &[] };

const KIND: &str = "akdb";
/// The wire form is that of local KDB: the rows make both parts again.
const VERSION: u32 = 1;

fn load(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let (local, rows) = local_wire::read(bytes, path, schema)?;
    Ok(Box::new(Akdb { local }.fit_rows(rows)?))
}
