//! Tables in other languages, and with other habits: notes, open ages, names with titles, rows that are no people.

use super::Messy;
use super::draws::Draws;
use super::tables::{ICD, ILLNESSES, csv, messy};

pub fn all() -> Vec<Messy> {
    vec![
        notes(),
        staff(),
        dutch(),
        swedish(),
        polish(),
        portuguese(),
        japanese(),
        open_ages(),
        bands(),
        short_birth_years(),
        readers(),
        abbreviations(),
    ]
}

const FIRST: [&str; 8] = ["Ann", "Bob", "Carla", "Dan", "Eva", "Fritz", "Greta", "Hans"];

/// A name that hardly anybody else in the table has.
fn surname(draws: &mut Draws, ending: &str) -> String {
    let letter = |draws: &mut Draws| char::from(b'a' + draws.below(26) as u8);
    let (one, other) = (letter(draws), letter(draws));
    format!("{}{one}{other}{ending}", draws.one_of(&FIRST))
}

fn note(draws: &mut Draws) -> String {
    let what = draws.one_of(&[
        "slept badly",
        "felt dizzy",
        "fell at home",
        "lost weight",
        "has a cough",
        "called twice",
        "moved house",
    ]);
    let when = draws.one_of(&[
        "in May",
        "since June",
        "at work",
        "last week",
        "on Monday",
        "after lunch",
        "at night",
        "for years",
    ]);
    let who = draws.one_of(&[
        "mother ill",
        "two sons",
        "lives alone",
        "works nights",
        "new job",
        "sold the farm",
        "plays chess",
    ]);
    format!("{what} {when} {who} says {}", draws.one_of(&FIRST))
}

fn notes() -> Messy {
    let mut draws = Draws::new(21);
    let text = csv("age,sex,diagnosis notes,treatment,job description,diagnosis", 400, |_| {
        let (age, sex) = (draws.age().to_string(), draws.one_of(&["f", "m"]).into());
        vec![age, sex, note(&mut draws), note(&mut draws) + " daily", note(&mut draws), draws.one_of(&ILLNESSES).into()]
    });
    let roles = &[
        ("diagnosis notes", "identifier"),
        ("treatment", "identifier"),
        ("job description", "identifier"),
        ("diagnosis", "sensitive"),
    ];
    Messy { roles, ..messy("notes of a few words under the names of other things", "notes.csv", text, "age") }
}

fn staff() -> Messy {
    let mut draws = Draws::new(22);
    let text = csv("age,staff,sector,salary", 400, |_| {
        let (number, sector) = (10_000 + draws.below(900), draws.one_of(&["a", "b", "c"]).to_owned());
        vec![draws.age().to_string(), number.to_string(), sector, (20 + draws.below(60)).to_string()]
    });
    messy("numbers that name something", "staff.csv", text, "age")
}

fn dutch() -> Messy {
    let mut draws = Draws::new(23);
    let text = csv("Voornaam,Achternaam,Leeftijd,Geslacht,Ziekte,attending,hid", 400, |row| {
        vec![
            surname(&mut draws, ""),
            surname(&mut draws, "stra"),
            draws.age().to_string(),
            draws.one_of(&["m", "v"]).into(),
            draws.one_of(&ILLNESSES).into(),
            format!("Dr {}", draws.one_of(&["Miller", "Jones", "Smith", "Wu", "Kim"])),
            (100 + row / 3).to_string(),
        ]
    });
    let roles = &[
        ("Voornaam", "identifier"),
        ("Achternaam", "identifier"),
        ("Ziekte", "sensitive"),
        ("attending", "identifier"),
        ("hid", "identifier"),
    ];
    Messy { roles, ..messy("Dutch headers, a doctor and a household", "dutch.csv", text, "Leeftijd") }
}

fn swedish() -> Messy {
    let mut draws = Draws::new(24);
    let text = csv("Förnamn,Efternamn,Ålder,Kön,Postnummer,Sjukdom,Inkomst", 400, |_| {
        vec![
            surname(&mut draws, ""),
            surname(&mut draws, "sson"),
            draws.age().to_string(),
            draws.one_of(&["K", "M"]).into(),
            format!("{} {}", 100 + draws.below(30), 10 + draws.below(50)),
            draws.one_of(&ILLNESSES).into(),
            format!("{} {:03}", 120 + draws.below(600), draws.below(1000)),
        ]
    });
    let roles = &[
        ("Förnamn", "identifier"),
        ("Efternamn", "identifier"),
        ("Postnummer", "quasi-identifier"),
        ("Sjukdom", "sensitive"),
        ("Inkomst", "sensitive"),
    ];
    Messy { roles, ..messy("Swedish headers, and blanks between thousands", "swedish.csv", text, "Ålder") }
}

