//! Ids that are those of other accounts.

use super::*;

#[test]
fn r3011_an_id_of_two_accounts_is_one_of_each() {
    on_both(|fixture| {
        let one = Linked::new(fixture);
        let account = make(fixture, one.family, &input("Card", "credit_card", "0")).summary.id;
        let of = SourceAccount { account, source: one.of.source };
        let other = Linked { fixture, family: one.family, of };
        let rows = answer([booked("a", 1, 350_000, "Kiosk"), pending("b", 2, 90_000, "Bakery")]);
        for linked in [&one, &other, &one, &other] {
            linked.sync(&rows, 3, None);
            assert_eq!(linked.plan(&rows, 3).changes, []);
            assert_eq!(linked.entries().len(), 2);
        }
        one.check();
    });
}
