//! Pairs that a person decides on, one after the other.

use super::*;
use crate::sync_suggestions;

#[test]
fn an_id_that_changed_several_times_is_asked_about_until_one_entry_is_left() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        linked.sync(&answer([booked("a", 1, 350_000, "Kiosk")]), 2, None);
        for (id, today) in [("b", 3), ("c", 4), ("d", 5)] {
            let rows = answer([booked(id, 1, 350_000, "Kiosk")]);
            linked.sync(&ReportedRows { is_whole: false, ..rows }, today, None);
        }
        assert_eq!(linked.entries().len(), 4, "nothing is guessed");
        for left in [3, 2, 1] {
            let pairs = linked.read(|tx| sync_suggestions::list(tx, None));
            let pair = pairs.first().expect("a pair is left").id;
            linked.write(|tx| sync_suggestions::merge(tx, pair).map(drop));
            assert_eq!(linked.entries().len(), left);
            linked.check();
        }
        assert!(linked.read(|tx| sync_suggestions::list(tx, None)).is_empty());
        let (_, plan) = linked.sync(&answer([booked("e", 1, 350_000, "Kiosk")]), 6, None);
        assert_eq!((plan.counts.added, plan.counts.identified), (0, 1));
    });
}
