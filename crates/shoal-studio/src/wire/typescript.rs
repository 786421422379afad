//! Is what the page is written against still what the server says?

use std::path::Path;

use ts_rs::{Config, TS};

use super::*;

/// All types, in the order of the file.
fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    macro_rules! all {
        ($($name:ty),* $(,)?) => { vec![$(<$name as TS>::decl(&config)),*] };
    }
    let declared = all![
        Problem,
        Desk,
        TableInfo,
        Combination,
        ColumnInfo,
        RequirementInfo,
        MethodInfo,
        Rows,
        Bar,
        Distribution,
        Definitions,
        Named,
        Model,
        Parameter,
        NumberKind,
        Page,
        Promise,
        Promises,
        HierarchyShown,
        LevelShown,
        LevelsTried,
        WhyNot,
        Figures,
        LatticeInfo,
        LatticeColumn,
        Open,
        Edit,
        SettingWords,
        ColumnLevel,
        Explore,
        Publish,
        Work<Explored>,
        Status,
        Event,
        WorkKind,
        Explored,
        Point,
        Advised,
        Change,
        Solutions,
        Solution,
        Candidate,
        Measure,
        ColumnAfter,
        RiskShown,
        Attack,
        BeforeAfter,
        Learned,
        Classes,
        ClassShown,
        PairsOfRows,
        PairOfRows,
        Published,
        PublishedFile,
        PublishPlan,
        FileEntry,
    ];
    let lines = declared.into_iter().map(|declaration| format!("export {declaration}\n"));
    format!(
        "// Made from crates/shoal-studio/src/wire by its tests: SHOAL_RECORD=1 writes it anew.\n\n{}",
        lines.collect::<String>()
    )
}

#[test]
fn the_page_knows_the_types_of_the_server() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studio/src/wire.ts");
    let declared = declarations();
    if std::env::var_os("SHOAL_RECORD").is_some() {
        std::fs::write(&path, &declared).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == declared, "{} is stale: run this test with SHOAL_RECORD=1", path.display());
}
