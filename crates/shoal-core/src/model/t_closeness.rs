//! Is the distribution of sensitive values in every class close to that of the whole table?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::largest_part::{BILLION, largest_part};
use super::step::{larger_factor, larger_share};
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::distance::{self, Masses};
use crate::exact::Ratio;
use crate::frequency::{Distribution, EquivalenceClass, Induction, PeopleOfClass, Reads, TableProfile};
use crate::hierarchy::Hierarchy;
use crate::{Error, Result, schema};

/// # t-closeness
///
/// **Definition.** In every equivalence class, the distance between the distribution of the sensitive column and its
/// distribution over all released records is at most `t`. The distance is the Earth Mover's Distance: the least work
/// of turning one distribution into the other, where moving from a value to another costs their ground distance.
/// **Protects against** skewness and similarity: whoever finds a person's class learns little more than what the
/// whole table tells about everybody.
/// **Does not protect against** linking a record to a person; combine it with k-anonymity. A small `t` destroys the
/// relation between quasi-identifiers and the sensitive column, which is often what research is after.
/// **Parameters.** `column`; `t`, from 0 to 1 (with `kl` it may exceed 1); `distance`: `equal` (the default: every two values differ
/// alike; `variational` is the same), `ordered` (numbers and dates: by the number of values in
/// between; a missing value ranks after the largest),
/// `hierarchical` (the level of the lowest common ancestor in the column's hierarchy), or `kl` (the Kullback-Leibler
/// divergence, in natural units); `reference`: `released` (the default) or `table`, to compare with the input as ARX does.
/// **Monotonicity.** Without suppression: the distance of a merged class is at most the weighted mean of its
/// parts'. Where rows are suppressed, the released distribution itself changes, and nothing is promised.
/// **Example.** Salaries 3, 4, 5 against 3 to 11, ordered: 0.375. Salaries 6, 8, 11: 0.167.
/// **People.** With `person`, two things are at most `t`. First the distance where everybody counts once, in equal parts under
/// each value that they have: in the class under those in the class, in the whole under all of theirs. Four people, of whom A
/// has flu three times and asthma, B flu and diabetes, C flu, and D back pain, give 2, 1/2, 1/2 and 1 of 4. With two people in
/// another class, one with gout and one with a cold, these are of 6 in the whole, where gout and a cold have 1 each: flu is 1/6
/// more frequent in the class, asthma and diabetes 1/24, back pain 1/12, so that the equal distance is 1/3. Second, since what
/// everybody has besides dilutes equal parts, for each value by itself the difference between the share of the class's people who
/// have it and that of all people, times the distance from that value to the nearest other one: three of four have flu, and three
/// of six, a difference of 1/4. So t is 1/3 here. Where everybody in a class has HIV, one in a hundred of all people has it, and all
/// people have nine other values, HIV is a tenth of the equal parts of the class, which are less than a tenth from the whole; but
/// the difference for HIV is 0.99. With `ordered`, the distances by everybody's smallest value and by everybody's largest are at
/// most `t`, too; with `kl` the divergence of those who have a value and those who have it not. Of people with one value each, all
/// of it is what it is of records.
/// **Reference.** Li, Li and Venkatasubramanian 2007, Definition 2 and section 5.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TCloseness {
    /// How far the distribution of a class may be from that of all records: at most 1, with `kl` any number.
    #[schemars(range(min = 0), example = 0.2)]
    t: f64,
    /// How far it is from a value to another.
    #[serde(default)]
    distance: GroundDistance,
    /// What a class is compared with.
    #[serde(default, skip_serializing_if = "Reference::is_default")]
    #[schemars(extend("default" = "released"))]
    reference: Reference,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = schema::another_word("variational", "The same as `equal`."))]
enum GroundDistance {
    /// Every two values differ alike.
    #[default]
    #[serde(alias = "variational")]
    Equal,
    /// Numbers and dates: by the number of values in between.
    Ordered,
    /// The level of the lowest common ancestor in the column's hierarchy.
    Hierarchical,
    /// No distance between values: the Kullback-Leibler divergence, in natural units.
    Kl,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Reference {
    /// All released records.
    #[default]
    Released,
    /// All records of the input, as ARX does.
    Table,
}

impl Reference {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    t: f64,
    distance: GroundDistance,
    reference: Reference,
    induction: Induction,
    hierarchy: Option<Hierarchy>,
    /// t, or a little more, in billionths.
    billionths: u64,
}

impl Parameters for TCloseness {
    const ID: &'static str = "t-closeness";
    const SCOPE: Scope = Scope::Column;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        if self.distance == GroundDistance::Kl {
            return Complaint::unless_at_least("t", self.t, 0.0);
        }
        Complaint::unless_within("t", self.t, 0.0..=1.0)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        let column = subject.column();
        let name = column.name();
        if self.distance == GroundDistance::Ordered {
            subject.refuse_generalized("t-closeness with the ordered distance")?;
            if let Some(unclear) = column.column_type().unclear() {
                return Err(unclear.error(column.name(), false));
            }
            if !column.column_type().is_ordered() && column.has_values() {
                return Err(Error::table(format!("column `{name}` is text, which has no order for `distance = \"ordered\"`"))
                    .hint("use `equal`, or `hierarchical` with a hierarchy"));
            }
        }
        if self.distance == GroundDistance::Hierarchical && column.hierarchy().is_none() {
            return Err(Error::policy(format!("`distance = \"hierarchical\"` needs a hierarchy for column `{name}`"))
                .hint(format!("give [columns.\"{name}\"] a `hierarchy`")));
        }
        Ok(Box::new(Model {
            column: subject.index,
            name: name.to_owned(),
            t: self.t,
            distance: self.distance,
            reference: self.reference,
            induction: column.induction(&column.default_weights()),
            hierarchy: column.hierarchy().cloned(),
            billionths: Ratio::written(self.t).map_or(BILLION, |t| t.ceil_of(BILLION)),
        }))
    }

