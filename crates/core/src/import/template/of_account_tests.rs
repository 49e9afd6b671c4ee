use serde_json::{Value, json};

use super::*;
use crate::import::settings::SETTINGS;

const ONE: AccountId = AccountId(uuid::Uuid::from_u128(1));
const OTHER: AccountId = AccountId(uuid::Uuid::from_u128(2));

fn settings(fields: &Value) -> Settings {
    let text = |name: &str| fields[name].as_str().map(str::to_owned);
    Settings::from_fields(text).unwrap()
}

fn found(json: Value) -> Formats {
    serde_json::from_value(json).unwrap()
}

/// What is taken over for a file of an account.
fn taken_by(account: AccountId, known: &[AccountSettings]) -> (Settings, Formats) {
    let own = known.iter().find(|one| one.covers(&[account]));
    let mut preferred = Formats::default();
    preferred.complete(own.map(|own| own.found.clone()).unwrap_or_default(), known);
    (for_account(&Settings::default(), own), preferred)
}

#[test]
fn a_convention_of_another_account_is_a_doubt() {
    let negative = json!({ "signage_convention": "inflows_negative" });
    for (sent, is_doubt, formats) in [
        (&negative, true, json!({ "signage": "inflows_negative", "has_signs": true })),
        (&json!({}), true, json!({ "signage": "inflows_negative", "has_signs": true })),
        (&json!({}), true, json!({ "signage": "inflows_negative" })),
        (&json!({}), true, json!({ "signage": "inflows_negative", "unmarked_is_out": true })),
        // It was about the amounts of that file.
        (&negative, false, json!({ "signage": "inflows_negative", "has_signs": false })),
        (&json!({}), false, json!({ "signage": "inflows_positive", "has_signs": true })),
    ] {
        let mut all = TemplateFormats::default();
        all.put(AccountSettings::new(vec![ONE], &settings(sent), found(formats.clone())));
        let (settings, preferred) = taken_by(OTHER, &all.accounts);
        assert_eq!((settings.signage, preferred.signage), (None, None), "{formats}");
        assert_eq!(preferred.is_negative_elsewhere, is_doubt, "{formats}");
        // Of an account with a convention of its own nothing is in doubt.
        let own = found(json!({ "signage": "inflows_positive", "has_signs": true }));
        all.put(AccountSettings::new(vec![OTHER], &Settings::default(), own));
        assert!(!taken_by(OTHER, &all.accounts).1.is_negative_elsewhere, "{formats}");
    }
}

#[test]
fn templates_of_earlier_versions_keep_their_convention() {
    let sent = json!({
        "signage_convention": "inflows_negative", "exchange_rate_col_label": "Rate",
        "debit_col_label": "Out", "name_col_label": "Text",
    });
    let kept = json!({ "date_format": "%d/%m/%Y", "signage": "inflows_negative" });
    let kept: TemplateFormats = serde_json::from_value(kept).unwrap();
    for account in [Some(ONE), None] {
        let known = kept.clone().known(&settings(&sent), account);
        assert_eq!(known.len(), 1, "{account:?}");
        assert_eq!(known[0].is_of_unknown_accounts(), account.is_none());
        let one = &known[0];
        assert_eq!(one.found.signage, Some(Signage::InflowsNegative));
        assert_eq!(one.found.date_format.as_deref(), Some("%d/%m/%Y"));
        let fields = for_account(&Settings::default(), Some(one)).fields();
        let names: Vec<&str> = fields.keys().copied().collect();
        assert_eq!(names, ["debit_col_label", "exchange_rate_col_label"], "{account:?}");
        assert!(taken_by(OTHER, &known).1.is_negative_elsewhere);
    }
    // A file of too many accounts, kept today.
    let of_today = found(json!({ "signage": "inflows_negative", "has_signs": true }));
    let of_today = TemplateFormats { formats: of_today, accounts: Vec::new() };
    assert_eq!(of_today.known(&settings(&sent), None), []);
}

#[test]
fn answers_about_fees_and_currencies_are_those_of_an_account() {
    for (setting, value, is_of_account) in [
        ("fee_col_label", "Fee", true),
        ("fee_col_label", "-", true),
        ("currency_col_label", "-", true),
        ("currency_col_label", "Currency", false),
        ("name_col_label", "Text", false),
    ] {
        assert!(SETTINGS.contains(&setting));
        let all = settings(&json!({ setting: value }));
        let taken = for_account(&all, None).fields();
        assert_eq!(taken.contains_key(setting), !is_of_account, "{setting} {value}");
        let own = AccountSettings::new(vec![ONE], &all, Formats::default());
        let taken = for_account(&Settings::default(), Some(&own)).fields();
        assert_eq!(taken.contains_key(setting), is_of_account, "{setting} {value}");
    }
}
