//! Currencies and fees that no name of a column explains.

use super::*;
use crate::import::transaction::Interpreter;

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

fn fees(lines: &[&str]) -> (Vec<String>, Option<AmountSource>, Option<usize>) {
    let layout = found(lines);
    (texts(&layout.problems), layout.amount, layout.columns.fee)
}

#[test]
fn fees_are_found_by_their_names_and_in_each_account() {
    for fee in ["Transaction fee", "Bank charges", "Auslandseinsatzentgelt", "Bankkosten"] {
        let header = format!("Date;Amount;{fee}");
        let rows = ["2024-05-15;-10.00;3.20", "2024-05-16;20.00;free", "2024-05-17;-5.00;1.50"];
        let lines = [&[header.as_str()][..], &rows].concat();
        assert_eq!(fees(&lines).0.len(), 1, "{fee}");
    }
    // The balance shows nothing of the oldest amount of each account.
    let groups = [
        "Date;Account;Text;Amount;Fee;Balance",
        "2024-05-01;A;x;-10.00;0.00;90.00",
        "2024-05-02;A;y;20.00;0.00;110.00",
        "2024-05-03;B;z;-100.00;3.20;896.80",
        "2024-05-04;B;u;-5.00;0.00;891.80",
    ];
    assert_eq!(fees(&groups).0.len(), 1);
}

#[test]
fn fees_that_nothing_proves_are_a_question() {
    let signed = |column| Some(AmountSource::Signed { column });
    let asked = "\"Fee\" has fees, and nothing shows whether \"Amount\" contains them: say whether \
                 they come off beside the amounts";
    let open = ["Date;Amount;Fee", "2024-05-15;-10.00;0.00", "2024-05-16;20.00;0.20"];
    assert_eq!(fees(&open), (vec![asked.to_owned()], signed(1), None));
    let free = ["Date;Amount;Fee", "2024-05-15;-10.00;0.00", "2024-05-16;20.00;"];
    assert_eq!(fees(&free), (vec![], signed(1), None));
    let net =
        ["Date;Amount;Fee;Net", "2024-05-15;100.00;3.20;96.80", "2024-05-16;-20.00;0.00;-20.00"];
    assert_eq!(fees(&net), (vec![], signed(3), None));
    let gross =
        ["Date;Gross;Fee;Amount", "2024-05-15;100.00;-3.20;96.80", "2024-05-16;-20.00;0.00;-20.00"];
    assert_eq!(fees(&gross), (vec![], signed(3), None));
    for refunded in [
        ["Date;Amount;Fee;Net", "2024-05-15;100.00;3.20;96.80", "2024-05-16;-20.00;-0.80;-19.20"],
        ["Date;Amount;Fee;Net", "2024-05-15;100.00;-3.20;96.80", "2024-05-16;-20.00;0.80;-19.20"],
    ] {
        assert_eq!(fees(&refunded), (vec![], signed(3), None));
    }
    for other in ["Kostenstelle", "Kostenart", "Provisionsnummer", "Fee code", "Commission type"] {
        let header = format!("Date;Amount;{other}");
        let lines = [header.as_str(), "2024-05-15;-10.00;4711", "2024-05-16;20.00;4712"];
        assert_eq!(fees(&lines), (vec![], signed(1), None), "{other}");
    }
    for lines in [
        &["Date;Debit;Credit;Fee", "2024-05-15;100.00;;3.20", "2024-05-16;;50.00;0.00"][..],
        &["Date;Type;Amount;Fee", "2024-05-15;Debit;100.00;3.20", "2024-05-16;Credit;50.00;0.00"],
    ] {
        let asked = found(lines).problems;
        assert!(matches!(asked[..], [LayoutProblem::UnknownFee { .. }]), "{lines:?} {asked:?}");
        let layout = layout(lines, &sent(&[("fee_col_label", "Fee")]));
        assert_eq!(layout.problems, [], "{lines:?}");
        let currencies = HashMap::new();
        let interpreter = Interpreter::new(&layout, context(None, &currencies)).unwrap();
        let amount = |row: usize| {
            let cells: CellsBuf = lines[row].split(';').collect();
            interpreter.amount_of(1, cells.as_cells()).map(|money| money.amount)
        };
        assert_eq!((amount(1), amount(2)), (Some(1_032_000), Some(-500_000)), "{lines:?}");
    }
    let called = ["Date;Net amount;Fee", "2024-05-15;96.80;3.20", "2024-05-16;-20.00;0.00"];
    assert_eq!(fees(&called), (vec![], signed(1), None));
    let words = ["Date;Amount;Tipo de documento", "2024-05-15;96.80;3", "2024-05-16;-20.00;4"];
    assert_eq!(fees(&words), (vec![], signed(1), None));
    // The oldest row is proven by no balance.
    let oldest = [
        "Date;Amount;Fee;Balance",
        "2024-05-15;-10.00;0.20;90.00",
        "2024-05-16;20.00;0.00;110.00",
        "2024-05-17;-5.00;0.00;105.00",
        "2024-05-18;-5.00;0.00;100.00",
    ];
    assert_eq!(fees(&oldest).0, [asked]);
    let mut inside = oldest;
    inside[2] = "2024-05-16;20.00;0.50;110.00";
    assert_eq!(fees(&inside).0, [""; 0]);
    inside[2] = "2024-05-16;20.50;0.50;110.00";
    assert_eq!(fees(&inside).2, Some(2));
    for (label, fee) in [("Fee", Some(2)), ("-", None)] {
        let layout = layout(&oldest, &sent(&[("fee_col_label", label)]));
        assert_eq!((layout.problems, layout.columns.fee), (vec![], fee), "{label}");
    }
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
    assert_eq!(layout_into(&lines, &Settings::default(), Some(asset)).columns.currency, None);
}

