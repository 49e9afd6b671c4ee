//! What a key that is restricted to chosen accounts sees is as if the rest didn't exist: two
//! families that differ only in what is hidden from it are answered alike, route by route and byte
//! by byte.
//!
//! Ids and times are the server's. Each id becomes the number of its first appearance, so that two
//! answers are equal only if they name the same things in the same places.

mod data;
mod names;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::both;
use crate::imports::statement_files::OFX;
use crate::imports::{publish, upload};
use crate::openapi::document::{Operation, UNKNOWN_ID, operations};
use crate::support::{Answer, Client, Options, Server};
use data::{Hidden, Visible};
use names::Names;

/// A family as its restricted key sees it, and what the test knows of it.
struct Side {
    visible: Visible,
    hidden: Option<Hidden>,
    names: Names,
}

impl Side {
    fn key(&self) -> &Client {
        &self.visible.key
    }

    /// The id of something that is hidden, or one that nothing has.
    fn hidden(&self, id: impl Fn(&Hidden) -> &str) -> &str {
        self.hidden.as_ref().map_or(UNKNOWN_ID, id)
    }

    /// Every id that a list answers the key with.
    fn ids(&self, list: &str) -> Vec<String> {
        let answer = self.key().get(&format!("{list}?per_page=100"));
        if answer.status != 200 {
            return Vec::new();
        }
        let body = answer.json();
        let members = body.as_object().into_iter().flat_map(|body| body.values());
        let lists = body.as_array().into_iter().chain(members.filter_map(Value::as_array));
        lists.flatten().filter_map(|one| Some(one["id"].as_str()?.to_owned())).collect()
    }
}

/// Both families with their restricted keys; the first has nothing that is hidden.
fn sides(server: &Server) -> [Side; 2] {
    [false, true].map(|has_hidden| {
        let family = server.family();
        let before = has_hidden.then(|| Hidden::before(server, &family));
        let visible = Visible::make(server, &family);
        let hidden = before.map(|before| before.after(&family, &visible));
        Side { names: Names::of(&family), visible, hidden }
    })
}

/// Sends the same to both sides; the answers must be the same.
#[track_caller]
fn alike(sides: &mut [Side; 2], case: &str, send: impl Fn(&Side) -> Answer) -> [Answer; 2] {
    let [one, other] = sides;
    let answers = [send(one), send(other)];
    let shown = [one.names.normalised(&answers[0]), other.names.normalised(&answers[1])];
    assert_eq!(shown[0], shown[1], "{case}: without and with what is hidden");
    answers
}

/// Compares every route that only reads: lists, single things and their details.
#[track_caller]
fn every_read_is_alike(server: &Server, sides: &mut [Side; 2], without: &[&str]) {
    let mut compared = BTreeSet::new();
    let reads = operations(server).into_iter().filter(|operation| !operation.writes());
    for operation in &reads.filter(|one| !without.contains(&&*one.path)).collect::<Vec<_>>() {
        for address in addresses(operation) {
            alike(sides, &address, |side| side.key().get(&address));
        }
        if !operation.has_id() {
            continue;
        }
        let list = operation.path.split("/{id}").next().unwrap_or_default();
        let ids = [sides[0].ids(list), sides[1].ids(list)];
        assert_eq!(ids[0].len(), ids[1].len(), "{list}");
        for (one, other) in ids[0].iter().zip(&ids[1]) {
            let [without, _] = alike(sides, &operation.name(), |side| {
                let id = if side.hidden.is_some() { other } else { one };
                read(side, operation, id)
            });
            if without.status == 200 {
                compared.insert(operation.name());
            }
        }
    }
    // The data has one thing of each kind that such a key may read alone.
    for noun in data::NOUNS {
        assert!(compared.contains(&format!("GET /{noun}/{{id}}")), "no {noun} was read");
    }
}

/// A stream of events ends with an import that is at its end; of others it would wait.
fn read(side: &Side, operation: &Operation, id: &str) -> Answer {
    let is_stream = operation.path.ends_with("/events");
    let id = if is_stream { side.visible.published.as_str() } else { id };
    side.key().get(&operation.address(id))
}

/// A list with and without the filters that could count what is hidden.
fn addresses(operation: &Operation) -> Vec<String> {
    if operation.has_id() {
        return Vec::new();
    }
    let path = &operation.path;
    let mut addresses = vec![path.clone(), format!("{path}?per_page=1&page=2")];
    let dated = [("start_date", "2026-01-01"), ("end_date", "2026-03-01")];
    let parameters = operation.parameters("query");
    let takes = |name: &str| parameters.iter().any(|parameter| parameter == name);
    if dated.iter().all(|(name, _)| takes(name)) {
        let dates: Vec<String> = dated.iter().map(|(name, day)| format!("{name}={day}")).collect();
        addresses.push(format!("{path}?{}", dates.join("&")));
    }
    for (name, value) in [
        ("date", "2026-02-01"),
        ("interval", "day&start_date=2026-01-01&end_date=2026-02-10"),
        ("from", "2026-01&to=2026-03"),
        ("year", "2026"),
        ("search", "a"),
        ("ticker", "TWICE"),
        ("include_disabled", "true"),
        ("name", "Secret"),
    ] {
        if takes(name) {
            addresses.push(format!("{path}?{name}={value}"));
        }
    }
    addresses
}

