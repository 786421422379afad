//! What is certified of a release that was published just now?

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::check::is_same;
use super::label::{Label, Labels};
use super::stated_model::StatedModel;
use super::statements::{CertifiedDates, CertifiedRole, CertifiedWarning, Statements};
use super::{Certificate, CertifiedModel, CertifiedSensitive, CertifiedTable, FORMAT, Hashes};
use crate::safe::{Rule, Safe};
use crate::summary::published_numbers;
use shoal::audit::{measure_requirements, requirements_of};
use shoal::meaning::repeats::Repeats;
use shoal::outsider::OutsiderTable;
use shoal::policy::{ColumnPolicy, Policy, Ranges, Role, Suppressed};
use shoal::study::Release;
use shoal_core::frequency::SensitiveColumn;
use shoal_core::model::{OneOrTwo, Quantity, Requirement};
use shoal_core::table::DateReading;
use shoal_core::{Error, Result};

impl Certificate {
    /// Of a release that was published just now. What an outsider cannot work out again, by the certificate alone and to the same result, is
    /// not certified but stated.
    pub fn new(made: &Release, hashes: &Hashes) -> Result<Self> {
        let policy = made.policy();
        refuse_two_columns(policy)?;
        let (partition, requirements, measured) = (made.partition(), made.requirements(), &made.measured);
        let release = &made.seen;
        let suppressed = partition.suppressed();
        let is_shown = policy.output.suppressed == Suppressed::Keep;
        let (rule, people) = (Rule::new(requirements), made.people_left_out());
        let rule = if is_shown { rule } else { rule.leaving_out(suppressed, people) };
        let mut certificate = Self {
            certificate: FORMAT,
            release: CertifiedTable {
                sha256: hashes.release.clone(),
                columns: release.columns.clone(),
                rows: release.rows,
                suppressed_rows_shown: release.exempt_rows,
                classes: measured.classes,
                smallest_class: measured.smallest,
                largest_class: measured.largest,
            },
            sensitive_table: policy.method.method.separates().map(|link| {
                let names = policy.with_role(Role::Sensitive).map(|column| column.name.clone());
                let columns = [link.class.to_owned()].into_iter().chain(names).chain([link.count.to_owned()]).collect();
                CertifiedSensitive { sha256: hashes.sensitive.clone(), columns }
            }),
            models: Vec::new(),
            threshold: rule.threshold(),
            stated_by_its_maker: statements(made, hashes, rule),
        };
        let (columns, models) = certified(made);
        certificate.stated_by_its_maker.hierarchies = columns;
        let judged = Judged { release, requirements, achieved: &measured.achieved, rule, rows: made.table().rows };
        certificate.certify(models, &judged);
        Ok(certificate)
    }

    /// Certifies those models that somebody who has the release and this certificate measures alike, and states the others.
    fn certify(&mut self, models: Vec<Option<CertifiedModel>>, judged: &Judged<'_>) {
        for (place, model) in models.into_iter().enumerate() {
            let requirement = &judged.requirements[place];
            let achieved = judged.achieved[place];
            let stated = match model {
                Some(model) if !requirement.model.depends_on_input() && self.is_told(&model, judged.release) => {
                    self.models.push(model);
                    continue;
                }
                Some(model) => Some(StatedModel::told(requirement, achieved, model, (judged.rule, judged.rows))),
                None => None,
            };
            let stated = stated.filter(|stated| self.is_named(stated, judged.release));
            let untold = || StatedModel::untold(requirement, requirement.holds(achieved));
            self.stated_by_its_maker.models.push(stated.unwrap_or_else(untold));
        }
    }

    /// Do the parameters of a stated model by themselves lead to its name and its numbers?
    fn is_named(&self, stated: &StatedModel, release: &OutsiderTable) -> bool {
        let again = self.policy_for(&stated.model).and_then(|policy| requirements_of(release, &policy));
        again.is_ok_and(|again| again.len() == 1 && again.iter().all(|requirement| stated.is_of(requirement)))
    }

    /// Does the certificate by itself lead to the same result?
    fn is_told(&self, model: &CertifiedModel, release: &OutsiderTable) -> bool {
        let again = self.policy_for(model).and_then(|policy| measure_requirements(release, &policy));
        again.is_ok_and(|again| {
            again.len() == 1
                && again.iter().all(|(requirement, achieved)| {
                    requirement.model.name() == model.label
                        && requirement.required_json() == model.required
                        && is_same(&requirement.achieved_json(*achieved), &model.achieved)
                })
        })
    }
}

