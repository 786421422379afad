//! Do the pages cite sections that the papers have, and the ones that they mean?

use shoal::{attack, utility};
use shoal_core::{method, model, objective};

/// The sections of the papers, as their tables of contents have them.
const PAPERS: [(&str, &str); 5] = [
    ("Machanavajjhala et al. 2006", "1 1.1 1.2 2 3 3.1 3.2 3.3 4 4.1 4.2 4.3 4.4 5 6 7 8"),
    ("Li, Li and Venkatasubramanian 2007", "1 2 3 4 5 5.1 5.2 5.3 6 7 8"),
    ("Tian and Zhang", "I II III III.A III.B III.C III.D IV IV.A IV.B V"),
    ("Wang and Shi", "1 2 3 3.1 3.2 3.3 3.4 4 5 6"),
    ("Domingo-Ferrer and Torra 2008", "1 2 3 4 5 6"),
];

fn references() -> Vec<(&'static str, String)> {
    let models = model::DEFINITIONS.iter().map(|entry| (entry.id(), entry.page().text));
    let attacks = attack::ATTACKS.iter().map(|entry| (entry.item.id(), entry.page().text));
    let methods = method::METHODS.iter().map(|entry| (entry.id(), entry.page().text));
    let objectives = objective::OBJECTIVES.iter().map(|entry| (entry.item.id(), entry.page().text));
    let measures = utility::MEASURES.iter().map(|entry| (entry.id(), entry.page().text));
    models.chain(attacks).chain(methods).chain(objectives).chain(measures).collect()
}

#[test]
fn sections_exist() {
    for (id, page) in references() {
        for work in page.split(';') {
            let Some((_, sections)) = PAPERS.iter().find(|(paper, _)| work.contains(paper)) else { continue };
            for cited in work.split("section ").skip(1) {
                let section = cited.split([' ', ',', ';', '\n']).next().unwrap().trim_end_matches('.');
                assert!(sections.split(' ').any(|known| known == section), "{id} cites section {section}: {work}");
            }
        }
    }
}

#[test]
fn definitions_are_where_the_pages_say() {
    let page = |wanted: &str| references().into_iter().find(|(id, _)| *id == wanted).unwrap().1;
    assert!(page("p-sensitive-k-anonymity").contains("Domingo-Ferrer and Torra 2008, section 3."));
    assert!(page("alpha-k-anonymity").contains("Domingo-Ferrer and Torra 2008, section 4."));
    assert!(page("epsilon-m-anonymity").contains("(a,d)-diversity, section 1."));
}
