//! Which other methods could find classes?

use super::Asked;
use super::change::{About, Change, ChangeKind, Ladder};
use crate::policy::Setting;
use shoal_core::method::best::{Contender, contenders};

/// Each other way whose loss can be compared.
pub(super) fn others(asked: &Asked<'_>) -> Vec<Ladder> {
    let policy = &asked.study.policy().method;
    if !policy.method.is_comparable() {
        return Vec::new();
    }
    let is_other = |way: &Contender| {
        way.method.id() != policy.method.id() || way.method.showing(policy.style) != policy.method.showing(policy.style)
    };
    let change = |way: Contender| {
        let id = way.method.id();
        let name = (id != policy.method.id()).then(|| Setting::new("method", id));
        let keys = way.keys.iter().map(|(key, value)| Setting::new(format!("method.{key}"), *value));
        let what = format!("{} instead of {}", way.name, policy.method.id());
        let settings = name.into_iter().chain(keys).collect();
        vec![Change { kind: ChangeKind::OtherMethod, what, settings, about: About::Method }]
    };
    contenders().into_iter().filter(is_other).map(change).collect()
}
