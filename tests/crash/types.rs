//! Imports of the other types, one after the other: what a file makes (accounts with their
//! openings, transactions and their parts, transfers, trades, labels, rules) is there whole or not
//! at all, as the import reports it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

use super::SETTLING;
use super::ledger::all;
use super::support::pdf::{Page, Style, document};
use super::support::{Answer, Client, Multipart, Server, Sql, until_within};

const IMPORTS: &str = "/api/v1/imports";

/// The lists in which the records of a file are found: the address, the field with the items, and
/// the field with the name.
const LISTS: [(&str, &str); 7] = [
    ("accounts", "accounts"),
    ("transactions", "transactions"),
    ("trades", "trades"),
    ("merchants", ""),
    ("rules", "data"),
    ("categories", "categories"),
    ("tags", ""),
];

/// Its file is a document, for an account of its own: what statements state is compared with the
/// ledger.
const PDF: &str = "PdfImport";

/// A file of a type, in which every name has a token that only it has.
struct Sample {
    import_type: &'static str,
    /// The file, with `NAME` where the token stands.
    text: &'static str,
    /// Whether its rows go into the depot.
    into_depot: bool,
    /// How many records there are in each list once it is published.
    counts: &'static [(&'static str, usize)],
    transfers: usize,
}

#[rustfmt::skip]
const SAMPLES: [Sample; 10] = [
    Sample {
        import_type: "TradeImport",
        // A security of its own: equal trades of one security would be the same trade.
        text: "Date,Action,Symbol,Quantity,Price,Fees,Amount,Name\n\
               2024-01-02,Buy,NAME,10,15.00,1.00,-151.00,NAMEa\n\
               2024-01-03,Deposit,,,,,20.00,NAMEb\n",
        into_depot: true,
        counts: &[("trades", 1), ("transactions", 1)],
        transfers: 0,
    },
    Sample {
        import_type: "AccountImport",
        text: "Account type,Name,Balance\nsavings,NAMEa,7.00\ncredit card,NAMEb,8.00\n",
        into_depot: false,
        counts: &[("accounts", 2)],
        transfers: 0,
    },
    Sample {
        import_type: "MerchantImport",
        text: "name,color,website_url\nNAMEa,#336699,shop.example\nNAMEb,,\n",
        into_depot: false,
        counts: &[("merchants", 2)],
        transfers: 0,
    },
    Sample {
        import_type: "RuleImport",
        text: "name,active,conditions,actions\n\
               NAMEa,false,[],\"[{\"\"action_type\"\":\"\"set_transaction_tags\"\",\
               \"\"value\"\":\"\"NAMEtag\"\"}]\"\n",
        into_depot: false,
        counts: &[("rules", 1), ("tags", 1)],
        transfers: 0,
    },
    Sample {
        import_type: "MintImport",
        text: "Date,Description,Original Description,Amount,Transaction Type,Category,\
               Account Name,Labels,Notes\n\
               1/2/2024,NAMEa,,3.00,debit,NAMEcat,NAMEcash,NAMEtag,\n\
               1/3/2024,NAMEb,,4.00,credit,,NAMEcash,,\n",
        into_depot: false,
        counts: &[("accounts", 1), ("transactions", 2), ("categories", 1), ("tags", 1)],
        transfers: 0,
    },
    Sample {
        import_type: "YnabImport",
        text: "Account,Flag,Date,Payee,Category Group,Category,Memo,Outflow,Inflow,Cleared\n\
               NAMEcash,,13/02/2024,Starting Balance,,,,0.00,5.00,Cleared\n\
               NAMEcash,,13/02/2024,NAME / Transfer : NAMEbox,,,,2.00,0.00,Cleared\n\
               NAMEbox,,13/02/2024,NAME / Transfer : NAMEcash,,,,0.00,2.00,Cleared\n\
               NAMEcash,,14/02/2024,NAMEshop,,NAMEc,Split (1/2),1.00,0.00,\n\
               NAMEcash,,14/02/2024,NAMEshop,,NAMEd,Split (2/2),2.00,0.00,\n",
        into_depot: false,
        counts: &[("accounts", 2), ("transactions", 4), ("categories", 2)],
        transfers: 1,
    },
    Sample {
        import_type: "ActualImport",
        text: "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n\
               NAMEcash,2024-01-02,NAMEshop,(SPLIT INTO 2) all,,,0,-3.00,\n\
               NAMEcash,2024-01-02,NAMEshop,(SPLIT 1 OF 2) one,,NAMEc,-1.00,0,\n\
               NAMEcash,2024-01-02,NAMEshop,(SPLIT 2 OF 2) two,,NAMEd,-2.00,0,\n\
               NAMEcash,2024-01-03,NAMEbox,,,,-5.00,0,\nNAMEbox,2024-01-03,NAMEcash,,,,5.00,0,\n",
        into_depot: false,
        counts: &[("accounts", 2), ("transactions", 4), ("categories", 2)],
        transfers: 1,
    },
    Sample {
        import_type: "QifImport",
        text: "!Type:Class\nNNAMEtag\n^\n!Account\nNNAMEgiro\nTBank\n^\n!Type:Bank\n\
               D1/31'24\nT9.00\nPOpening Balance\nL[NAMEgiro]\n^\n\
               D2/13'24\nT-50.00\nPNAMEmove\nL[NAMEdepot]\n^\n\
               !Account\nNNAMEdepot\nTInvst\n^\n!Type:Invst\n\
               D2/13'24\nNBuyX\nYNAMEacme\nPNAMEbuy\nI10.00\nQ5\nT50.00\nL[NAMEgiro]\n^\n",
        into_depot: false,
        counts: &[("accounts", 2), ("transactions", 2), ("trades", 1), ("tags", 1)],
        transfers: 1,
    },
    Sample {
        import_type: "NativeImport",
        text: concat!(
            r#"{"type":"Account","data":{"id":"a","name":"NAMEgiro","opening_balance":"9.00","#,
            r#""accountable_type":"Depository","currency":"EUR"}}"#, "\n",
            r#"{"type":"Account","data":{"id":"b","name":"NAMEdepot","opening_balance":"0","#,
            r#""accountable_type":"Investment","currency":"EUR"}}"#, "\n",
            r#"{"type":"Category","data":{"id":"c","name":"NAMEcat"}}"#, "\n",
            r#"{"type":"Tag","data":{"id":"g","name":"NAMEtag"}}"#, "\n",
            r#"{"type":"Merchant","data":{"id":"m","name":"NAMEshop"}}"#, "\n",
            r#"{"type":"Transaction","data":{"id":"1","account_id":"a","date":"2024-01-05","#,
            r#""amount":"12.50","currency":"EUR","name":"NAMEone","category_id":"c","#,
            r#""merchant_id":"m","tag_ids":["g"]}}"#, "\n",
            r#"{"type":"Transaction","data":{"id":"2","account_id":"a","date":"2024-01-06","#,
            r#""amount":"50.00","currency":"EUR","name":"NAMEout"}}"#, "\n",
            r#"{"type":"Transaction","data":{"id":"3","account_id":"b","date":"2024-01-06","#,
            r#""amount":"-50.00","currency":"EUR","name":"NAMEin"}}"#, "\n",
            r#"{"type":"Trade","data":{"id":"4","account_id":"b","date":"2024-01-07","#,
            r#""trade_type":"buy","ticker":"NAME","name":"NAMEbuy","qty":"2","price":"10","#,
            r#""fee":"1","amount":"21","currency":"EUR"}}"#, "\n",
            r#"{"type":"Transfer","data":{"outflow_transaction_id":"2","#,
            r#""inflow_transaction_id":"3","status":"confirmed"}}"#, "\n",
            r#"{"type":"Rule","version":1,"data":{"id":"r","name":"NAMErule","active":false,"#,
            r#""resource_type":"transaction","position":1,"conditions":[],"actions":[{"#,
            r#""action_type":"set_transaction_tags","value":"g"}]}}"#, "\n",
        ),
        into_depot: false,
        counts: &[
            ("accounts", 2), ("transactions", 3), ("trades", 1), ("categories", 1), ("tags", 1),
            ("merchants", 1), ("rules", 1),
        ],
        transfers: 1,
    },
    Sample {
        import_type: PDF,
        text: "",
        into_depot: false,
        counts: &[("transactions", 2)],
        transfers: 0,
    },
];

