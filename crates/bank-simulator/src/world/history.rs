//! What happens in an account on a day.

use jiff::Span;
use jiff::civil::Date;

use super::dice::Dice;
use super::{Account, AccountKind};

/// Something that was bought, or money that came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// The number within the account.
    pub number: u64,
    /// The day on which the bank hears of it.
    pub authorised: Date,
    /// The day on which it is booked.
    pub booked: Date,
    /// The amount in hundredths; negative for money out.
    pub amount: i64,
    /// What is added when it is booked, in hundredths.
    pub tip: i64,
    /// The other side of it.
    pub payee: &'static str,
    /// The same as a bank may name it when it is booked.
    pub booked_as: &'static str,
    /// The text of the bank.
    pub description: String,
}

/// Names of shops, as pending and perhaps as booked, whether tips are usual there, and prices up to
/// so many hundredths.
const SHOPS: [(&str, &str, bool, u64); 8] = [
    ("Corner Bakery", "CORNER BAKERY 0423", false, 1_500),
    ("Night Owl Café", "NIGHT OWL CAFE CARD", true, 2_500),
    ("Green Grocer", "GREEN GROCER BERLIN", false, 9_000),
    ("City Transit", "CITY TRANSIT 77", false, 320),
    ("Trattoria Sole", "TRATTORIA SOLE MILANO", true, 8_000),
    ("Book Nook", "BOOK NOOK LTD", false, 4_000),
    ("Pharmacy Central", "PHARMACY CENTRAL 12", false, 3_500),
    ("Streaming Plus", "STREAMING PLUS EU", false, 1_299),
];

/// The number of a day, counted from a fixed one.
pub(super) fn day_number(date: Date) -> u64 {
    let days = (date - Date::constant(1970, 1, 1)).get_days();
    u64::try_from(days).unwrap_or(0)
}

/// What happens on a day, the same whenever it is asked for; `wanted` purchases of it, or as many
/// as people make.
pub(super) fn purchases(
    seed: u64,
    account: &Account,
    day: Date,
    wanted: Option<u64>,
) -> Vec<Purchase> {
    let number = day_number(day) * (8 + wanted.unwrap_or(0));
    let mut dice = Dice::of(&[seed, account.id, number]);
    let mut purchases = Vec::new();
    let count = match (account.kind, wanted) {
        (AccountKind::Investment, _) => 0,
        (_, Some(wanted)) => wanted,
        (AccountKind::Current, None) => dice.below(3),
        (AccountKind::Card, None) => dice.below(4),
    };
    for index in 0..count {
        let (payee, booked_as, has_tip, price_max) = SHOPS[dice.below(SHOPS.len() as u64) as usize];
        let price = 1 + i64::try_from(dice.below(price_max)).unwrap_or(0);
        // Checks of cards are rows with an amount of zero.
        let amount = if dice.one_in(50) { 0 } else { -price };
        purchases.push(Purchase {
            number: number + index,
            authorised: day,
            booked: day.saturating_add(Span::new().days(dice.below(4) as i64)),
            amount,
            tip: if has_tip { price * 18 / 100 } else { 0 },
            payee,
            booked_as,
            description: format!("CARD {:04} {payee}", dice.below(10_000)),
        });
    }
    if day.day() == 1 && account.kind == AccountKind::Current {
        purchases.push(Purchase {
            number: number + 7 + wanted.unwrap_or(0),
            authorised: day,
            booked: day,
            amount: 245_000,
            tip: 0,
            payee: "Harbour Works",
            booked_as: "Harbour Works",
            description: "SALARY".to_owned(),
        });
    }
    purchases
}
