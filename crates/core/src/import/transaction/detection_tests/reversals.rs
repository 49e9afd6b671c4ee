//! Amounts with a direction of their own and a sign beside it: money that came back.

use super::*;
use crate::import::questions::questions;
use crate::import::transaction::Interpreter;

const RARER: (&str, &str) = ("amount_type_strategy", "direction_and_sign");

#[test]
fn a_minus_among_debits_is_a_question_unless_a_balance_proves_it() {
    let two = ["Date;Debit;Credit", "2024-01-13;5.00;", "2024-01-14;-2.00;", "2024-01-15;;7.00"];
    let headers = vec!["Debit".to_owned(), "Credit".to_owned()];
    assert_eq!(found(&two).problems, [LayoutProblem::MixedSigns { headers }]);
    let confirmed = sent(&[("amount_type_strategy", "direction_and_sign")]);
    let answered = layout(&two, &confirmed);
    assert!(answered.problems.is_empty() && answered.reversals.is_some());
    // Each sign may be the usual one, whichever is more frequent.
    for (strategy, signs) in [
        ("minus_is_reversal", [1, -1, -1]),
        ("plain_is_reversal", [-1, 1, -1]),
        ("direction_and_sign", [1, -1, -1]),
        ("direction_only", [1, 1, -1]),
    ] {
        let answered = layout(&two, &sent(&[("amount_type_strategy", strategy)]));
        assert_eq!(answered.problems, [], "{strategy}");
        assert_eq!(ways_of(&two, &answered), signs, "{strategy}");
    }
    // Clients always send that signs count.
    let by_sign = layout(&two, &sent(&[("amount_type_strategy", "signed_amount")]));
    assert!(matches!(by_sign.problems[..], [LayoutProblem::MixedSigns { .. }]));
    let only = layout(&two, &sent(&[("amount_type_strategy", "direction_only")]));
    assert_eq!((only.problems, only.reversals), (Vec::new(), None), "only how it is written");
    let cosmetic = two.map(|line| line.replace(";5.00", ";-5.00"));
    assert_eq!(found(&cosmetic.each_ref().map(String::as_str)).problems, []);
    let with_balance = [
        "Date;Debit;Credit;Balance",
        "2024-01-13;5.00;;95.00",
        "2024-01-14;-2.00;;97.00",
        "2024-01-15;;7.00;104.00",
    ];
    let proven = found(&with_balance);
    assert!(proven.problems.is_empty() && proven.reversals.is_some(), "{:?}", proven.problems);
}

/// What each row comes to in the ledger: 1 is money out.
fn ways_of(lines: &[&str], layout: &Layout) -> Vec<i64> {
    let currencies = HashMap::new();
    let interpreter = Interpreter::new(layout, context(None, &currencies)).unwrap();
    let read = |(row, number): (&&str, u64)| {
        let cells: CellsBuf = row.split(';').collect();
        interpreter.amount_of(number, cells.as_cells()).unwrap().amount.signum()
    };
    lines[1..].iter().zip(1..).map(read).collect()
}

/// What a person has decided counts for a balance, too, and in the next file.
#[test]
fn a_decided_sign_counts_beside_a_balance_and_in_the_next_file() {
    let answer = sent(&[("amount_type_strategy", "plain_is_reversal")]);
    let lines = [
        "Date;Debit;Credit;Balance",
        "2024-01-13;5.00;;105.00",
        "2024-01-14;4.00;;109.00",
        "2024-01-15;-2.00;;107.00",
        "2024-01-16;;7.00;114.00",
    ];
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    assert_ne!(layout_into(&lines, &Settings::default(), Some(asset)).problems, []);
    let proven = layout_into(&lines, &answer, Some(asset));
    assert_eq!(proven.problems, []);
    assert_eq!(ways_of(&lines, &proven), [-1, -1, 1, -1]);
    let first = ["Date;Debit;Credit", "2024-01-13;5.00;", "2024-01-14;-2.00;", "2024-01-15;;7.00"];
    let known = known_of(&first, "minus_is_reversal");
    let next = ["Date;Debit;Credit", "2024-02-13;-5.00;", "2024-02-14;;-7.00"];
    let signs = ways_of(&next, &layout(&next, &known));
    assert_eq!(signs, [-1, -1], "in which no sign of money in was ever decided");
}

