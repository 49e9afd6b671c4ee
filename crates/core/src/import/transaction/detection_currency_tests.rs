//! Currencies and fees that no name of a column explains.

use super::*;

#[test]
fn a_column_without_a_known_name_may_hold_the_currency() {
    let lines = ["Date;Amount;Xyz", "2024-05-15;-1.00;USD", "2024-05-16;2.00;USD"];
    let asked = "\"Xyz\" has USD, but the amounts would be taken in EUR; say whether that column \
                 is their currency";
    assert_eq!(problems(&lines), [asked]);
    let [header, first, second] = lines;
    for others in [
        [header, first, &second.replace("USD", "CHF")],
        [header, first, &second.replace("USD", "EUR")],
        [header, &first.replace("USD", "EUR"), second],
        [header, first, &second.replace("USD", "")],
        [header, &first.replace("USD", ""), second],
        [&header.replace("Xyz", "Transaction currency;Transaction amount"), first, second],
        [&header.replace("Xyz", "Código divisa"), first, second],
        [&header.replace("Xyz", "Divisa cuenta"), first, second],
    ] {
        assert_eq!(problems(&others).len(), 1, "{others:?}");
    }
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    for (others, account) in [
        ([header, first, &second.replace("USD", "POS")], None),
        ([&header.replace("Xyz", "Divisa original"), first, second], None),
        (
            [&header.replace("Xyz", "Transaction currency;Transaction amount"), first, second],
            Some(asset),
        ),
    ] {
        let problems = layout_into(&others, &Settings::default(), account).problems;
        assert_eq!(problems, [], "{others:?}");
    }
    for others in [
        [header, &first.replace("USD", "EUR"), &second.replace("USD", "EUR")],
        [&header.replace("Xyz", "Original currency"), first, second],
        [&header.replace("Amount", "Amount (EUR)"), first, second],
        [header, &first.replace("1.00", "1.00 EUR"), &second.replace("2.00", "2.00 EUR")],
    ] {
        assert_eq!(found(&others).problems, [], "{others:?}");
    }
    let mut settings = Settings::default();
    for (label, column) in [("Xyz", Some(2)), ("-", None)] {
        settings.labels.currency = Some(label.to_owned());
        let layout = layout(&lines, &settings);
        assert_eq!((layout.problems, layout.columns.currency), (vec![], column), "{label}");
    }
}

#[test]
fn the_currency_above_the_header_is_that_of_a_new_account_or_asked_about() {
    let above = |account, lines: &[&str], settings: &Settings| {
        let mut layout = layout_of(lines, settings);
        layout.currency_above = Currency::parse("CHF");
        complete(&mut layout, lines, settings, account);
        (texts(&layout.problems), layout.amount_currency.map(|one| one.code()))
    };
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let lines = ["Date;Amount", "2024-05-15;-1.00", "2024-05-16;2.00"];
    let none = Settings::default();
    assert_eq!(above(None, &lines, &none), (vec![], Some("CHF")));
    let asked = "The lines above the header name CHF, but the amounts would be taken in EUR: \
                 choose an account in CHF, or say in which of the two they are";
    assert_eq!(above(Some(asset), &lines, &none), (vec![asked.to_owned()], None));
    let francs = TargetAccount { currency: Currency::parse("CHF").unwrap(), ..asset };
    assert_eq!(above(Some(francs), &lines, &none), (vec![], None));
    assert_eq!(above(Some(asset), &lines, &sent(&[("currency_col_label", "-")])), (vec![], None));
    let francs = sent(&[("currency_col_label", "=CHF")]);
    assert_eq!(above(Some(asset), &lines, &francs), (vec![], Some("CHF")));
    let named = ["Date;Amount;Currency", "2024-05-15;-1.00;EUR", "2024-05-16;2.00;EUR"];
    assert_eq!(above(Some(asset), &named, &none), (vec![], None));
    let in_cells = ["Date;Amount", "2024-05-15;-1.00 EUR", "2024-05-16;2.00 EUR"];
    assert_eq!(above(Some(asset), &in_cells, &none), (vec![], None));
}

