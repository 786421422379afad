//! Where does a policy say that the table is: in a file, or in an engine?

use std::path::Path;

use shoal::policy::Policy;
use shoal::policy::engines::Released;
use shoal::source::{Handover, LocalSource, Published, Source};
use shoal_core::{Error, Result};

use crate::output::word;
use crate::pipe::{Format, is_pipe};

/// Makes engines known to policies: to be called before the first is read.
#[cfg(feature = "engines")]
pub fn register_engines() {
    shoal_engine::register();
}

/// Says what another build of this program could read.
#[cfg(not(feature = "engines"))]
pub fn register_engines() {
    use shoal::policy::engines::{AbsentEngine, register_absent};

    register_absent(["spark", "postgres"].map(|key| AbsentEngine {
        key,
        refusal: "this shoal was built without engines, so it reads files only",
        hint: "build it with `cargo build --release --features engines`",
    }));
}

/// Opens what a policy reads and writes, or the files that were named instead.
pub fn open(policy: &Policy, input: Option<&Path>, output: Option<&Path>, overwrite: bool) -> Result<Box<dyn Source>> {
    open_piped(policy, input, output, overwrite, &Format::default(), None)
}

/// The same where `-` is stdin, or where the release is to be printed.
pub fn open_piped(
    policy: &Policy,
    input: Option<&Path>,
    output: Option<&Path>,
    overwrite: bool,
    format: &Format,
    printed: Option<&Handover>,
) -> Result<Box<dyn Source>> {
    let Some(engine) = &policy.input.engine else {
        return Ok(Box::new(local(policy, input, output, format, printed)?));
    };
    let flags = [("--input", "[input]", input), ("--output", "[output]", output)];
    if let Some((flag, section, _)) = flags.into_iter().find(|(_, _, path)| path.is_some()) {
        let name = engine.address.engine().name;
        return Err(Error::policy(format!("{flag} is for files, and the table of this policy is in {name}"))
            .hint(format!("say in {section} of the policy where it is")));
    }
    open_engine(policy, overwrite)
}

/// A table in a file or from stdin, with a release in a file or one that is to be printed.
pub fn local(
    policy: &Policy,
    input: Option<&Path>,
    output: Option<&Path>,
    format: &Format,
    printed: Option<&Handover>,
) -> Result<LocalSource> {
    let source = into_file(policy, input, output, format)?;
    Ok(match printed {
        Some(printed) => source.handed_over(printed.clone()),
        None => source,
    })
}

fn into_file(policy: &Policy, input: Option<&Path>, output: Option<&Path>, format: &Format) -> Result<LocalSource> {
    let Some(piped) = input.filter(|path| is_pipe(path)) else { return LocalSource::new(policy, input, output) };
    if output.is_none() && policy.output.path.is_none() {
        return Err(Error::policy("a table from stdin has no place beside which its release could stand")
            .hint("say `--output FILE`, `--output -` for stdout, or `path` in [output] of the policy"));
    }
    Ok(LocalSource::to_read(format.table(piped)?).into_file(policy, output))
}

/// A table that is only counted, where `-` is stdin.
pub fn to_count(policy: &Policy, input: Option<&Path>, format: &Format) -> Result<Box<dyn Source>> {
    match input.filter(|path| is_pipe(path) && policy.input.engine.is_none()) {
        Some(path) => Ok(Box::new(LocalSource::to_read(format.table(path)?))),
        None => open(policy, input, None, true),
    }
}

#[cfg(feature = "engines")]
fn open_engine(policy: &Policy, overwrite: bool) -> Result<Box<dyn Source>> {
    shoal_engine::open(policy, overwrite)
}

#[cfg(not(feature = "engines"))]
fn open_engine(_: &Policy, _: bool) -> Result<Box<dyn Source>> {
    Err(Error::policy("this shoal was built without engines, so it reads files only"))
}

/// What to do next with a release; `judge` is what an audit judges it by.
pub fn next_step(policy: &Policy, judge: &str, published: &Published) -> String {
    let release = &published.release;
    match policy.input.engine.as_ref().map(|engine| &engine.address) {
        None => {
            let table = published.sensitive.as_ref().map(|path| format!(" --sensitive-table {}", word(path)));
            format!("shoal audit {} {judge}{}", word(release), table.unwrap_or_default())
        }
        Some(address) => (address.engine().next_step)(&Released { address, release, judge, word: |text| word(text) }),
    }
}
