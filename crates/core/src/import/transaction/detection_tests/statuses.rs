//! Rows that were taken back, beside others with the same amount.

use super::*;

/// The words that are asked about.
fn asked(header: &str, rows: &[&str]) -> Vec<String> {
    let lines: Vec<&str> = [header].into_iter().chain(rows.iter().copied()).collect();
    let asked = found(&lines).problems.into_iter().filter_map(|problem| match problem {
        LayoutProblem::UnknownStatus { unknown, .. } => Some(unknown),
        _ => None,
    });
    asked.flatten().collect()
}

#[test]
fn a_cancelled_row_is_asked_about_if_another_one_goes_the_other_way() {
    let header = "Date;Name;Amount;Status";
    let way = |word: &str, other: &str| {
        let first = format!("2024-05-13;Hotel;-120.00;{word}");
        let second = format!("2024-05-15;Hotel;{other};Completed");
        asked(header, &[&first, &second, "2024-05-16;Cinema;-9.00;Completed"])
    };
    for word in ["Cancelled", "Voided", "Annulé", "取消", "İptal edildi"] {
        assert_eq!(way(word, "120.00"), [word], "{word}");
        assert_eq!(way(word, "-120.00"), [""; 0], "{word}: a second try");
        assert_eq!(way(word, "12.50"), [""; 0], "{word}");
    }
    for word in ["Declined", "Failed", "Expired"] {
        assert_eq!(way(word, "120.00"), [""; 0], "{word}");
    }
    for other in ["120.00", "-120.00"] {
        assert_eq!(way("Reversed", other), ["Reversed"], "{other}");
    }
    // Both words are asked about at once, and one of a row that stands alone isn't.
    let rows = [
        "2024-05-13;Hotel;-120.00;Cancelled",
        "2024-05-14;Fuel;-40.00;Reversed",
        "2024-05-14;Tram;-3.00;Voided",
        "2024-05-15;Hotel;120.00;Completed",
        "2024-05-16;Fuel;40.00;Completed",
    ];
    assert_eq!(asked(header, &rows), ["Cancelled", "Reversed"]);
}

#[test]
fn columns_and_words_show_which_way_a_cancelled_amount_went() {
    let header = "Date;Debit;Credit;Status";
    let cancelled = "2024-05-13;120.00;;Cancelled";
    let asks = |row: &str| asked(header, &[cancelled, row]);
    assert_eq!(asks("2024-05-15;;120.00;Booked"), ["Cancelled"]);
    assert_eq!(asks("2024-05-15;-120.00;;Booked"), ["Cancelled"]);
    assert_eq!(asks("2024-05-15;120.00;;Booked"), [""; 0]);
    // Neither row is taken.
    assert_eq!(asks("2024-05-15;;120.00;Declined"), [""; 0]);
    let header = "Date;Type;Amount;Status";
    let asks = |row: &str| asked(header, &["2024-05-13;Debit;120.00;Cancelled", row]);
    assert_eq!(asks("2024-05-15;Credit;120.00;Booked"), ["Cancelled"]);
    assert_eq!(asks("2024-05-15;Debit;120.00;Booked"), [""; 0]);
}

/// Neither flags nor a later column answer for a first one with unknown words.
#[test]
fn other_columns_do_not_silence_the_question_about_the_first() {
    for (other, cell) in [("Pending", "false"), ("Payment status", "Paid")] {
        let header = format!("Date;Text;Amount;Status;{other}");
        let rows = [
            format!("2026-05-01;Rent;-900.00;Bnced;{cell}"),
            format!("2026-05-02;Shop;-12.00;Wrkd;{cell}"),
        ];
        assert_eq!(asked(&header, &[&rows[0], &rows[1]]), ["Bnced", "Wrkd"], "{other}");
    }
    let texts = [
        "2026-05-01;Rent;-900.00;Completed;Paid by card",
        "2026-05-02;Shop;-12.00;Completed;Standing order",
    ];
    assert_eq!(asked("Date;Text;Amount;Status;Status description", &texts), [""; 0]);
}
