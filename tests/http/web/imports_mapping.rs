//! How a file is read, as a form sends it: choices for its names and for the account of its rows,
//! and problems, in words of the pages instead of names of the interface.

use serde_json::{Value, json};

use super::Visitor;
use crate::both;
use crate::support::{Answer, Family, Multipart, Server};

const PLAIN: &str = "Date,Description,Amount\n2024-01-02,Kiosk,-5.00\n2024-01-03,Tram,-2.50\n";

/// A family, somebody of it, and the address of an import of one file.
fn start(server: &Server, account: &str, content: &str) -> (Family, Visitor, String) {
    let family = server.family();
    let visitor = server.signed_in(&family);
    let account = match account {
        "" => String::new(),
        name => family.account(name, "depository"),
    };
    let answer = upload(&visitor, &account, content).expect_status(303);
    let import = answer.header("Location").unwrap().to_owned();
    (family, visitor, import)
}

/// Sends a file as the form does.
fn upload(visitor: &Visitor, account: &str, content: &str) -> Answer {
    let form = Multipart::new().text("account_id", account);
    visitor.post_form("/imports/new", form.file("file", "a.csv", "text/csv", content.as_bytes()))
}

fn of_api(family: &Family, import: &str) -> Value {
    family.api.get(&format!("/api/v1{import}")).expect_status(200).json()["data"].clone()
}

/// What a page may have at most.
const PAGE_BYTES_MAX: usize = 300_000;

/// A file that names many categories, `Food` in the most rows.
fn with_categories(count: usize) -> String {
    let row = |name: &str| format!("2024-01-02,-5.00,Kiosk,{name}\n");
    let many: String = (1..count).map(|n| row(&format!("Something to map {n}"))).collect();
    format!("Date,Amount,Name,Category\n{}{}{many}", row("Food"), row("Food"))
}

/// Makes categories with names of a usual length.
fn add_categories(family: &Family, numbers: std::ops::Range<usize>) {
    let rows: String = numbers.map(|n| format!("Category {n} of the household budget\n")).collect();
    let many = json!({
        "type": "CategoryImport", "raw_file_content": format!("Name\n{rows}"), "publish": "true",
    });
    let many = family.api.post("/api/v1/imports", &many).expect_status(201);
    family.api.wait_for_import(&many.id());
}

