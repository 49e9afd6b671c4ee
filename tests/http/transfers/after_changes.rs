//! What an edit, a deletion or an undo does to transfers, and to decisions of people about them.

use serde_json::{Value, json};

use super::{Accounts, PATH, pair};
use crate::both;
use crate::imports::undo::{publish_again, undo};
use crate::imports::{path, text, transactions};
use crate::support::Family;

/// One transaction out and two in, so that the pair is ambiguous. The import of the second one is
/// returned too.
fn two_fit(family: Family) -> (Accounts, Value) {
    let accounts = Accounts::new(family);
    accounts.want("off");
    accounts.import(&accounts.checking, &[(6, "-70.00", "Out")]);
    accounts.import(&accounts.savings, &[(6, "70.00", "One")]);
    let csv = "date,amount,name\n2026-01-06,+70.00,Other\n";
    let rival = accounts.family.import(&accounts.savings, csv);
    accounts.want("automatic");
    accounts.look_again();
    let proposed = accounts.settled(2);
    assert_eq!(proposed, [pair("Out", "One", "pending"), pair("Out", "Other", "pending")]);
    (accounts, rival)
}

fn transfer_id(accounts: &Accounts) -> String {
    let shown = accounts.family.api.get(PATH).expect_status(200).json();
    shown["transfers"][0]["id"].as_str().unwrap().to_owned()
}

both! {
    fn without_its_rival_a_pair_is_certain(server) {
        for way in ["undo", "delete", "amount", "date"] {
            let (accounts, rival) = two_fit(server.family());
            let api = &accounts.family.api;
            let other = format!("/api/v1/transactions/{}", accounts.id("Other"));
            match way {
                "undo" => drop(undo(api, &rival)),
                "delete" => drop(api.delete(&other).expect_status(200)),
                "amount" => drop(api.patch(&other, &json!({ "amount": "-71.00" })).expect_status(200)),
                _ => drop(api.patch(&other, &json!({ "date": "2026-03-01" })).expect_status(200)),
            }
            assert_eq!(accounts.settled(1), [pair("Out", "One", "confirmed")], "{way}");
        }
    }

    fn a_transfer_that_a_person_wanted_outlives_an_undo_and_a_rejection_does_not(server) {
        for (decision, by_matching) in [("rejected", false), ("confirmed", false), ("confirmed", true)] {
            let accounts = Accounts::new(server.family());
            let api = &accounts.family.api;
            accounts.import(&accounts.checking, &[(6, "-70.00", "Out"), (7, "-1.00", "Bread")]);
            accounts.want(if by_matching { "automatic" } else { "propose" });
            let csv = "date,amount,name\n2026-01-06,+70.00,In\n2026-01-08,5.00,Interest\n";
            let import = accounts.family.import(&accounts.savings, csv);
            let status = if by_matching { "confirmed" } else { "pending" };
            assert_eq!(accounts.settled(1), [pair("Out", "In", status)]);
            let transfer = format!("{PATH}/{}", transfer_id(&accounts));
            api.patch(&transfer, &json!({ "status": decision })).expect_status(200);
            accounts.want("propose");

            let shown = api.get(&path(&import, "/revert")).expect_status(200).json();
            let kept = &shown["data"]["transactions"]["kept"];
            let page = server.signed_in(&accounts.family);
            let page = page.get(&format!("/imports/{}/undo", text(&import["id"])));
            let page = page.expect_page(200, "</html>").text();
            assert_eq!(page.contains("Its transfer was changed"), decision == "confirmed", "{page}");
            undo(api, &import);
            let has = |name: &str| {
                let lines = transactions(&accounts.family);
                lines.iter().filter(|line| line.contains(&format!(" USD {name} @"))).count()
            };
            if decision == "rejected" {
                // A rejection is about the pair and keeps neither of the two.
                assert_eq!(*kept, json!([]));
                assert_eq!((has("In"), has("Interest")), (0, 0));
                publish_again(api, &import);
                assert_eq!(accounts.settled(1), [pair("Out", "In", "pending")]);
            } else {
                assert_eq!(kept[0]["reason"], "Its transfer was changed since the import");
                assert_eq!((has("In"), has("Interest")), (1, 0));
                publish_again(api, &import);
                assert_eq!(accounts.settled(1), [pair("Out", "In", "confirmed")]);
            }
            assert_eq!((has("In"), has("Interest")), (1, 1));
        }
    }
}
