//! Do the definitions give the numbers that the papers print for their own tables?

use crate::tables::{Plan, Quasi, Sensitive, both, data, exactly, flat, only, profile, read_csv, requirement};
use shoal_core::distance::{self, Masses};
use shoal_core::exact::Ratio;
use shoal_core::frequency::{
    CountedTable, Counts, Distribution, EquivalenceClass, Generalization, SensitiveColumn, SensitiveTuples,
    TableProfile,
};
use shoal_core::lattice::Node;
use shoal_core::method::similarity_blocks::SimilarityBlocks;
use shoal_core::method::{Ends, LabelStyle, Method, Task, eligible_range};
use shoal_core::model::{Among, PrivacyModel, Quantity, Requirement};
use shoal_core::objective::{Candidate, Information, Loss, Objective};
use shoal_core::table::Dictionary;
use shoal_core::watch::Unwatched;

/// A table of a paper: what it prints for the quasi-identifiers is what its classes show.
struct Printed {
    ids: Vec<String>,
    plan: Plan,
    table: CountedTable,
}

impl Printed {
    /// The file has an id, the quasi-identifiers, and these sensitive columns, some with a file for their hierarchy.
    fn read(file: &str, sensitive: &[(&str, Option<&str>)]) -> Self {
        let rows = read_csv(&data(file), b',', true);
        let ids = rows.iter().map(|row| row[0].clone()).collect();
        let quasi = rows[0].len() - 1 - sensitive.len();
        let labels = |column: usize| {
            let mut labels: Vec<String> = rows.iter().map(|row| row[1 + column].clone()).collect();
            labels.sort();
            labels.dedup();
            labels
        };
        let quasi = (0..quasi).map(|column| Quasi::new(&format!("q{column}"), flat(labels(column)))).collect();
        let sensitive = sensitive
            .iter()
            .map(|&(name, file)| Sensitive::new(name, file.map(|file| read_csv(&data(file), b';', false))));
        let sensitive: Vec<Sensitive> = sensitive.collect();
        // `11K` is a number: without its unit it is read as one.
        let cell = |cell: &String| cell.strip_suffix('K').unwrap_or(cell).to_owned();
        let rows = rows.iter().map(|row| row[1..].iter().map(cell).collect()).collect();
        let plan = Plan { quasi, sensitive, rows };
        Self { ids, table: plan.count(), plan }
    }

    /// The class of the record that the paper numbers so.
    fn class_of(&self, id: &str) -> EquivalenceClass<'_> {
        let row = self.ids.iter().position(|known| known == id).expect("the paper prints this number");
        let shown = &self.plan.rows[row][..self.plan.quasi.len()];
        let value = |class: usize, column: usize| {
            self.table.quasi[column].dictionary.value(self.table.base.code(class, column))
        };
        let shows = |class: &usize| (0..shown.len()).all(|column| value(*class, column) == shown[column]);
        self.table.base.class((0..self.table.base.classes()).find(shows).expect("every row is in a class"))
    }

    fn requirement(&self, id: &str, column: usize, parameters: &str) -> Requirement {
        requirement(&self.table, id, column, parameters)
    }

    /// What the classes of these records measure, exactly.
    fn measures(&self, requirement: &Requirement, ids: [&str; 3]) -> [Ratio; 3] {
        let profile = profile(&self.table);
        ids.map(|id| exactly(only(requirement.model.measure(&self.class_of(id), &profile))))
    }

    /// Does every class satisfy?
    fn satisfies(&self, requirement: &Requirement) -> bool {
        let profile = profile(&self.table);
        let base = &self.table.base;
        (0..base.classes()).all(|class| requirement.model.accepts(&base.class(class), &profile))
    }

    /// The worst quantity over all classes, as a report would print it.
    fn achieved(&self, requirement: &Requirement) -> f64 {
        let base = &self.table.base;
        only(requirement.achieved(base, 0..base.classes(), &profile(&self.table))).to_f64()
    }
}

fn ratio(numerator: u128, denominator: u128) -> Ratio {
    Ratio::new(numerator, denominator)
}

mod l_diversity {
    use super::*;

    fn entropies(figure: &Printed, ids: [&str; 3]) -> [f64; 3] {
        let entropy = figure.requirement("entropy-l-diversity", 0, "{ l = 2 }");
        let profile = profile(&figure.table);
        ids.map(|id| only(entropy.model.measure(&figure.class_of(id), &profile)).to_f64())
    }

    fn assert_near(found: [f64; 3], expected: [f64; 3]) {
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    }

