//! Which fees and taxes beside the amounts come off.

use super::*;
use crate::import::transaction::Interpreter;

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
    // The price contains it.
    let purchases = ["Date;Amount;Tax", "2024-05-15;-10.00;1.60", "2024-05-16;-20.00;3.19"];
    assert_eq!(problems(&purchases), [""; 0]);
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
        "2024-05-18;30.00;0.00;4.79;30.00",
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
