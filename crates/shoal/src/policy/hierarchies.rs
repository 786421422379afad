//! Are the hierarchies of a policy sound, and do they have the levels that it asks for?

use super::{ColumnPolicy, Policy, Role};
use shoal_core::hierarchy::{Hierarchy, check};
use shoal_core::{Error, Result};

impl Policy {
    /// Checks the hierarchies as far as that can be done without the table: those in files are read, and levels that none of
    /// them has are refused.
    pub fn check_hierarchies(&self) -> Result<()> {
        for column in &self.columns {
            let Some(spec) = &column.hierarchy else { continue };
            let may_print = column.role != Role::Sensitive;
            let report = check(spec, &self.folder, None, may_print);
            if let Some(defect) = report.defects.into_iter().next() {
                return Err(defect.at(&column.place));
            }
            if may_print && let Some(hierarchy) = spec.standalone(&self.folder)? {
                column.levels(&hierarchy)?;
            }
        }
        Ok(())
    }
}

impl ColumnPolicy {
    /// The lowest and the highest level that the column may have in this hierarchy.
    pub fn levels(&self, hierarchy: &Hierarchy) -> Result<(u8, u8)> {
        let height = u8::try_from(hierarchy.height())
            .map_err(|_| Error::policy(format!("the hierarchy of column `{}` has more than 255 levels", self.name)))?;
        let level = |key: &str, level: Option<u64>, default: u8| match level.map(u8::try_from) {
            None => Ok(default),
            Some(Ok(level)) if level <= height => Ok(level),
            _ => Err(Error::policy(format!("`{key}` of column `{}` is above its hierarchy", self.name))
                .at(&self.place)
                .hint(format!("its levels are 0 to {height}; `shoal hierarchy show` draws them"))),
        };
        Ok((level("min-level", self.min_level, 0)?, level("max-level", self.max_level, height)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(column: &str) -> Result<()> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("h.csv"), "Yaws;skin;*\nFlu;lung;*\n").unwrap();
        std::fs::write(folder.path().join("ragged.csv"), "Yaws;skin;*\nFlu;*\n").unwrap();
        let text = format!(
            "[columns.age]\nrole = 'quasi-identifier'\n[columns.ill]\n{column}\n[[require]]\nmodel = 'k-anonymity'\nk = 2\n"
        );
        Policy::parse(&text, "p.toml", folder.path()).unwrap().check_hierarchies()
    }

    #[test]
    fn a_hierarchy_in_a_file_is_read() {
        checked("role = 'sensitive'\nhierarchy = { file = 'h.csv' }").unwrap();
        let error = checked("role = 'sensitive'\nhierarchy = { file = 'none.csv' }").unwrap_err().to_string();
        assert!(
            error.starts_with("p.toml, line 3: cannot read the hierarchy ") && error.contains("none.csv"),
            "{error}"
        );
        for role in ["sensitive", "quasi-identifier"] {
            let error =
                checked(&format!("role = '{role}'\nhierarchy = {{ file = 'ragged.csv' }}")).unwrap_err().to_string();
            assert!(error.starts_with("p.toml, line 3: the hierarchy "), "{error}");
            assert!(role != "sensitive" || !error.contains("Flu") && !error.contains("Yaws"), "{error}");
        }
    }

    #[test]
    fn levels_that_there_are_not_are_refused() {
        let of = |level: u8| {
            checked(&format!("role = 'quasi-identifier'\nhierarchy = {{ file = 'h.csv' }}\nmax-level = {level}"))
        };
        of(2).unwrap();
        let error = of(3).unwrap_err();
        assert_eq!(error.message(), "p.toml, line 3: `max-level` of column `ill` is above its hierarchy");
        // How many levels these have is for the table to say.
        checked("role = 'quasi-identifier'\nhierarchy = { mask = { from = 'right' } }\nmax-level = 9").unwrap();
    }
}
