use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use purser_core::ids::KeyId;
use uuid::Uuid;

use super::*;

type Waiting = Pin<Box<dyn Future<Output = Result<Share>>>>;

fn holder(family: i64, key: u128) -> Holder {
    let actor = Some(Actor::Key(KeyId(Uuid::from_u128(key))));
    Holder { family: Some(FamilyId::from_number(family)), actor }
}

/// A request that stands in line from now on.
fn wait(shares: &Arc<Shares>, holder: Holder, units: u64) -> Waiting {
    let shares = shares.clone();
    let mut waiting: Waiting = Box::pin(async move { shares.take(holder, units).await });
    // What is free at once is found by the first look again.
    match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(share) => Box::pin(std::future::ready(share)),
        Poll::Pending => waiting,
    }
}

fn ready(waiting: &mut Waiting) -> Option<Share> {
    match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(share) => Some(share.unwrap()),
        Poll::Pending => None,
    }
}

fn is_idle(shares: &Shares) -> bool {
    shares.taken() == 0 && shares.state().lines.is_empty()
}

#[test]
fn a_family_never_has_more_than_its_part() {
    let shares = Shares::new(4, 2);
    let mut of_one: Vec<Waiting> = (0..8).map(|key| wait(&shares, holder(1, key), 1)).collect();
    let mut taken: Vec<Share> = of_one.iter_mut().take(2).filter_map(ready).collect();
    assert_eq!(taken.len(), 2);
    assert!(of_one[2..].iter_mut().all(|waiting| ready(waiting).is_none()));
    let mut other = wait(&shares, holder(2, 1), 1);
    let other = ready(&mut other).expect("something is left for another family");
    taken.pop();
    assert!(ready(&mut of_one[2]).is_some(), "the next of the family");
    drop((taken, other, of_one));
    assert!(is_idle(&shares));
}

#[test]
fn families_are_served_in_turn_and_so_are_their_keys() {
    let shares = Shares::new(1, 1);
    let mut first = wait(&shares, holder(1, 1), 1);
    let mut held = ready(&mut first).unwrap();
    // Many of one key before one of another key, and before another family.
    let requests = [(1, 1), (1, 1), (1, 1), (1, 2), (2, 3), (2, 3)];
    let mut waiting: Vec<Waiting> =
        requests.iter().map(|(family, key)| wait(&shares, holder(*family, *key), 1)).collect();
    let mut order = Vec::new();
    for _ in requests {
        drop(held);
        let next = waiting.iter_mut().enumerate().filter(|(at, _)| !order.contains(at));
        let found = next.filter_map(|(at, one)| Some((at, ready(one)?))).collect::<Vec<_>>();
        let [(at, share)]: [(usize, Share); 1] = found.try_into().expect("exactly one is next");
        order.push(at);
        held = share;
    }
    assert_eq!(order, [0, 4, 3, 5, 1, 2]);
    drop(held);
    assert!(is_idle(&shares));
}

#[test]
fn who_stops_waiting_is_passed_over() {
    let shares = Shares::new(1, 1);
    let mut first = wait(&shares, holder(1, 1), 1);
    let held = ready(&mut first).unwrap();
    let gone = wait(&shares, holder(1, 1), 1);
    let mut last = wait(&shares, holder(1, 1), 1);
    drop(gone);
    drop(held);
    let share = ready(&mut last).expect("nobody is before it");
    // Also one that has its share already, but hasn't looked.
    let got_it = wait(&shares, holder(2, 1), 1);
    drop(share);
    drop(got_it);
    assert!(is_idle(&shares));
}

#[test]
fn a_large_share_is_waited_for_and_not_overtaken() {
    let shares = Shares::new(10, 6);
    let mut small = wait(&shares, holder(1, 1), 5);
    let small = ready(&mut small).unwrap();
    let mut large = wait(&shares, holder(2, 1), 100);
    let mut late = wait(&shares, holder(3, 1), 1);
    assert!(ready(&mut large).is_none() && ready(&mut late).is_none());
    drop(small);
    let large = ready(&mut large).expect("as much as a family may have");
    assert_eq!((large.units, shares.taken()), (6, 7));
    drop((large, ready(&mut late).unwrap()));
    assert!(is_idle(&shares));
}

#[test]
fn what_is_kept_back_is_for_families_that_have_nothing() {
    let shares = Shares::keeping_back(8, 3, 3);
    let mut held = Vec::new();
    for (family, expected) in [(1, 3), (2, 2), (3, 1), (4, 1), (5, 1)] {
        let mut all: Vec<Waiting> =
            (0..8).map(|key| wait(&shares, holder(family, key), 1)).collect();
        let mut got: Vec<Share> = Vec::new();
        all.retain_mut(|one| match ready(one) {
            Some(share) => {
                got.push(share);
                false
            }
            None => true,
        });
        assert_eq!(got.len(), expected, "{family}");
        held.push((got, all));
    }
    assert_eq!(shares.taken(), 8);
    // What the first one gives back goes to those who wait, but no second one to anybody.
    held.remove(0);
    assert!(held.iter_mut().all(|(_, waiting)| waiting.iter_mut().all(|one| ready(one).is_none())));
    assert_eq!(shares.taken(), 5);
    drop(held);
    assert!(is_idle(&shares));
}

#[test]
fn who_belongs_to_no_family_gets_what_is_kept_back() {
    let shares = Shares::keeping_back(8, 3, 3);
    let mut families: Vec<Waiting> = (1..=4).map(|one| wait(&shares, holder(one, 1), 1)).collect();
    let families: Vec<Share> = families.iter_mut().filter_map(ready).collect();
    assert_eq!(families.len(), 4);
    let mut asked: Vec<Waiting> = (0..4).map(|_| wait(&shares, Holder::NOBODY, 1)).collect();
    let directories: Vec<Share> = asked.iter_mut().filter_map(ready).collect();
    assert_eq!(directories.len(), 3, "their third");
    let mut other = wait(&shares, holder(5, 1), 1);
    let other = ready(&mut other).expect("the last one is for a family");
    drop((asked, directories, other, families));
    assert!(is_idle(&shares));
}

#[test]
fn a_share_grows_only_within_what_is_free() {
    let shares = Shares::new(10, 6);
    let mut share = shares.nothing(holder(1, 1));
    assert!(share.resize(4));
    assert!(!share.resize(7), "more than a family may have");
    let mut other = shares.nothing(holder(2, 1));
    assert!(!other.resize(7) && other.resize(6));
    assert!(!share.resize(5), "nothing is free");
    let mut next = wait(&shares, holder(2, 2), 2);
    assert!(ready(&mut next).is_none());
    assert!(other.resize(1), "less is always possible");
    assert_eq!(shares.taken(), 7);
    assert!(ready(&mut next).is_some(), "and who waits gets it");
    drop((share, other, next));
    assert!(is_idle(&shares));
}
