//! Do the attacks find what the papers tell, and nothing where there is nothing?

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use shoal::attack::{Finding, Near, Options, Severity};
use shoal::audit::{Audit, AuditTask, AuditedColumn, KnownTable, Limit, audit};
use shoal::linking::AuditedQuasi;
use shoal::outsider::OutsiderTable;
use shoal::policy::Policy;
use shoal_core::hierarchy::{File, HierarchySpec};
use shoal_core::table::{DateReading, MissingMarkers};
use shoal_core::watch::Unwatched;
use shoal_format::{self as format, InputFormat};

/// The twelve inpatients of Figure 1 of l-diversity.
const FIGURE_1: &str = "Zip Code,Age,Nationality,Condition
13053,28,Russian,Heart Disease\n13068,29,American,Heart Disease\n13068,21,Japanese,Viral Infection
13053,23,American,Viral Infection\n14853,50,Indian,Cancer\n14853,55,Russian,Heart Disease
14850,47,American,Viral Infection\n14850,49,American,Viral Infection\n13053,31,American,Cancer
13053,37,Indian,Cancer\n13068,36,Japanese,Cancer\n13068,35,American,Cancer\n";

const UMEKO: &str = "[[know]]\nwhere = { Nationality = 'Japanese' }\ntimes = { 'Heart Disease' = 0.01 }\n";

/// An audit that is put together bit by bit.
struct Case {
    folder: tempfile::TempDir,
    release: PathBuf,
    quasi: Vec<AuditedQuasi>,
    sensitive: Vec<AuditedColumn>,
    original: Option<String>,
    outsider: Option<String>,
    population: Option<String>,
    other: Option<String>,
    knowledge: Option<String>,
    policy: Option<String>,
    limits: Vec<&'static str>,
    options: Options,
}

impl Case {
    fn new(release: &str, quasi: &[&str], sensitive: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("release.csv");
        fs::write(&path, release).expect("a file");
        Self::of_file(folder, path, quasi, sensitive)
    }

    /// A table of the papers.
    fn paper(name: &str, quasi: &[&str], sensitive: &[&str]) -> Self {
        let path = data(name);
        Self::of_file(tempfile::tempdir().expect("a folder"), path, quasi, sensitive)
    }

    fn of_file(folder: tempfile::TempDir, release: PathBuf, quasi: &[&str], sensitive: &[&str]) -> Self {
        let known = |name: &&str| AuditedQuasi {
            name: (*name).to_owned(),
            hierarchy: None,
            min_level: 0,
            dates: DateReading::default(),
            measure: None,
        };
        let column =
            |name: &&str| AuditedColumn { name: (*name).to_owned(), hierarchy: None, dates: DateReading::default() };
        Self {
            folder,
            release,
            quasi: quasi.iter().map(known).collect(),
            sensitive: sensitive.iter().map(column).collect(),
            original: None,
            outsider: None,
            population: None,
            other: None,
            knowledge: None,
            policy: None,
            limits: Vec::new(),
            options: Options::default(),
        }
    }

    fn read(&self, path: &Path) -> KnownTable {
        let mut reader = format::open(&InputFormat::new(path)).expect("a table");
        let has = |name: &String| reader.columns().contains(name);
        let quasi: Vec<usize> = (0..self.quasi.len()).filter(|&at| has(&self.quasi[at].name)).collect();
        let sensitive: Vec<usize> = (0..self.sensitive.len()).filter(|&at| has(&self.sensitive[at].name)).collect();
        let quasi_names: Vec<String> = quasi.iter().map(|&at| self.quasi[at].name.clone()).collect();
        let sensitive_names: Vec<String> = sensitive.iter().map(|&at| self.sensitive[at].name.clone()).collect();
        let markers = MissingMarkers::new(vec![String::new()]);
        let table = OutsiderTable::read(reader.as_mut(), &quasi_names, &sensitive_names, &markers, false, &Unwatched);
        KnownTable { table: table.expect("a table"), quasi, sensitive }
    }

    fn try_audit(&self) -> shoal_core::Result<Audit> {
        let file = |name: &str, text: &Option<String>| {
            text.as_ref().map(|text| {
                let path = self.folder.path().join(name);
                fs::write(&path, text).expect("a file");
                path
            })
        };
        let known = |name: &str, text: &Option<String>| file(name, text).map(|path| self.read(&path));
        let release = self.read(&self.release);
        let (original, outsider) = (known("original.csv", &self.original), known("outsider.csv", &self.outsider));
        let (population, other) = (known("population.csv", &self.population), known("other.csv", &self.other));
        let knowledge = file("knowledge.toml", &self.knowledge);
        let policy = self.policy.as_ref().map(|text| Policy::parse(text, "policy.toml", self.folder.path()));
        let policy = policy.transpose()?;
        let limits = self.limits.iter().map(|text| Limit::parse(text)).collect::<shoal_core::Result<Vec<_>>>()?;
        audit(&AuditTask {
            original: original.as_ref(),
            outsider: outsider.as_ref(),
            population: population.as_ref(),
            other: other.as_ref(),
            knowledge: knowledge.as_deref(),
            options: self.options.clone(),
            limits: &limits,
            policy: policy.as_ref(),
            folder: self.folder.path(),
            ..AuditTask::new(&release.table, &self.quasi, &self.sensitive)
        })
    }

