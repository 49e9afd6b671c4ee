//! Step 7: pending rows that are not reported any more.
//!
//! Only if pending rows were asked for, the answer is whole, and the day of the row was asked
//! for. A bank may leave a row out of one answer, so it goes when it is missing for the second
//! day, or at once if it is old. What a person has touched stays.

use jiff::civil::Date;

use super::matching::Matching;
use super::{ABSENCES_MAX, KnownState, PENDING_DAYS_MAX, days_between};

pub(super) fn decide(matching: &mut Matching<'_>, today: Date) {
    let reported = matching.reported;
    if !reported.has_pending || !reported.is_whole {
        return;
    }
    let known = matching.known;
    let missing: Vec<usize> = matching
        .open_known()
        .filter(|at| known[*at].row.pending && known[*at].state == KnownState::Untouched)
        .filter(|at| reported.covers(known[*at].row.date))
        .collect();
    for at in missing {
        let one = &known[at];
        let is_counted = one.absent_on == Some(today);
        let absences = one.absences + u32::from(!is_counted);
        let is_old = days_between(one.row.date, today) > PENDING_DAYS_MAX;
        if absences >= ABSENCES_MAX || is_old {
            matching.remove(at);
        } else if !is_counted {
            matching.mark_absent(at);
        }
    }
}
