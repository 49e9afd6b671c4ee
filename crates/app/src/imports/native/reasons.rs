//! Why a record that can be read doesn't come, as a sentence.

use purser_core::import::native::Record;
use purser_core::import::verdict::Verdict;

/// The reason of a verdict that follows from other records of the file, or from what the family
/// has.
pub(in crate::imports) fn why_open(record: &Record, verdict: Verdict) -> Option<String> {
    match (verdict, record) {
        (Verdict::NeedsChoice, Record::Account(one)) => Some(format!(
            "The family has more accounts of this name, type and currency than the file: choose \
             create for a new one, or give those that aren't {:?} other names",
            one.name
        )),
        (Verdict::NeedsChoice, _) => Some(
            "The family's budget of the month is in another currency: leave the record out"
                .to_owned(),
        ),
        (Verdict::Invalid, _) => {
            let (what, pointed) = match record {
                Record::Transfer(one) => (
                    "one of its transactions",
                    format!("{:?} and {:?}", one.outflow.0, one.inflow.0),
                ),
                _ => {
                    let mut pointed = Vec::new();
                    record
                        .required(&mut |_, id, field| pointed.push(format!("{field} {:?}", id.0)));
                    ("what it points to", pointed.join(", "))
                }
            };
            Some(format!("It doesn't come because {what} can't be imported: {pointed}"))
        }
        _ => None,
    }
}
