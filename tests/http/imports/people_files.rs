//! Files as banks write them, sent as they are. The meaning of each cell is tested with the readers
//! (`crates/formats/tests`), which have these files; here it is that nothing is lost on the way.

use serde_json::{Value, json};

use super::{IMPORTS, both_whole, errors, path, rows, transactions};
use crate::support::{Answer, Family, Multipart};

/// The bytes of a case of the readers' tests.
fn file(case: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/fixtures");
    std::fs::read(format!("{folder}/{case}/input.csv")).expect("a case")
}

fn send(family: &Family, case: &str, fields: &[(&str, &str)]) -> Answer {
    let form = Multipart::new().file("file", "export.csv", "text/csv", &file(case));
    let form = fields.iter().fold(form, |form, (name, value)| form.text(name, value));
    family.api.post_form(IMPORTS, &form)
}

fn problems(import: &Value) -> Vec<&str> {
    import["source"]["problems"].as_array().unwrap().iter().map(super::text).collect()
}

both_whole! {
    fn statements_are_published_without_any_setting(server) {
        for (case, currency, encoding, expected) in [
            (
                "german_current_account",
                "EUR",
                "windows-1252",
                &[
                    "2026-01-30 2345.67 EUR Arbeitgeber GmbH @Main",
                    "2026-01-31 -4.80 EUR Bäckerei Krüger @Main",
                ][..],
            ),
            (
                "polish_card_abroad",
                "PLN",
                "UTF-8",
                &["2026-01-30 -431.20 PLN Hotel @Main", "2026-01-31 -9.05 PLN Metro @Main"],
            ),
            (
                "japanese_bank",
                "JPY",
                "Shift_JIS",
                &[
                    "2026-01-31 -3240 JPY スーパーマーケット @Main",
                    "2026-02-01 250000 JPY 給与振込 @Main",
                    "2026-02-02 -1080000 JPY 家賃の支払い @Main",
                ],
            ),
            (
                "card_statement_by_words",
                "EUR",
                "UTF-8",
                &[
                    "2026-01-31 -20.00 EUR Shop @Main",
                    "2026-02-01 50.00 EUR Payment thank you @Main",
                ],
            ),
        ] {
            let family = server.family();
            let account = family.account_with(
                json!({ "name": "Main", "account_type": "depository", "currency": currency }),
            );
            let fields = [("account_id", account.as_str()), ("publish", "true")];
            let answer = send(&family, case, &fields).expect_status(201);
            let import = family.api.wait_for_import(&answer.id());
            assert_eq!(import["status"], "complete", "{case}: {import}");
            assert_eq!(import["source"]["encoding"], encoding, "{case}");
            assert_eq!(transactions(&family), expected, "{case}");
        }
    }

    fn several_currencies_and_accounts_in_one_file_need_a_choice(server) {
        let family = server.family();
        let answer = send(&family, "several_currencies_and_accounts", &[]).expect_status(201);
        let import = &answer.json()["data"];
        assert_eq!(
            rows(&family.api, import),
            [
                "2026-01-31 10.00 EUR Grocer @Checking",
                "2026-01-31 20.00 USD Taxi @Travel",
                "2026-02-01 900 JPY Ramen @Travel",
                "2026-02-01 -1000.00 EUR Salary @checking",
                "2026-02-02 -0.00012345 BTC Exchange @Crypto",
            ]
        );
        let reason = "The rows of Travel have several currencies: USD, JPY";
        assert_eq!(import["stats"]["mappings_count"], 3, "{import}");
        assert_eq!(import["stats"]["unassigned_mappings_count"], 1, "{import}");
        assert_eq!(import["unassigned_mappings"][0]["reason"], reason);
        assert_eq!(import["status_detail"]["publishable"], false);
        let refused = family
            .api
            .post(&path(import, "/publish"), &json!({}))
            .expect_error(422, "unassigned_mappings");
        assert_eq!(errors(&refused), [reason]);
        assert_eq!(transactions(&family), [""; 0], "nothing was taken");
    }

    fn what_is_ambiguous_is_reported_and_not_configured(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        for (case, problem) in [
            (
                "ambiguous_dates",
                "The date format is ambiguous: %d/%m/%Y and %m/%d/%Y fit equally well (for example \
                 \"03/04/2026\")",
            ),
            (
                "ambiguous_numbers",
                "The number format is ambiguous: 1,234.56 and 1.234,56 fit equally well (for example \
                 \"-1.500\")",
            ),
            (
                "two_amounts",
                "The amount may be in \"Amount (EUR)\" or in \"Amount (USD)\"; say which one it is",
            ),
            (
                "ambiguous_direction",
                "Which way money went is not certain in \"Type\": the amounts have no signs, and \
                 \"Transfer\" does not say whether money came in or went out",
            ),
        ] {
            let answer = send(&family, case, &[("account_id", &account)]).expect_status(201);
            let import = &answer.json()["data"];
            assert_eq!(problems(import), [problem], "{case}");
            assert_eq!(import["status_detail"]["configured"], false, "{case}: {import}");
            let fields = [("account_id", account.as_str()), ("publish", "true")];
            let refused = send(&family, case, &fields).expect_error(422, "not_configured");
            assert_eq!(errors(&refused), [problem], "{case}");
        }
        assert_eq!(transactions(&family), [""; 0], "nothing was taken");
    }
}
