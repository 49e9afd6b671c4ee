//! Headers of columns that only some languages' banks have.

use crate::languages::Language;

/// The header of what can be spent.
pub(crate) const AVAILABLE: &str = "Available balance";

/// The header of the other party's account number.
pub(crate) fn other_number(language: &Language) -> Option<&'static str> {
    Some(match language.name {
        "German" => "Kontonummer/IBAN",
        "Dutch" => "Tegenrekening",
        "British English" => "Counterparty account number",
        "Polish" => "Numer konta kontrahenta",
        "Czech" => "Číslo protiúčtu",
        "French" => "IBAN du bénéficiaire",
        "Italian" => "IBAN beneficiario",
        "Chinese" => "对方账号",
        "Hungarian" => "Partner számlaszáma",
        "Russian" => "Счет контрагента",
        _ => return None,
    })
}

/// The headers of an amount abroad and its currency.
pub(crate) fn original(language: &Language) -> Option<(&'static str, &'static str)> {
    Some(match language.name {
        "British English" | "American English" => ("Original Amount", "Original Currency"),
        "Indian English" => ("Foreign Amount", "Foreign Currency"),
        "German" => ("Originalbetrag", "Originalwährung"),
        "French" => ("Montant en devise", "Devise d'origine"),
        "Spanish" => ("Importe en divisa", "Divisa original"),
        "Polish" => ("Kwota w walucie obcej", "Waluta obca"),
        "Russian" => ("Сумма в иностранной валюте", "Иностранная валюта"),
        "Chinese" => ("外币金额", "外币币种"),
        _ => return None,
    })
}