    #[test]
    fn figure_2_is_4_anonymous_but_tells_who_has_cancer() {
        let figure = Printed::read("l_diversity_fig2_4anonymous.csv", &[("Condition", None)]);
        assert_eq!(figure.table.base.sizes(), [4, 4, 4]);
        assert!(figure.satisfies(&figure.requirement("k-anonymity", 0, "{ k = 4 }")));
        assert!(!figure.satisfies(&figure.requirement("k-anonymity", 0, "{ k = 5 }")));
        let distinct = figure.requirement("distinct-l-diversity", 0, "{ l = 2 }");
        assert_eq!(figure.measures(&distinct, ["1", "5", "9"]), [2, 3, 1].map(|l| ratio(l, 1)));
        assert!(!figure.satisfies(&distinct));
        assert_near(entropies(&figure, ["1", "5", "9"]), [2.0, 8f64.sqrt(), 1.0]);
        let recursive = figure.requirement("recursive-cl-diversity", 0, "{ c = 1000, l = 2 }");
        assert_eq!(figure.measures(&recursive, ["1", "5", "9"]), [ratio(1, 1), ratio(1, 1), Ratio::INFINITE]);
    }

    #[test]
    fn figure_3_is_3_diverse_and_entropy_2_8_diverse() {
        let figure = Printed::read("l_diversity_fig3_3diverse.csv", &[("Condition", None)]);
        assert!(figure.satisfies(&figure.requirement("distinct-l-diversity", 0, "{ l = 3 }")));
        assert!(!figure.satisfies(&figure.requirement("distinct-l-diversity", 0, "{ l = 4 }")));
        assert_near(entropies(&figure, ["1", "5", "2"]), [8f64.sqrt(); 3]);
        assert!(figure.satisfies(&figure.requirement("entropy-l-diversity", 0, "{ l = 2.8 }")));
        assert!(!figure.satisfies(&figure.requirement("entropy-l-diversity", 0, "{ l = 2.83 }")));
    }

    #[test]
    fn figure_3_needs_c_above_2_for_l_3_and_above_1_for_l_2() {
        let figure = Printed::read("l_diversity_fig3_3diverse.csv", &[("Condition", None)]);
        let satisfies = |c: &str, l: u64| {
            figure.satisfies(&figure.requirement("recursive-cl-diversity", 0, &format!("{{ c = {c}, l = {l} }}")))
        };
        assert!(!satisfies("2", 3), "the inequality is strict");
        assert!(satisfies("2.0001", 3));
        assert!(!satisfies("1", 2));
        assert!(satisfies("1.0001", 2));
        assert!(!satisfies("1000", 4), "nothing is left after the third value");
        assert!(satisfies("0.0001", 1), "1-diversity always holds");
    }

    /// {(s1,v1), (s1,v2), (s2,v3), (s3,v3)} as one class.
    fn block() -> CountedTable {
        let rows = [["s1", "v1"], ["s1", "v2"], ["s2", "v3"], ["s3", "v3"]];
        let rows = rows.map(|cells| ["q", cells[0], cells[1]].map(str::to_owned).to_vec()).to_vec();
        let sensitive = vec![Sensitive::new("S", None), Sensitive::new("V", None)];
        Plan { quasi: vec![Quasi::new("Q", flat(["q"]))], sensitive, rows }.count()
    }

    #[test]
    fn the_block_of_section_4_3_is_3_diverse_in_each_column_but_not_in_both() {
        let table = block();
        let (class, profile) = (table.base.class(0), profile(&table));
        for column in [0, 1] {
            let accepts = |id: &str, parameters: &str, among: bool| {
                let model = requirement(&table, id, column, parameters).model;
                let model = if among { Box::new(Among::new(model, column)) } else { model };
                model.accepts(&class, &profile)
            };
            assert!(accepts("distinct-l-diversity", "{ l = 3 }", false));
            assert!(!accepts("recursive-cl-diversity", "{ c = 2, l = 3 }", false), "2 < 2 * 1 does not hold");
            assert!(accepts("recursive-cl-diversity", "{ c = 2.0001, l = 3 }", false));
            assert!(!accepts("distinct-l-diversity", "{ l = 2 }", true), "two of three blocks hold one value");
            assert!(!accepts("entropy-l-diversity", "{ l = 1.5 }", true));
            assert!(accepts("entropy-l-diversity", "{ l = 1 }", true));
        }
    }

