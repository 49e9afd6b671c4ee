//! Exchange rates: stated by hand and in files, asked of a feed, and what follows from them.

mod conversions;
mod feed;
pub(crate) mod feed_server;
mod shown;

use serde_json::{Value, json};

use crate::both;
use crate::securities::restricted;
use crate::support::Client;
pub(crate) use shown::{legs, used};

const PATH: &str = "/api/v1/exchange_rates";
const IMPORT: &str = "/api/v1/exchange_rates/import";

fn stated(base: &str, quote: &str, date: &str, rate: &str) -> Value {
    json!({ "base": base, "quote": quote, "date": date, "rate": rate })
}

#[track_caller]
fn listed(client: &Client, query: &str) -> Vec<String> {
    let body = client.get(&format!("{PATH}?{query}")).expect_status(200).json();
    let shown = |one: &Value| {
        let text = |field: &str| one[field].as_str().unwrap();
        format!(
            "{} {}/{} {} {}",
            text("date"),
            text("base"),
            text("quote"),
            text("rate"),
            text("source")
        )
    };
    body["exchange_rates"].as_array().unwrap().iter().map(shown).collect()
}

/// The rate and the stated rates that it is made of, with `1/` before those that are inverted.
#[track_caller]
fn found(client: &Client, from: &str, to: &str, date: &str) -> (Option<String>, Vec<String>) {
    let path = format!("{PATH}/lookup?from={from}&to={to}&date={date}");
    let body = client.get(&path).expect_status(200).json();
    let leg = |leg: &Value| {
        let way = if leg["inverted"] == json!(true) { "1/" } else { "" };
        let text = |field: &str| leg[field].as_str().unwrap();
        format!("{way}{}/{} {} {}", text("base"), text("quote"), text("date"), text("source"))
    };
    let legs = body["origin"].as_array().unwrap().iter().map(leg).collect();
    (body["rate"].as_str().map(str::to_owned), legs)
}

