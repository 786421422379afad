//! A table that was counted, and releases of it by partitions that no method made.

use std::sync::Arc;

use shoal::policy::Policy;
use shoal::prepare::prepare;
use shoal::publish::{Intent, Outputs};
use shoal::source::{LocalSource, Source, Staged};
use shoal_core::Result;
use shoal_core::frequency::CountedTable;
use shoal_core::method::Partition;
use shoal_core::recode::{Layout, Parts, Pseudonyms, Recoding};
use shoal_core::table::Dictionary;
use shoal_core::watch::Unwatched;

pub struct Counted {
    pub source: LocalSource,
    pub table: CountedTable,
    layout: Layout,
    dictionaries: Vec<Arc<Dictionary>>,
}

impl Counted {
    /// The table of a policy.
    pub fn of(policy: &Policy) -> Self {
        let mut source = LocalSource::new(policy, None, None).unwrap();
        let counted = source.count(policy, &Unwatched).unwrap();
        let (layout, dictionaries) = (counted.layout.clone(), counted.dictionaries.clone());
        Self { source, table: prepare(policy, &counted).unwrap(), layout, dictionaries }
    }

    /// Where its release may be staged.
    pub fn outputs(&self, policy: &Policy) -> Outputs {
        let mut intent = Intent::new(false);
        self.source.announce(policy, &mut intent).unwrap();
        intent.claim().unwrap()
    }

    /// Stages the release of a partition.
    pub fn stage(
        &mut self,
        policy: &Policy,
        partition: &Partition,
        identifiers: &[(String, Pseudonyms)],
        outputs: &mut Outputs,
    ) -> Result<Box<dyn Staged>> {
        let recoding = Recoding::new(Parts {
            table: &self.table,
            layout: &self.layout,
            dictionaries: &self.dictionaries,
            partition,
            identifiers,
            keep_suppressed: policy.output.keeps_suppressed(),
            seed: policy.output.order_seed(),
        })?;
        self.source.stage(policy, &recoding, outputs, &Unwatched)
    }

    /// Publishes the release of a partition; its bytes.
    pub fn publish(&mut self, policy: &Policy, partition: &Partition, identifiers: &[(String, Pseudonyms)]) -> Vec<u8> {
        let mut outputs = self.outputs(policy);
        let staged = self.stage(policy, partition, identifiers, &mut outputs).unwrap();
        staged.count(policy, &Unwatched).unwrap();
        staged.publish(outputs).unwrap();
        std::fs::read(self.source.output().unwrap()).unwrap()
    }
}
