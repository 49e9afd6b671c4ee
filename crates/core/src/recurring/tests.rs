//! Series that are found, and what is none.

use jiff::Span;
use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const TODAY: Date = date(2024, 6, 10);

fn seen(date: &str, name: &str, amount: i64) -> Occurrence {
    Occurrence {
        account: Uuid::from_u128(1),
        merchant: None,
        name: name.to_owned(),
        category: None,
        date: date.parse().unwrap(),
        amount,
        currency: "EUR",
    }
}

fn found(entries: &[Occurrence]) -> Vec<(String, i64, i8, String, String, u64)> {
    let series = detect(entries, TODAY).into_iter();
    series
        .map(|one| {
            let (last, next) = (one.last.to_string(), one.next.to_string());
            (one.name, one.amount, one.day, last, next, one.count)
        })
        .collect()
}

fn on(days: &[&str], name: &str, amount: i64) -> Vec<Occurrence> {
    days.iter().map(|day| seen(day, name, amount)).collect()
}

#[test]
fn three_months_in_a_row_are_a_series() {
    let rent = on(&["2024-04-01", "2024-05-02", "2024-06-01"], "Rent", 9000);
    let expected = ("Rent".into(), 9000, 1, "2024-06-01".into(), "2024-07-01".into(), 3);
    assert_eq!(found(&rent), [expected]);
    assert!(found(&rent[1..]).is_empty(), "two are not enough");
}

#[test]
fn the_end_of_the_month_is_a_day() {
    let days = ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31"];
    let salary = found(&on(&days, "Salary", -30_000));
    let expected = ("Salary".into(), -30_000, 31, "2024-05-31".into(), "2024-06-30".into(), 5);
    assert_eq!(salary, [expected]);
    // The first of a month that falls on a weekend comes on the last days of the one before.
    let days = ["2024-02-29", "2024-04-01", "2024-04-30", "2024-06-01"];
    let early = found(&on(&days, "Gym", 500));
    assert_eq!(early[0].4, "2024-07-01");
    assert_eq!(early[0].5, 4);
}

#[test]
fn names_may_hold_numbers_and_amounts_may_drift() {
    let entries = [
        seen("2024-03-15", "POWER CO 4711 03/2024", 8000),
        seen("2024-04-16", "Power Co 4712 04/2024", 8300),
        seen("2024-05-14", "power co. 4713 05/2024", 8100),
    ];
    let power = found(&entries);
    assert_eq!((power[0].1, power[0].5), (8100, 3));
    assert_eq!(power[0].0, "power co. 4713 05/2024");
    assert_eq!(series_key("4711"), "4711");
    assert!(are_similar(100, 90) && !are_similar(100, 89) && !are_similar(100, -100));
    assert!(are_similar(i64::MIN, i64::MIN) && !are_similar(i64::MAX, i64::MIN));
}

#[test]
fn two_amounts_are_two_series() {
    let mut entries = on(&["2024-03-05", "2024-04-05", "2024-05-05"], "Media", 1000);
    entries.extend(on(&["2024-03-20", "2024-04-20", "2024-05-20"], "Media", 1500));
    let days: Vec<i8> = found(&entries).iter().map(|one| one.2).collect();
    assert_eq!(days, [5, 20]);
}

#[test]
fn what_comes_more_often_or_not_any_more_is_none() {
    let weekly: Vec<Occurrence> = (0..20)
        .map(|week| {
            let day = date(2024, 1, 5).checked_add(Span::new().weeks(week)).unwrap();
            seen(&day.to_string(), "Bakery", 450)
        })
        .collect();
    assert!(found(&weekly).is_empty());
    let ended = on(&["2024-01-10", "2024-02-10", "2024-03-10", "2024-04-10"], "Course", 100);
    assert!(found(&ended).is_empty());
    let late = on(&["2024-03-01", "2024-04-01", "2024-05-01"], "Late", 100);
    assert_eq!(found(&late).len(), 1, "nine days late");
    let gap = on(&["2024-02-01", "2024-03-01", "2024-05-01", "2024-06-01"], "Gap", 100);
    assert!(found(&gap).is_empty());
    let scattered = on(&["2024-03-02", "2024-04-18", "2024-06-05"], "Shop", 100);
    assert!(found(&scattered).is_empty());
}

#[test]
fn a_merchant_counts_more_than_a_name() {
    let merchant = |name: &str, day: &str, id: u128| Occurrence {
        merchant: Some(Uuid::from_u128(id)),
        ..seen(day, name, 100)
    };
    let same = [
        merchant("A", "2024-04-01", 7),
        merchant("B", "2024-05-01", 7),
        merchant("C", "2024-06-01", 7),
    ];
    assert_eq!(found(&same).len(), 1);
    let others = [
        merchant("A", "2024-04-01", 7),
        merchant("A", "2024-05-01", 8),
        merchant("A", "2024-06-01", 9),
    ];
    assert!(found(&others).is_empty());
    let expected =
        |merchant| Expected { account: None, merchant, name: "a 12", amount: 95, currency: "EUR" };
    assert!(expected(None).covers(&others[0]));
    assert!(!expected(Some(Uuid::from_u128(8))).covers(&others[0]));
    let elsewhere = Expected { account: Some(Uuid::from_u128(2)), ..expected(None) };
    assert!(!elsewhere.covers(&others[0]));
}

#[test]
fn the_next_one_is_a_month_after_the_one_that_was_meant() {
    for (last, day, next) in [
        ("2024-01-31", 31, "2024-02-29"),
        ("2024-02-29", 31, "2024-03-31"),
        ("2024-03-02", 31, "2024-03-31"),
        ("2024-03-30", 1, "2024-05-01"),
        ("2023-12-28", 28, "2024-01-28"),
    ] {
        assert_eq!(next_after(last.parse().unwrap(), day).to_string(), next, "{last} {day}");
    }
}

proptest! {
    #[test]
    fn a_series_is_found_among_others(
        day in 1i8..=31,
        months in 3i32..=12,
        off in prop::collection::vec(-2i64..=2, 12),
        noise in prop::collection::vec((0i64..350, 1i64..90_000), 0..40),
        shuffle in any::<prop::sample::Index>(),
    ) {
        // The last one isn't so long ago that the series could have ended.
        let months_back = if day < 5 { months - 1 } else { months };
        let start = day_in_month(plus_months(TODAY, -months_back), day);
        let mut entries: Vec<Occurrence> = (0..months)
            .map(|month| {
                let expected = day_in_month(plus_months(start.first_of_month(), month), day);
                let date = expected
                    .checked_add(Span::new().days(off[month as usize]))
                    .unwrap();
                seen(&date.to_string(), "Wanted", 5000)
            })
            .collect();
        for (number, (days, amount)) in noise.iter().enumerate() {
            let date = TODAY.checked_sub(Span::new().days(*days)).unwrap();
            let name = char::from(b'a' + number as u8 % 26).to_string().repeat(number / 26 + 1);
            entries.push(seen(&date.to_string(), &name, *amount));
        }
        let at = shuffle.index(entries.len());
        let series = detect(&entries, TODAY);
        let wanted: Vec<&Series> = series.iter().filter(|one| one.name == "Wanted").collect();
        prop_assert_eq!(wanted.len(), 1);
        prop_assert_eq!(wanted[0].count, months as u64);
        prop_assert!(wanted[0].next > wanted[0].last);
        entries.rotate_left(at);
        prop_assert_eq!(detect(&entries, TODAY), series);
    }
}
