use std::collections::BTreeSet;

use jiff::civil::date;
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::ledger::account::{AccountStatus, AccountType};
use crate::ledger::locks::LockField;
use crate::ledger::trade::TradeType;
use crate::money::Currency;

/// The lines of an export in which every column has a value, as the store's tests have it.
const EXPORTED: &str = include_str!("../../../../store/src/check/tests/exported/rows.ndjson");

fn surveyed(text: &str) -> Survey {
    let mut survey = Survey::default();
    text.lines().for_each(|line| survey.line(line));
    survey.finish().unwrap();
    survey
}

fn read_with(survey: &Survey, text: &str) -> Vec<Result<Record, Vec<String>>> {
    let read = |line| {
        let read = survey.read(line, date(2024, 5, 17), Currency::EUR);
        read.map_err(|problems| problems.texts())
    };
    text.lines().map(read).collect()
}

/// The record of each line, or the reasons why it isn't taken.
pub(super) fn read_all(text: &str) -> Vec<Result<Record, Vec<String>>> {
    read_with(&surveyed(text), text)
}

/// The only line that is not an account, or its reasons.
pub(super) fn read_one(record_type: &str, data: &str) -> Result<Record, Vec<String>> {
    let others = include_str!("testdata/others.ndjson");
    read_all(&format!("{others}{{\"type\":\"{record_type}\",\"data\":{data}}}")).pop().unwrap()
}

#[test]
fn fifteen_types_are_counted_each_under_a_name_of_its_own() {
    let keys: BTreeSet<&str> = RecordType::ALL.iter().filter_map(|one| one.count_key()).collect();
    assert_eq!(keys.len(), 15, "{keys:?}");
}

#[test]
fn what_is_exported_is_read() {
    let mut text = EXPORTED.to_owned();
    for number in 1..100 {
        let id = format!("00000000-0000-0000-0000-{number:012}");
        text = text.replace(&format!("{{{number}}}"), &id);
    }
    let read = read_all(&text);
    // The trade has a value in every column, which none of one type has.
    let is_of_type = |reason: &&String| reason.contains("of type split") || reason.contains("lots");
    let refused: Vec<&String> = read
        .iter()
        .filter_map(|one| one.as_ref().err())
        .flatten()
        .filter(|reason| !is_of_type(reason))
        .collect();
    let missing = "is \"00000000-0000-0000-0000-000000000065\", which no";
    assert_eq!(refused.len(), 2, "one side of the transfer and of the move: {refused:?}");
    assert!(refused.iter().all(|reason| reason.contains(missing)), "{refused:?}");
    let transaction = read.iter().flatten().find_map(|one| match one {
        Record::Transaction(one) => Some(one),
        _ => None,
    });
    let transaction = transaction.unwrap();
    assert_eq!(transaction.facts.amount, 100_000);
    assert!(transaction.labels.locks.has(LockField::Category) && transaction.pending);
    assert_eq!(transaction.origin.as_ref().unwrap().name, "SOUV 12");
    assert!(transaction.rate.is_some() && transaction.labels.excluded);
    let security = read.iter().flatten().find_map(|one| match one {
        Record::Security(one) => Some(one),
        _ => None,
    });
    let security = &security.unwrap().values;
    assert_eq!(security.listing.exchange_operating_mic, "XNAS");
    assert!(security.offline && security.isin.is_some());
}