/// A family into which files of all these types are imported.
#[derive(Debug, Clone)]
pub(super) struct Types {
    api: Client,
    depot: String,
    /// Type and token of each import that was acknowledged.
    acknowledged: Arc<Mutex<BTreeMap<String, (usize, String)>>>,
    /// Imports that somebody tried to undo.
    undone: Arc<Mutex<BTreeSet<String>>>,
}

impl Types {
    pub(super) fn new(server: &Server) -> Self {
        let family = server.family();
        // Nothing but the files makes transfers.
        Sql::open(server).run("UPDATE families SET transfer_matching = 'off'");
        let depot = family.account("Depot", "investment");
        let (acknowledged, undone) = (Arc::default(), Arc::default());
        Self { api: family.api, depot, acknowledged, undone }
    }

    /// Imports files one after the other, each of the next type, and undoes about half of them.
    pub(super) fn start(&self, round: u32, stop: &Arc<AtomicBool>) -> JoinHandle<()> {
        let (own, stop) = (self.clone(), Arc::clone(stop));
        thread::spawn(move || {
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                if own.send(round, number).is_none() {
                    return;
                }
                number += 1;
            }
        })
    }

    fn send(&self, round: u32, number: u32) -> Option<()> {
        // A life ends after few files, so that each begins with another type.
        let at = (round + number) as usize % SAMPLES.len();
        let (sample, token) = (&SAMPLES[at], format!("r{round}n{number}x"));
        let mut body = json!({
            "type": sample.import_type, "publish": true,
            "raw_file_content": sample.text.replace("NAME", &token),
        });
        if sample.into_depot {
            body["account_id"] = json!(self.depot);
        }
        let answer = match sample.import_type {
            PDF => self.send_document(&token)?,
            _ => self.api.try_post(IMPORTS, &body)?,
        };
        assert_eq!(answer.status, 201, "{}", answer.text());
        let id = answer.id();
        self.acknowledged.lock().expect("the imports").insert(id.clone(), (at, token));
        if (round / SAMPLES.len() as u32 + number) % 2 == 1 {
            self.undone.lock().expect("the imports").insert(id.clone());
            let answer = self.api.try_post(&format!("{IMPORTS}/{id}/revert"), &json!({}))?;
            // It may not be published yet.
            assert!([202, 422].contains(&answer.status), "{}", answer.text());
        }
        Some(())
    }

    /// A statement with balances, into a new account.
    fn send_document(&self, token: &str) -> Option<Answer> {
        let account = json!({ "name": "Scanned", "account_type": "depository" });
        let account = self.api.try_post("/api/v1/accounts", &account)?;
        let form = Multipart::new().text("type", PDF).text("publish", "true");
        let form = form.text("account_id", &account.expect_status(201).id());
        let name = "statement.pdf";
        let form = form.file("file", name, "application/pdf", &statement(token));
        self.api.try_post_form(IMPORTS, &form)
    }

    /// The records of each file are there as its import reports it.
    pub(super) fn verify(&self) {
        until_within(SETTLING, "every import of these types to settle", || {
            let imports = all(&self.api, &format!("{IMPORTS}?"), "data");
            let undone = self.undone.lock().expect("the imports");
            // What is pending and was never undone is still to be published.
            let is_busy = |import: &Value| match import["status"].as_str().expect("a status") {
                "pending" => !undone.contains(import["id"].as_str().expect("an id")),
                status => ["importing", "reverting"].contains(&status),
            };
            (!imports.iter().any(is_busy)).then_some(())
        });
        let found = self.found();
        let mut acknowledged = self.acknowledged.lock().expect("the imports").clone();
        let (mut published, mut transfers) = (BTreeMap::new(), 0);
        for import in all(&self.api, &format!("{IMPORTS}?"), "data") {
            let id = import["id"].as_str().expect("an id");
            let (at, token) = acknowledged.remove(id).unwrap_or_else(|| self.of(&import));
            let sample = &SAMPLES[at];
            let is_there = match import["status"].as_str() {
                Some("complete") => true,
                Some("pending") => false,
                _ => panic!("{import}"),
            };
            for (list, _) in LISTS {
                let count = found.get(&(list, token.clone())).copied().unwrap_or_default();
                let of_list = sample.counts.iter().find(|(its, _)| *its == list);
                let expected = of_list.filter(|_| is_there).map_or(0, |(_, count)| *count);
                assert_eq!(count, expected, "{list} of {token}: {import}");
            }
            if is_there {
                *published.entry(sample.import_type).or_insert(0) += 1;
                transfers += sample.transfers;
            }
        }
        assert!(acknowledged.is_empty(), "lost: {acknowledged:?}");
        let listed = all(&self.api, "/api/v1/transfers?", "transfers");
        assert_eq!(listed.len(), transfers, "transfers of what is published");
        eprintln!("published: {published:?}");
    }

    /// Type and token of an import of which nobody got the answer, by its rows.
    fn of(&self, import: &Value) -> (usize, String) {
        let id = import["id"].as_str().expect("an id");
        let rows = all(&self.api, &format!("{IMPORTS}/{id}/rows?"), "data");
        let text = rows.iter().map(|row| row["cells"].to_string()).collect::<String>();
        let token = tokens(&text).into_iter().next();
        let token = token.unwrap_or_else(|| panic!("no token in {text}"));
        let at = SAMPLES.iter().position(|sample| import["type"] == sample.import_type);
        (at.expect("a type of the table"), token)
    }

    /// How many records of each list have each token.
    fn found(&self) -> BTreeMap<(&'static str, String), usize> {
        let mut found = BTreeMap::new();
        for (list, items) in LISTS {
            let path = format!("/api/v1/{list}?");
            let records = match items {
                "" => self.api.get(&path).expect_status(200).json().as_array().cloned(),
                items => Some(all(&self.api, &path, items)),
            };
            for record in records.expect("a list") {
                let name = record["name"].as_str().expect("a name");
                if let Some(token) = tokens(name).into_iter().next() {
                    *found.entry((list, token)).or_insert(0) += 1;
                }
            }
        }
        found
    }
}

