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
    // The next file may be of another currency.
    let all = settings(&json!({ "currency_col_label": "=CHF" }));
    let own = AccountSettings::new(vec![ONE], &all, Formats::default());
    for taken in [for_account(&all, None), for_account(&Settings::default(), Some(&own))] {
        assert_eq!(taken.labels.currency, None);
    }
}

#[test]
fn a_file_that_shows_nothing_of_signs_leaves_what_was_decided() {
    let strategy = json!({ "amount_type_strategy": "minus_is_reversal" });
    let signs = |minus: u64| json!({ "minus": minus, "others": 3, "is_minus_usual": false });
    let decided = json!({ "money_out": signs(1), "money_in": { "minus": 0, "others": 1 } });
    let negative = json!({ "signage_convention": "inflows_negative" });
    let of_signs = json!({ "signage": "inflows_negative", "has_signs": true });
    let none = json!({});
    for (sent, first, next_sent, next, kept) in [
        // No amount of the next file came back, or it was proven by a balance.
        (&strategy, json!({ "reversals": decided }), &strategy, json!({}), "reversals"),
        // Nobody marked an amount.
        (&none, json!({ "unmarked_is_out": true }), &none, json!({ "has_signs": false }), "marks"),
        (&none, json!({ "unmarked_is_out": false }), &none, json!({ "has_signs": false }), "marks"),
        // A month of a card without a payment.
        (
            &negative,
            of_signs.clone(),
            &negative,
            json!({ "signage": "inflows_negative", "has_signs": false }),
            "signs",
        ),
    ] {
        let mut all = TemplateFormats::default();
        let first = AccountSettings::new(vec![ONE], &settings(sent), found(first));
        all.put(first.clone());
        all.put(AccountSettings::new(vec![OTHER], &settings(sent), Formats::default()));
        all.put(AccountSettings::new(vec![ONE], &settings(next_sent), found(next)));
        let (taken, known) = taken_by(ONE, &all.accounts);
        match kept {
            "reversals" => assert_eq!(known.reversals, first.found.reversals),
            "marks" => assert_eq!(known.unmarked_is_out, first.found.unmarked_is_out),
            _ => assert_eq!((taken.signage, known.has_signs), (first.settings.signage, Some(true))),
        }
        assert_eq!(taken_by(OTHER, &all.accounts).1.reversals, None, "{kept}");
    }
    // Another answer takes its place.
    for (sent, next) in [
        (json!({ "amount_type_strategy": "direction_only" }), json!({})),
        (json!({}), json!({ "signage": "inflows_positive", "has_signs": false })),
    ] {
        let mut all = TemplateFormats::default();
        let first =
            json!({ "reversals": decided, "signage": "inflows_negative", "has_signs": true });
        all.put(AccountSettings::new(vec![ONE], &settings(&strategy), found(first)));
        all.put(AccountSettings::new(vec![ONE], &settings(&sent), found(next)));
        let known = taken_by(ONE, &all.accounts).1;
        assert_eq!(known.reversals, None, "{sent}");
        assert_eq!(known.has_signs == Some(true), known.signage == Some(Signage::InflowsNegative));
    }
}
