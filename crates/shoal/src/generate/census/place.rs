//! Where does a person live, and what does the zip code tell about it?
//!
//! The first digit is a region, the second and third an area of it, the last two a post office, low numbers in
//! the middle of the place. Each region has a few large cities and many small places, so some codes are
//! crowded and most are not.

use crate::generate::draws::Draws;
use crate::generate::shares::Shares;

/// The regions, by the first digit of the zip code: roughly the population of 1990 that has that digit, per mille.
static REGIONS: Shares<10> = Shares::new([84, 122, 94, 124, 117, 57, 82, 107, 52, 161]);

const AREAS: usize = 20;
/// The areas of a region that are cities with their surroundings; the others are country.
const CITIES: usize = 3;

// Cities follow Zipf's law: the second is half the size of the first. The offices of a city are more alike, those of
// the country are one town and its villages.
static AREA: Shares<AREAS> = Shares::new(zipf(1));
static CITY_OFFICE: Shares<80> = Shares::new(zipf(4));
static COUNTRY_OFFICE: Shares<20> = Shares::new(zipf(1));

/// Weights in proportion to 1/first, 1/(first + 1), ..
const fn zipf<const N: usize>(first: u32) -> [u32; N] {
    let mut weights = [0; N];
    let mut i = 0;
    while i < N {
        weights[i] = 1_000_000 / (first + i as u32);
        i += 1;
    }
    weights
}

/// A place: its region, whether it is a city, its zip code.
pub(in crate::generate) struct Place {
    pub(super) region: usize,
    pub(super) city: bool,
    pub(in crate::generate) zip: u32,
}

impl Place {
    /// Where a person lives.
    pub(in crate::generate) fn draw(draws: &mut Draws) -> Self {
        let region = REGIONS.draw(draws);
        let area = AREA.draw(draws);
        let city = area < CITIES;
        let office = if city { CITY_OFFICE.draw(draws) } else { COUNTRY_OFFICE.draw(draws) };
        // Each region lays its areas out differently, and two areas share the first two digits.
        let second = (7 * area + region) % 10;
        let third = area % 5 + 5 * (area / 10);
        let zip = ((region * 10 + second) * 10 + third) * 100 + office + 1;
        Self { region, city, zip: zip as u32 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn places(count: usize) -> Vec<Place> {
        let mut draws = Draws::new(1);
        (0..count).map(|_| Place::draw(&mut draws)).collect()
    }

    #[test]
    fn few_codes_are_crowded() {
        let mut inhabitants: BTreeMap<u32, usize> = BTreeMap::new();
        places(100_000).iter().for_each(|place| *inhabitants.entry(place.zip).or_default() += 1);
        let mut sizes: Vec<usize> = inhabitants.into_values().collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        assert!((4_000..6_000).contains(&sizes.len()), "{} codes", sizes.len());
        let crowded: usize = sizes[..sizes.len() / 100].iter().sum();
        assert!(crowded > 8_000, "{crowded} people share a hundredth of the codes");
    }

    #[test]
    fn prefixes_mean_something() {
        let mut areas: BTreeMap<u32, BTreeSet<bool>> = BTreeMap::new();
        for place in places(100_000) {
            assert_eq!(place.zip / 10_000, place.region as u32);
            areas.entry(place.zip / 100).or_default().insert(place.city);
        }
        assert_eq!(areas.len(), 10 * AREAS);
        assert!(areas.values().all(|kinds| kinds.len() == 1), "an area is either city or country");
    }
}
