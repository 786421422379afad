//! How far along the Hilbert curve does a point lie?

/// The place of a point on the Hilbert curve through a cube with sides of 2^`bits`; the curve goes through every point once,
/// and from each to a neighbour. Skilling 2004, Programming the Hilbert curve.
///
/// All bits of the result must fit: at most 128 for all coordinates together. `point` is memory to work in.
pub(super) fn hilbert_place(point: &mut [u32], bits: u32) -> u128 {
    debug_assert!(point.len() * bits as usize <= 128 && bits >= 1);
    let dimensions = point.len();
    // Undo the rotations and reflections of each smaller cube, from the largest down.
    for level in (1..bits).rev() {
        let (bit, below) = (1 << level, (1 << level) - 1);
        for axis in 0..dimensions {
            if point[axis] & bit != 0 {
                point[0] ^= below;
            } else {
                let swapped = (point[0] ^ point[axis]) & below;
                point[0] ^= swapped;
                point[axis] ^= swapped;
            }
        }
    }
    // Gray code.
    for axis in 1..dimensions {
        point[axis] ^= point[axis - 1];
    }
    let mut flipped = 0;
    for level in (1..bits).rev() {
        if point[dimensions - 1] & (1 << level) != 0 {
            flipped ^= (1 << level) - 1;
        }
    }
    point.iter_mut().for_each(|coordinate| *coordinate ^= flipped);
    let mut place = 0;
    for level in (0..bits).rev() {
        for coordinate in point.iter() {
            place = (place << 1) | u128::from((coordinate >> level) & 1);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_visits_every_point_once_and_goes_from_neighbour_to_neighbour() {
        for (dimensions, bits) in [(1, 5), (2, 1), (2, 4), (3, 3), (4, 2), (5, 2), (9, 1)] {
            let points = 1u32 << (dimensions as u32 * bits);
            let point = |number: u32| -> Vec<u32> {
                (0..dimensions as u32).map(|axis| (number >> (axis * bits)) & ((1 << bits) - 1)).collect()
            };
            let mut curve: Vec<(u128, Vec<u32>)> =
                (0..points).map(|number| (hilbert_place(&mut point(number), bits), point(number))).collect();
            curve.sort();
            for (place, (at, _)) in curve.iter().enumerate() {
                assert_eq!(*at, place as u128, "{dimensions} dimensions of {bits} bits");
            }
            for pair in curve.windows(2) {
                let steps: u32 = pair[0].1.iter().zip(&pair[1].1).map(|(a, b)| a.abs_diff(*b)).sum();
                assert_eq!(steps, 1, "{dimensions} dimensions of {bits} bits: {pair:?}");
            }
        }
    }

    #[test]
    fn the_first_square_is_walked_round() {
        let mut corners = [[0, 0], [0, 1], [1, 1], [1, 0]];
        assert_eq!(corners.each_mut().map(|corner| hilbert_place(corner, 1)), [0, 1, 2, 3]);
    }

    #[test]
    fn it_may_use_every_bit() {
        assert_eq!(hilbert_place(&mut [u32::MAX >> 16; 8], 16).leading_zeros(), 0);
    }
}
