//! From where on does a finding make an audit fail?

use crate::attack::{ATTACKS, Findings};
use crate::risk::{Reidentification, Risk};
use shoal_core::error::nearest;
use shoal_core::exact::Ratio;
use shoal_core::{Error, Result};

/// A limit that the user set: an attack may expose nobody, or at most a share of the records; a risk may not be higher.
///
/// ```
/// use shoal::Limit;
///
/// assert!(Limit::parse("homogeneity>0.05").is_ok());
/// assert!(Limit::parse("homogenity").is_err());
/// ```
#[derive(Debug, Clone)]
pub struct Limit {
    /// As it was written.
    pub text: String,
    about: About,
    share: Option<Ratio>,
}

/// What is limited.
#[derive(Debug, Clone, Copy)]
enum About {
    /// The share of records that an attack exposes.
    Attack(&'static str),
    /// A risk, from 0 to 1; without a number, that no record is at risk.
    Risk(Figure),
    /// The columns that look like identifiers.
    SafeHarbor,
}

/// The figure that a limit is compared with, and the risk it is of.
type Figure = fn(&Risk) -> (f64, Reidentification);

/// The risks that can be limited.
const RISKS: [(&str, Figure); 4] = [
    // The prosecutor's is the highest of all.
    ("risk", |risk| (risk.prosecutor.highest, risk.prosecutor)),
    ("prosecutor-risk", |risk| (risk.prosecutor.highest, risk.prosecutor)),
    ("journalist-risk", |risk| (risk.journalist.highest, risk.journalist)),
    ("marketer-risk", |risk| (risk.marketer.average, risk.marketer)),
];

const SAFE_HARBOR: &str = "safe-harbor";

impl About {
    fn parse(id: &str) -> Option<Self> {
        let attack = ATTACKS.iter().map(|entry| entry.item.id()).find(|known| *known == id).map(About::Attack);
        let risk = RISKS.iter().find(|(known, _)| *known == id).map(|(_, figure)| About::Risk(*figure));
        attack.or(risk).or((id == SAFE_HARBOR).then_some(About::SafeHarbor))
    }

    fn ids() -> impl Iterator<Item = &'static str> {
        let attacks = ATTACKS.iter().map(|entry| entry.item.id());
        attacks.chain(RISKS.iter().map(|risk| risk.0)).chain([SAFE_HARBOR])
    }
}

impl Limit {
    /// Reads `homogeneity`, `homogeneity>0.1`, or `risk>0.2`.
    pub fn parse(text: &str) -> Result<Self> {
        let (id, share) = text.split_once('>').map_or((text, None), |(id, share)| (id, Some(share.trim())));
        let id = id.trim();
        let about = About::parse(id).ok_or_else(|| {
            let error = Error::policy(format!("`--fail-on {text}` names no attack and no risk"));
            match nearest(id, About::ids()) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint(format!("there are {}", About::ids().collect::<Vec<_>>().join(", "))),
            }
        })?;
        let number = |share: &str| {
            let number = share.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
            number.and_then(Ratio::written).ok_or_else(|| about.wants_a_share(text, id))
        };
        let share = share.map(number).transpose()?;
        if matches!(about, About::SafeHarbor) && share.is_some() {
            return Err(Error::policy(format!("`--fail-on {text}`: a column is recognised or not"))
                .hint(format!("`--fail-on {SAFE_HARBOR}` fails if any is")));
        }
        Ok(Self { text: text.to_owned(), about, share })
    }

    /// Is it broken? What could not be tried can neither break nor keep a limit.
    pub fn is_broken(&self, findings: &Findings, risk: Option<&Risk>) -> Result<bool> {
        let measured = || {
            risk.ok_or_else(|| {
                Error::policy(format!("`--fail-on {}`: the risk could not be measured", self.text))
                    .hint("a release that shows every quasi-identifier as it is does not hide who is who")
            })
        };
        match self.about {
            About::Attack(id) => self.is_broken_by(id, findings),
            About::Risk(figure) => {
                let (highest, of_all) = figure(measured()?);
                Ok(match self.share {
                    None => of_all.records_at_risk > 0,
                    // A risk that is one over a number of people is written with the fewest digits that read back.
                    Some(most) => Ratio::written(highest).is_none_or(|exact| exact > most) && highest > most.to_f64(),
                })
            }
            About::SafeHarbor => Ok(!measured()?.safe_harbor.is_empty()),
        }
    }

    fn is_broken_by(&self, attack: &str, findings: &Findings) -> Result<bool> {
        let mut found = findings.found.iter().filter(|finding| finding.attack == attack).peekable();
        if found.peek().is_none() {
            let untried = findings.untried.iter().find(|untried| untried.attack == attack);
            let needs = untried.map_or("a sensitive column", |untried| untried.needs.as_str());
            return Err(Error::policy(format!("`--fail-on {}`: the attack could not be tried", self.text))
                .hint(format!("it needs {needs}")));
        }
        let most = self.share.unwrap_or(Ratio::ZERO);
        Ok(found.any(|finding| {
            finding.exposed_records > 0 && Ratio::new(finding.exposed_records.into(), finding.records.into()) > most
        }))
    }
}

impl About {
    fn wants_a_share(self, text: &str, id: &str) -> Error {
        match self {
            About::Attack(_) => {
                Error::policy(format!("`--fail-on {text}`: a share of records is a number between 0 and 1"))
                    .hint(format!("`--fail-on \"{id}>0.1\"` fails if more than a tenth of the records are exposed"))
            }
            About::Risk(_) | About::SafeHarbor => {
                Error::policy(format!("`--fail-on {text}`: a risk is a number between 0 and 1"))
                    .hint(format!("`--fail-on \"{id}>0.2\"` fails if the risk is higher than one in five"))
            }
        }
    }
}