both! {
    fn many_files_at_once_leave_nobody_waiting(server) {
        let family = server.family();
        let csv = "date,base,quote,rate\n2026-01-05,EUR,USD,1.1\n";
        let file = json!({ "raw_file_content": csv });
        // More than there are threads that may block, beside as many who only read.
        let answered: Vec<u16> = std::thread::scope(|scope| {
            let mut asked = Vec::new();
            for number in 0..48 {
                let (family, file) = (&family, &file);
                asked.push(scope.spawn(move || match number % 2 {
                    0 => family.api.post(IMPORT, file).status,
                    _ => family.api.get("/api/v1/accounts").status,
                }));
            }
            asked.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(answered.iter().all(|status| [200, 201].contains(status)), "{answered:?}");
    }

    fn a_rate_is_stated_replaced_and_removed(server) {
        let family = server.family();
        let rate = json!({ "exchange_rate": { "base": "eur", "quote": "USD", "date": "2026-01-05",
            "rate": 1.10 } });
        let made = family.api.post(PATH, &rate).expect_status(201);
        let body = made.json();
        for (field, value) in [
            ("base", "EUR"), ("quote", "USD"), ("date", "2026-01-05"), ("rate", "1.1"),
            ("source", "manual"),
        ] {
            assert_eq!(body[field], value, "{field}");
        }
        let path = format!("{PATH}/{}", made.id());
        assert_eq!(family.api.get(&path).expect_status(200).json(), body);
        let again = family.api.post(PATH, &stated("EUR", "USD", "2026-01-05", "1.2"));
        assert_eq!(again.expect_status(200).id(), made.id());
        family.api.post(PATH, &stated("USD", "EUR", "2026-01-06", "0.9")).expect_status(201);
        assert_eq!(listed(&family.api, ""),
            ["2026-01-06 USD/EUR 0.9 manual", "2026-01-05 EUR/USD 1.2 manual"]);
        assert_eq!(listed(&family.api, "base=eur"), ["2026-01-05 EUR/USD 1.2 manual"]);
        assert_eq!(listed(&family.api, "quote=EUR&start_date=2026-01-06").len(), 1);
        assert_eq!(listed(&family.api, "source=file").len(), 0);
        let other = server.family();
        assert_eq!(listed(&other.api, "").len(), 0, "another family's");
        other.api.get(&path).expect_error(404, "not_found");
        other.api.delete(&path).expect_error(404, "not_found");
        family.api.delete(&path).expect_status(200);
        family.api.get(&path).expect_error(404, "not_found");
        let wrong = family.api.get(&format!("{PATH}?base=EURO&source=feed"));
        assert_eq!(wrong.expect_error(422, "validation_failed")["errors"].as_array().unwrap().len(), 2);
    }

    fn problems_of_a_rate_are_reported_at_once(server) {
        let family = server.family();
        let body = family.api.post(PATH, &json!({})).expect_error(422, "validation_failed");
        assert_eq!(body["errors"], json!(
            ["The base is required", "The quote is required", "Date is required", "The rate is required"]
        ));
        for (base, quote, date, rate) in [
            ("EUR", "EUR", "2026-01-05", "1"),
            ("XXY", "EUR", "2026-01-05", "1"),
            ("EUR", "USD", "05.01.2026", "1"),
            ("EUR", "USD", "2026-01-05", "0"),
            ("EUR", "USD", "2026-01-05", "-1"),
            ("EUR", "USD", "2026-01-05", "1e3"),
            ("EUR", "USD", "2026-01-05", "1.0000000000000000001"),
        ] {
            let answer = family.api.post(PATH, &stated(base, quote, date, rate));
            let body = answer.expect_error(422, "validation_failed");
            assert_eq!(body["errors"].as_array().unwrap().len(), 1, "{body}");
        }
    }

    fn the_best_rate_of_a_day_is_found_with_its_origin(server) {
        let family = server.family();
        for (base, quote, day, rate) in [
            ("EUR", "USD", 5, "1.25"), ("EUR", "GBP", 5, "0.8"), ("EUR", "USD", 8, "1.2"),
            ("GBP", "USD", 2, "1.5"),
        ] {
            let date = format!("2026-01-{day:02}");
            family.api.post(PATH, &stated(base, quote, &date, rate)).expect_status(201);
        }
        for (from, to, day, rate, legs) in [
            ("EUR", "USD", 5, Some("1.25"), vec!["EUR/USD 2026-01-05 manual"]),
            ("EUR", "USD", 7, Some("1.25"), vec!["EUR/USD 2026-01-05 manual"]),
            ("EUR", "USD", 1, Some("1.25"), vec!["EUR/USD 2026-01-05 manual"]),
            ("USD", "EUR", 5, Some("0.8"), vec!["1/EUR/USD 2026-01-05 manual"]),
            ("USD", "EUR", 8, Some("0.833333333333333333"), vec!["1/EUR/USD 2026-01-08 manual"]),
            ("USD", "GBP", 5, Some("0.64"),
                vec!["1/EUR/USD 2026-01-05 manual", "EUR/GBP 2026-01-05 manual"]),
            ("GBP", "USD", 2, Some("1.5"), vec!["GBP/USD 2026-01-02 manual"]),
            ("EUR", "JPY", 5, None, vec![]),
            ("JPY", "JPY", 5, Some("1.0"), vec![]),
        ] {
            let date = format!("2026-01-{day:02}");
            let legs = legs.iter().map(|leg| (*leg).to_owned()).collect();
            let expected = (rate.map(str::to_owned), legs);
            assert_eq!(found(&family.api, from, to, &date), expected, "{from} {to} {day}");
        }
        let other = server.family();
        assert_eq!(found(&other.api, "EUR", "USD", "2026-01-05"), (None, vec![]));
        let wrong = family.api.get(&format!("{PATH}/lookup?to=x&date=5"));
        assert_eq!(wrong.expect_error(422, "validation_failed")["errors"].as_array().unwrap().len(), 3);
    }

    fn files_are_taken_all_or_none(server) {
        let family = server.family();
        family.api.post(PATH, &stated("EUR", "USD", "2026-01-05", "1.1")).expect_status(201);
        let wrong = "date,base,quote,rate\n2026-01-05,EUR,GBP,0.8\n2026-01-06,EUR,GBP,\n";
        let body = family.api.post(IMPORT, &json!({ "raw_file_content": wrong }));
        let body = body.expect_error(422, "validation_failed");
        assert!(body["errors"][0].as_str().unwrap().starts_with("Line 3: "), "{body}");
        assert_eq!(listed(&family.api, "").len(), 1);
        let ecb = "Date,USD,GBP,ISK,\n2026-01-06,1.12,0.81,N/A,\n2026-01-05,1.11,0.80,N/A,\n";
        let made = family.api.post(IMPORT, &json!({ "raw_file_content": ecb })).expect_status(201);
        assert_eq!(made.json(), json!({ "added": 3, "changed": 0, "unchanged": 0, "kept": 1 }));
        let csv = "from;to;date;rate\nEUR;USD;2026-01-06;1.13\nEUR;GBP;2026-01-06;0.810\n";
        let made = family.api.request("POST", IMPORT, Some(("text/csv", csv.as_bytes())));
        let expected = json!({ "added": 0, "changed": 1, "unchanged": 1, "kept": 0 });
        assert_eq!(made.expect_status(201).json(), expected);
        assert_eq!(listed(&family.api, ""), [
            "2026-01-06 EUR/GBP 0.81 file", "2026-01-06 EUR/USD 1.13 file",
            "2026-01-05 EUR/GBP 0.8 file", "2026-01-05 EUR/USD 1.1 manual",
        ]);
        let path = server.data_folder().join("rates.csv");
        std::fs::write(&path, "date,base,quote,rate\n2026-01-07,EUR,USD,1.14\n").unwrap();
        let made = server.run_json(
            &["rates", "import", path.to_str().unwrap(), "--user", &family.email], "",
        );
        assert_eq!(made, json!({ "added": 1, "changed": 0, "unchanged": 0, "kept": 0 }));
    }

    fn a_restricted_key_looks_up_and_states_nothing(server) {
        let family = server.family();
        let account = family.account("Open", "depository");
        let id = family.api.post(PATH, &stated("EUR", "USD", "2026-01-05", "1.1")).id();
        let key = restricted(&server, &family.email, &account);
        assert_eq!(found(&key, "EUR", "USD", "2026-01-05").0.as_deref(), Some("1.1"));
        for path in [PATH, IMPORT] {
            key.post(path, &json!({})).expect_error(403, "restricted_key");
        }
        key.delete(&format!("{PATH}/{id}")).expect_error(403, "restricted_key");
    }
}
