use purser_core::money::Currency;

use super::*;
use crate::snapshot::StatedCurrency;

const CALL: Call = Call::Accounts;

#[test]
fn the_first_version_is_read() {
    let set = AccountSet::read(
        CALL,
        br#"{"errors":[],"accounts":[{
            "org":{"domain":"bank.example","name":"Bank","url":"https://bank.example"},
            "id":"A1","name":"Savings","currency":"USD","balance":"100.23",
            "available-balance":"75.23","balance-date":1772323200,
            "transactions":[
                {"id":"t1","posted":1772236800,"amount":"-33293.43","description":"Uncle",
                 "payee":"Frank"},
                {"id":"t2","posted":0,"amount":"-5","description":"Hold",
                 "transacted_at":1772323201},
                {"id":"t3","posted":0,"amount":"-6","memo":"Only a memo","pending":true}]}]}"#,
    )
    .unwrap();
    let account = set.account(CALL, "A1").unwrap();
    assert_eq!(account.snapshot.institution.domain.as_deref(), Some("bank.example"));
    assert_eq!(account.snapshot.currency, StatedCurrency::Known(Currency::USD));
    let balance = account.balance.unwrap();
    assert_eq!(balance.amount.to_string(), "100.23");
    assert_eq!(balance.as_of.unwrap().to_string(), "2026-03-01T00:00:00Z");
    let rows: Vec<_> = account
        .transactions
        .iter()
        .map(|row| (row.date.to_string(), row.pending, row.description.as_deref().unwrap()))
        .collect();
    let expected = [
        ("2026-02-28", false, "Uncle"),
        ("2026-03-01", true, "Hold"),
        ("2026-03-01", true, "Only a memo"),
    ]
    .map(|(date, pending, text)| (date.to_owned(), pending, text));
    assert_eq!(rows, expected);
    assert!(account.holdings.is_none() && !account.lacks_data);
}

#[test]
fn the_second_version_has_banks_and_problems_apart() {
    let set = AccountSet::read(
        CALL,
        br#"{"errlist":[{"code":"con.auth","msg":"secret text","conn_id":"c2"},
                        {"code":"act.missingdata","account_id":"A3"}],
             "connections":[{"conn_id":"c1","name":"Mine","org_id":"o","org_name":"Bank",
                             "org_url":"https://bank.example"}],
             "accounts":[{"id":"A1","conn_id":"c1","currency":"EUR","balance":"1"},
                         {"id":"A2","conn_id":"c2","currency":"EUR","balance":"2"},
                         {"id":"A3","conn_id":"c1","currency":"https://x.example/points",
                          "balance":"3","transactions":[{"id":"p","posted":1772236800,"amount":"1"}],
                          "holdings":[{"id":"h","symbol":"VTI","shares":"2","market_value":"500",
                                       "cost_basis":"","purchase_price":"200"}]}]}"#,
    )
    .unwrap();
    let list = set.accounts_snapshot();
    let states: Vec<_> = list.accounts.iter().map(|account| account.state).collect();
    let expected = [AccountState::Active, AccountState::ConsentExpired, AccountState::Active];
    assert_eq!(states, expected);
    assert_eq!(list.accounts[0].institution.name.as_deref(), Some("Bank"));
    let class = |id: &str| set.account(CALL, id).err().map(|error| error.class);
    assert_eq!(class("A1"), None);
    assert_eq!(class("A2"), Some(ErrorClass::ConsentExpired));
    assert_eq!(class("A9"), Some(ErrorClass::NotFound));
    let third = set.account(CALL, "A3").unwrap();
    assert!(third.lacks_data && !third.is_doubtful);
    let notices =
        ["A bank asks for a new consent.", "The provider lacks data of Bank."].map(str::to_owned);
    assert_eq!(
        (list.notices, &set.sentences[..]),
        (notices.to_vec(), &["secret text".to_owned()][..])
    );
    assert_eq!(third.snapshot.currency, StatedCurrency::Unknown);
    assert_eq!(third.unreadable[0].problem, RowProblem::Currency, "points aren't money");
    let holding = &third.holdings.as_ref().unwrap().rows[0];
    assert_eq!((holding.price, holding.stated_cost), (None, None));
    assert_eq!(holding.purchase_price.map(|price| price.to_string()).as_deref(), Some("200"));
}

/// A sentence may be about a bank that has no accounts any more: nothing is missing for that.
#[test]
fn a_problem_that_names_no_known_bank_leaves_the_accounts_whole() {
    for problems in [
        r#""errors":["Connection to Old Bank may need attention"]"#,
        r#""errlist":[{"code":"gen.api","msg":"x"}]"#,
    ] {
        let json = format!(
            r#"{{{problems},"accounts":[{{"id":"A1","org":{{"name":"Summit"}},"balance":"1"}}]}}"#
        );
        let set = AccountSet::read(CALL, json.as_bytes()).unwrap();
        let account = set.account(CALL, "A1").unwrap();
        assert!(account.is_doubtful && !account.lacks_data, "{problems}");
        let notice = "The provider reports a problem with the connection.".to_owned();
        assert_eq!(set.accounts_snapshot().notices, [notice]);
    }
}

#[test]
fn refused_credentials_are_no_empty_list() {
    let error = AccountSet::read(CALL, br#"{"errlist":[{"code":"gen.auth"}],"accounts":[]}"#).err();
    assert_eq!(error.map(|error| error.class), Some(ErrorClass::Auth));
    let error = AccountSet::read(CALL, br#"{"errors":[]}"#).err();
    assert_eq!(error.map(|error| error.class), Some(ErrorClass::InvalidResponse));
}
