//! Amounts without signs that go both ways: only the balances show which way each went.

use super::*;

const UNSIGNED: &str = "Date,Name,Amount,Balance\n\
    2026-01-01,A,10.00,90.00\n\
    2026-01-02,B,50.00,140.00\n\
    2026-01-02,C,20.00,120.00\n\
    2026-01-03,D,5.50,114.50\n\
    2026-01-04,E,7.25,121.75\n";
const MORE: &str = "2026-01-05,F,1.75,120.00\n\
    2026-01-06,G,20.00,140.00\n\
    2026-01-07,H,3.00,137.00\n\
    2026-01-08,I,4.00,141.00\n";
const MORE_TRUTH: [i64; 4] = [-175, 2_000, -300, 400];
const OPENING: &str = "2025-12-31,Opening balance,,100.00\n2026-01-01,";
const TRUTH: [i64; 5] = [-1_000, 5_000, -2_000, -550, 725];

fn asset(text: &str) -> File {
    file(text).of(Classification::Asset)
}

/// The lines below the header, the newest first.
fn newest_first(text: &str) -> String {
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().rev().collect();
    format!("{header}\n{}\n", rows.join("\n"))
}

fn corrected(file: File, row: u64, amount: &str) -> File {
    let cells = BTreeMap::from([(2, amount.to_owned())]);
    let mut edits = file.edits.clone();
    edits.insert(row, RowEdit { cells, choice: RowChoice::Plan });
    File { edits, ..file }
}

/// What can be imported, and the rows that can't.
fn read(file: &File) -> (Vec<i64>, Vec<String>) {
    let analysis = file.analysed();
    assert_eq!(texts(&analysis.layout.problems), Vec::<String>::new());
    let (good, bad): (Vec<_>, Vec<_>) =
        file.rows(&analysis.layout).into_iter().partition(Result::is_ok);
    assert_eq!((analysis.valid, analysis.invalid), (good.len() as u64, bad.len() as u64));
    let open = bad.iter().filter(|reason| reason.as_ref().is_err_and(|it| it.contains("no sign")));
    let balance = analysis.layout.balance.as_ref();
    assert_eq!(balance.map(|balance| balance.open_directions()), Some(open.count() as u64));
    let bad = bad.into_iter().map(Result::unwrap_err).collect();
    (good.into_iter().map(Result::unwrap).collect(), bad)
}

#[test]
fn the_balance_shows_the_direction_of_all_rows_but_the_oldest() {
    let reason = "Amount has no sign, and what \"Balance\" was before this row isn't known, so \
                  that it doesn't show the direction: correct this row of the import to an amount \
                  with a sign, such as -12.50 for money out";
    let oldest_first = asset(UNSIGNED);
    let layout = oldest_first.analysed().layout;
    assert_eq!(layout.amount, Some(AmountSource::ByBalance { column: 2 }));
    assert_eq!(layout.balance.unwrap().order, RowOrder::OldestFirst);
    assert_eq!(read(&oldest_first), (TRUTH[1..].to_vec(), vec![format!("line 2: {reason}")]));
    let newest_first = asset(&newest_first(UNSIGNED));
    let mut newest: Vec<i64> = TRUTH[1..].to_vec();
    newest.reverse();
    assert_eq!(read(&newest_first), (newest.clone(), vec![format!("line 6: {reason}")]));

    // A person answers for that one row, and the balance before it follows.
    for (amount, cents, opening) in [("-10.00", -1_000, 1_000_000), ("+10.00", 1_000, 800_000)] {
        let answered = corrected(oldest_first.clone(), 1, amount);
        assert_eq!(read(&answered).0[0], cents);
        assert_eq!(read(&answered).1, Vec::<String>::new());
        let balance = answered.analysed().layout.balance.unwrap();
        let ends = &balance.ends[0];
        assert_eq!((ends.opening, ends.difference()), (Some(opening), Some(0)));
        let answered = corrected(newest_first.clone(), 5, amount);
        assert_eq!(read(&answered).0[4], cents);
    }
    let left_out = oldest_first.choose(1, RowChoice::LeaveOut);
    let analysis = left_out.analysed();
    assert_eq!((analysis.valid, analysis.invalid, analysis.left_out), (4, 0, 1));
    let rows = left_out.rows(&analysis.layout).into_iter().skip(1);
    assert_eq!(rows.map(Result::unwrap).collect::<Vec<_>>(), TRUTH[1..]);
}

