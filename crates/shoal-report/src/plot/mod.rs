//! How is a figure drawn so that it can be read on paper, in the dark, on a telephone and by a screen reader?
//!
//! Each kind of figure is one file. A drawing has no colours of its own: it refers to the variables of the page it stands on
//! (`--original`, `--original-open`, `--release`, `--heat-0` to `--heat-10`, `--ink`, `--line`), which differ between light and dark. What it shows it also says, in a
//! title and a description.

mod bars;
mod frontier;
mod hasse;
mod heat_map;
mod histogram;
mod svg;

pub use bars::{Bars, Series};
pub use frontier::{Frontier, Point};
pub use hasse::{Hasse, Mark};
pub use heat_map::HeatMap;
pub use histogram::Histogram;
pub(crate) use svg::escaped;
pub use svg::{COLOURS, Caption, Svg};
