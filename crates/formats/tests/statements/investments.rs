//! OFX statements of investments.

use std::ops::ControlFlow;

use purser_formats::statements::model::{Entry, PositionFacts, SecurityFacts};
use purser_formats::statements::trades::write_trades;
use purser_formats::statements::{Event, OneFile, StatementFormat, read};

use crate::reading::read_text;

const FILE: &str = "OFXHEADER:100\n\n<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1<INVSTMTRS>\n\
    <DTASOF>20240131<CURDEF>USD<INVACCTFROM><BROKERID>broker.example<ACCTID>77</INVACCTFROM>\n\
    <INVTRANLIST><DTSTART>20240101<DTEND>20240131\n\
    <BUYSTOCK><INVBUY><INVTRAN><FITID>1<DTTRADE>20240103<DTSETTLE>20240105<MEMO>Buy</INVTRAN>\
    <SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID><UNITS>10.5<UNITPRICE>100.125\
    <COMMISSION>1.00<FEES>0<TOTAL>-1052.31<SUBACCTSEC>CASH</INVBUY><BUYTYPE>BUY</BUYSTOCK>\n\
    <INCOME><INVTRAN><FITID>2<DTTRADE>20240110</INVTRAN><SECID><UNIQUEID>037833100\
    <UNIQUEIDTYPE>CUSIP</SECID><INCOMETYPE>DIV<TOTAL>3.20</INCOME>\n\
    <SPLIT><INVTRAN><FITID>3<DTTRADE>20240111</INVTRAN><SECID><UNIQUEID>037833100\
    <UNIQUEIDTYPE>CUSIP</SECID><OLDUNITS>10.5<NEWUNITS>21</SPLIT>\n\
    <SELLMF><INVSELL><INVTRAN><FITID>4<DTTRADE>20240112</INVTRAN><UNITS>-1<UNITPRICE>5</INVSELL>\
    <SELLTYPE>SELL</SELLMF>\n\
    <INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240115<TRNAMT>500.00<FITID>5<NAME>Deposit\
    </STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN>\n\
    </INVTRANLIST><INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP\
    </SECID><UNITS>21<UNITPRICE>51.5<MKTVAL>1081.50<DTPRICEASOF>20240131</INVPOS></POSSTOCK>\
    </INVPOSLIST><INVBAL><AVAILCASH>12.34<MARGINBALANCE>0<SHORTBALANCE>0</INVBAL>\n\
    </INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1><SECLISTMSGSRSV1><SECLIST><STOCKINFO><SECINFO>\
    <SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Apple<TICKER>AAPL</SECINFO>\
    </STOCKINFO></SECLIST></SECLISTMSGSRSV1></OFX>";

fn shown(entry: &Entry) -> String {
    let trade = entry.trade.as_ref();
    let units = trade.and_then(|trade| trade.units).map(|units| units.to_string());
    let charges = trade.map(|trade| trade.charges.len()).unwrap_or_default();
    format!(
        "{} {} {:?} {units:?} {charges}",
        entry.booked_on.unwrap(),
        entry.amount,
        trade.map(|trade| trade.action.as_str()),
    )
}

#[test]
fn trades_and_cash_are_entries() {
    let read = read_text(StatementFormat::Ofx, FILE.as_bytes()).unwrap().remove(0);
    let entries: Vec<String> = read.entries.iter().map(shown).collect();
    assert_eq!(
        entries,
        [
            "2024-01-03 -1052.31 Some(\"BUYSTOCK BUY\") Some(\"10.5\") 1",
            "2024-01-10 3.20 Some(\"INCOME DIV\") None 0",
            "2024-01-11 0 Some(\"SPLIT\") None 0",
            "2024-01-15 500.00 None None 0",
        ]
    );
    assert_eq!(read.unreadable[0].reasons, ["It has no TOTAL"]);
    assert_eq!(read.unreadable[0].location.line, 9);
    assert_eq!(read.statement.account.kind.as_deref(), Some("INVESTMENT"));
    assert_eq!(read.statement.account.bank.as_deref(), Some("broker.example"));
    let security = read.entries[0].trade.as_ref().unwrap().security.clone();
    assert_eq!(security, Some(("037833100".to_owned(), "CUSIP".to_owned())));
    assert_eq!(read.statement.balances[0].amount.to_string(), "12.34");
}

#[test]
fn positions_and_securities_are_events_of_their_own() {
    let mut positions: Vec<PositionFacts> = Vec::new();
    let mut securities: Vec<SecurityFacts> = Vec::new();
    let mut each = |event| {
        match event {
            Event::Position(position) => positions.push(*position),
            Event::Security(security) => securities.push(*security),
            _ => {}
        }
        ControlFlow::Continue(())
    };
    read(StatementFormat::Ofx, FILE.as_bytes(), &mut each).unwrap();
    assert_eq!(positions.len(), 1);
    assert_eq!(positions[0].units.unwrap().to_string(), "21");
    assert_eq!(positions[0].value.unwrap().to_string(), "1081.50");
    assert_eq!(securities[0].ticker.as_deref(), Some("AAPL"));
    assert_eq!(securities[0].id, positions[0].security);
}

#[test]
fn a_buy_of_an_unknown_security_leaves_no_opening_known() {
    let opening = |file: &str| {
        let mut table = Vec::new();
        let open = || Ok(file.as_bytes());
        write_trades(&mut OneFile(StatementFormat::Ofx, open), &mut table).unwrap();
        String::from_utf8(table).unwrap().contains("Held before the statement")
    };
    let sold = FILE.find("<SELLMF>").unwrap();
    let end = FILE.find("</SELLMF>\n").unwrap();
    let readable = format!("{}{}", &FILE[..sold], &FILE[end + "</SELLMF>\n".len()..]);
    let readable = readable.replace("<OLDUNITS>10.5<NEWUNITS>21", "<OLDUNITS>1<NEWUNITS>1");
    assert!(opening(&readable), "{readable}");
    let buy = "<SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID><UNITS>10.5";
    assert!(!opening(&readable.replace(buy, "<UNITS>10.5")));
}
