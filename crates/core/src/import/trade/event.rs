//! What happened in a row: by the word of its type, else by signs.

use super::signs::{Flow, SignRule};
use super::words::TypeWord;
use crate::ledger::cash_move::CashMove;
use crate::ledger::trade::{TradeType, UnitFlow};

/// What happened to the shares or the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A trade of a security.
    Trade(TradeType),
    /// Money alone, and its direction.
    Money(CashMove, Flow),
}

/// What decides in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signs {
    /// Whether the quantity has a minus; nothing without a quantity.
    pub(super) quantity: Option<bool>,
    /// Whether the total has a minus; nothing without a total.
    pub(super) amount: Option<bool>,
    /// Whether the row names a security.
    pub(super) has_security: bool,
}

/// What happened, or the reasons why that isn't known, as parts of sentences.
pub(super) fn event(
    word: Option<TypeWord>,
    signs: Signs,
    rule: &SignRule,
) -> Result<Event, String> {
    let shares = signs.quantity.and_then(|is_negative| rule.shares(is_negative));
    let money = signs.amount.and_then(|is_negative| rule.money(is_negative));
    let event = match word {
        None | Some(TypeWord::Trade) => Event::Trade(bought_or_sold(signs, shares, money)?),
        Some(TypeWord::Buy) => Event::Trade(TradeType::Buy),
        Some(TypeWord::Sell) => Event::Trade(TradeType::Sell),
        Some(TypeWord::Dividend) => Event::Trade(TradeType::Dividend),
        Some(TypeWord::Split) => Event::Trade(TradeType::Split),
        // Money went out for the shares: the income has a row of its own.
        Some(TypeWord::Reinvestment) if money == Some(Flow::Out) => Event::Trade(TradeType::Buy),
        Some(TypeWord::Reinvestment) => Event::Trade(TradeType::Reinvestment),
        Some(TypeWord::TransferIn) => Event::Trade(TradeType::TransferIn),
        Some(TypeWord::TransferOut) => Event::Trade(TradeType::TransferOut),
        Some(TypeWord::Transfer) => transfer(signs, shares, money)?,
        Some(TypeWord::Interest) if signs.has_security => Event::Trade(TradeType::Interest),
        Some(TypeWord::Fee) if signs.has_security => Event::Trade(TradeType::Fee),
        // Interest that is paid for a debt goes out.
        Some(TypeWord::Interest) => {
            let stated = signs.amount.map(|is_negative| rule.income(is_negative)).transpose()?;
            Event::Money(CashMove::Interest, stated.flatten().unwrap_or(Flow::In))
        }
        Some(TypeWord::Fee) => Event::Money(CashMove::Fee, Flow::Out),
        Some(TypeWord::Deposit) => Event::Money(CashMove::Deposit, Flow::In),
        Some(TypeWord::Withdrawal) => Event::Money(CashMove::Withdrawal, Flow::Out),
    };
    let money = match (event, signs.amount) {
        (Event::Trade(TradeType::Dividend | TradeType::Interest), Some(is_negative)) => {
            rule.income(is_negative)?
        }
        _ => money,
    };
    agree(event, shares, money, rule)?;
    Ok(event)
}

fn bought_or_sold(
    signs: Signs,
    shares: Option<Flow>,
    money: Option<Flow>,
) -> Result<TradeType, String> {
    if signs.quantity.is_none() {
        return Err("Neither a type nor a quantity states what happened".to_owned());
    }
    match shares.or(money.map(Flow::opposite)) {
        Some(Flow::In) => Ok(TradeType::Buy),
        Some(Flow::Out) => Ok(TradeType::Sell),
        None => Err("Nothing states whether shares were bought or sold".to_owned()),
    }
}

/// Shares or money that come from elsewhere or go there.
fn transfer(signs: Signs, shares: Option<Flow>, money: Option<Flow>) -> Result<Event, String> {
    let unknown = || "Nothing states whether the transfer came in or went out".to_owned();
    if signs.has_security && signs.quantity.is_some() {
        return match shares.ok_or_else(unknown)? {
            Flow::In => Ok(Event::Trade(TradeType::TransferIn)),
            Flow::Out => Ok(Event::Trade(TradeType::TransferOut)),
        };
    }
    match money.ok_or_else(unknown)? {
        Flow::In => Ok(Event::Money(CashMove::Deposit, Flow::In)),
        Flow::Out => Ok(Event::Money(CashMove::Withdrawal, Flow::Out)),
    }
}

/// Signs must not contradict what happened.
fn agree(
    event: Event,
    shares: Option<Flow>,
    money: Option<Flow>,
    rule: &SignRule,
) -> Result<(), String> {
    let units = match event {
        Event::Trade(trade_type) => match trade_type.unit_flow() {
            UnitFlow::In => Some(Flow::In),
            UnitFlow::Out => Some(Flow::Out),
            UnitFlow::None => None,
        },
        Event::Money(..) => None,
    };
    if let (Some(its), Some(stated)) = (units, shares)
        && its != stated
    {
        return Err(format!(
            "By the type shares {}, by the sign of the quantity they {}",
            its.text(),
            stated.text()
        ));
    }
    let paid = money_of(event).filter(|_| is_sign_of(event, rule));
    if let (Some(its), Some(stated)) = (paid, money)
        && its != stated
    {
        let way = |flow| if flow == Flow::In { "comes in" } else { "goes out" };
        return Err(format!(
            "By the type money {}, by the sign of the total it {}",
            way(its),
            way(stated)
        ));
    }
    Ok(())
}

