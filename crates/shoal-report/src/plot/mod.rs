//! How is a figure drawn so that it can be read on paper, in the dark, on a telephone and by a screen reader?
//!
//! Each kind of figure is one file: plain data that becomes an [`Svg`]. They share where numbers stand (`scale`), where names stand
//! (`band`), what is written beside and below (`axis`), what a text looks like (`text`) and how wide it is (`letters`). A drawing has no colours of its own: it refers to
//! the variables of the page it stands on (`--original`, `--original-open`, `--release`, `--heat-0` to `--heat-10`, `--ink`, `--soft`,
//! `--line`, `--paper`), which differ between light and dark. What it shows it also says, in a title and a description.

mod area;
mod axis;
mod band;
mod bars;
mod frontier;
mod hasse;
mod heat_map;
mod histogram;
#[cfg(test)]
mod laws;
mod letters;
mod point_names;
mod scale;
#[cfg(test)]
mod seen;
mod spot;
mod svg;
mod text;

pub use bars::{Bars, Series};
pub use frontier::{Frontier, Point};
pub use hasse::{Hasse, HasseNode, Mark};
pub use heat_map::HeatMap;
pub use histogram::Histogram;
pub(crate) use scale::round_step;
pub use svg::{COLOURS, Caption, Svg};
pub(crate) use text::escaped;