    #[test]
    fn a_class_is_diverse_among_all_columns_if_each_of_its_blocks_is() {
        let rows = [["s1", "v1"], ["s1", "v2"], ["s2", "v1"], ["s2", "v2"], ["s2", "v2"]];
        let rows = rows.map(|cells| ["q", cells[0], cells[1]].map(str::to_owned).to_vec()).to_vec();
        let sensitive = vec![Sensitive::new("S", None), Sensitive::new("V", None)];
        let table = Plan { quasi: vec![Quasi::new("Q", flat(["q"]))], sensitive, rows }.count();
        // By v1 the values of S are 1 and 1, by v2 they are 1 and 2.
        let model = Among::new(requirement(&table, "recursive-cl-diversity", 0, "{ c = 2, l = 2 }").model, 0);
        let measured = exactly(only(model.measure(&table.base.class(0), &profile(&table))));
        assert_eq!(measured, ratio(2, 1), "the worst block decides");
        assert!(!model.accepts(&table.base.class(0), &profile(&table)));
        let distinct = Among::new(requirement(&table, "distinct-l-diversity", 1, "{ l = 2 }").model, 1);
        assert!(distinct.accepts(&table.base.class(0), &profile(&table)));
    }

    /// One class that holds `a` so many times, then `b`, and so on.
    fn class_of(counts: &[usize]) -> CountedTable {
        let values = ["a", "b", "c", "d", "e"].iter().zip(counts);
        let rows: Vec<Vec<String>> =
            values.flat_map(|(value, &count)| vec![vec!["q".to_owned(), (*value).to_owned()]; count]).collect();
        let paths = flat(["a", "b", "c", "d", "e"]);
        Plan { quasi: vec![Quasi::new("Q", flat(["q"]))], sensitive: vec![Sensitive::new("s", Some(paths))], rows }
            .count()
    }

    fn needed_c(counts: &[usize], l: u64, disclosable: &str) -> Ratio {
        let table = class_of(counts);
        let parameters = format!("{{ c = 1, l = {l}, disclosable = [{disclosable}] }}");
        let model = requirement(&table, "pd-recursive-cl-diversity", 0, &parameters).model;
        exactly(only(model.measure(&table.base.class(0), &profile(&table))))
    }

    #[test]
    fn definition_4_3_by_its_cases() {
        // y = 2 <= l - 1 = 2: r2 against r3 + r4 + r5.
        assert_eq!(needed_c(&[9, 5, 4, 2, 1], 3, "'a'"), ratio(5, 7));
        // y = 1 <= l - 1: what may be disclosed is not the most frequent, so this is Definition 4.2.
        assert_eq!(needed_c(&[9, 5, 4, 2, 1], 3, "'b'"), ratio(9, 7));
        // y = 3 > l - 1 = 1: r3 against r1 + r2 and r4 + r5.
        assert_eq!(needed_c(&[9, 5, 4, 2, 1], 2, "'a', 'b'"), ratio(4, 17));
        // y = 4 > l - 1 = 2: r4 against r2 + r3 and r5.
        assert_eq!(needed_c(&[9, 5, 4, 2, 1], 3, "'a', 'b', 'c'"), ratio(2, 10));
        // Ties do not matter: b and c may be the second or the third.
        assert_eq!(needed_c(&[9, 5, 5, 2], 3, "'a', 'b'"), needed_c(&[9, 5, 5, 2], 3, "'a', 'c'"));
        // r_y = 0: only values that may be disclosed.
        assert_eq!(needed_c(&[9, 5], 3, "'a', 'b'"), Ratio::ZERO);
        // l = 1 always holds.
        assert_eq!(needed_c(&[9], 1, ""), Ratio::ZERO);
        // Nothing in the tail: no c will do.
        assert_eq!(needed_c(&[9, 5], 3, "'a'"), Ratio::INFINITE);
        assert_eq!(needed_c(&[9], 2, ""), Ratio::INFINITE);
    }

    #[test]
    fn definition_4_4_guards_values_to_the_percent() {
        let holds = |counts: &[usize], c2: &str| {
            let table = class_of(counts);
            let parameters = format!("{{ c1 = 3, c2 = {c2}, l = 2, disclosable = ['a'], guarded = ['b', 'c'] }}");
            let model = requirement(&table, "npd-recursive-cl-diversity", 0, &parameters).model;
            let class = table.base.class(0);
            let (c1, percent) = both(model.measure(&class, &profile(&table)));
            (model.accepts(&class, &profile(&table)), exactly(c1), exactly(percent))
        };
        assert_eq!(holds(&[11, 6, 3], "15"), (true, ratio(6, 14), ratio(15, 1)), "3 of 20 are exactly 15 percent");
        assert!(!holds(&[11, 6, 3], "15.0001").0);
        assert!(holds(&[71, 29, 29], "22.48").0, "29 of 129 are a little more");
        assert!(holds(&[42, 29, 29], "29").0, "0.29 of 100 is 29");
        assert_eq!(holds(&[2, 12, 2], "10"), (false, ratio(12, 4), ratio(1250, 100)), "12 < 3 * 4 does not hold");
    }
}

