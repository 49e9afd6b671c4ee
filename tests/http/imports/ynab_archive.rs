//! `YnabImport` of the archive that YNAB gives: the register, and the plan, which becomes budgets.

use purser_formats::archive::writer::ArchiveWriter;
use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{IMPORTS, all, both_whole, path, text, transactions};
use crate::support::{Answer, Client, Multipart, Sql};

const REGISTER: &str = "\"Account\",\"Flag\",\"Date\",\"Payee\",\"Category Group/Category\",\
     \"Category Group\",\"Category\",\"Memo\",\"Outflow\",\"Inflow\",\"Cleared\"\n\
     Giro,,13/02/2026,Bakery,Food: Bread,Food,Bread,,\"3,50 €\",\"0,00 €\",Cleared\n";
const PLAN: &str = "\"Month\",\"Category Group/Category\",\"Category Group\",\"Category\",\
     \"Assigned\",\"Activity\",\"Available\"\n\
     \"Feb 2026\",\"Food: Bread\",\"Food\",\"Bread\",\"1.050,00 €\",\"-3,50 €\",\"0,00 €\"\n\
     \"Feb 2026\",\"Fun: Books\",\"Fun\",\"Books\",\"20,00 €\",\"0,00 €\",\"0,00 €\"\n\
     \"Mar 2026\",\"Food: Bread\",\"Food\",\"Bread\",\"60,00 €\",\"0,00 €\",\"0,00 €\"\n\
     \"Mar 2026\",\"Fun: Books\",\"Fun\",\"Books\",\"0,00 €\",\"0,00 €\",\"0,00 €\"\n";

fn zip(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Vec::new());
    for (name, content) in parts {
        archive.part(name, |part| part.write_all(content.as_bytes())).unwrap();
    }
    archive.finish().unwrap()
}

#[track_caller]
fn send(api: &Client, import_type: &str, archive: &[u8]) -> Answer {
    let form = Multipart::new().text("type", import_type);
    api.post_form(IMPORTS, &form.file("file", "export.zip", "application/zip", archive))
}

fn budgets(api: &Client) -> Vec<String> {
    let mut shown = Vec::new();
    for budget in all(api, "/api/v1/budgets", "budgets") {
        let one = api.get(&format!("/api/v1/budgets/{}", text(&budget["id"]))).expect_status(200);
        let one = one.json();
        for line in one["budget_categories"].as_array().expect("lines") {
            shown.push(format!(
                "{} {} {}",
                text(&one["start_date"]),
                text(&line["category"]["name"]),
                text(&line["budgeted_spending"])
            ));
        }
    }
    shown.sort();
    shown
}

