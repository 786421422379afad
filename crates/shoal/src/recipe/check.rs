//! Do the rules of a recipe fit each other, and the policy in it?
//!
//! A recipe may come from somebody else. What contradicts itself is refused before any table is read: of two rules that do not agree, none
//! is the right one.

use std::collections::HashSet;

use super::Recipe;
use super::column_rule::{ColumnRule, Shown};
use crate::linking::Extent;
use crate::policy::{ColumnPolicy, Policy, Role};
use shoal_core::hierarchy::{HierarchySpec, ROOT, Told, members_among};
use shoal_core::method::{Knows, Suppress};
use shoal_core::{Error, Result};

/// What does not fit, if something does not.
type Fits<T = ()> = std::result::Result<T, String>;

/// A quasi-identifier of a recipe, by its rule and by its policy.
struct Column<'a> {
    rule: &'a ColumnRule,
    policy: &'a ColumnPolicy,
    /// The texts that mark a missing value.
    missing: &'a [String],
    /// Its hierarchy from leaf to root, where that does not depend on a table, and all that stands in it.
    rows: Option<Vec<Vec<String>>>,
    listed: HashSet<String>,
}

impl Recipe {
    /// An error if its rules do not fit each other or its policy.
    pub(super) fn check(&self, policy: &Policy) -> Result<()> {
        self.fits(policy).map_err(|what| {
            Error::policy(format!("the recipe contradicts itself: {what}"))
                .hint("ask for a recipe as `shoal anonymize POLICY --recipe FILE` writes it")
        })
    }

    /// What would be refused when it is applied is not written.
    pub(super) fn refuse_if_none_would_apply_it(&self, policy: &Policy) -> Result<()> {
        self.fits(policy).map_err(|what| {
            Error::policy(format!("the recipe of this release would contradict itself: {what}"))
                .detail("nothing was published")
                .hint("correct the policy or its hierarchy; or leave out --recipe")
        })
    }

    fn fits(&self, policy: &Policy) -> Fits {
        if policy.method.method.separates().is_some() {
            return Err(format!("its method is `{}`, of which there are no recipes", policy.method.method.id()));
        }
        if policy.input.knows == Knows::AllRows || policy.method.suppress == Suppress::People {
            return Err("its policy releases people as a whole, and a recipe knows only rows".to_owned());
        }
        let columns = self.checked_columns(policy)?;
        columns.iter().try_for_each(Column::check)?;
        self.check_classes(&columns)
    }

    /// The rules beside the quasi-identifiers of the policy, which have one each, in their order.
    fn checked_columns<'a>(&'a self, policy: &'a Policy) -> Fits<Vec<Column<'a>>> {
        let quasi: Vec<&ColumnPolicy> = policy.with_role(Role::QuasiIdentifier).collect();
        let has_rule = |name: &str| self.columns.iter().any(|rule| rule.column == name);
        if let Some(column) = quasi.iter().find(|column| !has_rule(&column.name)) {
            return Err(format!("it has no rule for column `{}`, a quasi-identifier of its policy", column.name));
        }
        let is_quasi = |name: &str| quasi.iter().any(|column| column.name == name);
        if let Some(rule) = self.columns.iter().find(|rule| !is_quasi(&rule.column)) {
            return Err(format!("it has a rule for column `{}`, no quasi-identifier of its policy", rule.column));
        }
        if !self.columns.iter().map(|rule| &rule.column).eq(quasi.iter().map(|column| &column.name)) {
            return Err("its rules are not one for each quasi-identifier, in the order of its policy".to_owned());
        }
        let column = |(rule, policy_column): (&'a ColumnRule, &'a ColumnPolicy)| {
            let spec = policy_column.hierarchy.as_ref();
            let rows = spec.map(|spec| spec.rows(&policy.folder)).transpose().map_err(|error| error.to_string())?;
            let rows = rows.flatten();
            let listed = rows.iter().flatten().flatten().cloned().collect();
            Ok(Column { rule, policy: policy_column, missing: &policy.input.missing, rows, listed })
        };
        self.columns.iter().zip(quasi).map(column).collect()
    }

