//! Do values say where something is, in degrees?

/// With fewer decimals a coordinate is some hundred metres wide, and any measure may look like it.
const DECIMALS: usize = 3;

/// Fewer values say nothing.
const FEWEST: usize = 10;

/// Are both coordinates of a place in one value: `52.5200, 13.4050` or `POINT (13.4050 52.5200)`?
pub(super) fn is_place(value: &str) -> bool {
    let bare = value.trim();
    let bare = bare.strip_prefix("POINT").unwrap_or(bare).trim().trim_start_matches('(').trim_end_matches(')');
    let parts: Vec<&str> = bare.split([',', ';', ' ']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let [one, other] = parts[..] else { return false };
    let [Some(one), Some(other)] = [one, other].map(degrees) else { return false };
    one.abs() <= 180.0 && other.abs() <= 180.0 && one.abs().min(other.abs()) <= 90.0
}

/// Could the values of two columns that stand side by side be the coordinates of places? All are numbers with several decimals,
/// those of one column from -90 to 90 and those of the other from -180 to 180; shares and scores, which go to 1, are none.
pub fn could_be<'a>(one: impl Iterator<Item = &'a str> + Clone, other: impl Iterator<Item = &'a str> + Clone) -> bool {
    let [Some(one), Some(other)] = [farthest(one), farthest(other)] else { return false };
    one.max(other) <= 180.0 && one.min(other) <= 90.0 && one.min(other) > 1.0
}

/// How far from zero the numbers of a column go, if nearly all of them have several decimals.
fn farthest<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Option<f64> {
    let total = values.clone().count();
    let precise = values.clone().filter(|value| degrees(value).is_some()).count();
    if total < FEWEST || precise * 10 < total * 9 {
        return None;
    }
    let number = |value: &str| value.trim().replace(',', ".").parse::<f64>().ok();
    values.map(|value| number(value).map(f64::abs)).try_fold(0.0, |most, value| Some(f64::max(most, value?)))
}

/// A number with several decimals.
fn degrees(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".");
    let (_, decimals) = text.split_once('.')?;
    (decimals.len() >= DECIMALS && decimals.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_one_value_has_two_coordinates() {
        for place in ["52.5200, 13.4050", "(-33.868, 151.209)", "POINT (13.4050 52.5200)", "13.40500;52.52000"] {
            assert!(is_place(place), "{place}");
        }
        for other in ["52.52, 13.40", "52.5200", "1,234.567", "101.5000, 99.1234", "200.1234, 10.1234", "a, b", ""] {
            assert!(!is_place(other), "{other}");
        }
    }

    fn pair(one: impl Fn(f64) -> String, other: impl Fn(f64) -> String) -> bool {
        let values = |write: &dyn Fn(f64) -> String| (0..40).map(|n| write(f64::from(n))).collect::<Vec<_>>();
        let (one, other) = (values(&one), values(&other));
        could_be(one.iter().map(String::as_str), other.iter().map(String::as_str))
    }

    #[test]
    fn coordinates_in_two_columns_go_as_far_as_degrees_do() {
        let north = |n: f64| format!("{:.4}", 47.0 + n * 0.21);
        let east = |n: f64| format!("{:.5}", 5.9 + n * 0.22);
        assert!(pair(north, east) && pair(east, north), "in either order");
        assert!(pair(|n| north(n).replace('.', ","), |n| east(n).replace('.', ",")), "with decimal commas");
        assert!(pair(|n| format!("{:.3}", -33.0 - n / 10.0), |n| format!("{:.3}", 151.0 + n / 10.0)));
        assert!(!pair(north, |n| format!("{:.1}", 5.9 + n)), "a measure with one decimal");
        assert!(!pair(north, |n| format!("{:.4}", 180.0 + n)), "too far");
        assert!(!pair(|n| format!("{:.4}", 95.0 + n), |n| format!("{:.4}", 95.0 + n)), "no latitude");
        assert!(!pair(|n| format!("{:.4}", n / 50.0), north), "a share");
        assert!(!pair(north, |_| "x".to_owned()));
    }
}
