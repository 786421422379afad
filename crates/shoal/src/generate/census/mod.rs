//! What does a made-up population census look like?
//!
//! A person is drawn in the order in which one thing follows from another: place, race and country of birth;
//! age, sex and marital status; education, work, income. Categories are named as in UCI Adult, so that
//! hierarchies made for it apply.

mod birth;
mod education;
mod family;
mod income;
mod origin;
mod place;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
mod work;

use super::Generator;
use super::draws::Draws;
use super::lines::Lines;
use birth::birth_date;
use education::{EDUCATION, education};
use family::{MARITAL_STATUS, SEXES, age, marital_status, sex};
use income::Earner;
use origin::{ABROAD, HOME, RACE, born_abroad, race};
pub(super) use place::Place;
use work::{NEVER_WORKED, OCCUPATION, WORK_CLASS, Work, work};

/// People of working age and above.
pub(super) const GENERATOR: Generator = Generator {
    name: "census",
    description: "adults with zip code, birth date, origin, family, education, work and income, as in UCI Adult",
    columns: &[
        "age",
        "sex",
        "race",
        "marital status",
        "education",
        "country of birth",
        "work class",
        "occupation",
        "salary class",
        "zip code",
        "birth date",
        "income",
    ],
    rows: || Box::new(write_row as fn(&mut Draws, &mut Lines)),
};

/// So many of a thousand do not say where they were born (UCI Adult) or how much they earn.
const COUNTRY_MISSING: u32 = 18;
const INCOME_MISSING: u32 = 20;

const WELL_PAID_ABOVE: u32 = 50_000;

fn write_row(draws: &mut Draws, lines: &mut Lines) {
    let place = Place::draw(draws);
    let race = race(&place, draws);
    let born_abroad = born_abroad(race, &place, draws);
    let age = age(draws);
    let sex = sex(age, draws);
    let marital_status = marital_status(age, sex, draws);
    let education = education(age, born_abroad, draws);
    let work = work(age, sex, education, draws);
    let income = Earner { age, sex, marital_status, education, work, city: place.city }.income(draws);
    let (year, month, day) = birth_date(age, draws);

    lines.number(age);
    lines.text(SEXES[sex]);
    lines.text(RACE.name(race));
    lines.text(MARITAL_STATUS.name(marital_status));
    lines.text(EDUCATION.name(education));
    if draws.chance(COUNTRY_MISSING) {
        lines.missing();
    } else {
        lines.text(born_abroad.map_or(HOME, |country| ABROAD.name(country)));
    }
    write_work(work, lines);
    // Who does not tell the income still ticks the box.
    lines.text(if income > WELL_PAID_ABOVE { ">50K" } else { "<=50K" });
    lines.code::<5>(place.zip);
    lines.date(year, month, day);
    if draws.chance(INCOME_MISSING) {
        lines.missing();
    } else {
        lines.number(income);
    }
    lines.end_row();
}

fn write_work(work: Work, lines: &mut Lines) {
    match work {
        Work::Job { occupation, class } => {
            lines.text(WORK_CLASS.name(class));
            lines.text(OCCUPATION.name(occupation));
        }
        Work::Never => {
            lines.text(NEVER_WORKED);
            lines.missing();
        }
        Work::None => {
            lines.missing();
            lines.missing();
        }
    }
}
