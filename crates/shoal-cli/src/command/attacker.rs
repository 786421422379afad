//! What does the attacker of an audit have and aim at, as the command line says it?

use std::path::PathBuf;

use clap::{Args, Parser};
use shoal::attack::{Near, Options};
use shoal::audit::Limit;
use shoal::risk;
use shoal_core::{Error, Result};

/// The options of `shoal audit` that are about attacks. Defaults are those of the library.
#[derive(Args)]
pub struct Attacker {
    /// The table that it was made from: everybody's true values
    #[arg(long, value_name = "FILE", help_heading = "What the attacker has")]
    pub original: Option<PathBuf>,
    /// A table of somebody else, with some of the quasi-identifiers (a register)
    #[arg(long, value_name = "FILE", help_heading = "What the attacker has")]
    pub outsider: Option<PathBuf>,
    /// A table of the population, with quasi-identifiers (journalist risk) and sensitive columns (prior beliefs)
    #[arg(long, value_name = "FILE", help_heading = "What the attacker has")]
    pub population: Option<PathBuf>,
    /// How many people the table was drawn from, where there is no table of them
    #[arg(long, value_name = "N", conflicts_with = "population", help_heading = "What the attacker has")]
    population_size: Option<u64>,
    /// Another release of the same people
    #[arg(long, value_name = "FILE", help_heading = "What the attacker has")]
    pub with: Option<PathBuf>,
    /// What is known of people and values (`shoal explain background-knowledge` shows the format)
    #[arg(long, value_name = "FILE", help_heading = "What the attacker has")]
    pub knowledge: Option<PathBuf>,

    /// From which probability on a value counts as known [default: 1]
    #[arg(long, value_name = "SHARE", help_heading = "When it counts")]
    confidence: Option<f64>,
    /// How many values the attacker can rule out [default: 1]
    #[arg(long, value_name = "N", help_heading = "When it counts")]
    pieces: Option<u64>,
    /// Skewness: a value is so many times as likely as overall .. [default: 2]
    #[arg(long, value_name = "TIMES", help_heading = "When it counts")]
    ratio: Option<f64>,
    /// .. and likelier by this much [default: 0.25]
    #[arg(long, value_name = "SHARE", help_heading = "When it counts")]
    difference: Option<f64>,
    /// Skewness: a value that nobody must be suspected of; only such values count. May be repeated
    #[arg(long, value_name = "COLUMN=VALUE", help_heading = "When it counts")]
    bad: Vec<String>,
    /// Similarity: numbers so near each other are alike; `5%` is relative. May be repeated
    #[arg(long, value_name = "[COLUMN=]NUMBER", help_heading = "When it counts")]
    near: Vec<String>,
    /// Negative disclosure: the share of all records that have a value which a class rules out [default: 0.5]
    #[arg(long, value_name = "SHARE", help_heading = "When it counts")]
    ruled_out: Option<f64>,
    /// Beliefs: above 1 - delta is a positive disclosure [default: 0.1]
    #[arg(long, value_name = "SHARE", help_heading = "When it counts")]
    delta: Option<f64>,
    /// Beliefs: below epsilon is a negative disclosure [default: 0.01]
    #[arg(long, value_name = "SHARE", help_heading = "When it counts")]
    epsilon: Option<f64>,
    /// Beliefs: one that rises from below rho1 .. [default: 0.1]
    #[arg(long, value_name = "SHARE", help_heading = "When it counts")]
    rho1: Option<f64>,
    /// .. to above rho2 is a breach [default: 0.5]
    #[arg(long, value_name = "SHARE", help_heading = "When it counts")]
    rho2: Option<f64>,
    /// Linkage: up to so many candidates are few [default: 4]
    #[arg(long, value_name = "N", help_heading = "When it counts")]
    few: Option<u64>,
    /// Risk: records with a higher one are at risk [default: 0.2]
    #[arg(long, value_name = "RISK", help_heading = "When it counts")]
    at_risk: Option<f64>,
    /// Special uniques: the most columns that single out a record together [default: 3]
    #[arg(long, value_name = "N", help_heading = "When it counts")]
    suda_size: Option<usize>,