mod t_closeness {
    use super::*;

    const HIERARCHY: Option<&str> = Some("t_closeness_disease_hierarchy.csv");

    fn table(file: &str) -> Printed {
        Printed::read(file, &[("Salary", None), ("Disease", HIERARCHY)])
    }

    fn salary(table: &Printed, ids: [&str; 3]) -> [Ratio; 3] {
        table.measures(&table.requirement("t-closeness", 0, "{ t = 1, distance = 'ordered' }"), ids)
    }

    fn disease(table: &Printed, ids: [&str; 3]) -> [Ratio; 3] {
        table.measures(&table.requirement("t-closeness", 1, "{ t = 1, distance = 'hierarchical' }"), ids)
    }

    #[test]
    fn table_4_is_3_diverse_in_both_columns() {
        let table = table("t_closeness_table4_3diverse.csv");
        for column in [0, 1] {
            assert!(table.satisfies(&table.requirement("distinct-l-diversity", column, "{ l = 3 }")));
            let entropy = table.requirement("entropy-l-diversity", column, "{ l = 3 }");
            assert!(table.satisfies(&entropy), "three equal counts are entropy 3-diverse");
            assert!(!table.satisfies(&table.requirement("entropy-l-diversity", column, "{ l = 3.000001 }")));
        }
    }

    #[test]
    fn table_4_by_class() {
        let table = table("t_closeness_table4_3diverse.csv");
        assert_eq!(salary(&table, ["1", "4", "7"]), [ratio(3, 8), ratio(1, 6), ratio(17, 72)]);
        // By Definition 2 the reference is that of the nine records.
        assert_eq!(disease(&table, ["1", "4", "7"]), [ratio(4, 9), ratio(8, 27), ratio(8, 27)]);
    }

    #[test]
    fn table_5_by_class() {
        let table = table("t_closeness_table5_0.167_0.278.csv");
        assert_eq!(salary(&table, ["1", "4", "2"]), [ratio(1, 6), ratio(1, 6), ratio(1, 12)]);
        assert_eq!(disease(&table, ["1", "4", "2"]), [ratio(7, 27), ratio(8, 27), ratio(5, 27)]);
        let close = |column: usize, t: f64, distance: &str| {
            table.satisfies(&table.requirement(
                "t-closeness",
                column,
                &format!("{{ t = {t}, distance = '{distance}' }}"),
            ))
        };
        assert!(close(0, 0.167, "ordered") && !close(0, 0.166, "ordered"));
        assert!(close(1, 0.2963, "hierarchical") && !close(1, 0.2962, "hierarchical"));
    }

    /// Section 5.2: the ground distances that the paper gives.
    #[test]
    fn flu_is_a_third_two_thirds_and_one_away() {
        let away = |other: &str| distance_between(&[("flu", 1)], &[(other, 1)]);
        assert_eq!(away("bronchitis"), ratio(1, 3));
        assert_eq!(away("pulmonary embolism"), ratio(2, 3));
        assert_eq!(away("stomach cancer"), ratio(1, 1));
        assert_eq!(away("flu"), Ratio::ZERO);
    }

    /// The paper compares with six diseases that are equally frequent.
    #[test]
    fn half_and_0_278_against_six_equal_diseases() {
        let six =
            ["gastric ulcer", "gastritis", "stomach cancer", "flu", "bronchitis", "pneumonia"].map(|name| (name, 1));
        let from_uniform = |names: [&str; 3]| distance_between(&names.map(|name| (name, 1)), &six);
        assert_eq!(from_uniform(["gastric ulcer", "gastritis", "stomach cancer"]), ratio(1, 2));
        assert_eq!(from_uniform(["gastric ulcer", "stomach cancer", "pneumonia"]), ratio(5, 18));
        assert_eq!(from_uniform(["gastritis", "flu", "bronchitis"]), ratio(5, 18));
    }

