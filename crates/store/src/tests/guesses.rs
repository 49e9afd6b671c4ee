//! Guesses of passwords: how many there are, and for whom.

use std::time::Duration;

use jiff::SignedDuration;
use sha2::{Digest as _, Sha256};

use crate::guesses::{
    self, Guess, GuessWay, Source, SourceHash, is_known, purge, source_hash, take_present,
    was_right,
};
use crate::testing::{Fixture, on_both};

fn take(fixture: &Fixture, name: &str, sources: &[SourceHash]) -> Result<Guess, Duration> {
    let (name, sources) = (name.to_owned(), sources.to_vec());
    fixture.store.write_directory_blocking(move |tx| guesses::take(tx, &name, &sources)).unwrap()
}

fn way(taken: Result<Guess, Duration>) -> Result<GuessWay, Duration> {
    taken.map(Guess::way)
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
                    assert_eq!(guess.way(), GuessWay::Stranger);
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
        assert_eq!(taken.iter().map(most).max(), Some(40));
        assert!(take(fixture, "bob@example.org", &[]).is_ok(), "others have guesses of their own");
    });
}

/// Whoever knows a name can find others of which the hashes begin alike.
#[test]
fn names_that_share_a_hash_by_calculation_share_no_guesses() {
    on_both(|fixture| {
        let (ann, other) = ("ann@example.org", "x80753@example.org");
        let start = |name: &str| -> [u8; 2] { Sha256::digest(name)[..2].try_into().unwrap() };
        assert_eq!(start(ann), start(other));
        while take(fixture, other, &[]).is_ok() {}
        assert!(take(fixture, ann, &[]).is_ok());
    });
}

/// From five known browsers, five known networks, new networks, and at the present password: as
/// often as it is possible, for two hours.
#[test]
fn a_name_has_a_hundred_guesses_an_hour_whichever_way_they_come() {
    on_both(|fixture| {
        let name = "ann@example.org";
        let browsers = (0..5).map(|one| source_hash(name, Source::Browser(&[one; 32])));
        let known: Vec<SourceHash> = browsers.chain((0..5).map(|one| network(name, one))).collect();
        for source in &known {
            let guess = take(fixture, name, &[]).unwrap();
            right(fixture, guess, &[*source]);
        }
        let present =
            |fixture: &Fixture| fixture.store.write_directory_blocking(|tx| take_present(tx, name));
        let (mut at, mut taken) = (Duration::ZERO, Vec::new());
        while at <= Duration::from_secs(7200) {
            let mut tries: Vec<_> =
                known.iter().map(|source| take(fixture, name, &[*source])).collect();
            tries.push(take(fixture, name, &[]));
            tries.push(present(fixture).unwrap());
            let mut wait = Duration::MAX;
            for tried in tries {
                match tried {
                    Ok(guess) => {
                        taken.push((at, guess.way()));
                        wait = Duration::ZERO;
                    }
                    Err(more) => wait = wait.min(more),
                }
            }
            advance(fixture, wait);
            at += wait;
        }
        let hour = Duration::from_secs(3600);
        let most = |way: Option<GuessWay>| {
            let of_way = taken.iter().filter(|one| way.is_none_or(|way| one.1 == way));
            let times: Vec<Duration> = of_way.map(|one| one.0).collect();
            let within = |from: &Duration| {
                times.iter().filter(|one| *one >= from && **one <= *from + hour).count()
            };
            times.iter().map(within).max()
        };
        assert_eq!(most(None), Some(100));
        let each = GuessWay::ALL.map(|way| most(Some(way)));
        assert_eq!(each, [40, 20, 20, 20].map(Some), "of each way");
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
        assert!(wait <= GuessWay::Stranger.allowance().interval && !wait.is_zero(), "{wait:?}");
        let of_bob = source_hash("bob@example.org", Source::Browser(&[7; 32]));
        assert_eq!(way(take(fixture, "bob@example.org", &[of_bob])), Ok(GuessWay::Stranger));

        for _ in 0..5 {
            assert_eq!(way(take(fixture, "ann@example.org", &here)), Ok(GuessWay::Browser));
        }
        assert_eq!(way(take(fixture, name, &here)), Err(Duration::from_secs(1)));
        // The network by itself is known, too.
        assert_eq!(way(take(fixture, name, &here[1..])), Ok(GuessWay::Network));
        advance(fixture, Duration::from_secs(1));
        let guess = take(fixture, name, &here).unwrap();
        assert_eq!(way(take(fixture, name, &here)), Err(Duration::from_secs(2)));
        right(fixture, guess, &here);
        assert_eq!(way(take(fixture, name, &here)), Ok(GuessWay::Browser), "it begins anew");
    });
}

#[test]
fn a_right_guess_is_given_back() {
    on_both(|fixture| {
        for _ in 0..3 * GuessWay::Stranger.allowance().max {
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
        assert_eq!(way(take(fixture, "ann", &[source])), Ok(GuessWay::Network));
        assert!(take(fixture, "ann", &[]).is_ok());
    });
}

#[test]
fn nobody_uses_up_what_another_name_has() {
    on_both(|fixture| {
        // Names of which the hashes begin alike.
        let first = |name: &str| <[u8; 2]>::try_from(&Sha256::digest(name)[..2]).unwrap();
        let ann = "ann@example.org";
        let other = (0..).map(|number| format!("a{number}@example.org"));
        let other = other.into_iter().find(|name| first(name) == first(ann)).unwrap();
        let browsers =
            |name: &str| [1, 2, 3].map(|token| source_hash(name, Source::Browser(&[token; 32])));
        for name in [ann, &other] {
            let guess = take(fixture, name, &[]).unwrap();
            right(fixture, guess, &browsers(name));
        }
        for browser in browsers(&other) {
            for _ in 0..5 {
                let _ = take(fixture, &other, &[browser]);
            }
        }
        assert_eq!(way(take(fixture, &other, &browsers(&other)[..1])), Err(Duration::from_secs(1)));
        assert_eq!(way(take(fixture, ann, &browsers(ann)[..1])), Ok(GuessWay::Browser));
    });
}

#[test]
fn who_comes_from_a_known_network_may_guess_as_a_stranger_when_others_used_it_up() {
    on_both(|fixture| {
        let networks = [1, 2, 3].map(|number| network("ann", number));
        let guess = take(fixture, "ann", &[]).unwrap();
        right(fixture, guess, &networks);
        for near in &networks[..2] {
            for _ in 0..5 {
                assert_eq!(way(take(fixture, "ann", &[*near])), Ok(GuessWay::Network));
            }
        }
        assert_eq!(way(take(fixture, "ann", &networks[2..])), Ok(GuessWay::Stranger));
    });
}
