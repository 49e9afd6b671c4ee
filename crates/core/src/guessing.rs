//! How long whoever guesses passwords has to wait: longer after every wrong guess, never for good.

use std::time::Duration;

/// How the wait for the next guess grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Wrong guesses that cost no time: people mistype.
    pub free: u32,
    /// The longest time to wait, however many they were.
    pub wait_max: Duration,
}

/// Wrong guesses are forgotten when there was none for so long. Every wait is shorter.
pub const QUIET: Duration = Duration::from_secs(3600);

/// Guesses of one password from one source (a browser, a network, an open session).
pub const PASSWORD: Pace = Pace { free: 5, wait_max: Duration::from_secs(600) };

impl Pace {
    /// How long after the last of so many wrong guesses the next one may come: a second, then twice
    /// as long each time.
    pub fn wait(self, wrong: u32) -> Duration {
        match wrong.checked_sub(self.free) {
            None => Duration::ZERO,
            Some(beyond) => {
                let seconds = 1_u64.checked_shl(beyond).unwrap_or(u64::MAX);
                Duration::from_secs(seconds).min(self.wait_max)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_a_limit() {
        let waits: Vec<u64> = (0..20).map(|wrong| PASSWORD.wait(wrong).as_secs()).collect();
        assert_eq!(waits[..9], [0, 0, 0, 0, 0, 1, 2, 4, 8]);
        assert_eq!(waits[14..], [512, 600, 600, 600, 600, 600]);
        assert_eq!(PASSWORD.wait(u32::MAX), PASSWORD.wait_max);
    }

    #[test]
    fn an_hour_has_room_for_twenty_guesses() {
        let (mut at, mut guesses) = (Duration::ZERO, Vec::new());
        while at < 10 * QUIET {
            guesses.push(at);
            at += PASSWORD.wait(u32::try_from(guesses.len()).unwrap());
        }
        for (number, start) in guesses.iter().enumerate() {
            let within = guesses[number..].iter().filter(|guess| **guess < *start + QUIET).count();
            assert!(within <= 20, "{within} from {start:?}");
        }
    }
}
