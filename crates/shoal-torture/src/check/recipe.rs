//! Does a recipe give the same release of the table that it was made from?

use crate::finding::Finding;
use crate::refusal;
use crate::trial::{Outcome, Trial};

/// Makes a recipe and applies it.
pub fn own_table(trial: &mut Trial<'_>, outcome: &Outcome) -> std::io::Result<()> {
    let (true, Outcome::Released(published)) = (trial.case.plan.recipe, outcome) else { return Ok(()) };
    let folder = trial.folder.join("recipe");
    let case = trial.case;
    case.write(&folder)?;
    let making = ["anonymize", "policy.toml", "--json", "--threads", "1", "--recipe", "recipe.json"];
    let made = trial.call(&folder, &making)?;
    trial.tally.add("checks", "recipes");
    if made.code != Some(0) {
        if refusal::known(&made.stderr).is_none() {
            trial.find(Finding::new("recipe/making", "a recipe, or a reason why not", made.stderr.trim()));
        } else {
            trial.tally.add("recipes", "refused: not rules about single rows");
        }
        return Ok(());
    }
    let (input, output) = (case.input_name(), format!("applied.{}", case.policy.output));
    let applied = trial.call(&folder, &["apply", "recipe.json", &input, "-o", &output, "--json", "--threads", "1"])?;
    let method = case.policy.method.name;
    if applied.code != Some(0) {
        trial.find(Finding::new(
            format!("recipe/refused/{method}"),
            "the release of its own table",
            applied.stderr.trim(),
        ));
        return Ok(());
    }
    trial.tally.add("recipes", "applied to their own table");
    let bytes = std::fs::read(folder.join(&output))?;
    if bytes != published.bytes {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        trial.find(Finding::new(format!("recipe/differs/{method}"), text(&published.bytes), text(&bytes)));
    }
    Ok(())
}
