//! The command `shoal`: what was asked for, translated to the library and back to words and exit codes.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod bars;
mod command;
mod exit;
mod interview;
mod output;
mod pipe;
mod signals;
pub mod source;

pub use command::apply::{find_key, refuse_other_rules};
pub use command::attacker::{Attacker, read as read_attacker};
pub use command::certified::Certified;
pub use command::explain::explained;
pub use command::held::HeldTables;

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use exit::ExitCode;
use shoal_report::error_to_json;

/// Publish data about people safely.
///
/// Say in a small policy file which columns could identify someone and which are sensitive, and what an attacker must
/// not be able to learn. Shoal finds the least damaging release that keeps that promise and proves it on the file it
/// writes.
#[derive(Parser)]
#[command(
    name = "shoal",
    version,
    after_help = "Start with `shoal init TABLE`. Exit codes: 0 done, 1 the answer is no, 2 it failed (--help says more).",
    after_long_help = EXIT_CODES
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// How many threads to use; all cores by default
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: Option<u16>,
    /// Print nothing but results, warnings and errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say what is done and how long each step takes
    #[arg(long, short, global = true)]
    verbose: bool,
}

/// What each exit code is for.
const EXIT_CODES: &str = "Start with `shoal init TABLE`.

Exit codes:
  0  it is done: the release is published, every requirement holds, the policy is right
  1  it ran, and the answer is no: no release satisfies the policy, a requirement or a limit of
     --fail-on does not hold, a table is not what its certificate says, a hierarchy has
     defects, or there is something to warn of with --strict; nothing was published
  2  the request was wrong or could not be carried out: a mistake in the policy or on the
     command line, a table that cannot be read, a place that cannot be written, or a release
     that failed its verification; nothing was published, unless it says so
  129, 130, 143  it was stopped by SIGHUP, Ctrl-C or SIGTERM; nothing was published, unless it
     says so

With --json, an error is an object on stdout, too: {\"error\": {\"kind\": .., \"text\": .., \"hint\": ..}}.";

#[derive(Subcommand)]
enum Command {
    /// Look at a table and propose a policy for it
    ///
    /// On a terminal, the role of each column and what the release is to promise are asked for; anywhere else, and with
    /// --yes, the policy is what seems right.
    Init(command::init::Init),
    /// Say whether a policy is right, and what it asks for, without reading the table
    ///
    /// Whatever is wrong with it is said with its line and a way out, and the exit code is 2. Hierarchies in files are looked
    /// at, too.
    Check(command::check::Check),
    /// Make a release that keeps the promises of a policy
    Anonymize(command::anonymize::Anonymize),
    /// Recode another table as an earlier one was, and verify the result
    Apply(command::apply::Apply),
    /// Say what a table promises and what an attacker could do; with a policy, whether that is enough
    Audit(Box<command::audit::Audit>),
    /// List the combinations of levels that satisfy a policy
    Solutions(command::solutions::Solutions),
    /// Say what each requirement, column and limit costs, and what to give up first
    ///
    /// The policy is solved anew with one thing changed at a time, from the same counts; `--set` makes the same change for a run.
    /// Where there is no release, it says which changes would give one. Nothing is written.
    Advise(command::advise::Advise),
    /// Set several policies, or one with varied parameters, side by side on one table
    ///
    /// The table is read and counted once where policies agree on it. Releases are made, verified, measured and thrown
    /// away.
    Compare(command::compare::Compare),
    /// Check, draw or propose hierarchies
    Hierarchy(command::hierarchy::Hierarchy),
    /// Explain a model, objective, method, attack or key of a policy in plain words
    Explain(command::explain::Explain),
    /// Make keys: for pseudonyms, and for signatures of certificates
    ///
    /// A key is random, drawn by the operating system, and written to a new file that only you can read (mode 0600). A file that is
    /// there already is never replaced.
    Keys(command::keys::Keys),
    /// Print the JSON Schema of a policy, for editors
    ///
    /// Write it to a file beside the policy, and `#:schema FILE` into the policy's first line: editors that know TOML (taplo, Even
    /// Better TOML) then complete its keys, say what they mean and mark what is wrong.
    Schema(command::schema::PrintSchema),
    /// Make up realistic microdata to try things on
    Generate(command::generate::Generate),
    /// Go the whole way from a table to a release in a browser, on this machine
    ///
    /// A server on loopback prints its address and opens the browser. Whatever is done in the page is written to the policy file; the table
    /// does not leave the machine. For a table, the policy is begun beside it: patients.csv gets
    /// patients.policy.toml.
    Studio(command::studio::Studio),
    /// Print what a shell needs to complete commands and options
    ///
    /// Write it where your shell looks for it: ~/.local/share/bash-completion/completions/shoal for bash, _shoal in a folder
    /// of $fpath for zsh, ~/.config/fish/completions/shoal.fish for fish; for powershell, append it to $PROFILE.
    Completions(command::completions::Completions),
    /// Write the manual pages of all commands
    Man(command::man::Man),
    /// Write all pages of `explain` and the help of all commands as Markdown, for the documentation
    #[command(hide = true)]
    Reference(command::reference::Reference),
}

impl Command {
    /// Is its result an object on stdout?
    fn prints_json(&self) -> bool {
        match self {
            Self::Anonymize(command) => command.json,
            Self::Apply(command) => command.json,
            Self::Audit(command) => command.json,
            Self::Solutions(command) => command.json,
            Self::Advise(command) => command.json,
            Self::Compare(command) => command.json,
            _ => false,
        }
    }
}

/// What every command may look at.
struct Context {
    quiet: bool,
    verbose: bool,
}

fn is_printable(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| !word.contains(shoal_core::printable::is_unprintable))
}

