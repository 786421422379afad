//! Which words name which topic, in the languages tables come in?

use super::topic::Topic;
use crate::policy::Role::{self, Identifier, QuasiIdentifier, Sensitive};

const fn topic(role: Role, what: &'static str, patterns: &'static str) -> Topic {
    Topic { role, what, is_of_one_person: false, is_vague: false, patterns }
}

/// The first that matches counts, so the particular stands before the general: a credit card before a credit, a
/// city's name before a name.
pub(super) static TOPICS: &[Topic] = &[
    // Words that mean something else in company.
    topic(Sensitive, "a sexual orientation", "sexual *, sexuelle *, orientation"),
    topic(Sensitive, "a cause of death", "cause of death, death cause, todesursache*"),
    topic(
        Identifier,
        "the number of a card or account",
        "credit card*, card number, iban, account number, account no, account id, konto, *kontonummer, \
         kreditkarte*",
    ),
    // Identifiers.
    Topic {
        is_of_one_person: true,
        ..topic(
            Identifier,
            "a number that one person has",
            "ssn, social security *, sozialversicherung*, *versichertennummer, versicherten*, \
         krankenversicherung*, insurance number, insurance no, insurance id, nhs *, national id*, tax id, \
         tax number, steuer id, steuer nummer, steuernummer, *ausweis*, passport*, passnummer, \
         driver* licen*, fuehrerschein*, mrn, medical record *, =patient, patient id, patient* number, \
         patient* no, patient* nr, patientid, patienten id, patientennummer, patientennr, pat id, pat nr, \
         pid, person* id, person* nr, personnummer, personal* nummer, personalnummer, =person, customer id, \
         customer number, =customer, kundennummer, kunden nr, =kunde, user id, userid, member id, \
         employee id, employee number, student id, student number, matrikel*, subject id, participant id, \
         respondent id, proband*, dni, nif, codice fiscale",
        )
    },
    topic(Identifier, "an e-mail address", "email*, e mail*, mail, *mailadresse, courriel, correo*"),
    topic(
        Identifier,
        "a phone number",
        "phone*, *phone, telephone*, telefon*, tel, mobile*, mobil, handy*, cellphone, =cell, fax*",
    ),
    topic(
        Identifier,
        "an address on the internet",
        "url*, website*, webseite*, homepage, ip, ip *, ipaddress, mac address, twitter*, facebook*, \
         instagram*",
    ),
    topic(Identifier, "an account's name", "username*, user name, login*, benutzer*, nickname, password*, passwort*"),
    topic(
        Identifier,
        "a street or house",
        "street*, *strasse*, hausnummer, house number, address*, adress*, anschrift*, direccion, adresse, \
         rue, calle",
    ),
    topic(
        Identifier,
        "the number of a thing that belongs to somebody",
        "license plate, licence plate, plate, kennzeichen, vin, imei, serial*, device id, seriennummer",
    ),
    topic(
        Identifier,
        "a name",
        "surname*, last name, lastname, lname, family name, first name, firstname, fname, forename*, \
         given name, middle name, full name, fullname, maiden name, nachname*, vorname*, familienname*, \
         geburtsname, zuname, rufname, patient* name, nom, prenom*, apellido*, nombre, cognome, nome, \
         =name, =names",
    ),
    // Quasi-identifiers.
    topic(
        QuasiIdentifier,
        "a postal code",
        "zip*, postal*, post code, postcode*, plz, postleitzahl*, codigo postal, code postal, cap",
    ),
    topic(
        QuasiIdentifier,
        "a country or nationality",
        "country*, countries, nation*, citizen*, staats*, land, *land, pays, pais, paese, visa*",
    ),
    topic(
        QuasiIdentifier,
        "a place",
        "city*, town*, village*, region*, state, county, district*, province*, municipal*, neighbo*, \
         location*, place*, residence*, ort, *ort, stadt*, wohnort*, bundesland, kreis, landkreis, \
         gemeinde*, bezirk*, ville, ciudad, provincia, lat, lon, lng, latitude, longitude, coordinates, \
         gps, nuts, fips, block, tract",
    ),
    topic(QuasiIdentifier, "a birth date", "birth*, dob, born, geburt*, geb, yob, naissance, nacimiento, nascita"),
    topic(QuasiIdentifier, "an age", "age, ages, alter, alters*, lebensalter, edad, eta, years old"),
    topic(
        QuasiIdentifier,
        "a sex or gender",
        "sex, gender*, geschlecht*, sexe, sexo, sesso, female, male, weiblich, maennlich, anrede",
    ),
    topic(
        QuasiIdentifier,
        "an origin",
        "race*, ethnic*, *herkunft*, migration*, hautfarbe, skin *, origin, ancestry, caste, tribe",
    ),
    topic(QuasiIdentifier, "a language", "language*, *sprache*, mother tongue, langue, idioma"),
    topic(
        QuasiIdentifier,
        "a family or household",
        "marital*, marri*, civil status, familien*, *familienstand, personenstand, verheiratet, \
         relationship*, spouse*, children, kids, kinder*, household*, haushalt*, family*, estado civil, \
         dependents",
    ),
    topic(
        QuasiIdentifier,
        "an education",
        "educat*, degree*, school*, universit*, college*, *bildung*, *abschluss*, schule*, studi*, \
         diploma*, major",
    ),
    topic(
        QuasiIdentifier,
        "a job or employer",
        "occupation*, job*, profession*, beruf*, taetigkeit*, work*, employ*, employer*, arbeit*, company*, \
         firma*, industry, branche, position, job title, rank, militar*, veteran*",
    ),
    topic(
        QuasiIdentifier,
        "a body that others see",
        "height, body height, groesse, koerpergroesse, weight, body weight, gewicht, koerpergewicht, bmi, \
         eye colo*, hair colo*",
    ),
    topic(
        QuasiIdentifier,
        "an institution",
        "hospital*, clinic, klinik*, krankenhaus*, ward, station, department*, abteilung*, doctor*, \
         physician*, arzt*, provider*",
    ),
    topic(
        QuasiIdentifier,
        "a date or time that others may know",
        "date*, *date, *datum, datum*, admission*, discharge*, aufnahme*, entlassung*, time*, timestamp, \
         year, jahr, month, monat, day, tag, fecha*",
    ),
    // Sensitive.
    topic(
        Sensitive,
        "an illness or its treatment",
        "*diagnos*, dx, disease*, illness*, condition*, icd*, symptom*, comorbid*, *infection*, infektion*, \
         hiv*, aids, std, cancer*, tumo*, krebs*, *krank*, *erkrankung*, befund*, leiden, therap*, \
         treatment*, *behandlung*, medic*, medikament*, drug*, prescri*, procedure*, surger*, operation*, \
         mental*, psych*, depress*, disab*, *behinder*, allerg*, blood*, blut*, labor, laborwert*, lab, \
         lab *, health*, gesundheit*, pregnan*, schwanger*, gene, genes, genetic*, genom*, genotype*, dna, \
         mutation*, glucose*, cholesterol*, pressure*, smok*, rauch*, alcohol*, alkohol*, complaint*, \
         outcome*, enfermedad*, maladie*, malattia*, vaccin*, impf*",
    ),
    topic(
        Sensitive,
        "an amount of money",
        "salar*, income*, wage*, earning*, pay, gehalt*, lohn*, *einkommen*, verdienst*, wealth*, \
         vermoegen*, asset*, capital gain*, capital loss*, dividend*, debt*, schulden*, loan*, credit*, kredit*, \
         balance*, kontostand, revenue*, umsatz*, amount*, betrag, charges, cost*, kosten*, bonus*, \
         pension*, rente*, benefit*, sozialhilfe, mortgage*, salaire, salario, ingresos, stipendio, reddito",
    ),
    topic(
        Sensitive,
        "a belief",
        "relig*, konfession*, faith*, glaube*, church*, kirche*, politic*, politisch*, =party, partei*, \
         vote*, union, trade union*, gewerkschaft*",
    ),
    topic(
        Sensitive,
        "an offence",
        "offence*, offense*, offend*, crim*, convict*, arrest*, straf*, delikt*, sentence*, vorstraf*, violation*, recidiv*",
    ),
    topic(
        Sensitive,
        "a judgement about a person",
        "score*, *score, grade*, gpa, mark, marks, note, noten, punkte*, rating*, satisf*, zufrieden*, \
         performance*, beurteilung*, bewertung*, iq, result*, ergebnis*",
    ),
    // What is left of these two words.
    topic(Identifier, "a name", "name, *name"),
    Topic {
        is_of_one_person: true,
        is_vague: true,
        ..topic(
            Identifier,
            "a number of records",
            "id, ids, *nummer, nr, number, uid, uuid, guid, key, identifier*, =index, =row, =no, record, \
         kennung, schluessel, lfd*, rowid, fallnummer, fall nr, code",
        )
    },
];
