//! How many people are unique if the classes follow Pitman's sampling formula?

use super::gamma::ln_gamma;
use super::population_uniqueness::Sampled;

/// The share of people who are unique: the parameters are fitted to the sample (maximum likelihood), and the formula for the
/// whole population gives Γ(θ+α+N-1) Γ(θ+1) / (Γ(θ+N) Γ(θ+α)). None if the likelihood has no maximum with 0 < α < 1, as
/// where all records are unique.
pub(super) fn unique(sampled: &Sampled) -> Option<f64> {
    let Parameters { theta, alpha } = Sizes::new(sampled).fit()?;
    let people = sampled.people;
    let log = ln_gamma(theta + alpha + people - 1.0) - ln_gamma(theta + people) + ln_gamma(theta + 1.0)
        - ln_gamma(theta + alpha);
    Some(log.exp())
}

/// The parameters of the formula; θ > -α.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Parameters {
    theta: f64,
    alpha: f64,
}

impl Parameters {
    fn are_allowed(self) -> bool {
        let Self { theta, alpha } = self;
        alpha > 1e-9 && alpha < 1.0 - 1e-9 && theta + alpha > 1e-12 && theta.is_finite()
    }
}

/// The sizes of the sample's classes, as the likelihood needs them.
#[derive(Debug)]
struct Sizes<'a> {
    sampled: &'a Sampled,
    /// For each i from 1 on, how many classes are larger than i.
    larger: Vec<f64>,
}

/// The first and the second derivatives of the logarithm of the likelihood.
#[derive(Debug, Default)]
struct Slope {
    theta: f64,
    alpha: f64,
    theta_theta: f64,
    theta_alpha: f64,
    alpha_alpha: f64,
}

impl<'a> Sizes<'a> {
    fn new(sampled: &'a Sampled) -> Self {
        let (mut larger, mut left) = (Vec::new(), sampled.classes);
        for (&size, &classes) in &sampled.of_size {
            larger.resize((size - 1) as usize, left);
            left -= classes as f64;
        }
        Self { sampled, larger }
    }

    /// The logarithm of the likelihood: the sum of ln(θ + iα) over i < classes, less that of ln(θ + i) over i < records, and
    /// for each class that of ln(i - α) over i < size.
    fn likelihood(&self, Parameters { theta, alpha }: Parameters) -> f64 {
        let Sampled { classes, records, .. } = *self.sampled;
        let of_classes =
            (classes - 1.0) * alpha.ln() + ln_gamma(theta / alpha + classes) - ln_gamma(theta / alpha + 1.0);
        let of_records = ln_gamma(theta + records) - ln_gamma(theta + 1.0);
        let first = ln_gamma(1.0 - alpha);
        let of_size = self.sampled.of_size.iter();
        let of_sizes: f64 =
            of_size.map(|(&size, &classes)| classes as f64 * (ln_gamma(size as f64 - alpha) - first)).sum();
        of_classes - of_records + of_sizes
    }

    fn slope(&self, Parameters { theta, alpha }: Parameters) -> Slope {
        let mut slope = Slope::default();
        for i in 1..self.sampled.classes as u64 {
            let i = i as f64;
            let part = 1.0 / (theta + i * alpha);
            slope.theta += part;
            slope.alpha += i * part;
            slope.theta_theta -= part * part;
            slope.theta_alpha -= i * part * part;
            slope.alpha_alpha -= i * i * part * part;
        }
        for i in 1..self.sampled.records as u64 {
            let part = 1.0 / (theta + i as f64);
            slope.theta -= part;
            slope.theta_theta += part * part;
        }
        for (at, larger) in self.larger.iter().enumerate() {
            let part = 1.0 / (at as f64 + 1.0 - alpha);
            slope.alpha -= larger * part;
            slope.alpha_alpha -= larger * part * part;
        }
        slope
    }

    /// The best of a coarse net, to begin with.
    fn beginning(&self) -> Parameters {
        let alphas = (1..20).map(|step| f64::from(step) / 20.0);
        let net = alphas.flat_map(|alpha| {
            (-6..=20).map(move |power| Parameters { theta: 10f64.powf(f64::from(power) / 2.0) - alpha, alpha })
        });
        let rated = net.map(|parameters| (self.likelihood(parameters), parameters));
        let best = rated.max_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(Parameters { theta: 1.0, alpha: 0.5 }, |pair| pair.1)
    }