/// Runs the command with these words, of which the first is what it was called by; what it returns is the exit code.
pub fn main(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return refused(&told_of_set(error, &words), &words),
    };
    signals::watch();
    run(cli).into()
}

/// Somebody who writes `--k 5` means a key of the policy, where a command takes `--set`.
fn told_of_set(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return error };
    let key = unknown.trim_start_matches('-').to_owned();
    let command = words.iter().skip(1).find_map(|word| Cli::command().find_subcommand(word).cloned());
    let takes_set =
        command.is_some_and(|command| command.get_arguments().any(|argument| argument.get_long() == Some("set")));
    // Those of other sections are set by their full names.
    let is_key =
        shoal::policy::keys().iter().any(|known| known.name == key && matches!(known.section, "require" | "method"));
    if error.kind() == ErrorKind::UnknownArgument && takes_set && is_key {
        let tip = format!("`{key}` is a key of the policy: '--set {key}=VALUE' sets it for this run").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Says why words are no command, or shows the help that was asked for.
fn refused(error: &clap::Error, words: &[OsString]) -> u8 {
    if error.use_stderr() && words.iter().any(|word| !is_printable(word)) {
        // The message repeats a word that may be the name of somebody else's file.
        output::say_text(&error.render().to_string());
    } else {
        // Whoever does not listen any more has missed it.
        _ = error.print();
    }
    if error.use_stderr() && words.iter().any(|word| word == "--json") {
        let text = error.render().to_string();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let refused = shoal_core::Error::policy(first.strip_prefix("error: ").unwrap_or(first).trim_end_matches(':'));
        // What it is about stands in lines of their own, up to a blank one.
        let refused =
            lines.take_while(|line| !line.is_empty()).fold(refused, |refused, line| refused.detail(line.trim()));
        _ = output::json_to_stdout(&error_to_json(&refused.hint("`--help` lists what there is")));
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

fn run(cli: Cli) -> ExitCode {
    source::register_engines();
    if let Some(threads) = cli.threads {
        // The pool can be set once; a second setting would be a bug here, and the default still works.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1).into()).build_global();
    }
    let context = Context { quiet: cli.quiet, verbose: cli.verbose };
    let prints_json = cli.command.prints_json();
    let result = match cli.command {
        Command::Init(command) => command.run(&context),
        Command::Check(command) => command.run(),
        Command::Anonymize(command) => command.run(&context),
        Command::Apply(command) => command.run(&context),
        Command::Audit(command) => command.run(&context),
        Command::Solutions(command) => command.run(&context),
        Command::Advise(command) => command.run(&context),
        Command::Compare(command) => command.run(&context),
        Command::Hierarchy(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Schema(command) => command.run(),
        Command::Keys(command) => command.run(&context),
        Command::Studio(command) => command.run(&context),
        Command::Generate(command) => command.run(&context),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(&context),
        Command::Reference(command) => command.run(&context),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            output::say_text(&format!("error: {error}"));
            if prints_json {
                // Whoever reads stdout gets an object, whatever happens; if even that fails, there is nobody to tell.
                _ = output::json_to_stdout(&error_to_json(&error));
            }
            ExitCode::from(if error.kind().is_an_answer() { 1 } else { 2 })
        }
    }
}