#[test]
fn trades_of_an_export_are_read_with_all_that_their_types_have() {
    let line = EXPORTED.lines().find(|line| line.starts_with(r#"{"type":"Trade""#)).unwrap();
    let exported: serde_json::Value = serde_json::from_str(line).unwrap();
    let account = EXPORTED.lines().find(|line| line.starts_with(r#"{"type":"Account""#)).unwrap();
    let all = ["counterpart_id", "lots", "fee", "cost", "split_to", "split_from", "recorded_at"];
    for (trade_type, [qty, price, amount], kept) in [
        ("transfer_in", ["4.0", "2", "0"], &["lots", "cost"][..]),
        ("transfer_out", ["-4.0", "2", "0"], &["lots"]),
        ("buy", ["4.0", "2", "9.00"], &["fee"]),
        ("sell", ["-4.0", "2", "-7.00"], &["fee"]),
        ("reinvestment", ["4.0", "2", "0"], &["cost"]),
        ("split", ["0", "0", "0"], &["split_to", "split_from", "recorded_at"]),
        ("dividend", ["0", "0", "-5.00"], &["fee"]),
    ] {
        let mut trade = exported.clone();
        let data = trade["data"].as_object_mut().unwrap();
        data.retain(|name, _| !all.contains(&name.as_str()) || kept.contains(&name.as_str()));
        data.remove("security_id");
        for (name, value) in
            [("trade_type", trade_type), ("qty", qty), ("price", price), ("amount", amount)]
        {
            data.insert(name.to_owned(), value.into());
        }
        let read = read_all(&format!("{account}\n{trade}")).pop().unwrap();
        let Ok(Record::Trade(one)) = read else { panic!("{trade_type}: {read:?}") };
        let has = |name: &str| kept.contains(&name);
        assert_eq!(one.fee != 0, has("fee"), "{trade_type}");
        assert_eq!(one.cost.is_some(), has("cost"), "{trade_type}");
        assert_eq!(one.lots.is_some(), has("lots"), "{trade_type}");
        assert_eq!(one.recorded_at.is_some(), has("recorded_at"), "{trade_type}");
    }
}

#[test]
fn files_of_the_older_server_are_read() {
    let file = include_str!("testdata/older.ndjson");
    let read: Vec<Record> = read_all(file).into_iter().map(|one| one.unwrap()).collect();
    let [Record::Transaction(transaction), Record::Account(account), Record::Trade(trade), ..] =
        read.as_slice()
    else {
        panic!("{read:?}")
    };
    assert_eq!((transaction.facts.amount, transaction.facts.currency), (125_000, Currency::USD));
    assert_eq!(transaction.facts.date, date(2024, 1, 5));
    let parts: Vec<(i64, Option<&str>)> =
        transaction.parts.iter().map(|part| (part.amount, part.name.as_deref())).collect();
    assert_eq!(parts, [(100_000, Some("A")), (25_000, Some("B"))]);
    assert_eq!(transaction.parts[0].labels.tags, None, "those of the whole");
    assert_eq!(transaction.parts[1].labels.tags, Some(Vec::new()), "none");
    let names_merchant: Vec<bool> =
        transaction.parts.iter().map(|part| part.labels.names_merchant).collect();
    assert_eq!(names_merchant, [false, true], "none beside an empty list, as exports had it");
    assert_eq!(account.account_type, AccountType::CreditCard);
    assert_eq!((account.subtype.as_deref(), account.balance), (Some("visa"), Some(-32_000)));
    assert_eq!(account.opening_date, Some(date(2023, 12, 31)));
    assert_eq!(
        (trade.trade_type, trade.security.listing.ticker.as_str()),
        (TradeType::Sell, "VTI")
    );
    let Record::Balance(balance) = &read[4] else { panic!("{:?}", read[4]) };
    assert_eq!((balance.start, balance.end), (Some(30_000), 200_000));
}

#[test]
fn every_reason_is_named() {
    let cases: Vec<&str> = include_str!("testdata/refused.txt").lines().collect();
    assert!(cases.len() > 60);
    for case in cases.chunks(2) {
        let (record_type, data) = case[0].split_once(' ').unwrap();
        let reason = case[1].trim().to_lowercase();
        let reasons = read_one(record_type, data).expect_err(data);
        assert!(
            reasons.iter().any(|one| one.to_lowercase().contains(&reason)),
            "{data}: {reasons:?}"
        );
    }
    for line in ["", "[]", "{", "null", r#"{"type":"Tag"}"#, r#"{"data":{}}"#, "\u{feff}{}"] {
        assert!(read_all(line).iter().all(Result::is_err), "{line}");
    }
}

#[test]
fn lines_of_a_valid_file_are_read_without_surveying_it_again() {
    let others = include_str!("testdata/others.ndjson").trim_end();
    for text in [include_str!("testdata/older.ndjson"), others] {
        let survey = surveyed(text);
        let stored = serde_json::to_string(&survey.facts()).unwrap();
        let facts: FileFacts = serde_json::from_str(&stored).unwrap();
        let again = Survey::of_facts(&facts);
        let read = read_with(&again, text);
        assert!(read.iter().all(Result::is_ok), "{read:?}");
        assert_eq!(read, read_with(&survey, text));
        assert_eq!((again.counts(), again.parts()), (survey.counts(), survey.parts()));
        assert_eq!(again.facts(), facts);
    }
}

#[test]
fn there_are_few_of_most_types() {
    let mut survey = Survey::default();
    for number in 0..=crate::limits::IMPORT_WHOLE_ROWS_MAX {
        survey.line(&format!("{{\"type\":\"Tag\",\"data\":{{\"id\":{number},\"name\":\"T\"}}}}"));
    }
    let sentence = survey.finish().unwrap_err();
    assert_eq!(sentence, "The file has more than 10000 records of the type Tag");
}

/// What takes the square of their number would not end.
#[test]
fn lines_of_any_form_are_read_in_a_time_that_follows_from_their_length() {
    let many =
        |item: &dyn Fn(usize) -> String| (0..200_000).map(item).collect::<Vec<_>>().join(",");
    let members = many(&|number| format!("\"m{number}\":1"));
    let read = read_one("Tag", &format!("{{\"id\":\"t\",\"name\":\"T\",{members}}}"));
    assert!(read.is_ok(), "{read:?}");
    let doubled = format!("{{\"id\":\"t\",\"name\":\"T\",{members},\"m7\":1}}");
    assert_eq!(read_one("Tag", &doubled).unwrap_err(), ["The m7 must not be there twice"]);
    let parts = many(&|_| "{\"amount\":0}".to_owned());
    let split = format!(
        "{{\"id\":\"t\",\"account_id\":\"a\",\"date\":\"2024-01-05\",\"amount\":\"0\",\
         \"name\":\"x\",\"split_lines\":[{parts}]}}"
    );
    let reasons = read_one("Transaction", &split).unwrap_err();
    assert_eq!(reasons, ["The split_lines must have 2 to 100 entries"]);
}

#[test]
fn records_with_the_id_of_another_are_not_taken() {
    let tag = |name: &str| format!(r#"{{"type":"Tag","data":{{"id":"t","name":"{name}"}}}}"#);
    let read = read_all(&[tag("A"), tag("B")].join("\n"));
    assert!(read.iter().all(Result::is_err), "nobody knows which one is meant");
}

#[test]
fn an_account_that_was_being_deleted_is_hidden() {
    let data = r#"{"id":"x","name":"X","balance":"1","accountable_type":"loan",
        "status":"pending_deletion"}"#;
    let data = data.replace('\n', " ");
    let data = data.as_str();
    let Ok(Record::Account(account)) = read_one("Account", data) else { panic!() };
    assert_eq!(account.status, AccountStatus::Disabled);
}

proptest! {
    /// Whatever stands in a file, each line is a record or has reasons, and reading it again gives
    /// the same.
    #[test]
    fn any_change_of_a_file_is_read_or_refused(
        line in any::<Index>(), at in any::<Index>(), with in "[\\[\\]{}\":,0-9a-z.-]{0,4}",
    ) {
        let mut lines: Vec<String> = EXPORTED.lines().map(str::to_owned).collect();
        let line = line.get_mut(&mut lines);
        let chars: Vec<(usize, char)> = line.char_indices().collect();
        let (start, char) = *at.get(&chars);
        line.replace_range(start..start + char.len_utf8(), &with);
        let text = lines.join("\n");
        let read = read_all(&text);
        prop_assert!(read.iter().all(|one| one.as_ref().err().is_none_or(|why| !why.is_empty())));
        prop_assert_eq!(read, read_all(&text));
    }
}

#[test]
fn a_transfer_is_money_from_one_account_to_another() {
    let lines = |out: &str, into: &str, transfers: &str| {
        let account = |id: &str, currency: &str| {
            format!(
                "{{\"type\":\"Account\",\"data\":{{\"id\":\"{id}\",\"name\":\"{id}\",\
                 \"accountable_type\":\"Depository\",\"currency\":\"{currency}\",\
                 \"balance\":\"0\"}}}}\n"
            )
        };
        let side = |id: &str, fields: &str| {
            format!(
                "{{\"type\":\"Transaction\",\"data\":{{\"id\":\"{id}\",\"name\":\"Move\",\
                 \"date\":\"2024-01-02\",{fields}}}}}\n"
            )
        };
        let text = [
            account("a", "EUR"),
            account("b", "EUR"),
            account("u", "USD"),
            side("out", out),
            side("in", into),
            side("in2", "\"account_id\":\"b\",\"amount\":\"-5.00\""),
            transfers.to_owned(),
        ];
        let reasons = read_all(&text.concat()).pop().unwrap().err().unwrap_or_default();
        reasons.join("; ")
    };
    let transfer = |inflow: &str, more: &str| {
        format!(
            "{{\"type\":\"Transfer\",\"data\":{{\"outflow_transaction_id\":\"out\",\
             \"inflow_transaction_id\":\"{inflow}\",\"status\":\"confirmed\"{more}}}}}\n"
        )
    };
    let (one, made) = (transfer("in", ""), transfer("in", ",\"made_by\":\"matching\""));
    let out = "\"account_id\":\"a\",\"amount\":\"5.00\"";
    for (into, transfers, reason) in [
        ("\"account_id\":\"b\",\"amount\":-5", one.clone(), ""),
        ("\"account_id\":\"u\",\"amount\":\"-6.00\"", one.clone(), ""),
        ("\"account_id\":\"u\",\"amount\":\"-6.00\"", made, "which only a person pairs"),
        ("\"account_id\":\"b\",\"amount\":\"-6.00\"", one.clone(), "has another amount"),
        ("\"account_id\":\"a\",\"amount\":\"-5.00\"", one.clone(), "is in the account of"),
        ("\"account_id\":\"b\",\"amount\":\"5.00\"", one.clone(), "is no money in"),
        (
            "\"account_id\":\"b\",\"amount\":\"-5.00\"",
            one + &transfer("in2", ""),
            "is in another confirmed transfer",
        ),
    ] {
        let found = lines(out, into, &transfers);
        assert!(found.contains(reason) && found.is_empty() == reason.is_empty(), "{into}: {found}");
    }
}
