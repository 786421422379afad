//! What could be promised, and what does the table as it is promise?

use serde_json::Value;
use shoal::policy::{Key, key_pages, keys, pages as policy_pages};
use shoal::{Error, Result, Watch, attack, risk, utility};
use shoal_core::frequency::TableProfile;
use shoal_core::hierarchy::known;
use shoal_core::listed::pages;
use shoal_core::method::Suppress;
use shoal_core::model::{DEFINITIONS, Scope};
use shoal_core::{method, model, objective, page};

use super::promised;
use crate::studio::Studio;
use crate::wire::{self, NumberKind, PageWanted, Parameter, Promises};
use crate::work::Progress;

/// Everything that a policy can name.
pub fn definitions() -> wire::Definitions {
    let named = |(id, page): (&str, page::Page)| wire::Named { id: id.to_owned(), title: page.title };
    wire::Definitions {
        models: models(),
        methods: pages(method::METHODS).into_iter().map(named).collect(),
        objectives: pages(objective::OBJECTIVES).into_iter().map(named).collect(),
    }
}

/// Everything that could be required.
fn models() -> Vec<wire::Model> {
    let keys = keys();
    let model = |entry: &shoal_core::listed::Listed<model::Definition>| {
        let own = keys.iter().filter(|key| key.section == "require" && key.of.as_deref() == Some(entry.id));
        let own =
            own.filter(|key| !key.name.contains('.') && !["model", "column", "among"].contains(&key.name.as_str()));
        let among = keys.iter().filter(|key| key.section == "require" && key.name == "among");
        let among = among.take(usize::from(entry.scope == Scope::Diversity));
        wire::Model {
            id: entry.id.to_owned(),
            title: entry.page().title,
            summary: entry.page().summary(),
            needs_column: entry.scope != Scope::Table,
            parameters: own.chain(among).map(parameter).collect(),
        }
    };
    DEFINITIONS.iter().map(model).collect()
}

fn parameter(key: &Key) -> Parameter {
    let schema = &key.schema;
    let is = |name: &str| match &schema["type"] {
        Value::String(one) => one == name,
        Value::Array(several) => several.iter().any(|one| one == name),
        _ => false,
    };
    let number = match () {
        () if is("integer") => Some(NumberKind::Whole),
        () if is("number") => Some(NumberKind::Any),
        () => None,
    };
    let alternatives = schema["oneOf"].as_array().into_iter().flatten().map(|one| &one["const"]);
    let words = schema["enum"].as_array().into_iter().flatten().chain(alternatives).chain([&schema["const"]]);
    let example = [&schema["default"], &schema["examples"][0]].into_iter().find(|value| !value.is_null());
    Parameter {
        key: key.name.clone(),
        meaning: key.meaning().to_owned(),
        number,
        words: words.filter_map(Value::as_str).map(str::to_owned).collect(),
        minimum: schema["minimum"].as_f64().or(schema["exclusiveMinimum"].as_f64()),
        maximum: schema["maximum"].as_f64().or(schema["exclusiveMaximum"].as_f64()),
        example: example.map(as_written).unwrap_or_default(),
        is_required: key.is_required,
    }
}

/// As somebody would write it in a policy; words need no quotes.
fn as_written(value: &Value) -> String {
    let text = value.as_str().map(str::to_owned);
    text.or_else(|| Some(toml::Value::try_from(value).ok()?.to_string())).unwrap_or_default()
}

/// A page of `shoal explain`.
pub fn explain(wanted: &PageWanted) -> Result<wire::Page> {
    let id = wanted.id.as_str();
    let groups = [
        pages(model::DEFINITIONS),
        pages(objective::OBJECTIVES),
        pages(method::METHODS),
        pages(attack::ATTACKS),
        pages(risk::RISKS),
        pages(utility::MEASURES),
        pages(known::KNOWN),
        policy_pages(),
    ];
    let mut known = groups.into_iter().flatten().map(|(id, page)| (id.to_owned(), page)).chain(key_pages());
    let (id, page::Page { title, text }) =
        known.find(|(known, _)| known == id).ok_or_else(|| Error::policy("there is no such page"))?;
    Ok(wire::Page { id, title, text })
}

/// What the table as it is reaches of what the policy requires.
pub fn promises(studio: &Studio, question: &Progress) -> Result<Promises> {
    let asked = studio.asked()?;
    let study = studio.study_for(&asked.policy, question)?;
    let table = study.table();
    let profile = TableProfile::of_input(&table.sensitive, table.rows);
    let classes = || 0..table.base.classes();
    let watch: &dyn Watch = question;
    let achieved: Vec<_> =
        study.requirements().iter().map(|required| required.achieved(&table.base, classes(), &profile)).collect();
    let mut promises = promised(&asked.policy, study.requirements(), &achieved);
    for (promise, requirement) in promises.iter_mut().zip(study.requirements()) {
        watch.proceed()?;
        let failing = classes().filter(|&class| !requirement.accepts(&table.base.class(class), &profile));
        promise.failing_rows = Some(failing.map(|class| table.base.sizes()[class]).sum());
    }
    let alone = table.base.sizes().iter().filter(|&&size| size == 1).count() as u64;
    let counts_people = asked.policy.method.suppress == Suppress::People;
    let people = table.people.as_ref().filter(|_| counts_people).map(|people| people.count);
    Ok(Promises { rows: table.rows, people, classes: table.base.classes() as u64, alone, promises })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_can_be_written_as_its_example_says() {
        for model in models() {
            for parameter in &model.parameters {
                let has_example = !parameter.example.is_empty();
                assert!(has_example || !parameter.is_required, "{}: {}", model.id, parameter.key);
                let is_word = parameter.words.contains(&parameter.example);
                let parsed = format!("value = {}", parameter.example).parse::<toml::Table>();
                assert!(!has_example || is_word || parsed.is_ok(), "{}: {}", parameter.key, parameter.example);
            }
            let is_diversity =
                DEFINITIONS.iter().any(|entry| entry.id() == model.id && entry.scope == Scope::Diversity);
            let among: Vec<&Parameter> = model.parameters.iter().filter(|one| one.key == "among").collect();
            assert_eq!(among.len(), usize::from(is_diversity), "{}", model.id);
            assert!(among.iter().all(|one| one.words == ["all-sensitive"] && !one.is_required));
        }
        let closeness = models().into_iter().find(|model| model.id == "t-closeness").unwrap();
        let distance = closeness.parameters.iter().find(|one| one.key == "distance").unwrap();
        assert!(!distance.is_required && distance.words.iter().any(|word| word == "ordered"), "{distance:?}");
    }
}