    /// The distance between two given distributions over the diseases of Figure 1.
    fn distance_between(here: &[(&str, u64)], reference: &[(&str, u64)]) -> Ratio {
        let paths = read_csv(&data("t_closeness_disease_hierarchy.csv"), b';', false);
        let dictionary = Dictionary::new(paths.iter().map(|path| path[0].clone()), None, false);
        let hierarchy = crate::tables::hierarchy(&paths, &dictionary);
        let counts = |pairs: &[(&str, u64)]| -> (Vec<u32>, Vec<u64>) {
            let code = |name: &str| dictionary.code(name).expect("a disease of the figure");
            let mut pairs: Vec<(u32, u64)> = pairs.iter().map(|&(name, count)| (code(name), count)).collect();
            pairs.sort();
            pairs.into_iter().unzip()
        };
        let column = SensitiveColumn::new("Disease", &dictionary, Some(hierarchy.clone()), vec![1; dictionary.len()]);
        let induction = column.induction(&column.default_weights());
        let (codes, of_codes) = counts(reference);
        let reference = Counts { codes: &codes, counts: &of_codes };
        let reference = Distribution::induced(reference, &induction, column.leaves(), Some(&hierarchy));
        let (codes, counts) = counts(here);
        let total = counts.iter().sum();
        distance::hierarchical(Masses { codes: &codes, counts: &counts, total, reference: &reference }, &hierarchy)
    }
}

mod tau_l_diversity {
    use super::*;

    /// The sensitive codes of a class and their counts.
    type CodesAndCounts = (Vec<u32>, Vec<u64>);

    /// Figure 2(a): the column, and what its classes hold.
    fn figure_2() -> (SensitiveColumn, Vec<CodesAndCounts>) {
        let paths = read_csv(&data("tau_l_fig1c_disease_taxonomy.csv"), b';', false);
        let dictionary = Dictionary::new(paths.iter().map(|path| path[0].clone()), None, false);
        let hierarchy = crate::tables::hierarchy(&paths, &dictionary);
        let rows = read_csv(&data("tau_l_fig2a_0.5_3_diversity.csv"), b',', true);
        let occurrences = |name: &str| rows.iter().filter(|row| row[3] == name).count() as u64;
        let counts = dictionary.values().iter().map(|name| occurrences(name)).collect();
        let mut column = SensitiveColumn::new("Disease", &dictionary, Some(hierarchy), counts);
        let leaf = |name: &str| dictionary.code(name).expect("a leaf");
        column.add_generalized("hemal disease", vec![leaf("anemia"), leaf("hepatitis")], occurrences("hemal disease"));
        let class = |zip_and_age: [&str; 2]| {
            let mut counts = vec![0; column.codes()];
            for row in rows.iter().filter(|row| row[1] == zip_and_age[0] && row[2] == zip_and_age[1]) {
                counts[column.code(&row[3]).expect("a value of the column") as usize] += 1;
            }
            let pairs = counts.into_iter().enumerate().filter(|&(_, count)| count > 0);
            pairs.map(|(code, count)| (code as u32, count)).unzip()
        };
        let classes = [["[20,29]", "1000*"], ["[30,39]", "1000*"], ["[20,39]", "100**"]].map(class).to_vec();
        (column, classes)
    }

    #[test]
    fn figure_2_is_exactly_0_5_3_diverse() {
        let (column, classes) = figure_2();
        let tuples = SensitiveTuples::new(1, (0..column.codes() as u32).collect());
        let columns = [column];
        let profile = TableProfile::of_input(&columns, 12);
        let model = |parameters: &str| resolve_tau_l(&columns, parameters);
        let exact = model("{ tau = 0.5, l = 3 }");
        for (codes, counts) in &classes {
            let class = EquivalenceClass::new(&tuples, codes, counts);
            assert_eq!(class.size(), 4);
            assert_eq!(exactly(only(exact.measure(&class, &profile))), ratio(1, 2));
            assert!(exact.accepts(&class, &profile));
            assert!(!model("{ tau = 0.4999, l = 3 }").accepts(&class, &profile));
            // F(3) = 1, but psi(3) < 1 for l = 4 and any tau below 1.
            assert_eq!(exactly(only(model("{ tau = 0.9999, l = 4 }").measure(&class, &profile))), ratio(1, 1));
        }
    }

