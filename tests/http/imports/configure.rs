//! `PATCH /imports/{id}`: settings, account, choices for names. Whatever is changed, the import is
//! then what an upload with all of it would have been.

use serde_json::{Value, json};

use super::{
    body, both_whole, errors, merged, path, post, publish, rows, text, transactions, upload,
};
use crate::isolation_data::Data;
use crate::support::{Client, Family, Server, until};

const CSV: &str = "Booked;Value;Sum;In;Text;More;Kind\n\
                   03.04.2024;04.05.2024;1,50;2.50;Coffee;x;IN\n\
                   05.06.2024;06.07.2024;-2,75;3.75;Tea;y;OUT\n\
                   13.06.2024;07.08.2024;3,00;4,00;Cake;z;IN\n";

/// Changes an import; what it is then.
#[track_caller]
pub(super) fn patch(api: &Client, import: &Value, change: &Value) -> Value {
    let answer = api.patch(&path(import, ""), change).expect_status(200).json();
    assert!(answer["notes"].is_array(), "{answer}");
    let shown = api.get(&path(import, "")).expect_status(200).json();
    assert_eq!(answer["data"], shown["data"], "the answer is what GET shows");
    answer["data"].clone()
}

/// What two imports of the same content with the same settings have in common.
#[track_caller]
pub(super) fn essence(api: &Client, import: &Value) -> Value {
    let keys = [
        "type",
        "account_id",
        "status_detail",
        "configuration",
        "stats",
        "plan",
        "source",
        "invalid_rows",
        "unassigned_mappings",
    ];
    let shown: Value = keys.iter().map(|key| ((*key).to_owned(), import[key].clone())).collect();
    json!({ "import": shown, "rows": super::plain_rows(api, import) })
}

/// The import is what an upload of the content with these fields is.
#[track_caller]
fn assert_as_uploaded(api: &Client, import: &Value, csv: &str, fields: &Value) {
    let fresh = upload(api, csv, &merged(fields, &json!({ "use_template": false })));
    assert_eq!(essence(api, import), essence(api, &fresh), "{fields}");
    api.delete(&path(&fresh, "")).expect_status(200);
}

