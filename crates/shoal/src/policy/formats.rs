//! Can this build read and write the files that a policy names?

use super::Policy;
use shoal_core::Result;

impl Policy {
    /// Checks the names of its files, whether or not they are there.
    pub fn check_formats(&self) -> Result<()> {
        if let Some(path) = &self.input.path {
            shoal_format::check_read(&self.folder.join(path))?;
        }
        for path in [&self.output.path, &self.output.sensitive_path].into_iter().flatten() {
            shoal_format::check_written(&self.folder.join(path))?;
        }
        Ok(())
    }
}
