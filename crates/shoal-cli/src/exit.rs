//! What does a command tell whoever started it?

/// An exit code that can be handed on: the command is also started from within Python, where the process goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitCode(u8);

impl ExitCode {
    /// It is done.
    pub const SUCCESS: Self = Self(0);
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        Self(code)
    }
}

impl From<ExitCode> for u8 {
    fn from(code: ExitCode) -> Self {
        code.0
    }
}