    /// Show sensitive values beside quasi-identifiers: what an attacker would see
    #[arg(long)]
    reveal: bool,
    /// Exit with 1 if this attack exposes a record, or more than a share of the records: "skewness>0.1"; or if a risk is
    /// higher: "risk>0.2". May be repeated
    #[arg(long, value_name = "ATTACK|RISK[>SHARE]")]
    fail_on: Vec<String>,
}

impl Attacker {
    /// The limits that must not be broken.
    pub fn limits(&self) -> Result<Vec<Limit>> {
        self.fail_on.iter().map(|text| Limit::parse(text)).collect()
    }

    /// The thresholds of the risks.
    pub fn risk_options(&self) -> Result<risk::Options> {
        let default = risk::Options::default();
        if self.at_risk.is_some_and(|risk| !(0.0..=1.0).contains(&risk)) {
            return Err(Error::policy("`--at-risk` is a risk: a number between 0 and 1"));
        }
        if self.suda_size == Some(0) {
            return Err(Error::policy("`--suda-size` is a number of columns, at least 1"));
        }
        Ok(risk::Options {
            at_risk: self.at_risk.unwrap_or(default.at_risk),
            population_size: self.population_size,
            suda_size: self.suda_size.unwrap_or(default.suda_size),
        })
    }

    /// The thresholds.
    pub fn options(&self) -> Result<Options> {
        let default = Options::default();
        let shares = [
            ("confidence", self.confidence),
            ("difference", self.difference),
            ("ruled-out", self.ruled_out),
            ("delta", self.delta),
            ("epsilon", self.epsilon),
            ("rho1", self.rho1),
            ("rho2", self.rho2),
        ];
        for (name, share) in shares {
            if share.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
                return Err(Error::policy(format!("`--{name}` is a share: a number between 0 and 1")));
            }
        }
        if self.confidence == Some(0.0) {
            return Err(Error::policy("`--confidence 0` would call every value known"));
        }
        if self.ratio.is_some_and(|ratio| !(ratio.is_finite() && ratio >= 1.0)) {
            return Err(Error::policy("`--ratio` is a number of at least 1: so many times as likely"));
        }
        Ok(Options {
            confidence: self.confidence.unwrap_or(default.confidence),
            pieces: self.pieces.unwrap_or(default.pieces),
            ratio: self.ratio.unwrap_or(default.ratio),
            difference: self.difference.unwrap_or(default.difference),
            bad: self.bad.iter().map(|text| bad(text)).collect::<Result<_>>()?,
            near: self.near.iter().map(|text| near(text)).collect::<Result<_>>()?,
            ruled_out: self.ruled_out.unwrap_or(default.ruled_out),
            delta: self.delta.unwrap_or(default.delta),
            epsilon: self.epsilon.unwrap_or(default.epsilon),
            rho1: self.rho1.unwrap_or(default.rho1),
            rho2: self.rho2.unwrap_or(default.rho2),
            few: self.few.unwrap_or(default.few),
            reveal: self.reveal,
        })
    }
}

/// Reads options as they stand on a command line, without the command: for callers who have them from elsewhere.
pub fn read(words: impl IntoIterator<Item = String>) -> Result<Attacker> {
    #[derive(Parser)]
    #[command(no_binary_name = true, disable_help_flag = true)]
    struct Words {
        #[command(flatten)]
        attacker: Attacker,
    }
    Words::try_parse_from(words).map(|words| words.attacker).map_err(|error| {
        let text = error.to_string();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let sentence = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        match lines.find_map(|line| line.strip_prefix("tip: ")) {
            Some(tip) => Error::policy(sentence).hint(tip),
            None => Error::policy(sentence),
        }
    })
}

fn bad(text: &str) -> Result<(String, String)> {
    let pair = text.split_once('=').map(|(column, value)| (column.to_owned(), value.to_owned()));
    // The value may be sensitive, so it is not repeated.
    pair.ok_or_else(|| Error::policy("`--bad` is not COLUMN=VALUE"))
}

fn near(text: &str) -> Result<Near> {
    Near::parse(text).ok_or_else(|| {
        Error::policy(format!("`--near {text}` is not a number, or a column and a number"))
            .hint("`--near 2`, `--near Salary=2`, `--near Salary=5%`")
    })
}
