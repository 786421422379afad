//! How do columns of words and numbers line up on a terminal?

use shoal_core::printable;

/// A table of text; numbers stand to the right.
#[derive(Debug, Default)]
pub struct Grid {
    rows: Vec<Vec<String>>,
    right: Vec<usize>,
}

impl Grid {
    /// A grid with a header; the columns at these places stand to the right.
    pub fn new(header: &[&str], right: &[usize]) -> Self {
        Self {
            rows: vec![header.iter().map(|cell| printable::line(cell).into_owned()).collect()],
            right: right.to_vec(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        // What is made visible is wider, so that it has to be before columns line up.
        self.rows.push(cells.iter().map(|cell| printable::line(cell).into_owned()).collect());
    }

    /// The lines, two spaces between columns, nothing at their ends.
    pub fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width_of = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width_of).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let space = " ".repeat(widths[column] - cell.chars().count());
                let padded = if self.right.contains(&column) { space + cell } else { cell.clone() + &space };
                line += &padded;
                line += "  ";
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut grid = Grid::new(&["name", "n"], &[1]);
        grid.row(vec!["long name".into(), "5".into()]);
        grid.row(vec!["é".into(), "500".into()]);
        assert_eq!(grid.render(), "name         n\nlong name    5\né          500\n");
    }
}
