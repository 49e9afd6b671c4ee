//! Tags.

use serde_json::{Value, json};

use crate::both;
use crate::imports::assert_whole;
use crate::support::Client;

const PATH: &str = "/api/v1/tags";

#[track_caller]
fn names(client: &Client) -> Vec<String> {
    let body = client.get(PATH).expect_status(200).json();
    body.as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap().to_owned()).collect()
}

both! {
    fn tags_are_made_changed_and_listed_by_name(server) {
        let family = server.family();
        let made = family.api.post(PATH, &json!({ "tag": { "name": " Trip " } }));
        let made = made.expect_status(201).json();
        assert_eq!(made["name"], "Trip");
        assert_eq!(made["color"].as_str().unwrap().len(), 7, "{made}");
        let red = family.api.post(PATH, &json!({ "name": "a:b", "color": "#FF5733" }));
        assert_eq!(red.expect_status(201).json()["color"], "#FF5733", "as it was sent");
        assert_eq!(names(&family.api), ["a:b", "Trip"]);
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        assert_eq!(family.api.get(&path).expect_status(200).json(), made);
        let changed = family.api.patch(&path, &json!({ "tag": { "name": "Journey" } }));
        let changed = changed.expect_status(200).json();
        assert_eq!((&changed["name"], &changed["color"]), (&json!("Journey"), &made["color"]));
        for wrong in [json!({ "name": "A:B" }), json!({ "name": null }), json!({ "color": "x" })] {
            family.api.patch(&path, &wrong).expect_error(422, "validation_failed");
        }
        for wrong in [json!({ "name": "journey " }), json!({}), json!({ "tag": { "name": 1 } })] {
            family.api.post(PATH, &wrong).expect_error(422, "validation_failed");
        }
        assert_eq!(family.api.get(&path).json(), changed);
        assert!(names(&server.family().api).is_empty());
    }

    fn a_tag_goes_from_all_transactions(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "date,amount,name,tags\n2026-01-02,-5,a,Trip|Sun\n2026-01-03,-5,b,Trip\n";
        let import = family.import(&account, csv);
        let tags = family.api.get(PATH).json();
        let mut all = tags.as_array().unwrap().iter();
        let trip = all.find(|tag| tag["name"] == "Trip").unwrap()["id"].as_str().unwrap();
        let path = format!("{PATH}/{trip}");
        let seen = || family.api.get("/api/v1/transactions").expect_status(200).json();
        let before = seen();
        family.api.delete(&path).expect_status(204);
        family.api.delete(&path).expect_error(404, "not_found");
        let after = seen();
        let tagged = |list: &Value| -> Vec<usize> {
            let all = list["transactions"].as_array().unwrap();
            all.iter().map(|one| one["tags"].as_array().unwrap().len()).collect()
        };
        assert_eq!((tagged(&before), tagged(&after)), (vec![1, 2], vec![0, 1]));
        assert_ne!(
            before["transactions"][0]["updated_at"], after["transactions"][0]["updated_at"]);
        assert_eq!(names(&family.api), ["Sun"]);
        assert_whole(&server);
        // The import is undone all the same.
        let id = import["id"].as_str().unwrap();
        let revert = format!("/api/v1/imports/{id}/revert");
        family.api.request("POST", &revert, None).expect_status(202);
        crate::support::until("the end of the undo", || {
            let import = family.api.get(&format!("/api/v1/imports/{id}")).json();
            assert_ne!(import["data"]["status"], "revert_failed");
            (import["data"]["status"] == "pending").then_some(())
        });
        assert!(names(&family.api).is_empty());
        assert_whole(&server);
    }
}