both! {
    fn a_family_with_very_many_categories_types_the_name(server) {
        let (family, visitor, import) = start(&server, "Main", &with_categories(100));
        add_categories(&family, 0..10_000);
        let page = visitor.get(&format!("{import}/mapping")).expect_status(200).text();
        assert!(page.contains("name_value\" value=\"Food\""), "the first of many names");
        assert!(page.len() < PAGE_BYTES_MAX, "{}", page.len());
        assert!(page.contains("the one with the name, else a new one"), "{page}");
        assert!(!page.contains(">Category 7 of the household budget</option>"), "none is listed");
        let choose = |new: &str| {
            let name = [("name_kind", "category"), ("name_value", "Food")];
            let pick = [("name_pick", "create"), ("name_new", new)];
            visitor.post(&format!("{import}/mapping"), &[name, pick].concat()).expect_status(200);
            of_api(&family, &format!("{import}/rows"))[0]["mappings"]["category"].clone()
        };
        let listed = family.api.get("/api/v1/categories?per_page=100").expect_status(200).json();
        let listed = listed["categories"].as_array().unwrap();
        let seventh = listed.iter().find(|one| one["name"] == "Category 0 of the household budget").unwrap();
        assert_eq!(choose("category 0 of the household budget")["id"], seventh["id"]);
        let chosen = choose("Eating out");
        assert!(chosen["id"].is_null(), "{chosen}");
    }

    fn pages_name_the_columns_that_are_not_used(server) {
        let file = "Date,Description,Amount,Branch,Teller\n2024-01-02,Kiosk,-5.00,12,A\n";
        let (_, visitor, import) = start(&server, "Main", file);
        let page = |path: &str| visitor.get(&format!("{import}{path}")).expect_status(200).text();
        let shown = page("/mapping").replace("&#34;", "\"").replace("&quot;", "\"");
        assert!(shown.contains("Not used: \"Branch\", \"Teller\"."), "{shown}");
        let shown = page("?show=all").replace("&#34;", "\"").replace("&quot;", "\"");
        assert!(shown.contains("Columns that are not used: \"Branch\", \"Teller\"."), "{shown}");
    }

    fn many_names_with_many_choices_make_no_large_page(server) {
        let (family, visitor, import) = start(&server, "Main", &with_categories(100));
        add_categories(&family, 0..100);
        let mapping = || visitor.get(&format!("{import}/mapping")).expect_status(200).text();
        let page = mapping();
        assert!(page.len() < PAGE_BYTES_MAX, "{}", page.len());
        // They are proposed once while a name is typed.
        assert_eq!(page.matches("value=\"Category 7 ").count(), 1, "{page}");
        assert!(page.contains("list=\"known-Categories\""), "{page}");
        let (_, visitor, import) = start(&server, "Main", &with_categories(3));
        let page = visitor.get(&format!("{import}/mapping")).expect_status(200).text();
        assert!(!page.contains("datalist"), "{page}");
    }

    fn what_can_t_be_read_can_be_thrown_away(server) {
        let nothing_known = "Foo,Bar\na,b\nc,d\n";
        let (family, visitor, import) = start(&server, "Main", nothing_known);
        let page = visitor.get(&format!("{import}/mapping")).expect_status(200).text();
        assert!(page.contains(&format!("action=\"{import}/delete\"")), "{page}");
        let done = visitor.post(&format!("{import}/delete"), &[]).expect_status(303);
        visitor.get(done.header("Location").unwrap()).expect_page(200, "The import is gone.");
        family.api.get(&format!("/api/v1{import}")).expect_status(404);
    }

    fn names_with_line_breaks_are_chosen_for(server) {
        for breaks in ["a\nb", "a\r\nb"] {
            let csv = format!("Date,Amount,Name,Category\n2024-01-02,-5.00,Kiosk,\"{breaks}\"\n");
            let (family, visitor, import) = start(&server, "Main", &csv);
            let account = of_api(&family, &import)["account_id"].as_str().unwrap().to_owned();
            family.import(
                &account,
                "Date,Amount,Name,Category\n2024-02-02,-7.00,Inn,Meals\n",
            );
            let listed = family.api.get("/api/v1/transactions").expect_status(200).json();
            let meals = listed["transactions"][0]["category"]["id"].as_str().unwrap().to_owned();
            // As a browser sends it.
            let choose = |pick: &str, new: &str| {
                let name = [("name_kind", "category"), ("name_value", "a\r\nb")];
                let choice = [("name_pick", pick), ("name_new", new)];
                let answer = visitor.post(&format!("{import}/mapping"), &[name, choice].concat());
                let page = answer.expect_status(200).text();
                let row = of_api(&family, &format!("{import}/rows"))[0].clone();
                assert_eq!(row["mappings"]["category"]["key"], breaks);
                (page, row["mappings"]["category"]["id"].clone())
            };
            let (page, id) = choose(&meals, "");
            assert_eq!(id, *meals, "{page}");
            assert!(page.contains(&format!("<option value=\"{meals}\" selected>")), "{page}");
            let (page, id) = choose("create", "Eating out");
            assert_eq!(id, Value::Null, "{page}");
            assert!(page.contains("<option value=\"create\" selected>a new one<"), "{page}");
            assert!(page.contains("value=\"Eating out\""), "{page}");
            let (page, _) = choose("", "");
            assert!(!page.contains("value=\"Eating out\""), "{page}");
        }
    }

    fn types_of_accounts_and_the_sign_of_debts_are_chosen(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let csv = "Name,Type,Balance,Day\nCard,credit card,-5.00,2024-01-31\nBoat,Zzz,9.00,\n";
        let fields = json!({
            "type": "AccountImport", "raw_file_content": csv, "date_col_label": "Day",
        });
        let made = family.api.post("/api/v1/imports", &fields).expect_status(201);
        let import = format!("/imports/{}", made.id());
        let mapping = format!("{import}/mapping");
        let page = visitor.get(&mapping).expect_status(200).text();
        for expected in ["is no known type of accounts", "name=\"debt_sign\"", "credit card</option>"] {
            assert!(page.contains(expected), "{expected} in {page}");
        }
        let name = [("name_kind", "account_type"), ("name_value", "Zzz")];
        let pick = [("name_pick", "vehicle"), ("name_new", "")];
        let page = visitor.post(&mapping, &[name, pick].concat()).expect_status(200).text();
        assert!(page.contains("<option value=\"vehicle\" selected>"), "{page}");
        visitor.post(&mapping, &[("debt_sign", "negative")]).expect_status(200);
        visitor.get(&import).expect_page(200, "Import 2 accounts");
        let rows = of_api(&family, &format!("{import}/rows"));
        let expected = "A new credit card with a debt of 5.00 USD on 2024-01-31";
        assert_eq!(rows[0]["reason"], expected);
        assert_eq!(rows[1]["mappings"]["account_type"]["value"], "vehicle");
    }

    fn an_unnamed_account_leaves_the_account_as_it_was(server) {
        let (family, visitor, import) = start(&server, "Main", PLAIN);
        let mapping = format!("{import}/mapping");
        let before = of_api(&family, &import)["account_id"].clone();
        assert!(before.is_string(), "{before}");
        let choose = |name: &str, sign: &str| {
            let account = [("account_id", "create"), ("account_new", name)];
            let fields = [account, [("signage_convention", sign), ("next", "1")]].concat();
            visitor.post(&mapping, &fields)
        };
        // From a page on which no account was chosen yet.
        let page = choose(" ", "inflows_negative").expect_page(200, "Give the new account a name.");
        let text = page.text();
        assert!(text.contains("<option value=\"create\" selected>"), "{text}");
        assert!(text.contains("id=\"account_new\""), "{text}");
        let after = of_api(&family, &import);
        assert_eq!(after["account_id"], before);
        assert!(after.to_string().contains("inflows_negative"), "{after}");
        choose("Wallet", "").expect_redirect(&import);
        visitor.get(&import).expect_page(200, "Import 2 transactions");
        assert_eq!(of_api(&family, &import)["account_id"], Value::Null);
    }

    fn problems_are_shown_without_names_of_the_interface(server) {
        let csv = "Date,Amount,Name,Category\n2024-01-02,-5.00,Kiosk,Food\n";
        let (_, visitor, import) = start(&server, "Main", csv);
        let other = server.family().account("Other", "depository");
        for unknown in ["x", &other] {
            let page = upload(&visitor, unknown, PLAIN);
            page.expect_page(422, "<p>Choose an account of the list.</p>");
            let page = visitor.post(&format!("{import}/mapping"), &[("account_id", unknown)]);
            page.expect_page(200, "<p>Choose an account of the list.</p>");
        }
        let file = |form: Multipart| form.file("file", "a.csv", "text/csv", PLAIN.as_bytes());
        let page = visitor.post_form("/imports/new", file(file(Multipart::new())));
        page.expect_page(422, "<p>One file at a time.</p>");
        let long = "x".repeat(201);
        let name = [("name_kind", "category"), ("name_value", "Food")];
        let choice = [("name_pick", "create"), ("name_new", &*long)];
        let page = visitor.post(&format!("{import}/mapping"), &[name, choice].concat());
        page.expect_page(200, "<p>The name is longer than 200 characters.</p>");
        // Other problems are shown together with it.
        let unnamed = [("account_id", "create"), ("account_new", "")];
        let page = visitor.post(&format!("{import}/mapping"), &[unnamed, name, choice].concat());
        let text = page.expect_page(200, "<p>Give the new account a name.</p>").text();
        assert!(text.contains("<p>The name is longer than 200 characters.</p>"), "{text}");
    }

    fn a_file_that_cannot_be_read_shows_why_at_its_controls(server) {
        let ambiguous = "Date,Amount (EUR),Amount (USD)\n03/04/2024,-5.00,-6.00\n";
        let (family, visitor, import) = start(&server, "Main", ambiguous);
        let mapping = format!("{import}/mapping");
        let at = |control: &str, text: &str| format!("id=\"{control}-problem\">{text}");
        let columns = at("amount_col_label", "The amount may be in ");
        let text = visitor.get(&mapping).expect_page(200, &columns).text();
        assert!(!text.contains("id=\"problems\""), "{text}");
        let dates = at("date_format", "31/12/2024 and 12/31/2024 fit equally well (for example ");
        let amount = ("amount_col_label", "Amount (USD)");
        let text = visitor.post(&mapping, &[amount]).expect_page(200, &dates).text();
        assert!(!text.contains(&columns) && !text.contains("id=\"more\" open"), "{text}");
        let problems = of_api(&family, &import)["source"]["problems"].clone();
        assert_eq!(
            problems[0],
            "The date format is ambiguous: %d/%m/%Y and %m/%d/%Y fit equally well (for example \
             \"03/04/2024\")"
        );
        let above = at("rows_to_skip", "The file has no line after these.");
        let text = visitor.post(&mapping, &[("rows_to_skip", "9")]).expect_page(200, &above).text();
        assert!(text.contains("id=\"more\" open"), "{text}");
        let format = [("rows_to_skip", ""), ("date_format", "%d/%m/%Y")];
        let text = visitor.post(&mapping, &format).expect_page(200, "1 row can be read.").text();
        assert!(!text.contains("-problem\">"), "{text}");
        // What no control decides is at the top.
        let (_, visitor, import) = start(&server, "Main", "Date,Amount\n");
        let top = "<p>The file has a header, but no rows.</p>";
        visitor.get(&format!("{import}/mapping")).expect_page(200, top);
    }

    fn columns_without_a_header_are_shown_with_their_cells(server) {
        let csv = "2024-01-03;2024-01-02;-5.00;Kiosk\n2024-01-04;2024-01-04;-7.00;Tram\n\
                   2024-01-05;2024-01-03;-9.00;Tram\n";
        let (family, visitor, import) = start(&server, "Main", csv);
        let mapping = format!("{import}/mapping");
        let asked = "id=\"date_col_label-problem\">The date may be in Column 1 (for example ";
        let text = visitor.get(&mapping).expect_page(200, asked).text();
        for shown in [
            "Column 1 is likely.</p>",
            "<th scope=\"col\">Column 1</th>",
            "<option value=\"#2\">Column 2 · 2024-01-02 · 2024-01-04</option>",
            "<option value=\"#4\">Column 4 · Kiosk · Tram</option>",
            ">Found: Column 3</option>",
            ">Found: is data</option>",
        ] {
            assert!(text.contains(shown), "{shown}: {text}");
        }
        let answer = [("date_col_label", "#2")];
        let text = visitor.post(&mapping, &answer).expect_page(200, "3 rows can be read.").text();
        assert!(text.contains("<option value=\"#2\" selected>"), "{text}");
        assert_eq!(of_api(&family, &import)["configuration"]["date_col_label"], "#2");
        let header = [("has_header", "true")];
        let asked = "The amount may be in -5.00 (for example ";
        visitor.post(&mapping, &header).expect_page(200, asked);
    }

    fn formats_with_a_time_are_shown_by_example(server) {
        let (family, visitor, import) = start(&server, "Main", PLAIN);
        let format = json!({ "date_format": "%Y-%m-%d %H:%M" });
        family.api.patch(&format!("/api/v1{import}"), &format).expect_status(200);
        visitor.get(&format!("{import}/mapping")).expect_page(200, "2 rows can be read.");
    }
}
