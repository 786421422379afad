//! Are the numbers of a column called `weight` those of a survey, and not of a body?

use super::header::Header;

/// What such a column is called.
const NAMES: [&str; 3] = ["*weight", "wt", "gewicht*"];

/// Of fewer values nobody can tell.
const ENOUGH: usize = 20;

/// No scale tells so many decimals.
const MANY_DECIMALS: usize = 4;

/// Most sampling weights are near 1, and few bodies weigh less than this.
const LIGHT: f64 = 20.0;

/// Numbers below those of bodies, with more decimals than scales tell: how many of whom one respondent stands for, which hardly two of them share.
pub fn could_be<'a>(name: &str, values: impl Iterator<Item = &'a str> + Clone) -> bool {
    let header = Header::new(name);
    let looked_at = values.clone().count();
    looked_at >= ENOUGH
        && NAMES.iter().any(|pattern| header.matches(pattern))
        && values.filter(|value| is_like_one(value)).count() * 2 > looked_at
}

fn is_like_one(value: &str) -> bool {
    let number = value.trim().replace(',', ".");
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    decimals >= MANY_DECIMALS && number.parse().is_ok_and(|number: f64| (0.0..LIGHT).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(name: &str, value: impl Fn(u32) -> String) -> bool {
        let values: Vec<String> = (0..30).map(value).collect();
        could_be(name, values.iter().map(String::as_str))
    }

    #[test]
    fn decimals_tell_a_sampling_weight_from_a_body() {
        let near_one = |n: u32| format!("{}", 0.5 + f64::from(n) * 0.072_31);
        assert!(seen("weight", near_one) && seen("SampleWeight", near_one));
        assert!(seen("Gewicht", |n| near_one(n).replace('.', ",")));
        assert!(!seen("score", near_one), "its name says nothing of the kind");
        assert!(!seen("weight", |n| format!("{}.5", 50 + n)), "a body");
        assert!(!seen("weight", |n| format!("{}.30681", 50 + n)), "a body in pounds, once");
        assert!(!seen("weight", |n| format!("3.{:03}", 100 + n)), "a newborn child");
        assert!(!seen("weight", |n| n.to_string()));
    }
}
