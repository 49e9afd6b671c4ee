use super::*;

const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

fn address(number: u32) -> IpAddr {
    IpAddr::V4(number.into())
}

fn sign_in(throttle: &Throttle, name: &str, from: IpAddr, now: Instant) -> Result<(), Duration> {
    throttle.attempt(&Watched::sign_in(name, from), now)
}

/// How many attempts there are at one moment.
fn at_once(mut attempt: impl FnMut(u32) -> Result<(), Duration>) -> u32 {
    (0..).find(|number| attempt(*number).is_err()).unwrap()
}

#[test]
fn whoever_guesses_a_name_waits_longer_each_time() {
    let (throttle, start) = (Throttle::default(), Instant::now());
    assert_eq!(at_once(|_| sign_in(&throttle, " Ann@example.org", HERE, start)), PASSWORD.free);
    let mut now = start;
    for seconds in [1, 2, 4, 8] {
        let wait = sign_in(&throttle, "ann@example.org", HERE, now).unwrap_err();
        assert_eq!(wait, Duration::from_secs(seconds));
        now += wait;
        assert!(sign_in(&throttle, "ann@example.org", HERE, now).is_ok());
    }
    assert!(sign_in(&throttle, "bob@example.org", HERE, now).is_ok());
    assert!(sign_in(&throttle, "ann@example.org", address(7), now).is_ok(), "she herself");
    let quiet = now + QUIET;
    assert_eq!(at_once(|_| sign_in(&throttle, "ann@example.org", HERE, quiet)), PASSWORD.free);
}

#[test]
fn a_network_has_its_tries_whatever_the_names() {
    let (throttle, now) = (Throttle::default(), Instant::now());
    let names = |number| sign_in(&throttle, &format!("n{number}"), HERE, now);
    assert_eq!(at_once(names), SIGN_IN_PACE_OF_NETWORK.free);
    assert!(sign_in(&throttle, "other", address(7), now).is_ok());
    let of_one = |n: u128| IpAddr::V6((0x2001_0db8_u128 << 96 | n).into());
    let networks =
        |number: u32| sign_in(&throttle, &format!("n{number}"), of_one(number.into()), now);
    assert_eq!(at_once(networks), SIGN_IN_PACE_OF_NETWORK.free);
    assert!(sign_in(&throttle, "other", of_one(1 << 64), now).is_ok());
}

#[test]
fn success_clears_the_name_here_and_gives_the_try_back() {
    let throttle = Throttle::default();
    for _ in 0..10 * SIGN_IN_PACE_OF_NETWORK.free {
        assert!(throttle.sign_in("ann", HERE).is_ok());
        throttle.signed_in("Ann", HERE);
    }
    assert_eq!(at_once(|_| throttle.sign_in("ann", address(7))), PASSWORD.free);
    throttle.signed_in("ann", HERE);
    assert!(throttle.sign_in("ann", address(7)).is_err(), "whoever guesses there goes on waiting");
}

#[test]
fn whoever_is_signed_in_has_tries_of_their_own() {
    let (throttle, user) = (Throttle::default(), UserId(uuid::Uuid::from_u128(1)));
    at_once(|_| throttle.sign_in("ann", HERE));
    assert_eq!(at_once(|_| throttle.present_password(user)), PASSWORD.free);
    assert!(throttle.present_password(UserId(uuid::Uuid::from_u128(2))).is_ok());
    throttle.knows_password(user);
    assert!(throttle.present_password(user).is_ok());
}

#[test]
fn families_of_a_network_are_counted_apart_from_its_tries_to_sign_in() {
    let throttle = Throttle::default();
    assert_eq!(at_once(|_| throttle.sign_up(HERE)), SIGN_UP_PACE.free);
    assert!(throttle.sign_up(address(7)).is_ok());
    assert!(throttle.sign_in("ann", HERE).is_ok());
}

#[test]
fn memory_is_bounded_however_many_and_however_long_the_names_are() {
    let (throttle, start) = (Throttle::default(), Instant::now());
    for number in 0..SIGN_IN_WATCHED_MAX as u32 {
        let now = start + Duration::from_micros(u64::from(number));
        assert!(sign_in(&throttle, &format!("n{number}"), address(number), now).is_ok());
    }
    let long = "x".repeat(256 * 1024);
    assert!(sign_in(&throttle, &long, HERE, start).is_ok());
    assert!(throttle.0.lock().unwrap().len() <= SIGN_IN_WATCHED_MAX);
    // A key owns no memory of its own.
    assert!(!std::mem::needs_drop::<Watched>() && size_of::<Watched>() <= 64);
}
