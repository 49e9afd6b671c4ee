use super::Tables;

const EXPORT: &str = concat!(
    r##"{"type":"Account","data":{"id":"a","name":"=Giro","accountable_type":"Depository","currency":"EUR","balance":"1.00","opening_balance":"-2.00","status":"active"}}"##,
    "\n",
    r##"{"type":"Category","data":{"id":"c","name":"Food","color":"#336699"}}"##,
    "\n",
    r##"{"type":"Category","data":{"id":"d","name":"Bread","parent_id":"c"}}"##,
    "\n",
    r##"{"type":"Tag","data":{"id":"t","name":"a,b"}}"##,
    "\n",
    r##"{"type":"Merchant","data":{"id":"m","name":"@home","website_url":"x.example"}}"##,
    "\n",
    r##"{"type":"Security","data":{"id":"s","ticker":"ACM","kind":"stock","isin":"US0378331005","name":"Acme"}}"##,
    "\n",
    r##"{"type":"Transaction","data":{"id":"1","account_id":"a","date":"2026-01-02","amount":"12.50","currency":"EUR","name":"-Shop; \"one\"","category_id":"d","tag_ids":["t"],"external_id":"x"}}"##,
    "\n",
    r##"{"type":"Transaction","data":{"id":"2","account_id":"a","date":"2026-01-03","amount":"-3.00","currency":"EUR","name":"Two","split_lines":[{"id":"3","amount":"-1.00","name":"One","category_id":"c"},{"id":"4","amount":"-2.00","name":"Other"}]}}"##,
    "\n",
    r##"{"type":"Transaction","data":{"id":"5","account_id":"a","date":"2026-01-03","amount":"9.00","currency":"EUR","name":"Waits","pending":true}}"##,
    "\n",
    r##"{"type":"Trade","data":{"id":"6","account_id":"a","security_id":"s","ticker":"ACM","date":"2026-01-04","trade_type":"transfer_in","qty":"5.0","price":"0.0","amount":"0.00","currency":"EUR"}}"##,
    "\n",
    r##"{"type":"Trade","data":{"id":"7","account_id":"a","security_id":"s","ticker":"ACM","date":"2026-01-05","trade_type":"buy","qty":"5.0","price":"2.0","fee":"1.00","amount":"11.00","currency":"EUR"}}"##,
    "\n",
    r##"{"type":"Rule","version":1,"data":{"id":"r","name":"R","resource_type":"transaction","active":true,"position":1,"conditions":[{"type":"transaction_category","operator":"=","value":"c","value_ref":{"type":"Category","id":"c","name":"Food"}}],"actions":[]}}"##,
    "\n",
);

#[test]
fn each_record_is_a_row_of_its_table() {
    let mut tables = Tables::default();
    tables.observe(EXPORT.as_bytes()).unwrap();
    let lists: Vec<(&str, String)> =
        tables.lists().map(|(name, table)| (name, String::from_utf8(table).unwrap())).collect();
    assert_eq!(
        lists,
        [
            (
                "accounts.csv",
                "name,account type,subtype,opening balance,currency\n\
                 '=Giro,Depository,,-2.00,EUR\n"
                    .to_owned()
            ),
            (
                "categories.csv",
                "name,color,parent_category,lucide_icon\nFood,#336699,,\nBread,,Food,\n".to_owned()
            ),
            ("merchants.csv", "name,color,website_url\n'@home,,x.example\n".to_owned()),
            (
                "rules.csv",
                "name,resource_type,active,effective_date,conditions,actions\n\
                 R,transaction,true,,\"[{\"\"operator\"\":\"\"=\"\",\
                 \"\"type\"\":\"\"transaction_category\"\",\"\"value\"\":\"\"Food\"\"}]\",[]\n"
                    .to_owned()
            ),
        ]
    );
    let mut transactions = Vec::new();
    Tables::begin_transactions(&mut transactions).unwrap();
    tables.transactions(EXPORT.as_bytes(), &mut transactions).unwrap();
    assert_eq!(
        String::from_utf8(transactions).unwrap(),
        "date,name,money out,money in,currency,account,category,tags,notes,external id\n\
         2026-01-02,\"'-Shop; \"\"one\"\"\",12.50,,EUR,'=Giro,Food:Bread,a\\,b,,x\n"
            .replace("a\\,b", "\"a\\,b\"")
            + "2026-01-03,One,,1.00,EUR,'=Giro,Food,,,\n2026-01-03,Other,,2.00,EUR,'=Giro,,,,\n"
    );
    let mut trades = Vec::new();
    Tables::begin_trades(&mut trades).unwrap();
    tables.trades(EXPORT.as_bytes(), &mut trades).unwrap();
    assert_eq!(
        String::from_utf8(trades).unwrap(),
        "date,type,ticker,exchange_operating_mic,isin,security,quantity,price,fee,amount,currency,\
         split ratio,account,notes\n\
         2026-01-04,transfer in,ACM,,US0378331005,Acme,5.0,,,,EUR,,'=Giro,\n\
         2026-01-05,buy,ACM,,US0378331005,Acme,5.0,2.0,1.00,-11.00,EUR,,'=Giro,\n"
    );
}
