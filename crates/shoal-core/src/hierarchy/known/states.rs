//! In which part of its country does a state or province lie?

use std::collections::HashMap;
use std::sync::OnceLock;

use super::words::fold;
use super::{Cell, KnownHierarchy};

/// # States and provinces
///
/// **Definition.** States, provinces and their like of 28 large countries, the larger parts that they lie in, and the country.
/// **Levels.** `state` (its English name: codes and names become the same), `division` and `region` (of the United States: the nine
/// divisions and four regions of the Census Bureau; of countries whose provinces lie in larger parts, such as France, Italy, Spain and
/// the United Kingdom: the larger part; of others the state itself), `country`.
/// **Values.** ISO 3166-2 codes (`US-CA`), English names and those that the places have themselves. With `country = "US"` also the code
/// without the country (`CA`), and names that places in several countries have (`Limburg`). The countries are AR, AT, AU, BE, BR, CA, CH,
/// CN, CO, DE, ES, FR, GB, ID, IN, IT, JP, MX, NG, NL, PH, PL, RU, SE, TR, UA, US and ZA.
/// **Source.** Codes, English names and what lies in what: Unicode CLDR 48.2 (Unicode License v3). How places call themselves: ISO 3166-2
/// as in the package pycountry 26.2.16 (names of places only). Divisions and regions of the United States: its Census Bureau (public domain).
/// **Example.** `CA` is `California` in the division `Pacific` in the region `West` of the `United States`.
/// ```toml
/// hierarchy = { known = { name = "states", country = "US" } }
/// ```
#[derive(Debug)]
pub(super) struct States;

/// Those that the file has, the one with the example first.
const COUNTRIES: &[&str] = &[
    "US", "AR", "AT", "AU", "BE", "BR", "CA", "CH", "CN", "CO", "DE", "ES", "FR", "GB", "ID", "IN", "IT", "JP", "MX", "NG", "NL", "PH",
    "PL", "RU", "SE", "TR", "UA", "ZA",
];

impl KnownHierarchy for States {
    fn id(&self) -> &'static str {
        "states"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["state", "division", "region", "country"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let state = atlas().state(cell.text, cell.country)?;
        Some([state.label, state.division, state.region, state.country].map(str::to_owned).to_vec())
    }

    fn examples(&self) -> &'static [&'static str] {
        &["US-CA", "Bayern", "FR-75C", "Ontario", "us-tx"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["state", "states", "province*", "bundesland*", "region", "provincia", "departement", "estado", "kanton", "canton"]
    }

    fn countries(&self) -> &'static [&'static str] {
        COUNTRIES
    }
}

#[derive(Debug)]
struct State {
    label: &'static str,
    division: &'static str,
    region: &'static str,
    country: &'static str,
}

#[derive(Debug, Default)]
struct Atlas {
    states: Vec<State>,
    /// By code and by name: those of all countries, and those of each. None where several have a name.
    everywhere: HashMap<String, Option<usize>>,
    within: HashMap<(&'static str, String), usize>,
}

fn atlas() -> &'static Atlas {
    static ATLAS: OnceLock<Atlas> = OnceLock::new();
    ATLAS.get_or_init(|| Atlas::read(include_str!("data/states.txt")))
}

