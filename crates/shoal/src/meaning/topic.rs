//! What does the name of a column say about it?

use super::header::Header;
use super::safe_harbor::{Item, When};
use super::vocabulary::TOPICS;
use crate::policy::Role;

/// Something that columns are often about.
#[derive(Debug)]
pub struct Topic {
    /// What it is to an attacker.
    pub role: Role,
    /// What it is, as in "named like an age".
    pub what: &'static str,
    /// Does each person have one of their own, so that one that repeats is one person with several rows?
    pub is_of_one_person: bool,
    /// Does it say how old somebody is?
    pub is_of_age: bool,
    /// May several people have the same, so that one that repeats tells nothing of rows?
    pub is_shared: bool,
    /// Does it say who lives together, where its values are numbers of households?
    pub is_household: bool,
    /// May it just as well be the code of a group? Then its values decide.
    pub is_vague: bool,
    /// Is it what somebody wrote, unless its values are a list of choices?
    pub is_of_notes: bool,
    /// Is it an amount, so that its values are numbers however they are written?
    pub is_amount: bool,
    /// Does it say with whom a person had to do, so that its values may be names?
    pub names_others: bool,
    /// Which identifier of HIPAA's Safe Harbor it is, and when.
    pub item: Option<(Item, When)>,
    /// Patterns for [`Header::matches`], with `, ` between them.
    pub(super) patterns: &'static str,
}

/// What a column of this name is about, if its name says so.
pub fn of(name: &str) -> Option<&'static Topic> {
    let header = Header::new(name);
    TOPICS.iter().find(|topic| topic.patterns.split(", ").any(|pattern| header.matches(pattern)))
}

/// Does a column of this name hold numbers or codes of something, whatever that is? `hospital number` does, `birth date` does not.
pub fn is_number_of_something(name: &str) -> bool {
    let header = Header::new(name);
    let mut vague = TOPICS.iter().filter(|topic| topic.is_vague).flat_map(|topic| topic.patterns.split(", "));
    vague.any(|pattern| header.matches(pattern))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Role::{Identifier, QuasiIdentifier, Sensitive};

    fn roles(names: &[&str], role: Role) {
        for name in names {
            assert_eq!(of(name).map(|topic| topic.role), Some(role), "{name}: {:?}", of(name));
        }
    }

    #[test]
    fn identifiers_are_known_by_name() {
        roles(&["name", "Surname", "first_name", "LastName", "SSN", "email", "E-Mail", "Phone number"], Identifier);
        roles(&["id", "PatientID", "MRN", "IBAN", "url", "IP address", "credit card", "customer name"], Identifier);
        roles(&["Nachname", "Vorname", "Straße", "Telefonnummer", "Patientennummer", "Kontonummer"], Identifier);
        roles(&["fnlwgt", "sampling_weight", "household id", "HHID", "panel_id", "Haushaltsnummer"], Identifier);
        roles(&["Krankenversicherungsnummer", "Prénom", "apellidos", "Versicherten-Nr."], Identifier);
        roles(
            &["Voornaam", "Achternaam", "Förnamn", "Efternamn", "Imię", "Nazwisko", "氏名", "Nome", "Apelido"],
            Identifier,
        );
        roles(
            &["Nom", "Apellido", "Fornavn", "Etternavn", "Příjmení", "患者氏名", "reader no", "member nr", "hid"],
            Identifier,
        );
        roles(&["comment", "notes", "Bemerkungen", "備考"], Identifier);
    }

    #[test]
    fn quasi_identifiers_are_known_by_name() {
        roles(
            &["age", "Age group", "sex", "Gender", "zip code", "ZIP", "postcode", "birth date", "DOB"],
            QuasiIdentifier,
        );
        roles(
            &["race", "ethnicity", "nationality", "native-country", "country name", "marital status"],
            QuasiIdentifier,
        );
        roles(
            &["education", "education-num", "occupation", "job title", "city", "region", "workclass"],
            QuasiIdentifier,
        );
        roles(&["Alter", "Geschlecht", "PLZ", "Geburtsdatum", "Familienstand", "Beruf", "Wohnort"], QuasiIdentifier);
        roles(&["Staatsangehörigkeit", "Bundesland", "Schulabschluss", "age at diagnosis"], QuasiIdentifier);
        roles(
            &["Leeftijd", "Ålder", "Wiek", "Idade", "年齢", "年龄", "Kön", "Geslacht", "Płeć", "性別", "Kjønn"],
            QuasiIdentifier,
        );
        roles(&["Postnummer", "kod pocztowy", "郵便番号", "attending", "Hausarzt", "birth weight"], QuasiIdentifier);
        roles(&["Födelsedatum", "Fødselsdato", "Data urodzenia", "生年月日", "etniciteit", "etnia"], QuasiIdentifier);
        roles(&["admission date", "Aufnahmedatum", "edad", "sexo", "hospital name", "birthplace"], QuasiIdentifier);
    }

    #[test]
    fn sensitive_columns_are_known_by_name() {
        roles(&["diagnosis", "disease", "Condition", "salary", "salary-class", "income", "religion", "HIV"], Sensitive);
        roles(&["therapy", "test score", "offence", "offense", "ICD10", "drug name", "credit score"], Sensitive);
        roles(&["Diagnose", "Hauptdiagnose", "Krankheit", "Gehalt", "Monatseinkommen", "Konfession"], Sensitive);
        roles(&["sexual orientation", "cause of death", "Medikament", "disease code"], Sensitive);
        roles(
            &["Hauptdiag.", "Sjukdom", "Ziekte", "Choroba", "Rozpoznanie", "Doença", "病名", "admission diagnosis"],
            Sensitive,
        );
        roles(&["Inkomst", "Inkomen", "Dochód", "Rendimento", "年収", "Lön", "Wyznanie", "宗教"], Sensitive);
    }

    #[test]
    fn other_names_say_nothing() {
        for name in ["colour", "hours per week", "x1", "percentage", "", "column1", "颜色"] {
            assert!(of(name).is_none(), "{name}: {:?}", of(name));
        }
    }
}