both_whole! {
    fn a_changed_import_is_as_if_it_had_been_uploaded_so(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        publish(&family.api, "Date,Amount,Name\n2024-06-05,-2.75,Tea\n",
            &json!({ "account_id": account }));
        let import = upload(&family.api, CSV, &json!({}));
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let mut sent = json!({});
        for change in [
            json!({ "date_col_label": "Booked", "amount_col_label": "Sum" }),
            json!({ "name_col_label": "Text", "account_id": account }),
            json!({ "date_col_label": "Value" }),
            json!({ "signage_convention": "inflows_negative", "skip_invalid": true }),
            json!({ "number_format": "1,234.56" }),
            json!({ "number_format": "1.234,56", "notes_col_label": "More" }),
            json!({ "date_format": "%m.%d.%Y" }),
            json!({ "date_format": "%d.%m.%Y", "tags_col_label": "Kind" }),
            json!({ "amount_type_strategy": "custom_column", "amount_type_inflow_value": "IN",
                "entity_type_col_label": "Kind", "category_col_label": "More" }),
            json!({ "col_sep": ";", "rows_to_skip": 0 }),
            json!({ "account_id": null, "account_col_label": "More" }),
        ] {
            let import = patch(&family.api, &import, &change);
            sent = merged(&sent, &change);
            let fields = sent.as_object().unwrap().clone();
            let fields: Value = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
            assert_as_uploaded(&family.api, &import, CSV, &fields);
        }
        // Whatever was sent is taken back, and it is as it was without.
        let names: Value = sent
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| *name != "skip_invalid")
            .map(|name| (name.clone(), Value::Null))
            .collect();
        let reset = patch(&family.api, &import, &names);
        assert_eq!(reset["configuration"], import["configuration"]);
        assert_as_uploaded(&family.api, &reset, CSV, &json!({}));
        for name in ["signage_convention", "date_format", "col_sep"] {
            let set = patch(&family.api, &import, &json!({ name: sent[name] }));
            assert_ne!(set["source"], Value::Null);
            let blank = patch(&family.api, &import, &json!({ name: "" }));
            assert_eq!(blank["configuration"], import["configuration"], "{name}");
        }
    }

    fn an_import_without_content_is_configured_too(server) {
        let family = server.family();
        let import = family.api.post(crate::imports::IMPORTS, &json!({})).expect_status(201).json();
        let import = import["data"].clone();
        let changed = patch(&family.api, &import, &json!({ "date_col_label": "When" }));
        assert_eq!(changed["configuration"]["date_col_label"], "When");
        assert_eq!(changed["status_detail"]["uploaded"], false);
        let wrapped = json!({ "import": { "date_col_label": "Day" } });
        let changed = patch(&family.api, &import, &wrapped);
        assert_eq!(changed["configuration"]["date_col_label"], "Day");
        let wrong = json!({ "mappings": [{ "kind": "tag", "key": "x", "create": true }] });
        let refused = family.api.patch(&path(&import, ""), &wrong);
        let refused = refused.expect_error(422, "validation_failed");
        assert_eq!(errors(&refused), ["In mappings[0]: no row names the tag \"x\""]);
    }

    fn what_is_wrong_is_named_and_nothing_is_stored(server) {
        let family = server.family();
        let other = server.family();
        let account = family.account("Main", "depository");
        let theirs = other.account("Theirs", "depository");
        let csv = "Date,Amount,Name,Account,Category\n2024-01-02,+1,A,Cash,Food\n";
        let import = upload(&family.api, csv, &json!({}));
        let before = family.api.get(&path(&import, "")).text();
        let mapping = |fields: Value| {
            json!({ "mappings": [merged(&json!({ "kind": "account", "key": "Cash" }), &fields)] })
        };
        let choose = "In mappings[0]: exactly one of id, create, per_currency, value and reset is needed";
        for (change, expected) in [
            (json!({ "date_col_label": "Nope" }), "The date_col_label \"Nope\" is not in the header"),
            (json!({ "date_format": "%d" }), "The date_format names no year; a valid one is %Y-%m-%d"),
            (json!({ "number_format": "x" }), "The number_format must be one of"),
            (json!({ "signage_convention": "x" }), "The signage_convention must be one of"),
            (json!({ "col_sep": ":" }), "The col_sep must be one of"),
            (json!({ "rows_to_skip": -1 }), "The rows_to_skip must be"),
            (json!({ "rows_to_skip": [] }), "The rows_to_skip must be a string"),
            (json!({ "amount_type_strategy": "custom_column" }), "The amount_type_inflow_value is required"),
            (json!({ "date_format": true }), "The date_format must be a string"),
            (json!({ "account_id": "x" }), "The account_id is not an account of this family"),
            (json!({ "account_id": theirs }), "The account_id is not an account of this family"),
            (json!({ "account_id": 5 }), "The account_id is not an account of this family"),
            (json!({ "skip_invalid": "perhaps" }), "The skip_invalid must be true or false"),
            (json!({ "mappings": {} }), "The mappings must be a list"),
            (json!({ "mappings": [1] }), "The mappings[0] must be an object"),
            (json!({ "mappings": [{ "kind": "x" }] }), "The mappings[0].kind must be account, category, "),
            (json!({ "mappings": [{}] }), "The mappings[0].kind is required"),
            (json!({ "mappings": [{ "kind": "tag", "create": true }] }),
                "The mappings[0].key is required"),
            (mapping(json!({})), choose),
            (mapping(json!({ "create": false })), choose),
            (mapping(json!({ "create": true, "reset": true })), choose),
            (mapping(json!({ "id": account, "create": true })), choose),
            (mapping(json!({ "id": "x" })), "In mappings[0]: there is no such account"),
            (mapping(json!({ "id": theirs })), "In mappings[0]: there is no such account"),
            (mapping(json!({ "create": true, "name": "n".repeat(201) })),
                "In mappings[0]: the name is longer than 200 characters"),
            (mapping(json!({ "create": "x" })), "The mappings[0].create must be true or false"),
            (mapping(json!({ "key": "Bank", "create": true })),
                "In mappings[0]: no row names the account \"Bank\""),
            (mapping(json!({ "kind": "category", "key": "Food", "per_currency": true })),
                "In mappings[0]: only accounts can be made per currency"),
            (merged(&mapping(json!({ "create": true })), &json!({ "account_id": account })),
                "In mappings[0]: every row goes to the account of the import"),
        ] {
            let refused = family.api.patch(&path(&import, ""), &change);
            let first = &errors(&refused.expect_error(422, "validation_failed"))[0];
            assert!(first.starts_with(expected), "{change}: {first}");
            assert_eq!(family.api.get(&path(&import, "")).text(), before, "{change}");
        }
        let several = json!({ "date_format": "x", "mappings": [{}, {}], "account_id": "y" });
        let refused = family.api.patch(&path(&import, ""), &several);
        assert_eq!(errors(&refused.expect_error(422, "validation_failed")).len(), 7);
        family.api.request("PATCH", &path(&import, ""), Some(("application/json", b"[")))
            .expect_error(400, "bad_request");
        family.api.patch(&path(&import, ""), &json!([])).expect_error(422, "validation_failed");
    }

    fn what_is_published_can_not_be_configured(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = publish(&family.api, "Date,Amount\n2024-01-02,+1\n",
            &json!({ "account_id": account }));
        let sent = json!({ "number_format": "nonsense" });
        for path in [path(&import, ""), path(&import, "/rows/1")] {
            let refused = family.api.patch(&path, &sent).expect_error(422, "not_configurable");
            assert_eq!(errors(&refused), ["The import is complete and can't be changed"]);
        }
        family.api.put(&path(&import, "/file"), &json!({ "raw_file_content": "a" }))
            .expect_error(422, "not_configurable");
    }

    fn a_person_chooses_what_names_stand_for(server) {
        let family = server.family();
        let euros = family.account_with(
            json!({ "name": "Euros", "account_type": "depository", "currency": "EUR" }),
        );
        let csv = "Date,Amount,Name,Account,Currency,Category,Tags\n\
                   2024-01-02,-1.00,A,Mixed,USD,Essen,a\n\
                   2024-01-03,-2.00,B,Mixed,CHF,Essen,b\n\
                   2024-01-04,-4.00,C,Geld,EUR,Kino,a\n\
                   2024-01-05,-8.00,D,Geld,EUR,,c\n";
        let import = upload(&family.api, csv, &json!({}));
        assert_eq!(import["stats"]["unassigned_mappings_count"], 1);
        let refuse = |mapping: Value, expected: &str| {
            let change = json!({ "mappings": [mapping] });
            let refused = family.api.patch(&path(&import, ""), &change);
            let refused = refused.expect_error(422, "validation_failed");
            assert_eq!(errors(&refused), [format!("In mappings[0]: {expected}")]);
        };
        refuse(json!({ "kind": "account", "key": "mixed", "create": true }),
            "the rows of Mixed have several currencies");
        let chosen = patch(&family.api, &import, &json!({ "mappings": [
            { "kind": "account", "key": "MIXED", "per_currency": true, "name": "Cash" },
            { "kind": "account", "key": "Geld", "id": euros },
            { "kind": "category", "key": "essen", "create": true, "name": "Food:Out" },
            { "kind": "tag", "key": "b", "create": true, "name": "A" },
        ] }));
        assert_eq!(chosen["stats"]["unassigned_mappings_count"], 0, "{chosen}");
        assert_eq!(chosen["status_detail"]["publishable"], true);
        let kept = patch(&family.api, &import, &json!({ "notes_col_label": "Name" }));
        assert_eq!(kept["stats"], chosen["stats"]);
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        family.api.wait_for_import(text(&import["id"]));
        assert_eq!(
            transactions(&family),
            [
                "2024-01-02 -1.00 USD A #Out [a] @Cash USD",
                "2024-01-03 -2.00 CHF B #Out [a] @Cash CHF",
                "2024-01-04 -4.00 EUR C #Kino [a] @Euros",
                "2024-01-05 -8.00 EUR D [c] @Euros",
            ]
        );
    }

    fn a_choice_can_be_taken_back_and_goes_with_its_name(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name,Account,Bank\n2024-01-02,+1,A,Cash,X\n2024-01-03,+1,A,Cash,Y\n";
        let import = upload(&family.api, csv, &json!({}));
        let of_row = |row: usize| {
            let shown = family.api.get(&path(&import, "/rows")).expect_status(200).json();
            shown["data"][row]["mappings"]["account"].clone()
        };
        let choice = json!({ "mappings": [{ "kind": "account", "key": "cash", "id": account }] });
        patch(&family.api, &import, &choice);
        assert_eq!(of_row(0)["id"], account);
        let reset = json!({ "mappings": [{ "kind": "account", "key": "Cash", "reset": true }] });
        let was = patch(&family.api, &import, &reset);
        assert_eq!(of_row(0)["create"], true);
        assert_as_uploaded(&family.api, &was, csv, &json!({}));
        // Other names, and back again: nobody chose for these.
        patch(&family.api, &import, &choice);
        patch(&family.api, &import, &json!({ "account_col_label": "Bank" }));
        let back = patch(&family.api, &import, &json!({ "account_col_label": null }));
        assert_as_uploaded(&family.api, &back, csv, &json!({}));
        // What was chosen may be gone when the file is read again.
        patch(&family.api, &import, &choice);
        patch(&family.api, &import, &json!({ "account_id": account }));
        let none = patch(&family.api, &import, &json!({ "account_id": null }));
        assert_as_uploaded(&family.api, &none, csv, &json!({}));
    }

    fn rows_are_in_the_currency_of_the_account_that_is_chosen(server) {
        let family = server.family();
        let yen = family.account_with(
            json!({ "name": "Yen", "account_type": "depository", "currency": "JPY" }),
        );
        let import = upload(&family.api, "Date,Amount,Name,Account\n2024-01-02,-15,A,Card\n",
            &json!({}));
        assert_eq!(rows(&family.api, &import), ["2024-01-02 15.00 USD A @Card"]);
        let choice = |choice: Value| {
            json!({ "mappings": [merged(&json!({ "kind": "account", "key": "Card" }), &choice)] })
        };
        patch(&family.api, &import, &choice(json!({ "id": yen })));
        assert_eq!(rows(&family.api, &import), ["2024-01-02 15 JPY A @Card"]);
        patch(&family.api, &import, &choice(json!({ "reset": true })));
        assert_eq!(rows(&family.api, &import), ["2024-01-02 15.00 USD A @Card"]);
        patch(&family.api, &import, &choice(json!({ "id": yen })));
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        family.api.wait_for_import(text(&import["id"]));
        assert_eq!(transactions(&family), ["2024-01-02 -15 JPY A @Yen"]);
    }

    fn rows_without_an_account_get_one(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-01-02,+1,A\n";
        let import = upload(&family.api, csv, &json!({}));
        let blank = |choice: Value| {
            json!({ "mappings": [merged(&json!({ "kind": "account", "key": "" }), &choice)] })
        };
        let refused = family.api.patch(&path(&import, ""), &blank(json!({ "create": true })));
        let refused = refused.expect_error(422, "validation_failed");
        assert_eq!(errors(&refused), ["In mappings[0]: a name is needed"]);
        let given = patch(&family.api, &import, &blank(json!({ "id": account })));
        assert_eq!(given["account_id"], account);
        assert_as_uploaded(&family.api, &given, csv, &json!({ "account_id": account }));
        patch(&family.api, &import, &json!({ "account_id": null }));
        let made = patch(&family.api, &import, &blank(json!({ "create": true, "name": "New" })));
        assert_eq!(made["status_detail"]["publishable"], true, "{made}");
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        family.api.wait_for_import(text(&import["id"]));
        assert_eq!(transactions(&family), ["2024-01-02 1.00 USD A @New"]);
    }

    fn a_failed_upload_that_was_changed_is_not_taken_up_again(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = upload(&family.api, "Date,Amount\n2024-01-02,+1\n",
            &json!({ "account_id": account }));
        crate::imports::sql::run(&server, "UPDATE imports SET publish_failed_at = created_at");
        patch(&family.api, &import, &json!({ "signage_convention": "inflows_negative" }));
        let rows = crate::imports::sql::query(
            &server,
            "SELECT COUNT(*) FROM imports WHERE publish_failed_at IS NULL
                AND upload_fingerprint IS NULL",
        );
        assert_eq!(rows[0][0], "1");
    }

    fn a_change_and_a_publish_at_once_are_not_mixed(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let mut csv = "Date,Amount,Name\n".to_owned();
        (0..2000).for_each(|row| csv.push_str(&format!("2024-01-02,+{row}.25,N{row}\n")));
        for _ in 0..4 {
            let import = upload(&family.api, &csv,
                &json!({ "account_id": account, "use_template": false }));
            let (api, changed) = (family.api.clone(), path(&import, ""));
            let change = json!({ "signage_convention": "inflows_negative" });
            let changing = std::thread::spawn(move || api.patch(&changed, &change).status);
            let published = family.api.request("POST", &path(&import, "/publish"), None).status;
            let changed = changing.join().unwrap();
            assert_eq!(published, 202);
            assert!([200, 422].contains(&changed), "{changed}");
            let import = until("the end", || {
                let shown = family.api.get(&path(&import, "")).expect_status(200).json();
                let import = shown["data"].clone();
                (import["status"] == "complete").then_some(import)
            });
            let is_negative = import["configuration"]["signage_convention"] == "inflows_negative";
            assert_eq!(is_negative, changed == 200);
            let shown = family.api.get("/api/v1/transactions?search=N1999").expect_status(200);
            let amount = shown.json()["transactions"][0]["signed_amount_decimal"].clone();
            assert_eq!(amount, if is_negative { "-1999.25" } else { "1999.25" });
            family.api.request("POST", &path(&import, "/revert"), None).expect_status(202);
            until("the undo", || {
                let shown = family.api.get(&path(&import, "")).expect_status(200).json();
                (shown["data"]["status"] == "pending").then_some(())
            });
            family.api.delete(&path(&import, "")).expect_status(200);
        }
    }
}

