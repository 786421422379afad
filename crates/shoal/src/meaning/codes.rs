//! Do the numbers in a column name something, judging by the name of the column?

use super::header::Header;

/// What numbers are codes of: occupations, places, groups. There is no order in them, and nothing lies between two of them.
const CODED: &str = "*code, *codes, code*, *schluessel, kennziffer, *kennzahl, occ, occupation*, beruf*, profession*, isco*, soc, \
    naics*, nace*, sic, industry, branche, icd*, drg, fips*, ags, county, district, kreis*, landkreis*, gemeinde*, region*, \
    bundesland*, state, province, country*, land, nationality, staatsangehoerigkeit*, citizenship, race, ethnic*, religion*, \
    marital*, familienstand*, relationship, ward, station, department, abteilung*, clinic, hospital, cluster, stratum, category, \
    kategorie*, class of worker, union, party";

/// Are whole numbers in a column of this name codes?
pub fn are_codes(name: &str) -> bool {
    let header = Header::new(name);
    CODED.split(", ").any(|pattern| header.matches(pattern.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_from_numbers_by_name() {
        for name in ["occupation", "Occ Code", "Berufsschlüssel", "ISCO08", "state", "countyFIPS", "Ward", "race"] {
            assert!(are_codes(name), "{name}");
        }
        for name in ["age", "Alter", "income", "weight", "hours per week", "education-num", "children"] {
            assert!(!are_codes(name), "{name}");
        }
    }
}