    #[test]
    fn figure_2b_is_what_the_values_induce() {
        let (column, classes) = figure_2();
        let induction = column.induction(&column.default_weights());
        let printed = read_csv(&data("tau_l_fig2b_induced_frequencies.csv"), b',', true);
        for (place, (codes, counts)) in classes.iter().enumerate() {
            let induced = induction.induce(Counts { codes, counts });
            for row in printed.iter().filter(|row| row[0] == (place + 1).to_string()) {
                let code = column.code(&row[1]).expect("a leaf");
                let count = induced.codes.iter().position(|&known| known == code).map_or(0, |at| induced.counts[at]);
                let frequency = Ratio::written(row[2].parse().expect("a number")).expect("a decimal");
                assert_eq!(
                    ratio(count.into(), u128::from(4 * induction.scale())),
                    frequency,
                    "class {place}, {}",
                    row[1]
                );
            }
        }
    }

    fn resolve_tau_l(columns: &[SensitiveColumn], parameters: &str) -> Box<dyn PrivacyModel> {
        let definition = shoal_core::model::DEFINITIONS.iter().find(|definition| definition.id == "tau-l-diversity");
        let value = toml::de::ValueDeserializer::parse(parameters).expect("TOML");
        let parameters = definition.expect("in the list").parse(value).expect("its parameters");
        let subject =
            shoal_core::model::Subject { columns, index: 0, folder: std::path::Path::new("."), is_release: false };
        parameters.resolve(subject).expect("it can judge generalized values")
    }

    #[test]
    fn figure_1b_gives_hepatitis_away_with_five_sevenths() {
        let figure = Printed::read("tau_l_fig1b_3_2_diversity.csv", &[("Disease", None)]);
        let most_frequent = figure.requirement("alpha-k-anonymity", 0, "{ alpha = 1, k = 2 }");
        let (alpha, size) = both(most_frequent.model.measure(&figure.class_of("1"), &profile(&figure.table)));
        assert_eq!((exactly(alpha), exactly(size)), (ratio(5, 7), ratio(7, 1)));
        let recursive = figure.requirement("recursive-cl-diversity", 0, "{ c = 3, l = 2 }");
        assert!(figure.satisfies(&recursive));
        assert_eq!(figure.achieved(&recursive), 2.5);
        assert!(!figure.satisfies(&figure.requirement("recursive-cl-diversity", 0, "{ c = 2.5, l = 2 }")));
        assert!(figure.satisfies(&figure.requirement("recursive-cl-diversity", 0, "{ c = 2.5001, l = 2 }")));
    }

    #[test]
    fn figure_1d_leaves_two_diseases_with_nine_tenths() {
        let figure = Printed::read("tau_l_fig1d_simple_2diversity.csv", &[("Disease", None)]);
        assert!(figure.satisfies(&figure.requirement("simple-l-diversity", 0, "{ l = 2 }")));
        assert!(!figure.satisfies(&figure.requirement("simple-l-diversity", 0, "{ l = 2.0001 }")));
        // With l = 3, F(2) = 0.9 asks for tau = 2 * 0.9 - 1.
        let smallest_tau = figure.requirement("tau-l-diversity", 0, "{ tau = 0.8, l = 3 }");
        let profile = profile(&figure.table);
        let measured = exactly(only(smallest_tau.model.measure(&figure.class_of("1"), &profile)));
        assert_eq!(measured, ratio(8, 10));
        assert!(smallest_tau.model.accepts(&figure.class_of("1"), &profile));
    }

    /// Example 4: `[20,29]` and `1000*` each stand for ten values, whether all ten occur or not, since the hierarchies are
    /// written down. (Leaves of `intervals` and `mask` are the values that occur.)
    #[test]
    fn a_label_covers_every_leaf_that_is_written_down() {
        let rows = read_csv(&data("tau_l_fig1a_microdata.csv"), b',', true);
        let rows = rows.into_iter().map(|row| row[2..].to_vec());
        let rows: Vec<Vec<String>> = rows.filter(|row| row[0].starts_with('2') && row[1].starts_with("1000")).collect();
        assert_eq!(rows.len(), 5);
        // Only 20 and 29 occur, and only five of the ten last digits.
        let paths = |begin: &str, label: &str| -> crate::tables::Paths {
            (0..10).map(|digit| vec![format!("{begin}{digit}"), label.to_owned(), "*".to_owned()]).collect()
        };
        let quasi = vec![Quasi::new("Age", paths("2", "[20,29]")), Quasi::new("Zipcode", paths("1000", "1000*"))];
        let table = Plan { quasi, sensitive: vec![Sensitive::new("Disease", None)], rows: rows.clone() }.count();
        let node = Node::new(vec![1, 1]);
        let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
        let set = generalization.roll_up(&table.base, &table.ungeneralized(), &node);
        assert_eq!(set.sizes(), [5], "all are in one class");
        let value = Information.value(&Candidate::new(&table, &node, &set, &[true]));
        assert!((value - (1.0 - (0.1 + 0.1 + 1.0) / 3.0)).abs() < 1e-12, "{value}");
    }