/// Files in many forms, and random settings in random order.
#[test]
fn any_way_to_some_settings_leads_to_the_same_import() {
    let server = Server::start(crate::support::Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    let values: Vec<(&str, Vec<Value>)> = vec![
        ("date_col_label", vec![json!("Booked"), json!("Value"), Value::Null]),
        ("amount_col_label", vec![json!("Sum"), json!("In"), Value::Null]),
        ("name_col_label", vec![json!("Text"), json!("Kind"), Value::Null]),
        ("category_col_label", vec![json!("Kind"), json!("More"), Value::Null]),
        ("tags_col_label", vec![json!("More"), json!("Nope"), Value::Null]),
        ("account_col_label", vec![json!("Kind"), Value::Null]),
        ("date_format", vec![json!("%d.%m.%Y"), json!("%m.%d.%Y"), json!("%d"), Value::Null]),
        ("number_format", vec![json!("1.234,56"), json!("1,234.56"), Value::Null]),
        ("signage_convention", vec![json!("inflows_negative"), Value::Null]),
        ("col_sep", vec![json!(";"), json!(","), Value::Null]),
        ("rows_to_skip", vec![json!(1), Value::Null]),
        ("account_id", vec![json!(account), Value::Null]),
    ];
    let import = upload(&family.api, CSV, &json!({}));
    let mut sent = serde_json::Map::new();
    let mut state = 7_u64;
    let mut random = |bound: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..80 {
        let mut wanted = sent.clone();
        let mut change = serde_json::Map::new();
        for _ in 0..=random(3) {
            let (name, choices) = &values[random(values.len())];
            let value = choices[random(choices.len())].clone();
            change.insert((*name).to_owned(), value.clone());
            wanted.remove(*name);
            if !value.is_null() {
                wanted.insert((*name).to_owned(), value);
            }
        }
        let answer = family.api.patch(&path(&import, ""), &Value::Object(change));
        let fresh = post(&family.api, CSV, &Value::Object(wanted.clone()));
        if answer.status == 422 {
            assert_eq!(fresh.status, 422, "{}", fresh.text());
            assert_eq!(errors(&answer.json()), errors(&fresh.json()));
            refused += 1;
            continue;
        }
        let changed = answer.expect_status(200).json()["data"].clone();
        let fresh = fresh.expect_status(201).json()["data"].clone();
        assert_eq!(essence(&family.api, &changed), essence(&family.api, &fresh), "{wanted:?}");
        sent = wanted;
        accepted += 1;
    }
    assert!(accepted > 20 && refused > 5, "{accepted} {refused}");
    super::assert_whole(&server);
}

both_whole! {
    fn a_restricted_key_configures_only_within_its_accounts(server) {
        let family = server.family();
        let open = Data::fill(&server, &family, "opal");
        let hidden = Data::fill(&server, &family, "canary");
        let client = restricted(&server, &family, &open.account);
        let path = |id: &str| format!("{}/{id}", crate::imports::IMPORTS);
        let change = json!({ "signage_convention": "inflows_negative" });
        client.patch(&path(&hidden.pending_import), &change).expect_error(404, "not_found");
        let answer = client.patch(&path(&open.pending_import), &change).expect_status(200);
        assert!(!answer.text().contains("canary"), "{}", answer.text());
        let account = |id: Value| json!({ "account_id": id });
        for wrong in [Value::Null, json!(hidden.account)] {
            client
                .patch(&path(&open.pending_import), &account(wrong))
                .expect_error(422, "validation_failed");
        }
        let csv = body("date,amount,name,notes,category,tags\n2026-01-02,+1,x,,,\n", &json!({}));
        let answer = client.put(&path(&(open.pending_import.clone() + "/file")), &csv);
        assert!(!answer.expect_status(200).text().contains("canary"));
        let templates = client.get("/api/v1/import_templates").expect_status(200);
        assert!(!templates.text().contains("canary"), "{}", templates.text());
    }
}

#[track_caller]
fn restricted(server: &Server, family: &Family, account: &str) -> Client {
    let made = server.run_json(
        &[
            "key",
            "add",
            "--user",
            &family.email,
            "--name",
            "restricted",
            "--scope",
            "read_write",
            "--account",
            account,
        ],
        "",
    );
    server.client().with_key(made["key"].as_str().unwrap())
}
