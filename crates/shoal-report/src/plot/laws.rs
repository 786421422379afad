//! Whatever is drawn: is every mark on the plot, every text on the drawing, and none on another?

use proptest::collection::vec;
use proptest::prelude::*;

use super::seen::{Seen, WRITTEN, wider};
use super::*;

fn caption() -> Caption {
    Caption::new("x", "title <", "what & how")
}

/// Checks what every drawing promises, and returns what is seen.
fn seen(svg: &Svg) -> Seen {
    let markup = svg.markup();
    assert!(!markup.contains("NaN") && !markup.contains("inf\""), "{markup}");
    let is_allowed = |character: char| !character.is_control() && !['\u{fffe}', '\u{ffff}'].contains(&character);
    assert!(markup.chars().all(is_allowed), "{markup:?}");
    assert_is_markup_of_ours(markup);
    // All colours are the page's.
    for paint in ["fill=\"", "stroke=\""].iter().flat_map(|name| markup.split(name).skip(1)) {
        assert!(paint.starts_with("var(--"), "{paint}");
    }
    let seen = Seen::of(markup);
    let view = wider(&seen.view, WRITTEN);
    for (area, text) in seen.texts.iter().chain(&seen.slanted) {
        assert!(view.holds(area), "{text:?} at {area:?} leaves {view:?}");
    }
    for (mark, _) in &seen.marks {
        assert!(view.holds(mark), "{mark:?} leaves {view:?}");
    }
    assert!(seen.covered().is_empty(), "{:?}", seen.covered());
    for pair in seen.slanted.windows(2) {
        let apart = (pair[1].0.right - pair[0].0.right) * super::text::SLANT.to_radians().sin();
        assert!(apart >= 12.0, "slanted lines are {apart} apart");
    }
    seen
}

