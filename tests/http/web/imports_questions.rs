//! Questions about a file: each answer with rows of the file, as a button that gives it.

use serde_json::{Value, json};

use super::Visitor;
use crate::both;
use crate::support::{Answer, Family, Multipart, Server};

const UNSIGNED: &str = "Datum;Betrag;Text\n02.01.2024;1,50;A\n03.01.2024;2,00;B\n";

fn start(server: &Server, account_type: &str, content: &str) -> (Family, Visitor, String) {
    let family = server.family();
    let visitor = server.signed_in(&family);
    let account = family.account("Main", account_type);
    let form = Multipart::new().text("account_id", &account);
    let form = form.file("file", "a.csv", "text/csv", content.as_bytes());
    let import = visitor.post_form("/imports/new", form).expect_status(303);
    let import = import.header("Location").unwrap().to_owned();
    (family, visitor, import)
}

/// The answers of the page: what each sends, and its visible text.
fn answers(page: &Answer) -> Vec<(String, String)> {
    let text = page.text();
    let buttons = text.split("name=\"answer\" value=\"").skip(1);
    let answers = buttons.map(|rest| {
        let (value, rest) = rest.split_once('"').unwrap();
        let inner = rest.split_once('>').unwrap().1.split_once("</button>").unwrap().0;
        let mut words = String::new();
        let mut in_tag = false;
        for c in inner.chars() {
            match c {
                '<' => {
                    in_tag = true;
                    words.push(' ');
                }
                '>' => in_tag = false,
                c if !in_tag => words.push(c),
                _ => {}
            }
        }
        let words: Vec<&str> = words.split_whitespace().collect();
        (value.replace("&#38;", "&"), words.join(" ").replace("&#34;", "\""))
    });
    answers.collect()
}

fn rows_of(family: &Family, import: &str) -> Value {
    let answer = family.api.get(&format!("/api/v1{import}/rows")).expect_status(200);
    answer.json()["data"].clone()
}

both! {
    fn each_answer_is_shown_with_rows_and_given_by_its_button(server) {
        let (family, visitor, import) = start(&server, "depository", UNSIGNED);
        let mapping = format!("{import}/mapping");
        let page = visitor.get(&mapping).expect_page(200, "No amount has a sign");
        let shown = answers(&page);
        assert_eq!(
            shown,
            [
                (
                    "signage_convention=inflows_negative".to_owned(),
                    "Money out 2 Jan 2024 A \u{2212}$1.50 3 Jan 2024 B \u{2212}$2.00".to_owned(),
                ),
                (
                    "signage_convention=inflows_positive".to_owned(),
                    "Money in 2 Jan 2024 A +$1.50 3 Jan 2024 B +$2.00".to_owned(),
                ),
            ]
        );
        // The question is there once, and the control of the setting refers to it.
        let text = page.text();
        assert_eq!(text.matches("No amount has a sign").count(), 1, "{text}");
        assert!(text.contains("aria-describedby=\"signage_convention-problem\""), "{text}");
        assert_eq!(text.matches("id=\"signage_convention-problem\"").count(), 1, "{text}");
        // The rest of the form is sent along, unchanged.
        let answer = [("signage_convention", ""), ("answer", &*shown[0].0)];
        let page = visitor.post(&mapping, &answer).expect_page(200, "2 rows can be read.");
        assert_eq!(answers(&page), []);
        let rows = rows_of(&family, &import);
        assert_eq!(rows[0]["fields"]["amount_decimal"], "1.50", "money out");
    }

    fn dates_are_shown_both_ways(server) {
        let csv = "Date,Amount,Name\n05/05/2024,-1.00,Same\n03/04/2024,-2.00,Other\n";
        let (_, visitor, import) = start(&server, "depository", csv);
        let page = visitor.get(&format!("{import}/mapping")).expect_status(200);
        let shown: Vec<String> = answers(&page).into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            shown,
            [
                "Day, month, year 3 Apr 2024 Other \u{2212}$2.00",
                "Month, day, year 4 Mar 2024 Other \u{2212}$2.00",
            ]
        );
    }

    fn an_answer_sets_nothing_but_settings(server) {
        let (family, visitor, import) = start(&server, "depository", UNSIGNED);
        let mapping = format!("{import}/mapping");
        let odd = "account_id=x&publish=true&signage_convention=inflows_positive";
        visitor.post(&mapping, &[("answer", odd)]).expect_page(200, "2 rows can be read.");
        let of_api = family.api.get(&format!("/api/v1{import}")).expect_status(200).json();
        assert_eq!(of_api["data"]["status"], "pending");
        assert_eq!(rows_of(&family, &import)[0]["fields"]["amount_decimal"], "-1.50");
    }

    fn texts_of_the_file_stay_texts(server) {
        let csv = "Date,Amount,Name\n02.01.2024,1.50,<b>A</b>\n";
        let (_, visitor, import) = start(&server, "depository", csv);
        let text = visitor.get(&format!("{import}/mapping")).expect_status(200).text();
        assert!(!text.contains("<b>A</b>"), "{text}");
    }

    fn the_preflight_names_the_field_of_each_question(server) {
        let family = server.family();
        let csv = "Date,Amount,Name\n03/04/2024,1.50,A\nbad,2.00,B\n";
        let preflight = |fields: Value| {
            let mut body = json!({ "raw_file_content": csv });
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            let answer = family.api.post("/api/v1/imports/preflight", &body).expect_status(200);
            answer.json()["data"].clone()
        };
        let preview = preflight(json!({}));
        assert_eq!(preview["amount_sign"], "money_out_positive");
        let fields = |preview: &Value| -> Vec<String> {
            let questions = preview["questions"].as_array().unwrap().iter();
            questions.map(|one| one["field"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(fields(&preview), ["date_format", "signage_convention"]);
        let row = &preview["questions"][0]["answers"][0]["rows"][0];
        assert_eq!((&row["date"], &row["date_cell"]), (&json!("2024-04-03"), &json!("03/04/2024")));
        // Sending what an answer has answers the question.
        let mut sent = preview["questions"][0]["answers"][0]["fields"].clone();
        let more = preview["questions"][1]["answers"][0]["fields"].clone();
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let preview = preflight(sent);
        assert_eq!(fields(&preview), ["account_id", "skip_invalid"], "{preview}");
        let totals = &preview["source"]["totals"][0];
        assert_eq!((&totals["rows_count"], &totals["money_out"]), (&json!(1), &json!("1.50")));
    }
}
