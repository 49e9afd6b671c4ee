//! Notes change only when they are sent; null clears them.

use serde_json::{Value, json};

use crate::both;
use crate::support::{Answer, Family};

const PATH: &str = "/api/v1/valuations";

both! {
    fn notes_change_only_when_they_are_sent(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let first = write(&family, &house, Some(json!("Appraisal\n“Müller & Söhne” 🏠")));
        let path = format!("{PATH}/{}", first.id());
        let notes = |answer: Answer| answer.expect_status(201).json()["notes"].clone();
        assert_eq!(notes(first), "Appraisal\n“Müller & Söhne” 🏠");
        assert_eq!(notes(write(&family, &house, None)), "Appraisal\n“Müller & Söhne” 🏠");
        assert_eq!(
            notes(write(&family, &house, Some(json!(" kept as written ")))),
            " kept as written "
        );
        assert_eq!(notes(write(&family, &house, Some(json!(null)))), json!(null));
        assert_eq!(notes(write(&family, &house, None)), json!(null));

        let change = |body: Value| family.api.patch(&path, &body).expect_status(200).json();
        assert_eq!(change(json!({ "notes": "by hand" }))["notes"], "by hand");
        let changed = change(json!({ "valuation": { "amount": "7" } }));
        assert_eq!((&changed["notes"], &changed["amount"]), (&json!("by hand"), &json!("$7.00")));
        assert_eq!(change(json!({ "valuation": { "notes": null } }))["notes"], json!(null));
    }

    fn notes_are_text_of_limited_length(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let longest = "ü".repeat(10_000);
        let made = write(&family, &house, Some(json!(longest))).expect_status(201).json();
        assert_eq!(made["notes"], longest);
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        for (notes, sentence) in [
            (json!("ü".repeat(10_001)), "The notes must have at most 10000 characters"),
            (json!("a\0b"), "The notes must not contain a NUL character"),
            (json!(5), "The notes must be a string"),
            (json!(true), "The notes must be a string"),
            (json!(["a"]), "The notes must be a string"),
            (json!({}), "The notes must be a string"),
        ] {
            for refused in [
                write(&family, &house, Some(notes.clone())),
                family.api.patch(&path, &json!({ "notes": notes })),
            ] {
                let refused = refused.expect_error(422, "validation_failed");
                assert_eq!(refused["errors"], json!([sentence]));
            }
        }
        assert_eq!(family.api.get(&path).json()["notes"], longest);
    }
}

fn write(family: &Family, account: &str, notes: Option<Value>) -> Answer {
    let mut fields = json!({ "account_id": account, "amount": 5, "date": "2026-01-12" });
    if let Some(notes) = notes {
        fields["notes"] = notes;
    }
    family.api.post(PATH, &json!({ "valuation": fields }))
}
