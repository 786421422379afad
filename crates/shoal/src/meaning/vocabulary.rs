//! Which words name which topic, in the languages tables come in?

use super::safe_harbor::{Item, When};
use super::topic::Topic;
use crate::policy::Role::{self, Identifier, QuasiIdentifier, Sensitive};

const fn topic(role: Role, what: &'static str, patterns: &'static str) -> Topic {
    Topic {
        role,
        what,
        is_of_one_person: false,
        is_of_age: false,
        is_shared: false,
        is_household: false,
        is_vague: false,
        item: None,
        patterns,
    }
}

impl Topic {
    /// It is an identifier of Safe Harbor.
    const fn item(self, item: Item) -> Self {
        self.item_when(item, When::Always)
    }

    /// It is one where its values say so.
    const fn item_when(self, item: Item, when: When) -> Self {
        Self { item: Some((item, when)), ..self }
    }

    /// It says how old somebody is.
    const fn of_age(self) -> Self {
        Self { is_of_age: true, ..self }
    }

    /// Several people may have the same.
    const fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }

    /// Each person has one of their own.
    const fn of_one_person(self) -> Self {
        Self { is_of_one_person: true, ..self }
    }
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
    )
    .item(Item::Account),
    topic(
        Identifier,
        "a sampling weight, which hardly two people share and whoever has the survey's files may know",
        "fnlwgt, wgt, *wgt, pweight, fweight, dweight, anweight, pspwght, perwt, hhwt, wtssall, final wt, wt final, final weight*, sampling weight*, sample weight*, survey weight*, design weight*, person weight*, instance weight*, \
         weighting, gewichtung*, hochrechnung*, expansion factor",
    )
    .shared(),
    Topic {
        is_household: true,
        ..topic(
            Identifier,
            "the number of a household",
            "household id, household no, household number, household nr, hh id, hhid, haushalt id, haushalt nr, haushaltsnummer, \
             haushaltsid",
        )
        .item(Item::OtherNumber)
        .shared()
    },
    topic(Identifier, "the number of a panel", "panel id, panelid, panel no, panel nr").item(Item::OtherNumber).shared(),
    // Identifiers.
    topic(Identifier, "a number that one person has", "ssn, social security *, sozialversicherung*")
        .item(Item::SocialSecurity)
        .of_one_person(),
    topic(
        Identifier,
        "a number that one person has",
        "*versichertennummer, versicherten*, krankenversicherung*, insurance number, insurance no, insurance id, nhs *, \
         health plan *, beneficiary *",
    )
    .item(Item::HealthPlan)
    .of_one_person(),
    topic(
        Identifier,
        "a number that one person has",
        "mrn, medical record *, =patient, patient id, patient* number, patient* no, patient* nr, patientid, patienten id, \
         patientennummer, patientennr, pat id, pat nr",
    )
    .item(Item::MedicalRecord)
    .of_one_person(),
    topic(
        Identifier,
        "a number that one person has",
        "*ausweis*, passport*, passnummer, driver* licen*, driver s licen*, fuehrerschein*, certificate number, certificate no, \
         license number, licence number, license no, licence no",
    )
    .item(Item::Licence)
    .of_one_person(),
    topic(
        Identifier,
        "a number that one person has",
        "national id*, tax id, tax number, steuer id, steuer nummer, steuernummer, pid, person* id, person* nr, \
         personnummer, personal* nummer, personalnummer, pers nr, =person, customer id, customer number, =customer, \
         kundennummer, kunden nr, =kunde, user id, userid, member id, employee id, employee number, =employee, student id, \
         student number, matrikel*, subject id, participant id, =participant, respondent id, =respondent, =user, pseudonym*, proband*, dni, nif, codice fiscale",
    )
    .item(Item::OtherNumber)
    .of_one_person(),
    topic(Identifier, "a feature of the body", "fingerprint*, finger print*, voiceprint*, voice print*, biometric*")
        .item(Item::Biometric),
    topic(Identifier, "a photograph", "photo*, foto*, portrait*, selfie*, passbild*").item(Item::Photograph),
    topic(Identifier, "an e-mail address", "email*, e mail*, mail, *mailadresse, courriel, correo*")
        .item(Item::Email)
        .of_one_person(),
    topic(Identifier, "a fax number", "fax*, telefax*").item(Item::Fax),
    topic(
        Identifier,
        "a phone number",
        "phone*, *phone, telephone*, telefon*, tel, mobile*, mobil, handy*, cellphone, =cell",
    )
    .item(Item::Phone)
    .of_one_person(),
    topic(
        Identifier,
        "an address on the internet",
        "url*, website*, webseite*, homepage, twitter*, facebook*, instagram*",
    )
    .item(Item::Url),
    topic(Identifier, "an address on the internet", "ip, ip *, ipaddress").item(Item::IpAddress),
    topic(Identifier, "an account's name", "username*, user name, login*, benutzer*, nickname, password*, passwort*")
        .item(Item::OtherNumber)
        .of_one_person(),
    topic(
        Identifier,
        "a street or house",
        "street*, *strasse*, hausnummer, house number, address*, adress*, anschrift*, direccion, adresse, \
         rue, calle",
    )
    .item(Item::Place),
    topic(
        Identifier,
        "the number of a thing that belongs to somebody",
        "license plate, licence plate, plate, kennzeichen, vin",
    )
    .item(Item::Vehicle),
    topic(
        Identifier,
        "the number of a thing that belongs to somebody",
        "imei, serial*, device id, seriennummer, mac address",
    )
    .item(Item::Device),
    topic(
        Identifier,
        "a name",
        "surname*, last name, lastname, lname, family name, first name, firstname, fname, forename*, \
         given name, middle name, full name, fullname, maiden name, nachname*, vorname*, familienname*, \
         geburtsname, zuname, rufname, patient* name, nom, prenom*, apellido*, nombre, cognome, nome, \
         =name, =names",
    )
    .item(Item::Name),
    // Quasi-identifiers.
    topic(
        QuasiIdentifier,
        "a postal code",
        "zip*, postal*, post code, postcode*, plz, postleitzahl*, codigo postal, code postal, cap",
    )
    .item_when(Item::Place, When::MoreThanThreeCharacters),
    topic(
        QuasiIdentifier,
        "a country or nationality",
        "country*, countries, nation*, citizen*, staats*, land, *land, pays, pais, paese, visa*",
    ),
    topic(
        QuasiIdentifier,
        "a place",
        "city*, town*, village*, county, district*, municipal*, neighbo*, location*, place*, residence*, ort, wohnort*, \
         geburtsort*, heimatort, arbeitsort, dienstort, standort*, aufenthaltsort*, sterbeort, tatort, unfallort, einsatzort, \
         schulort, studienort, stadt*, kreis, landkreis, gemeinde*, bezirk*, ville, ciudad, lat, lon, lng, latitude, longitude, \
         coordinates, gps, nuts, fips, block, tract",
    )
    .item(Item::Place),
    // Safe Harbor leaves states alone.
    topic(QuasiIdentifier, "a place", "region*, state, province*, bundesland, provincia"),
    topic(QuasiIdentifier, "a birth date", "birth*, dob, born, geburt*, geb, yob, naissance, nacimiento, nascita")
        .item_when(Item::Date, When::FinerThanYear)
        .of_age(),
    topic(QuasiIdentifier, "an age", "age, ages, agegr*, agecat*, ageband*, alter, alters*, lebensalter, edad, eta, years old")
        .item_when(Item::Date, When::AgeAbove89)
        .of_age(),
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
    Topic { is_household: true, ..topic(QuasiIdentifier, "a household", "household, haushalt") },
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
        "educ, educat*, degree*, school*, universit*, college*, *bildung*, *abschluss*, schule*, studi*, \
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
         year, jahr, fecha*",
    )
    .item_when(Item::Date, When::FinerThanYear),
    topic(QuasiIdentifier, "a date or time that others may know", "month, monat, day, tag").item(Item::Date),
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
         balance*, kontostand, revenu*, umsatz*, amount*, betrag, charges, cost*, kosten*, bonus*, \
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
    topic(Identifier, "a name", "name, *name").item(Item::Name),
    Topic {
        is_of_one_person: true,
        is_vague: true,
        ..topic(
            Identifier,
            "a number of records",
            "id, ids, *nummer, nr, number, uid, uuid, guid, key, identifier*, =index, =row, =no, record, \
         kennung, schluessel, lfd*, rowid, fallnummer, fall nr, code",
        )
        .item(Item::OtherNumber)
    },
];