    #[test]
    fn figure_1a_is_eligible_for_simple_l_2_and_no_more() {
        let rows = read_csv(&data("tau_l_fig1a_microdata.csv"), b',', true);
        let rows: Vec<Vec<String>> = rows.into_iter().map(|row| vec![row[2].clone(), row[4].clone()]).collect();
        let mut ages: Vec<String> = rows.iter().map(|row| row[0].clone()).collect();
        ages.sort();
        ages.dedup();
        let quasi = vec![Quasi::new("Age", flat(ages))];
        let table = Plan { quasi, sensitive: vec![Sensitive::new("Disease", None)], rows }.count();
        let refused = |id: &str, parameters: &str, max_suppressed: f64| {
            let requirements = [requirement(&table, id, 0, parameters)];
            let max_suppressed = Ratio::written(max_suppressed).expect("a decimal");
            let task = Task::new(&table, &requirements, &Loss, max_suppressed);
            eligible_range(&task).refuse_the_impossible(&task).is_err()
        };
        assert!(!refused("simple-l-diversity", "{ l = 2 }", 0.0));
        assert!(refused("simple-l-diversity", "{ l = 2.0001 }", 0.0));
        assert!(!refused("simple-l-diversity", "{ l = 2.0001 }", 0.1), "suppressing hepatitis may help");
        // 6 of hepatitis against 4 + 1 + 1, and against 1 + 1.
        assert!(refused("recursive-cl-diversity", "{ c = 1, l = 2 }", 0.0));
        assert!(!refused("recursive-cl-diversity", "{ c = 1.0001, l = 2 }", 0.0));
        assert!(refused("recursive-cl-diversity", "{ c = 3, l = 3 }", 0.0));
        assert!(!refused("recursive-cl-diversity", "{ c = 3.0001, l = 3 }", 0.0));
        assert!(refused("distinct-l-diversity", "{ l = 5 }", 0.5), "suppression brings no new values");
    }
}

mod a_d_diversity {
    use super::*;

    const GROUPS: &str = "groups = { file = 'ad_diversity_condition_groups.csv' }";

    #[test]
    fn table_3_is_2_2_diverse_and_table_2_is_not() {
        let table_2 = Printed::read("ad_diversity_table2_4diversity.csv", &[("Condition", None)]);
        let table_3 = Printed::read("ad_diversity_table3_2_2_diversity.csv", &[("Condition", None)]);
        let parameters = format!("{{ a = 2, d = 2, {GROUPS} }}");
        let of_2 = table_2.requirement("a-d-diversity", 0, &parameters);
        let of_3 = table_3.requirement("a-d-diversity", 0, &parameters);
        assert!(table_2.satisfies(&table_2.requirement("distinct-l-diversity", 0, "{ l = 4 }")));
        assert!(!table_2.satisfies(&of_2));
        assert!(table_3.satisfies(&of_3));
        let measure = |table: &Printed, requirement: &Requirement, id: &str| {
            let (a, d) = both(requirement.model.measure(&table.class_of(id), &profile(&table.table)));
            (a.to_f64(), d.to_f64())
        };
        for id in ["1", "5", "9"] {
            assert_eq!(measure(&table_3, &of_3, id), (2.0, 2.0), "exactly two and two");
        }
        // Three fevers and a dislocation; three stomachs and a fracture; a fever, a stomach and two bones.
        assert_eq!(measure(&table_2, &of_2, "1"), (1.0, 2.0));
        assert_eq!(measure(&table_2, &of_2, "5"), (1.0, 2.0));
        assert_eq!(measure(&table_2, &of_2, "9"), (1.0, 3.0));
    }

    /// The hierarchies that Table 3 shows: Gov and Non-gov, and nothing below `*` for Gender.
    fn table_1() -> Plan {
        let rows = read_csv(&data("ad_diversity_table1_original.csv"), b',', true);
        let ages = flat(rows.iter().map(|row| row[1].clone()).collect::<std::collections::BTreeSet<_>>());
        let work = ["Federal-gov", "Local-gov", "State-gov", "Private", "Self-emp-inc", "Self-emp-not-inc"];
        let sector = |class: &str| if class.ends_with("-gov") { "Gov" } else { "Non-gov" };
        let work = work.map(|class| [class, sector(class), "*"].map(str::to_owned).to_vec()).to_vec();
        let quasi = vec![
            Quasi::new("Age", ages),
            Quasi::new("Gender", flat(["Female", "Male"])),
            Quasi::new("Work Class", work),
        ];
        let rows = rows.into_iter().map(|row| row[1..].to_vec()).collect();
        Plan { quasi, sensitive: vec![Sensitive::new("Condition", None)], rows }
    }

