//! Does the sweep keep more of the census extract than the methods that its paper compares it with?
//!
//! The data are not part of the repository; where they are not at hand, these tests are ignored.

use std::path::Path;

use crate::tables::{Plan, Quasi, Sensitive, read_csv};
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, SensitiveColumn};
use shoal_core::method::full_domain::FullDomain;
use shoal_core::method::one_dimensional::OneDimensional;
use shoal_core::method::sweep::Sweep;
use shoal_core::method::{LabelStyle, Method, Numbers, Resolver, Task};
use shoal_core::model::{DEFINITIONS, Requirement, Subject};
use shoal_core::objective::Information;
use shoal_core::watch::Unwatched;

const QUASI: [&str; 5] = ["age", "sex", "race", "marital-status", "education"];

/// All complete rows, with one sensitive column.
fn adult(sensitive: &str) -> Option<CountedTable> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/adult");
    assert!(folder.is_dir(), "../shared/data was there when this was built");
    let rows = read_csv(&folder.join("adult.csv"), b',', false);
    let place = |name: &&str| rows[0].iter().position(|known| known == name).expect("a column of the file");
    let places: Vec<usize> = QUASI.iter().chain([&sensitive]).map(place).collect();
    let complete = rows[1..].iter().filter(|row| row.iter().all(|cell| cell != "?"));
    let rows = complete.map(|row| places.iter().map(|&place| row[place].clone()).collect()).collect();
    let paths = |name: &str| read_csv(&folder.join("hierarchies").join(format!("{name}.csv")), b';', false);
    let quasi = QUASI.map(|name| Quasi::new(name, paths(name))).to_vec();
    let sensitive = vec![Sensitive::new(sensitive, Some(paths(sensitive)))];
    Some(Plan { quasi, sensitive, rows }.count())
}

#[derive(Debug)]
struct TauL(f64, u64);

impl Resolver for TauL {
    fn resolve(&self, columns: &[SensitiveColumn]) -> shoal_core::Result<Vec<Requirement>> {
        let definition = DEFINITIONS.iter().find(|known| known.id == "tau-l-diversity").expect("it is in the list");
        let text = format!("{{ tau = {}, l = {} }}", self.0, self.1);
        let parameters =
            definition.parse(toml::de::ValueDeserializer::parse(&text).expect("TOML")).expect("parameters");
        let model = parameters.resolve(Subject { columns, index: 0, folder: Path::new("."), is_release: false })?;
        let column = Some(columns[0].name().to_owned());
        Ok(vec![Requirement::new(definition.id, column, parameters.to_json(), model)])
    }
}

/// What each method keeps of the information, the sweep first. The best full-domain release stands for Incognito with
/// recursive (c,l)-diversity, whatever c and l: if what that finds is (tau,l)-diverse, it is one of these releases.
fn kept(table: &CountedTable, asked: &TauL) -> [Option<f64>; 3] {
    let requirements = asked.resolve(&table.sensitive).expect("it is a requirement");
    let style = LabelStyle { numbers: Numbers::Hierarchy, ..LabelStyle::default() };
    let task = Task { style, resolver: Some(asked), ..Task::new(table, &requirements, &Information, Ratio::ZERO) };
    let methods: [&dyn Method; 3] = [&Sweep::default(), &FullDomain::default(), &OneDimensional {}];
    methods.map(|method| {
        let partition = method.partition(&task, &Unwatched).ok()?;
        partition.objectives.iter().find(|(id, _)| *id == "information").map(|(_, lost)| 1.0 - lost)
    })
}

#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn the_sweep_keeps_more_than_the_others_where_all_have_a_release() {
    let Some(table) = adult("occupation") else { return };
    assert_eq!(table.rows, 45_222);
    for tau in [0.3, 0.5, 0.9] {
        for l in [2, 4, 6] {
            let [sweep, full_domain, one_dimensional] = kept(&table, &TauL(tau, l)).map(|kept| kept.unwrap_or(0.0));
            println!("({tau}, {l}): {sweep:.4} {full_domain:.4} {one_dimensional:.4}");
            assert!(sweep > full_domain.max(one_dimensional) && full_domain.min(one_dimensional) > 0.0, "({tau}, {l})");
        }
    }
}

/// Three in four earn no more than 50K; the largest occupation is held by more than one in ten.
#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn it_has_a_release_where_the_others_have_none() {
    for (sensitive, asked) in
        [("salary-class", TauL(0.6, 2)), ("occupation", TauL(0.1, 2)), ("occupation", TauL(0.1, 6))]
    {
        let Some(table) = adult(sensitive) else { return };
        let [sweep, full_domain, one_dimensional] = kept(&table, &asked);
        println!("{sensitive} {asked:?}: {sweep:?}");
        assert!(sweep.is_some_and(|kept| kept > 0.4), "{sensitive} {asked:?}: {sweep:?}");
        assert_eq!((full_domain, one_dimensional), (None, None), "{sensitive} {asked:?}");
    }
}