/// What was booked of interest before taxes.
fn booked(lines: &[&str], settings: &Settings) -> Vec<i64> {
    let layout = layout(lines, settings);
    assert_eq!(layout.problems, [], "{lines:?}");
    let currencies = HashMap::new();
    let interpreter = Interpreter::new(&layout, context(None, &currencies)).unwrap();
    let amount = |line: &&str| {
        let cells: CellsBuf = line.split(';').collect();
        interpreter.amount_of(1, cells.as_cells()).unwrap().amount / -100
    };
    lines[1..].iter().map(amount).collect()
}

#[test]
fn taxes_beside_the_amount_are_a_question() {
    for (tax, is_asked) in
        [("Withholding tax", true), ("Kapitalertragsteuer", true), ("VAT", false), ("MwSt", false)]
    {
        let header = format!("Date;Amount;{tax}");
        let lines = [header.as_str(), "2024-05-15;10.00;-2.64", "2024-05-16;-20.00;0.00"];
        let asked = format!(
            "\"{tax}\" has taxes, and nothing shows whether \"Amount\" contains them: say whether \
             they come off beside the amounts"
        );
        let asked = if is_asked { vec![asked] } else { Vec::new() };
        assert_eq!(problems(&lines), asked, "{tax}");
    }
    let lines =
        ["Date;Amount;Fee;Tax", "2024-05-15;10.00;0.50;-2.64", "2024-05-16;-20.00;0.20;0.00"];
    let asked = "\"Fee\" and \"Tax\" have fees and taxes, and nothing shows whether \"Amount\" \
                 contains them: say which of them come off beside the amounts";
    assert_eq!(problems(&lines), [asked]);
    let records: Vec<Vec<String>> =
        lines[1..].iter().map(|row| row.split(';').map(str::to_owned).collect()).collect();
    let currencies = HashMap::new();
    let shown = questions(&found(&lines), context(None, &currencies), &records);
    let answers = shown[0].answers.iter().map(|answer| {
        let (setting, value) = &answer.settings[0];
        let rows = answer.rows.iter().map(|row| row.amount.unwrap().amount / -100);
        let read = booked(&lines, &sent(&[(setting, value)]));
        assert_eq!(rows.collect::<Vec<i64>>(), read, "{value}");
        (value.clone(), answer.meaning.clone(), read)
    });
    let expected = [
        ("Fee | Tax", "the fees and taxes in \"Fee\" and \"Tax\" come off", [68_600, -202_000]),
        ("Fee", "the fees in \"Fee\" come off", [95_000, -202_000]),
        ("Tax", "the taxes in \"Tax\" come off", [73_600, -200_000]),
        ("-", "the amounts are what was booked", [100_000, -200_000]),
    ];
    assert_eq!(answers.len(), expected.len());
    for ((value, meaning, read), expected) in answers.zip(expected) {
        assert_eq!((value.as_str(), read), (expected.0, expected.2.map(|it| it / 100).to_vec()));
        assert!(meaning.starts_with(expected.1), "{meaning}");
    }
    let refused = Kind::Transaction.layout(
        Preface::below(lines[0], Separator::Semicolon),
        &sent(&[("fee_col_label", "Fee | Taxes")]),
    );
    assert!(refused.is_err());
}