#[test]
fn a_stated_opening_balance_shows_that_of_the_oldest_row() {
    let stated = UNSIGNED.replace("2026-01-01,", OPENING);
    for stated in [stated.clone(), stated.replace(",,100.00", ",100.00,")] {
        let file = asset(&stated);
        let rows = file.rows(&file.analysed().layout);
        let good: Vec<i64> = rows.into_iter().filter_map(Result::ok).collect();
        assert!(good.ends_with(&TRUTH), "{good:?}");
        let analysis = file.analysed();
        assert_eq!((texts(&analysis.layout.problems), analysis.invalid), (vec![], 0));
        assert_eq!(analysis.valid, 5);
    }
    // It has to follow, too.
    let wrong = asset(&stated.replace("100.00\n", "103.00\n")).analysed();
    assert_eq!(wrong.findings[0].line, 3);
    assert!(wrong.findings[0].reasons[0].contains("follows from 103.00 EUR"));
}

#[test]
fn each_account_has_a_chain_of_its_own() {
    let two = "Account,Date,Amount,Balance\n\
        One,2026-01-01,10.00,90.00\n\
        Two,2026-01-01,1.00,5.00\n\
        One,2026-01-02,50.00,140.00\n\
        Two,2026-01-03,2.00,7.00\n\
        One,2026-01-03,20.00,120.00\n\
        Two,2026-01-04,3.00,4.00\n";
    let question = "The amounts have no signs, and \"Balance\" shows the direction of each only if \
                    it is known what it counts: money that the account holds, or a debt that grows \
                    with each purchase? Answer with balance_check compare, and \
                    signage_convention inflows_positive for money or inflows_negative for a debt";
    assert_eq!(file(two).problems(), [question]);
    for (signage, sign) in [("inflows_positive", 1), ("inflows_negative", -1)] {
        let asked = file(two).set("signage_convention", signage);
        assert_eq!(asked.problems(), [question], "a convention alone is no answer");
        let answered = asked.set("balance_check", "compare");
        let (rows, bad) = read(&answered);
        assert_eq!(rows, [5_000, 200, -2_000, -300].map(|cents| cents * sign));
        assert_eq!(bad.len(), 2);
    }
}

#[test]
fn a_row_that_follows_neither_way_is_named_and_never_booked() {
    let long = format!("{UNSIGNED}{MORE}");
    let truth = [TRUTH.as_slice(), &MORE_TRUTH].concat();
    let wrong = asset(&long.replacen("20.00,120.00", "20.00,123.00", 1));
    let wrong = corrected(wrong, 1, "-10.00");
    let (rows, bad) = read(&wrong);
    assert_eq!(rows, [[-1_000, 5_000, 725].as_slice(), &MORE_TRUTH].concat());
    let reason = "line 4: Amount has no sign, and \"Balance\" is 123.00 EUR, which follows from \
                  140.00 EUR before it neither as money in nor as money out: correct the amount or \
                  the balance, or leave the row out";
    assert_eq!(bad[0], reason);
    assert!(bad[1].starts_with("line 5: "));
    // Whatever a person chooses: its direction isn't known.
    assert_eq!(read(&wrong.clone().choose(3, RowChoice::Create)).1[0], reason);
    let cells = BTreeMap::from([(3, "120.00".to_owned())]);
    let mut right = wrong.clone();
    right.edits.insert(3, RowEdit { cells, choice: RowChoice::Plan });
    assert_eq!(read(&right), (truth, vec![]));
    // A sign against the balance is what doesn't follow, until somebody accepts it.
    let against = corrected(asset(&long), 1, "-10.00");
    let against = corrected(against, 3, "+20.00");
    assert!(read(&against).1[0].contains("Balance is 120.00 EUR, but by the row before"));

    for lost in [
        long.replace("2026-01-02,C,20.00,120.00\n", ""),
        long.replace("2026-01-02,C,20.00,120.00\n", &"2026-01-02,C,20.00,120.00\n".repeat(2)),
        long.replacen(",20.00", ",21.00", 1),
    ] {
        assert!(!read(&corrected(asset(&lost), 1, "-10.00")).1.is_empty(), "{lost}");
        let oldest = lost.lines().count() as u64 - 1;
        let newest_first = asset(&newest_first(&lost));
        assert!(!read(&corrected(newest_first, oldest, "-10.00")).1.is_empty(), "{lost}");
    }
}

