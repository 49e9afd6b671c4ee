//! What holds for all rules and all transactions.

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;
use crate::ledger::locks::LockField;

fn references() -> impl Strategy<Value = Reference> {
    prop_oneof![
        (0_u128..4).prop_map(|number| Reference::Id(id(number))),
        "[a-z ]{1,6}[a-z]".prop_map(|name| Reference::Name(name.trim().to_owned())),
    ]
}

fn texts() -> impl Strategy<Value = TextTest> {
    let text = "[aAéÉß%_ ]{0,3}[bxẞ]";
    prop_oneof![
        text.prop_map(|text| TextTest::Contains(Needle::new(&text))),
        text.prop_map(|text| TextTest::ContainsNot(Needle::new(&text))),
        text.prop_map(TextTest::Is),
        text.prop_map(TextTest::IsNot),
        Just(TextTest::Missing),
        Just(TextTest::Present),
    ]
}

fn leaves() -> impl Strategy<Value = Condition> {
    let nouns = prop::sample::select(vec![Noun::Category, Noun::Merchant, Noun::Tag]);
    let fields = prop::sample::select(TextField::ALL.to_vec());
    let comparisons = prop::sample::select(Comparison::ALL.to_vec());
    let types = prop::sample::select(TransactionType::ALL.to_vec());
    prop_oneof![
        (fields, texts()).prop_map(|(field, test)| Condition::Text(field, test)),
        (comparisons, 0_i64..30, 0_u32..4).prop_map(|(comparison, number, scale)| {
            Condition::Amount(AmountTest { comparison, value: Decimal::new(number, scale) })
        }),
        (any::<bool>(), types).prop_map(|(is, wanted)| Condition::Type { is, wanted }),
        (nouns, references(), 0..4).prop_map(|(noun, reference, operator)| {
            let test = match operator {
                0 => RefTest::Is(reference),
                1 => RefTest::IsNot(reference),
                2 => RefTest::Missing,
                _ => RefTest::Present,
            };
            Condition::Reference(noun, test)
        }),
        references().prop_map(|one| Condition::Reference(Noun::Account, RefTest::Is(one))),
    ]
}

fn trees() -> impl Strategy<Value = Condition> {
    leaves().prop_recursive(3, 16, 4, |inner| {
        (any::<bool>(), prop::collection::vec(inner, 1..4)).prop_map(|(all, conditions)| {
            if all { Condition::All(conditions) } else { Condition::Any(conditions) }
        })
    })
}

fn acts() -> impl Strategy<Value = Action> {
    prop_oneof![
        references().prop_map(Action::SetCategory),
        references().prop_map(Action::AddTag),
        references().prop_map(Action::SetMerchant),
        "[abé]{1,3}".prop_map(Action::SetName),
        Just(Action::Exclude),
    ]
}

fn rules() -> impl Strategy<Value = Rules> {
    let days = prop::option::of((1_i8..5).prop_map(|day| date(2026, 3, day)));
    let rule = (days, prop::collection::vec(trees(), 0..3), prop::collection::vec(acts(), 1..4));
    let rule = rule.prop_map(|(effective_date, conditions, actions)| Rule {
        effective_date,
        conditions,
        actions,
    });
    prop::collection::vec(rule, 0..6).prop_map(Rules)
}

fn transactions() -> impl Strategy<Value = Facts<'static>> {
    let point = || prop::option::of((0_u128..4).prop_map(id));
    let text = "[aAéÉßẞ%_ bx]{0,6}";
    let tags = prop::collection::btree_set((0_u128..4).prop_map(id), 0..4);
    let money = (-40_000_i64..40_000, prop::sample::select(vec!["USD", "BTC", "JPY"]));
    let texts = (text, text, prop::option::of(text));
    let rest = (1_i8..5, any::<bool>(), any::<bool>(), 0_i64..256, 0_u128..4);
    (money, texts, point(), point(), tags, rest).prop_map(
        |((amount, currency), (name, source_name, notes), category, merchant, tags, rest)| {
            let (day, excluded, transfer, locked, account) = rest;
            Facts {
                account: id(account),
                date: date(2026, 3, day),
                amount,
                currency: Currency::parse(currency).unwrap(),
                name: name.into(),
                source_name: source_name.into(),
                notes: notes.map(Into::into),
                category,
                merchant,
                tags: tags.into_iter().collect(),
                excluded,
                transfer,
                locked: Locks::from_bits(locked),
            }
        },
    )
}

/// The transaction after the effects.
fn after<'a>(facts: &Facts<'a>, verdict: &Evaluation) -> Facts<'a> {
    let mut facts = facts.clone();
    for effect in &verdict.effects {
        match &effect.new {
            NewValue::Name(name) => facts.name = name.clone().into(),
            NewValue::Category(id) => facts.category = Some(*id),
            NewValue::Merchant(id) => facts.merchant = Some(*id),
            NewValue::Tag(id) => facts.tags.push(*id),
            NewValue::Excluded => facts.excluded = true,
        }
    }
    facts
}