/// A statement as a document, with two rows between two balances.
fn statement(token: &str) -> Vec<u8> {
    let (shop, pay) = (format!("{token}shop"), format!("{token}pay"));
    let mut page = Page::default();
    page.left(40, 780, "Kontoauszug vom 01.01.2024 bis 31.01.2024");
    let lines: [[&str; 4]; 5] = [
        ["Anfangssaldo", "", "", "1.000,00"],
        ["Buchung", "Text", "Soll", "Haben"],
        ["02.01.", &shop, "12,50", ""],
        ["15.01.", &pay, "", "2.345,67"],
        ["Endsaldo", "", "", "3.333,17"],
    ];
    for (line, y) in lines.iter().zip((0..=760).rev().step_by(14)) {
        let places = [(40, false), (110, false), (440, true), (560, true)];
        for (text, (x, is_right)) in line.iter().zip(places).filter(|(text, _)| !text.is_empty()) {
            match is_right {
                true => page.right(x, y, text, Style::PLAIN),
                false => page.left(x, y, text),
            }
        }
    }
    document(&[page], Style::PLAIN)
}

/// The tokens in a text: `r12n3x`.
fn tokens(text: &str) -> Vec<String> {
    let is_token = |word: &&str| {
        let numbers = word.strip_prefix('r').and_then(|word| word.split_once('n'));
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        numbers.is_some_and(|(round, number)| is_number(round) && is_number(number))
    };
    let starts = text.char_indices().filter(|(_, c)| *c == 'r').map(|(at, _)| &text[at..]);
    let words = starts.filter_map(|rest| rest.split_once('x').map(|(word, _)| word));
    words.filter(is_token).map(|word| format!("{word}x")).collect()
}
