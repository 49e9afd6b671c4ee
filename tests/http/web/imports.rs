//! The pages of imports: what is asked for, what is refused, and what stays as it was.

use serde_json::{Value, json};

use super::Visitor;
use crate::both;
use crate::support::{Answer, Family, Multipart, Server, until};

const PLAIN: &str = "Date,Description,Amount\n2024-01-02,Kiosk,-5.00\n2024-01-03,Tram,-2.50\n";
const FAULTY: &str = "Date,Amount,Name\n2024-02-01,-10.00,Fine\n2024-02-02,ten,Wrong\n";

/// Sends a file as the form does; `fields` come before it.
#[track_caller]
fn send(visitor: &Visitor, fields: &[(&str, &str)], content: &str) -> Answer {
    let form = fields.iter().fold(Multipart::new(), |form, (name, text)| form.text(name, text));
    visitor.post_form("/imports/new", form.file("file", "a.csv", "text/csv", content.as_bytes()))
}

/// A file that is stored; the address of its import.
#[track_caller]
fn upload(visitor: &Visitor, account: &str, content: &str) -> String {
    let answer = send(visitor, &[("account_id", account)], content).expect_status(303);
    answer.header("Location").unwrap().to_owned()
}

fn of_api(family: &Family, import: &str, below: &str) -> Value {
    family.api.get(&format!("/api/v1{import}{below}")).expect_status(200).json()
}

fn start(server: &Server) -> (Family, Visitor, String) {
    let family = server.family();
    let visitor = server.signed_in(&family);
    let account = family.account("Main", "depository");
    (family, visitor, account)
}

