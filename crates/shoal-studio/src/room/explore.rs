//! Which releases could be had, of which none beats another in risk and loss at once?

use shoal::compare::{Point, PrivacyAxis, UtilityAxis, mark_frontier};
use shoal::{Error, PolicyDocument, Result, Setting, Watch};
use shoal_core::objective::{Loss, Objective};

use super::finite;
use crate::studio::{Asked, Studio};
use crate::wire::{self, Explore, Problem, SettingWords, WorkKind};
use crate::work::Run;

/// More combinations are not tried in one go.
const MOST_POINTS: usize = 200;

/// Tries one policy after the other; points are told as they come.
pub fn explore(studio: &Studio, wanted: &Explore, run: &Run<'_, wire::Explored>) -> Result<wire::Explored> {
    let asked = studio.asked()?;
    let variants = variants(&asked, wanted)?;
    let watch: &dyn Watch = run.progress.as_ref();
    let (of, mut points) = (variants.len() as u64, Vec::new());
    for settings in variants {
        watch.proceed()?;
        points.push(point(studio, &asked, settings, watch)?);
        mark_frontier(&mut points, PrivacyAxis::HighestRisk, UtilityAxis::Loss);
        run.so_far(wire::Explored { points: points.iter().map(shown).collect(), of });
        studio.tell_work(WorkKind::Explore);
    }
    Ok(wire::Explored { points: points.iter().map(shown).collect(), of })
}

/// The policy itself, and every combination of what is varied.
fn variants(asked: &Asked, wanted: &Explore) -> Result<Vec<Vec<Setting>>> {
    let settings = |key: &str, values: &mut dyn Iterator<Item = String>| -> Vec<Option<Setting>> {
        let all: Vec<_> = values.map(|value| Some(Setting::new(key, value))).collect();
        if all.is_empty() { vec![None] } else { all }
    };
    let k = settings("k", &mut wanted.k.iter().map(u64::to_string));
    let methods = settings("method", &mut wanted.methods.iter().cloned());
    let suppressed = settings("max-suppressed", &mut wanted.max_suppressed.iter().cloned());
    let mut all: Vec<Vec<Setting>> = vec![Vec::new()];
    for method in &methods {
        for suppressed in &suppressed {
            for k in &k {
                let these: Vec<Setting> = [k, method, suppressed].into_iter().flatten().cloned().collect();
                if !all.contains(&these) {
                    all.push(these);
                }
            }
        }
    }
    if all.len() > MOST_POINTS {
        return Err(Error::policy(format!(
            "these are {} combinations, and {MOST_POINTS} are tried at most",
            all.len()
        ))
        .hint("vary fewer things at once"));
    }
    // What would be refused at the last of them is refused before the first.
    let document = PolicyDocument::of(&asked.policy, "the policy")?;
    all.iter().try_for_each(|settings| document.clone().with(settings)?.policy().map(drop))?;
    Ok(all)
}

fn point(studio: &Studio, asked: &Asked, settings: Vec<Setting>, watch: &dyn Watch) -> Result<Point> {
    let policy = PolicyDocument::of(&asked.policy, "the policy")?.with(&settings)?.policy()?;
    let study = studio.study(&policy, watch)?;
    Point::of(&study, asked.file.clone(), settings, watch)
}

fn shown(point: &Point) -> wire::Point {
    let figures = point.release.as_ref().ok();
    let words = |setting: &Setting| SettingWords { key: setting.key().to_owned(), value: setting.value().to_owned() };
    wire::Point {
        settings: point.settings.iter().map(words).collect(),
        label: if point.settings.is_empty() { "the policy as it is".to_owned() } else { point.label(false) },
        method: point.method.to_owned(),
        highest_risk: figures.and_then(|figures| PrivacyAxis::HighestRisk.of(figures)),
        average_risk: figures.and_then(|figures| PrivacyAxis::AverageRisk.of(figures)),
        exposed: figures.and_then(|figures| PrivacyAxis::Exposed.of(figures)),
        loss: figures.and_then(|figures| UtilityAxis::Loss.of(figures)).and_then(finite),
        figures: figures.map(|figures| wire::Figures {
            objective_value: figures.objective(Loss.id()).and_then(finite),
            released_rows: figures.released,
            suppressed_rows: figures.suppressed,
            classes: figures.measured.classes,
        }),
        is_on_frontier: point.is_on_frontier,
        problem: point.release.as_ref().err().map(Problem::from),
    }
}