impl Atlas {
    fn read(text: &'static str) -> Self {
        let (mut atlas, mut country) = (Self::default(), "");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&'static str> = line.split('|').collect();
            match cells[..] {
                [_, name] => country = name,
                [code, division, region, label, first, ..] => {
                    let or = |text: &'static str, other: &'static str| if text.is_empty() { other } else { text };
                    let label = or(label, first);
                    let division = or(division, label);
                    let region = or(region, division);
                    atlas.states.push(State { label, division, region, country });
                    atlas.name(code, &cells[4..]);
                }
                _ => {}
            }
        }
        atlas
    }

    /// Gives the last state its names.
    fn name(&mut self, code: &'static str, names: &[&'static str]) {
        let place = self.states.len() - 1;
        let (country, short) = code.split_once('-').unwrap_or((code, code));
        self.everywhere.insert(fold(code), Some(place));
        // The first has the name: a region that is called like its only province.
        for name in std::iter::once(&short).chain(names) {
            self.within.entry((country, fold(name))).or_insert(place);
        }
        for name in names.iter().map(|name| fold(name)) {
            let owner = *self.within.get(&(country, name.clone())).unwrap_or(&place);
            let known = self.everywhere.entry(name).or_insert(Some(owner));
            if known.is_some_and(|known| known != owner) {
                *known = None;
            }
        }
    }

    fn state(&self, text: &str, country: Option<&str>) -> Option<&State> {
        let name = fold(text);
        let Some(country) = country else {
            return self.everywhere.get(&name).copied().flatten().map(|place| &self.states[place]);
        };
        let country = COUNTRIES.iter().find(|known| known.eq_ignore_ascii_case(country))?;
        let prefix = fold(country) + " ";
        let name = name.strip_prefix(&prefix).map(str::to_owned).unwrap_or(name);
        self.within.get(&(country, name)).map(|&place| &self.states[place])
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{path, path_in};
    use super::*;

    #[test]
    fn states_of_the_united_states_lie_in_divisions_and_regions() {
        let california = ["California", "Pacific", "West", "United States"];
        for value in ["US-CA", "us-ca", "California", " CALIFORNIA"] {
            assert_eq!(path("states", value), california, "{value}");
        }
        for value in ["CA", "ca", "US-CA", "California"] {
            assert_eq!(path_in("states", "US", value), california, "{value}");
        }
        assert_eq!(path_in("states", "US", "DC"), ["Washington DC", "South Atlantic", "South", "United States"]);
        assert_eq!(path_in("states", "US", "District of Columbia"), path_in("states", "US", "DC"));
        assert_eq!(path_in("states", "US", "NJ")[1..3], ["Middle Atlantic", "Northeast"]);
        assert_eq!(path_in("states", "US", "ND")[1..3], ["West North Central", "Midwest"]);
        assert_eq!(path_in("states", "US", "PR"), ["Puerto Rico", "Island Areas", "Island Areas", "United States"]);
        assert_eq!(path("states", "CA"), [""; 0], "the code alone is one of several countries");
    }

    #[test]
    fn provinces_lie_in_larger_parts() {
        assert_eq!(path("states", "Bayern"), ["Bavaria", "Bavaria", "Bavaria", "Germany"]);
        assert_eq!(path("states", "ES-SE"), ["Seville", "Andalusia", "Andalusia", "Spain"]);
        assert_eq!(path("states", "IT-RM")[1..], ["Lazio", "Lazio", "Italy"]);
        assert_eq!(path("states", "GB-LND")[1..], ["England", "England", "United Kingdom"]);
        assert_eq!(path("states", "FR-33")[1..], ["Nouvelle-Aquitaine", "Nouvelle-Aquitaine", "France"]);
        assert_eq!(path("states", "Ontario"), ["Ontario", "Ontario", "Ontario", "Canada"]);
    }

    #[test]
    fn a_name_that_several_have_needs_its_country() {
        assert_eq!(path("states", "Limburg"), [""; 0]);
        assert_eq!(path_in("states", "NL", "Limburg"), ["Limburg (NL)", "Limburg (NL)", "Limburg (NL)", "Netherlands"]);
        assert_eq!(path_in("states", "BE", "Limburg"), ["Limburg (BE)", "Flanders", "Flanders", "Belgium"]);
        assert_eq!(path_in("states", "FR", "Limburg"), [""; 0]);
    }

    #[test]
    fn the_file_has_the_countries_that_are_listed() {
        let mut codes: Vec<&str> = include_str!("data/states.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('|'))
            .map(|(code, _)| code)
            .filter(|code| !code.contains('-'))
            .collect();
        let mut listed = COUNTRIES.to_vec();
        codes.sort_unstable();
        listed.sort_unstable();
        assert_eq!(codes, listed);
        for state in &atlas().states {
            assert!(!state.label.is_empty() && !state.country.is_empty(), "{state:?}");
        }
        let us: Vec<&State> = atlas().states.iter().filter(|state| state.country == "United States").collect();
        assert_eq!(us.len(), 57, "50 states, the capital and 6 areas");
        for (region, states) in [("Northeast", 9), ("Midwest", 12), ("South", 17), ("West", 13)] {
            assert_eq!(us.iter().filter(|state| state.region == region).count(), states, "{region}");
        }
    }
}
