//! Tables as people have them, no two alike.

use std::fmt::Write as _;

use super::Messy;
use super::draws::Draws;

pub(super) const ILLNESSES: [&str; 6] = ["flu", "gout", "asthma", "diabetes", "migraine", "fracture"];
pub(super) const ICD: [&str; 8] = ["J10.1", "M10.0", "J45.9", "E11.9", "G43.1", "S52.5", "I10", "F32.1"];

pub fn all() -> Vec<Messy> {
    vec![
        survey(),
        visits(),
        coordinates(),
        free_text(),
        short_years(),
        many_jobs(),
        tiny(),
        german(),
        json_lines(),
        panel(),
        age_bands(),
        empty_and_constant(),
        wide_codes(),
        timestamps(),
        named_months(),
        reasons_for_missing(),
        payroll(),
    ]
}

pub(super) fn messy(name: &'static str, file: &'static str, text: String, age: &'static str) -> Messy {
    Messy { name, file, bytes: text.into_bytes(), age, delimiter: b',', roles: &[] }
}

/// A header, and rows of cells with commas between them.
pub(super) fn csv(header: &str, rows: u64, mut row: impl FnMut(u64) -> Vec<String>) -> String {
    let mut text = format!("{header}\n");
    for number in 0..rows {
        let _ = writeln!(text, "{}", row(number).join(","));
    }
    text
}

fn survey() -> Messy {
    let mut draws = Draws::new(1);
    let questions: Vec<String> = (1..=55).map(|n| format!("q{n}")).collect();
    let header = format!("age,sex,region,{}", questions.join(","));
    let text = csv(&header, 400, |_| {
        let mut row = vec![draws.age().to_string(), draws.one_of(&["f", "m", "d"]).into()];
        row.push(draws.one_of(&["north", "south", "east", "west"]).into());
        row.extend((0..55).map(|_| (1 + draws.below(5)).to_string()));
        row
    });
    messy("a survey of 58 columns", "survey.csv", text, "age")
}

fn visits() -> Messy {
    let mut draws = Draws::new(2);
    let people: Vec<(String, u64)> =
        (0..250).map(|_| (draws.one_of(&["f", "m"]).to_owned(), 1930 + draws.below(75))).collect();
    let text = csv("patient_id,date_of_birth,sex,admission,ward,icd10", 900, |row| {
        let patient = draws.below(250) as usize;
        let (sex, born) = &people[patient];
        let month = 1 + patient % 12;
        vec![
            format!("P{:05}", patient * 7),
            format!("{born}-{month:02}-{:02}", 1 + patient % 28),
            sex.clone(),
            format!("2024-{:02}-{:02}", 1 + draws.below(12), 1 + row % 28),
            draws.one_of(&["surgery", "medicine", "children", "eye"]).into(),
            draws.one_of(&ICD).into(),
        ]
    });
    messy("visits, several of a person", "visits.csv", text, "date_of_birth")
}

fn coordinates() -> Messy {
    let mut draws = Draws::new(3);
    let text = csv("Age,Latitude,Longitude,MonthlyIncome", 600, |_| {
        vec![
            draws.age().to_string(),
            format!("{}.{:05}", 48 + draws.below(5), draws.below(100_000)),
            format!("{}.{:05}", 8 + draws.below(5), draws.below(100_000)),
            (1200 + draws.below(60) * 50).to_string(),
        ]
    });
    messy("homes as coordinates", "homes.csv", text, "Age")
}

fn free_text() -> Messy {
    let mut draws = Draws::new(4);
    let text = csv("age,gender,remarks,illness", 500, |row| {
        let remark = match row % 5 {
            0 => format!("asked to be called back at 030 {:07} as soon as possible", draws.below(9_999_999)),
            1 => format!("write to person{row}@example.org about the next appointment please"),
            _ => format!("came in on day {} with a headache and no other complaints", row % 300),
        };
        let gender = draws.one_of(&["female", "male"]).to_owned();
        vec![draws.age().to_string(), gender, format!("\"{remark}\""), draws.one_of(&ILLNESSES).into()]
    });
    messy("remarks with phone numbers in them", "remarks.csv", text, "age")
}

