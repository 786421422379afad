//! Which levels does somebody choose instead of having them searched for?

use clap::Args;
use shoal::policy::Policy;
use shoal::study::{Candidate, Study};
use shoal_core::error::nearest;
use shoal_core::lattice::Node;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

#[derive(Args, Default)]
pub struct Chosen {
    /// Take these levels instead of searching: `age=2,zip=1`; columns that are not named get their lowest level
    #[arg(long, value_name = "COLUMN=LEVEL", value_delimiter = ',', conflicts_with = "solution")]
    levels: Vec<String>,
    /// Take the levels of the solution with this number, counted from 1 as `shoal solutions` lists the minimal ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    solution: Option<u64>,
}

/// What makes a policy one whose columns have one level for all rows.
pub const ONE_LEVEL: &str = " --set method=full-domain --set method.local=false";

/// Has each column one level for all rows?
pub fn has_one_level(policy: &Policy) -> bool {
    let showing = policy.method.method.showing(policy.method.style);
    showing.one_level && showing.own_labels.is_empty()
}

impl Chosen {
    /// Is anything chosen?
    fn is_nothing(&self) -> bool {
        self.levels.is_empty() && self.solution.is_none()
    }

    /// The release that is chosen, or else the best.
    pub fn candidate(&self, study: &Study, watch: &dyn Watch) -> Result<Candidate> {
        if self.is_nothing() {
            return study.best(watch).map_err(|error| study.explained(error, &[], watch));
        }
        if !has_one_level(study.policy()) {
            return Err(Error::policy("levels can be chosen where each column has one level for all rows")
                .hint(format!("say `{}`, or leave --levels and --solution out", ONE_LEVEL.trim_start())));
        }
        match self.solution {
            Some(number) => study.at(&solution(study, number, watch)?),
            None => study.at(&self.node(study)?),
        }
    }

    fn node(&self, study: &Study) -> Result<Node> {
        let quasi = &study.table().quasi;
        let mut levels: Vec<u8> = quasi.iter().map(|column| column.min_level).collect();
        for pair in &self.levels {
            let Some((name, level)) = pair.rsplit_once('=') else {
                return Err(Error::policy(format!("`--levels {pair}` is not COLUMN=LEVEL")));
            };
            let Some(place) = quasi.iter().position(|column| column.name == name) else {
                let error = Error::policy(format!("`--levels` names `{name}`, which is no quasi-identifier"));
                return Err(match nearest(name, quasi.iter().map(|column| column.name.as_str())) {
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error,
                });
            };
            let highest = quasi[place].hierarchy.height();
            levels[place] =
                level.parse::<u8>().ok().filter(|level| usize::from(*level) <= highest).ok_or_else(|| {
                    Error::policy(format!("`{level}` is no level of `{name}`"))
                        .hint(format!("levels go from 0, its values as they are, to {highest}"))
                })?;
        }
        Ok(Node::new(levels))
    }
}

fn solution(study: &Study, number: u64, watch: &dyn Watch) -> Result<Node> {
    let found = study.solutions(false, watch)?.minimal;
    let place = usize::try_from(number - 1).unwrap_or(usize::MAX);
    found.get(place).map(|solution| solution.node.clone()).ok_or_else(|| {
        let count = found.len();
        match count {
            0 => Error::no_release("no combination of levels satisfies the requirements")
                .hint("`shoal anonymize` without --solution says which comes closest"),
            1 => Error::policy("there is only one minimal solution").hint("its number is 1"),
            _ => Error::policy(format!("there are {count} minimal solutions, and no number {number}"))
                .hint("`shoal solutions` lists them"),
        }
    })
}
