//! How is a table read and counted once for several policies?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::Figures;
use crate::attack::{self, AuditedQuasi};
use crate::audit::{AuditTask, AuditedColumn, KnownTable, outline};
use crate::meaning::repeats::Repeats;
use crate::outsider::OutsiderTable;
use crate::pipeline::{prepare, task};
use crate::policy::{ColumnPolicy, Policy, Role};
use crate::publish::Outputs;
use crate::risk;
use crate::source::{LocalSource, Source};
use crate::utility::Made;
use crate::verify::verify;
use shoal_core::frequency::CountedTable;
use shoal_core::recode::{Parts, Recoding};
use shoal_core::table::{DateReading, Dictionary};
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

/// A table, counted for all policies that agree on its columns.
pub(super) struct Prepared {
    agreement: String,
    source: LocalSource,
    names: Vec<String>,
    dictionaries: Vec<Arc<Dictionary>>,
    table: CountedTable,
    original: KnownTable,
    /// Columns of the table that tell that rows may not be people.
    pub(super) repeats: Vec<Repeats>,
}

impl Prepared {
    /// Reads the table of a policy, or another one in its place.
    pub fn new(policy: &Policy, input: Option<&Path>, watch: &dyn Watch) -> Result<Self> {
        let mut source = LocalSource::new(policy, input, None)?;
        let mut counted = source.count(policy, watch)?;
        let repeats = std::mem::take(&mut counted.repeats);
        let (names, dictionaries) = (counted.layout.names.clone(), counted.dictionaries.clone());
        let table = prepare(policy, counted)?;
        let original = KnownTable {
            table: OutsiderTable::of_counted(&table, true, &policy.input.missing[0])?,
            quasi: (0..table.quasi.len()).collect(),
            sensitive: (0..table.sensitive.len()).collect(),
        };
        Ok(Self { agreement: agreement(policy), source, names, dictionaries, table, original, repeats })
    }

    /// Was the table counted as this policy would count it?
    pub fn suits(&self, policy: &Policy) -> bool {
        self.agreement == agreement(policy)
    }

    /// What a release that never gets a name would be called; it ends as the table's does.
    fn scratch_name(&self) -> Result<PathBuf> {
        let name = self.source.input().and_then(Path::file_name);
        let name = name.ok_or_else(|| Error::policy("the table to compare releases of is not a file"))?;
        Ok(std::env::temp_dir().join(name))
    }

    /// Makes the release of a policy and measures it.
    pub fn measure(&self, policy: &Policy, watch: &dyn Watch) -> Result<Figures> {
        let begin = Instant::now();
        let table = &self.table;
        let requirements = policy.resolve(&table.sensitive, false)?;
        let partition = policy.method.method.partition(&task(policy, table, &requirements), watch)?;
        let requirements = match &partition.sensitive {
            None => requirements,
            Some(generalized) => policy.resolve(&generalized.columns, false)?,
        };
        let mut source = self.source.clone().into_file(policy, Some(&self.scratch_name()?));
        let identifiers = policy.throwaway_pseudonyms()?;
        let layout = policy.layout(&self.names);
        let recoding = Recoding::new(Parts {
            table,
            layout: &layout,
            dictionaries: &self.dictionaries,
            partition: &partition,
            identifiers: &identifiers,
            keep_suppressed: policy.output.keeps_suppressed(),
            seed: policy.output.order_seed(),
        })?;
        let staged = source.stage(policy, &recoding, &mut Outputs::scratch(), watch)?;
        let release = staged.count(policy, watch)?;
        watch.end();
        let measured = verify(&release, policy, table, &requirements, &partition, &layout.released_names())?;
        let seconds = begin.elapsed().as_secs_f64();

        let link = policy.method.method.separates();
        let quasi: Vec<AuditedQuasi> = match link {
            None => policy.with_role(Role::QuasiIdentifier).map(audited_quasi).collect(),
            Some(link) => {
                let (name, dates) = (link.class.to_owned(), DateReading::default());
                vec![AuditedQuasi { name, hierarchy: None, min_level: 0, dates, measure: None }]
            }
        };
        let sensitive: Vec<AuditedColumn> = policy
            .with_role(Role::Sensitive)
            .map(|column| AuditedColumn {
                name: column.name.clone(),
                hierarchy: column.hierarchy.clone(),
                dates: column.date_reading(),
            })
            .collect();
        let (options, risk_options) = (attack::Options::default(), risk::Options::default());
        let outlined = outline(&AuditTask {
            table: &release,
            quasi: &quasi,
            sensitive: &sensitive,
            original: link.is_none().then_some(&self.original),
            counted: link.is_none().then_some(&self.table),
            outsider: None,
            population: None,
            other: None,
            beside: None,
            beginnings: None,
            knowledge: None,
            options: &options,
            risk_options: &risk_options,
            samples: &[],
            target: None,
            made: Some(Made { table, partition: &partition }),
            limits: &[],
            policy: link.is_none().then_some(policy),
            is_separated: link.is_some(),
            folder: &policy.folder,
            decimal_comma: policy.input.decimal_comma,
        })?;
        Ok(Figures::new(&partition, &requirements, measured, outlined, seconds))
    }
}

fn audited_quasi(column: &ColumnPolicy) -> AuditedQuasi {
    let (name, hierarchy) = (column.name.clone(), column.hierarchy.clone());
    let (min_level, dates, measure) = (column.min_level.unwrap_or(0), column.date_reading(), column.measure);
    AuditedQuasi { name, hierarchy, min_level, dates, measure }
}

/// Everything that two policies must say in the same way so that their table can be counted for both.
fn agreement(policy: &Policy) -> String {
    let column = |column: &ColumnPolicy| {
        let hierarchy = column.hierarchy.as_ref().map(ToString::to_string);
        let (levels, read_as) = ((column.min_level, column.max_level), (column.measure, column.dates));
        format!("{:?}", (&column.name, column.role, hierarchy, read_as, levels, column.weight))
    };
    let columns: Vec<String> = policy.columns.iter().map(column).collect();
    format!("{:?} {:?} {columns:?}", policy.folder, policy.input)
}