#[test]
fn a_row_read_alone_has_the_same_direction() {
    let file = asset(UNSIGNED);
    let layout = file.analysed().layout;
    let stored = serde_json::to_string(&layout).unwrap();
    let layout: Layout = serde_json::from_str(&stored).unwrap();
    let at = UNSIGNED.find("2026-01-03").unwrap();
    let from = Position { offset: at as u64, line: 5, row: 4 };
    let mut rows = Vec::new();
    file.with_context(|context| {
        visit(&UNSIGNED.as_bytes()[at..], &layout, context, &file.edits, from, 1, |visited| {
            let Ok(Row::Transaction(row)) = &visited.outcome else { panic!("{visited:?}") };
            rows.push(-row.amount / 100);
            ControlFlow::Continue(())
        })
    })
    .unwrap();
    assert_eq!(rows, TRUTH[3..]);
}

#[test]
fn very_many_rows_without_a_direction_are_a_question() {
    let header = "Date,Name,Amount,Balance\n";
    let row = |(n, balance): (i64, i64)| format!("2026-01-02,N,{}.00,{balance}.00\n", n % 7 + 1);
    let mut balance = 1_000;
    let right: Vec<(i64, i64)> = (0..2_000)
        .map(|n| {
            balance += if n % 3 == 0 { n % 7 + 1 } else { -(n % 7 + 1) };
            (n, balance)
        })
        .collect();
    let text = |rows: &[(i64, i64)]| {
        format!("{header}{}", rows.iter().copied().map(row).collect::<String>())
    };
    let good = corrected(asset(&text(&right)), 1, "+1.00").analysed();
    assert_eq!((good.valid, good.invalid, texts(&good.layout.problems)), (2_000, 0, vec![]));
    // Behind the rows by which the reading is found, every balance is wrong.
    let mut wrong = right;
    for (n, balance) in wrong.iter_mut().skip(400) {
        *balance += *n * 20;
    }
    let problems = asset(&text(&wrong)).problems();
    assert!(problems[0].contains("do not follow from the amounts"), "{problems:?}");
}

#[test]
fn one_of_two_columns_with_zeros_is_no_amount_without_signs() {
    let text = "Date,Name,Foo,Money in,Balance\n\
        2026-01-01,A,10.00,0.00,90.00\n2026-01-02,B,0.00,50.00,140.00\n\
        2026-01-03,C,20.00,0.00,120.00\n2026-01-04,D,5.50,0.00,114.50\n\
        2026-01-05,E,4.50,0.00,110.00\n2026-01-06,F,3.00,0.00,107.00\n";
    let layout = asset(text).analysed().layout;
    assert_eq!(layout.unsigned_column(), None, "{:?}", layout.problems);
}

#[test]
fn a_balance_of_the_last_row_of_a_day_shows_no_directions() {
    let text = "Date,Name,Amount,Balance\n\
        2026-01-01,A,10.00,\n2026-01-01,B,50.00,140.00\n2026-01-02,C,20.00,\n\
        2026-01-02,D,5.50,114.50\n2026-01-03,E,7.25,\n2026-01-03,F,1.00,120.75\n";
    assert_ne!(asset(text).problems(), Vec::<String>::new());
}