/// What is known in the next file after an answer about a first one.
fn known_of(lines: &[&str], strategy: &str) -> Settings {
    let answer = sent(&[("amount_type_strategy", strategy)]);
    let reversals = layout(lines, &answer).reversals;
    assert!(reversals.is_some());
    let preferred = Formats { reversals, is_strategy_taken: true, ..Formats::default() };
    Settings { preferred, ..answer }
}

#[test]
fn a_decision_is_none_about_a_direction_that_had_one_sign() {
    let columns = |balances: [&str; 4]| {
        let rows = ["-7.00;", ";2000.00", ";1500.00", ";-100.00"];
        let rows = rows.iter().zip(balances);
        let mut lines = vec!["Date;Debit;Credit;Balance".to_owned()];
        lines.extend(rows.map(|(row, balance)| format!("2024-02-13;{row};{balance}")));
        lines
    };
    let first = [
        "Date;Debit;Credit;Balance",
        "2024-01-13;-5.00;;",
        "2024-01-14;-6.00;;",
        "2024-01-15;2.00;;",
        "2024-01-16;;2000.00;",
    ];
    let known = known_of(&first, "plain_is_reversal");
    for balances in [[""; 4], ["93.00", "2093.00", "3593.00", "3493.00"]] {
        let next = columns(balances);
        let next: Vec<&str> = next.iter().map(String::as_str).collect();
        let read = layout(&next, &known);
        // The direction that has both signs for the first time is asked about.
        let asked = matches!(read.problems[..], [LayoutProblem::MixedSigns { .. }]);
        assert_eq!(asked, balances[0].is_empty(), "{:?}", read.problems);
        if !asked {
            assert_eq!(ways_of(&next, &read), [1, -1, -1, 1]);
            continue;
        }
        for (strategy, ways) in [
            ("minus_is_reversal", [-1, -1, -1, 1]),
            ("plain_is_reversal", [1, 1, 1, -1]),
            ("direction_and_sign", [1, -1, -1, 1]),
            ("direction_only", [1, -1, -1, -1]),
        ] {
            let read = layout(&next, &answered(&known, strategy));
            assert_eq!(read.problems, [], "{strategy}");
            assert_eq!(ways_of(&next, &read), ways, "{strategy}");
        }
    }
    let words = ["Date;Amount;D/C", "2024-01-13;50;Debit", "2024-01-14;40;Debit"];
    let first = [words[0], words[1], words[2], "2024-01-15;-5;Debit", "2024-01-16;-2000;Credit"];
    let known = known_of(&first, "minus_is_reversal");
    let next =
        [words[0], "2024-02-13;-2000;Credit", "2024-02-14;-1500;Credit", "2024-02-15;7;Credit"];
    let asked = layout(&next, &known).problems;
    assert!(matches!(asked[..], [LayoutProblem::MixedSigns { .. }]), "{asked:?}");
    let rarer = answered(&known, "direction_and_sign");
    assert_eq!(ways_of(&next, &layout(&next, &rarer)), [-1, -1, 1]);
}

/// A strategy that is sent for a file, in which an earlier one shows what signs mean.
fn answered(known: &Settings, strategy: &str) -> Settings {
    let preferred = Formats { is_strategy_taken: false, ..known.preferred.clone() };
    Settings { preferred, ..sent(&[("amount_type_strategy", strategy)]) }
}

