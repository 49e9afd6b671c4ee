//! Which account a statement is of: `BANKACCTFROM`, `CCACCTFROM`, `LOANACCTFROM`, `INVACCTFROM`.

use super::super::markup::Element;
use super::super::model::AccountIdentifiers;
use super::super::text::{filled, iban};

/// The identifiers in an aggregate of any kind of account.
pub(super) fn account(element: &Element) -> AccountIdentifiers {
    let text = |paths: &[&str]| element.text_at_any(paths).and_then(filled);
    let number = text(&["ACCTID", "LOANACCTID"]);
    let kind = text(&["ACCTTYPE", "ACCTTYPE2", "LOANACCTTYPE"]);
    let kind = kind.or_else(|| {
        let kind = match element.name.as_str() {
            "CCACCTFROM" | "CCACCTTO" => "CREDITCARD",
            "LOANACCTFROM" => "LOAN",
            "INVACCTFROM" => "INVESTMENT",
            _ => return None,
        };
        Some(kind.to_owned())
    });
    let branch = text(&["BRANCHID"]);
    let bank = text(&["BANKID", "BROKERID"]);
    let bank = match (bank, branch) {
        (Some(bank), Some(branch)) => Some(format!("{bank} {branch}")),
        (bank, branch) => bank.or(branch),
    };
    AccountIdentifiers {
        iban: number.as_deref().and_then(iban),
        number,
        bank,
        kind: kind.map(|kind| kind.to_ascii_uppercase()),
        ..AccountIdentifiers::default()
    }
}
