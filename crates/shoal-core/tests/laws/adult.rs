//! Does the census extract that everybody uses come out as known?
//!
//! The data are not part of the repository; where they are not at hand, these tests are ignored.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::tables::{Plan, Quasi, Sensitive, read_csv, requirement, samples};
use shoal_core::exact::Ratio;
use shoal_core::frequency::CountedTable;
use shoal_core::method::full_domain::{FullDomain, Search, solutions};
use shoal_core::method::microaggregation::{Microaggregation, relative_squared_error};
use shoal_core::method::mondrian::Mondrian;
use shoal_core::method::similarity_blocks::SimilarityBlocks;
use shoal_core::method::{Categories, LabelStyle, Method, Numbers, Partition, Task};
use shoal_core::objective::{Loss, OBJECTIVES};
use shoal_core::watch::Unwatched;

const QUASI: [&str; 5] = ["age", "sex", "race", "marital-status", "education"];

fn shared_data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    assert!(folder.is_dir(), "../shared/data was there when this was built");
    Some(folder)
}

/// The rows of the first file without a missing value, of the columns named, and of the first 32,561 rows only if
/// `train` says so.
fn complete_rows(folder: &Path, columns: &[&str], train: bool) -> Vec<Vec<String>> {
    let rows = read_csv(&folder.join("adult/adult.csv"), b',', false);
    let place = |name: &&str| rows[0].iter().position(|known| known == name).expect("a column of the file");
    let places: Vec<usize> = columns.iter().map(place).collect();
    let considered = if train { &rows[1..=32_561] } else { &rows[1..] };
    let complete = considered.iter().filter(|row| row.iter().all(|cell| cell != "?"));
    complete.map(|row| places.iter().map(|&place| row[place].clone()).collect()).collect()
}

fn adult(folder: &Path, marital: &str, train: bool) -> CountedTable {
    let paths = |name: &str| read_csv(&folder.join("adult/hierarchies").join(format!("{name}.csv")), b';', false);
    let quasi = QUASI.map(|name| Quasi::new(name, paths(if name == "marital-status" { marital } else { name })));
    let sensitive = vec![Sensitive::new("occupation", Some(paths("occupation")))];
    let columns = [&QUASI[..], &["occupation"]].concat();
    Plan { quasi: quasi.to_vec(), sensitive, rows: complete_rows(folder, &columns, train) }.count()
}

#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn satisfying_and_minimal_nodes_are_as_many_as_brute_force_found() {
    let Some(folder) = shared_data() else { return };
    type Expected = [(u64, usize, u32); 4];
    let expected: [(bool, &str, u64, Expected); 4] = [
        (false, "marital-status", 45_222, [(49, 10, 6), (38, 10, 7), (34, 10, 7), (31, 8, 7)]),
        (false, "marital-status_4groups", 45_222, [(46, 9, 6), (37, 10, 7), (32, 9, 7), (28, 8, 7)]),
        (true, "marital-status", 30_162, [(49, 12, 6), (36, 9, 7), (31, 8, 7), (31, 8, 7)]),
        (true, "marital-status_4groups", 30_162, [(44, 13, 7), (34, 8, 7), (26, 7, 7), (26, 7, 7)]),
    ];
    for (train, marital, rows, expected) in expected {
        let table = adult(&folder, marital, train);
        assert_eq!(table.rows, rows);
        for (k, expected) in [2, 4, 6, 8].into_iter().zip(expected) {
            let requirements = [requirement(&table, "k-anonymity", 0, &format!("{{ k = {k} }}"))];
            let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
            let solutions = solutions(&task, true, &Unwatched).expect("240 nodes");
            assert_eq!(solutions.nodes, 240);
            let least_height = solutions.minimal.iter().map(|solution| solution.node.height()).min().unwrap_or(0);
            let found = (solutions.satisfying, solutions.minimal.len(), least_height);
            assert_eq!(found, expected, "{rows} rows, {marital}, k = {k}");
            if (train, marital, k) == (false, "marital-status", 6) {
                let mut minimal: Vec<&[u8]> = solutions.minimal.iter().map(|solution| solution.node.levels()).collect();
                minimal.sort_unstable();
                assert_eq!(
                    minimal,
                    [
                        [1, 0, 1, 2, 3],
                        [1, 1, 1, 1, 3],
                        [3, 1, 0, 2, 3],
                        [4, 0, 0, 1, 3],
                        [4, 0, 1, 0, 3],
                        [4, 0, 1, 1, 1],
                        [4, 0, 1, 2, 0],
                        [4, 1, 0, 2, 1],
                        [4, 1, 1, 0, 2],
                        [4, 1, 1, 1, 0]
                    ]
                );
            }
        }
    }
}

