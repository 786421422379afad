//! What is asked, in which words, and what does an answer change?

use std::path::PathBuf;

use shoal::init::{self, ColumnFindings, Promise, name_of};
use shoal::policy::Role;
use shoal::source::default_output;
use shoal_core::table::{DateOrder, USUAL_FIRST_YEAR, ValueKind};
use shoal_core::{Error, Result};

use super::asking::Answer;
use super::groups::Group;
use super::{Interview, broken_off, described};

/// A question; columns by their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    Group(Group),
    Role(usize),
    DateOrder(usize),
    Century(usize),
    LookTheSame,
    PromiseOfAnswers,
    Promise(usize),
    HowMuch(usize),
    LeftOut,
    Matters,
    HowVague(usize),
    Method,
    Release,
    Policy,
    Write,
}

pub(super) const ROLES: [(Role, &str); 4] = [
    (Role::QuasiIdentifier, "others may know it of a person: it is made vaguer"),
    (Role::Sensitive, "nobody must learn it about a person"),
    (Role::Identifier, "it says who the person is: it is left out"),
    (Role::Insensitive, "it says nothing about anybody: it is published as it is"),
];

fn described_order(order: DateOrder) -> &'static str {
    match order {
        DateOrder::DayFirst => "day-first: day, month, year",
        DateOrder::MonthFirst => "month-first: month, day, year",
        DateOrder::YearFirst => "year-first: year, month, day",
        DateOrder::None => "none: these are no dates",
    }
}

/// What is wrong with an answer and what can be done about it, where there is a line for both.
fn in_one_line(error: &Error) -> String {
    match error.hint_text() {
        Some(hint) => format!("{}; {hint}", error.message()),
        None => error.message().to_owned(),
    }
}

