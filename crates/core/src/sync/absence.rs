//! After all steps: pending rows that are not reported any more.
//!
//! Only if pending rows were asked for, the answer is whole, and the day of the row was asked for
//! or lies further back than any pending row is asked for.
//! A bank may leave a row out of one answer, so it goes when it is missing for the second day, or
//! at once if it is old. What a person has touched stays, and so does what a person has been asked
//! about until there is an answer. While rows without ids can't be read, one without an id may be
//! among them, so it takes longer.

use jiff::civil::Date;

use super::matching::Matching;
use super::{
    ABSENCES_HIDDEN_MAX, ABSENCES_MAX, KnownState, PENDING_ASKED_DAYS, PENDING_DAYS_MAX,
    days_between,
};

pub(super) fn decide(matching: &mut Matching<'_>, today: Date) {
    let reported = matching.reported;
    if !reported.has_pending || !reported.is_whole {
        return;
    }
    let known = matching.known;
    let missing: Vec<usize> = matching
        .open_known()
        .filter(|at| known[*at].row.pending && known[*at].state != KnownState::Deleted)
        .filter(|at| {
            let date = known[*at].row.date;
            let is_past = days_between(date, today) > PENDING_ASKED_DAYS;
            reported.covers(date) || (is_past && date < reported.from)
        })
        .filter(|at| !known[*at].is_questioned && !matching.is_suggested(known[*at].entry))
        .collect();
    for at in missing {
        let one = &known[at];
        let is_counted = one.absent_on == Some(today);
        let absences = one.absences + u32::from(!is_counted);
        let is_old = days_between(one.row.date, today) > PENDING_DAYS_MAX;
        let absences_max = match one.row.id.is_none() && reported.may_hide_rows() {
            true => ABSENCES_HIDDEN_MAX,
            false => ABSENCES_MAX,
        };
        let is_gone = absences >= absences_max || is_old;
        if is_gone && one.state == KnownState::Untouched {
            matching.remove(at);
        } else if !is_counted && one.absences < absences_max {
            matching.mark_absent(at);
        }
    }
}
