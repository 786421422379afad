//! Which policies does one policy become when some of its values are varied?

use std::path::Path;
use std::str::FromStr;

use super::Rival;
use crate::policy::{PolicyDocument, Setting, split};
use shoal_core::Result;

/// A key of a policy with each of the values it is to have: `k=2,5,10`.
#[derive(Debug, Clone, PartialEq)]
pub struct Vary(Vec<Setting>);

impl Vary {
    /// A key, and each of its values as a setting.
    pub fn new(settings: Vec<Setting>) -> Self {
        Self(settings)
    }
}

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("`{text}` is not KEY=VALUE,VALUE,.. such as k=2,5,10 or method=full-domain,mondrian");
        let (key, mut rest) = split(text, '=').ok_or_else(expected)?;
        let mut values = Vec::new();
        while let Some((value, after)) = split(rest, ',') {
            values.push(value.trim());
            rest = after;
        }
        values.push(rest.trim());
        if key.trim().is_empty() || values.contains(&"") {
            return Err(expected());
        }
        Ok(Self(values.into_iter().map(|value| Setting::new(key.trim(), value)).collect()))
    }
}

/// The policies that a policy file becomes with some settings: one for each combination of values.
pub fn variants(file: &Path, settings: &[Setting], varied: &[Vary]) -> Result<Vec<Rival>> {
    variants_of(&PolicyDocument::read(file)?, file, settings, varied)
}

/// The same of a policy that was read before; `file` is what its variants are called by.
pub fn variants_of(
    document: &PolicyDocument,
    file: &Path,
    settings: &[Setting],
    varied: &[Vary],
) -> Result<Vec<Rival>> {
    let mut combinations: Vec<Vec<Setting>> = vec![Vec::new()];
    for Vary(values) in varied {
        let with = |before: &Vec<Setting>| {
            let before = before.clone();
            values.iter().map(move |value| [&before[..], std::slice::from_ref(value)].concat())
        };
        combinations = combinations.iter().flat_map(with).collect();
    }
    let rival = |combination: Vec<Setting>| {
        let policy = document.clone().with(&[settings, &combination].concat())?.policy()?;
        Ok(Rival { file: file.to_owned(), settings: combination, policy })
    };
    combinations.into_iter().map(rival).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "[columns.a]\nrole = 'quasi-identifier'\n[[require]]\nmodel = 'k-anonymity'\nk = 5\n\
                          [method]\nname = 'full-domain'\nsearch = 'exhaustive'\nmax-suppressed = 0.1\n";

    fn varied(settings: &[(&str, &str)]) -> Result<String> {
        let settings: Vec<Setting> = settings.iter().map(|(key, value)| Setting::new(*key, *value)).collect();
        Ok(PolicyDocument::parse(POLICY, "p.toml", Path::new(""))?.with(&settings)?.to_string())
    }

    #[test]
    fn keys_are_found_where_they_belong() {
        assert!(varied(&[("k", "7")]).unwrap().contains("k = 7"));
        assert!(varied(&[("require.k", "7")]).unwrap().contains("k = 7"));
        assert!(varied(&[("objective", "height")]).unwrap().contains("objective = \"height\""));
        assert!(varied(&[("max-suppressed", "0.02")]).unwrap().contains("max-suppressed = 0.02"));
        assert!(varied(&[("columns.a.min-level", "1")]).unwrap().contains("min-level = 1"));
        assert!(varied(&[("input.rows-with-missing", "drop")]).unwrap().contains("rows-with-missing = \"drop\""));
        let error = varied(&[("l", "3")]).unwrap_err().to_string();
        assert!(error.contains("no requirement of the policy has `l`") && error.contains("set one of k, "), "{error}");
    }

    #[test]
    fn another_method_leaves_the_parameters_of_the_first() {
        let mondrian = varied(&[("method", "mondrian")]).unwrap();
        assert!(!mondrian.contains("search") && mondrian.contains("max-suppressed = 0.1"), "{mondrian}");
        assert!(varied(&[("method", "full-domain")]).unwrap().contains("search"));
        // How labels look stays where it can be said.
        let exact = [("method", "mondrian"), ("ends", "exact")];
        let document = PolicyDocument::parse(&varied(&exact).unwrap(), "p.toml", Path::new("")).unwrap();
        let method = |name: &str| document.clone().with(&[Setting::new("method", name)]).unwrap();
        assert!(method("sweep").to_string().contains("ends = \"exact\""));
        assert!(method("full-domain").policy().is_ok(), "{}", method("full-domain"));
    }

    #[test]
    fn values_are_separated_by_commas() {
        let vary: Vary = "k = 2, 5,10".parse().unwrap();
        assert_eq!(vary, Vary(["2", "5", "10"].map(|value| Setting::new("k", value)).to_vec()));
        let hierarchies: Vary = "columns.a.hierarchy={ intervals = [5, 10] }, { suppress = {} }".parse().unwrap();
        assert_eq!(hierarchies.0[0].value(), "{ intervals = [5, 10] }");
        assert_eq!(hierarchies.0.len(), 2);
        for wrong in ["k", "k=", "=2", "k=2,,3"] {
            assert!(wrong.parse::<Vary>().unwrap_err().contains("is not KEY=VALUE"), "{wrong}");
        }
    }

    #[test]
    fn several_give_every_combination() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        std::fs::write(&file, POLICY).unwrap();
        let varied: Vec<Vary> = ["k=2,3", "method=full-domain,mondrian"].map(|text| text.parse().unwrap()).to_vec();
        let found = variants(&file, &[Setting::new("output.seed", "9")], &varied).unwrap();
        let settings: Vec<String> =
            found.iter().map(|c| format!("{} {}", c.settings[0].value(), c.settings[1].value())).collect();
        assert_eq!(settings, ["2 full-domain", "2 mondrian", "3 full-domain", "3 mondrian"]);
        assert_eq!(found[3].policy.method.method.id(), "mondrian");
        assert!(found.iter().all(|candidate| candidate.policy.output.seed == 9));
        assert_eq!(variants(&file, &[], &[]).unwrap().len(), 1);
    }
}
