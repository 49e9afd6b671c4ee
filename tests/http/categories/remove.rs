//! Removing categories: what becomes of what points to them.

use serde_json::{Value, json};

use super::{PATH, category, paths};
use crate::both;
use crate::imports::assert_whole;
use crate::support::{Family, Sql, until};

/// Imports a row of each category and returns the import's id.
fn import(family: &Family, account: &str, categories: &[&str]) -> String {
    let mut csv = "date,amount,name,category\n".to_owned();
    for category in categories {
        csv.push_str(&format!("2026-01-02,-5,{category},{category}\n"));
    }
    family.import(account, &csv)["id"].as_str().unwrap().to_owned()
}

/// The path or name of the category of the transaction with a name.
#[track_caller]
fn category_of(family: &Family, name: &str) -> Value {
    let listed = family.api.get("/api/v1/transactions?per_page=100").expect_status(200).json();
    let mut all = listed["transactions"].as_array().unwrap().iter();
    all.find(|one| one["name"] == name).unwrap()["category"].clone()
}

#[track_caller]
fn id_of(family: &Family, path: &str) -> String {
    let body = family.api.get(&format!("{PATH}?per_page=100")).expect_status(200).json();
    let mut all = body["categories"].as_array().unwrap().iter();
    all.find(|one| one["path"] == path).unwrap()["id"].as_str().unwrap().to_owned()
}