/// Are there no elements but those that drawings consist of, each of them closed, and no `<` or `&` that a name brought along?
fn assert_is_markup_of_ours(markup: &str) {
    let mut open = Vec::new();
    for tag in markup.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("the end of a tag");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("the name of a tag");
        assert!(["svg", "title", "desc", "g", "rect", "circle", "path", "text"].contains(&name), "<{tag}>");
        match () {
            () if tag.starts_with('/') => assert_eq!(open.pop(), Some(name)),
            () if tag.ends_with('/') => {}
            () => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?} are open");
    for entity in markup.split('&').skip(1) {
        assert!(["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|known| entity.starts_with(known)), "&{entity}");
    }
}

/// Is every mark on the plot, but for those of a legend above it?
fn assert_marks_are_on_the_plot(seen: &Seen) {
    let plot = wider(&seen.grid.expect("a grid"), WRITTEN);
    for (mark, _) in seen.marks.iter().filter(|(mark, _)| mark.bottom > plot.top) {
        assert!(plot.holds(mark), "{mark:?} leaves {plot:?}");
    }
}

/// Names as tables have them, and as nobody should.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,12}", "[A-Z][a-z]{2,9} [a-z]{3,40}", "\\PC{0,40}", "[<>&\"'\u{0}-\u{1f}\u{ffff}]{1,5}"]
}

fn share() -> impl Strategy<Value = f64> {
    prop_oneof![8 => 0.0..1.0, 1 => Just(0.0), 1 => Just(1.0), 1 => 0.0..1e-6, 1 => Just(f64::NAN), 1 => any::<f64>()]
}

fn bars() -> impl Strategy<Value = Bars> {
    (vec(name(), 0..20), any::<bool>(), any::<bool>()).prop_flat_map(|(labels, has_original, is_open)| {
        let shares = || vec(share(), labels.len());
        (Just(labels.clone()), shares(), shares(), shares()).prop_map(move |(labels, after, before, most)| {
            let mut series = vec![Series { colour: "--release", shares: after, at_most: None }];
            if has_original {
                let at_most = is_open.then_some(("--original-open", most));
                series.insert(0, Series { colour: "--original", shares: before, at_most });
            }
            Bars { labels, series }
        })
    })
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![0..20u64, 0..100_000u64, any::<u64>()]
}

fn point() -> impl Strategy<Value = Point> {
    let place = || prop_oneof![0.0..1.0, (0u8..4).prop_map(|at| f64::from(at) / 4.0), 1e-6..1.0, any::<f64>()];
    (name(), place(), place(), any::<bool>()).prop_map(|(label, x, y, is_on_frontier)| Point {
        label,
        x,
        y,
        is_on_frontier,
    })
}

fn lattice() -> impl Strategy<Value = Hasse> {
    let mark = || {
        proptest::option::of(prop_oneof![
            Just(Mark::Fails),
            Just(Mark::Satisfies),
            Just(Mark::Minimal),
            Just(Mark::Chosen)
        ])
    };
    vec(0..4u8, 0..4).prop_flat_map(move |tops| {
        let above = |below: Vec<Vec<u8>>, top: &u8| {
            let with = |levels: Vec<u8>| (0..=*top).map(move |level| [levels.clone(), vec![level]].concat());
            below.into_iter().flat_map(with).collect()
        };
        let nodes: Vec<Vec<u8>> = tops.iter().fold(vec![Vec::new()], above);
        let marks = vec(mark(), nodes.len());
        (Just(nodes), marks).prop_map(|(nodes, marks)| {
            let node = |(levels, mark)| HasseNode { levels, mark };
            Hasse { nodes: nodes.into_iter().zip(marks).map(node).collect() }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn bars_stay_on_their_plot(bars in bars()) {
        let seen = seen(&bars.to_svg(&caption()));
        if !bars.labels.is_empty() {
            assert_marks_are_on_the_plot(&seen);
        }
        let drawn = bars.series.iter().flat_map(|series| {
            series.shares.iter().chain(series.at_most.iter().flat_map(|(_, shares)| shares))
        });
        prop_assert_eq!(seen.marks.len(), drawn.filter(|&&share| share > 0.0).count());
    }

    #[test]
    fn histograms_stay_on_their_plot(bins in vec((name(), count()), 0..40), marked in proptest::option::of(0..40usize)) {
        let some = bins.iter().filter(|(_, count)| *count > 0).count();
        let histogram = Histogram { x_label: "size of the class".into(), y_label: "records".into(), bins, marked };
        let seen = seen(&histogram.to_svg(&caption()));
        assert_marks_are_on_the_plot(&seen);
        prop_assert_eq!(seen.marks.len(), some);
        let ((title, _), others) = seen.texts.split_last().expect("the title of an axis");
        prop_assert!(others.iter().chain(&seen.slanted).all(|(area, _)| area.bottom <= title.top));
    }

    #[test]
    fn heat_maps_have_a_cell_for_each_number(columns in vec(name(), 0..14), values in vec(vec(share(), 14), 14)) {
        let known = values.iter().take(columns.len()).flat_map(|row| &row[..columns.len()]);
        let known = known.filter(|value| !value.is_nan()).count();
        let seen = seen(&HeatMap { columns, values: values.clone() }.to_svg(&caption()));
        prop_assert_eq!(seen.marks.len(), known);
    }

    #[test]
    fn points_stay_on_their_plot_and_names_cover_nothing(points in vec(point(), 0..25)) {
        let frontier = Frontier { x_label: "risk".into(), y_label: "loss".into(), points };
        let seen = seen(&frontier.to_svg(&caption()));
        assert_marks_are_on_the_plot(&seen);
        for (name, text) in &seen.texts {
            prop_assert!(!seen.marks.iter().any(|(mark, _)| wider(mark, -WRITTEN).meets(name)), "{} covers a mark", text);
        }
    }

    #[test]
    fn the_boxes_of_a_lattice_stand_apart(lattice in lattice()) {
        let seen = seen(&lattice.to_svg(&caption()));
        prop_assert_eq!(seen.marks.len(), lattice.nodes.len());
        for (at, (one, _)) in seen.marks.iter().enumerate() {
            prop_assert!(!seen.marks[..at].iter().any(|(other, _)| wider(one, 2.0).meets(other)));
        }
        for ((node, _), (name, text)) in seen.marks.iter().zip(&seen.texts) {
            prop_assert!(node.holds(name), "{} leaves its box", text);
        }
    }
}

#[test]
fn two_hundred_bars_are_all_drawn() {
    let labels: Vec<String> = (0..200).map(|at| format!("label number {at}")).collect();
    let shares = vec![0.005; 200];
    let bars = Bars { labels, series: vec![Series { colour: "--release", shares, at_most: None }] };
    let drawn = seen(&bars.to_svg(&caption()));
    assert_eq!((drawn.marks.len(), drawn.texts.len()), (200, 206), "all labels, and 0 to 0.5 percent");
    assert_marks_are_on_the_plot(&drawn);
    let bins = (0..200).map(|at| (at.to_string(), 5)).collect();
    let histogram = Histogram { x_label: "size".into(), y_label: "records".into(), bins, marked: Some(3) };
    let drawn = seen(&histogram.to_svg(&caption()));
    assert_eq!(drawn.marks.len(), 200);
    assert!(drawn.slanted.len() < 30, "names that have no room are left out: {}", drawn.slanted.len());
}

#[test]
fn nothing_is_drawn_of_nothing() {
    let bars = Bars { labels: Vec::new(), series: Vec::new() };
    let histogram = Histogram { x_label: "size".into(), y_label: "records".into(), bins: Vec::new(), marked: None };
    let map = HeatMap { columns: Vec::new(), values: Vec::new() };
    let frontier = Frontier { x_label: "risk".into(), y_label: "loss".into(), points: Vec::new() };
    let lattice = Hasse { nodes: Vec::new() };
    let caption = caption();
    for svg in [
        bars.to_svg(&caption),
        histogram.to_svg(&caption),
        map.to_svg(&caption),
        frontier.to_svg(&caption),
        lattice.to_svg(&caption),
    ] {
        assert!(seen(&svg).marks.is_empty());
    }
}

#[test]
fn the_same_is_drawn_the_same_way() {
    let map = || HeatMap { columns: vec!["a".into(), "b".into()], values: vec![vec![1.0, 1.0 / 3.0]; 2] };
    assert_eq!(map().to_svg(&caption()), map().to_svg(&caption()));
}
