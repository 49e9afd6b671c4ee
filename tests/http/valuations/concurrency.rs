//! Many writers of one account and day at once: one row, and every answer true.

use std::sync::Barrier;
use std::thread;

use serde_json::json;

use crate::both;
use crate::ledger::{balance, text};
use crate::support::Answer;

const PATH: &str = "/api/v1/valuations";
const WRITERS: usize = 64;

both! {
    fn writers_of_one_day_make_one_row(server) {
        let family = server.family();
        let account = family.account("House", "property");
        let start = Barrier::new(WRITERS);
        let answers: Vec<Answer> = thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|number| {
                    let (api, start, account) = (family.api.clone(), &start, &account);
                    scope.spawn(move || {
                        let fields = json!({ "account_id": account, "amount": number + 1,
                            "date": "2026-01-12" });
                        let body = json!({ "valuation": fields, "upsert": true });
                        start.wait();
                        api.post(PATH, &body)
                    })
                })
                .collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        let count = |status| statuses.iter().filter(|one| **one == status).count();
        assert_eq!((count(201), count(200)), (1, WRITERS - 1), "{statuses:?}");

        let page = family.api.get(PATH).json();
        assert_eq!(page["pagination"]["total_count"], 1);
        let valuation = &page["valuations"][0];
        for (number, answer) in answers.iter().enumerate() {
            let answer = answer.json();
            assert_eq!(answer["id"], valuation["id"]);
            assert_eq!(text(&answer, "amount_decimal"), format!("{}.00", number + 1));
        }
        assert_eq!(balance(&family.api, &account), text(valuation, "amount_decimal"));
    }

    fn without_upsert_every_writer_gets_201(server) {
        let family = server.family();
        let account = family.account("House", "property");
        let statuses: Vec<u16> = thread::scope(|scope| {
            let writers: Vec<_> = (0..16)
                .map(|number| {
                    let (api, account) = (family.api.clone(), &account);
                    scope.spawn(move || {
                        let fields = json!({ "account_id": account, "amount": number,
                            "date": "2026-01-12" });
                        api.post(PATH, &json!({ "valuation": fields })).status
                    })
                })
                .collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(statuses, [201; 16]);
        assert_eq!(family.api.get(PATH).json()["pagination"]["total_count"], 1);
    }

    fn moves_onto_one_day_let_one_through(server) {
        let family = server.family();
        let account = family.account("House", "property");
        let ids: Vec<String> = (1..=8)
            .map(|day| {
                text(
                    &crate::ledger::value(&family.api, &account, &format!("2026-01-{day:02}"), "5"),
                    "id",
                )
            })
            .collect();
        let statuses: Vec<u16> = thread::scope(|scope| {
            let writers: Vec<_> = ids
                .iter()
                .map(|id| {
                    let api = family.api.clone();
                    let body = json!({ "date": "2026-02-01" });
                    scope.spawn(move || api.patch(&format!("{PATH}/{id}"), &body).status)
                })
                .collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 422).count(), 7, "{statuses:?}");
        let page = family.api.get(&format!("{PATH}?start_date=2026-02-01")).json();
        assert_eq!(page["pagination"]["total_count"], 1);
    }
}
