//! Shares that the invented family holds: a fund that it bought month by month, and its prices.

use jiff::Span;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::trade::TradeType;
use purser_store::prices::changes::{PriceInput, set};
use purser_store::{FamilyTx, trades};

const TICKER: &str = "WLDF";
const FUND: &str = "World Equity Fund";
/// The price two years ago, and by how much it rises each month on average, in cents.
const FIRST_PRICE: i64 = 9_240;
const RISE: i64 = 74;
/// What the price of some months has more or less than that, in cents.
const SWINGS: [i64; 6] = [0, 180, -95, 260, -310, 40];
const MONTHS: i32 = 24;

/// What was done: how many months ago, type, shares.
const TRADES: [(i32, TradeType, &str); 4] = [
    (23, TradeType::Buy, "30"),
    (17, TradeType::Buy, "25"),
    (9, TradeType::Buy, "12.5"),
    (3, TradeType::Sell, "8"),
];

/// The price at a month, in cents.
fn cents(months_ago: i32) -> i64 {
    let month = i64::from(MONTHS - months_ago);
    let swing = SWINGS.iter().cycle().nth(usize::try_from(month).unwrap_or(0)).unwrap_or(&0);
    FIRST_PRICE + RISE * month + swing
}

fn text(cents: i64) -> AmountText {
    AmountText::Text(format!("{}.{:02}", cents / 100, cents % 100))
}

/// Makes the trades and states the prices, all in one commit and once.
pub(super) fn buy(tx: &mut FamilyTx<'_>, account: AccountId, today: Date) -> Result<()> {
    let its = [account];
    let listing = trades::Listing { accounts: Some(&its), ..trades::Listing::default() };
    if trades::list(tx, listing, 1, 0)?.1 > 0 {
        return Ok(());
    }
    let day = |months_ago: i32| -> Result<String> {
        let day = today.checked_sub(Span::new().months(months_ago)).map_err(Error::internal)?;
        Ok(day.to_string())
    };
    let mut fund = None;
    for (months_ago, trade_type, shares) in TRADES {
        let input = TradeInput {
            account: Some(account.to_string()),
            ticker: Some(TICKER.to_owned()),
            security_name: Some(FUND.to_owned()),
            values: TradeValues {
                trade_type: Some(trade_type),
                date: Some(day(months_ago)?),
                quantity: Some(AmountText::Text(shares.to_owned())),
                price: Some(text(cents(months_ago))),
                fee: Some(AmountText::Text("4.50".to_owned())),
                ..TradeValues::default()
            },
            ..TradeInput::default()
        };
        fund = Some(trades::create(tx, &input)?.0.security.id);
    }
    let Some(fund) = fund else { return Ok(()) };
    for months_ago in (0..MONTHS).rev() {
        let price = PriceInput {
            security: Some(fund.to_string()),
            date: Some(day(months_ago)?),
            currency: None,
            price: Some(text(cents(months_ago))),
        };
        set(tx, &price)?;
    }
    Ok(())
}
