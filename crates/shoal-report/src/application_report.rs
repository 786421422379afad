//! What did `apply` do?

use serde_json::{Value, json};

use super::summary::{classes_and_sizes, headline, models_json, requirements_grid};
use super::{document, peak_memory_bytes};
use shoal::study::Release;

/// The summary of a release that was made by a recipe.
#[derive(Debug)]
pub struct ApplicationReport<'a> {
    release: &'a Release,
}

impl<'a> ApplicationReport<'a> {
    /// The summary of this release.
    pub fn new(release: &'a Release) -> Self {
        Self { release }
    }

    /// One object for programs.
    pub fn to_json(&self) -> Value {
        let (table, partition) = (self.release.table(), self.release.partition());
        let Release { measured, seconds, .. } = self.release;
        let mut summary = json!({
            "rows": table.rows,
            "dropped_rows": self.release.dropped_rows(),
            "released_rows": partition.released(),
            "suppressed_rows": partition.suppressed(),
            "classes": measured.classes,
            "class_size": {
                "min": measured.smallest,
                "mean": partition.released() as f64 / measured.classes.max(1) as f64,
                "max": measured.largest,
            },
            "models": models_json(self.release.requirements(), measured),
            "seconds": { "total": seconds.total },
            "peak_memory_bytes": peak_memory_bytes(),
            "release": self.release.published.release,
        });
        let keys = summary.as_object_mut().expect("it was made as an object");
        keys.extend(partition.remark.iter().map(|remark| (remark.key.to_owned(), remark.json.clone())));
        document(summary, &self.release.warnings())
    }

    /// For people, on a terminal.
    pub fn to_text(&self) -> String {
        let (requirements, partition) = (self.release.requirements(), self.release.partition());
        let Release { measured, seconds, .. } = self.release;
        let mut text = format!("{}\n\n", headline(self.release));
        text += &requirements_grid(requirements, &measured.achieved).render();
        text += &format!("\n{}\n", classes_and_sizes(measured));
        text.extend(partition.remark.iter().map(|remark| format!("{}\n", remark.text)));
        text + &format!("recoded by the recipe, verified on the written file; {:.2} s\n", seconds.total)
    }
}
