//! Why a row has its verdict, as a sentence.

use jiff::civil::Date;
use purser_core::import::verdict::Verdict;
use purser_store::imports::Referred;

/// The sentence about a row, or nothing where there is nothing to explain. `known` is the entry
/// that the verdict refers to, `errors` are what is wrong with the row, `problem` is why nobody
/// knows its account. `day` writes days.
pub(super) fn reason(
    verdict: Verdict,
    known: Option<&Referred>,
    errors: &[String],
    problem: Option<&str>,
    day: fn(Date) -> String,
) -> Option<String> {
    let is_trade = known.is_some_and(|known| known.is_trade);
    let same = if is_trade { "what it contains" } else { "name" };
    let transaction = match known {
        Some(Referred { name, date, .. }) => {
            let noun = if is_trade { "trade" } else { "transaction" };
            format!("the {noun} {name:?} of {}", day(*date))
        }
        None => "a transaction that is gone by now".to_owned(),
    };
    let sentence = match verdict {
        Verdict::Create => return None,
        Verdict::PossibleDuplicate => format!(
            "It resembles {transaction}: the amount is the same, and the days are close together"
        ),
        Verdict::MatchedById => format!("It matches {transaction} by the bank's id"),
        Verdict::MatchedByContent if known.is_some_and(|known| known.changed) => format!(
            "It matches {transaction}, which was changed since: account, day, amount and {same} \
             were the same when it came in"
        ),
        Verdict::MatchedByContent => {
            format!("It matches {transaction}: account, day, amount and {same} are the same")
        }
        Verdict::MatchedByRecord if known.is_some_and(|known| known.changed) => format!(
            "It matches {transaction}, which was changed since: it came in with the same record \
             of a file, which was read with other settings"
        ),
        Verdict::MatchedByRecord => format!(
            "It matches {transaction}: that came in with the same record of a file, which was \
             read with other settings"
        ),
        Verdict::DeletedBefore => format!("It matches {transaction}, which was deleted"),
        Verdict::Invalid => errors.join("; "),
        Verdict::LeftOut => "A person left it out".to_owned(),
        Verdict::MatchedByName => "It has the name of what is there".to_owned(),
        Verdict::Change => "It changes what is there".to_owned(),
        Verdict::Repeats => "An earlier row is the same".to_owned(),
        Verdict::NeedsChoice => match problem {
            Some(problem) => problem.to_owned(),
            None => "Its account must be chosen first".to_owned(),
        },
    };
    Some(sentence)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn sentences_name_the_transaction() {
        let rent = Referred {
            date: date(2024, 3, 1),
            name: "Rent".into(),
            changed: false,
            is_trade: false,
        };
        let flat = Referred { name: "Flat".into(), changed: true, ..rent.clone() };
        let iso = |date: Date| date.to_string();
        let explain = |verdict, known: Option<&Referred>| reason(verdict, known, &[], None, iso);
        assert_eq!(
            explain(Verdict::MatchedById, Some(&rent)).unwrap(),
            "It matches the transaction \"Rent\" of 2024-03-01 by the bank's id"
        );
        assert_eq!(
            explain(Verdict::MatchedByContent, Some(&rent)).unwrap(),
            "It matches the transaction \"Rent\" of 2024-03-01: account, day, amount and name are \
             the same"
        );
        assert_eq!(
            explain(Verdict::MatchedByContent, Some(&flat)).unwrap(),
            "It matches the transaction \"Flat\" of 2024-03-01, which was changed since: account, \
             day, amount and name were the same when it came in"
        );
        assert_eq!(
            explain(Verdict::MatchedByRecord, Some(&rent)).unwrap(),
            "It matches the transaction \"Rent\" of 2024-03-01: that came in with the same record \
             of a file, which was read with other settings"
        );
        assert_eq!(
            explain(Verdict::MatchedByRecord, Some(&flat)).unwrap(),
            "It matches the transaction \"Flat\" of 2024-03-01, which was changed since: it came \
             in with the same record of a file, which was read with other settings"
        );
        let sentence = explain(Verdict::DeletedBefore, None).unwrap();
        assert_eq!(sentence, "It matches a transaction that is gone by now, which was deleted");
        assert_eq!(explain(Verdict::Create, None), None);
        let errors = ["a".to_owned(), "b".to_owned()];
        assert_eq!(reason(Verdict::Invalid, None, &errors, None, iso).unwrap(), "a; b");
        let short = |date: Date| date.strftime("%-d %b %Y").to_string();
        let for_people = reason(Verdict::MatchedById, Some(&rent), &[], None, short);
        assert!(for_people.unwrap().contains("\"Rent\" of 1 Mar 2024 by"));
    }
}
