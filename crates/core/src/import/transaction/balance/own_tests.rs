use super::*;

/// In whole units of the currency.
fn own(sense: Sense, classification: Classification, before: i64, after: Option<i64>) -> String {
    let unit = 10_i64.pow(Currency::EUR.scale());
    let ends = BalanceEnds {
        account: String::new(),
        currency: Currency::EUR,
        first_day: "2026-01-02".parse().unwrap(),
        opening: Some(100 * unit),
        last_day: "2026-01-31".parse().unwrap(),
        closing: Some(130 * unit),
        sum: Some(30 * unit),
    };
    let account = ("Main".to_owned(), classification);
    let after = after.map(|after| after * unit);
    let own = OwnBalances::new(account, (&ends, sense), before * unit, after).unwrap();
    own.text(|day| day.to_string()).unwrap()
}

#[test]
fn an_account_is_compared_with_the_file_in_the_sense_of_the_file() {
    use Classification::{Asset, Liability};
    let equal = "Main has €100.00 before 2026-01-02, as in the file, and will have €130.00 after \
                 2026-01-31, as in the file";
    for (sense, classification, before, after, expected) in [
        (Sense::Money, Asset, 100, Some(130), equal),
        (Sense::Debt, Liability, 100, Some(130), equal),
        (Sense::Money, Liability, -100, Some(-130), equal),
        (Sense::Debt, Asset, -100, Some(-130), equal),
        (
            Sense::Money,
            Asset,
            0,
            Some(131),
            "Main has €0.00 before 2026-01-02, €100.00 less than in the file, and will have \
             €131.00 after 2026-01-31, €1.00 more than in the file",
        ),
        (
            Sense::Debt,
            Asset,
            100,
            None,
            "Main has -€100.00 before 2026-01-02, €200.00 less than in the file",
        ),
    ] {
        assert_eq!(own(sense, classification, before, after), expected);
    }
}

#[test]
fn without_an_end_in_the_file_there_is_nothing_to_compare() {
    let ends = BalanceEnds {
        account: String::new(),
        currency: Currency::EUR,
        first_day: "2026-01-02".parse().unwrap(),
        opening: None,
        last_day: "2026-01-31".parse().unwrap(),
        closing: None,
        sum: None,
    };
    let account = ("Main".to_owned(), Classification::Asset);
    let own = OwnBalances::new(account, (&ends, Sense::Money), 1, Some(2)).unwrap();
    assert_eq!(own.text(|day| day.to_string()), None);
    let alone = own.own_text(|day| day.to_string());
    assert_eq!(alone, "Main has €0.00 before 2026-01-02, and will have €0.00 after 2026-01-31");
    let half = OwnBalances { after: Some(Compared { own: 0, file: Some(0) }), ..own };
    let expected = "Main will have €0.00 after 2026-01-31, as in the file";
    assert_eq!(half.text(|day| day.to_string()).as_deref(), Some(expected));
}