both_whole! {
    fn an_archive_is_imported_with_its_budgets_and_taken_back(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        sql.run("UPDATE families SET transfer_matching = 'off', currency = 'EUR'");
        let before = State::read(&sql, &family);
        let archive = zip(&[("B - Plan.csv", PLAN), ("B - Register.csv", REGISTER)]);
        let import = send(&family.api, "YnabImport", &archive).expect_status(201);
        let import = import.json()["data"].clone();
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["create_count"], 4, "{done}");
        assert_eq!(transactions(&family), ["2026-02-13 -3.50 EUR Bakery #Bread [Cleared] @Giro"]);
        assert_eq!(budgets(&family.api), [
            "2026-02-01 Books €20.00",
            "2026-02-01 Bread €1,050.00",
            "2026-03-01 Bread €60.00",
        ]);
        let again = send(&family.api, "YnabImport", &archive).expect_status(201);
        let again = publish_again(&family.api, &again.json()["data"]);
        assert_eq!(again["plan"]["create_count"], 0, "twice is once: {again}");
        undo(&family.api, &again);
        family.api.delete(&path(&again, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
        publish_again(&family.api, &import);
        assert_eq!(budgets(&family.api).len(), 3);
    }

    fn categories_of_one_name_have_one_budget(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET currency = 'EUR'");
        let twice = PLAN.replace("Fun: Books", "Food: Bread").replace("\"Fun\",\"Books\"", "\"Food\",\"bread\"");
        let archive = zip(&[("B - Plan.csv", &twice), ("B - Register.csv", REGISTER)]);
        let import = send(&family.api, "YnabImport", &archive).expect_status(201);
        publish_again(&family.api, &import.json()["data"]);
        let expected = ["2026-02-01 Bread €1,070.00", "2026-03-01 Bread €60.00"];
        assert_eq!(budgets(&family.api), expected);
        let again = send(&family.api, "YnabImport", &archive).expect_status(201);
        let again = publish_again(&family.api, &again.json()["data"]);
        assert_eq!(again["plan"]["create_count"], 0, "{again}");
    }

    fn a_row_of_the_plan_that_comes_twice_is_not_added_up(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET currency = 'EUR'");
        let row = "\"Mar 2026\",\"Food: Bread\",\"Food\",\"Bread\",\"60,00 €\",\"0,00 €\",\"0,00 €\"\n";
        assert!(PLAN.contains(row));
        let send_plan = |plan: &str| {
            let archive = zip(&[("B - Plan.csv", plan), ("B - Register.csv", REGISTER)]);
            send(&family.api, "YnabImport", &archive).expect_status(201).json()["data"].clone()
        };
        let last_two = |import: &Value| {
            let listed = all(&family.api, &path(import, "/rows"), "data");
            let shown = listed.iter().map(|row| text(&row["verdict"]).to_owned());
            shown.skip(3).collect::<Vec<_>>()
        };
        // One that differs, alone or beside one below zero, is a question.
        let other = row.replace("60,00", "70,00");
        assert_eq!(last_two(&send_plan(&format!("{PLAN}{other}"))), ["create", "needs_choice"]);
        let below = row.replace("60,00", "-30,00").replace("Bread", "bread");
        let import = send_plan(&format!("{PLAN}{other}{below}"));
        assert_eq!(last_two(&import)[1], "needs_choice", "{import}");
        // The same amount alone may be that of a second category of the name.
        let import = send_plan(&format!("{PLAN}{row}"));
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let last = listed.last().unwrap();
        assert_eq!(last["valid"], false, "{last}");
        assert!(text(&last["errors"][0]).contains("twice in the month"), "{last}");
        // Exports that were put together have every row of the month again, and as often.
        let rows = PLAN.split_once("\n").unwrap().1;
        let import = send_plan(&format!("{PLAN}{row}{rows}{row}"));
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let import = send_plan(&format!("{PLAN}{rows}"));
        publish_again(&family.api, &import);
        assert!(budgets(&family.api).contains(&"2026-03-01 Bread €60.00".to_owned()));
    }

    fn a_budget_that_is_there_takes_no_other_currency(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off'");
        let month = json!({ "budget": { "month": "2026-02", "currency": "USD" } });
        family.api.post("/api/v1/budgets", &month).expect_status(201);
        let archive = zip(&[("B - Plan.csv", PLAN), ("B - Register.csv", REGISTER)]);
        let import = send(&family.api, "YnabImport", &archive).expect_status(201);
        let import = import.json()["data"].clone();
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let shown: Vec<&str> = listed.iter().map(|row| text(&row["verdict"])).collect();
        assert_eq!(shown, ["create", "needs_choice", "needs_choice", "create"]);
        let reason = text(&listed[1]["reason"]);
        assert!(reason.contains("another currency"), "{reason}");
    }

    fn amounts_of_one_month_are_in_one_currency(server) {
        let family = server.family();
        let plan = PLAN.replace("20,00 €", "20,00 CHF");
        let archive = zip(&[("B - Plan.csv", &plan), ("B - Register.csv", REGISTER)]);
        let import = send(&family.api, "YnabImport", &archive).expect_status(201);
        let listed = all(&family.api, &path(&import.json()["data"], "/rows"), "data");
        let shown: Vec<&str> = listed.iter().map(|row| text(&row["verdict"])).collect();
        assert_eq!(shown, ["create", "create", "needs_choice", "create"]);
    }

    fn budgets_are_not_for_imports_into_one_account(server) {
        let family = server.family();
        let account = family.account_with(json!({
            "name": "Main", "account_type": "depository", "currency": "EUR",
        }));
        let below = "\"Mar 2026\",\"Fun: Games\",\"Fun\",\"Games\",\"-1,00 €\",\"0,00 €\",\
                     \"0,00 €\"\n";
        let plan = format!("{PLAN}{below}");
        let archive = zip(&[("B - Plan.csv", &plan), ("B - Register.csv", REGISTER)]);
        let form = Multipart::new().text("type", "YnabImport").text("account_id", &account);
        let form = form.file("file", "export.zip", "application/zip", &archive);
        let import = family.api.post_form(IMPORTS, &form).expect_status(201);
        let import: Value = publish_again(&family.api, &import.json()["data"]);
        assert_eq!(import["plan"]["create_count"], 1, "{import}");
        assert!(budgets(&family.api).is_empty());
    }

    fn an_archive_that_inflates_to_too_much_is_refused(server) {
        let family = server.family();
        let mut archive = ArchiveWriter::new(Vec::new());
        let lines = vec![b'\n'; 1024 * 1024];
        let written = archive.part("B - Register.csv", |part| {
            part.write_all(REGISTER.as_bytes())?;
            (0..=64).try_for_each(|_| part.write_all(&lines))
        });
        written.unwrap();
        let bomb = archive.finish().unwrap();
        let refused = send(&family.api, "YnabImport", &bomb);
        let refused = refused.expect_error(422, "invalid_file_type");
        assert!(text(&refused["message"]).contains("larger than is read"), "{refused}");
        assert!(all(&family.api, IMPORTS, "data").is_empty(), "nothing is stored");
    }

    fn archives_that_hold_something_else_are_refused(server) {
        let family = server.family();
        for (import_type, archive, why) in [
            ("YnabImport", zip(&[("a.csv", "a,b\n1,2\n")]), "no export of YNAB"),
            ("YnabImport", zip(&[("../a.csv", REGISTER)]), "leads out of its folder"),
            ("TransactionImport", zip(&[("a.csv", REGISTER)]), "send it as YnabImport"),
            ("YnabImport", b"PK\x03\x04 and no more".to_vec(), "no ZIP archive"),
        ] {
            let refused = send(&family.api, import_type, &archive);
            let refused = refused.expect_error(422, "invalid_file_type");
            assert!(text(&refused["message"]).contains(why), "{why}: {refused}");
        }
        let imports = all(&family.api, IMPORTS, "data");
        assert!(imports.is_empty(), "nothing is stored: {imports:?}");
    }
}