/// A file with names that the family has, but that are hidden.
struct Upload {
    import_type: &'static str,
    csv: &'static str,
    /// The account of the rows, if it is chosen with the upload.
    account: Option<fn(&Visible) -> &str>,
    /// Names that a person gives something hidden by its id: the kind, and which of the choices.
    choices: &'static [(&'static str, usize)],
}

const UPLOADS: [Upload; 7] = [
    Upload {
        import_type: "TransactionImport",
        csv: "date,amount,name,category,tags\n2026-02-03,-7,New,Secret,Secret\n\
              2026-02-04,-8,New,Food: Secret,Holiday\n2026-02-05,-9,New,Leaf,\n",
        account: Some(|visible| &visible.giro),
        choices: &[("category", 0), ("tag", 1), ("account", 2)],
    },
    Upload {
        import_type: "TradeImport",
        // A ticker on two hidden markets, one that the key sees, a hidden trade, and its split.
        csv: "Date,Action,Symbol,Quantity,Price,Fees,Amount,Name\n\
              2026-02-03,Buy,HUSH,1,3,0,-3,Secret\n2026-02-04,Sell,ACME,-1,12,0,12,Secret\n\
              2026-01-25,Buy,ACME,4,99,0,-396,Secret\n2026-01-02,Buy,HUSH,1,2,0,-2,Secret\n\
              2026-02-05,Dividend,HUSH,,,,1.50,Secret\n2026-02-06,Deposit,,,,,25,Secret arrival\n",
        account: Some(|visible| &visible.depot),
        choices: &[],
    },
    // A ticker that a visible account holds on one market and a hidden one on another, into a
    // visible account that holds nothing.
    Upload {
        import_type: "TradeImport",
        csv: "Date,Action,Symbol,Quantity,Price,Fees,Amount\n2026-02-03,Buy,ACME,2,12,0,-24\n\
              2026-02-04,Buy,HUSH,1,3,0,-3\n",
        account: Some(|visible| &visible.empty),
        choices: &[],
    },
    Upload {
        import_type: "TradeImport",
        csv: "Date,Action,Symbol,Quantity,Price,Fees,Amount,Account\n\
              2026-02-07,Buy,HUSH,2,3,0,-6,Secret\n2026-02-07,Buy,HUSH,2,3,0,-6,Depot\n\
              2026-02-07,Buy,TWICE,2,3,0,-6,Secret depot\n",
        account: None,
        choices: &[("account", 2)],
    },
    // What such a key may not import is refused alike.
    Upload {
        import_type: "AccountImport",
        csv: "name,type,balance,currency\nSecret,depository,5,USD\n",
        account: None,
        choices: &[],
    },
    Upload {
        import_type: "CategoryImport",
        csv: "name,parent_category,color\nSecret,Health,#101010\n",
        account: None,
        choices: &[],
    },
    Upload {
        import_type: "MerchantImport",
        csv: "name,color\nSecret,#101010\n",
        account: None,
        choices: &[],
    },
];

fn uploads_are_alike(sides: &mut [Side; 2]) {
    let published = UPLOADS.iter().filter(|upload| upload_is_alike(sides, upload)).count();
    assert_eq!(published, 3, "those with an account are published");
}

/// Sends the file to a preview, uploads it, chooses what is hidden, and publishes it. Returns
/// whether that was possible.
fn upload_is_alike(sides: &mut [Side; 2], upload: &Upload) -> bool {
    let Upload { import_type, csv, account, choices } = *upload;
    let body = |side: &Side| {
        let mut body = json!({ "type": import_type, "raw_file_content": csv });
        if let Some(account) = account {
            body["account_id"] = json!(account(&side.visible));
        }
        body
    };
    let case = |what: &str| format!("{import_type}: {what}");
    alike(sides, &case("preflight"), |side| {
        side.key().post("/api/v1/imports/preflight", &body(side))
    });
    let made =
        alike(sides, &case("upload"), |side| side.key().post("/api/v1/imports", &body(side)));
    if made[0].status != 201 {
        return false;
    }
    let ids = made.map(|answer| answer.expect_status(201).id());
    let path = |side: &Side| {
        let id = if side.hidden.is_some() { &ids[1] } else { &ids[0] };
        format!("/api/v1/imports/{id}")
    };
    for (kind, id) in choices {
        alike(sides, &case(kind), |side| {
            let id = side.hidden(|hidden| &hidden.choices[*id]);
            let choice = json!({ "kind": kind, "key": "Secret", "id": id });
            side.key().patch(&path(side), &json!({ "mappings": [choice] }))
        });
    }
    alike(sides, &case("rows"), |side| side.key().get(&format!("{}/rows", path(side))));
    let publish = alike(sides, &case("publish"), |side| {
        side.key().request("POST", &format!("{}/publish", path(side)), None)
    });
    if publish[0].status != 202 {
        return false;
    }
    for side in sides.iter() {
        let id = path(side).split('/').next_back().unwrap().to_owned();
        assert_eq!(side.key().wait_for_import(&id)["status"], "complete");
    }
    alike(sides, &case("what it did"), |side| side.key().get(&path(side)));
    true
}

