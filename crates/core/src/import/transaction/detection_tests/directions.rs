//! Which way money went: signs, marks, words and columns.

use super::*;
use crate::import::transaction::Interpreter;

const UNSIGNED: [&str; 3] = ["Date;Amount", "2024-01-13;1.50", "2024-01-14;0.25"];

#[test]
fn amounts_without_a_direction_are_a_question() {
    let question = "All amounts in \"Amount\" are unsigned: are they money out (inflows_negative), \
                    money in (inflows_positive), or does a column have the direction?";
    assert_eq!(problems(&UNSIGNED), [question]);
    assert_eq!(found(&UNSIGNED).problems[0].setting(), Some("signage_convention"));
    let words = ["Date;Amount;Direction", "2024-01-13;1.50;foo", "2024-01-14;0.25;bar"];
    assert_eq!(
        problems(&words),
        ["Which way money went is not certain in \"Direction\": the amounts have no signs, and \
          whether \"foo\" is money in or out is not known"]
    );
    for lines in [
        // Zeros have no direction; each other row has something that shows it.
        &["Date;Amount", "2024-01-13;0.00", "2024-01-14;"][..],
        &["Date;Amount", "2024-01-13;1.50", "2024-01-14;-0.25"],
        &["Date;Amount", "2024-01-13;+1.50", "2024-01-14;+0.25"],
        &["Date;Amount", "2024-01-13;(1.50)", "2024-01-14;0.25"],
        &["Date;Amount;Type", "2024-01-13;1.50;debit", "2024-01-14;0.25;credit"],
        &["Date;Debit;Credit", "2024-01-13;1.50;", "2024-01-14;;0.25"],
    ] {
        assert_eq!(problems(lines), Vec::<String>::new(), "{lines:?}");
    }
    for fields in [
        &[("signage_convention", "inflows_negative")][..],
        &[("signage_convention", "inflows_positive")],
    ] {
        assert_eq!(layout(&UNSIGNED, &sent(fields)).problems, [], "{fields:?}");
    }
    // That signs decide is no answer where there are none.
    let by_sign = sent(&[("amount_type_strategy", "signed_amount")]);
    assert_eq!(texts(&layout(&UNSIGNED, &by_sign).problems), [question]);
    // Only a program names the column because its convention is known.
    let named = sent(&[("amount_col_label", "Amount")]);
    assert_eq!(texts(&layout(&UNSIGNED, &named).problems), [question], "an answer");
    assert_eq!(layout(&UNSIGNED, &named.of_caller()).problems, []);
    for signage in [Signage::InflowsPositive, Signage::InflowsNegative] {
        let mut earlier = Settings::default();
        earlier.preferred.signage = Some(signage);
        earlier.preferred.has_signs = Some(false);
        assert_eq!(layout(&UNSIGNED, &earlier).problems.len(), 1, "it was about that file");
        earlier.preferred.has_signs = Some(true);
        let found = layout(&UNSIGNED, &earlier);
        assert_eq!((found.problems, found.signage), (Vec::new(), signage), "as the last file was");
    }
}

#[test]
fn amounts_without_a_mark_beside_marked_ones_are_a_question() {
    let asset = TargetAccount { currency: Currency::USD, classification: Classification::Asset };
    let debt = TargetAccount { classification: Classification::Liability, ..asset };
    for mark in ["2.00 CR", "+2.00"] {
        let row = format!("2024-01-13;{mark}");
        let lines = ["Date;Amount", &row, "2024-01-14;0.25", "2024-01-15;1.00"];
        for account in [None, Some(asset), Some(debt)] {
            let asked = layout_into(&lines, &Settings::default(), account).problems;
            let header = "Amount".to_owned();
            let expected = LayoutProblem::UnmarkedAmounts { header, marked: 1, others: 2 };
            assert_eq!(asked, [expected], "{mark} {account:?}");
        }
        for (answer, is_out) in [("inflows_negative", true), ("inflows_positive", false)] {
            let answered = layout(&lines, &sent(&[("signage_convention", answer)]));
            assert_eq!(
                (answered.problems, answered.unmarked_is_out),
                (vec![], Some(is_out)),
                "{mark}"
            );
        }
    }
    let lines = ["Date;Amount;Balance", "2024-01-13;2.00 CR;12.00", "2024-01-14;0.25;11.75"];
    let more = ["2024-01-15;1.00;10.75", "2024-01-16;5.00 CR;15.75"];
    let proven = layout_into(&[&lines[..], &more].concat(), &Settings::default(), Some(asset));
    assert_eq!((proven.problems, proven.unmarked_is_out), (vec![], Some(true)));
}