#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn searches_agree_for_every_model() {
    let Some(folder) = shared_data() else { return };
    let table = adult(&folder, "marital-status", false);
    let partition = |task: &Task<'_>, search: Search| {
        let found = FullDomain { search, ..FullDomain::default() }.partition(task, &Unwatched).ok();
        found.map(|Partition { node, assignments, classes, objectives, .. }| {
            (node.expect("full-domain has a node"), objectives, assignments, classes.len())
        })
    };
    for (place, sample) in samples(&table).into_iter().enumerate() {
        let name = sample.requirement.model.name();
        let requirements = [sample.requirement];
        for limit in [0.0, 0.05] {
            let max_suppressed = Ratio::written(limit).expect("a decimal");
            let objective = OBJECTIVES[place % OBJECTIVES.len()].item;
            let task = Task::new(&table, &requirements, objective, max_suppressed);
            let exhaustive = partition(&task, Search::Exhaustive);
            for search in [Search::Incognito, Search::Optimal] {
                let same = partition(&task, search) == exhaustive;
                assert!(same, "{search:?}, {name}, {}, {limit}", objective.id());
            }
        }
    }
}

/// The same data and hierarchies as ARX ships, all nine columns as quasi-identifiers.
fn arx_adult(folder: &Path, most: usize) -> CountedTable {
    let folder = folder.join("arx/adult");
    let mut rows = read_csv(&folder.join("adult.csv"), b';', false);
    let header = rows.remove(0);
    rows.truncate(most);
    let paths = |name: &str| read_csv(&folder.join(format!("adult_hierarchy_{name}.csv")), b';', false);
    let quasi = header.iter().map(|name| Quasi::new(name, paths(name))).collect();
    Plan { quasi, sensitive: vec![], rows }.count()
}

/// A local method on the table that ARX is measured with, k = 5, no row suppressed.
fn local_loss(method: &dyn Method, style: LabelStyle) -> Option<f64> {
    let table = arx_adult(&shared_data()?, usize::MAX);
    let requirements = [requirement(&table, "k-anonymity", 0, "{ k = 5 }")];
    let task = Task { style, ..Task::new(&table, &requirements, &Loss, Ratio::ZERO) };
    let begin = Instant::now();
    let partition = method.partition(&task, &Unwatched).expect("there is a release");
    assert_eq!(partition.suppressed(), 0);
    let loss = partition.objectives.iter().find(|(id, _)| *id == "loss")?.1;
    println!("{method:?}, {style:?}: loss {loss}, {} classes, {:?}", partition.classes.len(), begin.elapsed());
    Some(loss)
}

/// ARX's local recoding reaches 0.073 with nodes of the hierarchies; ranges and sets are labels it does not have.
#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn mondrian_loses_less_than_local_recoding_in_arx() {
    let hierarchy = LabelStyle { numbers: Numbers::Hierarchy, ..LabelStyle::default() };
    let sets = LabelStyle { categories: Categories::Sets, ..LabelStyle::default() };
    for (style, most) in [(hierarchy, 0.058), (LabelStyle::default(), 0.044), (sets, 0.021)] {
        let Some(loss) = local_loss(&Mondrian::default(), style) else { return };
        assert!(loss < most, "{loss} with {style:?}");
    }
}

/// Of the first ten thousand rows; everything at one go takes quadratic time.
#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn clustering_in_blocks_is_nearly_as_near_as_clustering_everything() {
    let Some(folder) = shared_data() else { return };
    let table = arx_adult(&folder, 10_000);
    let requirements = [requirement(&table, "k-anonymity", 0, "{ k = 5 }")];
    let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
    let error = |block: usize| {
        let method = Microaggregation { block, ..Microaggregation::default() };
        relative_squared_error(&table, &method.partition(&task, &Unwatched).expect("there is a release"))
    };
    let (plain, blocks) = (error(usize::MAX), error(1_024));
    println!("relative squared error: {plain} by MDAV, {blocks} in blocks");
    assert!(blocks < 1.2 * plain, "{blocks} against {plain}");
}