#[test]
fn an_answer_about_one_direction_leaves_what_was_decided_about_the_other() {
    let first = ["Date;Debit;Credit", "2024-01-13;5;", "2024-01-14;6;", "2024-01-15;-2;"];
    let known = known_of(&first, "minus_is_reversal");
    let next = [
        "Date;Debit;Credit",
        "2024-02-13;-5;",
        "2024-02-14;;-2000",
        "2024-02-15;;-1500",
        "2024-02-16;;100",
    ];
    let asked = layout(&next, &known).problems;
    assert!(matches!(asked[..], [LayoutProblem::MixedSigns { .. }]), "{asked:?}");
    let rarer = layout(&next, &answered(&known, "direction_and_sign"));
    assert_eq!(ways_of(&next, &rarer), [-1, -1, -1, 1], "the debit came back, as decided before");
    // And it is kept with what was decided before.
    let preferred =
        Formats { reversals: rarer.reversals, is_strategy_taken: true, ..Formats::default() };
    let later = Settings { preferred, ..sent(&[RARER]) };
    let third = ["Date;Debit;Credit", "2024-03-13;-5;", "2024-03-14;;-2000", "2024-03-15;;100"];
    let read = layout(&third, &later);
    assert_eq!((&read.problems[..], ways_of(&third, &read)), (&[][..], vec![-1, -1, 1]));
}

#[test]
fn the_rarer_sign_is_that_of_the_file_if_another_one_was_decided_before() {
    let first = ["Date;Debit;Credit", "2024-01-13;-5;", "2024-01-14;-6;", "2024-01-15;2;"];
    let known = known_of(&first, "plain_is_reversal");
    let changed = answered(&known, RARER.1);
    let next =
        ["Date;Debit;Credit", "2024-02-13;5;", "2024-02-14;6;", "2024-02-15;7;", "2024-02-16;-1;"];
    assert_eq!(ways_of(&next, &layout(&next, &changed)), [1, 1, 1, -1]);
}

#[test]
fn words_that_contradict_some_signs_are_a_question_under_any_header() {
    for header in ["D/C", "Type"] {
        let lines = [
            &format!("Date;Amount;{header}"),
            "2024-01-02;50.00;Debit",
            "2024-01-03;2000.00;Credit",
            "2024-01-04;900.00;Debit",
            "2024-01-15;-20.00;Debit",
        ];
        for account in [None, Some(Classification::Asset)] {
            let currency = Currency::EUR;
            let account = account.map(|classification| TargetAccount { currency, classification });
            let asked = layout_into(&lines, &Settings::default(), account).problems;
            let is_it = matches!(asked[..], [LayoutProblem::UncertainDirection { .. }]);
            assert!(is_it, "{header} {asked:?}");
        }
        let answered = layout(&lines, &sent(&[("amount_type_strategy", "direction_and_sign")]));
        assert!(answered.problems.is_empty() && answered.reversals.is_some());
    }
}

#[test]
fn signs_and_words_that_agree_on_what_came_back_are_clear() {
    let row = |amount: &str, word: &str| format!("2024-01-02;{amount};{word}");
    for (refund, is_clear) in
        [("20.00;Debit", true), ("+20.00;Debit", true), ("-20.00;Credit", false)]
    {
        let (amount, word) = refund.split_once(';').unwrap();
        let rows = [
            row("-50.00", "Debit"),
            row("2000.00", "Credit"),
            row("-900.00", "Debit"),
            row(amount, word),
        ];
        let mut lines = vec!["Date;Amount;Type"];
        lines.extend(rows.iter().map(String::as_str));
        assert_eq!(found(&lines).problems.is_empty(), is_clear, "{refund}");
    }
}

