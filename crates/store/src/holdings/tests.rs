use jiff::Timestamp;
use jiff::civil::date;
use purser_core::ledger::account::{AccountStatus, AccountType};
use purser_core::ledger::holding::CostBasisSource;
use purser_core::ledger::positions::Segment;
use purser_core::money::exact::whole;

use super::*;
use crate::ledger::stated_costs::StatedCosts;

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
        stated: StatedCosts::default(),
        locked: false,
        created_at: Timestamp::UNIX_EPOCH,
        updated_at: Timestamp::UNIX_EPOCH,
        segments,
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
fn a_cost_is_that_of_the_segment_of_the_day() {
    let mut held = position(1, vec![segment(2, 10, Some(1000)), segment(5, 0, Some(0))]);
    let average = |held: &Position, day| {
        let cost = held.cost(date(2024, 1, day))?;
        Some((cost.source, cost.average(Currency::USD)?.to_string()))
    };
    let calculated = |text: &str| Some((CostBasisSource::Calculated, text.to_owned()));
    assert_eq!(average(&held, 1), None);
    assert_eq!(average(&held, 2), calculated("0.01"));
    assert_eq!(average(&held, 4), calculated("0.01"));
    assert_eq!(average(&held, 5), None, "nothing is there");
    held.segments[0].cost = None;
    assert_eq!(average(&held, 2), None);
}