    /// Where classes have labels of their own, all columns are shown by them.
    fn check_classes(&self, columns: &[Column<'_>]) -> Fits {
        let by_class = columns.iter().filter(|column| column.rule.shown == Shown::ByClass).count();
        let Some(rules) = &self.classes else {
            return match columns.iter().find(|column| column.rule.shown == Shown::ByClass) {
                Some(column) => {
                    Err(format!("column `{}` is shown by class, and it has no classes", column.rule.column))
                }
                None => Ok(()),
            };
        };
        if by_class < columns.len() {
            return Err("it has classes, and columns that are not shown by them".to_owned());
        }
        if rules.classes.is_empty() {
            return Err("it shows columns by class, and has no classes".to_owned());
        }
        let mut seen = HashSet::new();
        for (number, class) in (1..).zip(&rules.classes) {
            if class.len() != columns.len() {
                let (labels, columns) = (class.len(), columns.len());
                return Err(format!("its class {number} has {labels} labels, and there are {columns} columns"));
            }
            if !seen.insert(class) {
                return Err(format!("its class {number} is there twice"));
            }
            for (label, column) in class.iter().zip(columns) {
                if !column.may_show(label) {
                    return Err(column.no_label(label));
                }
            }
        }
        Ok(())
    }
}

impl Column<'_> {
    fn check(&self) -> Fits {
        let name = &self.rule.column;
        let orders = (self.rule.column_type.date_order(), self.policy.date_reading().order);
        if let (Some(own), Some(of_policy)) = orders
            && own != of_policy
        {
            let (own, of_policy) = (own.name(), of_policy.name());
            return Err(format!("it reads the dates of `{name}` as `{own}`, and its policy as `{of_policy}`"));
        }
        self.check_rows()?;
        match &self.rule.shown {
            Shown::AsItIs => self.check_level(0),
            Shown::Level(0) => Err(format!("level 0 of `{name}` are its values, which are shown \"as-it-is\"")),
            Shown::Level(level) => self.check_level(*level),
            Shown::Labels(labels) => self.check_labels(labels),
            Shown::Nothing | Shown::ByClass => Ok(()),
        }
    }

    /// Is a level one that the hierarchy has, as far as it is known, and that the policy allows?
    fn check_level(&self, level: u8) -> Fits {
        let (name, level) = (&self.rule.column, u64::from(level));
        let height = self.rows.as_ref().and_then(|rows| rows.first()).map(|row| row.len() as u64 - 1);
        if let Some(height) = height.filter(|height| level > *height) {
            return Err(format!("it shows level {level} of `{name}`, which has no level above {height}"));
        }
        let (least, most) = (self.policy.min_level.unwrap_or(0), self.policy.max_level.unwrap_or(u64::MAX));
        match level {
            _ if level < least => Err(format!("it shows level {level} of `{name}`, and its policy none below {least}")),
            _ if level > most => Err(format!("it shows level {level} of `{name}`, and its policy none above {most}")),
            _ => Ok(()),
        }
    }

    /// Ranges that share no value: each value has one label at most.
    fn check_labels(&self, labels: &[String]) -> Fits {
        let name = &self.rule.column;
        if !matches!(self.policy.hierarchy, Some(HierarchySpec::Quantiles(_))) {
            return Err(format!("it has labels for `{name}`, whose hierarchy makes no ranges of its own"));
        }
        let mut extents = Vec::new();
        for label in labels.iter().filter(|label| !self.missing.contains(label)) {
            extents.push((Extent::of(label, &self.rule.column_type).ok_or_else(|| self.no_label(label))?, label));
        }
        extents.sort_by(|(one, _), (other, _)| one.by_beginning(other));
        let overlap = extents.windows(2).find(|pair| pair[0].0.meets(&pair[1].0));
        let of_missing = labels.iter().filter(|label| self.missing.contains(label)).count();
        match overlap {
            Some(pair) => {
                let (one, other) = (pair[0].1, pair[1].1);
                Err(format!("its labels `{one}` and `{other}` of `{name}` have values in common"))
            }
            None if of_missing > 1 => Err(format!("it has several labels for missing values of `{name}`")),
            None if labels.is_empty() => Err(format!("it has no labels for `{name}`")),
            None => Ok(()),
        }
    }

    /// Could a class show this of any value?
    fn may_show(&self, label: &str) -> bool {
        match members_among(label, |text| self.is_known(text)) {
            Some(members) => self.is_known(label) || members.iter().all(|member| self.is_known(member)),
            None => self.is_known(label),
        }
    }

    fn is_known(&self, text: &str) -> bool {
        let is_missing = self.missing.iter().any(|marker| marker == text);
        if text == ROOT || is_missing || self.listed.contains(text) {
            return true;
        }
        match &self.policy.hierarchy {
            Some(HierarchySpec::Mask(_) | HierarchySpec::Known(_)) => true,
            _ if self.rule.column_type.is_ordered() => Extent::of(text, &self.rule.column_type).is_some(),
            // Whatever is no number and no date may be a value, if nobody has listed them.
            _ => self.rows.is_none(),
        }
    }

    /// A label that says from where to where it reaches must reach every value below it.
    fn check_rows(&self) -> Fits {
        let column_type = &self.rule.column_type;
        for row in self.rows.iter().flatten() {
            let leaf = &row[0];
            for label in &row[1..] {
                let is_range = matches!(Told::of(label), Told::Between(..));
                let extent = Extent::of(label, column_type).filter(|_| is_range);
                if extent.is_some_and(|extent| extent.reaches(leaf, column_type) == Some(false)) {
                    let name = &self.rule.column;
                    return Err(format!("it shows `{leaf}` of `{name}` as `{label}`, which does not cover it"));
                }
            }
        }
        Ok(())
    }

    fn no_label(&self, label: &str) -> String {
        let beginning: String = label.chars().take(60).collect();
        let dots = if beginning.len() < label.len() { ".." } else { "" };
        format!("its label `{beginning}{dots}` stands for no value that `{}` could have", self.rule.column)
    }
}
