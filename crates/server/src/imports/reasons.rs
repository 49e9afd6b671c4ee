//! Why a row has its verdict, as a sentence.

use std::collections::HashMap;

use purser_core::ids::EntryId;
use purser_core::import::verdict::Verdict;
use purser_store::imports::{Planned, Referred};

/// The sentence about a row, or nothing where there is nothing to explain. `errors` are what is
/// wrong with it, `problem` is why nobody knows its account.
pub(super) fn reason(
    planned: Planned,
    referred: &HashMap<EntryId, Referred>,
    errors: &[String],
    problem: Option<&str>,
) -> Option<String> {
    let known = planned.entry.and_then(|entry| referred.get(&entry));
    let transaction = match known {
        Some(Referred { name, date }) => format!("the transaction {name:?} of {date}"),
        None => "a transaction that is gone by now".to_owned(),
    };
    let sentence = match planned.verdict {
        Verdict::Create => return None,
        Verdict::PossibleDuplicate => format!(
            "It resembles {transaction}: the amount is the same, and the days are close together"
        ),
        Verdict::MatchedById => format!("It matches {transaction} by the bank's id"),
        Verdict::MatchedByContent => {
            format!("It matches {transaction}: account, day, amount and name are the same")
        }
        Verdict::DeletedBefore => format!("It matches {transaction}, which was deleted"),
        Verdict::Invalid => errors.join("; "),
        Verdict::LeftOut => "A person left it out".to_owned(),
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
    use uuid::Uuid;

    use super::*;

    #[test]
    fn sentences_name_the_transaction() {
        let entry = EntryId(Uuid::from_u128(1));
        let rent = Referred { date: date(2024, 3, 1), name: "Rent".into() };
        let known = HashMap::from([(entry, rent)]);
        let say = |verdict, entry| reason(Planned { verdict, entry }, &known, &[], None);
        assert_eq!(
            say(Verdict::MatchedById, Some(entry)).unwrap(),
            "It matches the transaction \"Rent\" of 2024-03-01 by the bank's id"
        );
        let gone = EntryId(Uuid::from_u128(2));
        let sentence = say(Verdict::DeletedBefore, Some(gone)).unwrap();
        assert_eq!(sentence, "It matches a transaction that is gone by now, which was deleted");
        assert_eq!(say(Verdict::Create, None), None);
        let bad = Planned { verdict: Verdict::Invalid, entry: None };
        let errors = ["a".to_owned(), "b".to_owned()];
        assert_eq!(reason(bad, &known, &errors, None).unwrap(), "a; b");
    }
}
