//! What is a run going to read and to write, and would that destroy anything?

use std::fs::{self, File, FileType};
use std::path::{Path, PathBuf};

use super::identity::Identity;
use super::names::is_beside;
use super::output_kind::OutputKind;
use super::outputs::Outputs;
use super::{folder_of, is_same_file};
use shoal_core::{Error, Result};
use shoal_format::check_written;

/// Every file that a run reads and every file that it writes, told before it does either.
#[derive(Debug, Default)]
pub struct Intent {
    overwrite: bool,
    reads: Vec<Read>,
    pub(super) writes: Vec<Target>,
}

#[derive(Debug)]
struct Read {
    what: String,
    path: PathBuf,
    /// Which file it is, where it is open and need not have that name.
    opened: Option<Identity>,
}

/// A file that will be written.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) what: String,
    /// As it was given, for messages.
    pub(super) path: PathBuf,
    pub(super) kind: OutputKind,
    /// May it take the place of whatever is there?
    overwrite: bool,
}

impl Intent {
    /// Nothing yet; `overwrite` lets outputs take the places of any files that are not read.
    pub fn new(overwrite: bool) -> Self {
        Self { overwrite, ..Self::default() }
    }

    /// A file, or a folder of files, that must not be touched. `what` stands in messages: "the policy".
    pub fn reads(&mut self, what: impl Into<String>, path: impl Into<PathBuf>) -> &mut Self {
        self.reads.push(Read { what: what.into(), path: path.into(), opened: None });
        self
    }

    /// The same of a file that is open, whatever its name is; `called` is for messages. What is no ordinary file cannot be replaced.
    pub fn reads_open(&mut self, what: impl Into<String>, called: impl Into<PathBuf>, file: &File) -> &mut Self {
        let opened = file.metadata().ok().filter(fs::Metadata::is_file).map(|metadata| Identity::of(&metadata));
        if opened.is_some() {
            self.reads.push(Read { what: what.into(), path: called.into(), opened });
        }
        self
    }

    /// A file that will be written. The first is what the others are about.
    pub fn writes(&mut self, what: impl Into<String>, path: impl Into<PathBuf>, kind: OutputKind) -> &mut Self {
        self.writes.push(Target { what: what.into(), path: path.into(), kind, overwrite: self.overwrite });
        self
    }

    /// Refuses what would destroy anything; otherwise all outputs are this run's until it ends.
    pub fn claim(self) -> Result<Outputs> {
        for (place, target) in self.writes.iter().enumerate() {
            self.writes[..place].iter().try_for_each(|other| target.refuse_to_be(other))?;
            self.reads.iter().try_for_each(|read| target.refuse_to_replace(read))?;
            target.refuse_what_is_no_file()?;
            if let OutputKind::Table { names_format: true, .. } = target.kind {
                check_written(&target.path)?;
            }
        }
        let outputs = Outputs::locked(self.writes)?;
        outputs.refuse_to_replace_others()?;
        Ok(outputs)
    }
}

impl Read {
    fn is_at(&self, path: &Path) -> bool {
        match self.opened {
            Some(opened) => Identity::behind(path) == Some(opened),
            None => is_same_file(path, &self.path),
        }
    }
}

impl Target {
    /// Files take names; a device or a pipe would vanish, and a link would stop to be one.
    fn refuse_what_is_no_file(&self) -> Result<()> {
        let Self { what, path, .. } = self;
        let cannot = |reason: &str| Error::place(format!("{what} cannot be written to {}: {reason}", path.display()));
        let another = || format!("give {what} the name of a file");
        if is_beside(path) {
            return Err(cannot("names that begin with .shoal- are for files that stand beside outputs").hint(another()));
        }
        if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(cannot("it is not a file name").hint(another()));
        }
        let folder = folder_of(path);
        match fs::metadata(&folder) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(cannot(&format!("{} is not a folder", folder.display())).hint(another())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(cannot(&format!("there is no folder {}", folder.display()))
                    .hint(format!("make it, or give {what} another name")));
            }
            Err(error) => return Err(Error::io("write", path, &error)),
        }
        match fs::symlink_metadata(path).map(|metadata| what_else_than_a_file(metadata.file_type())) {
            Ok(Some("a symbolic link")) if !path.starts_with("/dev") => {
                Err(cannot("it is a symbolic link").hint("give the name of the file that it leads to, or remove it"))
            }
            Ok(Some(other)) => {
                Err(cannot(&format!("it is {other}")).hint(format!("{}: a run replaces it as a whole", another())))
            }
            Ok(None) | Err(_) => Ok(()),
        }
    }

    fn refuse_to_be(&self, other: &Self) -> Result<()> {
        if !is_same_file(&self.path, &other.path) {
            return Ok(());
        }
        Err(Error::place(format!("{} and {} would be one file, {}", other.what, self.what, self.path.display()))
            .hint(format!("give {} another name", self.what)))
    }

    fn refuse_to_replace(&self, read: &Read) -> Result<()> {
        let hint = || format!("give {} another name", self.what);
        if read.is_at(&self.path) {
            let (path, what) = (read.path.display(), &read.what);
            return Err(Error::place(format!("{} would replace {what}, {path}", self.what)).hint(hint()));
        }
        if read.opened.is_none() && read.path.is_dir() {
            let inside = |folder: PathBuf| read.path.canonicalize().is_ok_and(|outer| folder.starts_with(outer));
            if folder_of(&self.path).canonicalize().is_ok_and(inside) || is_among(&self.path, &read.path) {
                return Err(Error::place(format!(
                    "{} would be one of the files of {}, {}",
                    self.what,
                    read.what,
                    read.path.display()
                ))
                .hint(format!("put {} into another folder", self.what)));
            }
        }
        Ok(())
    }

    /// Refuses to take the place of a file that is no earlier output of this kind.
    pub(super) fn refuse_to_replace_others(&self) -> Result<()> {
        self.refuse_what_is_no_file()?;
        let Self { what, path, kind, overwrite } = self;
        if *overwrite || !path.exists() || kind.is_of(path)? {
            return Ok(());
        }
        Err(Error::place(format!("{} exists already", path.display()))
            .detail(format!("{what} does not replace it unasked: {}", kind.what_it_is_not()))
            .hint("give another name, or --overwrite to replace it"))
    }
}

/// Is a file one of those in a folder by another name?
fn is_among(file: &Path, folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    file.exists()
        && entries.flatten().map(|entry| entry.path()).any(|path| match path.is_dir() {
            true => is_among(file, &path),
            false => is_same_file(file, &path),
        })
}

fn what_else_than_a_file(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("a device");
        }
    }
    match () {
        () if kind.is_symlink() => Some("a symbolic link"),
        () if kind.is_dir() => Some("a folder"),
        () if kind.is_file() => None,
        () => Some("no ordinary file"),
    }
}
