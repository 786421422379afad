//! How does somebody run a failing case by hand?

use std::path::{Path, PathBuf};

use crate::case::Case;
use crate::finding::Finding;
use crate::program::Program;
use crate::trial::Trial;

/// Writes a failing case to a folder of its own under `folder`: table, policy, hierarchies, what was expected and what came,
/// and a script that runs it.
pub fn keep(program: &Program, folder: &Path, number: u64, case: &Case, finding: &Finding) -> std::io::Result<PathBuf> {
    let folder = folder.join(format!("{}-{number}", finding.check.replace('/', "-")));
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    // The folders of laws and recipes come with what was run in them.
    Trial::run(program, &folder, case)?;
    let mut text =
        format!("check: {}\n\nexpected:\n{}\n\ncame:\n{}\n\nrun:\n", finding.check, finding.expected, finding.came);
    let mut script =
        "#!/usr/bin/env bash\n# Runs the case again; the program is the first argument.\ncd \"$(dirname \"$0\")\"\n"
            .to_owned();
    script += &format!("program=${{1:-{}}}\n", program.path().display());
    for command in &finding.commands {
        text += &format!("  shoal {command}\n");
        script += &format!("\"$program\" {command}; echo \"exit code $?\"\n");
    }
    if finding.check.starts_with("law/") || finding.check.starts_with("recipe/") {
        text += "\nThe changed case stands in the folder beside; its commands are run there.\n";
    }
    std::fs::write(folder.join("finding.txt"), text)?;
    std::fs::write(folder.join("run"), script)?;
    Ok(folder)
}