#[test]
fn positive_charges_of_a_card_are_a_question() {
    let card = TargetAccount { currency: Currency::USD, classification: Classification::Liability };
    let of_card = |lines: &[&str]| {
        let found = layout_into(lines, &Settings::default(), Some(card));
        texts(&found.problems)
    };
    let purchases = ["Date;Amount", "2024-01-13;1.50", "2024-01-14;0.25", "2024-01-15;-1.75"];
    let asked = of_card(&purchases);
    assert!(asked[0].starts_with("Many amounts in \"Amount\" are positive"), "{asked:?}");
    assert!(of_card(&UNSIGNED)[0].contains("inflows_negative, which is likely"));
    let negative = ["Date;Amount", "2024-01-13;-1.50", "2024-01-14;-0.25", "2024-01-15;-1.75"];
    assert_eq!(of_card(&negative), Vec::<String>::new());
    assert_eq!(of_card(&[&negative[..], &["2024-01-16;3.50"]].concat()), Vec::<String>::new());
    // A card that is rarely used has as many payments and refunds as purchases, or more.
    let payments = ["2024-01-14;-300.00", "2024-01-15;-5.00"];
    for rare in [&payments[..1], &payments[..]] {
        let lines = [&["Date;Amount", "2024-01-13;10.00"], rare].concat();
        assert_eq!(of_card(&lines).len(), 1, "{lines:?}");
    }
    let even = ["Date;Amount", "2024-01-13;-1.50", "2024-01-14;+0.25"];
    assert_eq!(of_card(&even), Vec::<String>::new(), "money in has a mark");
    let words = ["Date;Amount;Type", "2024-01-13;-1.50;Debit", "2024-01-14;0.25;Credit"];
    assert_eq!(of_card(&words), Vec::<String>::new(), "words prove the signs");
}

/// What a file for a bank account is read as: the signs of its amounts in the ledger, or `?`.
fn ways(amounts: &[&str], settings: &Settings) -> String {
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let rows: Vec<String> = amounts.iter().map(|it| format!("2024-01-13;{it};A")).collect();
    let mut lines = vec!["Date;Amount;Text"];
    lines.extend(rows.iter().map(String::as_str));
    let layout = layout_into(&lines, settings, Some(asset));
    if !layout.problems.is_empty() {
        return "?".to_owned();
    }
    let currencies = HashMap::new();
    let interpreter = Interpreter::new(&layout, context(Some(asset), &currencies)).unwrap();
    let way = |(row, line): (u64, &&str)| {
        let cells: CellsBuf = line.split(';').collect();
        let amount = interpreter.amount_of(row, cells.as_cells()).unwrap();
        if amount.amount > 0 { "out" } else { "in" }
    };
    let ways: Vec<&str> = (1..).zip(&lines[1..]).map(way).collect();
    ways.join(" ")
}

fn earlier(fields: &str) -> Settings {
    let preferred: Formats = serde_json::from_str(fields).unwrap();
    Settings { preferred, ..Settings::default() }
}