impl Interview<'_> {
    pub(super) fn ask(&mut self, question: &Question) -> Result<Answer> {
        match *question {
            Question::Group(group) => self.ask_about_group(group),
            Question::Role(place) => self.ask_role(place),
            Question::DateOrder(place) => self.ask_date_order(place),
            Question::Century(place) => self.ask_century(place),
            Question::LookTheSame => self.ask_how_many_look_the_same(),
            Question::PromiseOfAnswers => self.ask_promise_of_answers(),
            Question::Promise(place) => self.ask_promise(place),
            Question::HowMuch(place) => self.ask_how_much(place),
            Question::LeftOut => self.ask_how_many_may_be_left_out(),
            Question::Matters => self.ask_what_matters(),
            Question::HowVague(place) => self.ask_how_vague(place),
            Question::Method => self.ask_method(),
            Question::Release => self.ask_release(),
            Question::Policy => self.ask_policy(),
            Question::Write => self.ask_whether_to_write(),
        }
    }

    fn ask_role(&mut self, place: usize) -> Result<Answer> {
        let column = &self.findings.columns[place];
        let answers = ROLES.map(|(role, meaning)| format!("{}: {meaning}", name_of(role)));
        let proposed = ROLES.iter().position(|(role, _)| *role == column.role).unwrap_or(0);
        let question = format!("{}: what is it to others? ({})", described(column), column.why());
        let Some(chosen) = self.asking.choose(&question, &answers, proposed)? else { return Ok(Answer::Back) };
        self.change_roles(&[place], ROLES[chosen].0)?;
        self.needs_a_quasi_identifier(Question::Role(place))
    }

    /// Starts again where nothing is a quasi-identifier after the last question about roles.
    pub(super) fn needs_a_quasi_identifier(&mut self, asked: Question) -> Result<Answer> {
        let is_last = self.about_roles().last() == Some(&asked);
        if is_last && self.findings.with_role(Role::QuasiIdentifier).next().is_none() {
            self.asking
                .say("No column is a quasi-identifier, and a policy needs one: what could others know of a person?\n");
            return Ok(Answer::StartAgain);
        }
        Ok(Answer::Given)
    }

    fn ask_date_order(&mut self, place: usize) -> Result<Answer> {
        let column = &mut self.findings.columns[place];
        let Some(unclear) = &column.unclear else { return Ok(Answer::Given) };
        let mut orders = unclear.orders();
        orders.push(DateOrder::None);
        let answers: Vec<String> = orders.iter().map(|order| described_order(*order).to_owned()).collect();
        let proposed = orders.iter().position(|order| Some(*order) == column.dates.order).unwrap_or(0);
        let question =
            format!("{}: which part of its dates comes first? ({})", described(column), unclear.readings(true));
        let Some(chosen) = self.asking.choose(&question, &answers, proposed)? else { return Ok(Answer::Back) };
        (column.dates.order, column.dates_are_said) = (Some(orders[chosen]), true);
        init::propose_anew(self.findings, &[place], self.choices.k, self.watch)?;
        Ok(Answer::Given)
    }

    fn ask_century(&mut self, place: usize) -> Result<Answer> {
        let column = &mut self.findings.columns[place];
        let check = |year: &i32| match *year {
            1000..=9900 => Ok(()),
            _ => Err("a year of four digits".to_owned()),
        };
        let question = format!(
            "{}: its years have two digits; which is the first of the hundred years that they mean? (1930: from 1930 to 2029)",
            described(column)
        );
        let proposed = column.dates.first_year.unwrap_or(USUAL_FIRST_YEAR);
        let Some(year) = self.asking.enter(&question, &proposed, check)? else { return Ok(Answer::Back) };
        (column.dates.first_year, column.dates_are_said) = (Some(year), true);
        init::propose_anew(self.findings, &[place], self.choices.k, self.watch)?;
        Ok(Answer::Given)
    }

    fn ask_how_many_look_the_same(&mut self) -> Result<Answer> {
        let counted = self.findings.counted();
        let (of_whom, what) = match self.findings.person() {
            Some(_) => ("Rows of how many people", "people"),
            None => ("How many rows", "rows"),
        };
        let question =
            format!("{of_whom} at least must look the same, so that none can be told from the others? (k-anonymity)");
        let check = |k: &u64| match *k {
            ..2 => Err("with fewer than 2, every row can be told apart".to_owned()),
            k if k > counted => Err(format!("the table has only {counted} {what}")),
            _ => Ok(()),
        };
        let Some(k) = self.asking.enter(&question, &self.choices.k, check)? else { return Ok(Answer::Back) };
        if k != self.choices.k {
            self.choices.k = k;
            self.name_groups_anew()?;
        }
        Ok(Answer::Given)
    }

    /// Groups are called by values that the release may show of as many as have to look the same.
    fn name_groups_anew(&mut self) -> Result<()> {
        let places = self.grouped();
        self.trials = None;
        init::propose_anew(self.findings, &places, self.choices.k, self.watch)
    }

    /// The sensitive columns that are answers of a survey, about which the same is promised.
    pub(super) fn sensitive_answers(&self) -> impl Iterator<Item = usize> {
        let is_one =
            |column: &ColumnFindings| column.is_answer && column.role == Role::Sensitive && column.values() >= 2;
        self.findings.columns.iter().enumerate().filter(move |(_, column)| is_one(column)).map(|(place, _)| place)
    }

    fn ask_promise_of_answers(&mut self) -> Result<Answer> {
        let places: Vec<usize> = self.sensitive_answers().collect();
        let promises = [
            (
                Promise::Distinct(2),
                "distinct-l-diversity: at least two different ones of each, so that nobody is sure of any",
            ),
            (Promise::None, "nothing more: all may have given the same answer, and then everybody's is known"),
        ];
        let answers = promises.map(|(_, words)| words.to_owned());
        let current = places.first().map(|&place| self.choices.promise(&self.findings.columns[place].name));
        let proposed = usize::from(current == Some(Promise::None));
        let question =
            format!("{} answers of a survey: which of them must rows have that look the same?", places.len());
        let Some(chosen) = self.asking.choose(&question, &answers, proposed)? else { return Ok(Answer::Back) };
        places.into_iter().for_each(|place| self.promise(place, promises[chosen].0));
        Ok(Answer::Given)
    }

    fn ask_promise(&mut self, place: usize) -> Result<Answer> {
        let column = &self.findings.columns[place];
        let mut promises = vec![
            (Promise::Distinct(column.values().min(3)), "several different values: nobody is sure of anybody's"),
            (Promise::Closeness(0.3), "values about as frequent as in the whole release: little is learned"),
        ];
        let entropy = column.least_entropy_l(self.findings.counted()).map(|l| (l.min(3.0) * 10.0).floor() / 10.0);
        if let Some(l) = entropy.filter(|l| *l >= 1.5) {
            promises.insert(1, (Promise::Entropy(l), "several values, none much more frequent than the others"));
        }
        promises.push((Promise::None, "nothing more"));
        let name = |promise: Promise| match promise {
            Promise::Distinct(_) => "distinct-l-diversity: ",
            Promise::Entropy(_) => "entropy-l-diversity: ",
            Promise::Closeness(_) => "t-closeness: ",
            Promise::None => "",
        };
        let answers: Vec<String> =
            promises.iter().map(|(promise, words)| format!("{}{words}", name(*promise))).collect();
        let same_kind = |a: Promise, b: Promise| std::mem::discriminant(&a) == std::mem::discriminant(&b);
        let current = self.choices.promise(&column.name);
        let proposed = promises.iter().position(|(promise, _)| same_kind(*promise, current)).unwrap_or(0);
        let question = format!("{}: what must rows have that look the same?", described(column));
        let Some(chosen) = self.asking.choose(&question, &answers, proposed)? else { return Ok(Answer::Back) };
        let (promise, _) = promises[chosen];
        if !same_kind(promise, current) {
            self.promise(place, promise);
        }
        Ok(Answer::Given)
    }

    fn promise(&mut self, place: usize, promise: Promise) {
        let name = &self.findings.columns[place].name;
        match self.choices.promises.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = promise,
            None => self.choices.promises.push((name.clone(), promise)),
        }
    }

    fn ask_how_much(&mut self, place: usize) -> Result<Answer> {
        let column = &self.findings.columns[place];
        let values = column.values();
        let promise = match self.choices.promise(&column.name) {
            Promise::None => return Ok(Answer::Given),
            Promise::Distinct(l) => {
                let check = move |l: &u64| match *l {
                    ..2 => Err("1 promises nothing".to_owned()),
                    l if l > values => Err(format!("the column has only {values} values")),
                    _ => Ok(()),
                };
                self.asking.enter("How many different values at least?", &l, check)?.map(Promise::Distinct)
            }
            Promise::Entropy(l) => {
                let most = column.least_entropy_l(self.findings.counted()).unwrap_or(values as f64);
                let check = move |l: &f64| match *l {
                    l if l.is_nan() || l <= 1.0 => Err("it must be above 1".to_owned()),
                    l if l > most => Err(format!("at most {most:.2}: even the whole table may not have more")),
                    _ => Ok(()),
                };
                let question = "As if at least how many values were equally frequent? (l, also with a fraction)";
                self.asking.enter(question, &l, check)?.map(Promise::Entropy)
            }
            Promise::Closeness(t) => {
                let check = |t: &f64| {
                    if *t > 0.0 && *t < 1.0 { Ok(()) } else { Err("a number between 0 and 1, such as 0.3".to_owned()) }
                };
                let far = match column.kind {
                    ValueKind::Text => "0 is exactly as in the release, 1 not at all",
                    _ => "0 is exactly as in the release, 1 as far apart as the smallest and the largest value",
                };
                self.asking
                    .enter(&format!("How far at most may they be from that? ({far})"), &t, check)?
                    .map(Promise::Closeness)
            }
        };
        let Some(promise) = promise else { return Ok(Answer::Back) };
        self.promise(place, promise);
        Ok(Answer::Given)
    }

    fn ask_how_many_may_be_left_out(&mut self) -> Result<Answer> {
        let question = "Which share of the rows may be left out, so that a few who are like nobody else do not make all others \
                        vaguer? (0.05 is 5%)";
        let check = |share: &f64| {
            if (0.0..=0.5).contains(share) { Ok(()) } else { Err("a share from 0 to 0.5".to_owned()) }
        };
        let proposed = self.choices.max_suppressed;
        let Some(share) = self.asking.enter(question, &proposed, check)? else { return Ok(Answer::Back) };
        self.choices.max_suppressed = share;
        Ok(Answer::Given)
    }

    fn ask_release(&mut self) -> Result<Answer> {
        let table = self.findings.input.path.clone();
        // As `anonymize` would call it, beside the policy.
        let default = default_output(&table);
        let beside = default.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let proposed = self.choices.output.as_ref().map_or(beside, |path| path.display().to_string());
        let folder = self.fixed_policy.as_deref().map_or_else(PathBuf::new, shoal::publish::folder_of);
        let check = |path: &String| match folder.join(path) {
            path if shoal::publish::is_same_file(&path, &table) => Err("that is the table itself".to_owned()),
            path => shoal_format::check_written(&path).map_err(|error| in_one_line(&error)),
        };
        let question = "Where will the release be written, seen from the policy?";
        let Some(path) = self.asking.enter(question, &proposed, check)? else { return Ok(Answer::Back) };
        self.choices.output = Some(path.into());
        Ok(Answer::Given)
    }

    fn ask_policy(&mut self) -> Result<Answer> {
        let proposed = self.policy.display().to_string();
        let check = |path: &String| match PathBuf::from(path) {
            path if path.exists() => Err(format!("{} exists already", path.display())),
            path if !shoal::publish::folder_of(&path).is_dir() => Err("there is no such folder".to_owned()),
            _ => Ok(()),
        };
        let Some(path) = self.asking.enter("Which file is the policy written to?", &proposed, check)? else {
            return Ok(Answer::Back);
        };
        self.policy = path.into();
        Ok(Answer::Given)
    }

    fn ask_whether_to_write(&mut self) -> Result<Answer> {
        self.show_first_rows();
        let question = format!("Write {}?", self.policy.display());
        let answers = ["yes".to_owned(), "no: go back to the first question".to_owned(), "no: stop".to_owned()];
        match self.asking.choose(&question, &answers, 0)? {
            None => Ok(Answer::Back),
            Some(0) => Ok(Answer::Given),
            Some(1) => Ok(Answer::StartAgain),
            Some(_) => Err(broken_off()),
        }
    }
}
