use jiff::Timestamp;
use jiff::civil::date;
use purser_core::ledger::account::{AccountStatus, AccountType};
use purser_core::ledger::holding::CostBasisSource;
use purser_core::ledger::positions::Segment;
use purser_core::money::exact::whole;

use super::positions::{Split, StatedCost};
use super::*;

fn segment(day: i8, quantity: i64, cost: Option<i64>) -> Segment {
    Segment {
        date: date(2024, 1, day),
        quantity: Decimal::from(quantity),
        cost: cost.map(whole),
        source: cost.map(|_| CostBasisSource::Calculated),
    }
}

fn position(number: u128, segments: Vec<Segment>) -> Position {
    Position {
        id: HoldingId(Uuid::from_u128(number)),
        account: AccountSummary {
            id: AccountId(Uuid::from_u128(1)),
            name: "Broker".into(),
            account_type: AccountType::Investment,
            status: AccountStatus::Active,
        },
        currency: Currency::USD,
        security: SecuritySummary {
            id: SecurityId(Uuid::from_u128(2)),
            ticker: "VTI".into(),
            exchange_operating_mic: String::new(),
            name: None,
        },
        stated: None,
        locked: false,
        created_at: Timestamp::UNIX_EPOCH,
        updated_at: Timestamp::UNIX_EPOCH,
        segments,
        splits: Vec::new(),
    }
}

#[test]
fn pages_of_days_are_parts_of_one_list() {
    let positions = [
        position(1, vec![segment(2, 5, None), segment(4, 0, None), segment(6, 1, None)]),
        position(2, vec![]),
        position(3, vec![segment(3, -2, None), segment(5, -1, None)]),
    ];
    let span = |first, last| (date(2024, 1, first), date(2024, 1, last));
    let rows = |span, limit, offset| {
        let (rows, total) = days::page(&positions, span, limit, offset);
        let rows: Vec<(usize, i8)> = rows.into_iter().map(|(at, day)| (at, day.day())).collect();
        (rows, total)
    };
    let all = vec![(0, 2), (0, 3), (2, 3), (2, 4), (2, 5), (0, 6), (2, 6), (0, 7), (2, 7)];
    assert_eq!(rows(span(1, 7), 100, 0), (all.clone(), 9));
    for limit in 1..5 {
        let pages = (0..9).step_by(limit).flat_map(|offset| {
            let (rows, total) = rows(span(1, 7), limit as i64, offset as i64);
            assert_eq!(total, 9);
            rows
        });
        assert_eq!(pages.collect::<Vec<_>>(), all, "{limit}");
    }
    assert_eq!(rows(span(4, 4), 100, 0), (vec![(2, 4)], 1));
    assert_eq!(rows(span(1, 7), 10, 9), (vec![], 9));
    assert_eq!(rows(span(7, 6), 10, 0), (vec![], 0));
    assert_eq!(rows(span(1, 1), i64::MAX, i64::MAX), (vec![], 0));
}

#[test]
fn a_person_is_believed_before_the_trades_and_splits_count_in_between() {
    let mut held = position(1, vec![segment(2, 10, Some(1000)), segment(5, 0, Some(0))]);
    let average = |held: &Position, day| {
        let cost = held.cost(date(2024, 1, day))?;
        Some((cost.source, cost.average(Currency::USD)?.to_string()))
    };
    let calculated = |text: &str| Some((CostBasisSource::Calculated, text.to_owned()));
    let manual = |text: &str| Some((CostBasisSource::Manual, text.to_owned()));
    assert_eq!(average(&held, 1), None);
    assert_eq!(average(&held, 2), calculated("0.01"));
    assert_eq!(average(&held, 5), None, "nothing is there");
    held.segments[0].cost = None;
    assert_eq!(average(&held, 2), None);
    let at = |second| Timestamp::from_second(second).unwrap();
    let (quantity, total) = (Some(Decimal::ONE), 600_000);
    held.stated = Some(StatedCost { quantity, total, date: date(2024, 1, 3), at: at(5) });
    let split = |day, to, recorded| Split {
        date: date(2024, 1, day),
        recorded_at: at(recorded),
        to,
        from: 1,
    };
    held.splits = vec![split(3, 9, 5), split(4, 3, 1)];
    assert_eq!(average(&held, 2), manual("540"));
    assert_eq!(average(&held, 3), manual("60"));
    assert_eq!(average(&held, 4), manual("20"));
    // A cost of all shares of the day: its sum stays, whatever splits are recorded later.
    held.stated = Some(StatedCost { quantity: None, total, date: date(2024, 1, 3), at: at(5) });
    assert_eq!(average(&held, 3), manual("6"));
    assert_eq!(average(&held, 4), manual("2"));
    held.splits = vec![split(2, 7, 9), split(3, 2, 6)];
    assert_eq!(average(&held, 3), manual("6"));
    held.stated = Some(StatedCost { quantity, total, date: date(2024, 1, 3), at: at(5) });
    // A split that was not recorded when the cost was stated doesn't make the shares dearer.
    held.splits = vec![split(3, 2, 6)];
    assert_eq!(average(&held, 2), manual("60"));
    assert_eq!(average(&held, 3), manual("30"));
}