    fn audit(&self) -> Audit {
        self.try_audit().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The findings of an attack.
    fn findings(&self, attack: &str) -> Vec<Finding> {
        self.audit().findings.found.into_iter().filter(|finding| finding.attack == attack).collect()
    }

    /// The only finding of an attack.
    fn finding(&self, attack: &str) -> Finding {
        let mut findings = self.findings(attack);
        assert_eq!(findings.len(), 1, "{findings:?}");
        findings.remove(0)
    }

    /// The beliefs for a prior.
    fn beliefs(&self, prior: &str) -> Finding {
        let of_prior = |finding: &Finding| finding.figures["prior"] == prior;
        self.findings("bayes-optimal").into_iter().find(of_prior).expect("the prior was tried")
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shoal-core/tests/data").join(name)
}

fn figure_2() -> Case {
    Case::paper("l_diversity_fig2_4anonymous.csv", &["Zip Code", "Age", "Nationality"], &["Condition"])
}

fn figure_3() -> Case {
    Case::paper("l_diversity_fig3_3diverse.csv", &["Zip Code", "Age", "Nationality"], &["Condition"])
}

fn exposed(finding: &Finding) -> (u64, u64) {
    (finding.exposed_classes, finding.exposed_records)
}

fn figure(finding: &Finding, name: &str) -> f64 {
    finding.figures[name].as_f64().unwrap_or_else(|| panic!("{name} of {finding:?}"))
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

/// Rows of `class,value`, each so many times.
fn rows(header: &str, counted: &[(&str, usize)]) -> String {
    let lines = counted.iter().flat_map(|&(row, count)| std::iter::repeat_n(row, count));
    std::iter::once(header).chain(lines).collect::<Vec<_>>().join("\n") + "\n"
}

/// 10,000 tests for a virus, one in a hundred positive; two of three classes are skewed.
fn virus() -> Case {
    let counted = [
        ("a,positive", 49),
        ("a,negative", 1),
        ("b,positive", 20),
        ("b,negative", 20),
        ("c,positive", 31),
        ("c,negative", 9879),
    ];
    Case::new(&rows("class,test", &counted), &["class"], &["test"])
}

mod homogeneity {
    use super::*;

    #[test]
    fn bob_has_cancer() {
        let finding = figure_2().finding("homogeneity");
        assert_eq!(exposed(&finding), (1, 4));
        assert_eq!(finding.severity, Severity::High);
        assert_eq!(finding.prevented_by, "distinct-l-diversity with l = 2");
        assert_eq!(finding.worst[0].quasi["Age"], "3*");
        assert_eq!(finding.worst[0].value, None, "nobody asked for it");
        let mut revealing = figure_2();
        revealing.options.reveal = true;
        assert_eq!(revealing.finding("homogeneity").worst[0].value.as_deref(), Some("Cancer"));
    }

    #[test]
    fn figure_3_gives_nobody_away() {
        let finding = figure_3().finding("homogeneity");
        assert_eq!((exposed(&finding), finding.severity), ((0, 0), Severity::None));
        let mut half = figure_3();
        half.options.confidence = 0.5;
        assert_eq!(exposed(&half.finding("homogeneity")), (3, 12), "a tie is reached");
        half.options.confidence = 0.51;
        assert_eq!(exposed(&half.finding("homogeneity")), (0, 0));
    }

    #[test]
    fn no_sensitive_value_stands_in_any_finding_unless_it_is_asked_for() {
        let mut case = figure_2();
        case.original = Some(FIGURE_1.to_owned());
        case.knowledge = Some(UMEKO.to_owned());
        case.other = Some(fs::read_to_string(data("l_diversity_fig3_3diverse.csv")).expect("a table"));
        let text = serde_json::to_string(&case.audit().findings.found).expect("plain data");
        for value in ["Cancer", "Heart Disease", "Viral Infection"] {
            assert!(!text.contains(value), "{text}");
        }
    }
}

mod background_knowledge {
    use super::*;

    #[test]
    fn one_piece_is_enough_in_figure_2_and_two_are_needed_in_figure_3() {
        let finding = figure_2().finding("background-knowledge");
        assert_eq!(exposed(&finding), (2, 8), "the class of cancer, and the one with two diseases");
        assert_eq!(finding.figures["fewest_pieces"], 0);
        let finding = figure_3().finding("background-knowledge");
        assert_eq!((exposed(&finding), &finding.figures["fewest_pieces"]), ((0, 0), &Value::from(2)));
    }

    #[test]
    fn of_two_values_ruling_out_one_tells_nothing_about_the_release() {
        assert_eq!(exposed(&virus().finding("background-knowledge")), (0, 0));
    }

    #[test]
    fn umeko_has_a_viral_infection() {
        let mut case = figure_2();
        case.knowledge = Some(UMEKO.to_owned());
        case.original = Some(FIGURE_1.to_owned());
        case.options.reveal = true;
        let finding = case.findings("background-knowledge").remove(1);
        assert_eq!(exposed(&finding), (2, 2), "Umeko, and somebody Japanese in the class of cancer");
        let umeko = finding.worst.iter().find(|class| class.quasi["Age"] == "< 30").expect("her class");
        assert_eq!((umeko.records, umeko.value.as_deref()), (1, Some("Viral Infection")));
        // 2 infections against 2 heart diseases of weight 0.01.
        assert_near(umeko.figures["posterior"].as_f64().expect("a number"), 2.0 / 2.02);
        case.original = None;
        assert_eq!(exposed(&case.findings("background-knowledge")[1]), (2, 8), "who is Japanese is not known");
    }

    #[test]
    fn figure_3_leaves_a_doubt_about_umeko() {
        let mut case = figure_3();
        case.knowledge = Some(UMEKO.to_owned());
        let finding = case.findings("background-knowledge").remove(1);
        assert_eq!(exposed(&finding), (0, 0));
        // Two of cancer, one infection, and a heart disease of weight 0.01.
        assert_near(figure(&finding, "largest_posterior"), 2.0 / 3.01);
    }

    fn alice(times: &str) -> Finding {
        let name = "ad_diversity_table2_4diversity.csv";
        let mut case = Case::paper(name, &["Age", "Gender", "Work Class"], &["Condition"]);
        case.knowledge = Some(format!("[[know]]\ntimes = {{ {times} }}\n"));
        case.options.confidence = 0.85;
        case.options.reveal = true;
        case.findings("background-knowledge").remove(1)
    }

    #[test]
    fn alice_has_influenza_with_0_874() {
        let finding = alice("Influenza = 0.9, Gastritis = 0.08, Dislocation = 0.03, Fracture = 0.02");
        assert_eq!(exposed(&finding), (1, 4));
        assert_eq!(finding.worst[0].value.as_deref(), Some("Influenza"));
        let posterior = finding.worst[0].figures["posterior"].as_f64().expect("a number");
        assert_near(posterior, 0.9 / 1.03);
        assert_eq!((posterior * 1000.0).round(), 874.0);
    }

    #[test]
    fn a_symptom_of_all_diseases_tells_nothing() {
        assert_eq!(exposed(&alice("Influenza = 0.5, Gastritis = 0.5")), (0, 0));
    }

    #[test]
    fn knowledge_about_nothing_that_is_there_is_refused() {
        let mut case = figure_2();
        for (text, message) in [
            ("[[know]]\ntimes = { Flu = 2 }\n", "is not a value of column `Condition`"),
            ("[[know]]\nwhere = { Job = 'x' }\ntimes = { Cancer = 2 }\n", "is no quasi-identifier"),
            ("[[know]]\ntimes = { Cancer = -1 }\n", "a factor is a number of at least 0"),
            ("[[know]]\ncolumn = 'Job'\ntimes = { Cancer = 1 }\n", "is no sensitive column"),
            ("know = []\n", "there is no [[know]]"),
            ("[[know]]\ntime = { Cancer = 1 }\n", "line 2"),
        ] {
            case.knowledge = Some(text.to_owned());
            let error = case.try_audit().expect_err("it is wrong").to_string();
            assert!(error.contains(message) && !error.contains("Cancer"), "{error}");
        }
    }
}

mod skewness {
    use super::*;

    #[test]
    fn the_virus_and_its_two_skewed_classes() {
        let finding = virus().finding("skewness");
        assert_eq!(exposed(&finding), (2, 90));
        assert_near(figure(&finding, "largest_ratio"), 98.0);
        assert_near(figure(&finding, "largest_difference"), 0.97);
        assert_near(finding.worst[1].figures["ratio"].as_f64().expect("a number"), 50.0);
        assert_near(finding.worst[1].figures["difference"].as_f64().expect("a number"), 0.49);
    }

    #[test]
    fn nobody_minds_being_negative() {
        let mut case = virus();
        case.options.bad = vec![("test".to_owned(), "negative".to_owned())];
        assert_eq!(exposed(&case.finding("skewness")), (0, 0));
        case.options.bad = vec![("test".to_owned(), "positive".to_owned())];
        assert_eq!(exposed(&case.finding("skewness")), (2, 90));
        case.options.bad = vec![("test".to_owned(), "perhaps".to_owned())];
        assert!(case.try_audit().is_err());
    }

    #[test]
    fn figure_3_is_not_skewed() {
        let finding = figure_3().finding("skewness");
        assert_eq!(exposed(&finding), (0, 0));
        assert_near(figure(&finding, "largest_ratio"), 1.5);
    }
}

mod similarity {
    use super::*;

    fn table(name: &str) -> Case {
        let mut case = Case::paper(name, &["ZIP Code", "Age"], &["Salary", "Disease"]);
        case.sensitive[1].hierarchy = Some(HierarchySpec::File(File::new(data("t_closeness_disease_hierarchy.csv"))));
        case.options.near = vec![Near::parse("Salary=1").expect("a number")];
        case.options.reveal = true;
        case
    }

    #[test]
    fn bob_has_a_stomach_disease_and_earns_little() {
        let findings = table("t_closeness_table4_3diverse.csv").findings("similarity");
        assert_eq!(findings.len(), 2);
        for (finding, value) in findings.iter().zip(["about 4K", "stomach diseases"]) {
            assert_eq!(exposed(finding), (1, 3));
            assert_eq!(finding.worst[0].quasi["Age"], "2*");
            assert_eq!(finding.worst[0].value.as_deref(), Some(value));
        }
        assert_eq!(findings[0].prevented_by, "epsilon-m-anonymity with epsilon = 1, m = 2");
        assert_eq!(findings[1].prevented_by, "a-d-diversity with d = 2, groups = { level = 2 }");
    }

    #[test]
    fn diseases_are_not_near_each_other() {
        let mut case = table("t_closeness_table4_3diverse.csv");
        case.options.near = vec![Near::parse("Disease=1").expect("a number")];
        assert!(case.try_audit().is_err_and(|error| error.message().contains("no sensitive column of numbers")));
    }

    #[test]
    fn table_5_is_of_all_kinds() {
        for finding in table("t_closeness_table5_0.167_0.278.csv").findings("similarity") {
            assert_eq!(exposed(&finding), (0, 0));
        }
    }

    /// Figure 2(a) of (tau,l)-diversity shows `hemal disease`: that is a kind, but not the only one of its class.
    #[test]
    fn a_generalized_value_stands_for_its_leaves() {
        let taxonomy = || Some(HierarchySpec::File(File::new(data("tau_l_fig1c_disease_taxonomy.csv"))));
        let mut case = Case::paper("tau_l_fig2a_0.5_3_diversity.csv", &["Age", "Zipcode"], &["Disease"]);
        case.sensitive[0].hierarchy = taxonomy();
        assert_eq!(exposed(&case.finding("similarity")), (0, 0));
        let mut alone = Case::new("q,Disease\n1,hemal disease\n2,flu\n2,anemia\n", &["q"], &["Disease"]);
        alone.sensitive[0].hierarchy = taxonomy();
        assert_eq!(exposed(&alone.finding("similarity")), (1, 1));
        assert_eq!(exposed(&alone.finding("homogeneity")), (0, 0), "it is one of two diseases");
    }
}

mod negative_disclosure {
    use super::*;

    #[test]
    fn values_are_weighed_by_their_share() {
        let finding = figure_2().finding("negative-disclosure");
        assert_eq!(exposed(&finding), (1, 4));
        assert_near(figure(&finding, "largest_ruled_out"), 7.0 / 12.0);
        assert_near(figure(&finding, "mean_ruled_out"), (7.0 + 5.0 + 0.0) / 36.0);
        let mut case = figure_2();
        case.options.ruled_out = 0.4;
        assert_eq!(exposed(&case.finding("negative-disclosure")), (2, 8), "the second lacks cancer, 5 of 12");
    }

    #[test]
    fn figure_3_rules_out_nothing() {
        let finding = figure_3().finding("negative-disclosure");
        assert_eq!(exposed(&finding), (0, 0));
        assert_near(figure(&finding, "largest_ruled_out"), 0.0);
    }
}

mod several_sensitive {
    use super::*;

    fn block(lines: &str) -> Vec<Finding> {
        Case::new(&format!("q,S,V\n{lines}"), &["q"], &["S", "V"]).findings("several-sensitive")
    }

    #[test]
    fn who_has_s2_or_not_s1_has_v3() {
        let findings = block("*,s1,v1\n*,s1,v2\n*,s2,v3\n*,s3,v3\n");
        for finding in &findings {
            assert_eq!(exposed(finding), (1, 2), "{finding:?}");
            assert_eq!(finding.figures["classes_by_ruling_out_one"], 1);
        }
    }

    #[test]
    fn every_value_with_every_other_tells_nothing() {
        for finding in block("*,s1,v1\n*,s1,v2\n*,s2,v1\n*,s2,v2\n*,s3,v1\n*,s3,v2\n") {
            assert_eq!(exposed(&finding), (0, 0));
            assert_eq!(finding.figures["classes_by_ruling_out_one"], 0);
        }
    }
}

mod bayes_optimal {
    use super::*;

    #[test]
    fn a_belief_rises_from_0_01_to_0_98() {
        let finding = virus().beliefs("independent");
        assert_eq!(exposed(&finding), (1, 50), "one half is not above one half");
        assert_eq!(finding.figures["positive_disclosures"], 49, "those who have it");
        assert_near(figure(&finding, "largest_change"), 0.97);
        assert_eq!(exposed(&figure_3().beliefs("independent")), (0, 0));
    }

    /// Of those with age a, 2 of 32 have x; but both who are not doctors. Overall x is as common as y.
    #[test]
    fn an_attacker_who_knows_less_is_surprised_more() {
        let counted = [("a,doctor,y", 30), ("a,nurse,x", 2), ("b,nurse,x", 30)];
        let case = Case::new(&rows("age,job,s", &counted), &["age", "job"], &["s"]);
        assert_eq!(exposed(&case.beliefs("independent")), (0, 0));
        let finding = case.beliefs("some-quasi-identifiers");
        assert_eq!(exposed(&finding), (1, 2));
        assert_eq!((&finding.figures["subsets"], &finding.figures["of_subsets"]), (&Value::from(2), &Value::from(2)));
        assert_near(figure(&finding, "largest_change"), 30.0 / 32.0);
    }

    /// The same people, all in one class: what was known of the age cannot be learned from the job any more.
    #[test]
    fn with_the_original_the_prior_is_that_of_people_as_they_are() {
        let counted = [("a,doctor,y", 30), ("a,nurse,x", 2), ("b,nurse,x", 30)];
        let mut case = Case::new(&rows("age,job,s", &[("*,*,y", 30), ("*,*,x", 32)]), &["age", "job"], &["s"]);
        case.original = Some(rows("age,job,s", &counted));
        let finding = case.beliefs("some-quasi-identifiers");
        assert_eq!(finding.figures["prior_from"], "original");
        assert_eq!(exposed(&finding), (0, 0));
        // With one class, the release tells what everybody knew: beta = alpha.
        assert_near(figure(&finding, "largest_change"), 0.0);
    }

    #[test]
    fn a_population_may_know_better_than_the_release() {
        let counted = [("130**,H", 3), ("130**,V", 1)];
        let mut case = Case::new(&rows("zip,s", &counted), &["zip"], &["s"]);
        case.population =
            Some(rows("zip,s", &[("13053,H", 5), ("13053,V", 95), ("13068,H", 5), ("13068,V", 95), ("14853,H", 1)]));
        let finding = case.beliefs("population");
        // alpha = 0.05, and beta = 3 / (3 + 1), since both ZIP codes are alike.
        assert_eq!(exposed(&finding), (1, 4));
        assert_near(figure(&finding, "largest_change"), 0.7);
        case.population = Some(rows("zip,s", &[("13053,H", 70), ("13053,V", 30)]));
        assert_eq!(exposed(&case.beliefs("population")), (0, 0));
        case.population = Some(rows("zip,s", &[("13053,V", 30), ("14853,H", 1)]));
        let error = case.try_audit().expect_err("nobody could have H").to_string();
        assert!(error.contains("contradicts"), "{error}");
    }

    /// Somebody who knows how s depends on the age alone believes x 5/13, y 5/13, z 3/13. The class a, f has three of x and of
    /// y: x and y rise by 3/26, and z, not the most frequent, falls by 3/13. In a, m z rises to 3/7, by less.
    #[test]
    fn what_a_class_lacks_need_not_be_most_frequent() {
        let counted = [("a,f,x", 3), ("a,f,y", 3), ("a,m,x", 2), ("a,m,y", 2), ("a,m,z", 3)];
        let case = Case::new(&rows("age,sex,s", &counted), &["age", "sex"], &["s"]);
        assert_near(figure(&case.beliefs("some-quasi-identifiers"), "largest_change"), 3.0 / 13.0);
    }

    /// Flu is rare, and twenty times as likely for the man: 20/119 before, 20/21 once his class is known. The belief is wrong
    /// where nobody like him has it.
    #[test]
    fn only_true_disclosures_count_with_the_original() {
        let release = rows("age,s", &[("2*,flu", 1), ("2*,cold", 1), ("30,cold", 98)]);
        let mut case = Case::new(&release, &["age"], &["s"]);
        case.knowledge = Some("[[know]]\nwhere = { age = \"21\" }\ntimes = { flu = 20 }\n".to_owned());
        let believed = case.beliefs("knowledge");
        assert_eq!(believed.figures["positive_disclosures"], 2, "whoever is 21: all of the class, for all we know");
        assert_eq!(believed.figures["positive_disclosures_are"], "believed");
        case.original = Some(rows("age,s", &[("21,cold", 1), ("22,flu", 1), ("30,cold", 98)]));
        let found = case.beliefs("knowledge");
        assert_eq!(found.figures["positive_disclosures"], 0, "he has a cold");
        assert_eq!(found.figures["positive_disclosures_are"], "true");
        case.original = Some(rows("age,s", &[("21,flu", 1), ("22,cold", 1), ("30,cold", 98)]));
        assert_eq!(case.beliefs("knowledge").figures["positive_disclosures"], 1);
    }

    /// 25 is in both classes: he is one man all the same. That he has y rises from 50/69 to 50/51.
    #[test]
    fn somebody_who_could_be_in_two_classes_counts_once() {
        let release = rows(
            "age,s",
            &[
                ("\"[20, 25]\",x", 5),
                ("\"[20, 25]\",y", 5),
                ("\"[25, 30]\",x", 5),
                ("\"[25, 30]\",y", 5),
                ("40,x", 180),
            ],
        );
        let mut case = Case::new(&release, &["age"], &["s"]);
        let original = [("20,x", 5), ("20,y", 4), ("25,y", 1), ("30,x", 5), ("30,y", 5), ("40,x", 180)];
        case.original = Some(rows("age,s", &original));
        case.knowledge = Some("[[know]]\nwhere = { age = \"25\" }\ntimes = { y = 50 }\n".to_owned());
        let finding = case.beliefs("knowledge");
        assert_eq!(finding.figures["positive_disclosures"], 1);
        let known = case.findings("background-knowledge");
        let by_file = known.iter().find(|finding| finding.figures.contains_key("knowledge")).expect("a file was given");
        assert_eq!(exposed(by_file), (1, 1));
    }

    #[test]
    fn knowledge_is_a_prior_too() {
        let mut case = virus();
        case.knowledge = Some("[[know]]\ntimes = { positive = 10 }\n".to_owned());
        // The prior of positive rises to 0.1 / 1.09, still below 0.1; the posterior of b to 10/11.
        assert_eq!(exposed(&case.beliefs("knowledge")), (2, 90));
    }
}

mod minimality {
    use super::*;

    const POLICY: &str = "[columns.q]\nrole = 'quasi-identifier'\nhierarchy = { suppress = {} }
[columns.s]\nrole = 'sensitive'\n[[require]]\nmodel = 'alpha-k-anonymity'\nalpha = 0.5\nk = 2\nvalues = ['h']\n";

    fn case(original: &[(&str, usize)]) -> Case {
        let mut case = Case::new(&rows("q,s", &[("*,h", 2), ("*,n", 4)]), &["q"], &["s"]);
        case.original = Some(rows("q,s", original));
        case.policy = Some(POLICY.to_owned());
        case.quasi[0].hierarchy = Some(HierarchySpec::Suppress(Default::default()));
        case
    }

    /// Only the two of `a` can have been too many: both have h, though the class says one in three, and nobody else has.
    #[test]
    fn only_the_small_part_can_have_failed() {
        let finding = case(&[("a,h", 2), ("b,n", 4)]).finding("minimality");
        assert_eq!(exposed(&finding), (1, 6));
        assert_near(figure(&finding, "largest_posterior"), 1.0);
        assert_near(figure(&finding, "admitted"), 4.0 / 6.0);
        assert_eq!(finding.figures["lower"], "q");
    }

    /// Either of two equal parts can have failed: nobody is likelier to have h than before.
    #[test]
    fn equal_parts_keep_their_secret() {
        assert_eq!(exposed(&case(&[("a,h", 2), ("a,n", 1), ("b,n", 3)]).finding("minimality")), (0, 0));
    }

    /// One level lower the class of 3 h and 7 n would have been a part of three and one of seven. With at most 9/10 of any value, a
    /// part fails if all of it have one. Of the C(10, 3) = 120 ways to spread the values, a has all n in 35, and all h in 1, where
    /// b has all n. So given that a part failed, somebody in a has n in 35 of 36: more than 9/10, but not more than 0.98.
    #[test]
    fn what_the_policy_grants_is_not_exposed() {
        let with_alpha = |alpha: &str| {
            let mut case = Case::new(&rows("q,s", &[("*,h", 3), ("*,n", 7)]), &["q"], &["s"]);
            case.original = Some(rows("q,s", &[("a,n", 3), ("b,h", 3), ("b,n", 4)]));
            let all = POLICY.replace("\nvalues = ['h']", "");
            case.policy = Some(all.replace("alpha = 0.5", &format!("alpha = {alpha}")));
            case.quasi[0].hierarchy = Some(HierarchySpec::Suppress(Default::default()));
            case.finding("minimality")
        };
        let finding = with_alpha("0.9");
        assert_near(figure(&finding, "admitted"), 0.7);
        assert_near(figure(&finding, "granted"), 0.9);
        assert_near(figure(&finding, "largest_posterior"), 35.0 / 36.0);
        assert_eq!(exposed(&finding), (1, 3));
        assert_eq!(finding.learned, "the value, with a probability above what the policy grants");
        let finding = with_alpha("0.98");
        assert_near(figure(&finding, "largest_posterior"), 35.0 / 36.0);
        assert_eq!((exposed(&finding), &finding.figures["m"]), ((0, 0), &Value::from(1.0)));
    }

    #[test]
    fn levels_that_were_fixed_tell_nothing() {
        let mut case = case(&[("a,h", 2), ("b,n", 4)]);
        case.quasi[0].min_level = 1;
        assert_eq!(exposed(&case.finding("minimality")), (0, 0));
    }

    /// Figure 2(a) of (tau,l)-diversity. Class 1 shows hemal disease twice, hepatitis and phthisis once each. Equal weights:
    /// hepatitis (1 + 2/2)/4 = 1/2. The table shows hepatitis 4 times and anemia once: (1 + 2 * 4/5)/4 = 13/20. Hepatitis is the
    /// most frequent value (4 + 2/2 of 12, before phthisis with 4 and anemia with 1 + 2/2), and only such are generalized:
    /// both have it, (1 + 2)/4 = 3/4.
    #[test]
    fn generalized_values_are_those_of_the_most_frequent() {
        let taxonomy = fs::read_to_string(data("tau_l_fig1c_disease_taxonomy.csv")).expect("a file");
        let mut case = Case::new(
            &fs::read_to_string(data("tau_l_fig2a_0.5_3_diversity.csv")).expect("a file"),
            &["Age", "Zipcode"],
            &["Disease"],
        );
        fs::write(case.folder.path().join("disease.csv"), taxonomy).expect("a file");
        case.sensitive[0].hierarchy = Some(HierarchySpec::File(shoal_core::hierarchy::File::new("disease.csv")));
        let columns = "[columns.Age]\nrole = 'quasi-identifier'\n[columns.Zipcode]\nrole = 'quasi-identifier'\n\
            [columns.Disease]\nrole = 'sensitive'\nhierarchy = { file = 'disease.csv' }\n[method]\nname = 'sweep'\n";
        let policy = |rest: &str| format!("{columns}[[require]]\nmodel = 'tau-l-diversity'\ntau = 0.5\nl = 3\n{rest}");
        case.policy = Some(policy(""));
        let audit = case.audit();
        assert!(audit.holds(), "as the paper says");
        let finding =
            audit.findings.found.into_iter().find(|finding| finding.attack == "minimality").expect("it is tried");
        assert_eq!(exposed(&finding), (1, 4));
        assert_near(figure(&finding, "admitted"), 0.5);
        assert_near(figure(&finding, "largest_by_shown_ratio"), 0.65);
        assert_near(figure(&finding, "largest_posterior"), 0.75);
        assert_near(figure(&finding, "granted"), 0.5);
        assert_eq!(
            finding.learned,
            "the value with a probability of up to 0.75, above the 0.5 that the policy grants, since only records with a most \
             frequent value were generalized"
        );
        // Whoever grants 0.8 has not been promised less than 3/4.
        case.policy = Some(policy("").replace("tau = 0.5", "tau = 0.8"));
        let granted = case.finding("minimality");
        assert_eq!((exposed(&granted), granted.severity), ((0, 0), Severity::None));
        assert_near(figure(&granted, "largest_posterior"), 0.75);
        assert_near(figure(&granted, "granted"), 0.8);
        assert!(!granted.learned.contains("0.75"), "{}", granted.learned);

        let promise = audit.measures[0].model.promise("a person's age");
        assert!(
            promise.starts_with("Whoever knows a person's age, and takes a generalized Disease for one of the values")
        );

        // With the release's own ratio, 0.65 is what it reaches: (0.65, 2), and not (0.5, 2).
        let two = |tau: &str| policy("weights = 'released'\n").replace("0.5", tau).replace("l = 3", "l = 2");
        case.policy = Some(two("0.5"));
        assert!(!case.audit().holds());
        case.policy = Some(two("0.65"));
        let audit = case.audit();
        assert!(audit.holds(), "exactly 13/20");
        assert_eq!(audit.measures[0].achieved_json(audit.measured.achieved[0]), 0.65);
    }

    #[test]
    fn without_a_policy_or_the_original_it_is_not_tried() {
        let mut case = case(&[("a,h", 2), ("b,n", 4)]);
        case.original = None;
        assert!(case.findings("minimality").is_empty());
        assert!(case.audit().findings.untried.iter().any(|untried| untried.attack == "minimality"));
    }
}

mod linkage {
    use super::*;

    #[test]
    fn four_look_alike_in_figure_2() {
        let mut case = figure_2();
        case.original = Some(FIGURE_1.to_owned());
        let finding = case.finding("linkage");
        assert_eq!(exposed(&finding), (0, 0));
        assert_eq!(
            (&finding.figures["linked_to_few"], &finding.figures["linked_to_none"]),
            (&Value::from(12), &Value::from(0))
        );
        assert_near(figure(&finding, "expected_in_truth"), 3.0);
        assert_near(figure(&finding, "success_rate"), 0.25);
        assert_near(figure(&finding, "guessing_rate"), 1.0 / 12.0);
    }

    #[test]
    fn a_table_as_it_is_links_to_itself() {
        let mut case = Case::new(FIGURE_1, &["Zip Code", "Age", "Nationality"], &["Condition"]);
        case.original = Some(FIGURE_1.to_owned());
        let finding = case.finding("linkage");
        assert_eq!(exposed(&finding), (12, 12));
        assert_near(figure(&finding, "success_rate"), 1.0);
    }

    #[test]
    fn a_register_has_some_of_the_columns() {
        let mut case = figure_2();
        case.outsider = Some("name,Age,Zip Code\nBob,31,13053\nUmeko,21,13068\nNobody,31,99999\n".to_owned());
        let finding = case.finding("linkage");
        assert_eq!(finding.figures["with"], "outsider");
        assert_eq!((finding.records, &finding.figures["linked_to_few"]), (3, &Value::from(2)));
        assert_eq!(finding.figures["linked_to_none"], 1);
    }

    /// What a release of another program shows: the only one of the early fifties is found, and two of the sixties are few.
    #[test]
    fn ranges_and_periods_are_read_without_a_hierarchy() {
        for (labels, values) in [
            (["50-54", "60-64", "60-64"], ["52", "61", "62"]),
            (["<60", "60+", "60+"], ["52", "61", "62"]),
            (["1954", "1960s", "1960s"], ["1954-03-05", "1961-02-01", "1962-12-31"]),
            (["1954-Q1", "1961 - 1962", "1961 - 1962"], ["1954-03-05", "1961-02-01", "1962-12-31"]),
        ] {
            let table = |cells: [&str; 3]| format!("age,s\n{},flu\n{},cancer\n{},cold\n", cells[0], cells[1], cells[2]);
            let mut case = Case::new(&table(labels), &["age"], &["s"]);
            case.original = Some(table(values));
            let finding = case.finding("linkage");
            assert_eq!(exposed(&finding), (1, 1), "{labels:?}");
            assert_eq!(
                (&finding.figures["linked_to_few"], &finding.figures["linked_to_none"]),
                (&Value::from(2), &Value::from(0))
            );
        }
    }

    /// Nobody is called `old`: whoever linked to none would seem safe.
    #[test]
    fn labels_that_tell_nobody_leave_it_untried() {
        let mut case = Case::new("age,s\nyoung,flu\nold,cancer\nold,cold\n", &["age"], &["s"]);
        case.original = Some("age,s\n20,flu\n61,cancer\n62,cold\n".to_owned());
        let needs = |case: &Case| {
            let untried = case.audit().findings.untried.into_iter().find(|untried| untried.attack == "linkage");
            untried.map(|untried| untried.needs)
        };
        assert!(case.findings("linkage").is_empty());
        let needed = needs(&case).expect("it is not tried");
        assert!(
            needed.starts_with("a policy or --hierarchy that tells what the labels of `age` stand for"),
            "{needed}"
        );
        let beliefs = case.audit().findings.found.into_iter().filter(|finding| finding.attack == "bayes-optimal");
        assert!(beliefs.into_iter().all(|finding| finding.figures["prior"] == "independent"));
        // Of some labels that is enough, too, but not of people who may not be in the release.
        fs::write(&case.release, "age,s\n[20, 30),flu\nold,cancer\nold,cold\n".replace("[20, 30)", "\"[20, 30)\""))
            .expect("a file");
        assert!(needs(&case).is_some());
        case.outsider = case.original.take();
        assert_eq!((exposed(&case.finding("linkage")), needs(&case)), ((1, 1), None));
        // A hierarchy tells.
        fs::write(&case.release, "age,s\nyoung,flu\nold,cancer\nold,cold\n").expect("a file");
        case.original = case.outsider.take();
        fs::write(case.folder.path().join("age.csv"), "20;young;*\n61;old;*\n62;old;*\n").expect("a file");
        case.quasi[0].hierarchy = Some(HierarchySpec::File(File::new("age.csv")));
        assert_eq!(exposed(&case.finding("linkage")), (1, 1));
    }

    /// Labels of local recoding overlap: somebody of 25 fits two classes.
    #[test]
    fn ranges_and_sets_that_overlap_leave_several_classes() {
        let release = "age,city,s\n\"[20, 29]\",\"{Bonn, Kiel}\",x\n\"[25, 40]\",Bonn,y\n";
        let mut case = Case::new(release, &["age", "city"], &["s"]);
        case.original = Some("age,city,s\n25,Bonn,x\n40,Bonn,y\n20,Kiel,x\n30,Kiel,y\n".to_owned());
        let finding = case.finding("linkage");
        assert_eq!(exposed(&finding), (2, 2), "40 in Bonn and 20 in Kiel");
        assert_eq!(
            (&finding.figures["linked_to_few"], &finding.figures["linked_to_none"]),
            (&Value::from(1), &Value::from(1))
        );
    }
}

mod intersection {
    use super::*;

    const FIRST: &str = "age,zip,s\n2*,*,flu\n2*,*,cancer\n3*,*,ulcer\n3*,*,flu\n";
    const SECOND: &str = "age,zip,s\n*,130**,flu\n*,130**,ulcer\n*,148**,cancer\n*,148**,flu\n";
    const ORIGINAL: &str = "age,zip,s\n21,13053,flu\n22,14850,cancer\n31,13068,ulcer\n32,14853,flu\n";

    fn case(release: &str, other: &str) -> Case {
        let mut case = Case::new(release, &["age", "zip"], &["s"]);
        case.other = Some(other.to_owned());
        case
    }

    /// {flu, cancer} and {flu, ulcer} leave flu; the other three pairs cancer or flu, flu or ulcer, and flu.
    #[test]
    fn two_diverse_releases_tell_more_together() {
        let mut case = case(FIRST, SECOND);
        case.original = Some(ORIGINAL.to_owned());
        let finding = case.finding("intersection");
        assert_eq!(exposed(&finding), (2, 2), "21 in 13053 and 32 in 14853 have flu");
        assert_eq!((&finding.figures["pairs"], &finding.figures["alone_in_both"]), (&Value::from(4), &Value::from(4)));
        case.original = None;
        let finding = case.finding("intersection");
        assert_eq!(exposed(&finding), (2, 2), "at most one flu in both");
        assert_eq!(finding.figures["certain"], false);
    }

    /// The class of {flu, cancer} meets that of {cancer, asthma}, and {cold, ulcer} meets {gout, cold}: one has cancer, one a cold,
    /// however the same classes are written.
    #[test]
    fn labels_are_read_however_they_are_written() {
        for (these, those) in [
            (["[1950, 1955)", "[1960, 1965)"], ["[1950, 1960)", "[1960, 1970)"]),
            (["1954", "1961"], ["1950s", "1960s"]),
            (["1954-03", "1961-02"], ["1954", "1961"]),
            (["50-54", "60-64"], ["50-59", "60-69"]),
        ] {
            let [a, b] = these;
            let [c, d] = those;
            let first = format!("born,s\n\"{a}\",flu\n\"{a}\",cancer\n\"{b}\",cold\n\"{b}\",ulcer\n");
            let second = format!("born,s\n\"{c}\",cancer\n\"{c}\",asthma\n\"{d}\",gout\n\"{d}\",cold\n");
            let mut case = Case::new(&first, &["born"], &["s"]);
            case.other = Some(second);
            let finding = case.finding("intersection");
            assert_eq!(exposed(&finding), (2, 2), "{these:?} and {those:?}");
            assert_eq!(finding.figures["pairs"], 2, "{these:?} and {those:?}");
            assert_eq!(finding.figures["unread"], serde_json::json!([]));
        }
    }

    /// Nobody says whether the young are those under forty: they may be.
    #[test]
    fn what_cannot_be_read_may_be_the_same_people() {
        let first = "age,s\nyoung,flu\nyoung,cancer\nold,cold\nold,ulcer\n";
        let second = "age,s\nunder forty,cancer\nunder forty,asthma\nforty and more,gout\nforty and more,cold\n";
        let mut case = Case::new(first, &["age"], &["s"]);
        case.other = Some(second.to_owned());
        let finding = case.finding("intersection");
        assert_eq!((exposed(&finding), &finding.figures["pairs"]), ((2, 2), &Value::from(4)));
        assert_eq!(finding.figures["unread"], serde_json::json!(["age"]));
        assert!(finding.learned.contains("labels of `age` could not be read"), "{}", finding.learned);
        // With the original it is the same, as long as nobody knows whom the labels stand for.
        case.original = Some("age,s\n21,flu\n22,cancer\n61,cold\n62,ulcer\n".to_owned());
        let finding = case.finding("intersection");
        assert_eq!((exposed(&finding), &finding.figures["certain"]), ((2, 2), &Value::from(false)));
        // Words that both releases show are one vocabulary.
        case.original = None;
        case.other = Some(first.to_owned());
        let finding = case.finding("intersection");
        assert_eq!((exposed(&finding), &finding.figures["pairs"]), ((0, 0), &Value::from(2)));
    }

    #[test]
    fn the_same_classes_tell_nothing_new() {
        assert_eq!(exposed(&case(FIRST, FIRST).finding("intersection")), (0, 0));
    }
}

mod limits {
    use super::*;

    #[test]
    fn a_limit_is_broken_where_more_are_exposed() {
        let mut case = figure_2();
        for (limit, is_broken) in
            [("homogeneity", true), ("homogeneity>0.3", true), ("homogeneity > 0.34", false), ("bayes-optimal", false)]
        {
            case.limits = vec![limit];
            assert_eq!(case.audit().broken.len(), usize::from(is_broken), "{limit}");
        }
        // 4 of 12 is a third, exactly.
        let mut tie = Case::new(&rows("q,s", &[("a,x", 1), ("b,x", 5), ("b,y", 4)]), &["q"], &["s"]);
        tie.limits = vec!["homogeneity>0.1"];
        assert!(tie.audit().broken.is_empty(), "a tie is kept");
    }

    #[test]
    fn what_was_not_tried_can_keep_no_limit() {
        let mut case = figure_2();
        for (limit, message) in
            [("linkage", "could not be tried"), ("homogenity", "names no attack"), ("skewness>2", "between 0 and 1")]
        {
            case.limits = vec![limit];
            let error = case.try_audit().expect_err("it cannot be decided").to_string();
            assert!(error.contains(message) && error.contains("hint: "), "{error}");
        }
    }
}
