//! Which two of several columns belong together?

use std::fmt::Write as _;

use super::area::Area;
use super::axis::{Axis, GAP};
use super::band::Band;
use super::svg::{Caption, Px, Svg};

/// Numbers from 0 to 1 for each two of some columns.
#[derive(Debug)]
pub struct HeatMap {
    /// The columns.
    pub columns: Vec<String>,
    /// `[row][column]`, from top to bottom; what is not known is not a number.
    pub values: Vec<Vec<f64>>,
}

/// How wide the name of a column may be.
const ROOM: f64 = 110.0;
/// From one cell to the next, and how much of it is filled.
const CELL: f64 = 31.0;
const FILLED: f64 = 30.0;
/// The size of numbers in cells.
const SMALL: f64 = 10.5;
/// How many shades the page has above none.
const SHADES: usize = 10;

impl HeatMap {
    /// Draws it.
    pub fn to_svg(&self, caption: &Caption) -> Svg {
        let side = self.columns.len() as f64 * CELL;
        let names = |band: &Band| Axis::of_names(self.columns.iter().map(String::as_str), band, ROOM);
        let rows = Band::new(self.columns.len(), 0.0, side);
        let beside = names(&rows);
        let left = beside.width() + GAP;
        let columns = Band::new(self.columns.len(), left, left + side);
        let below = names(&columns).slanted_if_crowded(CELL);
        let area = Area { left, top: 0.0, right: left + side, bottom: side };
        let inside = [self.cells(&rows, &columns), beside.beside(&area), below.below(&area)];
        // Slanted letters reach a little beyond the last column.
        Svg::new(caption, area.right + GAP, side + below.depth(), &inside.concat())
    }

    /// The cells, shade by shade, and the numbers on them.
    fn cells(&self, rows: &Band, columns: &Band) -> String {
        let mut shades = vec![String::new(); SHADES + 1];
        let (mut numbers, mut unknown) = (String::new(), String::new());
        let rows_with_values = self.values.iter().take(self.columns.len()).enumerate();
        for (row, column, value) in rows_with_values.flat_map(|(row, values)| {
            values.iter().take(self.columns.len()).enumerate().map(move |(column, &value)| (row, column, value))
        }) {
            let (x, y) = (columns.middle(column), rows.middle(row));
            let text = |shown: &str| format!("<text x=\"{}\" y=\"{}\">{shown}</text>", Px(x), Px(y + 3.5));
            // Never the shade of a number where there is none.
            if value.is_nan() {
                unknown += &text("–");
                continue;
            }
            let value = value.clamp(0.0, 1.0);
            let [left, top, size] = [x - FILLED / 2.0, y - FILLED / 2.0, FILLED].map(Px);
            let shade = &mut shades[(value * SHADES as f64).round() as usize];
            // Writing to a text cannot fail.
            let _ = write!(shade, "<rect x=\"{left}\" y=\"{top}\" width=\"{size}\" height=\"{size}\"/>");
            numbers += &text(&format!("{value:.2}"));
        }
        let filled = shades.iter().enumerate().filter(|(_, cells)| !cells.is_empty());
        let filled = filled.map(|(shade, cells)| format!("<g fill=\"var(--heat-{shade})\">{cells}</g>"));
        let texts = [("--ink", numbers), ("--soft", unknown)].map(|(colour, texts)| {
            format!("<g font-size=\"{SMALL}\" fill=\"var({colour})\" text-anchor=\"middle\">{texts}</g>")
        });
        filled.chain(texts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::seen::Seen;
    use super::*;

    #[test]
    fn every_cell_has_its_shade_and_its_number() {
        let columns = vec!["age".to_owned(), "zip".to_owned()];
        let map = HeatMap { columns, values: vec![vec![1.0, 0.26], vec![f64::NAN, 7.0]] };
        let seen = Seen::of(map.to_svg(&Caption::new("x", "", "")).markup());
        assert_eq!((seen.marks_of("--heat-10").len(), seen.marks_of("--heat-3").len()), (2, 1));
        let place = seen.marks_of("--heat-3")[0];
        assert_eq!((place.top, place.right - place.left), (0.5, 30.0));
        assert!(seen.says("0.26") && seen.says("1.00"));
        assert!(seen.says("–") && !seen.says("0.00") && seen.marks.len() == 3, "what is not known is no number");
    }

    #[test]
    fn two_maps_mean_the_same_by_a_shade() {
        let map = |value: f64| HeatMap { columns: vec!["a".to_owned()], values: vec![vec![value]] };
        let shade = |value: f64| Seen::of(map(value).to_svg(&Caption::new("x", "", "")).markup()).marks[0].1.clone();
        assert_eq!(
            [0.0, 0.04, 0.5, 0.96, 1.0].map(shade),
            ["--heat-0", "--heat-0", "--heat-5", "--heat-10", "--heat-10"]
        );
    }
}