/// A release and what was required of it.
struct Judged<'a> {
    release: &'a OutsiderTable,
    requirements: &'a [Requirement],
    achieved: &'a [OneOrTwo<Quantity>],
    rule: Rule,
    rows: u64,
}

type Hierarchies = BTreeMap<String, Vec<Vec<Label>>>;

/// All models with their parameters in words that the release shows (none where that cannot be), and the hierarchies that they need.
fn certified(release: &Release) -> (Hierarchies, Vec<Option<CertifiedModel>>) {
    let policy = release.policy();
    let columns = release.partition().sensitive_columns(release.table());
    let mut labels: Vec<Labels<'_>> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let (values, _) = release.seen.sensitive_values(index);
            Labels::new(column, values.into_iter().filter(|(_, rows)| *rows > 0).map(|(value, _)| value.to_owned()))
        })
        .collect();
    let mut hierarchies = Hierarchies::new();
    for (column, labels) in columns.iter().zip(&mut labels) {
        let of_column =
            || release.requirements().iter().filter(|required| required.column.as_deref() == Some(column.name()));
        let is_needed = labels.is_generalized() || of_column().any(|required| required.model.uses_hierarchy());
        if is_needed && column.hierarchy().is_some() {
            let weights = column.default_weights();
            let given: Vec<&Map<String, Value>> =
                of_column().filter_map(|required| required.parameters.get("weights")?.as_object()).collect();
            let is_weighted = |leaf: u32| {
                let by_policy = |weights: &&Map<String, Value>| weights.contains_key(column.value(leaf));
                weights[leaf as usize] > 0 || given.iter().any(by_policy)
            };
            hierarchies.insert(column.name().to_owned(), labels.rows(&is_weighted));
        }
    }
    let among = policy.requirements.iter().flat_map(|required| {
        let copies = required.columns_meant(&release.table().sensitive).len();
        std::iter::repeat_n(required.among, copies)
    });
    let models = release.requirements().iter().zip(&release.measured.achieved).zip(among);
    let models = models.map(|((requirement, &achieved), among_all_sensitive)| {
        let place = columns.iter().position(|column| requirement.column.as_deref() == Some(column.name()));
        let parameters = parameters(requirement, place.map(|place| (&columns[place], &mut labels[place])))?;
        Some(CertifiedModel {
            model: requirement.id.to_owned(),
            column: requirement.column.clone(),
            among_all_sensitive,
            parameters,
            label: requirement.model.name(),
            required: requirement.required_json(),
            achieved: requirement.achieved_json(achieved),
            holds: requirement.holds(achieved),
        })
    });
    let models = models.collect();
    (hierarchies, models)
}

/// The parameters of a requirement without a value that the release does not show; none if there is no way to say them so.
fn parameters(
    requirement: &Requirement,
    mut column: Option<(&SensitiveColumn, &mut Labels<'_>)>,
) -> Option<Map<String, Value>> {
    let mut told = Map::new();
    for (key, value) in requirement.parameters.as_object()? {
        let value = match (value, &mut column, requirement.model.groups()) {
            (Value::Array(_) | Value::Object(_), Some((column, labels)), Some(group_of)) => {
                json!(groups(column, labels, group_of))
            }
            (Value::Array(list), Some((_, labels)), None) => {
                let label = |text: &Value| Some(labels.label(text.as_str()?));
                let mut told = list.iter().map(label).collect::<Option<Vec<Label>>>()?;
                // The order of names would tell something about those that are hidden.
                told.sort();
                json!(told)
            }
            // A number for each value matters only where generalized ones are shown, which cover some.
            (Value::Object(_), Some((_, labels)), None) if !labels.is_generalized() => continue,
            (Value::Object(numbers), Some((_, labels)), None) => {
                let pair = |(text, number): (&String, &Value)| {
                    number.is_number().then(|| (labels.label(text), number.clone()))
                };
                let mut told = numbers.iter().map(pair).collect::<Option<Vec<(Label, Value)>>>()?;
                told.sort_by(|a, b| a.0.cmp(&b.0));
                json!(told)
            }
            (Value::Array(_) | Value::Object(_), ..) => return None,
            (plain, ..) => plain.clone(),
        };
        told.insert(key.clone(), value);
    }
    Some(told)
}

/// The values that the release shows, in their groups.
fn groups(column: &SensitiveColumn, labels: &Labels<'_>, group_of: &[u32]) -> Vec<Vec<String>> {
    let mut groups: Vec<(u32, Vec<String>)> = Vec::new();
    for leaf in labels.shown_leaves() {
        let (group, value) = (group_of[leaf as usize], column.value(leaf).to_owned());
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, values)) => values.push(value),
            None => groups.push((group, vec![value])),
        }
    }
    groups.into_iter().map(|(_, values)| values).collect()
}

