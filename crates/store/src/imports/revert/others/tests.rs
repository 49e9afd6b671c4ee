//! What is counted when not everything is looked at.

use purser_core::import::verdict::Verdict;

use super::*;
use crate::access::FamilyTx;
use crate::driver::vals;
use crate::imports::{self, BLOCK_ROWS, Plan, Planned};
use crate::testing::{new_import, on_both};

statements! {
    ADD_ACCOUNT = "INSERT INTO accounts (family_id, id, name, name_key, account_type, currency,
            status, opening_amount, transactions_count, valuations_count, created_at, updated_at)
        VALUES ($1, $2, 'A', 'a', 'depository', 'EUR', 'active', 0, 0, 0, 0, 0)";
    ADD_ENTRY = "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
            pending, changed_at, created_at, updated_at)
        VALUES ($1, $2, $3, 0, 1, 1, 'EUR', 'n', $4, $5, 0, 0)";
    SET_PUBLISHED = "UPDATE imports SET status = 'complete', first_entry_id = $1, last_entry_id = $2
        WHERE family_id = $3 AND id = $4";
}

fn entry(number: u64) -> EntryId {
    EntryId(Uuid::from_u128(number.into()))
}

/// A published import of so many rows, of which some were matched with entries. Its record has the
/// entries 1 to 20 as created.
fn import(
    tx: &mut FamilyTx<'_>,
    version: i64,
    rows: u64,
    matched: &[(u64, Verdict, u64)],
) -> Result<ImportId> {
    let family = tx.family();
    let id = imports::insert(tx, &new_import(rows))?;
    let mut plan = Plan::new(version);
    (0..rows).for_each(|_| plan.push(Verdict::Create));
    for (row, verdict, number) in matched {
        plan.set(*row, Planned { verdict: *verdict, record: Some(entry(*number).0) })?;
    }
    let updated_at = imports::get(tx, id)?.updated_at;
    assert!(imports::plan_store(tx, id, &plan, updated_at)?);
    tx.execute(&SET_PUBLISHED, vals![entry(1), entry(20), family, id])?;
    Ok(id)
}

#[test]
fn beyond_a_limit_the_counts_are_lower_bounds() {
    on_both(|fixture| {
        let (family, _) = fixture.family("own");
        let account = AccountId(Uuid::from_u128(0xacc));
        let content = Verdict::MatchedByContent;
        let make = |tx: &mut FamilyTx<'_>| {
            tx.execute(&ADD_ACCOUNT, vals![family, account])?;
            // The entry 3 was changed, 4 is gone, and 21 is of another import.
            for number in [1, 2, 3, 5, 21] {
                let changed = (number == 3).then_some(1i64);
                tx.execute(&ADD_ENTRY, vals![family, entry(number), account, false, changed])?;
            }
            let earlier = [(1, content, 1)];
            import(tx, 1, 1, &earlier)?;
            let own = import(tx, 5, 1, &[])?;
            let resembles = Verdict::PossibleDuplicate;
            let two_blocks = BLOCK_ROWS + 1;
            let rows = [
                (1, Verdict::MatchedById, 1),
                (2, content, 3),
                (3, content, 4),
                (4, resembles, 5),
                (5, content, 21),
                (two_blocks, content, 2),
            ];
            let second = import(tx, 6, two_blocks, &rows)?;
            import(tx, 7, 1, &[])?;
            let last = import(tx, 8, 1, &[(1, content, 1)])?;
            Ok([own, second, last])
        };
        assert_eq!(STATEMENTS.len(), 3);
        let [own, second, last] = fixture.store.write_blocking(family, make).unwrap();
        let search = |imports, blocks, rows| {
            let limits = Limits { imports, blocks, rows };
            let read = |tx: &mut FamilyTx<'_>| {
                let own = imports::get(tx, own)?;
                super::search(tx, &own, limits)
            };
            let found = fixture.store.read_blocking(family, read).unwrap();
            let named = found.named.iter().map(|one| (one.id, one.entries)).collect::<Vec<_>>();
            ((found.entries, found.imports, found.is_exact), named)
        };
        let all = ((2, 2, true), vec![(second, 2), (last, 1)]);
        assert_eq!(search(9, 9, 99), all);
        // Exactly as much as there is.
        assert_eq!(search(3, 3, 5), all);
        assert_eq!(search(2, 9, 99), ((2, 1, false), vec![(second, 2)]));
        assert_eq!(search(9, 2, 99), ((2, 1, false), vec![(second, 2)]));
        assert_eq!(search(9, 1, 99), ((1, 1, false), vec![(second, 1)]));
        assert_eq!(search(9, 9, 4), ((2, 1, false), vec![(second, 2)]));
        assert_eq!(search(9, 9, 3), ((1, 1, false), vec![(second, 1)]));
        assert_eq!(search(9, 0, 99), ((0, 0, false), vec![]));
        let nowhere = [AccountId(Uuid::nil())];
        let read = |tx: &mut FamilyTx<'_>| {
            let own = imports::get(tx, own)?;
            tx.seeing(Some(&nowhere), |tx| others(tx, &own))
        };
        let found = fixture.store.read_blocking(family, read).unwrap();
        assert_eq!((found.entries, found.imports, found.named), (0, 0, vec![]));
    });
}