    fn warning(&self) -> Option<String> {
        (self.t == 1.0 && self.distance != GroundDistance::Kl).then(|| "`t = 1` accepts every class: no two distributions are farther apart".to_owned())
    }

    fn looser(&self) -> Vec<Self> {
        let any_number = || larger_factor(self.t).filter(|_| self.distance == GroundDistance::Kl);
        larger_share(self.t).or_else(any_number).map(|t| Self { t, ..self.clone() }).into_iter().collect()
    }

    fn audited(subject: Subject<'_>) -> Vec<Self> {
        let column = subject.column();
        let applies = |distance: &GroundDistance| match distance {
            GroundDistance::Ordered => column.column_type().is_ordered() && !column.is_generalized(),
            GroundDistance::Hierarchical => column.hierarchy().is_some(),
            GroundDistance::Equal | GroundDistance::Kl => true,
        };
        let all = [GroundDistance::Equal, GroundDistance::Ordered, GroundDistance::Hierarchical, GroundDistance::Kl];
        all.into_iter().filter(applies).map(|distance| Self { t: 1.0, distance, reference: Reference::Released }).collect()
    }

    fn samples(subject: Subject<'_>) -> Vec<Self> {
        let against = |reference| Self::audited(subject).into_iter().map(move |sample| Self { t: 0.3, reference, ..sample });
        against(Reference::Released).chain(against(Reference::Table)).collect()
    }
}

impl Model {
    fn hierarchy(&self) -> &Hierarchy {
        self.hierarchy.as_ref().expect("the hierarchical distance is resolved only with a hierarchy")
    }

    /// How far the share of a class's people who have some value is from that of all people.
    fn having(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> Quantity {
        let having = people.having_leaves(self.column, &self.induction);
        let reference = self.reference(table);
        let masses = Masses {
            codes: &having.codes,
            counts: &having.counts,
            total: people.count() * self.induction.scale(),
            reference: reference.having(),
        };
        Quantity::Exact(match self.distance {
            GroundDistance::Equal => distance::having(masses, |_| 1, 1),
            GroundDistance::Ordered => match reference.ranking().codes.len() as u64 {
                0 | 1 => Ratio::ZERO,
                values => distance::having(masses, |_| 1, 1).over(values - 1),
            },
            GroundDistance::Hierarchical => match self.hierarchy().height() as u64 {
                0 => Ratio::ZERO,
                height => distance::having(masses, |leaf| reference.nearest(leaf), height),
            },
            GroundDistance::Kl => return Quantity::Real(distance::having_kullback_leibler(masses)),
        })
    }

    /// Where values have an order, how far a class's people are from all people by the least that everybody has, and by the greatest.
    fn of_ends(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> Vec<Quantity> {
        if self.distance != GroundDistance::Ordered {
            return Vec::new();
        }
        let distance = |((codes, counts), reference): (&(Vec<u32>, Vec<u64>), &Distribution)| {
            Quantity::Exact(distance::ordered(Masses { codes, counts, total: people.count(), reference }))
        };
        people.ends(self.column).iter().zip(self.reference(table).ends()).map(distance).collect()
    }

    fn reference<'a>(&self, table: &'a TableProfile) -> &'a Distribution {
        match self.reference {
            Reference::Released => table.released(self.column),
            Reference::Table => table.input(self.column),
        }
    }

