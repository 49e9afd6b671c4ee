//! Laws of the matching over random ledgers, and a reference that looks at every pair.

use std::collections::BTreeSet;

use proptest::prelude::*;
use uuid::Uuid;

use super::evidence::{self, Evidence, Hints, Side};
use super::*;

const NAMES: [&str; 6] = ["Coffee", "Transfer", "to Account 2", "Refund", "Überweisung", ""];

fn context(rejected: HashSet<(EntryId, EntryId)>) -> Context {
    let types = [AccountType::Depository, AccountType::CreditCard, AccountType::Investment];
    let accounts = types.iter().zip(1_u128..).map(|(account_type, number)| {
        let name = format!("Account {number}");
        (AccountId(Uuid::from_u128(number)), Account { name, account_type: *account_type })
    });
    let food = (CategoryId(Uuid::from_u128(1)), "Food".to_owned());
    Context { accounts: accounts.collect(), categories: HashMap::from([food]), rejected }
}

prop_compose! {
    fn any_entry()(
        (account, days, units) in (1_u128..5, 0_i64..40, 1_i64..6),
        (out, euros, name, category) in (any::<bool>(), 0..10, 0..NAMES.len(), 0..8),
        flag in 0..40,
    ) -> Entry {
        Entry {
            id: EntryId(Uuid::nil()),
            account: AccountId(Uuid::from_u128(account)),
            // Gaps of all lengths.
            day: days * days / 8,
            amount: if out { units } else { -units },
            currency: if euros > 0 { Currency::EUR } else { Currency::USD },
            name: NAMES[name].to_owned(),
            notes: None,
            category: (category == 0).then(|| CategoryId(Uuid::from_u128(1))),
            pending: flag == 0,
            split: flag == 1,
            taken: flag == 2,
        }
    }
}

prop_compose! {
    /// Entries with ids, in no order, and some pairs that are rejected.
    fn any_ledger()(
        mut entries in proptest::collection::vec(any_entry(), 0..120),
        pairs in proptest::collection::vec((0_u128..120, 0_u128..120), 0..40),
    ) -> (Vec<Entry>, Context) {
        for (entry, number) in entries.iter_mut().zip(0_u128..) {
            entry.id = EntryId(Uuid::from_u128(number));
        }
        let id = |number| EntryId(Uuid::from_u128(number));
        let rejected = pairs.into_iter().map(|(out, into)| (id(out), id(into))).collect();
        (entries, context(rejected))
    }
}

fn matched(context: &Context, entries: &[Entry]) -> Vec<MatchedPair> {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|entry| entry.day);
    let mut found = Vec::new();
    let mut matcher = Matcher::new(context);
    for entry in entries {
        matcher.push(entry, &mut |one| found.push(one)).unwrap();
    }
    matcher.finish(&mut |one| found.push(one));
    found.sort_by_key(|one| (one.outflow, one.inflow));
    found
}

