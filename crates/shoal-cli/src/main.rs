//! The program `shoal`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(shoal_cli::main(std::env::args_os()))
}