/// The price contains the tax, and the net amount is without the fee.
#[test]
fn a_net_amount_may_be_without_some_of_the_fees() {
    let lines = [
        "Date;Amount;Fee;Tax;Net",
        "2024-05-15;-10.00;0.50;1.60;-10.50",
        "2024-05-16;-20.00;0.20;3.19;-20.20",
        "2024-05-17;-5.00;0.00;0.80;-5.00",
    ];
    let layout = found(&lines);
    assert_eq!(layout.problems, []);
    assert_eq!(layout.amount, Some(AmountSource::Signed { column: 4 }));
}

/// Each column comes off only as far as the balances prove it.
#[test]
fn balances_prove_which_fees_and_taxes_come_off() {
    let header = "Date;Amount;Fee;Tax;Balance";
    let of = |balances: [&str; 5], rows: [&str; 5]| {
        let rows: Vec<String> =
            rows.iter().zip(balances).map(|(row, balance)| format!("{row};{balance}")).collect();
        let lines: Vec<&str> =
            [header].into_iter().chain(rows.iter().map(String::as_str)).collect();
        let layout = found(&lines);
        (layout.columns.fees().collect::<Vec<usize>>(), texts(&layout.problems))
    };
    let rows = [
        "2024-05-15;-10.00;0.00;0.00",
        "2024-05-16;20.00;0.50;0.00",
        "2024-05-17;10.00;0.00;-2.64",
        "2024-05-18;-5.00;0.00;0.00",
        "2024-05-19;-5.00;0.00;0.00",
    ];
    let both = ["90.00", "109.50", "116.86", "111.86", "106.86"];
    assert_eq!(of(both, rows), (vec![2, 3], vec![]));
    let tax_alone = ["90.00", "110.00", "117.36", "112.36", "107.36"];
    assert_eq!(of(tax_alone, rows), (vec![3], vec![]));
    let none = ["90.00", "110.00", "120.00", "115.00", "110.00"];
    assert_eq!(of(none, rows), (vec![], vec![]));
    // No balance shows the oldest amount, so that the tax there is asked about.
    let oldest = [
        "2024-05-15;10.00;0.00;-2.64",
        "2024-05-16;20.00;0.50;0.00",
        "2024-05-17;-5.00;0.00;0.00",
        "2024-05-18;-5.00;0.00;0.00",
        "2024-05-19;-5.00;0.00;0.00",
    ];
    let (fees, asked) = of(["90.00", "109.50", "104.50", "99.50", "94.50"], oldest);
    assert_eq!((fees, asked.len()), (vec![2], 1));
    assert!(asked[0].starts_with("\"Tax\" has taxes"), "{asked:?}");
}

