//! Is a cell a value, or a mark that there is none?

/// The texts that mark a missing value; all stand for the same one, and the first is written back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingMarkers {
    markers: Vec<String>,
}

impl MissingMarkers {
    /// These markers, at least one.
    pub fn new(markers: Vec<String>) -> Self {
        assert!(!markers.is_empty(), "a missing value is written somehow");
        Self { markers }
    }

    /// Those that a release shows: the first. To an outsider, another one would be another value.
    #[must_use]
    pub fn written(&self) -> Self {
        Self { markers: vec![self.first().to_owned()] }
    }

    /// Is the text one of them?
    pub fn contain(&self, text: &str) -> bool {
        self.markers.iter().any(|marker| marker == text)
    }

    /// How a missing value is written.
    pub fn first(&self) -> &str {
        &self.markers[0]
    }
}