both! {
    fn entries_lose_it_or_get_another(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        import(&family, &account, &["Food", "Fun"]);
        let (food, fun) = (id_of(&family, "Food"), id_of(&family, "Fun"));
        let before = family.api.get(&format!("/api/v1/accounts/{account}")).json();
        let path = format!("{PATH}/{food}?replacement_id={fun}");
        family.api.delete(&path).expect_status(200);
        assert_eq!(category_of(&family, "Food")["id"], fun.as_str());
        let after = family.api.get(&format!("/api/v1/accounts/{account}")).json();
        assert_eq!(after["balance"], before["balance"]);
        assert_ne!(after["updated_at"], before["updated_at"]);
        family.api.delete(&format!("{PATH}/{food}")).expect_error(404, "not_found");
        family.api.delete(&format!("{PATH}/{fun}")).expect_status(200);
        assert_eq!(category_of(&family, "Food"), json!(null));
        assert!(paths(&family.api, "").is_empty());
        let events = Sql::open(&server).query(
            "SELECT details FROM audit_events WHERE action = 'category.remove' ORDER BY id");
        let counted = events.iter().map(|row| {
            let details: Value = serde_json::from_str(&row[0]).unwrap();
            details["detached"]["entries"].clone()
        });
        assert_eq!(counted.collect::<Vec<_>>(), [1, 2]);
        assert_whole(&server);
    }

    fn a_replacement_is_another_one_of_the_family(server) {
        let family = server.family();
        let food = category(&family.api, "Food", None);
        let strange = category(&server.family().api, "Food", None);
        for wrong in [food.as_str(), &strange, "x", "0190f5f0-7c00-7a10-8000-00000000dead"] {
            let path = format!("{PATH}/{food}?replacement_id={wrong}");
            family.api.delete(&path).expect_error(422, "validation_failed");
        }
        // A wrong id in the path comes first.
        let path = format!("{PATH}/{strange}?replacement_id=x");
        family.api.delete(&path).expect_error(404, "not_found");
        assert_eq!(paths(&family.api, ""), ["Food"]);
    }

    fn those_below_find_another_place(server) {
        let family = server.family();
        let make = |parent: &str, names: &[&str]| {
            let parent = category(&family.api, parent, None);
            names.iter().for_each(|name| {
                category(&family.api, name, Some(&parent));
            });
            parent
        };
        let food = make("Food", &["Food", "Bars"]);
        family.api.delete(&format!("{PATH}/{food}")).expect_status(200);
        assert_eq!(paths(&family.api, ""), ["Bars", "Food"], "they moved up");
        let (meals, fun) = (make("Meals", &["Lunch", "Pubs"]), make("Fun", &["Pubs", "Films"]));
        let into = |id: &str, into: &str| {
            family.api.delete(&format!("{PATH}/{id}?replacement_id={into}"))
        };
        into(&meals, &fun).expect_error(422, "validation_failed");
        assert!(paths(&family.api, "").contains(&"Meals: Lunch".to_owned()), "nothing was done");
        family.api.delete(&format!("{PATH}/{}", id_of(&family, "Meals: Pubs"))).expect_status(200);
        into(&meals, &id_of(&family, "Fun: Films")).expect_status(200);
        let all = ["Bars", "Food", "Fun", "Fun: Films", "Fun: Lunch", "Fun: Pubs"];
        assert_eq!(paths(&family.api, ""), all, "beside the replacement");
        into(&fun, &id_of(&family, "Fun: Pubs")).expect_status(200);
        let all = ["Bars", "Food", "Pubs", "Pubs: Films", "Pubs: Lunch"];
        assert_eq!(paths(&family.api, ""), all, "the replacement takes its place");
        assert_whole(&server);
    }

    fn an_import_that_made_it_can_still_be_undone(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let id = import(&family, &account, &["Food:Bars", "Fun"]);
        family.api.delete(&format!("{PATH}/{}", id_of(&family, "Food"))).expect_status(200);
        let bars = id_of(&family, "Bars");
        let path = format!("{PATH}/{}?replacement_id={bars}", id_of(&family, "Fun"));
        family.api.delete(&path).expect_status(200);
        assert_whole(&server);
        let revert = format!("/api/v1/imports/{id}/revert");
        family.api.get(&revert).expect_status(200);
        family.api.request("POST", &revert, None).expect_status(202);
        until("the end of the undo", || {
            let import = family.api.get(&format!("/api/v1/imports/{id}")).json();
            assert_ne!(import["data"]["status"], "revert_failed");
            (import["data"]["status"] == "pending").then_some(())
        });
        let listed = family.api.get("/api/v1/transactions").json();
        assert_eq!(listed["pagination"]["total_count"], 0);
        assert_whole(&server);
        let publish = format!("/api/v1/imports/{id}/publish");
        family.api.request("POST", &publish, None).expect_status(202);
        assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
        assert_whole(&server);
    }

    fn what_is_to_be_imported_is_resolved_again(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        import(&family, &account, &["Food"]);
        // The same header: what was chosen before is taken over.
        let csv = "date,amount,name,category\n2026-02-02,-6,Later,Food\n";
        let upload = json!({ "raw_file_content": csv, "account_id": account });
        let waiting = family.api.post("/api/v1/imports", &upload).expect_status(201).id();
        let fun = category(&family.api, "Fun", None);
        let path = format!("{PATH}/{}?replacement_id={fun}", id_of(&family, "Food"));
        family.api.delete(&path).expect_status(200);
        let publish = format!("/api/v1/imports/{waiting}/publish");
        until("the plan to be of now", || {
            (family.api.request("POST", &publish, None).status == 202).then_some(())
        });
        assert_eq!(family.api.wait_for_import(&waiting)["status"], "complete");
        assert!(category_of(&family, "Later").is_object());
        assert_whole(&server);
    }

    fn a_restricted_key_sees_what_its_accounts_use(server) {
        let family = server.family();
        let [own, other] = ["Own", "Other"].map(|name| family.account(name, "depository"));
        import(&family, &own, &["Food:Bars"]);
        import(&family, &other, &["Doctor", "Food:Diet"]);
        let unused = category(&family.api, "Unused", None);
        let made = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "r", "--scope", "read_write",
                "--account", "Own"],
            "",
        );
        let key = server.client().with_key(made["key"].as_str().unwrap());
        assert_eq!(paths(&key, ""), ["Food", "Food: Bars", "Unused"]);
        let food = key.get(&format!("{PATH}?name=food")).json();
        assert_eq!(food["categories"][0]["subcategories_count"], 1);
        let doctor = id_of(&family, "Doctor");
        key.get(&format!("{PATH}/{doctor}")).expect_error(404, "not_found");
        key.get(&format!("{PATH}/{unused}")).expect_status(200);
        for id in [&doctor, &unused] {
            let path = format!("{PATH}/{id}");
            key.delete(&path).expect_error(403, "restricted_key");
            key.patch(&path, &json!({ "name": "x" })).expect_error(403, "restricted_key");
        }
        key.post(PATH, &json!({ "name": "x" })).expect_error(403, "restricted_key");
        assert_eq!(paths(&family.api, "").len(), 5);
    }
}
