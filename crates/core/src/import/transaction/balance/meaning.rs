//! What a balance that follows from its amounts means: money that the account holds, or a debt.
//!
//! Arithmetic can't distinguish a bank account from a card's statement that lists charges as
//! positive: both balances rise with positive amounts. So the header, the kind of the account and
//! the sign of the balances decide, and where they leave a doubt, a person is asked.

use super::Sense;
use crate::import::settings::Signage;
use crate::ledger::account::Classification;

/// What is known about a reading, besides that its balances follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import::transaction) struct Evidence {
    /// The balance falls with what the columns have as positive.
    pub(in crate::import::transaction) is_inverted: bool,
    /// The columns or words give the direction, so that the sign convention doesn't count.
    pub(in crate::import::transaction) is_directed: bool,
    /// Amounts have no signs, and only the balance shows their directions.
    pub(in crate::import::transaction) is_unsigned: bool,
    /// Some amounts have a sign.
    pub(in crate::import::transaction) has_signs: bool,
    /// The word that means money in was found by the balance alone.
    pub(in crate::import::transaction) is_word_unknown: bool,
    /// The sign convention that was sent, or that words beside the amounts show.
    pub(in crate::import::transaction) signage: Option<Signage>,
    /// What kind of account the file belongs to, if that is known.
    pub(in crate::import::transaction) classification: Option<Classification>,
    /// A person confirmed that the balance is to be compared.
    pub(in crate::import::transaction) is_confirmed: bool,
    /// The column is called a balance, and not what is available.
    pub(in crate::import::transaction) is_called_balance: bool,
    /// The balances are zero or negative.
    pub(in crate::import::transaction) is_never_positive: bool,
    /// The balances are zero or positive.
    pub(in crate::import::transaction) is_never_negative: bool,
}

/// A balance that could be either, or that contradicts what is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import::transaction) enum Doubt {
    /// It could be money or a debt.
    MoneyOrDebt,
    /// The account holds money, but the balance rises with what the columns call money out.
    AgainstColumns,
}

/// The sense of the balance, and the sign convention of the file.
pub(in crate::import::transaction) fn meaning(
    evidence: &Evidence,
) -> Result<(Sense, Signage), Doubt> {
    let Evidence { is_inverted, is_directed, signage, classification, .. } = *evidence;
    let is_debt_possible = classification == Some(Classification::Liability)
        && !evidence.is_never_positive
        && !evidence.is_confirmed;
    if evidence.is_unsigned {
        return of_unsigned(evidence);
    }
    if evidence.is_word_unknown && is_debt_possible {
        return Err(Doubt::MoneyOrDebt);
    }
    if is_directed || signage.is_some() {
        let signage = signage.unwrap_or(Signage::InflowsPositive);
        let is_opposite = !is_directed && signage == Signage::InflowsNegative;
        if is_inverted == is_opposite {
            return Ok((Sense::Money, signage));
        }
        return match classification {
            _ if evidence.is_confirmed => Ok((Sense::Debt, signage)),
            Some(Classification::Liability) if evidence.is_never_negative => {
                Ok((Sense::Debt, signage))
            }
            // A debt below zero is money: the columns may be the wrong way round.
            Some(Classification::Liability) => Err(Doubt::MoneyOrDebt),
            Some(Classification::Asset) => Err(Doubt::AgainstColumns),
            None => Err(Doubt::MoneyOrDebt),
        };
    }
    let as_money = (
        Sense::Money,
        if is_inverted { Signage::InflowsNegative } else { Signage::InflowsPositive },
    );
    match classification {
        Some(Classification::Liability) if evidence.is_never_positive => Ok(as_money),
        // Purchases on a card that owes, or money in on one that is paid in advance.
        Some(Classification::Liability) => Err(Doubt::MoneyOrDebt),
        Some(Classification::Asset) if evidence.is_called_balance => Ok(as_money),
        _ if is_inverted => Err(Doubt::MoneyOrDebt),
        // Without signs any other column may be a total of what was spent.
        _ if !(evidence.has_signs || evidence.is_called_balance || evidence.is_never_positive) => {
            Err(Doubt::MoneyOrDebt)
        }
        _ => Ok(as_money),
    }
}