#[test]
fn what_is_not_usual_is_taken_over_or_asked() {
    let elsewhere = r#"{ "is_negative_elsewhere": true }"#;
    let of_account = r#"{ "signage": "inflows_negative", "has_signs": true }"#;
    let perhaps = r#"{ "signage": "inflows_negative", "is_negative_elsewhere": true }"#;
    for (amounts, known, expected) in [
        (&["50.00", "-2000.00"][..], "{}", "in out"),
        (&["50.00", "-2000.00"], elsewhere, "?"),
        (&["-50.00", "-2000.00"], elsewhere, "?"),
        (&["50.00", "-2000.00"], of_account, "out in"),
        (&["50.00", "70.00"], of_account, "out out"),
        // As a version kept it that didn't know whether the file had signs.
        (&["50.00", "-2000.00"], perhaps, "out in"),
        (&["50.00", "70.00"], perhaps, "?"),
        (&["-50.00", "-70.00"], perhaps, "?"),
    ] {
        assert_eq!(ways(amounts, &earlier(known)), expected, "{amounts:?} {known}");
    }
}

#[test]
fn a_mark_stays_a_mark_in_the_next_file() {
    let marked = r#"{ "signage": "inflows_negative", "has_signs": true, "unmarked_is_out": true }"#;
    let answered = |answer: &str| Settings {
        preferred: serde_json::from_str(marked).unwrap(),
        ..sent(&[("signage_convention", answer)])
    };
    let negative = answered("inflows_negative");
    let minus = r#"{ "signage": "inflows_positive", "has_signs": true }"#;
    let plus = r#"{ "signage": "inflows_positive", "has_signs": false }"#;
    for (amounts, settings, expected) in [
        (&["+2000.00"][..], &earlier(marked), "in"),
        (&["2000.00 CR"], &earlier(marked), "in"),
        (&["50.00", "900.00"], &earlier(marked), "out out"),
        (&["50.00", "+2000.00"], &earlier(marked), "out in"),
        (&["50.00", "+2000.00", "-20.00"], &earlier(marked), "?"),
        (&["50.00", "+2000.00", "-20.00"], &negative, "out in in"),
        (&["+2000.00"], &negative, "in"),
        (&["50.00", "-20.00"], &earlier(marked), "?"),
        (&["50.00", "-20.00"], &negative, "out in"),
        // Where expenses had a minus, a mark before some incomes only shows nothing.
        (&["50.00", "+2000.00"], &earlier(minus), "in in"),
        (&["50.00", "+2000.00"], &earlier(plus), "?"),
        (&["50.00"], &earlier(plus), "?"),
    ] {
        assert_eq!(ways(amounts, settings), expected, "{amounts:?}");
    }
}

/// What is known of an account or of others counts for callers who name the amount, too.
#[test]
fn what_is_not_usual_is_asked_whoever_names_the_amount() {
    let all_out = r#"{ "signage": "inflows_negative", "has_signs": false }"#;
    let marked = r#"{ "signage": "inflows_negative", "has_signs": true, "unmarked_is_out": true }"#;
    let all_in =
        r#"{ "signage": "inflows_positive", "has_signs": false, "unmarked_is_out": false }"#;
    let elsewhere = r#"{ "is_negative_elsewhere": true }"#;
    for (amounts, known, expected) in [
        (&["50.00", "900.00"][..], "{}", "in in"),
        (&["50.00", "900.00"], all_out, "?"),
        (&["50.00", "-900.00"], all_out, "in out"),
        (&["50.00", "+2000.00"], marked, "out in"),
        (&["50.00", "-2000.00"], elsewhere, "?"),
        (&["+50.00", "2000.00"], all_in, "in in"),
    ] {
        let named = sent(&[("amount_col_label", "Amount")]).of_caller();
        let known = Settings { preferred: earlier(known).preferred, ..named };
        assert_eq!(ways(amounts, &known), expected, "{amounts:?}");
    }
    // That all were money in counts only beside marks.
    assert_eq!(ways(&["50.00"], &earlier(all_in)), "?");
    assert_eq!(ways(&["50.00", "+2000.00"], &earlier(all_in)), "in in");
}

#[test]
fn a_value_for_money_in_counts_whatever_signs_a_balance_follows() {
    let settings = sent(&[
        ("amount_type_strategy", "custom_column"),
        ("entity_type_col_label", "Type"),
        ("amount_type_inflow_value", "Credit"),
    ]);
    let lines = [
        "Date;Text;Amount;Type;Balance",
        "2024-01-01;Rent;-50.00;Debit;950.00",
        "2024-01-02;Shop;30.00;Debit;920.00",
        "2024-01-03;Salary;100.00;Credit;1020.00",
    ];
    let asset = TargetAccount { currency: Currency::USD, classification: Classification::Asset };
    let found = layout_into(&lines, &settings, Some(asset));
    assert!(found.balance.is_some());
    assert_eq!(found.reversals, None);
}

