//! What is the logarithm of the gamma function?

/// ln Γ(x) for x > 0: Stirling's series, from where it is good to the last digits, and the recursion down from there.
pub(super) fn ln_gamma(x: f64) -> f64 {
    const ENOUGH: f64 = 12.0;
    let (mut x, mut product) = (x, 1.0);
    while x < ENOUGH {
        product *= x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - f64::ln(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert!(ln_gamma(1.0).abs() < 1e-12 && ln_gamma(2.0).abs() < 1e-12);
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-12);
        assert!((ln_gamma(11.0) - 3_628_800f64.ln()).abs() < 1e-12);
        let sum: f64 = (1..300).map(|n| f64::from(n).ln()).sum();
        assert!((ln_gamma(300.0) - sum).abs() < 1e-9);
    }
}
