//! In which cell of degrees does a coordinate lie?

use rust_decimal::Decimal;

use super::{Cell, KnownHierarchy};

/// # Coordinates
///
/// **Definition.** Latitudes or longitudes in degrees, one of them in a column, as cells of ever more degrees.
/// **Levels.** `hundredth` (`[52.52, 52.53)`, about 1.1 km from south to north), `tenth` (11 km), `degree` (111 km), `ten-degrees` (1,110 km).
/// From west to east a cell is narrower the farther it is from the equator.
/// **Values.** Numbers from -180 to 180, as the other numbers of the column are written. Where both coordinates of a place stand in one column, they have to be
/// taken apart.
/// **Source.** Arithmetic; the same as `{ intervals = [0.01, 0.1, 1, 10] }`, but that it refuses what is no coordinate.
/// **Example.** `52.5200` is `[52.52, 52.53)` in `[52.5, 52.6)` in `[52, 53)` in `[50, 60)`.
/// ```toml
/// hierarchy = { known = "coordinates" }
/// ```
#[derive(Debug)]
pub(super) struct Coordinates;

impl KnownHierarchy for Coordinates {
    fn id(&self) -> &'static str {
        "coordinates"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["hundredth", "tenth", "degree", "ten-degrees"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let degrees = cell.number().filter(|degrees| degrees.abs() <= Decimal::from(180))?;
        let widths = [Decimal::new(1, 2), Decimal::new(1, 1), Decimal::ONE, Decimal::TEN];
        let label = |width: Decimal| {
            // A remainder is exact where a quotient would be rounded.
            let rest = degrees % width;
            let rest = if rest < Decimal::ZERO { rest + width } else { rest };
            let written = |number: Decimal| cell.column_type.write_exactly(number);
            let (from, below) = (written(degrees - rest), written(degrees - rest + width));
            format!("[{})", cell.column_type.write_ends(&from, &below))
        };
        Some(widths.map(label).to_vec())
    }

    fn examples(&self) -> &'static [&'static str] {
        &["52.5200", "-0.1276", "180"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["lat", "lon", "lng", "long", "latitude", "longitude", "breitengrad", "laengengrad", "langengrad"]
    }

    fn is_distinctive(&self, _: &str) -> bool {
        false
    }

    fn is_of_numbers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;

    #[test]
    fn coordinates_lie_in_cells() {
        assert_eq!(path("coordinates", "52.5200"), ["[52.52, 52.53)", "[52.5, 52.6)", "[52, 53)", "[50, 60)"]);
        assert_eq!(path("coordinates", "-0.1276"), ["[-0.13, -0.12)", "[-0.2, -0.1)", "[-1, 0)", "[-10, 0)"]);
        assert_eq!(path("coordinates", "0"), ["[0, 0.01)", "[0, 0.1)", "[0, 1)", "[0, 10)"]);
        assert_eq!(path("coordinates", "180")[3], "[180, 190)");
        for value in ["", "180.1", "-181", "52,52", "52.5, 13.4", "Berlin"] {
            assert_eq!(path("coordinates", value), [""; 0], "{value}");
        }
    }
}
