//! What a trade, or cash of an account of investments, is in the table.

use super::super::amount::Amount;
use super::super::holdings::Step;
use super::super::model::{Entry, TradeFacts};

/// Charges that are taxes.
const TAXES: [&str; 4] = ["TAXES", "WITHHOLDING", "STATEWITHHOLDING", "PENALTY"];
/// Securities that are priced in something else than money for one unit.
const PRICED_OTHERWISE: [&str; 4] = ["BUYDEBT", "SELLDEBT", "BUYOPT", "SELLOPT"];

/// What a row has besides what all rows have.
#[derive(Default)]
pub(super) struct TradeCells {
    pub(super) kind: String,
    pub(super) quantity: Option<Amount>,
    pub(super) price: Option<Amount>,
    pub(super) total: Option<Amount>,
    pub(super) fee: Option<Amount>,
    pub(super) tax: Option<Amount>,
    pub(super) ratio: String,
}

impl TradeCells {
    /// What it does to the units of its security, if anything.
    pub(super) fn step(&self) -> Option<Step> {
        match self.kind.as_str() {
            "Buy" | "Reinvestment" | "Transfer in" => self.quantity.map(|it| Step::Units(it.abs())),
            "Sell" | "Transfer out" => self.quantity.map(|it| Step::Units(it.abs().negated())),
            "Split" => {
                let (new, old) = self.ratio.split_once(':')?;
                Some(Step::Split { new: new.parse().ok()?, old: old.parse().ok()? })
            }
            _ => None,
        }
    }
}

/// Which sign a number must have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

fn agrees(amount: Option<Amount>, sign: Sign) -> bool {
    let is_negative = amount.filter(|it| !it.is_zero()).map(Amount::is_negative);
    is_negative.is_none_or(|is_negative| is_negative == (sign == Sign::Minus))
}

/// What a trade is, or the reason why a row can't have it.
pub(super) fn of_trade(trade: &TradeFacts, amount: Amount) -> Result<TradeCells, String> {
    let (action, detail) = trade.action.split_once(' ').unwrap_or((&trade.action, ""));
    let total = Some(amount).filter(|amount| !amount.is_zero());
    let sum = |is_tax: bool| {
        let its = trade.charges.iter().filter(|(name, _)| TAXES.contains(&name.as_str()) == is_tax);
        its.map(|(_, amount)| *amount).reduce(|sum, one| sum.checked_add(one).unwrap_or(sum))
    };
    let price = trade.unit_price.filter(|_| !PRICED_OTHERWISE.contains(&action));
    let cells = |kind: &str| TradeCells {
        kind: kind.to_owned(),
        quantity: trade.units.filter(|units| !units.is_zero()),
        price: price.filter(|price| !price.is_zero()),
        total,
        fee: sum(false),
        tax: sum(true),
        ratio: String::new(),
    };
    let against =
        |what: &str| Err(format!("{}: the sign of its {what} is the other one", trade.action));
    let checked = |kind: &str, units: Option<Sign>, money: Sign| match units {
        Some(sign) if !agrees(trade.units, sign) => against("units"),
        _ if !agrees(total, money) => against("total"),
        _ => Ok(cells(kind)),
    };
    let is_out = trade.units.is_some_and(Amount::is_negative);
    match (action, detail) {
        (action, _) if action.starts_with("BUY") => checked("Buy", Some(Sign::Plus), Sign::Minus),
        (action, _) if action.starts_with("SELL") => checked("Sell", Some(Sign::Minus), Sign::Plus),
        ("INCOME", "DIV" | "CGLONG" | "CGSHORT") => checked("Dividend", None, Sign::Plus),
        ("INCOME", "INTEREST") => checked("Interest", None, Sign::Plus),
        ("INVEXPENSE" | "MARGININTEREST", _) => {
            let mut fee = checked("Fee", None, Sign::Minus)?;
            (fee.quantity, fee.price) = (None, None);
            Ok(fee)
        }
        // Income that became shares in one step: no cash moves.
        ("REINVEST", _) if agrees(trade.units, Sign::Plus) => Ok(cells("Reinvestment")),
        ("REINVEST", _) => against("units"),
        ("SPLIT", _) if trade.charges.is_empty() => match &trade.split {
            Some(ratio) => Ok(TradeCells {
                kind: "Split".to_owned(),
                ratio: ratio.clone(),
                ..TradeCells::default()
            }),
            None => Err("SPLIT: it has no ratio".to_owned()),
        },
        ("SPLIT", _) => Err("SPLIT: it has cash for fractions".to_owned()),
        ("TRANSFER", "IN") if total.is_none() => {
            checked("Transfer in", Some(Sign::Plus), Sign::Plus)
        }
        ("TRANSFER", "OUT") if total.is_none() => Ok(cells("Transfer out")),
        ("TRANSFER", "") if total.is_none() && trade.units.is_some() => {
            Ok(cells(if is_out { "Transfer out" } else { "Transfer in" }))
        }
        _ => Err(format!("{} is not imported", trade.action)),
    }
}

/// Cash that moved in an account of investments.
pub(super) fn of_cash(entry: &Entry) -> TradeCells {
    let is_out = entry.amount.is_negative();
    let kind = match (entry.texts.type_code.as_deref(), is_out) {
        (Some("INT"), false) => "Interest",
        (Some("FEE" | "SRVCHG"), true) => "Fee",
        (_, true) => "Withdrawal",
        (_, false) => "Deposit",
    };
    TradeCells { kind: kind.to_owned(), total: Some(entry.amount), ..TradeCells::default() }
}