/// A fee that came back is none that comes off once more.
#[test]
fn a_fee_with_another_sign_than_most_is_no_row() {
    let lines = [
        "Date;Amount;Fee;Tax",
        "2024-05-15;10.00;0.50;-2.64",
        "2024-05-16;-20.00;0.20;-0.10",
        "2024-05-17;-5.00;-0.30;0.00",
        "2024-05-18;-5.00;0.00;1.00",
        "2024-05-19;-5.00;0.00;0.00",
    ];
    let of = |label: &str| {
        let layout = layout(&lines, &sent(&[("fee_col_label", label)]));
        let currencies = HashMap::new();
        let interpreter = Interpreter::new(&layout, context(None, &currencies)).unwrap();
        let is_row = |line: &&str| {
            let cells: CellsBuf = line.split(';').collect();
            interpreter.amount_of(1, cells.as_cells()).is_some()
        };
        lines[1..].iter().map(is_row).collect::<Vec<bool>>()
    };
    assert_eq!(of("Fee | Tax"), [true, true, false, false, true]);
    assert_eq!(of("Fee"), [true, true, false, true, true]);
    assert_eq!(of("-"), [true; 5]);
}

/// Where an amount abroad stands beside, the cells show whether a plain currency is that of the
/// purchase; else it is asked about.
#[test]
fn a_plain_currency_beside_an_amount_abroad_is_decided_by_the_cells() {
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let (taken, left, asked) = ((Some(true), 0), (None, 0), (None, 1));
    let abroad = "Date;Merchant;Transaction amount;Currency;Billing amount";
    let beside = "Date;Merchant;Amount;Currency;Original amount";
    for (header, rows, account, expected) in [
        (abroad, ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-20,00"], Some(asset), left),
        (beside, ["x;-46,10;USD;-50,00", "y;-20,00;EUR;-20,00"], Some(asset), left),
        (
            "Date;Merchant;Foreign amount;Currency;Amount",
            ["x;50;USD;-46,10", "y;20;EUR;-20,00"],
            Some(asset),
            left,
        ),
        (
            "Date;Merchant;Amount;Currency;Billing amount",
            ["x;50;USD;-46,10", "y;20;EUR;-20,00"],
            Some(asset),
            left,
        ),
        // Purchases in the account's currency show it, or none.
        (abroad, ["x;-50,00;USD;-46,10", "y;-20,00;USD;-19,10"], Some(asset), asked),
        (abroad, ["x;-50,00;USD;-46,10", "y;;EUR;-20,00"], Some(asset), asked),
        (abroad, ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-20,00"], None, asked),
        (abroad, ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-21,00"], Some(asset), asked),
        (beside, ["x;-50,00;USD;-46,10", "y;-20,00;USD;-20,00"], None, asked),
        // The account is in dollars, or all is in euros.
        (beside, ["x;-50,00;USD;-50,00", "y;-20,00;USD;"], Some(asset), taken),
        (beside, ["x;-50,00;EUR;-54,00", "y;-20,00;EUR;-20,00"], Some(asset), taken),
        // The place shows it, or another column has that of the purchase.
        (
            "Date;Merchant;Original amount;Amount;Currency",
            ["x;-50,00;-46,10;USD", "y;-20,00;-20,00;USD"],
            Some(asset),
            taken,
        ),
        (
            "Date;Merchant;Original amount;Amount;Currency",
            ["x;-50,00;-46,10;USD", "y;-20,00;-20,00;EUR"],
            Some(asset),
            asked,
        ),
        (
            "Date;Merchant;Local amount;Currency;Amount",
            ["x;-50,00;USD;-46,10", "y;-20,00;EUR;-20,00"],
            Some(asset),
            left,
        ),
        // The account's own currency is none of a purchase.
        (
            "Fecha;Importe original;Currency;Importe;Divisa cuenta",
            ["-50,00;USD;-46,10;EUR", "-20,00;EUR;-20,00;EUR"],
            Some(asset),
            left,
        ),
        (
            "Date;Original currency;Original amount;Currency;Amount",
            ["GBP;-50,00;USD;-46,10", "EUR;-20,00;EUR;-20,00"],
            Some(asset),
            taken,
        ),
    ] {
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