/// The rows of an account in another currency are not in the one above the header unasked, nor in
/// their own.
#[test]
fn a_currency_above_the_header_must_be_that_of_the_accounts_that_rows_name() {
    let francs = Currency::parse("CHF").unwrap();
    let currencies = HashMap::from([
        ("giro".to_owned(), Currency::EUR),
        ("dollars".to_owned(), Currency::USD),
        ("franken".to_owned(), francs),
    ]);
    for (above, accounts, asked, taken) in [
        (Currency::EUR, ["Giro", "Giro"], None, None),
        (Currency::EUR, ["Giro", "New"], None, None),
        (Currency::EUR, ["Giro", "Dollars"], Some(Currency::USD), None),
        (francs, ["Franken", "Franken"], None, Some(francs)),
        (francs, ["Franken", "New"], None, Some(francs)),
        (francs, ["Franken", "Giro"], Some(Currency::EUR), None),
    ] {
        let [one, other] = accounts.map(|name| format!("2024-05-15;-1.00;{name}"));
        let lines = ["Date;Amount;Account", &one, &other];
        let settings = Settings::default();
        let mut layout = layout_of(&lines, &settings);
        layout.currency_above = Some(above);
        complete_with(&mut layout, &lines, &settings, context(None, &currencies));
        let expected =
            asked.map(|expected| LayoutProblem::CurrencyAbove { found: above, expected });
        assert_eq!(layout.problems, Vec::from_iter(expected), "{above} {accounts:?}");
        assert_eq!(layout.amount_currency, taken, "{above} {accounts:?}");
    }
}

#[test]
fn a_code_in_the_header_that_is_no_currency_of_today_is_a_question() {
    let lines = |header| [header, "2001-01-13;-1000.00;x", "2001-01-15;50.00;y"];
    for header in [
        "Date;Amount (DEM);Text",
        "Datum;Betrag DEM;Text",
        "Date;AMOUNT (LTL);Text",
        "Date;Amount (XYZ);Text",
        "Date;Amount [HRK];Text",
        "Date;金额(XYZ);Text",
    ] {
        let problems = found(&lines(header)).problems;
        let is_code = |one: &LayoutProblem| matches!(one, LayoutProblem::CodeInHeader { .. });
        let is_unknown = |one: &LayoutProblem| matches!(one, LayoutProblem::NoColumn { .. });
        let is_asked = problems.iter().any(|one| is_code(one) || is_unknown(one));
        assert!(is_asked, "{header} {problems:?}");
    }
    let asked = "The amounts in \"Amount (DEM)\" seem to be in a currency that has ended: \"DEM\" \
                 (German Mark) no longer exists: 1.95583 DEM became 1 EUR, so convert the amount \
                 in the file, or say that they are in another one";
    assert_eq!(problems(&lines("Date;Amount (DEM);Text")), [asked]);
    for header in [
        "Date;Amount (EUR);Text",
        "Date;Amount (TTC);Text",
        "Date;AMOUNT (XYZ);Text",
        "Date;Amount (RUR);Text",
        "Date;Amount;Text",
    ] {
        assert_eq!(found(&lines(header)).problems, [], "{header}");
    }
    let known = layout(&lines("Date;Amount (DEM);Text"), &sent(&[("currency_col_label", "-")]));
    assert_eq!(known.problems, []);
}

