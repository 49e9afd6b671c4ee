//! Guesses of passwords: how many there are, and for whom.

use std::time::Duration;

use jiff::SignedDuration;

use crate::guesses::{
    self, Guess, SHARED_INTERVAL, SHARED_MAX, Source, SourceHash, is_known, purge, source_hash,
    was_right,
};
use crate::testing::{Fixture, on_both};

fn take(fixture: &Fixture, name: &str, sources: &[SourceHash]) -> Result<Guess, Duration> {
    let (name, sources) = (name.to_owned(), sources.to_vec());
    fixture.store.write_directory_blocking(move |tx| guesses::take(tx, &name, &sources)).unwrap()
}

fn right(fixture: &Fixture, guess: Guess, sources: &[SourceHash]) {
    let sources = sources.to_vec();
    fixture.store.write_directory_blocking(move |tx| was_right(tx, guess, &sources)).unwrap();
}

fn network(name: &str, number: u32) -> SourceHash {
    source_hash(name, Source::Network(std::net::IpAddr::V4(number.into())))
}

fn advance(fixture: &Fixture, duration: Duration) {
    fixture.clock.advance(SignedDuration::try_from(duration).unwrap());
}

/// Guesses from a new network each time, as often as it is possible, for two hours: the most in any
/// hour.
#[test]
fn a_name_has_so_many_guesses_from_everywhere() {
    on_both(|fixture| {
        let (mut at, mut taken) = (Duration::ZERO, Vec::new());
        for number in 0.. {
            match take(fixture, "ann@example.org", &[network("ann@example.org", number)]) {
                Ok(guess) => {
                    assert!(matches!(guess, Guess::Shared(_)));
                    taken.push(at);
                }
                Err(wait) => {
                    advance(fixture, wait);
                    at += wait;
                }
            }
            if at > Duration::from_secs(7200) {
                break;
            }
        }
        let hour = Duration::from_secs(3600);
        let most = |from: &Duration| {
            taken.iter().filter(|one| *one >= from && **one <= *from + hour).count()
        };
        assert_eq!(taken.iter().map(most).max(), Some(60));
        assert!(take(fixture, "bob@example.org", &[]).is_ok(), "others have guesses of their own");
    });
}

#[test]
fn a_known_source_has_guesses_of_its_own() {
    on_both(|fixture| {
        let name = "Ann@example.org";
        let browser = source_hash(name, Source::Browser(&[7; 32]));
        let here = [browser, network(name, 1)];
        let first = take(fixture, name, &here).unwrap();
        right(fixture, first, &here);
        while take(fixture, name, &[network(name, 9)]).is_ok() {}
        let wait = take(fixture, name, &[network(name, 8)]).unwrap_err();
        assert!(wait <= SHARED_INTERVAL && !wait.is_zero(), "{wait:?}");
        let of_bob = source_hash("bob@example.org", Source::Browser(&[7; 32]));
        assert!(matches!(take(fixture, "bob@example.org", &[of_bob]), Ok(Guess::Shared(_))));

        for _ in 0..5 {
            assert_eq!(take(fixture, "ann@example.org", &here), Ok(Guess::Known));
        }
        assert_eq!(take(fixture, name, &here), Err(Duration::from_secs(1)));
        // The network by itself is known, too.
        assert_eq!(take(fixture, name, &here[1..]), Ok(Guess::Known));
        advance(fixture, Duration::from_secs(1));
        assert_eq!(take(fixture, name, &here), Ok(Guess::Known));
        assert_eq!(take(fixture, name, &here), Err(Duration::from_secs(2)));
        right(fixture, Guess::Known, &here);
        assert_eq!(take(fixture, name, &here), Ok(Guess::Known), "it begins anew");
    });
}

#[test]
fn a_right_guess_is_given_back() {
    on_both(|fixture| {
        for _ in 0..3 * SHARED_MAX {
            let guess = take(fixture, "ann", &[]).unwrap();
            right(fixture, guess, &[]);
        }
    });
}

#[test]
fn what_is_over_is_forgotten() {
    on_both(|fixture| {
        let source = network("ann", 1);
        right(fixture, take(fixture, "ann", &[]).unwrap(), &[source]);
        assert!(take(fixture, "ann", &[]).is_ok());
        let known = |fixture: &Fixture| {
            fixture.store.read_directory_blocking(|tx| is_known(tx, &source)).unwrap()
        };
        advance(fixture, Duration::from_secs(179 * 24 * 3600));
        fixture.store.write_directory_blocking(purge).unwrap();
        assert!(known(fixture));
        advance(fixture, Duration::from_secs(2 * 24 * 3600));
        fixture.store.write_directory_blocking(purge).unwrap();
        assert!(!known(fixture));
    });
}

#[test]
fn a_clock_that_was_ahead_keeps_nobody_out() {
    on_both(|fixture| {
        let source = network("ann", 1);
        right(fixture, take(fixture, "ann", &[]).unwrap(), &[source]);
        for _ in 0..5 {
            take(fixture, "ann", &[source]).unwrap();
        }
        while take(fixture, "ann", &[]).is_ok() {}
        fixture.clock.advance(-SignedDuration::from_hours(24 * 365));
        assert_eq!(take(fixture, "ann", &[source]), Ok(Guess::Known));
        assert!(take(fixture, "ann", &[]).is_ok());
    });
}
