//! Accounts for debts that OFX states with a balance above zero.

use purser_core::import::file_statement::{FileStatement, StatementKind};

/// How the objection begins.
pub(super) const ABOVE_ZERO: &str = "The statement of a card or a loan has ";

/// What the words of OFX for debts have in them: `CREDITLINE`, and kinds of loans.
const OF_DEBT: [&str; 11] = [
    "CREDIT",
    "LOAN",
    "MORTGAGE",
    "AUTO",
    "CONSUMER",
    "COMMERCIAL",
    "STUDENT",
    "MILITARY",
    "SMB",
    "CONSTR",
    "HOMEEQUITY",
];

/// That an account which the import makes would open as one that holds money, although it is one
/// for a debt: some banks write what is owed without a minus.
pub(super) fn opens_as_money(stated: &FileStatement) -> Option<String> {
    let is_of_debt = stated.kind == Some(StatementKind::Card)
        || stated
            .kind_word
            .as_deref()
            .is_some_and(|word| OF_DEBT.iter().any(|it| word.contains(it)));
    let closing = stated.closing.as_deref().filter(|_| is_of_debt)?;
    let is_above_zero = !closing.starts_with('-') && closing.contains(|c| matches!(c, '1'..='9'));
    is_above_zero.then(|| {
        format!(
            "{ABOVE_ZERO}{closing} at its end: if that is owed, the account that the import makes \
             would have it as money; make the account first"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debt_above_zero_may_be_one_that_is_owed() {
        let of = |kind, word: &str, closing: &str| {
            opens_as_money(&FileStatement {
                kind: Some(kind),
                kind_word: Some(word.to_owned()),
                closing: Some(closing.to_owned()),
                ..FileStatement::default()
            })
        };
        use StatementKind::{Bank, Card};
        assert!(of(Card, "CREDITCARD", "100.00").is_some());
        assert!(of(Card, "CREDITLINE", "0.01").is_some());
        for word in ["MORTGAGE", "LOAN", "AUTO", "HOMEEQUITY"] {
            assert!(of(Bank, word, "100.00").is_some(), "{word}");
        }
        assert!(of(Card, "CREDITCARD", "-100.00").is_none());
        assert!(of(Card, "CREDITCARD", "0.00").is_none());
        for word in ["CHECKING", "CURRENT", "SAVING", "MONEYMARKET", "BROKERAGE"] {
            assert!(of(Bank, word, "100.00").is_none(), "{word}");
        }
    }
}