/// The direction of the money that an event moves.
pub(super) fn money_of(event: Event) -> Option<Flow> {
    match event {
        Event::Money(_, flow) => Some(flow),
        Event::Trade(TradeType::Buy | TradeType::Fee) => Some(Flow::Out),
        Event::Trade(TradeType::Sell | TradeType::Dividend | TradeType::Interest) => Some(Flow::In),
        Event::Trade(_) => None,
    }
}

/// Where totals are costs, so that purchases are positive, only those of trades and income have a
/// sign that is known.
fn is_sign_of(event: Event, rule: &SignRule) -> bool {
    use TradeType::{Buy, Dividend, Interest, Sell};
    let is_known = matches!(event, Event::Trade(Buy | Sell | Dividend | Interest));
    is_known || rule.amount != super::signs::AmountSign::PositiveIsOut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::trade::signs::{AmountSign, IncomeSign, QuantitySign};

    const SIGNED: SignRule = SignRule {
        quantity: QuantitySign::PositiveComesIn,
        amount: AmountSign::NegativeIsOut,
        income: IncomeSign::Positive,
        total: None,
        fees_are_negative: false,
    };

    fn signs(quantity: Option<bool>, amount: Option<bool>) -> Signs {
        Signs { quantity, amount, has_security: true }
    }

    #[test]
    fn words_decide_and_signs_must_agree() {
        let (minus, plain) = (Some(true), Some(false));
        let by_type = SignRule::default();
        let trade = |trade_type| Ok(Event::Trade(trade_type));
        for (word, signs, rule, expected) in [
            (Some(TypeWord::Buy), signs(plain, minus), SIGNED, trade(TradeType::Buy)),
            (Some(TypeWord::Sell), signs(minus, plain), SIGNED, trade(TradeType::Sell)),
            (None, signs(plain, None), SIGNED, trade(TradeType::Buy)),
            (None, signs(minus, None), SIGNED, trade(TradeType::Sell)),
            (Some(TypeWord::Sell), signs(plain, None), by_type, trade(TradeType::Sell)),
            (Some(TypeWord::Sell), signs(minus, None), by_type, trade(TradeType::Sell)),
            (Some(TypeWord::Transfer), signs(minus, None), SIGNED, trade(TradeType::TransferOut)),
            (Some(TypeWord::Reinvestment), signs(plain, minus), SIGNED, trade(TradeType::Buy)),
            (
                Some(TypeWord::Reinvestment),
                signs(plain, plain),
                SIGNED,
                trade(TradeType::Reinvestment),
            ),
        ] {
            assert_eq!(event(word, signs, &rule), expected, "{word:?} {signs:?}");
        }
        for (word, signs, rule) in [
            (Some(TypeWord::Buy), signs(minus, None), SIGNED),
            (Some(TypeWord::Buy), signs(minus, None), by_type),
            (Some(TypeWord::Sell), signs(plain, None), SIGNED),
            (Some(TypeWord::Buy), signs(plain, plain), SIGNED),
            (Some(TypeWord::Dividend), signs(None, minus), SIGNED),
            (Some(TypeWord::Fee), signs(None, plain), SIGNED),
            (None, signs(None, plain), SIGNED),
            (None, signs(plain, None), by_type),
            (Some(TypeWord::Transfer), signs(plain, None), by_type),
        ] {
            assert!(event(word, signs, &rule).is_err(), "{word:?} {signs:?}");
        }
    }

    #[test]
    fn income_has_a_sign_of_its_own_where_totals_are_costs() {
        let costs = |income| SignRule { amount: AmountSign::PositiveIsOut, income, ..SIGNED };
        let row = |amount, has_security| Signs { quantity: None, amount, has_security };
        let (minus, plain) = (Some(true), Some(false));
        for (income, same, other) in
            [(IncomeSign::Positive, plain, minus), (IncomeSign::Negative, minus, plain)]
        {
            let rule = costs(income);
            let dividend = Ok(Event::Trade(TradeType::Dividend));
            assert_eq!(event(Some(TypeWord::Dividend), row(same, true), &rule), dividend);
            assert!(event(Some(TypeWord::Dividend), row(other, true), &rule).is_err());
            for (amount, flow) in [(same, Flow::In), (other, Flow::Out)] {
                let interest = Ok(Event::Money(CashMove::Interest, flow));
                assert_eq!(event(Some(TypeWord::Interest), row(amount, false), &rule), interest);
            }
        }
        let rule = costs(IncomeSign::Unknown);
        for word in [TypeWord::Dividend, TypeWord::Interest] {
            assert!(event(Some(word), row(plain, true), &rule).is_err());
        }
    }

    #[test]
    fn money_without_a_security_is_a_transaction() {
        let signs = Signs { quantity: None, amount: Some(true), has_security: false };
        for (word, expected) in [
            (TypeWord::Fee, Event::Money(CashMove::Fee, Flow::Out)),
            (TypeWord::Interest, Event::Money(CashMove::Interest, Flow::Out)),
            (TypeWord::Withdrawal, Event::Money(CashMove::Withdrawal, Flow::Out)),
            (TypeWord::Transfer, Event::Money(CashMove::Withdrawal, Flow::Out)),
        ] {
            assert_eq!(event(Some(word), signs, &SIGNED), Ok(expected));
        }
        assert!(event(Some(TypeWord::Deposit), signs, &SIGNED).is_err());
    }
}