both! {
    fn cells_with_line_breaks_stay_as_they_are(server) {
        let (family, visitor, account) = start(&server);
        for notes in ["a\nb", "a\r\nb"] {
            let csv = format!("Date,Amount,Name,Notes\n2024-01-02,-5.00,Kiosk,\"{notes}\"\n");
            let import = upload(&visitor, &account, &csv);
            let row = format!("{import}/rows/1");
            let page = visitor.get(&row).expect_page(200, "<textarea id=\"cell-4\"");
            assert!(!page.text().contains("The file says"), "{}", page.text());
            // As a browser sends it.
            let save = |amount: &str, notes: &str| {
                let columns = ["1", "2", "3", "4"].map(|column| ("cell_column", column));
                let texts = ["2024-01-02", amount, "Kiosk", notes].map(|text| ("cell_text", text));
                let fields: Vec<_> = columns.into_iter().chain(texts).collect();
                visitor.post(&row, &fields).expect_status(303);
                let rows = of_api(&family, &import, "/rows");
                rows["data"][0]["corrected_cells"].clone()
            };
            assert_eq!(save("-6.00", "a\r\nb"), json!({ "Amount": "-6.00" }));
            let both = json!({ "Amount": "-6.00", "Notes": "a\nc" });
            assert_eq!(save("-6.00", "a\r\nc"), both);
            visitor.get(&row).expect_page(200, "The file says");
            assert_eq!(save("-6.00", "a\r\nc"), both);
            assert_eq!(save("-5.00", "a\r\nb"), json!({}));
        }
    }

    fn a_refused_correction_shows_what_was_typed(server) {
        let (_, visitor, account) = start(&server);
        let import = upload(&visitor, &account, PLAIN);
        let long = "x".repeat(100_000);
        let fields = [("cell_column", "2"), ("cell_text", &*long)];
        let page = visitor.post(&format!("{import}/rows/1"), &fields);
        let text = page.expect_page(422, &long).text();
        assert!(text.contains("<p>Longer than 20000 characters in all.</p>"), "{text}");
    }

    fn columns_called_by_numbers_are_distinguished(server) {
        let (family, visitor, account) = start(&server);
        let csv = "Date,Amount,Name,2\n2024-01-02,-5.00,Kiosk,note\n";
        let import = upload(&visitor, &account, csv);
        let fields = [("cell_column", "2"), ("cell_text", "-6.00")];
        visitor.post(&format!("{import}/rows/1"), &fields).expect_status(303);
        let rows = of_api(&family, &import, "/rows");
        assert_eq!(rows["data"][0]["corrected_cells"], json!({ "Amount": "-6.00" }));
    }

    fn files_that_came_at_once_have_one_summary(server) {
        let (family, visitor, account) = start(&server);
        let later = "Date,Description,Amount\n2024-01-03,Tram,-2.50\n2024-01-04,Inn,-9.00\n";
        let files = [PLAIN, later, FAULTY].map(|csv| upload(&visitor, &account, csv));
        let ids = files.clone().map(|import| import.rsplit('/').next().unwrap().to_owned());
        let (ids, several) = (ids.join(","), "/imports/several");
        let summary = format!("{several}?ids={ids}");
        let page = visitor.get(&summary).expect_page(200, "3 files · 6 rows");
        assert!(page.text().contains("2 ready · 1 needs your decision"), "{}", page.text());
        assert!(page.text().contains("Import the 2 files that are ready"), "{}", page.text());
        assert!(page.text().contains("1 row of 2 can&#39;t be imported"), "{}", page.text());
        visitor.post(several, &[("ids", &*ids)]).expect_redirect(&summary);
        until("both to be imported", || {
            let status = |import: &str| of_api(&family, import, "")["data"]["status"].clone();
            let statuses = files.each_ref().map(|import| status(import));
            (statuses == ["complete", "complete", "pending"]).then_some(())
        });
        // The row that both files have comes once.
        let page = visitor.get(&summary).expect_page(200, "1 row imported");
        assert!(page.text().contains("2 rows imported"), "{}", page.text());
        let found = family.api.get("/api/v1/transactions").expect_status(200).json();
        assert_eq!(found["pagination"]["total_count"], 3, "{found}");
        // Nobody sees those of another family, and what was thrown away isn't missed.
        let other = server.signed_in(&server.family());
        other.get(&summary).expect_page(404, "Import not found");
        other.post(several, &[("ids", &*ids)]).expect_redirect(&summary);
        assert_eq!(of_api(&family, &files[2], "")["data"]["status"], "pending");
        visitor.post(&format!("{}/delete", files[2]), &[]).expect_status(303);
        visitor.get(&summary).expect_page(200, "2 files · 4 rows");
        for nonsense in ["", "?ids=", "?ids=x"] {
            visitor.get(&format!("{several}{nonsense}")).expect_page(404, "Import not found");
        }
    }

    fn a_file_without_an_account_asks_for_one(server) {
        let (_, visitor, _) = start(&server);
        let import = upload(&visitor, "", PLAIN);
        let mapping = format!("{import}/mapping");
        visitor.get(&import).expect_redirect(&mapping);
        let page = visitor.get(&mapping).expect_page(200, "<option value=\"\">choose…</option>");
        assert!(!page.text().contains("what the file says"));
        // The page of the rows shows where to choose.
        let page = visitor.get(&format!("{import}?show=all")).expect_page(200, "Choose the account");
        let text = page.text();
        assert!(text.contains(&format!("href=\"{mapping}#account_id\"")), "{text}");
        assert!(text.contains("disabled>Import</button>"), "{text}");
        assert!(!text.contains("nothing is new"), "{text}");
        let go_on = |fields: &[(&str, &str)]| {
            let next = [("next", "1")];
            visitor.post(&mapping, &[fields, next.as_slice()].concat())
        };
        go_on(&[("account_id", "")]).expect_page(200, "Choose the account that the rows go to.");
        let unnamed = [("account_id", "create"), ("account_new", " ")];
        let page = go_on(&unnamed).expect_page(200, "Give the new account a name.");
        assert!(page.text().contains("<option value=\"create\" selected>"), "{}", page.text());
        let page = go_on(&[("account_id", "x")]);
        page.expect_page(200, "Choose an account of the list.");
        let named = [("account_id", "create"), ("account_new", "Wallet")];
        go_on(&named).expect_redirect(&import);
        visitor.get(&import).expect_page(200, "Import 2 transactions");
        // A choice without its name changes nothing of an earlier one.
        go_on(&unnamed).expect_page(200, "Give the new account a name.");
        visitor.get(&import).expect_page(200, "Import 2 transactions");
    }

    fn a_refused_upload_keeps_the_account_and_is_for_people(server) {
        let (_, visitor, account) = start(&server);
        visitor.get("/imports/new").expect_page(200, "up to 10 MiB");
        let other = server.family().account("Other", "depository");
        let chosen = format!("value=\"{account}\" selected");
        let twice = Multipart::new()
            .text("account_id", &account)
            .file("file", "a.csv", "text/csv", PLAIN.as_bytes())
            .file("file", "b.csv", "text/csv", PLAIN.as_bytes());
        let large = format!("{PLAIN}{}", " ".repeat(10 * 1024 * 1024));
        let fields = [("account_id", &*account)];
        for (answer, problem) in [
            (visitor.post_form("/imports/new", twice), "One file at a time."),
            (send(&visitor, &fields, &large), "The file is larger than 10 MiB."),
            (send(&visitor, &fields, " "), "Choose a file that is not empty."),
        ] {
            let page = answer.expect_page(422, problem);
            assert!(page.text().contains(&chosen), "{problem}: {}", page.text());
        }
        for unknown in ["x", &other] {
            let answer = send(&visitor, &[("account_id", unknown)], PLAIN);
            answer.expect_page(422, "Choose an account of the list.");
        }
        visitor.get("/imports").expect_page(200, "Bring a file from your bank");
    }

    fn nothing_is_published_before_it_was_looked_at(server) {
        let (family, visitor, account) = start(&server);
        let answer = send(&visitor, &[("account_id", &account), ("publish", "true")], PLAIN);
        let import = answer.expect_status(303).header("Location").unwrap().to_owned();
        assert_eq!(of_api(&family, &import, "")["data"]["status"], "pending");
        visitor.get(&import).expect_page(200, "Import 2 transactions");
    }

    fn addresses_that_are_only_written_to_lead_to_the_import(server) {
        let (family, visitor, account) = start(&server);
        let import = upload(&visitor, &account, FAULTY);
        for below in ["/publish", "/skip", "/delete"] {
            visitor.get(&format!("{import}{below}")).expect_redirect(&import);
        }
        visitor.get("/imports/nonsense/publish").expect_page(404, "Import not found");
        // What is refused while it is looked at again isn't sent again by the page.
        family.import(&account, PLAIN);
        let page = visitor.post(&format!("{import}/publish"), &[]).expect_page(422, "1 row of 2");
        let reload = format!("data-reload=\"{import}?show=all&#38;page=1\"");
        assert!(page.text().contains(&reload), "{}", page.text());
    }

    fn whoever_changes_a_row_comes_back_to_where_they_were(server) {
        let (_, visitor, account) = start(&server);
        let import = upload(&visitor, &account, PLAIN);
        let row = format!("{import}/rows/1");
        let address = |show: &str, page: &str| {
            let fields = [("choice", "leave_out"), ("show", show), ("page", page)];
            visitor.post(&row, &fields).expect_status(303).header("Location").unwrap().to_owned()
        };
        assert_eq!(address("new", "2"), format!("{import}?show=new&page=2#row-1"));
        assert_eq!(address("x\r\ny", "1\r\n"), format!("{import}?show=all&page=1#row-1"));
        let page = visitor.get(&format!("{row}?show=%0d%0a&page=x&back=%0d%0a"));
        page.expect_page(200, &format!("href=\"{import}?show=all&#38;page=1\""));
    }

    fn a_direction_is_answered_once(server) {
        let (family, visitor, account) = start(&server);
        let csv = "Date,Name,Amount,Balance\n2026-01-01,A,10.00,90.00\n\
                   2026-01-02,B,50.00,140.00\n2026-01-03,C,20.00,120.00\n";
        let import = upload(&visitor, &account, csv);
        let row = format!("{import}/rows/1");
        let asked = "Is this money out or money in?";
        visitor.get(&format!("{import}?show=all")).expect_page(200, asked);
        visitor.post(&row, &[("direction", "sideways")]).expect_page(422, "That is no direction");
        // Where cells are corrected the answers stand, too; beside the settings there are none.
        let shown = "2 2026-01-01 · A · 10.00 · 90.00";
        let seen = format!("name=\"seen\" value=\"{shown}\"");
        for part in [&*seen, "value=\"out\">Money out<", "value=\"in\">Money in<"] {
            visitor.get(&row).expect_page(200, part);
        }
        visitor.get(&format!("{import}?show=all")).expect_page(200, &seen);
        let settings = visitor.get(&format!("{import}/mapping")).expect_page(200, "-12.50 for money out");
        assert!(!settings.text().contains(asked), "{}", settings.text());
        // An answer to what is no longer there.
        let outdated = [("direction", "in"), ("seen", "2 2026-01-01 · A · 11.00 · 90.00")];
        for fields in [&outdated[..], &outdated[..1]] {
            visitor.post(&row, fields).expect_page(422, "This row has changed meanwhile");
        }
        assert_eq!(of_api(&family, &import, "/rows")["data"][0]["corrected_cells"], json!({}));
        // Pressed twice, or another answer from a page that is out of date: the first one counts.
        for (direction, is_known) in [("out", false), ("out", false), ("in", true)] {
            let fields = [("direction", direction), ("show", "all"), ("seen", shown)];
            let answer = visitor.post(&row, &fields).expect_status(303);
            let place = answer.header("Location").unwrap().to_owned();
            assert_eq!(place.contains("done=direction-known"), is_known, "{place}");
            let shown = of_api(&family, &import, "/rows")["data"][0].clone();
            assert_eq!(shown["fields"]["amount_decimal"], "10.00", "{shown}");
        }
        assert!(!visitor.get(&format!("{import}?show=all")).text().contains(asked));
        // A row that its balance shows isn't asked for.
        visitor.post(&format!("{import}/rows/2"), &[("direction", "out")]).expect_status(303);
        assert_eq!(of_api(&family, &import, "/rows")["data"][1]["corrected_cells"], json!({}));
    }

    fn rows_show_what_can_be_done_about_them(server) {
        let (family, visitor, account) = start(&server);
        let import = upload(&visitor, &account, FAULTY);
        let text = visitor.get(&import).expect_page(200, "1 row of 2 can&#39;t be imported.").text();
        for part in [
            "Correct it below, or <button class=\"quiet\" type=\"submit\">leave it out</button>",
            "<small>2024-02-02 · ten · Wrong</small>",
            "aria-label=\"Leave out: Fine of 1 Feb 2024\"",
            "aria-label=\"Correct: line 3\"",
        ] {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
        assert!(!text.contains('\u{2019}'), "{text}");
        let skip = [("skip_invalid", "true"), ("show", "invalid"), ("page", "1")];
        let back = format!("{import}?show=invalid&page=1");
        visitor.post(&format!("{import}/skip"), &skip).expect_redirect(&back);
        // Nothing is new in a file that came before.
        family.import(&account, PLAIN);
        let again = upload(&visitor, &account, PLAIN);
        let page = visitor.get(&again).expect_page(200, "All 2 rows are there already.");
        assert!(!page.text().contains("Nothing is a transaction yet"));
    }

    fn an_undo_shows_whole_names_of_categories_and_days_for_people(server) {
        let (_, visitor, account) = start(&server);
        let csv = "Date,Amount,Name,Category\n2024-01-02,-5.00,Inn,Food: Bars\n";
        let import = upload(&visitor, &account, csv);
        visitor.get(&import).expect_page(200, "Import 1 transaction");
        visitor.post(&format!("{import}/publish"), &[]).expect_redirect(&import);
        let undo = format!("{import}/undo");
        until("the undo to be offered", || {
            let page = visitor.get(&undo);
            (page.status == 200).then_some(page)
        })
        .expect_page(200, "The category “Food: Bars” goes");
        let again = upload(&visitor, &account, csv);
        let page = visitor.get(&again).expect_page(200, "&#34;Inn&#34; of 2 Jan 2024");
        assert!(!page.text().contains("2024-01-02"), "{}", page.text());
    }
}
