//! At which of the combinations of levels that show the same would a run have released just these rows?

use shoal_core::frequency::{CountedTable, Generalization, TableProfile};
use shoal_core::lattice::Node;
use shoal_core::model::{Requirement, releasable};

/// Those of some nodes at which a run releases as many rows of a table as were released; all of them if there is none.
///
/// Every one of the nodes shows the classes of the release as they are. At some, others may satisfy the requirements, too: a run
/// would have released these as well, and so it did not take that node.
pub(super) fn as_a_run_releases(
    nodes: Vec<Node>,
    table: &CountedTable,
    requirements: &[Requirement],
    released: u64,
) -> Vec<Node> {
    let generalization = Generalization::new(table.quasi.iter().map(|column| &column.hierarchy));
    let input = TableProfile::of_input(&table.sensitive, table.rows);
    let releases_as_many = |node: &&Node| {
        let set = generalization.roll_up(&table.base, &table.ungeneralized(), node);
        let accepted = releasable(requirements, &table.sensitive, &set, &input);
        let sizes = set.sizes().iter().zip(accepted).filter(|(_, accepted)| *accepted).map(|(size, _)| size);
        sizes.sum::<u64>() == released
    };
    let possible: Vec<Node> = nodes.iter().filter(releases_as_many).cloned().collect();
    if possible.is_empty() { nodes } else { possible }
}
