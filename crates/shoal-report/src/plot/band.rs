//! Where do things stand that have names instead of numbers, one beside another?

/// A line in equal parts, one for each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    from: f64,
    step: f64,
}

impl Band {
    /// So many between these pixels.
    pub(super) fn new(count: usize, from: f64, to: f64) -> Self {
        Self { from, step: (to - from) / count.max(1) as f64 }
    }

    /// The middle of a part.
    pub(super) fn middle(&self, at: usize) -> f64 {
        self.from + self.step * (at as f64 + 0.5)
    }

    /// How wide each part is.
    pub(super) fn step(&self) -> f64 {
        self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_equal() {
        let band = Band::new(4, 100.0, 180.0);
        assert_eq!([band.middle(0), band.middle(1), band.middle(3), band.step()], [110.0, 130.0, 170.0, 20.0]);
        assert_eq!(Band::new(0, 0.0, 10.0).middle(0), 5.0);
    }
}