/// Either currency is an answer, and each is read as the import reads it then.
#[test]
fn a_currency_above_the_header_has_both_answers() {
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let lines = ["Date;Amount", "2024-05-15;-1.00", "2024-05-16;2.00"];
    let currencies = HashMap::new();
    let context = context(Some(asset), &currencies);
    let mut open = layout_of(&lines, &Settings::default());
    open.currency_above = Currency::parse("CHF");
    complete_with(&mut open, &lines, &Settings::default(), context);
    let records: Vec<Vec<String>> =
        lines[1..].iter().map(|row| row.split(';').map(str::to_owned).collect()).collect();
    let asked = questions(&open, context, &records);
    let answers = asked[0].answers.iter().map(|answer| {
        let value = answer.settings[0].1.as_str();
        let read = layout_into(&lines, &sent(&[("currency_col_label", value)]), Some(asset));
        assert_eq!(read.problems, [], "{value}");
        let currency = answer.rows[0].amount.unwrap().currency;
        assert_eq!(currency, read.amount_currency.unwrap_or(asset.currency), "{value}");
        (value.to_owned(), currency.code())
    });
    let expected = [("=CHF".to_owned(), "CHF"), ("-".to_owned(), "EUR")];
    assert_eq!(answers.collect::<Vec<_>>(), expected);
    // What is no currency is none: neither a hyphen nor a word.
    for wrong in ["=", "=-", "=francs"] {
        let preface = Preface::below(lines[0], Separator::Semicolon);
        let refused = Kind::Transaction.layout(preface, &sent(&[("currency_col_label", wrong)]));
        assert!(refused.is_err(), "{wrong}");
    }
}

/// A net amount that the fees prove doesn't bring the currency of the purchase back.
#[test]
fn the_net_amount_leaves_the_currency_of_purchases_aside() {
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let lines = [
        "Date;Merchant;Foreign amount;Currency;Amount;Fee;Net",
        "2026-05-01;Steam;-50.00;USD;-46.10;1.00;-47.10",
        "2026-05-02;Rewe;-20.00;EUR;-20.00;0.50;-20.50",
        "2026-05-03;Ikea;-30.00;EUR;-30.00;0.00;-30.00",
    ];
    let layout = layout_into(&lines, &Settings::default(), Some(asset));
    assert_eq!((layout.columns.currency, layout.problems.len()), (None, 1));
}

/// Whether the plain column is taken into an account, and how many questions there are.
type Decision = (Option<bool>, usize);
const TAKEN: Decision = (Some(true), 0);
const LEFT: Decision = (None, 0);
const ASKED: Decision = (None, 1);
const ASSET: TargetAccount =
    TargetAccount { currency: Currency::EUR, classification: Classification::Asset };

fn require(header: &str, rows: [&str; 2], account: Option<TargetAccount>, expected: Decision) {
    let rows = rows.map(|row| format!("2026-05-01;{row}"));
    let lines = [header, &rows[0], &rows[1]];
    let layout = layout_into(&lines, &Settings::default(), account);
    let currency = layout.columns.currency.map(|it| layout.headers[it] == "Currency");
    assert_eq!((currency, layout.problems.len()), expected, "{lines:?} {:?}", layout.problems);
    let is_asked = |it| matches!(it, &LayoutProblem::UnnamedCurrency { .. });
    assert!(layout.problems.iter().all(is_asked), "{lines:?} {:?}", layout.problems);
    for (label, column) in [("Currency", Some("Currency")), ("-", None)] {
        let sent = layout_into(&lines, &sent(&[("currency_col_label", label)]), account);
        let currency = sent.columns.currency.map(|it| sent.headers[it].as_str());
        assert_eq!((currency, sent.problems), (column, vec![]), "{lines:?} {label}");
    }
}