/// A problem of the file that contains the words.
fn is_asked(file: &File, words: &str) {
    let problems = file.problems();
    assert!(problems.iter().any(|problem| problem.contains(words)), "{problems:?}\n{}", file.text);
}

const WHAT_IT_COUNTS: &str = "known what it counts";

#[test]
fn a_total_of_spending_is_no_balance_of_the_account() {
    let text = "Date,Name,Amount,Running total\n\
        2026-01-01,A,10.00,10.00\n2026-01-02,B,20.00,30.00\n2026-01-03,Refund,5.00,25.00\n\
        2026-01-04,D,40.00,65.00\n2026-01-05,E,15.00,80.00\n";
    is_asked(&asset(text), WHAT_IT_COUNTS);
    let money = [2_000, -500, 4_000, 1_500];
    assert_eq!(read(&asset(text).set("balance_check", "compare")).0, money);
    assert_eq!(read(&asset(text).set("balance_col_label", "Running total")).0, money);
    let total = asset(text).set("balance_check", "compare");
    let total = total.set("signage_convention", "inflows_negative");
    assert_eq!(read(&total).0, money.map(|cents| -cents));
}

#[test]
fn a_total_that_only_grows_makes_no_expense_an_income() {
    let text = "Date,Name,Amount,Running total\n\
        2026-01-01,A,10.00,10.00\n2026-01-02,B,20.00,30.00\n2026-01-03,C,5.00,35.00\n\
        2026-01-04,D,40.00,75.00\n2026-01-05,E,15.00,90.00\n";
    is_asked(&asset(text), "Running total");
    is_asked(&file(text), "Running total");
    let spent = asset(text).set("signage_convention", "inflows_negative");
    is_asked(&spent, "Running total");
    let spent = spent.set("balance_check", "ignore");
    let rows = spent.rows(&spent.analysed().layout).into_iter().map(Result::unwrap);
    assert_eq!(rows.collect::<Vec<i64>>(), [-1_000, -2_000, -500, -4_000, -1_500]);
    // What is called a balance is one.
    let balance = asset(&text.replace("Running total", "Balance"));
    assert_eq!(balance.analysed().layout.signage, Signage::InflowsPositive);
}

#[test]
fn a_column_without_the_name_of_a_balance_proves_no_direction_that_most_rows_have() {
    let mut text = "Date,Name,Amount,Running\n".to_owned();
    let (mut balance, mut truth) = (1_000, Vec::new());
    for n in 0..33 {
        let amount: i64 = if n % 11 == 5 { n % 7 + 1 } else { -(n % 7 + 1) };
        balance += amount;
        truth.push(amount * 100);
        let day = format!("2026-{:02}-{:02}", n / 28 + 1, n % 28 + 1);
        text.push_str(&format!("{day},N,{}.00,{balance}.00\n", amount.abs()));
    }
    is_asked(&asset(&text), WHAT_IT_COUNTS);
    let (rows, bad) = read(&asset(&text).set("balance_check", "compare"));
    assert_eq!((rows, bad.len()), (truth[1..].to_vec(), 1));
}

#[test]
fn rows_follow_in_the_order_of_their_days_or_not_at_all() {
    // The balance before each row: with the days the other way round, all would follow.
    let before = "Date,Name,Amount,Balance\n\
        2026-01-01,A,10.00,100.00\n2026-01-02,B,50.00,90.00\n\
        2026-01-03,C,20.00,140.00\n2026-01-04,D,5.50,120.00\n";
    let signed = before.replace("A,", "A,-").replace("C,", "C,-").replace("D,", "D,-");
    for text in [before, &signed] {
        is_asked(&asset(text), "do not follow from the amounts");
        is_asked(&asset(&newest_first(text)), "do not follow from the amounts");
    }
    // The newest amount was 50.00: the wrong one fits only the other order.
    let wrong = "Date,Name,Amount,Balance\n\
        2026-01-05,E,45.00,200.00\n2026-01-04,D,50.00,150.00\n2026-01-03,C,50.00,200.00\n\
        2026-01-02,B,50.00,150.00\n2026-01-01,A,50.00,100.00\n";
    let (rows, bad) = read(&asset(wrong));
    assert_eq!((rows, bad.len()), (vec![-5_000, 5_000, 5_000], 2));
    assert!(bad[0].starts_with("line 2: ") && bad[0].contains("neither"), "{bad:?}");
    // Without days that differ, both orders are possible.
    let one_day = ["05", "04", "03", "02"]
        .iter()
        .fold(wrong.to_owned(), |text, day| text.replace(&format!("2026-01-{day}"), "2026-01-01"));
    assert_ne!(asset(&one_day).problems(), Vec::<String>::new());
}

