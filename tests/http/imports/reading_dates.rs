//! Dates: formats that are detected, formats that are sent, and ambiguous ones.

use jiff_days::{day_from_today, today};
use serde_json::json;

use super::{both_whole, errors, path, rows, upload};
use crate::support::{Backend, Server};

/// Days as text, without a calendar of its own: the server's answer is compared with the system's.
mod jiff_days {
    use std::process::Command;

    /// The system's day in UTC, so many days from today.
    pub(super) fn day_from_today(days: i64) -> String {
        let output = Command::new("date")
            .args(["-u", "-d", &format!("{days} days"), "+%Y-%m-%d"])
            .output()
            .expect("date");
        String::from_utf8(output.stdout).expect("a day").trim().to_owned()
    }

    /// The system's day in UTC.
    pub(super) fn today() -> String {
        day_from_today(0)
    }
}

#[test]
fn forms_are_found_in_the_whole_column() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for (cells, pattern) in [
        (["2024-01-02", "2024-12-31"], "%Y-%m-%d"),
        (["2024/01/02", "2024/12/31"], "%Y/%m/%d"),
        (["2024.01.02", "2024.12.31"], "%Y.%m.%d"),
        (["20240102", "20241231"], "%Y%m%d"),
        (["02.01.2024", "31.12.2024"], "%d.%m.%Y"),
        (["2.1.2024", "31.12.2024"], "%d.%m.%Y"),
        (["02/01/2024", "31/12/2024"], "%d/%m/%Y"),
        (["01/02/2024", "12/31/2024"], "%m/%d/%Y"),
        (["1/2/2024", "12/31/2024"], "%m/%d/%Y"),
        (["02-01-2024", "31-12-2024"], "%d-%m-%Y"),
        (["01-02-2024", "12-31-2024"], "%m-%d-%Y"),
        (["02/01/24", "31/12/24"], "%d/%m/%y"),
        (["01/02/24", "12/31/24"], "%m/%d/%y"),
        (["02.01.24", "31.12.24"], "%d.%m.%y"),
        (["02 Jan 2024", "31 Dec 2024"], "%d %b %Y"),
        (["2 janvier 2024", "31 décembre 2024"], "%d %b %Y"),
        (["Jan 2, 2024", "December 31, 2024"], "%b %d, %Y"),
        (["02-Jan-2024", "31-Dec-2024"], "%d-%b-%Y"),
        (["02-Jan-24", "31-Dec-24"], "%d-%b-%y"),
        (["2024-01-02 10:15:00", "2024-12-31 23:59:59"], "%Y-%m-%d"),
        (["2024-01-02T10:15:00Z", "2024-12-31T23:59:59.123+02:00"], "%Y-%m-%d"),
        (["02.01.2024 10:15", "31.12.2024 23:59"], "%d.%m.%Y"),
    ] {
        let csv = format!("Date;Amount;Name\n{};+1;A\n{};+2;B\n", cells[0], cells[1]);
        let import = upload(&family.api, &csv, &json!({}));
        assert_eq!(
            import["configuration"]["date_format"], pattern,
            "{cells:?}: {}",
            import["source"]
        );
        assert_eq!(
            rows(&family.api, &import),
            ["2024-01-02 -1.00 USD A", "2024-12-31 -2.00 USD B"],
            "{cells:?}"
        );
        let given = upload(&family.api, &csv, &json!({ "date_format": pattern }));
        assert_eq!(rows(&family.api, &given), rows(&family.api, &import));
    }
}