/// What the balance counts if it alone shows the directions: a wrong answer would turn all of them
/// round, so that only the account, balances of less than nothing, or a person decide.
fn of_unsigned(evidence: &Evidence) -> Result<(Sense, Signage), Doubt> {
    let money = Ok((Sense::Money, Signage::InflowsPositive));
    match (evidence.classification, evidence.signage) {
        (_, Some(Signage::InflowsNegative)) if evidence.is_confirmed => {
            Ok((Sense::Debt, Signage::InflowsNegative))
        }
        // Any other column may be a total of what was spent.
        (Some(Classification::Asset), _) if evidence.is_called_balance || evidence.is_confirmed => {
            money
        }
        _ if evidence.is_never_positive => money,
        (_, Some(Signage::InflowsPositive)) if evidence.is_confirmed => money,
        _ => Err(Doubt::MoneyOrDebt),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Evidence = Evidence {
        is_inverted: false,
        is_directed: false,
        is_unsigned: false,
        has_signs: true,
        is_word_unknown: false,
        signage: None,
        classification: None,
        is_confirmed: false,
        is_called_balance: true,
        is_never_positive: false,
        is_never_negative: true,
    };

    #[test]
    fn a_bank_account_holds_money() {
        let asset = Evidence { classification: Some(Classification::Asset), ..PLAIN };
        let (positive, negative) = (Signage::InflowsPositive, Signage::InflowsNegative);
        assert_eq!(meaning(&PLAIN), Ok((Sense::Money, positive)));
        assert_eq!(meaning(&asset), Ok((Sense::Money, positive)));
        assert_eq!(meaning(&Evidence { is_inverted: true, ..asset }), Ok((Sense::Money, negative)));
        let unnamed = Evidence { is_called_balance: false, ..asset };
        assert_eq!(meaning(&Evidence { is_inverted: true, ..unnamed }), Err(Doubt::MoneyOrDebt));
        assert_eq!(meaning(&unnamed), Ok((Sense::Money, positive)));
        let total = Evidence { has_signs: false, ..unnamed };
        assert_eq!(meaning(&total), Err(Doubt::MoneyOrDebt));
        let below_zero = Evidence { is_never_positive: true, ..total };
        assert_eq!(meaning(&below_zero), Ok((Sense::Money, positive)));
        let sent = Evidence { signage: Some(negative), is_inverted: true, ..asset };
        assert_eq!(meaning(&sent), Ok((Sense::Money, negative)));
        let wrong = Evidence { is_inverted: false, ..sent };
        assert_eq!(meaning(&wrong), Err(Doubt::AgainstColumns));
        assert_eq!(meaning(&Evidence { is_confirmed: true, ..wrong }), Ok((Sense::Debt, negative)));
    }

    #[test]
    fn a_card_owes_or_has_less_than_nothing() {
        let card = Evidence { classification: Some(Classification::Liability), ..PLAIN };
        let (positive, negative) = (Signage::InflowsPositive, Signage::InflowsNegative);
        let overdrawn = Evidence { is_never_positive: true, ..card };
        assert_eq!(meaning(&overdrawn), Ok((Sense::Money, positive)));
        // Balances above zero are a debt, or what is left of money that was paid in.
        for is_inverted in [false, true] {
            let unsaid = Evidence { is_inverted, ..card };
            assert_eq!(meaning(&unsaid), Err(Doubt::MoneyOrDebt));
            for signage in [positive, negative] {
                let sent = Evidence { signage: Some(signage), ..unsaid };
                let is_money = is_inverted == (signage == negative);
                let sense = if is_money { Sense::Money } else { Sense::Debt };
                assert_eq!(meaning(&sent), Ok((sense, signage)));
            }
        }
        let columns = Evidence { is_directed: true, is_inverted: true, ..card };
        assert_eq!(meaning(&columns), Ok((Sense::Debt, positive)));
        let below_zero = Evidence { is_never_negative: false, ..columns };
        assert_eq!(meaning(&below_zero), Err(Doubt::MoneyOrDebt));
        let confirmed = Evidence { is_confirmed: true, ..below_zero };
        assert_eq!(meaning(&confirmed), Ok((Sense::Debt, positive)));
        let word = Evidence { is_directed: true, is_word_unknown: true, ..card };
        assert_eq!(meaning(&word), Err(Doubt::MoneyOrDebt));
    }

    #[test]
    fn an_unknown_account_is_asked_about() {
        let columns = Evidence { is_directed: true, ..PLAIN };
        assert_eq!(meaning(&columns), Ok((Sense::Money, Signage::InflowsPositive)));
        for evidence in [PLAIN, columns] {
            let inverted = Evidence { is_inverted: true, ..evidence };
            assert_eq!(meaning(&inverted), Err(Doubt::MoneyOrDebt));
        }
    }

    #[test]
    fn a_balance_that_alone_shows_directions_needs_an_account_or_an_answer() {
        let unsigned = Evidence { is_unsigned: true, ..PLAIN };
        let asset = Evidence { classification: Some(Classification::Asset), ..unsigned };
        let card = Evidence { classification: Some(Classification::Liability), ..unsigned };
        let (positive, negative) = (Signage::InflowsPositive, Signage::InflowsNegative);
        let (money, debt) = (Ok((Sense::Money, positive)), Ok((Sense::Debt, negative)));
        assert_eq!(meaning(&asset), money);
        let total = Evidence { is_called_balance: false, ..asset };
        assert_eq!(meaning(&Evidence { is_confirmed: true, ..total }), money);
        for open in [unsigned, card, total] {
            assert_eq!(meaning(&Evidence { is_never_positive: true, ..open }), money);
            for (signage, answer) in [(positive, money), (negative, debt)] {
                let sent = Evidence { signage: Some(signage), ..open };
                // A convention that a client always sends is no answer.
                assert_eq!(meaning(&sent), Err(Doubt::MoneyOrDebt));
                assert_eq!(meaning(&Evidence { is_confirmed: true, ..sent }), answer);
            }
        }
    }
}
