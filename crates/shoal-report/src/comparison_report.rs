//! How do several releases of one table compare, to people and to programs?

use serde_json::{Map, Value, json};

use super::{Grid, document, grouped, number, peak_memory_bytes, plot};
use shoal::attack::ATTACKS;
use shoal::compare::{Figures, Point, PrivacyAxis, UtilityAxis};
use shoal::publish::PLOT_MARK;
use shoal_core::printable;
use shoal_core::warning::Warning;

/// What came of a comparison.
#[derive(Debug)]
pub struct ComparisonReport<'a> {
    points: &'a [Point],
    privacy: PrivacyAxis,
    utility: UtilityAxis,
    /// Do the points come from more than one file?
    several_files: bool,
}

impl<'a> ComparisonReport<'a> {
    /// The report of these points, whose frontier is marked by these two figures.
    pub fn new(points: &'a [Point], privacy: PrivacyAxis, utility: UtilityAxis) -> Self {
        let several_files = points.iter().any(|point| point.file != points[0].file);
        Self { points, privacy, utility, several_files }
    }

    fn label(&self, point: &Point) -> String {
        point.label(self.several_files)
    }

    /// What readers should know of the releases, each once.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut distinct: Vec<Warning> = Vec::new();
        for warning in self.points.iter().flat_map(|point| &point.warnings) {
            if !distinct.contains(warning) {
                distinct.push(warning.clone());
            }
        }
        distinct
    }

    /// One object for programs.
    pub fn to_json(&self) -> Value {
        let body = json!({
            "privacy": self.privacy.name(),
            "utility": self.utility.name(),
            "points": self.points.iter().map(|point| self.point(point)).collect::<Vec<Value>>(),
            "peak_memory_bytes": peak_memory_bytes(),
        });
        document(body, &self.warnings())
    }

    /// Privacy against utility, as a drawing that stands by itself.
    pub fn to_svg(&self) -> String {
        let place = |point: &Point| {
            let figures = point.release.as_ref().ok()?;
            Some((self.privacy.of(figures)?, self.utility.of(figures)?))
        };
        let drawn = |point: &Point| {
            let (x, y) = place(point)?;
            Some(plot::Point { label: self.label(point), x, y, is_on_frontier: point.is_on_frontier })
        };
        let points: Vec<plot::Point> = self.points.iter().filter_map(drawn).collect();
        let best: Vec<&str> =
            points.iter().filter(|point| point.is_on_frontier).map(|point| point.label.as_str()).collect();
        let (privacy, utility) = (self.privacy.name(), self.utility.name());
        let description = match points.len() {
            0 => "no release has both figures".to_owned(),
            1 => format!("one release: {}", best.join("; ")),
            releases => format!("{releases} releases; on the frontier: {}", best.join("; ")),
        };
        let caption = plot::Caption::new("comparison", format!("{utility} against {privacy}"), description);
        let frontier = plot::Frontier { x_label: privacy.to_owned(), y_label: utility.to_owned(), points };
        frontier.to_svg(&caption).to_file(PLOT_MARK)
    }

    fn point(&self, point: &Point) -> Value {
        let settings: Map<String, Value> =
            point.settings.iter().map(|setting| (setting.key().to_owned(), json!(setting.value()))).collect();
        let mut json = json!({
            "label": self.label(point),
            "policy": point.file.display().to_string(),
            "settings": settings,
            "method": point.method,
            "released": point.release.is_ok(),
            "on_frontier": point.is_on_frontier,
        });
        let keys = json.as_object_mut().expect("it was made as an object");
        match &point.release {
            Ok(figures) => keys.extend(figures_json(figures)),
            Err(error) => drop(keys.insert("why".to_owned(), json!(error.to_string()))),
        }
        json
    }

    /// For people, on a terminal.
    pub fn to_text(&self) -> String {
        let mut text = self.figures().render();
        let attacks = self.attacks();
        if let Some(attacks) = attacks {
            text += &format!("\nrecords exposed by each attack\n{}", attacks.render());
        }
        for point in self.points {
            if let Err(error) = &point.release {
                text += &format!("\nno release for {}: {error}\n", printable::line(&self.label(point)));
            }
        }
        for (point, figures) in self.points.iter().filter_map(|point| Some((point, point.release.as_ref().ok()?))) {
            for why in &figures.not_learned {
                text += &format!("\n{}: {}\n", printable::line(&self.label(point)), printable::line(why));
            }
        }
        if self.points.iter().any(|point| point.release.as_ref().is_ok_and(|figures| figures.accuracy().is_some())) {
            text += &format!("\n{ACCURACY}\n");
        }
        text += &format!(
            "\n* on the frontier: no other release is as good in both {} and {} and better in one\n",
            self.privacy.name(),
            self.utility.name()
        );
        text
    }

    fn figures(&self) -> Grid {
        let header = ["", "release", "loss", "classes", "suppressed", "highest risk", "exposed", "accuracy", "seconds"];
        let mut grid = Grid::new(&header, &[2, 3, 4, 5, 6, 7, 8]);
        for point in self.points {
            let mark = if point.is_on_frontier { "*" } else { "" };
            let mut row = vec![mark.to_owned(), self.label(point)];
            match &point.release {
                Ok(figures) => row.extend(cells(figures)),
                Err(_) => row.extend((0..header.len() - 2).map(|_| "–".to_owned())),
            }
            grid.row(row);
        }
        grid
    }

    /// The attacks that expose a record in some release.
    fn attacks(&self) -> Option<Grid> {
        let released = || self.points.iter().filter_map(|point| Some((point, point.release.as_ref().ok()?)));
        let ids: Vec<&str> = ATTACKS.iter().map(|entry| entry.item.id()).collect();
        let is_found =
            |id: &&&str| released().any(|(_, figures)| figures.exposed_by(id).is_some_and(|count| count > 0));
        let found: Vec<&str> = ids.iter().filter(is_found).copied().collect();
        if found.is_empty() {
            return None;
        }
        let header: Vec<&str> = std::iter::once("release").chain(found.iter().copied()).collect();
        let mut grid = Grid::new(&header, &(1..header.len()).collect::<Vec<usize>>());
        for (point, figures) in released() {
            let exposed =
                found.iter().map(|id| figures.exposed_by(id).map_or("–".to_owned(), |count| grouped(count as i64)));
            grid.row(std::iter::once(self.label(point)).chain(exposed).collect());
        }
        Some(grid)
    }
}

