//! `/statements`: bank statements of published files, beside what the ledger has.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::{IMPORTS, both_whole, path, pdf, publish, transactions, upload};
use crate::support::{Client, Family, Multipart, Sql};

const STATEMENTS: &str = "/api/v1/statements";

/// Statements of January and March in one format: February is missing.
struct Months {
    format: &'static str,
    january: String,
    march: String,
    /// The first day without a statement, and the number of them.
    missing: (&'static str, u64),
    has_opening: bool,
}

fn months() -> [Months; 3] {
    let months = |format, make: fn(&str, [&str; 4]) -> String, missing, has_opening| Months {
        format,
        january: make("01", ["100", "10", "5.50", "95.50"]),
        march: make("03", ["120", "20", "5", "105"]),
        missing,
        has_opening,
    };
    [
        months("ofx", ofx, ("2024-02-01", 29), false),
        months("camt.053", camt, ("2024-02-01", 29), true),
        months("mt940", mt940, ("2024-02-01", 29), true),
    ]
}

fn ofx(month: &str, [_, out, back, closing]: [&str; 4]) -> String {
    format!(
        "OFXHEADER:100\nDATA:OFXSGML\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1>\
         <STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>021000021<ACCTID>98761234\
         <ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\
         <DTSTART>2024{month}01<DTEND>2024{month}31\n\
         <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>2024{month}02<TRNAMT>-{out}<FITID>{month}A<NAME>Shop\n\
         <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>2024{month}03<TRNAMT>{back}<FITID>{month}B<NAME>Friend\n\
         </BANKTRANLIST><LEDGERBAL><BALAMT>{closing}<DTASOF>2024{month}31</LEDGERBAL></STMTRS>\
         </STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
}

fn camt(month: &str, [opening, out, back, closing]: [&str; 4]) -> String {
    let balance = |kind: &str, amount: &str, day: &str| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy='USD'>{amount}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-{month}-{day}</Dt></Dt></Bal>"
        )
    };
    let entry = |amount: &str, direction: &str, day: &str, name: &str| {
        format!(
            "<Ntry><Amt Ccy='USD'>{amount}</Amt><CdtDbtInd>{direction}</CdtDbtInd>\
             <Sts>BOOK</Sts><BookgDt><Dt>2024-{month}-{day}</Dt></BookgDt>\
             <AddtlNtryInf>{name}</AddtlNtryInf></Ntry>"
        )
    };
    format!(
        "<?xml version='1.0' encoding='UTF-8'?><Document><BkToCstmrStmt><Stmt><Id>S{month}</Id>\
         <FrToDt><FrDtTm>2024-{month}-01T00:00:00</FrDtTm><ToDtTm>2024-{month}-31T23:59:59</ToDtTm>\
         </FrToDt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ownr><Nm>Ada Byron</Nm></Ownr>\
         </Acct>{}{}{}{}</Stmt></BkToCstmrStmt></Document>",
        balance("OPBD", opening, "01"),
        balance("CLBD", closing, "31"),
        entry(out, "DBIT", "02", "Shop"),
        entry(back, "CRDT", "03", "Friend"),
    )
}

fn mt940(month: &str, amounts: [&str; 4]) -> String {
    let comma = |amount: &str| match amount.contains('.') {
        true => amount.replace('.', ","),
        false => format!("{amount},"),
    };
    let [opening, out, back, closing] = amounts.map(comma);
    format!(
        ":20:1\n:25:37040044/0532013000\n:28C:{month}\n:60F:C24{month}01USD{opening}\n\
         :61:24{month}02D{out}NTRF\n:86:Shop\n:61:24{month}03C{back}NTRF\n:86:Friend\n\
         :62F:C24{month}31USD{closing}\n-\n"
    )
}

const JANUARY: [&str; 4] = ["100", "10", "5.50", "95.50"];
const CSV: &str = "Date,Name,Amount\n2024-01-02,Shop,-10.00\n2024-01-03,Friend,5.50\n";

/// An account that begins with the balance of the first statement.
fn opened(family: &Family, name: &str) -> String {
    family.account_with(json!({ "name": name, "account_type": "depository",
        "opening_balance": "100.00", "opening_date": "2023-12-31" }))
}

#[track_caller]
fn listed(api: &Client, query: &str) -> Vec<Value> {
    let list = api.get(&format!("{STATEMENTS}{query}")).expect_status(200).json();
    let statements = list["statements"].as_array().unwrap().clone();
    assert_eq!(list["pagination"]["total_count"], statements.len());
    for one in &statements {
        let path = format!("{STATEMENTS}/{}", one["id"].as_str().unwrap());
        assert_eq!(api.get(&path).expect_status(200).json(), *one);
    }
    statements
}

