//! How much more an operation may cost beside many families than beside few.

use std::time::Duration;

/// What is measured, in the order of the columns.
pub(super) const OPERATIONS: [&str; 4] = ["read", "write", "sign-in", "import"];
/// How long an idle server goes on before it is watched.
pub(super) const CATCHING_UP: Duration = Duration::from_secs(5);
/// How long an idle server is watched, in all.
pub(super) const IDLE: Duration = Duration::from_secs(120);
/// How far a cost may be from the one beside the fewest families, in percent.
const APART_PERCENT: u32 = 20;
/// Times of processors are read from a clock with steps of 10 ms, at both ends of each part.
const CLOCK_STEPS: Duration = Duration::from_millis(30);

/// Times of the processors beside so many families.
#[derive(Debug, Clone, Copy)]
pub(super) struct Costs {
    /// The mean of each operation.
    pub(super) operations: [Duration; 4],
    /// All that an idle server takes while it is watched.
    pub(super) idle: Duration,
}

/// What costs more or less than the goal allows, compared with the fewest families.
pub(super) fn missed(fewest: &Costs, costs: &Costs) -> Vec<&'static str> {
    let same = |a: Duration, b: Duration, steps: Duration| {
        let largest = a.max(b);
        largest - a.min(b) <= a * APART_PERCENT / 100 + steps
    };
    let pairs = fewest.operations.iter().zip(costs.operations);
    let operations = OPERATIONS.into_iter().zip(pairs);
    let apart = operations.filter(|(_, (a, b))| !same(**a, *b, Duration::ZERO));
    let mut missed: Vec<&str> = apart.map(|(name, _)| name).collect();
    if !same(fewest.idle, costs.idle, CLOCK_STEPS) {
        missed.push("idle");
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_goal_can_be_missed() {
        let hundred = Duration::from_millis(100);
        let costs = |time: Duration, idle: Duration| Costs { operations: [time; 4], idle };
        let fewest = costs(hundred, hundred);
        let fifth = Duration::from_millis(120);
        let kept = costs(fifth, fifth + CLOCK_STEPS);
        assert_eq!(missed(&fewest, &kept), [""; 0]);
        let moment = Duration::from_nanos(1);
        let all = costs(fifth + moment, fifth + CLOCK_STEPS + moment);
        assert_eq!(missed(&fewest, &all), ["read", "write", "sign-in", "import", "idle"]);
        let less = costs(Duration::from_millis(79), Duration::from_millis(49));
        assert_eq!(missed(&fewest, &less), ["read", "write", "sign-in", "import", "idle"]);
    }
}