#[test]
fn columns_and_words_that_were_turned_for_another_account_are_asked_about() {
    let known = |fields: &str| earlier(fields);
    let lines = ["Date;Debit;Credit", "2024-01-13;50.00;", "2024-01-14;;30.00"];
    let turned = r#"{ "debit_elsewhere": "credit" }"#;
    let asked = LayoutProblem::TurnedElsewhere { credit: "Credit".to_owned() };
    assert_eq!(layout(&lines, &known(turned)).problems, [asked]);
    let answered = sent(&[("debit_col_label", "Debit"), ("credit_col_label", "Credit")]);
    let answered = Settings { preferred: known(turned).preferred, ..answered };
    assert_eq!(layout(&lines, &answered).problems, []);
    assert_eq!(layout(&lines, &known(r#"{ "debit_elsewhere": "Debit" }"#)).problems, []);
    let lines = ["Date;Amount;Type", "2024-01-13;50.00;Debit", "2024-01-14;30.00;Credit"];
    for (word, is_asked) in [("Debit", true), ("Credit", false)] {
        let fields = format!(r#"{{ "inflow_value_elsewhere": "{word}" }}"#);
        assert_eq!(layout(&lines, &known(&fields)).problems.len(), usize::from(is_asked), "{word}");
    }
}

#[test]
fn the_oldest_amount_of_an_unknown_column_is_asked_about() {
    let lines = [
        "Date;Text;Xyz;Balance",
        "2024-01-01;Salary;100.00;1100.00",
        "2024-01-02;Grocer;50.00;1050.00",
        "2024-01-03;Shop;20.00;1030.00",
        "2024-01-04;Bar;30.00;1000.00",
    ];
    let asset = TargetAccount { currency: Currency::USD, classification: Classification::Asset };
    let found = layout_into(&lines, &Settings::default(), Some(asset));
    let header = "Xyz".to_owned();
    let oldest = LayoutProblem::OldestDirection { header, others: Signage::InflowsNegative };
    assert_eq!(found.problems, [oldest]);
    let signed = lines.map(|line| line.replace(";50.00;1050", ";-50.00;1050"));
    let signed = signed.each_ref().map(|line| line.replace(";20.00", ";-20.00"));
    let signed = signed.each_ref().map(|line| line.replace(";30.00", ";-30.00"));
    let signed: Vec<&str> = signed.iter().map(String::as_str).collect();
    assert_eq!(layout_into(&signed, &Settings::default(), Some(asset)).problems, []);
}

#[test]
fn a_caller_who_names_one_of_two_amounts_is_asked_about_signs() {
    let lines =
        ["Date;Text;Amount;Net amount", "2024-01-13;A;12.50;12.50", "2024-01-14;B;900.00;899.00"];
    let named = sent(&[("amount_col_label", "Amount")]).of_caller();
    let asked = LayoutProblem::UnknownDirection {
        header: "Amount".to_owned(),
        has_signs: false,
        is_debt: false,
    };
    assert_eq!(layout(&lines, &named).problems, [asked]);
}

#[test]
fn a_caller_who_names_an_unknown_column_of_unsigned_amounts_is_asked() {
    for (header, amounts, is_asked) in [
        ("Spend", ["12.50", "900.00"], true),
        ("Spend", ["12.50", "-900.00"], false),
        ("Amount", ["12.50", "900.00"], false),
    ] {
        let lines = amounts.map(|amount| format!("2024-01-13;{amount}"));
        let head = format!("Date;{header}");
        let lines = [head.as_str(), &lines[0], &lines[1]];
        let named = sent(&[("amount_col_label", header)]).of_caller();
        assert_eq!(!layout(&lines, &named).problems.is_empty(), is_asked, "{header} {amounts:?}");
    }
}
