//! The few figures a benchmark is told by. Of no values each of them is NaN, which meets no goal.

/// Returns the smallest value.
pub(super) fn minimum(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NAN, f64::min)
}

/// Returns the value in the middle, or half-way between the two in the middle.
pub(super) fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let lower = sorted.get(sorted.len().saturating_sub(1) / 2);
    let upper = sorted.get(sorted.len() / 2);
    match (lower, upper) {
        (Some(lower), Some(upper)) => f64::midpoint(*lower, *upper),
        (None, _) | (_, None) => f64::NAN,
    }
}

/// Returns the smallest value that `percent` of the values do not exceed.
pub(super) fn percentile(percent: usize, values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let rank = sorted.len().saturating_mul(percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// Returns the median of the ratios that two commands had in the same round.
pub(super) fn paired_ratio(times: &[f64], floor: &[f64]) -> f64 {
    let ratios: Vec<_> = times.iter().zip(floor).map(|(time, floor)| time / floor).collect();
    median(&ratios)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the figures are values that were put in, or exact in binary")]
mod tests {
    use proptest::prelude::*;

    use super::{median, minimum, paired_ratio, percentile};

    #[test]
    fn the_median_is_in_the_middle() {
        let table: [(&[f64], f64); 4] = [
            (&[7.0], 7.0),
            (&[9.0, 1.0, 5.0], 5.0),
            (&[4.0, 1.0], 2.5),
            (&[8.0, 1.0, 2.0, 4.0], 3.0),
        ];
        for (values, expected) in table {
            assert_eq!(median(values), expected, "{values:?}");
        }
    }

    #[test]
    fn the_percentile_is_a_value_that_was_measured() {
        let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(95, &hundred), 95.0);
        assert_eq!(percentile(100, &hundred), 100.0);
        assert_eq!(percentile(95, &[3.0]), 3.0);
    }

    #[test]
    fn the_ratio_is_taken_within_each_round() {
        // The second round was ten times slower for both; the ratio of the medians would be 1.
        let times = [2.0, 20.0, 4.0];
        let floor = [1.0, 10.0, 4.0];
        assert_eq!(paired_ratio(&times, &floor), 2.0);
    }

    #[test]
    fn figures_of_nothing_are_not_numbers() {
        for figure in [minimum(&[]), median(&[]), percentile(95, &[]), paired_ratio(&[1.0], &[])] {
            assert!(figure.is_nan());
        }
    }

    proptest! {
        #[test]
        fn figures_keep_their_order(values in prop::collection::vec(0.0..1e6, 1..50)) {
            let half = percentile(50, &values);
            prop_assert!(minimum(&values) <= half);
            prop_assert!(half <= median(&values));
            prop_assert!(percentile(100, &values) >= median(&values));
        }

        #[test]
        fn a_command_compared_with_itself_has_ratio_one(
            values in prop::collection::vec(0.1..1e6, 1..50),
        ) {
            prop_assert_eq!(paired_ratio(&values, &values), 1.0);
        }
    }
}