#[test]
fn of_equal_columns_the_preferred_one_is_taken() {
    let all = UNSIGNED.lines().enumerate();
    let beside = |(index, line): (usize, &str)| {
        let (row, balance) = line.rsplit_once(',').unwrap();
        match index {
            0 => format!("{line},Available balance\n"),
            _ => format!("{row},{balance},1{:0>6}\n", balance),
        }
    };
    let available: String = all.map(beside).collect();
    let layout = asset(&available).analysed().layout;
    assert_eq!(layout.unsigned_column(), Some(2), "{:?}", layout.problems);
    assert_eq!(layout.balance.unwrap().column, 3);

    let twice = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let second = if cells[2] == "Amount" { "Montant" } else { cells[2] };
        format!("{},{},{},{second},{}\n", cells[0], cells[1], cells[2], cells[3])
    };
    let two: String = UNSIGNED.lines().map(twice).collect();
    assert_eq!(asset(&two).analysed().layout.unsigned_column(), Some(2));
}

#[test]
fn very_many_rows_without_a_balance_are_a_question_about_the_balance() {
    let mut text = "Date,Name,Amount,Balance\n".to_owned();
    let mut balance = 1_000;
    for n in 0..600 {
        let amount = n % 7 + 1;
        balance += if n % 3 == 0 { amount } else { -amount };
        let day = format!("2026-{:02}-{:02}", n / 120 + 1, n / 5 % 24 + 1);
        let shown = if n >= 450 { String::new() } else { format!("{balance}.00") };
        text.push_str(&format!("{day},N,{amount}.00,{shown}\n"));
    }
    let expected = "150 rows have no \"Balance\" that shows which way their amounts in \"Amount\" \
                    went, which have no signs (first in line 452, 453, 454)";
    assert_eq!(asset(&text).problems(), [expected]);
    // What the answer leads to: nothing shows the direction of any row.
    let ignored = asset(&text).set("balance_check", "ignore");
    is_asked(&ignored, "are they money out (inflows_negative), money in");
}

#[test]
fn the_oldest_rows_of_very_many_accounts_are_asked_about_one_by_one() {
    let mut text = "Account,Date,Name,Amount,Balance\n".to_owned();
    for account in 0..150 {
        for (day, amount, balance) in [(1, 10, 100), (2, 50, 150), (3, 20, 130)] {
            text.push_str(&format!("N{account},2026-01-0{day},N,{amount}.00,{balance}.00\n"));
        }
    }
    let answered = file(&text).set("signage_convention", "inflows_positive");
    let (rows, bad) = read(&answered.set("balance_check", "compare"));
    assert_eq!((rows.len(), bad.len()), (300, 150));
}

#[test]
fn a_correction_with_a_minus_is_money_out_whatever_the_balance_counts() {
    let card = file(UNSIGNED).of(Classification::Liability).set("balance_check", "compare");
    for (signage, sign) in [("inflows_negative", -1), ("inflows_positive", 1)] {
        let answered = corrected(card.clone().set("signage_convention", signage), 1, "-10.00");
        let (rows, bad) = read(&answered);
        let others = TRUTH[1..].iter().map(|cents| cents * sign);
        assert_eq!((rows, bad), ([-1_000].into_iter().chain(others).collect(), vec![]));
        let configuration = answered.analysed().layout.configuration();
        assert_eq!(configuration.signage_convention, None, "no convention decides");
    }
}
