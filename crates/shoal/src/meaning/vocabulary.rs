//! Which words name which topic, in the languages tables come in?
//!
//! Each topic has its words in English and German, then in French, Spanish, Portuguese, Italian, Dutch, Swedish, Danish, Norwegian, Polish, Finnish, Turkish,
//! Czech, Japanese and Chinese, as far as they are not written alike without their accents.

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
        is_amount: false,
        is_of_notes: false,
        names_others: false,
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
        Sensitive,
        "an illness or its treatment",
        "admission|admitting|discharge|primary|principal|secondary|final *diagnos*|diag|dx, aufnahmediagnose*, entlassungsdiagnose*, \
         entlassdiagnose*, einweisungsdiagnose*",
    ),
    topic(
        QuasiIdentifier,
        "a body that others see",
        "birth|born weight|length|height, birthweight, geburtsgewicht, geburtsgroesse, geboortegewicht, foedelsevikt, foedselsvekt, \
         foedselsvaegt",
    ),
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
             haushaltsid, =hid, huishouden|hushaall id|nr",
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
        "national id*, tax id, tax number, steuer id, steuer nummer, steuernummer, pid, person* id|nr, personnummer, personal* nummer, \
         personalnummer, pers nr, \
         customer|client|user|member|employee|staff|student|pupil|learner|subject|participant|respondent|reader|borrower|donor|applicant\
|tenant|voter|resident|inmate|claimant|subscriber|worker|individual|recipient|candidate|kunden|mitarbeiter|mitglieds\
|leser|schueler|klant|kund|medlems|cliente|klient id|ids|no|nr|num|number|nummer|key|code, \
         =customer, kundennummer, mitgliedsnummer, mitarbeiternummer, lesernummer, =kunde, userid, =employee, matrikel*, =participant, \
         =respondent, =user, pseudonym*, proband*, dni, nif, codice fiscale, bsn, burgerservicenummer, klantnummer, cpr, cprnr, \
         cprnummer, cpf, pesel, foedselsnummer, henkiloetunnus, *患者番号*, *患者id*, *社員番号*, *会員番号*, マイナンバー",
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
         rue, calle, rua, morada, endereco, indirizzo, adres*, straatnaam, huisnummer, gata, gatuadress, vejnavn, ulica, *住所*, 地址",
    )
    .item(Item::Place)
    .shared(),
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
         geburtsname, zuname, rufname, patient* name, nom, prenom*, apellido*, nombre, cognome, nome, apelido*, sobrenome*, voornaam*, achternaam*, \
         roepnaam, meisjesnaam, tussenvoegsel*, foernamn*, efternamn*, tilltalsnamn*, fornavn*, efternavn*, etternavn*, mellomnavn*, \
         imie, imiona, nazwisk*, etunimi*, sukunimi*, soyad*, jmeno, prijmeni, *氏名*, *名前*, 姓, 姓名, =名, 苗字, フリガナ, ふりがな, カナ",
    )
    .item(Item::Name)
    .shared(),
    // Quasi-identifiers.
    topic(
        QuasiIdentifier,
        "a postal code",
        "zip*, postal*, post code, postcode*, plz, postleitzahl*, codigo postal, code postal, cap, postnummer*, postnr, \
         cep, kod pocztowy, psc, postinumero, *郵便番号*, 邮编",
    )
    .item_when(Item::Place, When::MoreThanThreeCharacters),
    topic(
        QuasiIdentifier,
        "a country or nationality",
        "country*, countries, nation*, citizen*, staats*, land, *land, pays, pais, paese, visa*, \
         nacionalidad*, cittadinanza, medborgarskap, statsborgerskap, kraj, obywatelstw*, *国籍*, 国",
    ),
    topic(
        QuasiIdentifier,
        "a place",
        "city*, town*, village*, county, district*, municipal*, neighbo*, location*, place*, residence*, ort, wohnort*, \
         geburtsort*, heimatort, arbeitsort, dienstort, standort*, aufenthaltsort*, sterbeort, tatort, unfallort, einsatzort, \
         schulort, studienort, stadt*, kreis, landkreis, gemeinde*, bezirk*, ville, ciudad, lugar de nacimiento|nascimento, localidad*, \
         barrio, cidade, municipio, concelho, freguesia, bairro, citta, comune, luogo di nascita, woonplaats, geboorteplaats, gemeente, \
         bostadsort, foedelseort, foedested, kommun, kommune, miasto, miejsc*, gmina, powiat, *市区町村*, *出生地*, lat, lon, lng, latitude, longitude, \
         coordinates, gps, nuts, fips, block, tract",
    )
    .item(Item::Place),
    // Safe Harbor leaves states alone.
    topic(QuasiIdentifier, "a place", "region*, state, province*, bundesland, provincia, provincie, laen, fylke, wojewodztwo, *都道府県*"),
    topic(QuasiIdentifier, "a birth date", "birth*, dob, born, geburt*, geb, yob, jahrgang, naissance, nacimiento, nascimento, \
         nascita, geboorte*, geboren, foedels*, foedsels*, foedd, foedt, syntymae*, urodz*, narozeni, dogum, *生年*, *誕生日*, *出生*")
        .item_when(Item::Date, When::FinerThanYear)
        .of_age(),
    topic(QuasiIdentifier, "an age", "age, ages, agegr*, agecat*, ageband*, alter, alters*, lebensalter, edad, eta, years old, \
         idade, leeftijd*, aalder*, alder*, wiek, ikae, yas, vek, *年齢*, *年代*, *年龄*")
        .item_when(Item::Date, When::AgeAbove89)
        .of_age(),
    topic(
        QuasiIdentifier,
        "a sex or gender",
        "sex, gender*, geschlecht*, sexe, sexo, sesso, female, male, weiblich, maennlich, anrede, geslacht, \
         koen, kjoenn, plec, sukupuoli, cinsiyet, pohlavi, *性別*, *性别*",
    ),
    topic(
        QuasiIdentifier,
        "an origin",
        "race*, ethnic*, ethnie, ethnien, *herkunft*, migration*, hautfarbe, skin *, origin, ancestry, caste, tribe, origine, etnia, raza, \
         raca, razza, etnisch*, etniciteit, afkomst, etnisk*, etnicitet, haerkomst, narodowosc, pochodzenie, etnicz*, *民族*, *人種*",
    ),
    topic(QuasiIdentifier, "a language", "language*, *sprache*, mother tongue, langue, idioma, lingua, taal, sprak, sprog, jezyk, *言語*, *母語*"),
    Topic { is_household: true, ..topic(QuasiIdentifier, "a household", "household, haushalt") },
    topic(
        QuasiIdentifier,
        "a family or household",
        "marital*, marri*, civil status, familien*, *familienstand, personenstand, verheiratet, \
         relationship*, spouse*, children, kids, kinder*, household*, haushalt*, family*, estado civil, \
         dependents, etat civil, situation familiale|matrimoniale, stato civile, burgerlijke staat, civilstand, sivilstand, sivilstatus, \
         stan cywilny, *婚姻*, *配偶*",
    ),
    topic(
        QuasiIdentifier,
        "an education",
        "educ, educat*, degree*, school*, universit*, college*, *bildung*, *abschluss*, schule*, studi*, \
         diploma*, major, educac*, escolaridad*, estudios, istruzione, opleiding*, utbildning*, utdanning*, uddannelse*, \
         wyksztalcenie*, *学歴*",
    ),
    topic(
        QuasiIdentifier,
        "a job or employer",
        "occupation*, job*, profession*, beruf*, taetigkeit*, work*, employ*, employer*, arbeit*, company*, \
         firma*, industry, branche, position, job title, rank, militar*, veteran*, \
         metier*, emploi*, ocupac*, profesion*, profiss*, empleo*, emprego*, lavoro, beroep*, yrke*, erhverv*, zawod*, stanowisk*, *職業*, *職種*",
    ),
    topic(
        QuasiIdentifier,
        "a body that others see",
        "height, body height, groesse, koerpergroesse, weight, body weight, gewicht, koerpergewicht, bmi, \
         eye colo*, hair colo*",
    ),
    Topic {
        names_others: true,
        ..topic(
            QuasiIdentifier,
            "somebody who treats others",
            "doctor*, physician*, attending, surgeon*, consultant, clinician*, practitioner*, gp, nurse, arzt*, *arzt, aerztin, medecin*, \
             medico, huisarts, laekare, laege, lekarz, *医師*, *担当医*, provider*",
        )
    },
    topic(
        QuasiIdentifier,
        "an institution",
        "hospital*, clinic, klinik*, krankenhaus*, ward, station, department*, abteilung*, ziekenhuis*, sjukhus*, szpital*, oddzial*, \
         *病院*, *病棟*",
    ),
    topic(
        QuasiIdentifier,
        "a date or time that others may know",
        "date*, *date, *datum, datum*, admission*, discharge*, aufnahme*, entlassung*, time*, timestamp, \
         year, jahr, fecha*, *年月日*, *日付*, 入院日, 退院日",
    )
    .item_when(Item::Date, When::FinerThanYear),
    topic(QuasiIdentifier, "a date or time that others may know", "month, monat, day, tag").item(Item::Date),
    // Sensitive.
    topic(
        Sensitive,
        "an illness or its treatment",
        "*diagnos*, *diag, dx, disease*, illness*, condition*, icd*, symptom*, comorbid*, *infection*, infektion*, \
         hiv*, aids, std, cancer*, tumo*, krebs*, *krank*, *erkrankung*, befund*, leiden, therap*, \
         treatment*, *behandlung*, medic*, medikament*, drug*, prescri*, procedure*, surger*, operation*, \
         mental*, psych*, depress*, disab*, *behinder*, allerg*, blood*, blut*, labor, laborwert*, lab, \
         lab *, health*, gesundheit*, pregnan*, schwanger*, gene, genes, genetic*, genom*, genotype*, dna, \
         mutation*, glucose*, cholesterol*, pressure*, smok*, rauch*, alcohol*, alkohol*, complaint*, \
         outcome*, vaccin*, impf*, maladie*, patholog*, traitement*, enfermedad*, patolog*, \
         sintoma*, tratamiento*, doenca*, enfermidad*, tratamento*, malattia*, malattie, farmac*, terapia, *ziekte*, aandoening*, klacht*, \
         medicijn*, *sjuk*, aakomma, laekemedel*, *sygdom*, *sykdom*, lidelse*, *chorob*, *rozpoznani*, schorzeni*, leczeni*, leki, \
         objaw*, sairaus*, hastalik*, nemoc*, *病名*, *疾患*, *疾病*, *傷病*, *診断*, *诊断*, *症状*, *治療*, *処方*, *薬剤*",
    ),
    Topic {
        is_amount: true,
        ..topic(
            Sensitive,
            "an amount of money",
            "salar*, income*, wage*, earning*, pay, gehalt*, lohn*, *einkommen*, verdienst*, wealth*, \
             vermoegen*, asset*, capital gain*, capital loss*, dividend*, debt*, schulden*, loan*, credit*, kredit*, \
             balance*, kontostand, revenu*, umsatz*, amount*, betrag, charges, cost*, kosten*, bonus*, \
             pension*, rente*, benefit*, sozialhilfe, mortgage*, salaire*, salari*, ingresos, sueldo*, renta, rendimento*, renda, \
             stipendio, reddit*, inkomen*, *inkomen, salaris*, inkomst*, loen, loenn, *loen, *loenn, indkomst*, inntekt*, dochod*, zarobki, \
             wynagrodzeni*, pensja, *年収*, *所得*, *収入*, *給与*, *月収*, *收入*, *工资*",
        )
    },
    topic(
        Sensitive,
        "a belief",
        "relig*, konfession*, faith*, glaube*, church*, kirche*, politic*, politisch*, =party, partei*, \
         vote*, union, trade union*, gewerkschaft*, croyance*, geloof*, trossamfund*, wyznani*, *宗教*, *信仰*, *支持政党*",
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
    Topic {
        is_of_notes: true,
        ..topic(
            Identifier,
            "free text, which may name people",
            "notes, *notes, comment*, remark*, free text, freetext, narrative*, bemerk*, anmerk*, notiz*, kommentar*, freitext*, remarque*, \
             commentaire*, observacion*, observacoes, osservazion*, opmerking*, anteckning*, merknad*, bemaerkning*, uwagi, *備考*, *コメント*",
        )
        .shared()
    },
    // What is left of these words.
    topic(Identifier, "a name", "name, *name, names, naam, *naam, namn, navn").item(Item::Name),
    Topic {
        is_of_one_person: true,
        is_vague: true,
        ..topic(
            Identifier,
            "a number of records",
            "id, ids, *nummer, nr, number, uid, uuid, guid, key, identifier*, =index, =row, =no, record, \
         kennung, schluessel, lfd*, rowid, fallnummer, fall nr, code, numer, numero, *番号*",
        )
        .item(Item::OtherNumber)
    },
];
