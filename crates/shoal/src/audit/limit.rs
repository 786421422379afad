//! From where on does a finding make an audit fail?

use crate::attack::{ATTACKS, Findings};
use crate::error::nearest;
use crate::exact::Ratio;
use crate::{Error, Result};

/// A limit that the user set: an attack may expose nobody, or at most a share of the records.
#[derive(Debug, Clone)]
pub struct Limit {
    /// As it was written.
    pub text: String,
    id: &'static str,
    share: Ratio,
}

impl Limit {
    /// Reads `homogeneity`, or `homogeneity>0.1`.
    pub fn parse(text: &str) -> Result<Self> {
        let (id, share) = text.split_once('>').map_or((text, None), |(id, share)| (id.trim(), Some(share.trim())));
        let known = || ATTACKS.iter().map(|entry| entry.attack.id());
        let id = known().find(|known| *known == id.trim()).ok_or_else(|| {
            let error = Error::new(format!("`--fail-on {text}` names no attack"));
            match nearest(id, known()) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint(format!("there are {}", known().collect::<Vec<_>>().join(", "))),
            }
        })?;
        let share = match share {
            None => Ratio::ZERO,
            Some(share) => {
                let number = share.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
                number.and_then(Ratio::written).ok_or_else(|| {
                    Error::new(format!("`--fail-on {text}`: a share of records is a number between 0 and 1"))
                        .hint(format!("`--fail-on \"{id}>0.1\"` fails if more than a tenth of the records are exposed"))
                })?
            }
        };
        Ok(Self { text: text.to_owned(), id, share })
    }

    /// Is it broken? An attack that could not be tried can neither break nor keep a limit.
    pub fn is_broken(&self, findings: &Findings) -> Result<bool> {
        let mut found = findings.found.iter().filter(|finding| finding.attack == self.id).peekable();
        if found.peek().is_none() {
            let untried = findings.untried.iter().find(|untried| untried.attack == self.id);
            let needs = untried.map_or("a sensitive column", |untried| untried.needs.as_str());
            return Err(Error::new(format!("`--fail-on {}`: the attack could not be tried", self.text))
                .hint(format!("it needs {needs}")));
        }
        Ok(found.any(|finding| {
            finding.exposed_records > 0
                && Ratio::new(finding.exposed_records.into(), finding.records.into()) > self.share
        }))
    }
}