#[test]
fn a_form_that_is_given_is_strict() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for (format, cell, expected) in [
        ("%m/%d/%Y", "01/02/2024", Some("2024-01-02")),
        ("%d/%m/%Y", "01/02/2024", Some("2024-02-01")),
        ("%e/%m/%Y", "1/02/2024", Some("2024-02-01")),
        ("%y%m%d", "240102", Some("2024-01-02")),
        ("%d/%m/%y", "01/02/69", Some("1969-02-01")),
        ("%d/%m/%y", "15/05/2024", None),
        ("%m/%d/%Y", "31/12/2024", None),
        ("%m/%d/%Y", "1/2/24", None),
        ("%Y-%m-%d", "2024-01-02xyz", None),
        ("%Y-%m-%d", "2023-02-29", None),
        ("%Y-%m-%d", "2024-02-29", Some("2024-02-29")),
        ("%Y-%m-%d", "", None),
        ("%d.%m.%Y", "2024-01-02", None),
        ("%d %b %Y", "02 Foo 2024", None),
    ] {
        let csv = format!("Date;Amount;Name\n{cell};+1;A\n");
        let import = upload(&family.api, &csv, &json!({ "date_format": format }));
        assert_eq!(import["status_detail"]["configured"], true, "{format} {cell}: {import}");
        let shown = rows(&family.api, &import);
        match expected {
            Some(day) => assert_eq!(shown, [format!("{day} -1.00 USD A")], "{format} {cell}"),
            None => assert!(shown[0].starts_with("line 2: Date "), "{format} {cell}: {shown:?}"),
        }
    }
}

both_whole! {
    fn two_forms_that_fit_are_a_question(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let main = json!({ "account_id": account });
        for (cells, one, other) in [
            (["01/02/2024", "03/04/2024"], "%d/%m/%Y", "%m/%d/%Y"),
            (["01-02-2024", "03-04-2024"], "%d-%m-%Y", "%m-%d-%Y"),
            (["01/02/24", "12/11/24"], "%d/%m/%y", "%m/%d/%y"),
        ] {
            let csv = format!("Date,Amount\n{},+1.00\n{},+2.00\n", cells[0], cells[1]);
            let import = upload(&family.api, &csv, &main);
            assert_eq!(import["status_detail"]["configured"], false);
            assert_eq!(import["configuration"]["date_format"], json!(null));
            let refused = family
                .api
                .post(&path(&import, "/publish"), &json!({}))
                .expect_error(422, "not_configured");
            let problem = &errors(&refused)[0];
            assert!([one, other, cells[0]].iter().all(|part| problem.contains(part)), "{problem}");
            assert_eq!(import["source"]["problems"][0], **problem);
            // What is named then decides.
            let import = upload(
                &family.api,
                &csv,
                &crate::imports::merged(&main, &json!({ "date_format": other })),
            );
            assert_eq!(import["status_detail"]["publishable"], true);
        }
        // The same day either way is no question.
        let import = upload(&family.api, "Date,Amount\n01/01/2024,+1.00\n02/02/2024,+2.00\n", &main);
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
    }

    fn days_are_from_1900_to_a_year_from_today(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let soon = day_from_today(30);
        let csv = format!(
            "Date,Amount,Name\n1900-01-01,+1.00,first\n1899-12-31,+1.00,too early\n{},+2.00,today\n\
             {soon},+4.00,soon\n{},+8.00,within\n{},+16.00,too late\n9999-12-31,+1.00,never\n",
            today(),
            day_from_today(360),
            day_from_today(370)
        );
        let fields =
            json!({ "account_id": account, "skip_invalid": true, "date_format": "%Y-%m-%d" });
        let import = crate::imports::publish(&family.api, &csv, &fields);
        assert_eq!(import["stats"]["valid_rows_count"], 4, "{}", import["invalid_rows"]);
        let lines: Vec<_> =
            import["invalid_rows"].as_array().unwrap().iter().map(|row| &row["line"]).collect();
        assert_eq!(lines, [&json!(3), &json!(7), &json!(8)]);
        // What lies ahead is stored, and counts from its day.
        assert_eq!(crate::imports::balance(&family, &account), "3.00");
        assert_eq!(crate::imports::transactions(&family).len(), 4);
    }
}