/// A certificate speaks of columns of labels: whoever has it alone could not tell that two columns of numbers are one.
pub fn refuse_two_columns(policy: &Policy) -> Result<()> {
    match policy.output.ranges {
        Ranges::Labels => Ok(()),
        Ranges::TwoColumns => {
            Err(Error::policy("there is no certificate of a release with `ranges = \"two-columns\"`")
                .hint("say `ranges = \"labels\"` in [output], or leave the certificate out"))
        }
    }
}

/// What cannot be told from the release; without hierarchies and models.
fn statements(made: &Release, hashes: &Hashes, rule: Rule) -> Statements {
    let (policy, table, partition, release) = (made.policy(), made.table(), made.partition(), &made.seen);
    let told = |count: u64| rule.tells(count).then_some(count);
    let is_shown = policy.output.suppressed == Suppressed::Keep;
    let suppressed = (!rule.hides_left_out()).then(|| partition.suppressed());
    // Whose rows these were, nobody has counted.
    let is_of_somebody = made.dropped_rows() > 0 && table.people.is_some();
    let levels = partition.node.as_ref().map(|node| {
        table.quasi.iter().zip(node.levels()).map(|(column, level)| (column.name.clone(), *level)).collect()
    });
    let objectives = partition.objectives.iter();
    let objectives = objectives.map(|(id, value)| Some(((*id).to_owned(), rule.exact_loss(*value, table.rows)?)));
    Statements {
        roles: roles(policy, release),
        missing: release.missing_marker().to_owned(),
        decimal_comma: policy.input.marks.decimal_comma,
        thousands: policy.input.marks.thousands.map(|mark| mark.name().to_owned()),
        published_numbers: published_numbers(policy).map(|(name, how)| (name.to_owned(), how.to_string())).collect(),
        knows: policy.input.person.is_some().then_some(policy.input.knows),
        suppressed_rows_stay: is_shown,
        dates: policy.columns.iter().filter_map(dates).collect(),
        hierarchies: BTreeMap::new(),
        models: Vec::new(),
        policy_sha256: hashes.policy.clone(),
        shoal: env!("CARGO_PKG_VERSION").to_owned(),
        method: policy.method.method.id().to_owned(),
        guarantee: partition.guarantee().to_owned(),
        objective: policy.method.objective.id().to_owned(),
        objectives: rule.tells_figures(table.rows).then(|| objectives.flatten().collect()),
        levels,
        input_rows: suppressed.map(|_| table.rows),
        suppressed_rows: suppressed,
        dropped_rows: told(made.dropped_rows()).filter(|_| !is_of_somebody),
        warnings: made.repeats().iter().map(|repeats| CertifiedWarning::new(repeats, rule)).collect(),
    }
}

/// What each released column is.
fn roles(policy: &Policy, release: &OutsiderTable) -> BTreeMap<String, CertifiedRole> {
    let link = policy.method.method.separates();
    let of_rows = release.columns.iter().map(|name| {
        let is_class = link.is_some_and(|link| link.class == name);
        let role = policy.role_of(name).filter(|_| !is_class);
        (name.clone(), role.map_or(CertifiedRole::Class, CertifiedRole::of))
    });
    let of_values = link.into_iter().flat_map(|link| {
        let sensitive = policy.with_role(Role::Sensitive).map(|column| (column.name.clone(), CertifiedRole::Sensitive));
        sensitive.chain([(link.count.to_owned(), CertifiedRole::Count)])
    });
    of_rows.chain(of_values).collect()
}

impl CertifiedWarning {
    fn new(repeats: &Repeats, rule: Rule) -> Self {
        let text = format!("{}: {}", repeats.opening(), Safe::of_repeats(repeats, rule).as_str());
        Self { id: Repeats::WARNING.to_owned(), text }
    }
}

/// What a policy says about the dates of a column, if it says anything.
fn dates(column: &ColumnPolicy) -> Option<(String, CertifiedDates)> {
    let DateReading { order, first_year } = column.date_reading();
    let is_shown = matches!(column.role, Role::QuasiIdentifier | Role::Sensitive);
    let is_said = is_shown && (order.is_some() || first_year.is_some());
    is_said.then(|| (column.name.clone(), CertifiedDates { dates: order, two_digit_years: first_year }))
}
