//! The members of a transaction in answers, one by one.

use serde_json::{Value, json};

use crate::both;
use crate::ledger::{is_id, text, time};
use crate::support::{Family, Sql};

const PATH: &str = "/api/v1/transactions";
const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";
const MERCHANT: &str = "01900000-0000-7000-8000-0000000000aa";

both! {
    fn a_transaction_has_every_member(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        family.import(
            &account,
            "Date,Description,Amount,Category,Tags,Notes\n\
            2026-01-05,Corner shop,\"-1,234.56\",Food:Bakery,\"zoo,Äpfel,bread\",\"two\nlines\"\n",
        );
        let sql = Sql::open(&server);
        let (merchant, id) = (sql.uuid(MERCHANT), sql.uuid(&account));
        sql.run(&format!(
            "INSERT INTO merchants (family_id, id, name, name_key, created_at, updated_at)
                SELECT family_id, {merchant}, 'Corner', 'corner', 0, 0 FROM accounts
                    WHERE id = {id};
             UPDATE entries SET merchant_id = {merchant}, external_id = 'x-1', source = 'bank',
                pending = {};",
            sql.flag(true)
        ));
        let listed = only(&family);
        let path = format!("{PATH}/{}", text(&listed, "id"));
        assert_eq!(family.api.get(&path).expect_status(200).json(), listed);

        let mut rest = listed.clone();
        is_id(&rest, "id");
        assert_eq!(time(&rest, "created_at"), time(&rest, "updated_at"));
        for name in ["id", "created_at", "updated_at"] {
            rest.as_object_mut().unwrap().remove(name);
        }
        let parent = rest["category"]["parent_id"].clone();
        is_id(&json!({ "parent_id": parent }), "parent_id");
        is_id(&rest["category"], "id");
        // Nobody chose a color: that of the category above, as the category itself shows it.
        let shown = format!("/api/v1/categories/{}", text(&rest["category"], "id"));
        let shown = family.api.get(&shown).expect_status(200).json();
        assert_eq!(rest["category"]["color"], shown["color"]);
        let above = format!("/api/v1/categories/{}", text(&rest["category"], "parent_id"));
        assert_eq!(family.api.get(&above).expect_status(200).json()["color"], shown["color"]);
        let unnamed = ["id", "parent_id", "color"];
        rest["category"].as_object_mut().unwrap().retain(|name, _| !unnamed.contains(&&**name));
        let known = family.api.get("/api/v1/tags").expect_status(200).json();
        for tag in rest["tags"].as_array_mut().unwrap() {
            let mut all = known.as_array().unwrap().iter();
            let same = all.find(|one| one["id"] == tag["id"]).unwrap();
            assert_eq!(tag["color"], same["color"]);
            is_id(tag, "id");
            tag.as_object_mut().unwrap().retain(|name, _| name == "name");
        }
        assert_eq!(
            rest,
            json!({
                "date": "2026-01-05",
                "amount": "$1,234.56",
                "amount_decimal": "1234.56",
                "amount_cents": 123_456,
                "signed_amount_cents": -123_456,
                "signed_amount_decimal": "-1234.56",
                "currency": "USD",
                "name": "Corner shop",
                "notes": "two\nlines",
                "classification": "expense",
                "pending": true,
                "external_id": "x-1",
                "source": "bank",
                "account": {
                    "id": account, "name": "Checking", "account_type": "depository",
                    "status": "active",
                },
                "category": { "name": "Bakery", "icon": "shapes" },
                "merchant": { "id": MERCHANT, "name": "Corner" },
                "tags": [{ "name": "bread" }, { "name": "zoo" }, { "name": "Äpfel" }],
                "transfer": null,
                "excluded": false,
                "is_split": false,
                "parent_id": null,
                "converted": null,
                "locked_attributes": [],
            })
        );
    }

    fn what_is_not_there_is_null(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        family.import(&account, "Date,Description,Amount\n2026-01-05,Salary,2500\n");
        let shown = only(&family);
        for name in ["notes", "external_id", "source", "category", "merchant", "transfer"] {
            assert_eq!(shown.get(name), Some(&json!(null)), "{name}");
        }
        assert_eq!((&shown["tags"], &shown["pending"]), (&json!([]), &json!(false)));
        assert_eq!(shown["amount"], "-$2,500.00");
        assert_eq!(shown["amount_cents"], -250_000);
        assert_eq!(shown["signed_amount_cents"], 250_000);
        assert_eq!(shown["signed_amount_decimal"], "2500.00");
        assert_eq!(shown["classification"], "income");
    }

    fn amounts_are_in_the_precision_of_their_currency(server) {
        let family = server.family();
        for (currency, inflow, amount, decimal, cents, signed) in [
            ("JPY", "-1234.5", "¥1,235", "1234.5", 1_235, "-1234.5"),
            ("KWD", "1234.567", "-KWD 1,234.567", "-1234.567", -1_234_567, "1234.567"),
            ("BTC", "-0.00000001", "₿0.00000001", "0.00000001", 1, "-0.00000001"),
            ("USD", "0", "$0.00", "0.00", 0, "0.00"),
            ("EUR", "0.0049", "€0.00", "-0.0049", 0, "0.0049"),
        ] {
            let fields = json!({ "name": "A", "account_type": "depository", "currency": currency });
            let account = family.account_with(fields);
            family.import(&account, &format!("Date,Description,Amount\n2026-01-05,a,{inflow}\n"));
            let page = family.api.get(&format!("{PATH}?account_id={account}")).json();
            let shown = &page["transactions"][0];
            assert_eq!(shown["currency"], currency);
            assert_eq!(shown["amount"], amount);
            assert_eq!(shown["amount_decimal"], decimal);
            assert_eq!(shown["amount_cents"], cents, "{currency}");
            assert_eq!(shown["signed_amount_cents"], -cents, "{currency}");
            assert_eq!(shown["signed_amount_decimal"], signed);
            let income = decimal.starts_with('-');
            assert_eq!(shown["classification"], if income { "income" } else { "expense" });
        }
    }

    fn what_is_no_transaction_is_not_found(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let valuation = crate::ledger::value(&family.api, &account, "2026-01-05", "5");
        let theirs = server.family();
        let other = theirs.account("Theirs", "depository");
        theirs.import(&other, "Date,Description,Amount\n2026-01-05,Salary,2500\n");
        let other = text(&only(&theirs), "id");
        for id in [UNKNOWN, "5", account.as_str(), &text(&valuation, "id"), other.as_str()] {
            let refused = family.api.get(&format!("{PATH}/{id}")).expect_error(404, "not_found");
            assert_eq!(
                refused,
                json!({ "error": "not_found", "message": "Transaction not found" })
            );
        }
        assert_eq!(family.api.get(PATH).json()["transactions"], json!([]));
        for method in ["PUT", "PATCH", "DELETE"] {
            let answer = family.api.request(method, PATH, None);
            answer.expect_error(405, "method_not_allowed");
        }
    }
}

/// The one transaction of the family.
fn only(family: &Family) -> Value {
    let page = family.api.get(PATH).expect_status(200).json();
    assert_eq!(page["pagination"]["total_count"], 1);
    page["transactions"][0].clone()
}
