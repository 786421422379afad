//! What does the table of visits of an outpatient clinic look like?
//!
//! People live in households, of which each shares a zip code, and come several times in a year: whoever has a chronic illness more often, and
//! mostly for that. So a person's rows have the same sex and birth date, and other dates, wards and doctors; and what somebody has once,
//! they are likely to have again. Diagnoses are codes of ICD-10; how often each is, and what a visit costs, is made up.

use super::calendar::{days_of, month_and_day};
use super::census::Place;
use super::draws::Draws;
use super::lines::Lines;
use super::shares::Shares;
use super::{Generator, Rows};

/// People with several visits each.
pub(super) const GENERATOR: Generator = Generator {
    name: "visits",
    description: "visits to a clinic, several for each patient, with household, sex, birth date, zip code, ward, doctor, diagnosis and price",
    columns: &[
        "patient id",
        "household",
        "sex",
        "birth date",
        "zip code",
        "visit date",
        "ward",
        "doctor",
        "diagnosis",
        "price",
    ],
    rows: || Box::new(Visits::default()),
};

const YEAR: u32 = 2024;

/// Ages by decades, and how many live in one household, per cent.
static DECADES: Shares<10> = Shares::new([9, 9, 12, 13, 13, 13, 13, 10, 6, 2]);
static HOUSEHOLD: Shares<5> = Shares::new([38, 33, 13, 11, 5]);

/// A chronic illness: its code, the ward that treats it, the age from which it is likely, what a visit costs.
struct Chronic {
    code: &'static str,
    ward: usize,
    from: u32,
    price: u32,
}

#[rustfmt::skip]
const CHRONIC: [Chronic; 12] = [
    Chronic { code: "I10",   ward: 0, from: 40, price: 60 },
    Chronic { code: "E11.9", ward: 0, from: 40, price: 75 },
    Chronic { code: "J45.9", ward: 1, from: 5,  price: 70 },
    Chronic { code: "J44.9", ward: 1, from: 50, price: 90 },
    Chronic { code: "I25.1", ward: 2, from: 50, price: 180 },
    Chronic { code: "I50.9", ward: 2, from: 60, price: 210 },
    Chronic { code: "F32.9", ward: 3, from: 15, price: 110 },
    Chronic { code: "F20.0", ward: 3, from: 20, price: 130 },
    Chronic { code: "C50.9", ward: 4, from: 40, price: 900 },
    Chronic { code: "C18.9", ward: 4, from: 50, price: 950 },
    Chronic { code: "N18.9", ward: 0, from: 55, price: 320 },
    Chronic { code: "B20",   ward: 5, from: 20, price: 400 },
];
static CHRONIC_SHARES: Shares<12> = Shares::new([30, 18, 10, 6, 8, 5, 11, 2, 3, 2, 4, 1]);

/// What everybody may come for: its code, ward and price.
#[rustfmt::skip]
const ACUTE: [(&str, usize, u32); 12] = [
    ("J06.9", 0, 40), ("J11.1", 0, 45), ("K29.7", 6, 80), ("A09.9", 6, 70), ("M54.5", 7, 65), ("S93.4", 7, 95),
    ("S52.5", 7, 240), ("N39.0", 0, 55), ("L30.9", 5, 60), ("H66.9", 1, 50), ("R51", 3, 85), ("Z00.0", 0, 50),
];
static ACUTE_SHARES: Shares<12> = Shares::new([22, 9, 8, 7, 14, 8, 4, 8, 6, 5, 5, 14]);

const WARDS: [&str; 8] = [
    "general medicine",
    "pulmonology",
    "cardiology",
    "psychiatry",
    "oncology",
    "infections and skin",
    "gastroenterology",
    "orthopaedics",
];
const DOCTORS_OF_A_WARD: u32 = 6;

/// So many of a thousand have a chronic illness in their twenties, and more with each decade.
const CHRONIC_AT_TWENTY: u32 = 80;
const CHRONIC_MORE: u32 = 90;

/// Where the list has come to: the household and the person whose visits are being written.
#[derive(Default)]
struct Visits {
    patients: u32,
    households: u32,
    zip: u32,
    members_left: u32,
    visits_left: u32,
    person: Person,
}

#[derive(Default)]
struct Person {
    id: u32,
    is_female: bool,
    born: (u32, u32, u32),
    chronic: Option<usize>,
    /// The doctor of each ward that they go to is mostly the same.
    doctor: u32,
}

