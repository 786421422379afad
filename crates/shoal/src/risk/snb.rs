//! How many people are unique if the size of a class is one more than a negative binomial number?

use super::population_uniqueness::Sampled;

/// The share of people who are unique. The population has as many classes K as Shlosser's estimator says; a class has
/// 1 + X people, X negative binomial with the parameters α and β, so that K β^α classes have one. The parameters are those
/// with which as many classes of one and of two records are expected as there are; none if no parameters do.
pub(super) fn unique(sampled: &Sampled) -> Option<f64> {
    let all = classes(sampled);
    let wanted = [sampled.classes_of(1) / all, sampled.classes_of(2) / all];
    if wanted.contains(&0.0) {
        return None;
    }
    let Parameters { alpha, beta } = solve(wanted, sampled.rate())?;
    Some(all * beta.powf(alpha) / sampled.people)
}

/// Shlosser's estimate of the number of classes in the population: those that are seen, and those that are not, by how likely
/// a class of each size is to be missed.
fn classes(sampled: &Sampled) -> f64 {
    let (rate, rest) = (sampled.rate(), 1.0 - sampled.rate());
    let (mut missed, mut alone) = (0.0, 0.0);
    for (&size, &classes) in &sampled.of_size {
        missed += rest.powf(size as f64) * classes as f64;
        alone += size as f64 * rate * rest.powf(size as f64 - 1.0) * classes as f64;
    }
    sampled.classes + sampled.classes_of(1) * missed / alone
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Parameters {
    alpha: f64,
    beta: f64,
}

/// The chances that a class shows one record, and two: the coefficients of z and z² in
/// (1 - p + p z) (β / (1 - (1 - β)(1 - p + p z)))^α.
fn expected(Parameters { alpha, beta }: Parameters, rate: f64) -> [f64; 2] {
    let rest = 1.0 - rate;
    let scale = 1.0 - (1.0 - beta) * rest;
    let (none, step) = ((beta / scale).powf(alpha), (1.0 - beta) * rate / scale);
    let (one, two) = (alpha * step, alpha * (alpha + 1.0) / 2.0 * step * step);
    [none * (rate + rest * one), none * (rate * one + rest * two)]
}

/// Parameters with these expectations: Newton's method in ln α and in the logit of β, from every point of a coarse net
/// that comes near, the nearest first.
fn solve(wanted: [f64; 2], rate: f64) -> Option<Parameters> {
    const TRIED: usize = 12;
    let at = |[a, b]: [f64; 2]| Parameters { alpha: a.exp(), beta: 1.0 / (1.0 + (-b).exp()) };
    // Both are small, so they are compared by their logarithms.
    let off = |point: [f64; 2]| {
        let found = expected(at(point), rate);
        [(found[0] / wanted[0]).ln(), (found[1] / wanted[1]).ln()]
    };
    let distance = |point: [f64; 2]| off(point).map(f64::abs).iter().sum::<f64>();
    let net = (-16..=8).flat_map(|a| (-24..=16).map(move |b| [f64::from(a) / 2.0, f64::from(b) / 2.0]));
    let mut beginnings: Vec<(f64, [f64; 2])> =
        net.map(|point| (distance(point), point)).filter(|pair| pair.0.is_finite()).collect();
    beginnings.sort_by(|a, b| a.0.total_cmp(&b.0));
    beginnings.into_iter().take(TRIED).find_map(|(_, point)| newton(point, &off, &distance)).map(at)
}

fn newton(
    mut point: [f64; 2],
    off: &impl Fn([f64; 2]) -> [f64; 2],
    distance: &impl Fn([f64; 2]) -> f64,
) -> Option<[f64; 2]> {
    const MOST_STEPS: usize = 100;
    const NEAR: f64 = 1e-9;
    const STEP: f64 = 1e-6;
    for _ in 0..MOST_STEPS {
        let here = distance(point);
        if here < NEAR {
            return Some(point);
        }
        let [p, q] = off(point);
        let slope = |to: [f64; 2], from: [f64; 2]| {
            let (to, from) = (off(to), off(from));
            [(to[0] - from[0]) / (2.0 * STEP), (to[1] - from[1]) / (2.0 * STEP)]
        };
        let [pa, qa] = slope([point[0] + STEP, point[1]], [point[0] - STEP, point[1]]);
        let [pb, qb] = slope([point[0], point[1] + STEP], [point[0], point[1] - STEP]);
        let determinant = pa * qb - pb * qa;
        let step = [(pb * q - qb * p) / determinant, (qa * p - pa * q) / determinant];
        let halved = |times: i32| step.map(|step| step * 0.5f64.powi(times));
        let tries = (0..30).map(halved).map(|step| [point[0] + step[0], point[1] + step[1]]);
        // Far out, α and β make up for each other without end: there is no solution there.
        let mut nearer = tries.filter(|next| next.iter().all(|x| x.abs() < 40.0) && distance(*next) < here);
        point = nearer.next()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance that a class shows so many records, summed over the size it may have.
    fn slowly(alpha: f64, beta: f64, rate: f64, records: u32) -> f64 {
        let mut probability = beta.powf(alpha);
        let mut sum = 0.0;
        for x in 0..4000u32 {
            let size = x + 1;
            if size >= records {
                let ways: f64 = (0..records).map(|i| f64::from(size - i) / f64::from(i + 1)).product();
                sum += probability * ways * rate.powi(records as i32) * (1.0 - rate).powi((size - records) as i32);
            }
            probability *= (1.0 - beta) * (alpha + f64::from(x)) / f64::from(x + 1);
        }
        sum
    }

    #[test]
    fn expectations_are_the_sums_they_stand_for() {
        for (alpha, beta, rate) in [(0.5, 0.1, 0.2), (2.0, 0.5, 0.05), (0.01, 0.02, 0.5)] {
            let [one, two] = expected(Parameters { alpha, beta }, rate);
            assert!((one - slowly(alpha, beta, rate, 1)).abs() < 1e-10);
            assert!((two - slowly(alpha, beta, rate, 2)).abs() < 1e-10);
        }
    }

    #[test]
    fn parameters_are_found_again() {
        for (alpha, beta, rate) in [(0.5, 0.1, 0.2), (0.1, 0.05, 0.3), (1.5, 0.3, 0.1)] {
            let wanted = expected(Parameters { alpha, beta }, rate);
            let found = solve(wanted, rate).unwrap();
            let again = expected(found, rate);
            assert!((again[0] / wanted[0] - 1.0).abs() < 1e-8 && (again[1] / wanted[1] - 1.0).abs() < 1e-8);
        }
    }

    #[test]
    fn shlosser_by_hand() {
        // Classes 1, 1, 2 of 8 people, rate 1/2: missed 2/2 + 1/4, alone 2 * 1/2 + 2 * 1/2 * 1/2 = 1.5.
        let sampled = Sampled::new([(1, 2), (2, 1)].into(), 8);
        assert!((classes(&sampled) - (3.0 + 2.0 * 1.25 / 1.5)).abs() < 1e-12);
    }

    #[test]
    fn some_tables_have_none() {
        assert_eq!(unique(&Sampled::new([(1, 50)].into(), 5000)), None);
        assert_eq!(solve([0.001, 0.9], 0.1), None);
    }
}
