//! A table that was counted, and releases of it by partitions that no method made.

use shoal::policy::Policy;
use shoal::prepare::prepare;
use shoal::publish::{Intent, Outputs};
use shoal::source::{self, LocalSource, Source, Staged};
use shoal_core::Result;
use shoal_core::frequency::CountedTable;
use shoal_core::method::Partition;
use shoal_core::recode::{Parts, Pseudonyms, Recoding};
use shoal_core::watch::Unwatched;

pub struct Counted {
    pub source: LocalSource,
    pub table: CountedTable,
    counted: source::Counted,
}

impl Counted {
    /// The table of a policy.
    pub fn of(policy: &Policy) -> Self {
        let mut source = LocalSource::new(policy, None, None).unwrap();
        let counted = source.count(policy, &Unwatched).unwrap();
        Self { source, table: prepare(policy, &counted).unwrap(), counted }
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
            layout: &self.counted.layout,
            dictionaries: &self.counted.dictionaries,
            partition,
            identifiers,
            keep_suppressed: policy.output.keeps_suppressed(),
            seed: policy.output.order_seed(),
        })?;
        self.source.stage(policy, &self.counted, &recoding, outputs, &Unwatched)
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