/// Every pair, looked at without any window.
fn reference(context: &Context, entries: &[Entry]) -> Vec<MatchedPair> {
    let known: Vec<&Entry> =
        entries.iter().filter(|entry| context.accounts.contains_key(&entry.account)).collect();
    let near = |one: &Entry, other: &Entry| {
        one.day.abs_diff(other.day) <= 4
            && one.account != other.account
            && one.currency == other.currency
    };
    let cancels = |one: &&Entry, other: &&Entry| {
        near(one, other) && one.is_free() && other.is_free() && one.amount == -other.amount
    };
    let rejected = |one: &Entry, other: &Entry| {
        let (out, into) = if one.amount > 0 { (one, other) } else { (other, one) };
        context.rejected.contains(&(out.id, into.id))
    };
    let candidates = |one: &&Entry| -> Vec<&Entry> {
        let all: Vec<&Entry> = known.iter().copied().filter(|other| cancels(one, other)).collect();
        if all.len() > CANDIDATES_MAX {
            return Vec::new();
        }
        all.into_iter().filter(|other| !rejected(one, other)).collect()
    };
    let crowd = |one: &Entry| {
        let opposite = |other: &&&Entry| near(one, other) && one.amount * other.amount < 0;
        u32::try_from(known.iter().filter(opposite).count()).unwrap()
    };
    let accounts = evidence::accounts(context);
    let judge = |one: &Entry, other: &Entry| {
        let (out, into) = if one.amount > 0 { (one, other) } else { (other, one) };
        let hints = [out, into].map(|entry| Hints::of(context, entry));
        let side = |index: usize, entry: &Entry| Side {
            day: entry.day,
            account: accounts.get(&entry.account),
            hints: &hints[index],
            candidates: candidates(&entry).len(),
            crowd: crowd(entry),
        };
        let evidence = Evidence::of(side(0, out), side(1, into));
        let assess = evidence.assess();
        (assess, evidence.days_apart, evidence.reasons())
    };
    let best = |one: &&Entry| -> Vec<EntryId> {
        let mut ranked: Vec<_> = candidates(one)
            .into_iter()
            .filter(|other| candidates(other).iter().any(|back| back.id == one.id))
            .filter_map(|other| {
                let (assess, days_apart, _) = judge(one, other);
                assess.decision.map(|_| (100 - assess.score, days_apart, other.id))
            })
            .collect();
        ranked.sort();
        ranked.into_iter().take(PROPOSALS_MAX).map(|(_, _, id)| id).collect()
    };
    let mut found = Vec::new();
    for out in known.iter().filter(|entry| entry.amount > 0) {
        for into in candidates(out) {
            if best(out).contains(&into.id) && best(&into).contains(&out.id) {
                let (assess, _, reasons) = judge(out, into);
                found.push(MatchedPair {
                    outflow: out.id,
                    inflow: into.id,
                    days: (out.day, into.day),
                    decision: assess.decision.unwrap(),
                    score: assess.score,
                    reasons,
                });
            }
        }
    }
    found.sort_by_key(|one| (one.outflow, one.inflow));
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_window_finds_what_looking_at_every_pair_finds((entries, context) in any_ledger()) {
        prop_assert_eq!(matched(&context, &entries), reference(&context, &entries));
    }

    #[test]
    fn an_entry_is_in_one_certain_pair_and_in_few_proposals((entries, context) in any_ledger()) {
        let found = matched(&context, &entries);
        let mut certain = BTreeSet::new();
        for one in found.iter().filter(|one| one.decision == Decision::Confirm) {
            prop_assert!(certain.insert(one.outflow) && certain.insert(one.inflow));
        }
        for entry in &entries {
            let pairs = found.iter().filter(|one| [one.outflow, one.inflow].contains(&entry.id));
            let pairs: Vec<_> = pairs.collect();
            prop_assert!(pairs.len() <= PROPOSALS_MAX);
            let in_certain = pairs.iter().any(|one| one.decision == Decision::Confirm);
            prop_assert!(!in_certain || pairs.len() == 1);
        }
    }

    #[test]
    fn the_order_of_the_entries_does_not_matter(
        (entries, context) in any_ledger(),
        seed in any::<u64>(),
    ) {
        let mut shuffled = entries.clone();
        let step = |entry: &Entry| {
            (entry.id.0.as_u128() as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        shuffled.sort_by_key(step);
        prop_assert_eq!(matched(&context, &entries), matched(&context, &shuffled));
    }

    #[test]
    fn in_and_out_are_treated_alike((entries, mut context) in any_ledger()) {
        // Payments count only into a debt, so that there must be none here.
        for account in context.accounts.values_mut() {
            account.account_type = AccountType::Depository;
        }
        let turned: Vec<Entry> = entries
            .iter()
            .cloned()
            .map(|entry| Entry { amount: -entry.amount, ..entry })
            .collect();
        let mut other = context.clone();
        other.rejected = context.rejected.iter().map(|(out, into)| (*into, *out)).collect();
        let found = matched(&context, &entries).into_iter();
        let mut expected: Vec<_> =
            found.map(|one| (one.inflow, one.outflow, one.decision, one.score)).collect();
        expected.sort();
        let turned = matched(&other, &turned).into_iter();
        let found: Vec<_> =
            turned.map(|one| (one.outflow, one.inflow, one.decision, one.score)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_pair_depends_on_the_days_around_it_only((entries, context) in any_ledger()) {
        for one in matched(&context, &entries) {
            let (first, last) = (one.days.0.min(one.days.1), one.days.0.max(one.days.1));
            let around: Vec<Entry> = entries
                .iter()
                .filter(|entry| {
                    (first - CONTEXT_DAYS..=last + CONTEXT_DAYS).contains(&entry.day)
                })
                .cloned()
                .collect();
            prop_assert!(matched(&context, &around).contains(&one));
        }
    }
}
