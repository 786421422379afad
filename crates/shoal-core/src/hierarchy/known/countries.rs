//! In which part of the world does a country lie?

use std::collections::HashMap;
use std::sync::OnceLock;

use super::words::fold;
use super::{Cell, KnownHierarchy};

/// # Countries
///
/// **Definition.** Countries and territories, and the parts of the world that they lie in.
/// **Levels.** `country` (its English name: what it is called, and every code of it, becomes the same), `subregion` (`Western Europe`),
/// `region` (`Europe`).
/// **Values.** ISO 3166-1 codes of two or three letters or three digits (without their zeros, too), and names in 25 languages, mixed or
/// not. `EL` and `UK` are Greece and the United Kingdom, as the European Union writes them; England, Scotland, Wales and Northern Ireland
/// are taken for the United Kingdom. `NA` is Namibia, unless it is listed as a marker of missing values. Nationalities (`German`),
/// countries that are no more and cities are not known.
/// **Source.** Codes, names and what lies where are those of Unicode CLDR 48.2, whose regions are those of UN M49 (with Kosovo, Taiwan
/// and Antarctica, which M49 does not list so); English names as ISO writes them are those of the package iso3166 3.0.0. Unicode
/// License v3, and MIT.
/// **Example.** `DE`, `DEU`, `276`, `Germany` and `Allemagne` are `Germany` in `Western Europe` in `Europe`.
/// ```toml
/// hierarchy = { known = "countries" }
/// ```
#[derive(Debug)]
pub(super) struct Countries;

impl KnownHierarchy for Countries {
    fn id(&self) -> &'static str {
        "countries"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["country", "subregion", "region"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let country = world().country(cell.text)?;
        Some([country.label, country.subregion, country.region].map(str::to_owned).to_vec())
    }

    fn examples(&self) -> &'static [&'static str] {
        &["DE", "FRA", "840", "Japan", "Brasilien", "Côte d'Ivoire", "12"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["country", "countries", "nation*", "citizen*", "land", "herkunftsland", "geburtsland", "staat*", "pays", "pais", "paese"]
    }
}

/// A country or territory.
#[derive(Debug)]
struct Country {
    label: &'static str,
    subregion: &'static str,
    region: &'static str,
}

/// All of them, by what they may be called.
#[derive(Debug, Default)]
struct World {
    countries: Vec<Country>,
    places: HashMap<String, usize>,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| World::read(include_str!("data/countries.txt")))
}

impl World {
    fn read(text: &'static str) -> Self {
        let (mut world, mut regions) = (Self::default(), HashMap::new());
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&'static str> = line.split('|').collect();
            if let [number, name, region] = cells[..] {
                regions.insert(number, (name, region));
            } else if let [alpha_2, alpha_3, number, subregion, label, ..] = cells[..] {
                let (subregion, region) = regions[subregion];
                let place = world.countries.len();
                world.countries.push(Country { label, subregion, region });
                // What is a code of one country is no name of another.
                for name in [alpha_2, alpha_3, number].into_iter().chain(cells[4..].iter().copied()) {
                    world.places.entry(fold(name)).or_insert(place);
                }
            }
        }
        world
    }

    fn country(&self, text: &str) -> Option<&Country> {
        let name = fold(text);
        // Where a column is of numbers, `012` is written `12`.
        let name = if super::digits::has_digits(&name, 1, 3) { format!("{name:0>3}") } else { name };
        self.places.get(&name).map(|&place| &self.countries[place])
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;
    use super::*;

    #[test]
    fn codes_and_names_are_the_same_country() {
        let germany = ["Germany", "Western Europe", "Europe"];
        for value in ["DE", "de", "DEU", "276", "Germany", "GERMANY ", "Deutschland", "Allemagne", "Niemcy", "德国", "Γερμανία"] {
            assert_eq!(path("countries", value), germany, "{value}");
        }
        assert_eq!(path("countries", "United-States"), ["United States", "Northern America", "Americas"]);
        assert_eq!(path("countries", "Viet Nam"), path("countries", "Vietnam"));
        assert_eq!(path("countries", "8"), ["Albania", "Southern Europe", "Europe"]);
        assert_eq!(path("countries", "Korea, Republic of"), ["South Korea", "Eastern Asia", "Asia"]);
        assert_eq!(path("countries", "Nigeria"), ["Nigeria", "Western Africa", "Africa"]);
        assert_eq!(path("countries", "Niger"), ["Niger", "Western Africa", "Africa"]);
        assert_eq!(path("countries", "Mexiko"), ["Mexico", "Central America", "Americas"]);
        assert_eq!(path("countries", "Neuseeland"), ["New Zealand", "Australasia", "Oceania"]);
        assert_eq!(path("countries", "Türkei"), ["Türkiye", "Western Asia", "Asia"]);
        assert_eq!(path("countries", "EL"), path("countries", "GR"));
        assert_eq!(path("countries", "Scotland"), path("countries", "UK"));
        assert_eq!(path("countries", "Dominica")[0], "Dominica");
        assert_eq!(path("countries", "Dominican Republic")[0], "Dominican Republic");
        for value in ["", "German", "Yugoslavia", "999", "0276", "Atlantis", "-"] {
            assert_eq!(path("countries", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn every_name_in_the_file_is_its_countrys_own() {
        let mut countries = 0;
        for line in include_str!("data/countries.txt").lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = line.split('|').collect();
            if cells.len() < 5 {
                continue;
            }
            countries += 1;
            for name in cells[..3].iter().chain(&cells[4..]) {
                assert_eq!(world().country(name).map(|country| country.label), Some(cells[4]), "{name}");
            }
        }
        // All of ISO 3166-1, and Kosovo.
        assert_eq!((countries, world().countries.len()), (250, 250));
    }

    #[test]
    fn the_world_has_five_regions() {
        let mut regions: Vec<&str> = world().countries.iter().map(|country| country.region).collect();
        regions.sort_unstable();
        regions.dedup();
        assert_eq!(regions, ["Africa", "Americas", "Asia", "Europe", "Oceania"]);
        let in_region = |region: &str| world().countries.iter().filter(|country| country.region == region).count();
        assert_eq!(regions.iter().map(|region| in_region(region)).sum::<usize>(), 250);
        let africa = world().countries.iter().filter(|country| country.subregion == "Northern Africa").count();
        assert_eq!(africa, 7, "Algeria, Egypt, Libya, Morocco, Sudan, Tunisia, Western Sahara");
    }
}
