//! Balances of a debt that lines state: with a wrong digit they may agree in the other sense.

use super::*;

/// A card that owes 100.00, buys for 150.00, pays 100.00 and owes 150.00.
const OWED: &str = "Date,Name,Debit,Credit\n\
    2026-01-01,Opening balance,,100.00\n\
    2026-01-02,A,150.00,\n2026-01-03,Payment,,100.00\n\
    2026-01-31,Closing balance,,150.00\n";
/// The same with signs.
const SIGNED: &str = "Date,Name,Amount\n\
    2026-01-01,Opening balance,100.00\n\
    2026-01-02,A,-150.00\n2026-01-03,Payment,100.00\n\
    2026-01-31,Closing balance,150.00\n";

/// What a file of a card is asked about after earlier ones that stated a debt, or money.
fn asked(text: &str, earlier: Option<bool>, set: &[(&'static str, &'static str)]) -> Vec<String> {
    let card = file(text).of(Classification::Liability);
    let card = set.iter().fold(card, |card, (name, value)| card.set(name, value));
    texts(&card.after(earlier).layout.problems)
}

fn is_about_sense(problems: &[String], sense: &str) -> bool {
    let [problem] = problems else { return false };
    problem.contains(&format!("agree with them as {sense}"))
}

#[test]
fn a_changed_digit_does_not_turn_the_balances_of_a_card() {
    let (owed, paid) = ("what is owed", "money that was paid in");
    let answer_of = |sense| if sense == owed { "compare_debt" } else { "compare_money" };
    for text in [OWED, SIGNED] {
        // 100.00 less 50.00 and 100.00 more is 150.00: as money.
        let wrong = text.replace("150.00,\n", "050.00,\n").replace("-150.00", "-050.00");
        let convention: &[_] = match text {
            OWED => &[],
            _ => &[("signage_convention", "inflows_positive")],
        };
        for (text, known, other, not) in [(text, true, owed, paid), (&wrong, false, paid, owed)] {
            assert_eq!(asked(text, Some(known), convention), [""; 0], "{text}");
            let turned = asked(text, Some(!known), convention);
            assert!(is_about_sense(&turned, other), "{text}: {turned:?}");
            // The amounts are those of the paper.
            assert!(turned[0].contains(": €100.00 before"), "{turned:?}");
            let answered = |answer| {
                let answered = [convention, &[("balance_check", answer)]].concat();
                asked(text, Some(!known), &answered)
            };
            assert_eq!(answered(answer_of(other)), [""; 0], "{text}");
            // The answer is about one sense: a row that is corrected since may need the other.
            for answer in [answer_of(not), "compare", "ignore_ends"] {
                assert_eq!(answered(answer), turned, "{text}: {answer}");
            }
        }
    }
}

#[test]
fn the_first_file_of_a_card_is_asked_about_and_decides_for_the_next() {
    let first = asked(OWED, None, &[]);
    assert!(is_about_sense(&first, "what is owed"), "{first:?}");
    // A convention of signs is no answer about columns.
    let sent = asked(OWED, None, &[("signage_convention", "inflows_positive")]);
    assert!(is_about_sense(&sent, "what is owed"), "{sent:?}");
    let card = file(OWED).of(Classification::Liability);
    let answered = card.clone().set("balance_check", "compare_debt").after(None).layout;
    assert_eq!((answered.stated_is_debt, answered.stated.is_some()), (Some(true), true));
    // What isn't to be compared proves nothing in the sense that was rejected.
    let ignored = card.clone().set("balance_check", "ignore");
    let layout = ignored.after(None).layout;
    assert_eq!((layout.problems.len(), layout.stated_is_debt, layout.stated), (0, None, None));
    assert!(layout.has_open_sense, "lines of it state balances");
    assert!(ignored.after(Some(true)).layout.stated.is_some(), "it is known what they count");
    // A month without such lines leaves what is known.
    let plain = "Date,Name,Debit,Credit\n2026-01-02,A,150.00,\n2026-01-03,Payment,,100.00\n";
    let plain = file(plain).of(Classification::Liability);
    assert_eq!(plain.after(Some(true)).layout.stated_is_debt, Some(true));
    assert_eq!(plain.after(None).layout.stated_is_debt, None);
    // What is below zero is money that the account lacks.
    let below = OWED.replace("Opening balance,,100.00", "Opening balance,100.00,");
    let below = below.replace("balance,,150.00", "balance,150.00,");
    assert_eq!(asked(&below, None, &[]), [""; 0]);
    let wrong = below.replace("A,150.00", "A,050.00");
    assert!(is_about_sense(&asked(&wrong, None, &[]), "money that was paid in"), "turned");
    // Money of a bank account has one sense.
    let bank = file(&OWED.replace("balance,,150.00", "balance,,50.00"));
    assert_eq!(bank.of(Classification::Asset).problems(), [""; 0]);
}

/// A card that owes 100.00 and is overpaid by 20.00 then, or the other way round.
#[test]
fn balances_with_both_signs_are_shown_as_they_are_written() {
    let file = |opening, purchase, payment, closing| {
        format!(
            "Date,Name,Amount\n2026-01-01,Opening balance,{opening}\n2026-01-02,A,{purchase}\n\
             2026-01-03,Payment,{payment}\n2026-01-31,Closing balance,{closing}\n"
        )
    };
    let overpaid = ("100.00", "-20.00", "€100.00 before 2026-01-02 → -€20.00 after");
    let spent = ("-20.00", "100.00", "-€20.00 before 2026-01-02 → €100.00 after");
    for ((opening, closing, text), amounts) in [(overpaid, [100, 220]), (spent, [140, 20])] {
        for (is_turned, signs) in [(false, "inflows_positive"), (true, "inflows_negative")] {
            let [purchase, payment] =
                amounts.map(|amount| if is_turned { amount } else { -amount });
            let file = file(opening, purchase, -payment, closing);
            let asked = asked(&file, Some(is_turned), &[("signage_convention", signs)]);
            assert!(is_about_sense(&asked, "what is owed"), "{asked:?}");
            assert!(asked[0].contains(text), "{asked:?}");
        }
    }
    let columns = OWED.replace("A,150.00", "A,80.00").replace("balance,,150.00", "balance,20.00,");
    let columns = columns.replace("Payment,,100.00", "Payment,,200.00");
    let asked = asked(&columns, None, &[]);
    assert!(is_about_sense(&asked, "what is owed"), "{asked:?}");
    assert!(asked[0].contains("€100.00 before"), "{asked:?}");
}

#[test]
fn where_both_senses_agree_that_of_earlier_files_counts() {
    let even = OWED.replace("150.00", "100.00");
    for (earlier, opening) in [(None, 100), (Some(false), 100), (Some(true), -100)] {
        let analysis = file(&even).of(Classification::Liability).after(earlier);
        assert_eq!(texts(&analysis.layout.problems), [""; 0]);
        let stated = analysis.layout.stated.and_then(|ends| ends.opening);
        assert_eq!(stated, Some(opening * 10_000));
        assert_eq!(analysis.layout.stated_is_debt, earlier);
    }
}

impl File {
    /// Reads it after files of the account with balances in lines that were a debt, or money.
    fn after(&self, stated_is_debt: Option<bool>) -> Analysis {
        let preferred = Formats { stated_is_debt, ..Formats::default() };
        Self { preferred, ..self.clone() }.analysed()
    }
}