    /// By hand, groups bone, fever and stomach, equal weights, ages from 18 to 59. Blocks: (20 m dislocation, 25 m
    /// fracture), (54 f dislocation, 59 f fracture); (19 m influenza, 18 m paludism), (27 f influenza, 22 m pneumonia);
    /// (29 m gastritis, 25 m dyspepsia), (46 f gastritis, 38 f gastric ulcer).
    #[test]
    fn the_clustering_makes_table_1_2_2_diverse() {
        let table = table_1().count();
        let requirements = [requirement(&table, "a-d-diversity", 0, &format!("{{ a = 2, d = 2, {GROUPS} }}"))];
        let style = LabelStyle { ends: Ends::Exact, ..LabelStyle::default() };
        let task = Task { style, ..Task::new(&table, &requirements, &Loss, Ratio::ZERO) };
        let partition = SimilarityBlocks::default().partition(&task, &Unwatched).expect("there is a release");
        assert_eq!(partition.suppressed(), 0);
        let shown =
            |class: u32| (0..3).map(|column| partition.classes.text(&table, class, column).into_owned()).collect();
        let mut classes: Vec<(Vec<String>, u64)> = (0..).map(shown).zip(partition.class_sizes()).collect();
        classes.sort();
        let class = |labels: [&str; 3]| (labels.map(str::to_owned).to_vec(), 4);
        assert_eq!(
            classes,
            [
                class(["[18, 25]", "Male", "Non-gov"]),
                class(["[22, 29]", "*", "*"]),
                class(["[38, 59]", "Female", "Gov"]),
            ]
        );
    }
}

/// Critique, Example 2: a thousand patients, five of whom have AIDS.
#[test]
fn five_patients_in_a_thousand_allow_five_classes() {
    let rows = |place: usize| vec![place.to_string(), if place < 5 { "Yes" } else { "No" }.to_owned()];
    let rows: Vec<Vec<String>> = (0..1000).map(rows).collect();
    let quasi = vec![Quasi::new("Age", flat((0..1000).map(|age| age.to_string())))];
    let table = Plan { quasi, sensitive: vec![Sensitive::new("AIDS", None)], rows }.count();
    let most_classes = |id: &str, parameters: &str| {
        let requirements = [requirement(&table, id, 0, parameters)];
        let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
        eligible_range(&task).most_classes
    };
    assert_eq!(most_classes("p-sensitive-k-anonymity", "{ k = 2, p = 2 }"), Some(5));
    assert_eq!(most_classes("distinct-l-diversity", "{ l = 2 }"), Some(5));
    assert_eq!(most_classes("npd-recursive-cl-diversity", "{ c1 = 3, c2 = 0.1, l = 1, guarded = ['Yes'] }"), Some(5));
    assert_eq!(most_classes("k-anonymity", "{ k = 7 }"), Some(142));
    assert_eq!(most_classes("t-closeness", "{ t = 0.1, distance = 'equal' }"), None);
    // A class with as many who have it as have not: distinct and entropy 2-diverse, and (c,2)-diverse for c > 1.
    let tuples = SensitiveTuples::new(1, vec![0, 1]);
    let class = EquivalenceClass::new(&tuples, &[0, 1], &[2, 2]);
    let accepts =
        |id: &str, parameters: &str| requirement(&table, id, 0, parameters).model.accepts(&class, &profile(&table));
    assert!(accepts("entropy-l-diversity", "{ l = 2 }"));
    assert!(!accepts("recursive-cl-diversity", "{ c = 1, l = 2 }"));
    assert!(accepts("recursive-cl-diversity", "{ c = 1.0001, l = 2 }"));
    let closeness = requirement(&table, "t-closeness", 0, "{ t = 0.4, distance = 'equal' }");
    let moved = only(closeness.model.measure(&class, &profile(&table)));
    assert!(matches!(moved, Quantity::Exact(moved) if moved == ratio(495, 1000)), "from 0.5% to 50%");
    assert!(!closeness.model.accepts(&class, &profile(&table)));
}
