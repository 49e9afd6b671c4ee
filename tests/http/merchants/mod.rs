//! Merchants.

use serde_json::{Value, json};

use crate::both;
use crate::imports::assert_whole;
use crate::support::{Client, Multipart, Sql};

const PATH: &str = "/api/v1/merchants";

#[track_caller]
fn merchant(client: &Client, name: &str) -> String {
    client.post(PATH, &json!({ "merchant": { "name": name } })).expect_status(201).id()
}

#[track_caller]
fn names(client: &Client) -> Vec<String> {
    let body = client.get(PATH).expect_status(200).json();
    body.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

fn upload(client: &Client, content: &[u8]) -> crate::support::Answer {
    client.post_form(PATH, &Multipart::new().file("file", "a.csv", "text/csv", content))
}

both! {
    fn merchants_are_made_changed_and_removed(server) {
        let family = server.family();
        let fields = json!({ "name": "Shop", "website": "shop.example", "color": "#112233" });
        let made = family.api.post(PATH, &json!({ "merchant": fields })).expect_status(201).json();
        assert_eq!((&made["website"], &made["color"]), (&json!("shop.example"), &json!("#112233")));
        assert_eq!(made["type"], "FamilyMerchant");
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        assert_eq!(family.api.get(&path).expect_status(200).json(), made);
        let changed = family.api.patch(&path, &json!({ "website": null })).expect_status(200);
        assert_eq!(changed.json()["website"], json!(null));
        for wrong in [json!({ "website": "javascript:alert(1)" }), json!({ "name": "" })] {
            family.api.patch(&path, &wrong).expect_error(422, "validation_failed");
        }
        family.api.post(PATH, &json!({ "name": " SHOP" })).expect_error(422, "validation_failed");
        family.api.delete(&path).expect_status(200);
        family.api.get(&path).expect_error(404, "not_found");
    }

    fn a_file_makes_those_that_are_missing(server) {
        let family = server.family();
        merchant(&family.api, "Corner Shop");
        let file = b"id;Name;Website\n1;corner shop;\n2;Bakery;bakery.example\n3;BAKERY;\n";
        let made = upload(&family.api, file).expect_status(201).json();
        assert_eq!((&made["imported"], &made["skipped"]), (&json!(1), &json!(2)));
        assert_eq!(made["merchants"][0]["name"], "Bakery");
        assert_eq!(made["merchants"][0]["website"], "bakery.example");
        assert_eq!(names(&family.api), ["Bakery", "Corner Shop"]);
        upload(&family.api, b"title\nA\n").expect_error(422, "missing_column");
        upload(&family.api, b"name\n\"A\n").expect_error(422, "invalid_csv");
        let wrong = upload(&family.api, b"name,color\nA,red\n,\nB,#112233\nC,blue\n");
        let wrong = wrong.expect_error(422, "validation_failed");
        assert_eq!(wrong["errors"].as_array().unwrap().len(), 2, "{wrong}");
        let large = vec![b'x'; 1024 * 1024 + 1];
        upload(&family.api, &large).expect_error(422, "file_too_large");
        let no_file = Multipart::new().text("name", "A");
        family.api.post_form(PATH, &no_file).expect_error(422, "missing_file");
        assert_eq!(names(&family.api).len(), 2);
        let keyed = family.api.with_header("Idempotency-Key", "m");
        let first = upload(&keyed, b"name\nNew\n").expect_status(201).text();
        assert_eq!(upload(&keyed, b"name\nNew\n").expect_status(201).text(), first);
    }

    fn a_merchant_is_merged_into_another(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        family.import(&account, "date,amount,name\n2026-01-02,-5,a\n2026-01-03,-6,b\n");
        let (shop, store) = (merchant(&family.api, "Shop"), merchant(&family.api, "Store"));
        let sql = Sql::open(&server);
        sql.run(&format!("UPDATE entries SET merchant_id = {}", sql.uuid(&shop)));
        let path = format!("{PATH}/{shop}/merge");
        for wrong in [json!({}), json!({ "into_id": shop }), json!({ "into_id": account })] {
            family.api.post(&path, &wrong).expect_error(422, "validation_failed");
        }
        let strange = merchant(&server.family().api, "Store");
        let strange = family.api.post(&path, &json!({ "into_id": strange }));
        strange.expect_error(422, "validation_failed");
        let keyed = family.api.with_header("Idempotency-Key", "merge");
        let merged = keyed.post(&path, &json!({ "into_id": store })).expect_status(200).json();
        assert_eq!(merged["id"], store.as_str());
        let again = keyed.post(&path, &json!({ "into_id": store })).expect_status(200);
        assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
        assert_eq!(names(&family.api), ["Store"]);
        let of = |list: Value| -> Vec<Value> {
            let all = list["transactions"].as_array().unwrap();
            all.iter().map(|one| one["merchant"]["name"].clone()).collect()
        };
        let seen = || of(family.api.get("/api/v1/transactions").expect_status(200).json());
        assert_eq!(seen(), ["Store", "Store"]);
        family.api.post(&path, &json!({ "into_id": store })).expect_error(404, "not_found");
        family.api.delete(&format!("{PATH}/{store}")).expect_status(200);
        assert_eq!(seen(), [json!(null), json!(null)]);
        assert_whole(&server);
    }
}