fn polish() -> Messy {
    let mut draws = Draws::new(25);
    let text = csv("Imię,Nazwisko,Wiek,Płeć,Rozpoznanie,Dochód,Wyznanie", 400, |_| {
        vec![
            surname(&mut draws, "a"),
            surname(&mut draws, "ski"),
            draws.age().to_string(),
            draws.one_of(&["K", "M"]).into(),
            draws.one_of(&ILLNESSES).into(),
            (2000 + draws.below(60) * 50).to_string(),
            draws.one_of(&["a", "b", "c"]).into(),
        ]
    });
    let roles = &[
        ("Imię", "identifier"),
        ("Nazwisko", "identifier"),
        ("Rozpoznanie", "sensitive"),
        ("Dochód", "sensitive"),
        ("Wyznanie", "sensitive"),
    ];
    Messy { roles, ..messy("Polish headers", "polish.csv", text, "Wiek") }
}

fn portuguese() -> Messy {
    let mut draws = Draws::new(26);
    let text = csv("Nome,Apelido,Idade,Sexo,Código Postal,Doença,Rendimento", 400, |_| {
        vec![
            surname(&mut draws, ""),
            surname(&mut draws, "es"),
            draws.age().to_string(),
            draws.one_of(&["F", "M"]).into(),
            format!("{}-{}", 1000 + draws.below(900), 100 + draws.below(900)),
            draws.one_of(&ILLNESSES).into(),
            (2000 + draws.below(60) * 50).to_string(),
        ]
    });
    let roles = &[
        ("Nome", "identifier"),
        ("Apelido", "identifier"),
        ("Código Postal", "quasi-identifier"),
        ("Doença", "sensitive"),
        ("Rendimento", "sensitive"),
    ];
    Messy { roles, ..messy("Portuguese headers and postal codes", "portuguese.csv", text, "Idade") }
}

fn japanese() -> Messy {
    let mut draws = Draws::new(27);
    let text = csv("氏名,年齢,性別,病名,年収", 400, |_| {
        let name: String =
            (0..4).map(|_| draws.one_of(&['山', '田', '佐', '藤', '鈴', '木', '林', '森', '川'])).collect();
        vec![
            name,
            draws.age().to_string(),
            draws.one_of(&["男", "女"]).into(),
            draws.one_of(&["風邪", "喘息", "痛風"]).into(),
            (300 + draws.below(600)).to_string(),
        ]
    });
    let roles = &[("氏名", "identifier"), ("病名", "sensitive"), ("年収", "sensitive")];
    Messy { roles, ..messy("Japanese headers", "japanese.csv", text, "年齢") }
}

fn open_ages() -> Messy {
    let mut draws = Draws::new(28);
    let text = csv("age,sex,Hauptdiag.,x", 500, |_| {
        let age = match draws.below(99) {
            0 => "<1".to_owned(),
            age @ 90.. => if age > 95 { "8 months" } else { "90+" }.to_owned(),
            age => age.to_string(),
        };
        vec![age, draws.one_of(&["f", "m"]).into(), draws.one_of(&ILLNESSES).into(), draws.one_of(&ICD).into()]
    });
    let roles = &[("Hauptdiag.", "sensitive"), ("x", "sensitive")];
    Messy { roles, ..messy("ages from ninety on, and of children", "open.csv", text, "age") }
}

fn bands() -> Messy {
    let mut draws = Draws::new(29);
    let text = csv("age group,region,illness", 90, |_| {
        let age = draws.below(100);
        let band = if age >= 85 { "85+".to_owned() } else { format!("{}-{}", age / 5 * 5, age / 5 * 5 + 4) };
        vec![band, draws.one_of(&["north", "south", "east"]).into(), draws.one_of(&ILLNESSES).into()]
    });
    messy("few people in bands of five years", "fives.csv", text, "age group")
}

fn short_birth_years() -> Messy {
    let mut draws = Draws::new(30);
    let text = csv("yob,sex,illness", 500, |_| {
        let year = format!("{:02}", (40 + draws.below(70)) % 100);
        vec![year, draws.one_of(&["f", "m"]).into(), draws.one_of(&ILLNESSES).into()]
    });
    messy("years of birth of two digits", "yob.csv", text, "yob")
}

fn readers() -> Messy {
    let mut draws = Draws::new(31);
    let ages: Vec<u64> = (0..200).map(|_| draws.age()).collect();
    let text = csv("reader no,age,branch,loans", 600, |row| {
        let reader = row as usize / 3;
        vec![
            format!("L{reader:04}"),
            ages[reader].to_string(),
            ["Rom", "Oslo"][reader % 2].into(),
            draws.below(30).to_string(),
        ]
    });
    Messy {
        roles: &[("reader no", "identifier")],
        ..messy("a library, several loans of a reader", "library.csv", text, "age")
    }
}

fn abbreviations() -> Messy {
    let mut draws = Draws::new(32);
    let text = csv("age,sex,disease,unit", 500, |_| {
        vec![
            draws.age().to_string(),
            draws.one_of(&["f", "m"]).into(),
            draws.one_of(&["MS Relapsing form", "MS Primary form", "Heart Disease Stage"]).into(),
            draws.one_of(&["MS Unit North", "ER Unit East"]).into(),
        ]
    });
    let roles = &[("disease", "sensitive"), ("unit", "quasi-identifier")];
    Messy { roles, ..messy("abbreviations that look like titles", "units.csv", text, "age") }
}