    /// Newton's method, with steps that stay where parameters are allowed and never make it less likely.
    fn fit(&self) -> Option<Parameters> {
        const MOST_STEPS: usize = 100;
        let mut now = self.beginning();
        let mut likelihood = self.likelihood(now);
        for _ in 0..MOST_STEPS {
            let slope = self.slope(now);
            let determinant = slope.theta_theta * slope.alpha_alpha - slope.theta_alpha * slope.theta_alpha;
            // Uphill, where the surface is not curved like a hill: along the slope, in units of the parameters.
            let is_hill = slope.theta_theta < 0.0 && determinant > 0.0;
            let (theta, alpha) = if is_hill {
                let theta = (slope.theta_alpha * slope.alpha - slope.alpha_alpha * slope.theta) / determinant;
                (theta, (slope.theta_alpha * slope.theta - slope.theta_theta * slope.alpha) / determinant)
            } else {
                let unit = now.theta + now.alpha;
                (slope.theta.signum() * unit / 2.0, slope.alpha.signum() * 0.01)
            };
            if is_hill && theta.abs() <= 1e-9 * (1.0 + now.theta.abs()) && alpha.abs() <= 1e-10 {
                return Some(now);
            }
            let tries = (0..40).map(|halved| {
                let part = 0.5f64.powi(halved);
                Parameters { theta: now.theta + theta * part, alpha: now.alpha + alpha * part }
            });
            // Rounding may make the last steps seem to lose a little.
            let slack = 1e-9 * likelihood.abs();
            let mut allowed = tries.filter(|next| next.are_allowed()).map(|next| (self.likelihood(next), next));
            (likelihood, now) = allowed.find(|(next, _)| *next >= likelihood - slack)?;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(of_size: &[(u64, u64)], people: u64) -> Sampled {
        Sampled::new(of_size.iter().copied().collect(), people)
    }

    /// The likelihood as it is defined, sum by sum.
    fn slowly(sampled: &Sampled, theta: f64, alpha: f64) -> f64 {
        let classes: f64 = (1..sampled.classes as u64).map(|i| (theta + i as f64 * alpha).ln()).sum();
        let records: f64 = (1..sampled.records as u64).map(|i| (theta + i as f64).ln()).sum();
        let of_size = |size: u64| (1..size).map(|i| (i as f64 - alpha).ln()).sum::<f64>();
        let sizes: f64 = sampled.of_size.iter().map(|(&size, &classes)| classes as f64 * of_size(size)).sum();
        classes - records + sizes
    }

    const SIZES: [(u64, u64); 7] = [(1, 400), (2, 120), (3, 60), (4, 30), (5, 20), (10, 10), (40, 2)];

    #[test]
    fn the_likelihood_is_its_definition() {
        let sampled = sampled(&SIZES, 100_000);
        let sizes = Sizes::new(&sampled);
        for (theta, alpha) in [(1.0, 0.5), (-0.2, 0.3), (300.0, 0.1)] {
            let fast = sizes.likelihood(Parameters { theta, alpha });
            assert!((fast - slowly(&sampled, theta, alpha)).abs() < 1e-6, "{theta} {alpha}");
        }
    }

    #[test]
    fn nothing_near_is_likelier() {
        let sampled = sampled(&SIZES, 100_000);
        let Parameters { theta, alpha } = Sizes::new(&sampled).fit().unwrap();
        let best = slowly(&sampled, theta, alpha);
        for (more, further) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.0, -1.0), (-1.0, 1.0)] {
            let near = slowly(&sampled, theta * (1.0 + 1e-3 * more), alpha + 1e-3 * further);
            assert!(near < best, "{theta} {alpha}: {more} {further}");
        }
    }

    #[test]
    fn the_expected_uniques_are_a_product() {
        // N times the product over 1 <= i < N of (θ + α + i - 1) / (θ + i), as people join one after the other.
        let sampled = sampled(&SIZES, 5000);
        let Parameters { theta, alpha } = Sizes::new(&sampled).fit().unwrap();
        let product: f64 = (1..5000).map(|i| (theta + alpha + f64::from(i) - 1.0) / (theta + f64::from(i))).product();
        assert!((unique(&sampled).unwrap() - product).abs() < 1e-9);
    }

    #[test]
    fn there_is_no_maximum_where_all_are_unique_or_nearly_none() {
        assert_eq!(unique(&sampled(&[(1, 50)], 5000)), None);
        assert_eq!(unique(&sampled(&[(1, 1), (100, 50)], 500_000)), None);
    }
}
