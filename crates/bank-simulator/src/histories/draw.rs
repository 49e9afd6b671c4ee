//! Drawing a history.

use super::{DAYS_BEFORE, Deed, History, Interface, Step};
use crate::misbehaviour::{Fault, FaultKind, Quirk};
use crate::world::dice::Dice;

/// Quirks that a bank has or has not: they change what a row is.
const NATURES: [Quirk; 16] = [
    Quirk::BrokenRows,
    Quirk::WrongTotals,
    Quirk::BlankIds,
    Quirk::RotatingIds,
    Quirk::OneIdForAll,
    Quirk::Tips,
    Quirk::LatePostings,
    Quirk::ClockSkew,
    Quirk::EpochDates,
    Quirk::OddNumbers,
    Quirk::RoundPrices,
    Quirk::Renames,
    Quirk::CancelledHolds,
    Quirk::NoIds,
    Quirk::NoNames,
    Quirk::HiddenRows,
];
/// Quirks that come and go.
const MOODS: [Quirk; 18] = [
    Quirk::BlankIds,
    Quirk::RotatingIds,
    Quirk::OneIdForAll,
    Quirk::TwinPendings,
    Quirk::WrongTotals,
    Quirk::Truncated,
    Quirk::LatePostings,
    Quirk::ShortHistory,
    Quirk::NoCurrency,
    Quirk::ConsentExpired,
    Quirk::AccountRemoved,
    Quirk::IgnoredWindow,
    Quirk::BrokenRows,
    Quirk::NoReadableRows,
    Quirk::BankError,
    Quirk::Sentences,
    Quirk::HiddenRows,
    Quirk::OtherCurrency,
];
const ZONES: [&str; 4] = ["UTC", "Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles"];
const ACCOUNTS: [&[u64]; 5] = [&[1001], &[1002], &[1003], &[1001, 1002], &[1002, 1003]];
const PATHS: [&str; 5] = ["", "/accounts", "balance", "transactions", "/1002/"];
/// The fewest and the most steps.
const STEPS: (u64, u64) = (5, 22);

impl History {
    /// The history of a seed.
    pub fn of(seed: u64) -> Self {
        let mut dice = Dice::of(&[seed, 4]);
        let interface = if dice.one_in(4) { Interface::Simplefin } else { Interface::Lunchflow };
        let zone = *pick(&mut dice, &ZONES);
        let accounts = pick(&mut dice, &ACCOUNTS).to_vec();
        let nature = some(&mut dice, &NATURES);
        let count = STEPS.0 + dice.below(STEPS.1 - STEPS.0);
        let mut steps = beginning(&mut dice);
        steps.extend((0..count).map(|_| step(&mut dice)));
        Self { seed, interface, zone, accounts, nature, steps }
    }
}

/// Many families have files of their banks before they connect to them, and have changed some of
/// what came with them.
fn beginning(dice: &mut Dice) -> Vec<Step> {
    if !dice.one_in(4) {
        return Vec::new();
    }
    let file = Step::Import(u8::try_from(DAYS_BEFORE).unwrap_or(u8::MAX));
    let changes = 1 + dice.below(4);
    let changes = (0..changes).map(|_| Step::PersonBefore(deed(dice), any(dice, 1_000)));
    [file].into_iter().chain(changes).collect()
}

fn any(dice: &mut Dice, below: u64) -> u16 {
    u16::try_from(dice.below(below)).unwrap_or(0)
}

fn step(dice: &mut Dice) -> Step {
    let small = |dice: &mut Dice| u8::try_from(1 + dice.below(3)).unwrap_or(1);
    match dice.below(100) {
        0..30 => Step::Sync,
        30..52 => Step::Days(small(dice)),
        52..62 => Step::Misbehave(some(dice, &MOODS)),
        62..71 => Step::Meet(fault(dice)),
        71..76 => Step::Die(any(dice, 70)),
        76..79 => Step::Sleep(any(dice, 70)),
        79..82 => Step::Pending(!dice.one_in(3)),
        82..89 => Step::Person(deed(dice), any(dice, 1_000)),
        89..91 => Step::PersonBefore(deed(dice), any(dice, 1_000)),
        91..94 => Step::Import(small(dice).saturating_mul(4)),
        94..95 => Step::Decide,
        95..99 => Step::Undo,
        _ => Step::Relink,
    }
}

fn deed(dice: &mut Dice) -> Deed {
    use Deed::{Amount, Delete, Move, Note, Rename};
    *pick(dice, &[Delete, Delete, Rename, Note, Amount, Move])
}

fn fault(dice: &mut Dice) -> Fault {
    let seconds = 1 + dice.below(90);
    let kind = match dice.below(40) {
        0..6 => FaultKind::Status(*pick(dice, &[400, 401, 402, 403, 404, 410, 500, 501, 503])),
        6..9 => FaultKind::TooMany(None),
        9..13 => FaultKind::TooMany(Some(seconds)),
        13..16 => FaultKind::TooManyUntil(seconds),
        16..22 => FaultKind::WrappedTooMany(seconds),
        22..25 => FaultKind::Page,
        25..28 => FaultKind::NotJson,
        28..34 => FaultKind::Broken,
        34..36 => FaultKind::Redirect("http://127.0.0.1:9/".to_owned()),
        36..38 => FaultKind::Echo,
        38 => FaultKind::Huge,
        _ if dice.one_in(2) => FaultKind::Silent,
        _ => FaultKind::Slow,
    };
    let path = *pick(dice, &PATHS);
    Fault::times(u32::try_from(1 + dice.below(4)).unwrap_or(1), kind, path)
}

fn pick<'a, T>(dice: &mut Dice, all: &'a [T]) -> &'a T {
    &all[usize::try_from(dice.below(all.len() as u64)).unwrap_or(0)]
}

/// None of them, one or two.
fn some(dice: &mut Dice, all: &[Quirk]) -> Vec<Quirk> {
    let mut chosen: Vec<Quirk> = Vec::new();
    for _ in 0..dice.below(3) {
        let one = *pick(dice, all);
        if !chosen.contains(&one) {
            chosen.push(one);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_one_history_and_seeds_have_others() {
        assert_eq!(History::of(1), History::of(1));
        assert_ne!(History::of(1), History::of(2));
        let all: Vec<History> = (0..500).map(History::of).collect();
        let has = |wanted: fn(&Step) -> bool| {
            all.iter().flat_map(|one| &one.steps).filter(|step| wanted(step)).count()
        };
        for wanted in [
            |step: &Step| *step == Step::Sync,
            |step: &Step| matches!(step, Step::Die(_)),
            |step: &Step| matches!(step, Step::Sleep(_)),
            |step: &Step| *step == Step::Pending(false),
            |step: &Step| matches!(step, Step::Person(Deed::Delete, _)),
            |step: &Step| matches!(step, Step::Person(Deed::Move, _)),
            |step: &Step| matches!(step, Step::PersonBefore(Deed::Delete, _)),
            |step: &Step| matches!(step, Step::Import(_)),
            |step: &Step| *step == Step::Undo,
            |step: &Step| *step == Step::Relink,
        ] {
            assert!(has(wanted) > 30);
        }
        for quirk in NATURES {
            assert!(all.iter().any(|one| one.nature.contains(&quirk)), "{quirk:?}");
        }
        for quirk in MOODS {
            let is_in = |step: &Step| matches!(step, Step::Misbehave(on) if on.contains(&quirk));
            assert!(all.iter().any(|one| one.steps.iter().any(is_in)), "{quirk:?}");
        }
    }
}
