use super::{Tables, begin};

const EXPORT: &str = include_str!("tables_tests.ndjson");

#[test]
fn each_record_is_a_row_of_its_table() {
    let mut tables = Tables::default();
    let (mut transactions, mut trades) = (Vec::new(), Vec::new());
    begin(&mut transactions, &mut trades).unwrap();
    tables.take(EXPORT.as_bytes(), &mut transactions, &mut trades).unwrap();
    let lists = tables.lists().unwrap().into_iter();
    let lists: Vec<(&str, String)> =
        lists.map(|(name, table)| (name, String::from_utf8(table).unwrap())).collect();
    assert_eq!(
        lists,
        [
            (
                "accounts.csv",
                "name,account type,subtype,opening balance,currency,balance date\n\
                 '=Giro,Depository,,-2.00,EUR,\nBox,Depository,,70.00,EUR,2026-01-01\n"
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
    assert_eq!(
        String::from_utf8(transactions).unwrap(),
        "date,name,money out,money in,currency,account,category,tags,notes,external id\n\
         2026-01-02,\"'-Shop; \"\"one\"\"\",12.50,,EUR,'=Giro,Food:Bread,a\\,b,,x\n"
            .replace("a\\,b", "\"a\\,b\"")
            + "2026-01-03,One,,1.00,EUR,'=Giro,Food,,,\n2026-01-03,Other,,2.00,EUR,'=Giro,,,,\n"
    );
    assert_eq!(
        String::from_utf8(trades).unwrap(),
        "date,type,ticker,exchange_operating_mic,isin,security,quantity,price,fee,amount,cost,\
         currency,split ratio,account,name,notes,external id\n\
         2026-01-04,transfer in,ACM,,US0378331005,Acme,5.0,,,,0.00,EUR,,'=Giro,A gift,,\n\
         2026-01-05,buy,ACM,,US0378331005,Acme,5.0,2.0,1.00,-11.00,,EUR,,'=Giro,,,'=7\n"
    );
}

#[test]
fn only_numbers_are_written_as_they_are() {
    for (cell, is_number) in [
        ("-12.50", true),
        ("7", true),
        ("-1-2", false),
        ("-2024-01-01", false),
        ("1.2.3", false),
        ("-", false),
        ("", false),
        (".5", false),
    ] {
        assert_eq!(super::cells::is_number(cell), is_number, "{cell}");
    }
    for (number, written) in [("12.345", "12.3450"), ("-1.500", "-1.5000"), ("12.34", "12.34")] {
        assert_eq!(super::unmistakable(number), written);
    }
}