/// The opposite, as a person would write it.
fn negated(condition: &Condition) -> Condition {
    match condition {
        Condition::All(all) => Condition::Any(all.iter().map(negated).collect()),
        Condition::Any(any) => Condition::All(any.iter().map(negated).collect()),
        Condition::Text(field, test) => {
            let opposite = match test.clone() {
                TextTest::Contains(needle) => TextTest::ContainsNot(needle),
                TextTest::ContainsNot(needle) => TextTest::Contains(needle),
                TextTest::Is(text) => TextTest::IsNot(text),
                TextTest::IsNot(text) => TextTest::Is(text),
                TextTest::Missing => TextTest::Present,
                TextTest::Present => TextTest::Missing,
            };
            Condition::Text(*field, opposite)
        }
        Condition::Amount(test) => {
            let comparison = match test.comparison {
                Comparison::Less => Comparison::AtLeast,
                Comparison::AtLeast => Comparison::Less,
                Comparison::More => Comparison::AtMost,
                Comparison::AtMost => Comparison::More,
                Comparison::Equal => Comparison::Unequal,
                Comparison::Unequal => Comparison::Equal,
            };
            Condition::Amount(AmountTest { comparison, ..*test })
        }
        Condition::Type { is, wanted } => Condition::Type { is: !is, wanted: *wanted },
        Condition::Reference(noun, test) => {
            let opposite = match test.clone() {
                RefTest::Is(reference) => RefTest::IsNot(reference),
                RefTest::IsNot(reference) => RefTest::Is(reference),
                RefTest::Missing => RefTest::Present,
                RefTest::Present => RefTest::Missing,
            };
            Condition::Reference(*noun, opposite)
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(rules in rules()) {
        for rule in &rules.0 {
            let text = json::write_conditions(&rule.conditions).to_string();
            let mut problems = Problems::new();
            let read = json::read_conditions(&text, &mut problems);
            prop_assert_eq!(problems.texts(), Vec::<String>::new());
            prop_assert_eq!(&read, &rule.conditions);
            let text = json::write_actions(&rule.actions).to_string();
            let mut problems = Problems::new();
            let read = json::read_actions(&text, &mut problems);
            prop_assert_eq!(problems.texts(), Vec::<String>::new());
            prop_assert_eq!(&read, &rule.actions);
        }
    }

    #[test]
    fn a_condition_or_its_opposite_holds(tree in trees(), facts in transactions()) {
        let run = |condition: Condition| {
            let rule = Rule {
                effective_date: None,
                conditions: vec![condition],
                actions: vec![Action::Exclude],
            };
            Rules(vec![rule]).run(&facts, &Work::default()).matched.len()
        };
        prop_assert_eq!(run(tree.clone()) + run(negated(&tree)), 1);
    }

    #[test]
    fn effects_are_real_and_never_on_what_is_locked(
        rules in rules(), facts in transactions(),
    ) {
        let verdict = rules.run(&facts, &Work::default());
        let after = after(&facts, &verdict);
        for (field, changed) in [
            (LockField::Name, after.name != facts.name),
            (LockField::Category, after.category != facts.category),
            (LockField::Merchant, after.merchant != facts.merchant),
            (LockField::Tags, after.tags != facts.tags),
            (LockField::Excluded, after.excluded != facts.excluded),
        ] {
            let reported = verdict.effects.iter().any(|effect| match effect.new {
                NewValue::Name(_) => field == LockField::Name,
                NewValue::Category(_) => field == LockField::Category,
                NewValue::Merchant(_) => field == LockField::Merchant,
                NewValue::Tag(_) => field == LockField::Tags,
                NewValue::Excluded => field == LockField::Excluded,
            });
            prop_assert_eq!(changed, reported, "{:?}", field);
            prop_assert!(!changed || !facts.locked.has(field), "{:?}", field);
        }
        let rules_of = |effect: &Effect| verdict.matched.contains(&effect.rule);
        prop_assert!(verdict.effects.iter().all(rules_of));
        let unique: std::collections::BTreeSet<_> = after.tags.iter().collect();
        prop_assert_eq!(unique.len(), after.tags.len());
    }

    #[test]
    fn rules_one_by_one_are_rules_together(rules in rules(), facts in transactions()) {
        let mut now = facts.clone();
        let mut matched = Vec::new();
        for (place, rule) in rules.0.iter().enumerate() {
            let verdict = Rules(vec![rule.clone()]).run(&now, &Work::default());
            matched.extend(verdict.matched.iter().map(|_| place));
            now = after(&now, &verdict);
        }
        let together = rules.run(&facts, &Work::default());
        prop_assert_eq!(&together.matched, &matched);
        prop_assert_eq!(after(&facts, &together), now);
    }
}
