//! What is done with hierarchies, policies, recipes, certificates and knowledge that nobody vouches for?

use std::path::Path;

use shoal::policy::{Policy, Role};
use shoal::recipe::{Application, Recipe};
use shoal_core::hierarchy::{self, File, HierarchySpec};
use shoal_core::{Error, Result, printable};
use shoal_report::{Certificate, SealedCertificate};

use crate::attempt;
use crate::workplace::Workplace;

/// The table that policies, recipes and the like are about.
const TABLE: &str = "age,zip,job,disease\n\
    21,13053,clerk,flu\n24,13068,smith,flu\n28,13053,clerk,gout\n29,13053,farmer,cold\n\
    31,14853,smith,flu\n35,14853,clerk,cold\n37,14850,farmer,gout\n40,14850,clerk,flu\n\
    47,13053,mason,cold\n48,13067,mason,gout\n52,13068,clerk,flu\n,13067,smith,?\n";

/// A release of it that satisfies 2-anonymity.
const RELEASE: &str = "age,zip,disease\n\
    \"[20, 40)\",130**,flu\n\"[20, 40)\",130**,flu\n\"[20, 40)\",130**,gout\n\"[20, 40)\",130**,cold\n\
    \"[30, 50)\",148**,flu\n\"[30, 50)\",148**,cold\n\"[30, 50)\",148**,gout\n\"[30, 50)\",148**,flu\n";

/// The same people in a release in two tables.
const ROWS: &str = "age,zip,class\n21,13053,1\n24,13068,1\n28,13053,2\n29,13053,2\n31,14853,1\n35,14853,2\n";
const VALUES: &str = "class,disease,count\n1,cold,1\n1,flu,1\n1,gout,1\n2,cold,1\n2,flu,1\n2,gout,1\n";

pub fn hierarchy_file(bytes: &[u8]) -> Result<()> {
    let place = Workplace::new();
    place.with("job.csv", bytes);
    hierarchy_tried(&place)
}

fn hierarchy_tried(place: &Workplace) -> Result<()> {
    let spec = HierarchySpec::File(File::new("job.csv"));
    let report = hierarchy::check(&spec, place.folder(), None, true);
    for defect in &report.defects {
        let _ = defect.to_string();
    }
    let Some(built) = spec.standalone(place.folder())? else { return Ok(()) };
    let _ = (hierarchy::summary(&built), hierarchy::draw(&built, 40), built.to_csv());
    let rows = spec.rows(place.folder())?.unwrap_or_default();
    // Its own leaves are the values of a table.
    let leaves = rows.iter().take(24).map(|row| csv_cell(&row[0]));
    let table: String = leaves.enumerate().map(|(at, leaf)| format!("{leaf},{}\n", at % 3)).collect();
    let table = place.with("table.csv", format!("job,disease\n{table}").as_bytes());
    let policy = "[input]\nheader = true\nquote = '\"'\ndelimiter = \",\"\n[columns.job]\nrole = \"quasi-identifier\"\n\
                  hierarchy = { file = \"job.csv\" }\n[columns.disease]\nrole = \"sensitive\"\n\
                  [[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let policy = Policy::parse(policy, "policy.toml", place.folder())?;
    attempt::release(&policy, &table, &place.path("release.csv"))
}

fn csv_cell(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

pub fn policy(bytes: &[u8]) -> Result<()> {
    let text = text(bytes)?;
    let place = Workplace::new();
    let table = place.with("table.csv", TABLE.as_bytes());
    place.with("job.csv", JOBS.as_bytes());
    let policy = Policy::parse(text, "policy.toml", place.folder())?;
    for warning in &policy.warnings {
        assert!(!warning.to_string().contains(printable::is_unprintable));
    }
    if policy.input.engine.is_some() || !is_modest(&policy) {
        return Ok(());
    }
    let extension = if policy.output.path.is_some() { "jsonl" } else { "csv" };
    attempt::release(&policy, &table, &place.path(&format!("release.{extension}")))
}

fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| Error::policy("no text"))
}

/// A lattice of many columns takes its time, and is not what is looked for here.
fn is_modest(policy: &Policy) -> bool {
    policy.columns.len() <= 6
}

const JOBS: &str = "clerk;office;*\nsmith;field;*\nfarmer;field;*\nmason;field;*\n";

pub fn recipe(bytes: &[u8]) -> Result<()> {
    let text = text(bytes)?;
    let place = Workplace::new();
    let table = place.with("table.csv", TABLE.as_bytes());
    place.with("job.csv", JOBS.as_bytes());
    let (recipe, policy) = Recipe::parse(text, "recipe.json", place.folder(), &[])?;
    let same = Recipe::parse(&recipe.to_text(), "recipe.json", place.folder(), &[]).map(|(recipe, _)| recipe);
    assert_eq!(same.ok().as_ref(), Some(&recipe), "a recipe reads back as it was");
    for suppress_unknown in [false, true] {
        let application = Application { recipe: recipe.clone(), policy: policy.clone(), suppress_unknown };
        attempt::application(application, &table, &place.path("release.csv"))?;
    }
    Ok(())
}

pub fn certificate(bytes: &[u8]) -> Result<()> {
    let text = text(bytes)?;
    let place = Workplace::new();
    let release = place.with("release.csv", RELEASE.as_bytes());
    let as_it_is = sealed(text);
    // Others write as Shoal does: what only the layout of the text would stop goes further.
    let certificate = match serde_json::from_str::<Certificate>(text) {
        Ok(certificate) => sealed(&certificate.to_text())?,
        Err(_) => as_it_is?,
    };
    let _ = (certificate.to_text(), certificate.warnings());
    let policy = certificate.to_policy()?;
    assert!(policy.files().is_empty(), "a certificate names no file");
    let stated: serde_json::Value = serde_json::from_str(&certificate.to_text()).expect("JSON");
    for column in &policy.columns {
        let role = match column.role {
            Role::Identifier => "identifier",
            Role::QuasiIdentifier => "quasi-identifier",
            Role::Sensitive => "sensitive",
            Role::Insensitive => "insensitive",
        };
        assert_eq!(
            stated["stated_by_its_maker"]["roles"][&column.name], role,
            "a column is to an attacker what audits print of it"
        );
    }
    if certificate.is_separated() {
        let [rows, values] =
            [("rows.csv", ROWS), ("values.csv", VALUES)].map(|(name, text)| place.with(name, text.as_bytes()));
        return attempt::pair_audited(&policy, &rows, &values);
    }
    attempt::audited(Some(&policy), &release, (&[], &[]), None)
}

fn sealed(text: &str) -> Result<Certificate> {
    let (certificate, _) = SealedCertificate::parse(text.into(), "certificate.json")?.open(None)?;
    Ok(certificate)
}

pub fn knowledge(bytes: &[u8]) -> Result<()> {
    let place = Workplace::new();
    let release = place.with("release.csv", RELEASE.as_bytes());
    let knowledge = place.with("knowledge.toml", bytes);
    known(&release, &knowledge)
}

fn known(release: &Path, knowledge: &Path) -> Result<()> {
    let (quasi, sensitive) = (["age".to_owned(), "zip".to_owned()], ["disease".to_owned()]);
    attempt::audited(None, release, (&quasi, &sensitive), Some(knowledge))
}