#[track_caller]
fn of_account(family: &Family, account: &str) -> Vec<Value> {
    listed(&family.api, &format!("?account_id={account}"))
}

/// The difference, whether it is reconciled, and how many lines are missing.
fn standing(statement: &Value) -> (&Value, bool, u64) {
    let difference = &statement["difference_decimal"];
    let missing = statement["missing_lines_count"].as_u64().unwrap();
    (difference, statement["reconciled"].as_bool().unwrap(), missing)
}

both_whole! {
    fn statements_are_compared_with_the_ledger_and_gaps_are_shown(server) {
        let family = server.family();
        for Months { format, january, march, missing, has_opening } in months() {
            let account = opened(&family, format);
            let import = publish(&family.api, &january, &json!({ "account_id": account }));
            let mut fields = json!({ "account_id": account });
            if !has_opening {
                // Its closing balance doesn't follow from that of January.
                fields["balance_check"] = json!("ignore");
            }
            publish(&family.api, &march, &fields);
            let found = of_account(&family, &account);
            let [march, january] = found.as_slice() else { panic!("{found:?}") };
            assert_eq!(january["file"]["format"], format);
            assert_eq!(january["import_id"], import["id"]);
            assert_eq!(january["account"]["name"], format);
            assert_eq!(january["kind"], "bank");
            assert_eq!(january["end_date"], "2024-01-31");
            assert_eq!(january["closing_balance_decimal"], "95.50");
            assert_eq!(january["lines_count"], 2);
            assert_eq!(standing(january), (&json!("0.00"), true, 0), "{january}");
            assert_eq!(january["gap_before"], Value::Null);
            let opening = has_opening.then_some("100.00");
            assert_eq!(january["opening_balance_decimal"], json!(opening));
            // The money of February isn't there.
            assert_eq!(march["ledger_balance_decimal"], "80.50");
            assert_eq!(standing(march), (&json!("24.50"), false, 0), "{march}");
            let gap = &march["gap_before"];
            assert_eq!(gap["start_date"], missing.0, "{format}: {march}");
            assert_eq!(gap["days_count"], missing.1, "{format}: {march}");
            assert_eq!(gap["amount_decimal"], json!(has_opening.then_some("24.50")), "{march}");
        }
        let all = listed(&family.api, "?start_date=2024-03-01");
        assert_eq!(all.len(), 3);
        let of_camt = all.iter().find(|one| one["file"]["format"] == "camt.053").unwrap();
        assert_eq!(of_camt["holder"], "Ada Byron");
        assert_eq!((&of_camt["last_four"], &of_camt["identifier"]), (&json!("3000"), &json!("S03")));
        let of_ofx = all.iter().find(|one| one["file"]["format"] == "ofx").unwrap();
        assert_eq!((&of_ofx["last_four"], &of_ofx["bank"]), (&json!("1234"), &json!("021000021")));
        assert_eq!(listed(&family.api, "?end_date=2024-02-15").len(), 3);
        family.api.get(&format!("{STATEMENTS}?account_id=x")).expect_status(422);
        let other = server.family();
        assert!(listed(&other.api, "").is_empty());
        let path = format!("{STATEMENTS}/{}", of_ofx["id"].as_str().unwrap());
        other.api.get(&path).expect_error(404, "not_found");
    }

    fn a_later_change_shows_at_once(server) {
        let family = server.family();
        let account = opened(&family, "Main");
        publish(&family.api, &mt940("01", JANUARY), &json!({ "account_id": account }));
        assert_eq!(standing(&of_account(&family, &account)[0]), (&json!("0.00"), true, 0));
        let list = family.api.get("/api/v1/transactions").expect_status(200).json();
        let shop = list["transactions"].as_array().unwrap().iter().find(|one| one["name"] == "Shop");
        let path = format!("/api/v1/transactions/{}", shop.unwrap()["id"].as_str().unwrap());
        let change = |amount: &str| json!({ "transaction": { "amount": amount } });
        family.api.patch(&path, &change("12.00")).expect_status(200);
        let changed = of_account(&family, &account)[0].clone();
        assert_eq!(standing(&changed), (&json!("2.00"), false, 0), "{changed}");
        assert_eq!(changed["difference"], "$2.00");
        family.api.patch(&path, &change("10.00")).expect_status(200);
        assert_eq!(standing(&of_account(&family, &account)[0]), (&json!("0.00"), true, 0));
        family.api.delete(&path).expect_status(200);
        assert_eq!(standing(&of_account(&family, &account)[0]), (&json!("-10.00"), false, 0));
    }

    fn an_undo_takes_statements_back_and_a_publish_brings_them_again(server) {
        let family = server.family();
        let account = opened(&family, "Main");
        let import = publish(&family.api, &ofx("01", JANUARY), &json!({ "account_id": account }));
        let first = of_account(&family, &account)[0].clone();
        undo(&family.api, &import);
        assert!(of_account(&family, &account).is_empty());
        let path = format!("{STATEMENTS}/{}", first["id"].as_str().unwrap());
        family.api.get(&path).expect_error(404, "not_found");
        publish_again(&family.api, &import);
        let again = &of_account(&family, &account)[0];
        assert_eq!(again["closing_balance"], first["closing_balance"]);
        assert_eq!(standing(again), (&json!("0.00"), true, 0));
        // What the account and the import leave.
        let id = import["id"].as_str().unwrap();
        assert_eq!(listed(&family.api, &format!("?import_id={id}")).len(), 1);
        family.api.delete(&format!("/api/v1/imports/{id}")).expect_status(200);
        assert!(of_account(&family, &account).is_empty());
        let other = opened(&family, "Other");
        publish(&family.api, &camt("01", JANUARY), &json!({ "account_id": other }));
        publish(&family.api, CSV, &json!({ "account_id": other }));
        publish(&family.api, &mt940("01", JANUARY), &json!({ "account_id": other }));
        assert_eq!(of_account(&family, &other).len(), 2);
        family.api.delete(&format!("/api/v1/accounts/{other}")).expect_status(200);
        assert!(listed(&family.api, "").is_empty());
        let sql = Sql::open(&server);
        for table in ["bank_statements", "bank_statement_matches"] {
            assert_eq!(sql.query(&format!("SELECT COUNT(*) FROM {table}")), [["0"]], "{table}");
        }
    }

    fn lines_that_were_there_are_reconciled_by_the_statement(server) {
        let family = server.family();
        let account = opened(&family, "Main");
        let fields = json!({ "account_id": account });
        let table = publish(&family.api, CSV, &fields);
        assert!(listed(&family.api, "").is_empty(), "a table without balances is no statement");
        let statement = publish(&family.api, &mt940("01", JANUARY), &fields);
        assert_eq!(statement["plan"]["created_count"], 0, "{statement}");
        let found = of_account(&family, &account);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["lines_count"], 2);
        assert_eq!(standing(&found[0]), (&json!("0.00"), true, 0));
        let list = family.api.get("/api/v1/transactions").expect_status(200).json();
        let ids = list["transactions"].as_array().unwrap().iter();
        let ids: Vec<&str> = ids.map(|one| one["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), 2);
        for id in &ids {
            assert_eq!(listed(&family.api, &format!("?transaction_id={id}")), found, "{id}");
        }
        let by_hand = family.api.post("/api/v1/transactions", &json!({ "account_id": account,
            "date": "2024-01-04", "amount": "1", "name": "Kiosk" })).expect_status(201).id();
        assert!(listed(&family.api, &format!("?transaction_id={by_hand}")).is_empty());
        family.api.delete(&format!("/api/v1/transactions/{by_hand}")).expect_status(200);
        // The same file once more is another import of the same lines, and no gap.
        let again = publish(&family.api, &mt940("01", JANUARY), &fields);
        assert_eq!(again["same_file"][0]["id"], statement["id"], "{again}");
        let twice = of_account(&family, &account);
        assert_eq!(twice.len(), 2);
        for one in &twice {
            assert_eq!((standing(one), &one["gap_before"]), ((&json!("0.00"), true, 0), &Value::Null));
        }
        undo(&family.api, &again);
        // With the undo of the table its transactions go, and nothing stands for the lines.
        undo(&family.api, &table);
        assert!(transactions(&family).is_empty());
        let found = of_account(&family, &account);
        assert_eq!(standing(&found[0]), (&json!("-4.50"), false, 2), "{found:?}");
        assert!(listed(&family.api, &format!("?transaction_id={}", ids[0])).is_empty());
    }

    fn tables_with_balances_are_statements(server) {
        let family = server.family();
        let csv = "Date,Name,Amount,Balance\n2024-01-02,Shop,-10.00,90.00\n\
                   2024-01-03,Friend,5.50,95.50\n2024-01-09,Rent,-50.00,45.50\n";
        let account = opened(&family, "Main");
        publish(&family.api, csv, &json!({ "account_id": account }));
        let found = of_account(&family, &account);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        let shown = ["start_date", "end_date", "opening_balance_decimal", "closing_balance_decimal"]
            .map(|name| one[name].as_str().unwrap());
        assert_eq!(shown, ["2024-01-02", "2024-01-09", "100.00", "45.50"]);
        assert_eq!((standing(one), &one["lines_count"]), ((&json!("0.00"), true, 0), &json!(3)));
        // A card's balance is a debt.
        let card = family.account("Card", "credit_card");
        let debts = ofx("01", ["0", "30", "10", "-20"]).replace("CHECKING", "CREDITLINE");
        publish(&family.api, &debts, &json!({ "account_id": card }));
        let one = of_account(&family, &card)[0].clone();
        assert_eq!((&one["closing_balance_decimal"], &one["kind"]), (&json!("20.00"), &json!("card")));
        assert_eq!(standing(&one), (&json!("0.00"), true, 0), "{one}");
    }

    fn each_account_of_a_file_has_its_statement_and_left_out_lines_are_missing(server) {
        let family = server.family();
        let two = format!("{}{}", mt940("01", JANUARY), mt940("01", JANUARY).replace("/0532", "/5555"));
        let import = publish(&family.api, &two, &json!({}));
        let found = listed(&family.api, "");
        assert_eq!(found.len(), 2, "{import}");
        for one in &found {
            // A new account opens with the balance before its first row.
            assert_eq!(standing(one), (&json!("0.00"), true, 0), "{one}");
        }
        let account = opened(&family, "Main");
        let import = upload(&family.api, &camt("01", JANUARY), &json!({ "account_id": account }));
        let rows = family.api.get(&path(&import, "/rows?per_page=100")).expect_status(200).json();
        let friend = rows["data"].as_array().unwrap().iter().find(|row| {
            row.to_string().contains("Friend")
        });
        let number = friend.unwrap()["row_number"].clone();
        let row = path(&import, &format!("/rows/{number}"));
        family.api.patch(&row, &json!({ "choice": "leave_out" })).expect_status(200);
        publish_again(&family.api, &import);
        let one = of_account(&family, &account)[0].clone();
        assert_eq!(standing(&one), (&json!("5.50"), false, 1), "{one}");
    }

    fn documents_keep_what_they_state(server) {
        let family = server.family();
        let account = family.account_with(json!({ "name": "Main", "account_type": "depository",
            "currency": "EUR", "opening_balance": "1000.00", "opening_date": "2025-12-31" }));
        let form = Multipart::new()
            .text("account_id", &account)
            .text("type", "PdfImport")
            .text("publish", "true")
            .file("file", "januar.pdf", "application/pdf", &pdf::statement(true));
        let id = family.api.post_form(IMPORTS, &form).expect_status(201).id();
        assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
        let one = of_account(&family, &account)[0].clone();
        assert_eq!(one["file"], json!({ "name": "januar.pdf", "format": "pdf" }));
        let shown = ["start_date", "end_date", "opening_balance_decimal", "closing_balance_decimal"]
            .map(|name| one[name].as_str().unwrap());
        assert_eq!(shown, ["2026-01-01", "2026-01-31", "1000.00", "2533.17"]);
        assert_eq!((standing(&one), &one["lines_count"]), ((&json!("0.00"), true, 0), &json!(3)));
    }

    fn the_command_line_lists_them(server) {
        let family = server.family();
        let account = opened(&family, "Main");
        for file in [mt940("01", JANUARY), mt940("03", ["120", "20", "5", "105"])] {
            publish(&family.api, &file, &json!({ "account_id": account }));
        }
        let shown = server.run(&["statements"], "");
        assert!(shown.status.success(), "{}", shown.stderr);
        for text in ["Reconciled", "$24.50 more than in the account", "29 days", "$24.50 more"] {
            assert!(shown.stdout.contains(text), "{text}: {}", shown.stdout);
        }
        let listed = server.run_json(&["statements", "--account", "main", "--limit", "1"], "");
        assert_eq!(listed["total_count"], 2);
        assert_eq!(listed["statements"], json!([of_account(&family, &account)[0]]));
        let wrong = server.run(&["statements", "--account", "x"], "");
        assert!(!wrong.status.success(), "{}", wrong.stdout);
    }
}