fn short_years() -> Messy {
    let mut draws = Draws::new(5);
    let text = csv("Geburtsdatum;Geschlecht;Diagnose", 500, |_| {
        let born = format!("{:02}.{:02}.{:02}", 1 + draws.below(28), 1 + draws.below(12), 40 + draws.below(60));
        vec![format!("{born};{};{}", draws.one_of(&["w", "m"]), draws.one_of(&ILLNESSES))]
    });
    Messy { delimiter: b';', ..messy("years of two digits", "jahre.csv", text, "Geburtsdatum") }
}

fn many_jobs() -> Messy {
    let mut draws = Draws::new(6);
    let text = csv("yob,occupation,city,salary", 900, |_| {
        vec![
            (1945 + draws.below(60)).to_string(),
            format!("job {}", draws.below(9) * draws.below(9) + draws.below(3)),
            format!("town {}", draws.below(12) * draws.below(12)),
            (20_000 + draws.below(80) * 500).to_string(),
        ]
    });
    messy("text of many values, and a year of birth", "jobs.csv", text, "yob")
}

fn tiny() -> Messy {
    let mut draws = Draws::new(7);
    let text = csv("age,zip,illness", 12, |row| {
        vec![(20 + row * 4).to_string(), (13_050 + draws.below(8)).to_string(), ILLNESSES[row as usize % 3].into()]
    });
    messy("a dozen rows", "tiny.csv", text, "age")
}

fn german() -> Messy {
    let mut draws = Draws::new(8);
    let text = csv("Name;Alter;Größe;PLZ;Einkommen", 400, |row| {
        let tall = format!("1,{:02}", 50 + draws.below(50));
        let income = format!("{},{:02}", 900 + draws.below(3000), draws.below(100));
        vec![format!("Müller {row};{};{tall};{:05};{income}", draws.age(), 10_115 + draws.below(900))]
    });
    Messy { delimiter: b';', ..messy("semicolons and decimal commas", "umfrage.csv", text, "Alter") }
}