/// What an answer about reversals meant is kept: the sign that is usual.
#[test]
fn the_usual_sign_is_that_of_the_earlier_file() {
    let lines =
        ["Date;Debit;Credit", "2024-01-13;50.00;", "2024-01-14;30.00;", "2024-01-15;-20.00;"];
    let answer = sent(&[("amount_type_strategy", "direction_and_sign")]);
    let reversals = layout(&lines, &answer).reversals;
    assert!(reversals.is_some());
    let preferred = Formats { reversals, is_strategy_taken: true, ..Formats::default() };
    let known = Settings { preferred, ..answer };
    for (debits, expected) in
        [(&["-50.00", "-20.00", "30.00"][..], [false, false, true]), (&["-20.00"], [false; 3])]
    {
        let rows: Vec<String> = debits.iter().map(|it| format!("2024-02-13;{it};")).collect();
        let mut lines = vec!["Date;Debit;Credit"];
        lines.extend(rows.iter().map(String::as_str));
        let layout = layout(&lines, &known);
        assert_eq!(layout.problems, []);
        let currencies = HashMap::new();
        let interpreter = Interpreter::new(&layout, context(None, &currencies)).unwrap();
        for (at, row) in lines[1..].iter().enumerate() {
            let cells: CellsBuf = row.split(';').collect();
            let amount = interpreter.amount_of(at as u64 + 1, cells.as_cells()).unwrap();
            assert_eq!(amount.amount > 0, expected[at], "{row}");
        }
    }
}

/// What is known of earlier files counts for the rows beside an answer as for the import with it.
#[test]
fn the_answers_about_words_show_what_the_import_reads_with_them() {
    let words = ["Date;Amount;D/C;Name"];
    let row = |amount: &str, word: &str| format!("2024-02-02;{amount};{word};x");
    let [first, next, by_sign] = [
        [("-5", "Debit"), ("-6", "Debit"), ("-7", "Debit"), ("2", "Debit"), ("9", "Credit")],
        [("5", "Debit"), ("6", "Debit"), ("-7", "Debit"), ("9", "Credit"), ("-1", "Credit")],
        [("5", "Debit"), ("6", "Debit"), ("-7", "Debit"), ("-9", "Credit"), ("-1", "Fee")],
    ]
    .map(|rows| rows.map(|(amount, word)| row(amount, word)));
    let lines = |rows: &'static [String; 5]| {
        words.into_iter().chain(rows.iter().map(String::as_str)).collect::<Vec<_>>()
    };
    let [first, next, by_sign] =
        [first, next, by_sign].map(|rows| lines(Box::leak(Box::new(rows))));
    // A balance has shown what came back, so that no strategy is known.
    let reversals = known_of(&first, RARER.1).preferred.reversals;
    let of_signs = Formats {
        signage: Some(Signage::InflowsNegative),
        has_signs: Some(true),
        ..Formats::default()
    };
    for (lines, preferred) in [
        (&next, Formats { reversals, ..Formats::default() }),
        (&by_sign, of_signs.clone()),
        (&next, of_signs),
    ] {
        let known = Settings { preferred, ..Settings::default() };
        let open = layout(lines, &known);
        let asked = matches!(open.problems[..], [LayoutProblem::UncertainDirection { .. }]);
        assert!(asked, "{:?}", open.problems);
        let records: Vec<Vec<String>> =
            lines[1..].iter().map(|row| row.split(';').map(str::to_owned).collect()).collect();
        let currencies = HashMap::new();
        let asked = questions(&open, context(None, &currencies), &records);
        assert!(asked[0].answers.len() > 2, "{asked:?}");
        for answer in &asked[0].answers {
            let fields: HashMap<&str, &str> =
                answer.settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let own = Settings::from_fields(|name| fields.get(name).map(|it| (*it).to_owned()));
            let read =
                layout(lines, &Settings { preferred: known.preferred.clone(), ..own.unwrap() });
            assert_eq!(read.problems, [], "{fields:?}");
            let ways = ways_of(lines, &read);
            for shown in &answer.rows {
                let way = shown.amount.unwrap().amount.signum();
                assert_eq!(way, ways[shown.row as usize - 1], "{fields:?} row {}", shown.row);
            }
        }
    }
}
