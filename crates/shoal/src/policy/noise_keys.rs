//! With which keys is noise drawn?

use std::sync::OnceLock;

use super::{ColumnPolicy, Policy, Role};
use crate::key::PseudonymKey;
use shoal_core::Result;

/// The key that the noise of each column is drawn with, by the names of columns.
pub type NoiseKeys = Vec<(String, Vec<u8>)>;

impl Policy {
    /// The keys of all columns with noise. Those without a file share one that is drawn here and kept in `secret`, so that a table that
    /// is read twice is the same both times. The seed of the order of rows is published, and is never one.
    pub(crate) fn noise_keys(&self, secret: &OnceLock<Vec<u8>>) -> Result<NoiseKeys> {
        let key = |column: &ColumnPolicy| match &column.noise_key {
            Some(file) => Ok(PseudonymKey::read(&self.folder.join(file))?.bytes().to_vec()),
            None => match secret.get() {
                Some(secret) => Ok(secret.clone()),
                None => {
                    let fresh = PseudonymKey::fresh()?.bytes().to_vec();
                    Ok(secret.get_or_init(|| fresh).clone())
                }
            },
        };
        self.with_noise().map(|column| Ok((column.name.clone(), key(column)?))).collect()
    }

    /// The columns whose numbers get noise.
    pub fn with_noise(&self) -> impl Iterator<Item = &ColumnPolicy> {
        self.columns.iter().filter(|column| column.publish.as_ref().is_some_and(|publish| publish.noise.is_some()))
    }

    /// The sensitive columns whose noise nobody can draw again.
    pub(crate) fn with_forgotten_noise(&self) -> impl Iterator<Item = &ColumnPolicy> {
        self.with_noise().filter(|column| column.role == Role::Sensitive && column.noise_key.is_none())
    }
}
