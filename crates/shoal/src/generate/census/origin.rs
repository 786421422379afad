//! Of which race is a person, and where born?

use super::place::Place;
use crate::generate::draws::Draws;
use crate::generate::shares::Table;

const WHITE: usize = 0;
const BLACK: usize = 1;
const ASIAN: usize = 2;

/// Races by the first digit of the zip code, per mille. Over all regions they are as in UCI Adult and Census-Income
/// KDD; how they differ is a rough sketch of the census of 1990.
#[rustfmt::skip]
pub(super) static RACE: Table<5, 10> = Table::new([
    ("White",              [895, 842, 750, 775, 875, 940, 860, 800, 895, 785]),
    ("Black",              [ 65, 120, 225, 205, 110,  28, 112, 155,  28,  66]),
    ("Asian-Pac-Islander", [ 24,  24,  18,  11,  10,  13,  18,  15,  15, 112]),
    ("Amer-Indian-Eskimo", [  3,   3,   5,   3,   2,  15,   3,  14,  44,  14]),
    ("Other",              [ 13,  11,   2,   6,   3,   4,   7,  16,  18,  23]),
]);

/// Minorities live in cities more often: this many of a thousand in the country count as the majority.
const MAJORITY_IN_THE_COUNTRY: u32 = 300;

/// A race.
pub(super) fn race(place: &Place, draws: &mut Draws) -> usize {
    let race = RACE.draw(place.region, draws);
    let minority = race == BLACK || race == ASIAN;
    if minority && !place.city && draws.chance(MAJORITY_IN_THE_COUNTRY) { WHITE } else { race }
}

/// Of a thousand of each race, those born abroad where the most immigrants live; fewer are elsewhere.
/// Over all places the shares come out as in UCI Adult.
const BORN_ABROAD: [u32; 5] = [104, 99, 690, 60, 700];

/// Of a thousand such people so many there are by the first digit of the zip code.
const IMMIGRATION: [u32; 10] = [900, 1000, 600, 900, 450, 350, 700, 950, 650, 1000];
/// .. and so many of those in the country.
const IMMIGRATION_TO_THE_COUNTRY: u32 = 600;

/// The country most are born in.
pub(super) const HOME: &str = "United-States";

/// Countries of birth of those born abroad, by race, about per mille: UCI Adult, the rarest left out; Mexico has more,
/// since those who drew it far from the border draw again, and where American Indians come from is a guess.
#[rustfmt::skip]
pub(super) static ABROAD: Table<40, 5> = Table::new([
    ("Cambodia",                  [  0,   7,  25,   0,   0]),
    ("Canada",                    [ 66,   0,   0, 200,  10]),
    ("China",                     [  0,   0, 124,   0,   0]),
    ("Columbia",                  [ 28,   0,   0,   0,  47]),
    ("Cuba",                      [ 48,  18,   0,   0,  16]),
    ("Dominican-Republic",        [ 23,  63,   0,   0, 109]),
    ("Ecuador",                   [ 12,   4,   0,   0,  62]),
    ("El-Salvador",               [ 54,   4,   0,   0,  41]),
    ("England",                   [ 42,  39,   0,   0,   5]),
    ("France",                    [ 13,   4,   0,   0,   5]),
    ("Germany",                   [ 70,  39,   4,   0,   5]),
    ("Greece",                    [ 18,   0,   0,   0,   0]),
    ("Guatemala",                 [ 29,   0,   0, 100,  41]),
    ("Haiti",                     [  0, 254,   0,   0,   0]),
    ("Holand-Netherlands",        [  4,   0,   0,   0,   0]),
    ("Honduras",                  [  6,  11,   0,   0,   5]),
    ("Hong",                      [  0,   0,  26,   0,   0]),
    ("Hungary",                   [  7,   0,   0,   0,   0]),
    ("India",                     [  6,   7, 129,   0,  47]),
    ("Iran",                      [ 16,   0,   9,   0,  31]),
    ("Ireland",                   [ 13,   0,   0,   0,   0]),
    ("Italy",                     [ 39,   0,   0,   0,   0]),
    ("Jamaica",                   [  0, 345,   0,   0,  16]),
    ("Japan",                     [ 12,  14,  55,   0,  16]),
    ("Laos",                      [  0,   0,  24,   0,   0]),
    ("Mexico",                    [480,  18,   0, 700, 326]),
    ("Nicaragua",                 [ 15,  11,   0,   0,  21]),
    ("Outlying-US(Guam-USVI-etc)",[  4,  28,   0,   0,   0]),
    ("Peru",                      [ 16,   0,   0,   0,  21]),
    ("Philippines",               [  5,   7, 290,   0,   0]),
    ("Poland",                    [ 32,   0,   0,   0,   0]),
    ("Portugal",                  [ 24,   0,   0,   0,   5]),
    ("Puerto-Rico",               [ 52,  46,   0,   0, 155]),
    ("Scotland",                  [  7,   4,   0,   0,   0]),
    ("South",                     [  0,   4, 114,   0,   5]),
    ("Taiwan",                    [  0,   0,  63,   0,   5]),
    ("Thailand",                  [  0,   4,  26,   0,   0]),
    ("Trinadad&Tobago",           [  0,  74,   4,   0,   5]),
    ("Vietnam",                   [  0,   0,  87,   0,   0]),
    ("Yugoslavia",                [  9,   0,   0,   0,   0]),
]);

/// The first digits of the zip codes near the Mexican border.
const BORDER: std::ops::RangeInclusive<usize> = 7..=9;

/// A country of birth other than the home country, or none.
pub(super) fn born_abroad(race: usize, place: &Place, draws: &mut Draws) -> Option<usize> {
    // Where Asians live already says where their immigrants do.
    let thinned = race != ASIAN
        && !(draws.chance(IMMIGRATION[place.region]) && (place.city || draws.chance(IMMIGRATION_TO_THE_COUNTRY)));
    if !draws.chance(BORN_ABROAD[race]) || thinned {
        return None;
    }
    let country = ABROAD.draw(race, draws);
    let far_from_mexico = ABROAD.name(country) == "Mexico" && !BORDER.contains(&place.region);
    Some(if far_from_mexico { ABROAD.draw(race, draws) } else { country })
}
