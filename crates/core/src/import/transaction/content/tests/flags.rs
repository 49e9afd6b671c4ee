//! Yes and no below a word for a status.

use super::*;
use crate::import::layout_problem::LayoutProblem;
use crate::import::transaction::Interpreter;

/// Which of the rows are left out, by their numbers, or `asked`.
fn left_out(header: &str, cells: &[&str]) -> Result<Vec<usize>, Vec<String>> {
    let rows: Vec<String> = cells
        .iter()
        .enumerate()
        .map(|(at, cell)| format!("2024-05-1{at};-{}.50;Shop {at};{cell}", at + 1))
        .collect();
    let lines: Vec<&str> = rows.iter().map(String::as_str).collect();
    let layout = headed(&format!("Date;Amount;Name;{header}"), &lines);
    if !layout.problems.is_empty() {
        return match &layout.problems[..] {
            [LayoutProblem::UnknownStatus { unknown, .. }] => Err(unknown.clone()),
            other => panic!("{header} {other:?}"),
        };
    }
    let currencies = HashMap::new();
    let context = Context {
        as_of: date(2024, 6, 15),
        family_currency: Currency::EUR,
        account: None,
        account_currencies: &currencies,
        row_set: None,
    };
    let interpreter = Interpreter::new(&layout, context).unwrap();
    let records = records(&lines);
    let is_left_out = |at: &usize| interpreter.left_out(records[*at].as_cells()).is_some();
    Ok((0..records.len()).filter(is_left_out).collect())
}

#[test]
fn yes_below_a_word_for_a_status_is_that_status() {
    for (header, cells, expected) in [
        ("pending", ["false", "true", "false"], vec![1]),
        ("Declined", ["", "Y", ""], vec![1]),
        ("isVoided", ["0", "0", "1"], vec![2]),
        ("Vorgemerkt", ["nein", "ja", "vorgemerkt"], vec![1, 2]),
        ("Annulé", ["non", "non", "oui"], vec![2]),
        ("Cancelado", ["sí", "no", "no"], vec![0]),
        ("Cancelled", ["x", "", ""], vec![0]),
        ("Authorised", ["", "", ""], vec![]),
        ("Authorization", ["PIN", "Contactless", "PIN"], vec![]),
        // What is booked may be the word of a person who compares.
        ("Reconciled", ["yes", "no", "yes"], vec![]),
        ("Reconciled", ["no", "no", "no"], vec![]),
        // Something else.
        ("Pending", ["1.50", "", "2.50"], vec![]),
        ("Authorization", ["A123", "B456", "C789"], vec![]),
        ("Expired", ["2027-01-01", "2027-01-01", "2027-01-02"], vec![]),
        ("Paid", ["1.50", "2.50", "3.50"], vec![]),
        ("Final", ["Shop", "", "Kiosk"], vec![]),
    ] {
        assert_eq!(left_out(header, &cells), Ok(expected), "{header} {cells:?}");
    }
    for (header, cells, words) in [
        ("Pending", ["no", "perhaps", "no"], ["perhaps"].as_slice()),
        ("Error", ["", "No money", ""], &["No money"]),
        ("Cancelled", ["", "2024-05-20", ""], &["2024-05-20"]),
        // What isn't booked may be anything.
        ("Booked", ["yes", "no", "yes"], &["no"]),
        ("Authorised", ["yes", "no", "yes"], &["no"]),
        ("Autoryzacja", ["tak", "nie", "tak"], &["nie"]),
    ] {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(left_out(header, &cells), Err(words), "{header} {cells:?}");
    }
}

#[test]
fn every_status_counts_the_flags_among_them() {
    let layout = headed(
        "Date;Amount;Pending;Status;State;Declined",
        &["2024-05-13;-1.50;no;Booked;TX;no", "2024-05-14;-2.50;yes;Booked;NM;no"],
    );
    assert_eq!(layout.problems, []);
    assert_eq!((layout.columns.status, layout.columns.other_statuses), (Some(3), vec![2, 5]));
}

#[test]
fn a_name_of_a_day_that_is_a_status_too_is_what_its_cells_are() {
    let of = |header, rows: &[&str]| {
        let layout = headed(header, rows);
        (layout.columns.date, layout.columns.status, texts(&layout.problems))
    };
    let days = ["2024-05-13;2024-05-12;-1.50", "2024-05-14;2024-05-12;-2.50"];
    assert_eq!(of("Bokförd;Datum;Belopp", &days), (Some(0), None, vec![]));
    let flags = ["ja;2024-05-12;-1.50", "ja;2024-05-12;-2.50"];
    assert_eq!(of("Bokförd;Datum;Belopp", &flags), (Some(1), Some(0), vec![]));
    let asked = "Whether rows with \"nej\" in \"Bokförd\" are booked is not certain; list the \
                 words to take in the row filter, as in: Bokförd is ja | nej";
    let flags = ["ja;2024-05-12;-1.50", "nej;2024-05-12;-2.50"];
    let asked = vec![asked.to_owned()];
    assert_eq!(of("Bokförd;Datum;Belopp", &flags), (Some(1), Some(0), asked));
}