impl Visits {
    fn next_person(&mut self, draws: &mut Draws) {
        if self.members_left == 0 {
            self.households += 1;
            self.members_left = HOUSEHOLD.draw(draws) as u32 + 1;
            self.zip = Place::draw(draws).zip;
        }
        self.members_left -= 1;
        self.patients += 1;
        let age = DECADES.draw(draws) as u32 * 10 + draws.below(10);
        let (year, is_female) = (YEAR - 1 - age, draws.chance(520));
        let (month, day) = month_and_day(year, draws.below(days_of(year)));
        let is_ill = draws.chance(CHRONIC_AT_TWENTY + CHRONIC_MORE * (age / 10).saturating_sub(2));
        let chronic = is_ill.then(|| CHRONIC_SHARES.draw(draws)).filter(|&illness| age >= CHRONIC[illness].from);
        // Half of all come once to three times, the chronically ill every month or two.
        self.visits_left = match chronic {
            Some(_) => 4 + draws.below(9),
            None => 1 + draws.below(3) + if draws.chance(250) { draws.below(5) } else { 0 },
        };
        // Numbers that do not tell in which order people came.
        let id = scattered(self.patients);
        self.person =
            Person { id, is_female, born: (year, month, day), chronic, doctor: draws.below(DOCTORS_OF_A_WARD) };
    }
}

impl Rows for Visits {
    fn write_row(&mut self, draws: &mut Draws, lines: &mut Lines) {
        if self.visits_left == 0 {
            self.next_person(draws);
        }
        self.visits_left -= 1;
        let Person { id, is_female, born, chronic, doctor } = self.person;
        let (code, ward, price) = match chronic.filter(|_| draws.chance(750)) {
            Some(illness) => {
                let Chronic { code, ward, price, .. } = CHRONIC[illness];
                (code, ward, price)
            }
            None => ACUTE[ACUTE_SHARES.draw(draws)],
        };
        let doctor = if draws.chance(800) { doctor } else { draws.below(DOCTORS_OF_A_WARD) };
        let (month, day) = month_and_day(YEAR, draws.below(days_of(YEAR)));
        lines.code::<9>(id);
        lines.code::<8>(scattered(self.households) % 100_000_000);
        lines.text(if is_female { "female" } else { "male" });
        lines.date(born.0, born.1, born.2);
        lines.code::<5>(self.zip);
        lines.date(YEAR, month, day);
        lines.text(WARDS[ward]);
        lines.number(100 + 10 * ward as u32 + doctor);
        lines.text(code);
        lines.number(price + 5 * draws.below(1 + price / 20));
        lines.end_row();
    }
}

/// Another number for each, below a thousand million: multiplication by what shares no factor with it only mixes them.
fn scattered(number: u32) -> u32 {
    (u64::from(number) * 618_033_989 % 1_000_000_000) as u32
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    fn rows(count: u64) -> Vec<Vec<String>> {
        let mut bytes = Vec::new();
        crate::generate::write_csv("visits", count, 1, &mut bytes).unwrap();
        let records = csv::Reader::from_reader(bytes.as_slice()).into_records();
        records.map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn people_have_several_visits_and_one_birth_date_and_household() {
        let rows = rows(50_000);
        let mut of_people: BTreeMap<&str, Vec<&Vec<String>>> = BTreeMap::new();
        rows.iter().for_each(|row| of_people.entry(&row[0]).or_default().push(row));
        let mean = rows.len() as f64 / of_people.len() as f64;
        assert!((3.5..5.5).contains(&mean), "{mean} visits each");
        for visits in of_people.values() {
            let of_person: BTreeSet<&[String]> = visits.iter().map(|row| &row[1..5]).collect();
            assert_eq!(of_person.len(), 1, "household, sex, birth date and zip code are those of the person");
        }
        let repeated = of_people.values().filter(|visits| visits.len() > 3).filter(|visits| {
            let diagnoses: BTreeSet<&String> = visits.iter().map(|row| &row[8]).collect();
            diagnoses.len() < visits.len()
        });
        assert!(repeated.count() * 2 > of_people.values().filter(|visits| visits.len() > 3).count());
    }

    #[test]
    fn households_share_a_zip_code_and_have_several_members() {
        let rows = rows(20_000);
        let mut members: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for row in &rows {
            members.entry(&row[1]).or_default().insert(&row[0]);
            places.entry(&row[1]).or_default().insert(&row[4]);
        }
        assert!(places.values().all(|places| places.len() == 1));
        let mean = members.values().map(BTreeSet::len).sum::<usize>() as f64 / members.len() as f64;
        assert!((1.7..2.5).contains(&mean), "{mean} members each");
    }
}
