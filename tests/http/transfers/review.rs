//! Decisions of people about transfers.

use serde_json::{Value, json};

use super::{Accounts, PATH, REJECTED, SETTINGS, listed, pair};
use crate::both;
use crate::support::Client;

/// Two equal pairs: four proposals.
fn four_proposals(accounts: &Accounts) {
    accounts.import(&accounts.checking, &[(5, "-50.00", "a"), (5, "-50.00", "b")]);
    accounts.import(&accounts.savings, &[(5, "50.00", "d"), (5, "50.00", "e")]);
    accounts.settled(4);
}

/// The address of the transfer of two transactions.
#[track_caller]
fn transfer(accounts: &Accounts, out: &str, into: &str) -> String {
    let body = accounts.family.api.get(PATH).expect_status(200).json();
    let mut all = body["transfers"].as_array().unwrap().iter();
    let found = all.find(|one| {
        one["outflow_transaction"]["name"] == out && one["inflow_transaction"]["name"] == into
    });
    format!("{PATH}/{}", found.unwrap()["id"].as_str().unwrap())
}

fn sides(accounts: &Accounts, out: &str, into: &str) -> Value {
    json!({ "outflow_transaction_id": accounts.id(out), "inflow_transaction_id": accounts.id(into) })
}

both! {
    fn a_confirmed_one_takes_its_rivals_along(server) {
        let accounts = Accounts::new(server.family());
        four_proposals(&accounts);
        let api = &accounts.family.api;
        let path = transfer(&accounts, "a", "e");
        let body = json!({ "transfer": { "status": "confirmed" } });
        let confirmed = api.patch(&path, &body).expect_status(200).json();
        assert_eq!((&confirmed["status"], &confirmed["made_by"]), (&json!("confirmed"), &json!("person")));
        assert_eq!(api.patch(&path, &body).expect_status(200).json(), confirmed, "again");
        assert_eq!(listed(api, ""), [pair("a", "e", "confirmed"), pair("b", "d", "pending")]);
        assert_eq!(listed(api, "status=pending").len(), 1);
        let taken = api.post(PATH, &sides(&accounts, "a", "d"));
        taken.expect_error(409, "already_in_transfer");
    }

    fn a_rejected_one_does_not_come_back_until_that_is_taken_back(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(&accounts.checking, &[(5, "-50.00", "a")]);
        accounts.import(&accounts.savings, &[(5, "50.00", "d")]);
        accounts.settled(1);
        let path = transfer(&accounts, "a", "d");
        let rejected = api.patch(&path, &json!({ "status": "rejected" })).expect_status(200).json();
        assert_eq!(rejected["status"], "rejected");
        api.get(&path).expect_error(404, "not_found");
        accounts.look_again();
        assert_eq!(listed(api, ""), []);
        let list = api.get(REJECTED).expect_status(200).json();
        assert_eq!(list["pagination"]["total_count"], 1);
        let one = &list["rejected_transfers"][0];
        assert_eq!(one["outflow_transaction"]["name"], "a");
        let address = format!("{REJECTED}/{}", one["id"].as_str().unwrap());
        assert_eq!(&api.get(&address).expect_status(200).json(), one);
        api.delete(&address).expect_status(200);
        api.get(&address).expect_error(404, "not_found");
        accounts.look_again();
        assert_eq!(listed(api, ""), [pair("a", "d", "confirmed")]);
    }

    fn one_that_is_deleted_may_be_found_again(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(&accounts.checking, &[(5, "-50.00", "a")]);
        accounts.import(&accounts.savings, &[(5, "50.00", "d")]);
        accounts.settled(1);
        api.delete(&transfer(&accounts, "a", "d")).expect_status(200);
        assert_eq!(listed(api, ""), []);
        assert_eq!(api.get(REJECTED).json()["pagination"]["total_count"], 0);
        accounts.look_again();
        assert_eq!(listed(api, "").len(), 1);
    }

    fn a_person_makes_what_no_matching_would(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.want("off");
        accounts.import(&accounts.checking, &[(1, "-50.00", "a"), (2, "-7", "z"), (1, "7", "y")]);
        accounts.import(&accounts.savings, &[(31, "50.00", "d"), (5, "51.00", "e")]);
        let far = accounts.family.account("Far", "depository");
        accounts.family.import(&far, "date,amount,name\n2026-02-01,50,w\n");
        let made = api.post(PATH, &json!({ "transfer": sides(&accounts, "a", "d") }));
        let made = made.expect_status(201).json();
        assert_eq!((&made["status"], &made["score"]), (&json!("confirmed"), &json!(100)));
        assert_eq!(made["reasons"], json!(["A person made it."]));
        for (out, into, problems) in [
            ("d", "a", vec!["of money out", "of money in"]),
            ("z", "y", vec!["different accounts"]),
            ("a", "e", vec!["equal and opposite"]),
            ("a", "w", vec!["at most 30 days apart"]),
        ] {
            let body = api.post(PATH, &sides(&accounts, out, into));
            let body = body.expect_error(422, "validation_failed");
            let errors = body["errors"].as_array().unwrap();
            assert_eq!(errors.len(), problems.len(), "{out} {into}: {body}");
            for (error, problem) in errors.iter().zip(problems) {
                assert!(error.as_str().unwrap().contains(problem), "{error}");
            }
        }
        for body in [json!({}), json!({ "transfer": {} })] {
            let body = api.post(PATH, &body).expect_error(422, "validation_failed");
            assert_eq!(body["errors"].as_array().unwrap().len(), 2);
        }
    }

    fn money_that_was_exchanged_is_a_transfer_if_a_person_links_it(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        let euros = json!({ "name": "Euros", "account_type": "depository", "currency": "EUR" });
        let euros = accounts.family.account_with(euros);
        accounts.import(&accounts.checking, &[(1, "-77.00", "out"), (2, "9.00", "in")]);
        let into = |amount: &str| {
            let fields = json!({ "account_id": euros, "date": "2026-01-02", "amount": amount,
                "name": "Exchange" });
            api.post("/api/v1/transactions", &fields).expect_status(201).id()
        };
        let (received, spent) = (into("-70"), into("5"));
        let pair = |out: &str, into: &str| json!({ "outflow_transaction_id": out,
            "inflow_transaction_id": into });
        let refused = api.post(PATH, &pair(&accounts.id("out"), &spent)).expect_status(422).json();
        assert_eq!(refused["errors"], json!(["The inflow_transaction_id must name a transaction of money in"]));
        let made = api.post(PATH, &pair(&accounts.id("out"), &received)).expect_status(201).json();
        assert_eq!((&made["amount"], &made["inflow_transaction"]["amount"]),
            (&json!("$77.00"), &json!("-€70.00")));
        let flow = api.get("/api/v1/reports/cash_flow?start_date=2026-01-01&end_date=2026-01-01");
        assert_eq!(flow.expect_status(200).json()["months"], json!([]));
        // What came in may turn out to be another amount, but not to have gone out.
        let path = format!("/api/v1/transactions/{received}");
        api.patch(&path, &json!({ "amount": "-69.50" })).expect_status(200);
        crate::imports::assert_whole(&server);
        let shown = api.get(&path).expect_status(200).json();
        assert_eq!(shown["transfer"]["status"], "confirmed");
        let shown = api.patch(&path, &json!({ "amount": "69.50" })).expect_status(200).json();
        assert_eq!(shown["transfer"], json!(null));
        crate::imports::assert_whole(&server);
    }

    fn rejected_ones_are_filtered_like_transfers(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        let third = accounts.family.account("Third", "depository");
        accounts.import(&accounts.checking, &[(5, "-50.00", "a"), (20, "-70.00", "b")]);
        accounts.import(&accounts.savings, &[(6, "50.00", "c")]);
        accounts.import(&third, &[(19, "70.00", "d")]);
        accounts.settled(2);
        for (out, into) in [("a", "c"), ("b", "d")] {
            let path = transfer(&accounts, out, into);
            let body = json!({ "transfer": { "status": "rejected" } });
            api.put(&path, &body).expect_status(200);
        }
        let names = |client: &Client, query: &str| -> Vec<Value> {
            let body = client.get(&format!("{REJECTED}?{query}")).expect_status(200).json();
            let all = body["rejected_transfers"].as_array().unwrap();
            assert_eq!(body["pagination"]["total_count"], all.len(), "{query}");
            for side in all.iter().flat_map(|one| [&one["outflow_transaction"], &one["inflow_transaction"]]) {
                assert_eq!((&side["kind"], &side["entry_id"]), (&json!("standard"), &side["id"]));
            }
            all.iter().map(|one| one["outflow_transaction"]["name"].clone()).collect()
        };
        assert_eq!(names(api, ""), ["b", "a"]);
        assert_eq!(names(api, &format!("account_id={}", accounts.savings)), ["a"]);
        assert_eq!(names(api, &format!("account_id={third}")), ["b"]);
        assert_eq!(names(api, &format!("account_id={}", accounts.checking)), ["b", "a"]);
        assert_eq!(names(api, "start_date=2026-01-06"), ["b"]);
        assert_eq!(names(api, "end_date=2026-01-19"), ["a"]);
        assert_eq!(names(api, "start_date=2026-01-20&end_date=2026-01-20"), ["b"]);
        for wrong in ["account_id=x", "start_date=5", "end_date=2026-02-30"] {
            api.get(&format!("{REJECTED}?{wrong}")).expect_error(422, "validation_failed");
        }
        // A key that sees one side only sees no pair of it.
        let family = &accounts.family;
        let client = crate::securities::restricted(&server, &family.email, &accounts.savings);
        assert_eq!(names(&client, &format!("account_id={}", accounts.savings)).len(), 0);
    }

    fn filters_choose_and_are_checked(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        let third = accounts.family.account("Third", "depository");
        accounts.import(&accounts.checking, &[(5, "-50.00", "a"), (20, "-70.00", "b")]);
        accounts.import(&accounts.savings, &[(6, "50.00", "c")]);
        accounts.import(&third, &[(19, "70.00", "d")]);
        accounts.settled(2);
        let names = |query: &str| -> Vec<String> {
            listed(api, query).into_iter().map(|(out, _, _)| out).collect()
        };
        assert_eq!(names(&format!("account_id={}", accounts.savings)), ["a"]);
        assert_eq!(names(&format!("account_id={third}")), ["b"]);
        assert_eq!(names(&format!("account_id={}", accounts.checking)), ["a", "b"]);
        assert_eq!(names("start_date=2026-01-06"), ["b"]);
        assert_eq!(names("end_date=2026-01-19"), ["a"]);
        assert_eq!(names("start_date=2026-01-20&end_date=2026-01-20"), ["b"]);
        for wrong in ["status=rejected", "account_id=x", "start_date=5", "per_page=0"] {
            api.get(&format!("{PATH}?{wrong}")).expect_error(422, "validation_failed");
        }
        let page = api.get(&format!("{PATH}?per_page=1&page=2")).json();
        assert_eq!(page["transfers"][0]["outflow_transaction"]["name"], "a");
        assert_eq!(page["pagination"]["total_pages"], 2);
    }

    fn a_restricted_key_sees_a_transfer_if_it_sees_both_sides(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(&accounts.checking, &[(5, "-50.00", "a"), (25, "-60.00", "b")]);
        accounts.import(&accounts.savings, &[(5, "50.00", "c"), (25, "60.00", "d")]);
        accounts.settled(2);
        let path = transfer(&accounts, "a", "c");
        let other = transfer(&accounts, "b", "d");
        api.patch(&other, &json!({ "status": "rejected" })).expect_status(200);
        let rejected = api.get(REJECTED).json()["rejected_transfers"][0].clone();
        let rejected = format!("{REJECTED}/{}", rejected["id"].as_str().unwrap());
        let key = |names: &[&str]| {
            let email = accounts.family.email.as_str();
            let mut arguments = vec![
                "key", "add", "--user", email, "--name", "r", "--scope", "read_write",
            ];
            for name in names {
                arguments.extend(["--account", name]);
            }
            let made = server.run_json(&arguments, "");
            server.client().with_key(made["key"].as_str().unwrap())
        };
        let both = key(&["Everyday", "Rainy Day"]);
        assert_eq!(listed(&both, "").len(), 1);
        both.get(&path).expect_status(200);
        both.get(&rejected).expect_status(200);

        let one = key(&["Everyday"]);
        assert_eq!(listed(&one, ""), []);
        one.get(&path).expect_error(404, "not_found");
        one.delete(&path).expect_error(404, "not_found");
        one.patch(&path, &json!({ "status": "rejected" })).expect_error(404, "not_found");
        one.get(&rejected).expect_error(404, "not_found");
        one.delete(&rejected).expect_error(404, "not_found");
        assert_eq!(one.get(REJECTED).json()["pagination"]["total_count"], 0);
        let shown = one.get(&format!("/api/v1/transactions/{}", accounts.id("a")));
        assert!(shown.expect_status(200).json()["transfer"].is_null());
        let hidden = one.post(PATH, &sides(&accounts, "b", "d"));
        let body = hidden.expect_error(422, "validation_failed");
        assert_eq!(body["errors"], json!(["The inflow_transaction_id is not a transaction of this family"]));
        one.patch(SETTINGS, &json!({ "name": "x" })).expect_error(403, "restricted_key");
        assert_eq!(listed(api, "").len(), 1);
    }
}