/// What is made beside something hidden of the same name, and what is in its way.
fn writes_are_alike(sides: &mut [Side; 2]) {
    for noun in ["categories", "tags", "merchants"] {
        alike(sides, noun, |side| {
            side.key().post(&format!("/api/v1/{noun}"), &json!({ "name": "Secret" }))
        });
    }
    for (member, choice) in [("category_id", 0), ("tag_ids", 1)] {
        alike(sides, member, |side| {
            let id = side.hidden(|hidden| &hidden.choices[choice]);
            let value = if choice == 1 { json!([id]) } else { json!(id) };
            let fields = json!({ "account_id": side.visible.giro, "date": "2026-02-06",
                "amount": "1", "name": "Of a label", member: value });
            side.key().post("/api/v1/transactions", &fields)
        });
    }
    let bought = alike(sides, "a ticker on two hidden markets", |side| {
        let fields = json!({ "account_id": side.visible.depot, "type": "buy",
            "date": "2026-02-06", "ticker": "TWICE", "qty": "1", "price": "3" });
        side.key().post("/api/v1/trades", &fields)
    });
    bought.into_iter().for_each(|answer| drop(answer.expect_status(201)));
    let split = alike(sides, "the split of a side of a hidden transfer", |side| {
        let path = format!("/api/v1/transactions/{}/split", side.visible.moved[0]);
        let parts = json!({ "parts": [{ "amount": "10" }, { "amount": "15" }] });
        side.key().post(&path, &parts)
    });
    split.into_iter().for_each(|answer| drop(answer.expect_status(201)));
    let paired = alike(sides, "a transfer in place of a hidden one", |side| {
        let pair = json!({ "outflow_transaction_id": side.visible.moved[1],
            "inflow_transaction_id": side.visible.arrived });
        side.key().post("/api/v1/transfers", &pair)
    });
    paired.into_iter().for_each(|answer| drop(answer.expect_status(201)));
    alike(sides, "a series", |side| {
        let rent = json!({ "account_id": side.visible.giro, "name": "Secret rent", "amount": "9",
            "expected_day_of_month": 1 });
        side.key().post("/api/v1/recurring_transactions", &rent)
    });
    alike(sides, "a detection", |side| {
        side.key().request("POST", "/api/v1/recurring_transactions/detect", None)
    });
    alike(sides, "a valuation", |side| {
        let fields = json!({ "account_id": side.visible.depot, "amount": "700",
            "date": "2026-02-09" });
        side.key().post("/api/v1/valuations", &fields)
    });
}

both! {
    fn statements_in_a_hidden_account_keep_no_publish_from_the_key(server) {
        let family = server.family();
        let [hidden, own] = ["Hidden", "Own"].map(|name| family.account(name, "depository"));
        let file = OFX.replace("<ACCTID>123", "<ACCTID>70001111");
        publish(&family.api, &file, &json!({ "account_id": hidden }));
        let next = file.replace("202401", "202403").replace("<FITID>A", "<FITID>B");
        // Whoever sees both accounts has to choose.
        let import = upload(&family.api, &next, &json!({ "account_id": own }));
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let key = data::restricted_to(&server, &family, &[&own]);
        publish(&key, &next, &json!({ "account_id": own }));
    }

    fn a_restricted_key_sees_the_same_whatever_is_hidden(
        server = Options::new().env("PURSER_RATE_LIMIT", "0")
    ) {
        let mut sides = sides(&server);
        every_read_is_alike(&server, &mut sides, &[]);
        writes_are_alike(&mut sides);
        uploads_are_alike(&mut sides);
        // Nothing was made beside what the key sees.
        for side in &sides {
            let listed = side.key().get("/api/v1/securities?ticker=ACME").expect_status(200).json();
            assert_eq!(listed["securities"].as_array().unwrap().len(), 1, "{listed}");
        }
        // What the key came to use by its name it sees as the family has it: with its color.
        for side in &mut sides {
            side.names.hide_colors();
        }
        // And its undo doesn't remove what the family had.
        every_read_is_alike(&server, &mut sides, &["/api/v1/imports/{id}/revert"]);
        crate::accounts::consistent(&server);
    }
}
