use super::*;

const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

fn address(number: u32) -> IpAddr {
    IpAddr::V4(number.into())
}

fn sign_in(throttle: &Throttle, name: &str, from: IpAddr, now: Instant) -> Result<(), Duration> {
    throttle.attempt(&Watched::sign_in(name, from), now)
}

#[test]
fn a_name_has_its_tries_from_each_network() {
    let (throttle, now) = (Throttle::default(), Instant::now());
    for _ in 0..SIGN_IN_TRIES_PER_NAME {
        assert!(sign_in(&throttle, " Ann@example.org", HERE, now).is_ok());
    }
    let wait = sign_in(&throttle, "ann@example.org", HERE, now).unwrap_err();
    assert!(wait <= SIGN_IN_WINDOW && !wait.is_zero());
    assert!(sign_in(&throttle, "bob@example.org", HERE, now).is_ok());
    assert!(sign_in(&throttle, "ann@example.org", address(7), now).is_ok(), "she herself");
    let later = now + SIGN_IN_WINDOW;
    assert!(sign_in(&throttle, "ann@example.org", HERE, later).is_ok());
}

#[test]
fn a_name_has_an_end_of_tries_from_everywhere() {
    let (throttle, now) = (Throttle::default(), Instant::now());
    for number in 0..SIGN_IN_TRIES_PER_NAME_EVERYWHERE {
        assert!(sign_in(&throttle, "ann", address(number), now).is_ok());
    }
    assert!(sign_in(&throttle, "ann", address(9_999), now).is_err());
    assert!(sign_in(&throttle, "bob", address(9_999), now).is_ok());
}

#[test]
fn a_network_has_its_tries_whatever_the_names() {
    let (throttle, now) = (Throttle::default(), Instant::now());
    for number in 0..SIGN_IN_TRIES_PER_ADDRESS {
        assert!(sign_in(&throttle, &format!("n{number}"), HERE, now).is_ok());
    }
    assert!(sign_in(&throttle, "other", HERE, now).is_err());
    assert!(sign_in(&throttle, "other", address(7), now).is_ok());
    let of_one = |n: u128| IpAddr::V6((0x2001_0db8_u128 << 96 | n).into());
    assert_eq!(network(of_one(1)), network(of_one(2)));
    assert_ne!(network(of_one(1)), network(of_one(1 << 64)));
}

#[test]
fn success_clears_the_name_here_and_gives_the_try_back_elsewhere() {
    let throttle = Throttle::default();
    for _ in 0..10 * SIGN_IN_TRIES_PER_NAME_EVERYWHERE {
        assert!(throttle.sign_in("ann", HERE).is_ok());
        throttle.signed_in("Ann", HERE);
    }
    for _ in 0..SIGN_IN_TRIES_PER_NAME {
        assert!(throttle.sign_in("ann", address(7)).is_ok());
    }
    throttle.signed_in("ann", HERE);
    assert!(throttle.sign_in("ann", address(7)).is_err(), "whoever guesses there goes on waiting");
}

#[test]
fn whoever_is_signed_in_has_tries_of_their_own() {
    let (throttle, user) = (Throttle::default(), UserId(uuid::Uuid::from_u128(1)));
    while throttle.sign_in("ann", HERE).is_ok() {}
    for _ in 0..SIGN_IN_TRIES_PER_NAME {
        assert!(throttle.present_password(user).is_ok());
    }
    assert!(throttle.present_password(user).is_err());
    assert!(throttle.present_password(UserId(uuid::Uuid::from_u128(2))).is_ok());
    throttle.knows_password(user);
    assert!(throttle.present_password(user).is_ok());
}

#[test]
fn families_of_a_network_are_counted_apart_from_its_tries_to_sign_in() {
    let throttle = Throttle::default();
    for _ in 0..SIGN_UPS_PER_ADDRESS {
        assert!(throttle.sign_up(HERE).is_ok());
    }
    assert!(throttle.sign_up(HERE).is_err());
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