/// Where an amount abroad stands beside, the cells show whether a plain currency is that of the
/// purchase; else it is asked about.
#[test]
fn a_plain_currency_beside_an_amount_abroad_is_decided_by_the_cells() {
    let abroad = "Date;Merchant;Transaction amount;Currency;Billing amount";
    let beside = "Date;Merchant;Amount;Currency;Original amount";
    for (header, rows, account, expected) in [
        (abroad, ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-20,00"], Some(ASSET), LEFT),
        (beside, ["x;-46,10;USD;-50,00", "y;-20,00;EUR;-20,00"], Some(ASSET), LEFT),
        (
            "Date;Merchant;Foreign amount;Currency;Amount",
            ["x;50;USD;-46,10", "y;20;EUR;-20,00"],
            Some(ASSET),
            LEFT,
        ),
        (
            "Date;Merchant;Amount;Currency;Billing amount",
            ["x;50;USD;-46,10", "y;20;EUR;-20,00"],
            Some(ASSET),
            LEFT,
        ),
        // Purchases in the account's currency show it, or none.
        (abroad, ["x;-50,00;USD;-46,10", "y;-20,00;USD;-19,10"], Some(ASSET), ASKED),
        (abroad, ["x;-50,00;USD;-46,10", "y;;EUR;-20,00"], Some(ASSET), ASKED),
        (abroad, ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-20,00"], None, ASKED),
        (abroad, ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-21,00"], Some(ASSET), ASKED),
        (beside, ["x;-50,00;USD;-46,10", "y;-20,00;USD;-20,00"], None, ASKED),
        // The account is in dollars, or all is in euros.
        (beside, ["x;-50,00;USD;-50,00", "y;-20,00;USD;"], Some(ASSET), TAKEN),
        (beside, ["x;-50,00;EUR;-54,00", "y;-20,00;EUR;-20,00"], Some(ASSET), TAKEN),
    ] {
        require(header, rows, account, expected);
    }
}

#[test]
fn the_place_or_another_column_shows_what_a_plain_currency_is() {
    for (header, rows, expected) in [
        // The place shows it, or another column has that of the purchase.
        (
            "Date;Merchant;Original amount;Amount;Currency",
            ["x;-50,00;-46,10;USD", "y;-20,00;-20,00;USD"],
            TAKEN,
        ),
        (
            "Date;Merchant;Original amount;Amount;Currency",
            ["x;-50,00;-46,10;USD", "y;-20,00;-20,00;EUR"],
            ASKED,
        ),
        (
            "Date;Merchant;Orig amount;Currency;Amount",
            ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-20,00"],
            LEFT,
        ),
        // What is local may be the account's or the purchase's.
        (
            "Date;Merchant;Local amount;Currency;Amount",
            ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-20,00"],
            ASKED,
        ),
        (
            "Date;Merchant;Amount;Currency;Local amount",
            ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-20,00"],
            ASKED,
        ),
        (
            "Date;Merchant;Amount;Currency;Local amount;Local currency",
            ["x;-44,12;USD;-52,00;EUR", "y;-4,50;USD;-4,50;USD"],
            TAKEN,
        ),
        // The account's own currency is none of a purchase.
        (
            "Fecha;Importe original;Currency;Importe;Divisa cuenta",
            ["-50,00;USD;-46,10;EUR", "-20,00;EUR;-20,00;EUR"],
            LEFT,
        ),
        (
            "Date;Original currency;Original amount;Currency;Amount",
            ["GBP;-50,00;USD;-46,10", "EUR;-20,00;EUR;-20,00"],
            TAKEN,
        ),
    ] {
        require(header, rows, Some(ASSET), expected);
    }
}

/// What the balance shows of the directions doesn't bring the currency of purchases back.
#[test]
fn a_balance_leaves_the_currency_of_purchases_aside() {
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let lines = [
        "Date;Foreign amount;Currency;Balance;Debit/Credit;Amount",
        "2026-05-01;-50.00;USD;953.90;Qux;46.10",
        "2026-05-02;-20.00;EUR;933.90;Qux;20.00",
        "2026-05-03;100.00;EUR;1033.90;Zap;100.00",
        "2026-05-04;-9.00;USD;1025.40;Qux;8.50",
        "2026-05-05;-30.00;EUR;995.40;Qux;30.00",
    ];
    let layout = layout_into(&lines, &Settings::default(), Some(asset));
    assert_eq!((layout.columns.currency, texts(&layout.problems)), (None, vec![]));
    assert!(matches!(layout.amount, Some(AmountSource::Directed { .. })), "{:?}", layout.amount);
}
