//! Which two changes would give a release, where no single one does?

use super::Advice;
use super::change::{About, Change, ChangeKind, Ladder};
use super::trial::{Outcome, Trials};
use shoal_core::Result;

/// Tries every two changes of different things: as far as each can go, and, where that is enough, how little is.
pub(super) fn try_pairs(ladders: &[Ladder], trials: &Trials<'_>, advice: &mut Advice) -> Result<()> {
    for (place, one) in ladders.iter().enumerate() {
        for other in &ladders[place + 1..] {
            let (Some(far), Some(other_far)) = (one.last(), other.last()) else { continue };
            if far.about == other_far.about {
                continue;
            }
            match trials.run(&far.and(other_far))? {
                Outcome::NoRelease(_) => {}
                Outcome::OutOfTime => {
                    advice.not_tried.push(rest());
                    return Ok(());
                }
                Outcome::Release(_) => {
                    let Some((near, _)) = nearest(one, trials, |change| change.and(other_far))? else { continue };
                    let Some((_, found)) = nearest(other, trials, |change| near.and(change))? else { continue };
                    advice.possible(found.0, found.1);
                }
            }
        }
    }
    Ok(())
}

type Found = (Change, super::prospect::Prospect);

/// The nearest step of a ladder that gives a release together with another change.
fn nearest<'a>(
    ladder: &'a Ladder,
    trials: &Trials<'_>,
    with: impl Fn(&Change) -> Change,
) -> Result<Option<(&'a Change, Found)>> {
    for change in ladder {
        let both = with(change);
        match trials.run(&both)? {
            Outcome::Release(figures) => return Ok(Some((change, (both, figures)))),
            Outcome::NoRelease(_) => {}
            Outcome::OutOfTime => return Ok(None),
        }
    }
    Ok(None)
}

fn rest() -> Change {
    let what = "further pairs of changes".to_owned();
    Change { kind: ChangeKind::Two, what, settings: Vec::new(), about: About::Several }
}