/// What ARX finds for k = 5 and its loss: levels, classes, suppressed rows.
fn assert_arx_optimum(limit: f64, levels: [u8; 9], classes: usize, suppressed: u64) -> Option<f64> {
    let folder = shared_data()?;
    let table = arx_adult(&folder, usize::MAX);
    assert_eq!(table.rows, 30_162);
    let requirements = [requirement(&table, "k-anonymity", 0, "{ k = 5 }")];
    let max_suppressed = Ratio::written(limit).expect("a decimal");
    let task = Task::new(&table, &requirements, &Loss, max_suppressed);
    let begin = Instant::now();
    let partition = FullDomain::default().partition(&task, &Unwatched).expect("there is a release");
    println!("at most {limit} suppressed: {:?} nodes (all, checked), {:?}", partition.lattice, begin.elapsed());
    assert_eq!(partition.node.map(|node| node.levels().to_vec()), Some(levels.to_vec()));
    assert_eq!(partition.classes.len(), classes);
    let sum: u64 = partition.assignments.iter().filter(|one| one.class.is_none()).map(|one| one.count).sum();
    assert_eq!(sum, suppressed);
    partition.objectives.iter().find(|(id, _)| *id == "loss").map(|(_, value)| *value)
}

#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn the_optimum_of_arx_without_suppression() {
    if let Some(loss) = assert_arx_optimum(0.0, [0, 4, 1, 1, 3, 2, 2, 1, 0], 24, 0) {
        assert!((loss - 0.573_150_966).abs() < 1e-9, "{loss}");
    }
}

#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn the_optimum_of_arx_with_five_percent_suppressed() {
    assert_arx_optimum(0.05, [0, 3, 0, 0, 2, 1, 1, 2, 0], 397, 1_346);
}

/// The experiment of (a,d)-diversity: 3 to 7 quasi-identifiers with the weights of its Table 6, the groups of its Table 5.
#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn the_clustering_of_a_d_diversity_takes_seconds_and_finds_nearly_the_nearest() {
    let Some(folder) = shared_data() else { return };
    let names = ["age", "sex", "race", "marital-status", "education", "native-country", "workclass"];
    let rows = read_csv(&folder.join("adult/adult.csv"), b',', false);
    let place = |name: &str| rows[0].iter().position(|known| known == name).expect("a column of the file");
    let known_occupation: Vec<&Vec<String>> =
        rows[1..=32_561].iter().filter(|row| row[place("occupation")] != "?").collect();
    assert_eq!(known_occupation.len(), 32_561 - 1_843);
    let paths = |name: &str| {
        let name = if name == "marital-status" { "marital-status_4groups" } else { name };
        let mut paths = read_csv(&folder.join(format!("adult/hierarchies/{name}.csv")), b';', false);
        let height = paths[0].len() - 1;
        // A missing value is one of its own, right below the root.
        paths.push([vec!["?".to_owned(); height], vec!["*".to_owned()]].concat());
        paths
    };
    let weights = read_csv(&folder.join("papers/ad_diversity_table6_weights.csv"), b',', true);
    let groups = folder.join("papers/ad_diversity_table5_occupation_groups.csv");
    for quasi_identifiers in 3..=7 {
        let names = &names[..quasi_identifiers];
        let quasi = names.iter().zip(&weights).map(|(name, row)| {
            let weight = row[quasi_identifiers - 2].parse().expect("a weight");
            Quasi { weight, ..Quasi::new(name, paths(name)) }
        });
        let cells =
            |row: &&Vec<String>| names.iter().chain(&["occupation"]).map(|name| row[place(name)].clone()).collect();
        let rows = known_occupation.iter().map(cells).collect();
        let plan = Plan { quasi: quasi.collect(), sensitive: vec![Sensitive::new("occupation", None)], rows };
        let table = plan.count();
        let parameters = format!("{{ a = 2, d = 2, groups = {{ file = '{}' }} }}", groups.display());
        let requirements = [requirement(&table, "a-d-diversity", 0, &parameters)];
        let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
        let mean_distance = |effort: u64| {
            let begin = Instant::now();
            let partition = SimilarityBlocks { effort }.partition(&task, &Unwatched).expect("there is a release");
            assert_eq!(partition.suppressed(), 0);
            let remark = partition.remark.expect("it says how near records are").json;
            println!("{quasi_identifiers} quasi-identifiers, effort {effort}: {:.2?}, {remark}", begin.elapsed());
            remark["mean_distance"].as_f64().expect("a number")
        };
        let exact = mean_distance(u64::MAX);
        assert!(mean_distance(SimilarityBlocks::default().effort) <= 1.01 * exact);
        assert!(mean_distance(100) <= 1.1 * exact);
    }
}