    /// How many records are in no part of a class that could be accepted, against a reference of at least `fewest` records.
    ///
    /// The equal distance is 1 less what two distributions have in common: of each value the smaller share. The hierarchical one is
    /// the mean of the equal distances of all levels below the root. So of p records in a part at least (1 - t) p must be in common
    /// with the reference, on the mean of the levels, and those of a value are no more than the class has, nor than its share of p.
    fn outside_any_part(&self, class: &EquivalenceClass<'_>, table: &TableProfile, fewest: u64) -> f64 {
        let induced = self.induction.induce(class.counts(self.column));
        let (total, reference) = (class.size() * self.induction.scale(), self.reference(table));
        let masses = Masses { codes: &induced.codes, counts: &induced.counts, total, reference };
        let hierarchy = self.hierarchy.as_ref().filter(|_| self.distance == GroundDistance::Hierarchical);
        let levels = hierarchy.map_or(1, Hierarchy::height) as u64;
        let limits = masses.with_reference(hierarchy);
        let required = (levels * (BILLION - self.billionths.min(BILLION)), BILLION);
        let largest = largest_part(total, &limits, fewest, 0, required);
        (class.size() - largest / self.induction.scale()) as f64
    }

    /// By how many records a class has more than the accepted could, whose distance is t, with failing ones whose distance is 1.
    fn beyond_the_mean(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> f64 {
        let OneOrTwo::One(Quantity::Exact(distance)) = self.measure(class, table) else { return 0.0 };
        if self.t < 1.0 { class.size() as f64 * (distance.approximately() - self.t) / (1.0 - self.t) } else { 0.0 }
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        let distance = match self.distance {
            GroundDistance::Equal => "equal distance",
            GroundDistance::Ordered => "ordered distance",
            GroundDistance::Hierarchical => "hierarchical distance",
            GroundDistance::Kl => "KL divergence",
        };
        let against = if self.reference == Reference::Table { ", against the input" } else { "" };
        format!("{}-closeness of {} ({distance}{against})", self.t, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let Self { t, name, reference, .. } = self;
        let all = if *reference == Reference::Table { "of the original" } else { "released" };
        format!(
            "Anyone who knows {known} learns little more about the record's {name} than what all records {all} tell: those that \
             look the same are distributed alike, up to a distance of {t}."
        )
    }

    fn promise_to_people(&self, known: &str) -> String {
        let Self { t, name, reference, .. } = self;
        let all = if *reference == Reference::Table { "all people of the original" } else { "all people released" };
        format!(
            "Anyone who knows {known} learns little more about the person's {name} than what {all} tell: those whose records look the same \
             are distributed alike, each counted once with equal parts of what they have, and nearly as many of them have each value, \
             up to a distance of {t}."
        )
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::at_most("t", self.t))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        let induced = self.induction.induce(class.counts(self.column));
        let masses = Masses {
            codes: &induced.codes,
            counts: &induced.counts,
            total: class.size() * self.induction.scale(),
            reference: self.reference(table),
        };
        OneOrTwo::One(match self.distance {
            GroundDistance::Equal => Quantity::Exact(distance::equal(masses)),
            GroundDistance::Ordered => Quantity::Exact(distance::ordered(masses)),
            GroundDistance::Hierarchical => Quantity::Exact(distance::hierarchical(masses, self.hierarchy())),
            GroundDistance::Kl => Quantity::Real(distance::kullback_leibler(masses)),
        })
    }

    /// Everybody counts once, in equal parts under each value that they have: whoever has many must not outweigh the others. What many have
    /// besides dilutes that, so that each value is also looked at by itself.
    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        let OneOrTwo::One(in_parts) = self.measure(&people.sharing(self.column), table) else {
            unreachable!("it has one bound")
        };
        let bound = Bound::at_most("t", self.t);
        let worst = bound.worse(in_parts, self.having(people, table));
        OneOrTwo::One(self.of_ends(people, table).into_iter().fold(worst, |worst, of_end| bound.worse(worst, of_end)))
    }

    /// Distances are convex: that of all accepted parts as one is at most the weighted mean of theirs, so at most t. Where records are left
    /// out of the release, no value has more records in it than in the whole, but the release has fewer.
    ///
    /// Ranks change with the values that are left, and the Kullback-Leibler divergence has no bound for what fails.
    fn least_failing(&self, class: &EquivalenceClass<'_>, table: &TableProfile, suppressed: f64) -> f64 {
        let total = self.reference(table).total();
        let fewest = match self.reference {
            Reference::Table => total,
            Reference::Released => total.saturating_sub((suppressed * total as f64 * (1.0 + 1e-9)).ceil() as u64),
        };
        match self.distance {
            GroundDistance::Equal | GroundDistance::Hierarchical => self.outside_any_part(class, table, fewest),
            GroundDistance::Ordered if fewest == total => self.beyond_the_mean(class, table),
            GroundDistance::Ordered | GroundDistance::Kl => 0.0,
        }
    }

    fn compares_distributions(&self) -> bool {
        true
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    fn depends_on_release(&self) -> bool {
        self.reference == Reference::Released
    }

    fn depends_on_input(&self) -> bool {
        self.reference == Reference::Table
    }

    fn uses_hierarchy(&self) -> bool {
        self.distance == GroundDistance::Hierarchical
    }
}
