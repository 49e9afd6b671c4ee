//! Finding series in what has happened.

use std::collections::BTreeMap;

use jiff::civil::Date;
use uuid::Uuid;

use super::{
    DAYS_LATE_MAX, DAYS_OFF_MAX, OCCURRENCES_MIN, Occurrence, Series, are_similar, days_between,
    nearest, next_after, series_key,
};

/// Who a group is about: the account, the currency, money out or in, the merchant or the name.
type Key = (Uuid, &'static str, bool, Option<Uuid>, String);

/// The series that go on at `today`, by account and name. The order of the entries doesn't matter.
pub fn detect(entries: &[Occurrence], today: Date) -> Vec<Series> {
    let mut groups: BTreeMap<Key, Vec<&Occurrence>> = BTreeMap::new();
    for seen in entries.iter().filter(|seen| seen.amount != 0) {
        let name = if seen.merchant.is_some() { String::new() } else { series_key(&seen.name) };
        let key = (seen.account, seen.currency, seen.amount > 0, seen.merchant, name);
        groups.entry(key).or_default().push(seen);
    }
    let mut found: Vec<Series> = groups
        .into_values()
        .filter(|group| group.len() >= OCCURRENCES_MIN)
        .flat_map(|group| clusters(group).into_iter().filter_map(|one| series_of(&one)))
        .filter(|series| days_between(series.next, today) <= DAYS_LATE_MAX)
        .collect();
    found.sort_by(|a, b| (a.account, &a.name, a.amount).cmp(&(b.account, &b.name, b.amount)));
    found
}

/// Divides a group by amounts: two subscriptions at one shop are two series.
fn clusters(mut group: Vec<&Occurrence>) -> Vec<Vec<&Occurrence>> {
    group.sort_by(|a, b| {
        let key = |seen: &Occurrence| (seen.amount.unsigned_abs(), seen.date, seen.category);
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    let mut clusters: Vec<Vec<&Occurrence>> = Vec::new();
    for seen in group {
        match clusters.last_mut() {
            Some(cluster) if are_similar(cluster[0].amount, seen.amount) => cluster.push(seen),
            _ => clusters.push(vec![seen]),
        }
    }
    clusters
}

/// The last run of months of a cluster, if it is a series.
fn series_of(cluster: &[&Occurrence]) -> Option<Series> {
    let mut by_day: Vec<&Occurrence> = cluster.to_vec();
    by_day.sort_by_key(|seen| seen.date);
    let day = best_day(&by_day);
    // One each month: of several the one nearest to the day.
    let mut months: BTreeMap<Date, &Occurrence> = BTreeMap::new();
    for seen in &by_day {
        let expected = nearest(seen.date, day);
        let off = |date| days_between(expected, date).abs();
        if off(seen.date) > DAYS_OFF_MAX {
            continue;
        }
        let kept = months.entry(expected).or_insert(seen);
        if off(seen.date) < off(kept.date) {
            *kept = seen;
        }
    }
    let mut run: Vec<&Occurrence> = Vec::new();
    let mut wanted: Option<Date> = None;
    for (expected, seen) in months {
        if wanted != Some(expected) {
            run.clear();
        }
        run.push(seen);
        wanted = Some(next_after(expected, day));
    }
    let (first, last) = (*run.first()?, *run.last()?);
    // What comes more often than once a month is no monthly series.
    let around = by_day.iter().filter(|seen| seen.date >= first.date).count();
    if run.len() < OCCURRENCES_MIN || around > run.len() + run.len() / 2 {
        return None;
    }
    Some(Series {
        account: last.account,
        merchant: last.merchant,
        name: last.name.clone(),
        category: last.category,
        amount: last.amount,
        currency: last.currency,
        day,
        last: last.date,
        next: next_after(last.date, day),
        count: run.len() as u64,
    })
}

/// The day of the month that the fewest dates are too far from, and that all are off the least.
fn best_day(by_day: &[&Occurrence]) -> i8 {
    let off = |day: &i8| {
        let each =
            by_day.iter().map(|seen| days_between(nearest(seen.date, *day), seen.date).abs());
        let (mut outside, mut sum) = (0, 0);
        for days in each {
            outside += u64::from(days > DAYS_OFF_MAX);
            sum += days;
        }
        (outside, sum)
    };
    (1..=31).min_by_key(off).unwrap_or(1)
}
