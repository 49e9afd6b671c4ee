//! What can be spent judges rows, and states no balance of the account.

use super::*;

const CARD: &str = "Account,Date,Text,Amount,Available credit\n\
    Visa,2026-05-01,Hotel,-100.00,4400.00\n\
    Visa,2026-05-02,Fuel,-40.00,4360.00\n\
    Visa,2026-05-03,Payment,500.00,4860.00\n\
    Visa,2026-05-04,Bakery,-10.00,4850.00\n";
const LINES: &str = "Date,Text,Amount,Available balance\n\
    2026-04-30,Opening balance,100.00,\n\
    2026-05-01,Hotel,-10.00,1090.00\n\
    2026-05-02,Fuel,-20.00,1070.00\n\
    2026-05-03,Salary,50.00,1120.00\n\
    2026-05-04,Closing balance,120.00,\n";

/// The openings that the file states of its accounts.
fn openings(file: &File) -> Vec<Option<i64>> {
    let layout = file.analysed().layout;
    let ends = layout.stated_ends().map(|(ends, _)| ends.to_vec()).unwrap_or_default();
    ends.iter().map(|ends| ends.opening.map(|amount| amount / 100)).collect()
}

#[test]
fn what_can_be_spent_judges_rows_and_gives_no_ends() {
    for name in ["Available credit", "Disponible", "Verfügbarer Betrag", "可用余额"] {
        let text = CARD.replace("Available credit", name);
        let analysis = file(&text).analysed();
        assert_eq!((analysis.valid, analysis.layout.problems), (4, vec![]), "{name}");
        let balance = analysis.layout.balance.unwrap();
        assert_eq!((balance.proofs, balance.ends), (3, vec![]), "{name}");
        assert_eq!(openings(&file(&text)), [], "{name}");
        let wrong = file(&text.replace("-40.00", "-41.00")).analysed();
        assert_eq!((wrong.valid, wrong.findings[0].line), (3, 3), "{name}");
    }
    // No label makes it a balance of the account.
    let named = file(CARD).set("balance_col_label", "Available credit");
    assert_eq!(openings(&named), []);
    let balance = CARD.replace("Available credit", "Balance");
    assert_eq!(openings(&file(&balance)), [Some(450_000)]);
}

#[test]
fn lines_state_balances_beside_what_can_be_spent() {
    assert_eq!(file(LINES).problems(), [""; 0]);
    assert_eq!(openings(&file(LINES)), [Some(10_000)]);
    // They are compared with the rows, as if there were no column.
    let wrong = file(&LINES.replace("120.00,\n", "121.00,\n")).problems();
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("do not agree"), "{wrong:?}");
    // In the column they are what could be spent.
    let inside = LINES.replace("100.00,\n", ",1100.00\n").replace("120.00,\n", ",1120.00\n");
    assert_eq!((file(&inside).problems(), openings(&file(&inside))), (vec![], vec![]));
}
