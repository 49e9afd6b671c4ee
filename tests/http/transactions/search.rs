//! Text search: the same answers on both databases.

use serde_json::json;

use crate::both;
use crate::ledger::{texts, unlimited};
use crate::support::Client;

const PATH: &str = "/api/v1/transactions";

/// Name and notes of each transaction.
const ROWS: &[(&str, &str)] = &[
    ("CAFÉ Central", ""),
    ("café central", ""),
    ("Cafe Central", ""),
    ("Müller & Söhne", "Straße 5"),
    ("MÜLLER", "STRASSE"),
    ("Ärzte ohne Grenzen", "SPENDE"),
    ("Книжный МАГАЗИН", ""),
    ("ΚΑΦΕΣ Αθήνα", ""),
    ("İstanbul Kebap", "ılık"),
    ("100% Wool", ""),
    ("100 Wool", "50%"),
    ("snake_case", ""),
    ("snakeXcase", ""),
    (r"C:\temp\file", ""),
    ("What's 'this'?", "a!b"),
    ("日本 レストラン", "🏠 rent"),
    ("Ordinary", "hidden in NOTES"),
];

both! {
    fn a_text_is_found_wherever_it_stands_whatever_its_case(server = unlimited()) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let mut csv = "Date,Description,Amount,Notes\n".to_owned();
        for (name, notes) in ROWS {
            csv.push_str(&format!("2026-01-05,\"{name}\",-1,\"{notes}\"\n"));
        }
        family.import(&account, &csv);
        for (search, found) in [
            ("cafe", &["Cafe Central"][..]),
            ("CAFE CENTRAL", &["Cafe Central"]),
            ("café", &["CAFÉ Central", "café central"]),
            ("CAFÉ", &["CAFÉ Central", "café central"]),
            ("CaFÉ cEnTrAl", &["CAFÉ Central", "café central"]),
            ("central", &["CAFÉ Central", "Cafe Central", "café central"]),
            ("müller", &["MÜLLER", "Müller & Söhne"]),
            ("MÜLLER", &["MÜLLER", "Müller & Söhne"]),
            ("muller", &[]),
            ("söhne", &["Müller & Söhne"]),
            ("SÖHNE", &["Müller & Söhne"]),
            ("straße", &["Müller & Söhne"]),
            ("STRAßE", &["Müller & Söhne"]),
            ("strasse", &["MÜLLER"]),
            ("ärzte OHNE", &["Ärzte ohne Grenzen"]),
            ("ÄRZTE", &["Ärzte ohne Grenzen"]),
            ("книжный магазин", &["Книжный МАГАЗИН"]),
            ("КНИЖНЫЙ", &["Книжный МАГАЗИН"]),
            ("αθήνα", &["ΚΑΦΕΣ Αθήνα"]),
            ("İSTANBUL", &["İstanbul Kebap"]),
            ("kebap", &["İstanbul Kebap"]),
            ("100%", &["100% Wool"]),
            ("%", &["100 Wool", "100% Wool"]),
            ("0%o", &[]),
            ("_", &["snake_case"]),
            ("snake_case", &["snake_case"]),
            (r"\temp\", &[r"C:\temp\file"]),
            ("'", &["What's 'this'?"]),
            ("'this'?", &["What's 'this'?"]),
            ("!", &["What's 'this'?"]),
            ("a!b", &["What's 'this'?"]),
            ("日本", &["日本 レストラン"]),
            ("🏠", &["日本 レストラン"]),
            ("hidden in notes", &["Ordinary"]),
            ("  Ordinary  ", &["Ordinary"]),
            ("Ordinary hidden", &[]),
            ("&", &["Müller & Söhne"]),
        ] {
            let query = format!("{PATH}?per_page=100&search={}", encoded(search));
            let page = family.api.get(&query).expect_status(200).json();
            let mut names = texts(&page["transactions"], "name");
            names.sort_unstable();
            assert_eq!(names, found, "{search:?}");
            assert_eq!(page["pagination"]["total_count"], found.len(), "{search:?}");
        }
    }

    fn a_text_is_found_in_the_name_of_the_merchant(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let other = server.family();
        let theirs = other.account("Checking", "depository");
        let merchant = |client: &Client, name: &str| {
            client.post("/api/v1/merchants", &json!({ "name": name })).expect_status(201).id()
        };
        let add = |client: &Client, account: &str, name: &str, merchant: Option<&str>| {
            let fields = json!({
                "account_id": account, "date": "2026-01-05", "amount": "1", "name": name,
                "merchant_id": merchant,
            });
            client.post(PATH, &json!({ "transaction": fields })).expect_status(201);
        };
        let baker = merchant(&family.api, "BÄCKEREI Müller");
        let shop = merchant(&family.api, "100%_Shop!");
        merchant(&family.api, "Without any");
        let strange = merchant(&other.api, "Bäckerei Müller");
        add(&other.api, &theirs, "Theirs", Some(&strange));
        for (name, merchant) in [
            ("POS 1", Some(&baker)),
            ("POS 2", Some(&shop)),
            ("POS 3", None),
            ("bäckerei am Markt", None),
        ] {
            add(&family.api, &account, name, merchant.map(String::as_str));
        }
        for (search, found) in [
            ("bäckerei", &["POS 1", "bäckerei am Markt"][..]),
            ("BÄCKEREI MÜLLER", &["POS 1"]),
            ("müll", &["POS 1"]),
            ("backerei", &[]),
            ("100%_s", &["POS 2"]),
            ("0_s", &[]),
            ("%", &["POS 2"]),
            ("_", &["POS 2"]),
            ("shop!", &["POS 2"]),
            ("without", &[]),
            ("pos", &["POS 1", "POS 2", "POS 3"]),
        ] {
            let query = format!("{PATH}?search={}", encoded(search));
            let page = family.api.get(&query).expect_status(200).json();
            let mut names = texts(&page["transactions"], "name");
            names.sort_unstable();
            assert_eq!(names, found, "{search:?}");
            assert_eq!(page["pagination"]["total_count"], found.len(), "{search:?}");
        }
    }
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