/// What `accuracy` is.
const ACCURACY: &str = "accuracy: right answers about the sensitive columns by the better of two learners that learned from the \
                        release, for the same third of the original's rows everywhere, which no learner has seen";

fn cells(figures: &Figures) -> Vec<String> {
    let or_dash = |value: Option<f64>| value.map_or("–".to_owned(), number);
    let percent = |value: Option<f64>| {
        value.map_or("–".to_owned(), |share| format!("{}%", number((share * 1e4).round() / 1e2)))
    };
    vec![
        or_dash(UtilityAxis::Loss.of(figures)),
        grouped(figures.measured.classes as i64),
        grouped(figures.suppressed as i64),
        percent(figures.risk.map(|(highest, _)| highest)),
        percent(figures.exposed()),
        percent(figures.accuracy().map(|(release, _)| release)),
        format!("{:.2}", figures.seconds),
    ]
}

fn figures_json(figures: &Figures) -> Map<String, Value> {
    let objectives: Map<String, Value> =
        figures.objectives.iter().map(|(id, value)| ((*id).to_owned(), json!(value))).collect();
    let exposed: Map<String, Value> = ATTACKS
        .iter()
        .filter_map(|entry| Some((entry.item.id().to_owned(), json!(figures.exposed_by(entry.item.id())?))))
        .collect();
    let learned = figures.learned.iter().map(|learned| {
        json!({
            "learner": learned.learner,
            "target": learned.target,
            "release": learned.release,
            "original": learned.original,
            "majority": learned.majority,
            "tested_rows": learned.tested,
            "held_out": true,
        })
    });
    let json = json!({
        "objectives": objectives,
        "loss": UtilityAxis::Loss.of(figures),
        "released_rows": figures.released,
        "suppressed_rows": figures.suppressed,
        "classes": figures.measured.classes,
        "class_size": { "min": figures.measured.smallest, "max": figures.measured.largest },
        "requirements": figures.requirements,
        "highest_risk": figures.risk.map(|(highest, _)| highest),
        "average_risk": figures.risk.map(|(_, average)| average),
        "exposed_share": figures.exposed(),
        "exposed_records": exposed,
        "accuracy": figures.accuracy().map(|(release, _)| release),
        "original_accuracy": figures.accuracy().map(|(_, original)| original),
        "learners": learned.collect::<Vec<Value>>(),
        "not_learned": figures.not_learned,
        "seconds": figures.seconds,
    });
    match json {
        Value::Object(keys) => keys,
        _ => Map::new(),
    }
}