fn json_lines() -> Messy {
    let mut draws = Draws::new(9);
    let mut text = String::new();
    for row in 0..300 {
        let age = if row % 11 == 0 { "null".to_owned() } else { draws.age().to_string() };
        let (sex, illness) = (draws.one_of(&["f", "m"]), draws.one_of(&ILLNESSES));
        let _ = writeln!(text, r#"{{"id": {row}, "age": {age}, "sex": "{sex}", "illness": "{illness}"}}"#);
    }
    messy("an export of JSON lines with nulls", "export.jsonl", text, "age")
}

fn panel() -> Messy {
    let mut draws = Draws::new(10);
    let text = csv("hhid,pweight,agegroup,age,maritalstatus,employed,satisfaction", 700, |row| {
        let age = draws.age();
        vec![
            (1000 + row / 3).to_string(),
            format!("{}.{:04}", draws.below(3), draws.below(10_000)),
            format!("{}-{}", age / 10 * 10, age / 10 * 10 + 9),
            age.to_string(),
            draws.one_of(&["single", "married", "divorced", "widowed"]).into(),
            draws.one_of(&["yes", "no"]).into(),
            (1 + draws.below(10)).to_string(),
        ]
    });
    messy("a panel with households and weights", "panel.csv", text, "age")
}

fn age_bands() -> Messy {
    let mut draws = Draws::new(11);
    let text = csv("AGE_BAND,SEX,STATE,SMOKER,RESULT", 600, |_| {
        vec![
            draws.one_of(&["18-24", "25-34", "35-44", "45-54", "55-64", "65+"]).into(),
            draws.one_of(&["1", "2"]).into(),
            draws.one_of(&["CA", "NY", "TX", "FL", "WA", "OR", "NV"]).into(),
            draws.one_of(&["Y", "N", "NA"]).into(),
            draws.one_of(&["positive", "negative", "unclear"]).into(),
        ]
    });
    messy("ages in bands and codes in capitals", "BANDS.csv", text, "AGE_BAND")
}

fn empty_and_constant() -> Messy {
    let mut draws = Draws::new(12);
    let text = csv("row,age,country,consent,remark,diagnosis", 300, |row| {
        vec![
            (row + 1).to_string(),
            draws.age().to_string(),
            draws.one_of(&["DE", "FR", "IT", "PL", "AT"]).into(),
            "yes".into(),
            String::new(),
            draws.one_of(&ILLNESSES).into(),
        ]
    });
    messy("columns without anything in them", "leer.csv", text, "age")
}

fn wide_codes() -> Messy {
    let mut draws = Draws::new(13);
    let text = csv("age,isco,nace,fips,education,debt", 500, |_| {
        vec![
            draws.age().to_string(),
            draws.one_of(&["2211", "2310", "5223", "7112", "9112", "1120", "3344"]).into(),
            draws.one_of(&["A01", "C10", "G47", "Q86", "P85"]).into(),
            format!("{:05}", 1001 + draws.below(40) * 2),
            draws.one_of(&["primary", "secondary", "tertiary", "none"]).into(),
            (draws.below(40) * 250).to_string(),
        ]
    });
    messy("codes of jobs, industries and places", "codes.csv", text, "age")
}

fn timestamps() -> Messy {
    let mut draws = Draws::new(14);
    let text = csv("user,signup,birth_year,device,amount", 500, |row| {
        vec![
            format!("u{:06}", row * 13),
            format!(
                "2023-{:02}-{:02}T{:02}:{:02}:00Z",
                1 + draws.below(12),
                1 + draws.below(28),
                draws.below(24),
                draws.below(60)
            ),
            (1950 + draws.below(55)).to_string(),
            draws.one_of(&["ios", "android", "web"]).into(),
            format!("{}.{:02}", draws.below(300), draws.below(100)),
        ]
    });
    messy("an export of an app with time stamps", "users.csv", text, "birth_year")
}

fn named_months() -> Messy {
    let mut draws = Draws::new(15);
    let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
    let text = csv("birth_date,sex,waited,icd10", 500, |_| {
        let month = draws.one_of(&months).to_owned();
        vec![
            format!("{:02}-{month}-{}", 1 + draws.below(28), 1930 + draws.below(75)),
            draws.one_of(&["F", "M"]).into(),
            format!("{} minutes", 1 + draws.below(90)),
            draws.one_of(&ICD).into(),
        ]
    });
    messy("an export of a database that names months", "wards.csv", text, "birth_date")
}

fn reasons_for_missing() -> Messy {
    let mut draws = Draws::new(16);
    let text = csv("age,wt_final,educ,trust,vote", 600, |row| {
        let age = if row % 40 == 0 { "-98".to_owned() } else { draws.age().to_string() };
        vec![
            age,
            format!("{}.{:05}", draws.below(3), draws.below(100_000)),
            (1 + draws.below(5)).to_string(),
            draws.one_of(&["1", "2", "3", "4", "-97", "-98", "-99"]).into(),
            draws.one_of(&["left", "right", "none"]).into(),
        ]
    });
    messy("a survey that says why a value is missing", "voters.csv", text, "age")
}

fn payroll() -> Messy {
    let mut draws = Draws::new(17);
    let text = csv("Age,ZIP,Employee,Weight,Salary", 500, |row| {
        let more = if row % 5 == 0 { format!("-{:04}", draws.below(9999)) } else { String::new() };
        vec![
            format!("{} years", draws.age()),
            format!("{:05}{more}", 2101 + draws.below(90)),
            format!("E{row:05}"),
            format!("{} lb", 95 + draws.below(160)),
            format!("\"${},{:03}.00\"", 20 + draws.below(180), draws.below(1000)),
        ]
    });
    messy("an American payroll with units", "payroll.csv", text, "Age")
}
