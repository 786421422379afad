//! In which larger cell does a geohash lie?

use super::{Cell, KnownHierarchy};

/// # Geohash
///
/// **Definition.** Cells of the surface of the earth, each of whose characters divides it further.
/// **Levels.** `6`, `5`, `4`, `3`, `2`, `1`: the first so many characters. At the equator such a cell is about 1.2 km, 4.9 km, 39 km, 156 km,
/// 1,250 km and 5,000 km wide. A shorter geohash has its own name below the level that it stands on.
/// **Values.** Up to twelve characters: digits and letters without a, i, l and o.
/// **Source.** The structure of the code, which is in the public domain.
/// **Example.** `u33dc0c` is `u33dc0` in `u33dc` in `u33d` in `u33` in `u3` in `u`.
/// ```toml
/// hierarchy = { known = { name = "geohash", levels = ["5", "4", "3"] } }
/// ```
#[derive(Debug)]
pub(super) struct Geohash;

impl KnownHierarchy for Geohash {
    fn id(&self) -> &'static str {
        "geohash"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["6", "5", "4", "3", "2", "1"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let code = cell.text.to_ascii_lowercase();
        let is_code = (1..=12).contains(&code.len())
            && code.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase() && !b"ailo".contains(&byte));
        is_code.then(|| [6, 5, 4, 3, 2, 1].map(|shown| code[..code.len().min(shown)].to_owned()).to_vec())
    }

    fn examples(&self) -> &'static [&'static str] {
        &["u33dc0c", "9q8yyk8ytpxr", "EZS42"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["geohash*", "geo hash"]
    }

    /// Only its name tells it from other codes.
    fn is_distinctive(&self, _: &str) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;

    #[test]
    fn cells_lie_in_larger_ones() {
        assert_eq!(path("geohash", "u33dc0c"), ["u33dc0", "u33dc", "u33d", "u33", "u3", "u"]);
        assert_eq!(path("geohash", "EZS42"), ["ezs42", "ezs42", "ezs4", "ezs", "ez", "e"]);
        for value in ["", "u33a", "u33dc0cu33dc0", "u 3", "é"] {
            assert_eq!(path("geohash", value), [""; 0], "{value}");
        }
    }
}
