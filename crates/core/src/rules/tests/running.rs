//! Which conditions hold, and what actions do.

use super::*;
use crate::ledger::locks::LockField;

/// Whether one condition holds.
fn holds(facts: &Facts<'_>, kind: &str, operator: &str, value: &str) -> bool {
    let json = serde_json::json!([
        { "condition_type": kind, "operator": operator, "value": value }
    ]);
    let rule = rule(&json.to_string(), r#"[{"action_type": "exclude_transaction"}]"#);
    !Rules(vec![rule]).run(facts, &Work::default()).matched.is_empty()
}

#[test]
fn texts_are_looked_into_whatever_their_case() {
    let facts = facts();
    for (operator, value, expected) in [
        ("like", "café", true),
        ("like", "CAFÉ", true),
        ("like", "CAFE\u{301} z", true),
        ("like", "zürich 100%", true),
        ("like", "cafe", false),
        ("like", "%", true),
        ("like", "_", false),
        ("like", "c%z", false),
        ("not_like", "bar", true),
        ("not_like", "ZÜRICH", false),
        ("=", "Café Zürich 100%", true),
        ("=", "café zürich 100%", false),
        ("!=", "café zürich 100%", true),
        ("is_null", "", false),
        ("is_not_null", "", true),
    ] {
        let found = holds(&facts, "transaction_name", operator, value);
        assert_eq!(found, expected, "{operator} {value}");
    }
    assert!(holds(&facts, "transaction_details", "like", "0815"));
    assert!(!holds(&facts, "transaction_name", "like", "0815"));
}

#[test]
fn what_is_not_there_contains_nothing() {
    let without = facts();
    for (operator, expected) in [
        ("like", false),
        ("not_like", true),
        ("=", false),
        ("!=", true),
        ("is_null", true),
        ("is_not_null", false),
    ] {
        assert_eq!(holds(&without, "transaction_notes", operator, "x"), expected, "{operator}");
    }
    let with = Facts { notes: Some("X".into()), ..facts() };
    assert!(holds(&with, "transaction_notes", "like", "x"));
    assert!(!holds(&with, "transaction_notes", "is_null", ""));
}

#[test]
fn amounts_are_compared_exactly_and_without_their_sign() {
    let bitcoin = Currency::parse("BTC").unwrap();
    for (amount, currency, operator, value, expected) in [
        (125_000, Currency::USD, "=", "12.5", true),
        (-125_000, Currency::USD, "=", "12.500", true),
        (125_000, Currency::USD, ">", "12.49999999", true),
        (125_000, Currency::USD, ">", "12.5", false),
        (125_000, Currency::USD, ">=", "12.5", true),
        (125_000, Currency::USD, "<", "12.50000001", true),
        (125_000, Currency::USD, "<=", "12.4", false),
        (125_000, Currency::USD, "!=", "12.5", false),
        (1, bitcoin, "=", "0.00000001", true),
        (1, bitcoin, "<", "0.0001", true),
        (1, Currency::USD, "=", "0.0001", true),
        (i64::MIN, Currency::USD, ">", "900000000000000", true),
        (0, Currency::USD, "=", "0", true),
    ] {
        let facts = Facts { amount, currency, ..facts() };
        let found = holds(&facts, "transaction_amount", operator, value);
        assert_eq!(found, expected, "{amount} {operator} {value}");
    }
}

#[test]
fn a_transfer_is_neither_income_nor_expense() {
    for (amount, transfer, expected) in [
        (1, false, "expense"),
        (0, false, "expense"),
        (-1, false, "income"),
        (1, true, "transfer"),
        (-1, true, "transfer"),
    ] {
        let facts = Facts { amount, transfer, ..facts() };
        for wanted in ["income", "expense", "transfer"] {
            assert_eq!(holds(&facts, "transaction_type", "=", wanted), wanted == expected);
            assert_eq!(holds(&facts, "transaction_type", "!=", wanted), wanted != expected);
        }
    }
}

#[test]
fn references_are_compared_by_id() {
    let facts = facts();
    for (kind, own, other) in [
        ("transaction_account", 1, 2),
        ("transaction_category", 10, 11),
        ("transaction_tag", 21, 22),
    ] {
        assert!(holds(&facts, kind, "=", &id(own).to_string()), "{kind}");
        assert!(!holds(&facts, kind, "=", &id(other).to_string()), "{kind}");
        assert!(!holds(&facts, kind, "!=", &id(own).to_string()), "{kind}");
        assert!(holds(&facts, kind, "!=", &id(other).to_string()), "{kind}");
        assert!(!holds(&facts, kind, "=", "a name that nobody looked up"), "{kind}");
    }
    for (kind, missing) in [
        ("transaction_category", false),
        ("transaction_tag", false),
        ("transaction_merchant", true),
    ] {
        assert_eq!(holds(&facts, kind, "is_null", ""), missing, "{kind}");
        assert_eq!(holds(&facts, kind, "is_not_null", ""), !missing, "{kind}");
    }
}

#[test]
fn conditions_join_and_rules_begin_on_their_day() {
    let compound = |operator: &str| {
        let rule = rule(
            &format!(
                r#"[{{"condition_type": "compound", "operator": "{operator}", "sub_conditions": [
                    {{"condition_type": "transaction_amount", "operator": ">", "value": "12"}},
                    {{"condition_type": "transaction_type", "operator": "=", "value": "income"}}
                ]}}]"#
            ),
            r#"[{"action_type": "exclude_transaction"}]"#,
        );
        Rules(vec![rule]).run(&facts(), &Work::default()).excludes()
    };
    assert!(compound("or") && !compound("and"));
    let always = rule("[]", r#"[{"action_type": "exclude_transaction"}]"#);
    for (from, expected) in [(1, true), (2, false)] {
        let effective_date = Some(date(2026, 3, from));
        let rules = Rules(vec![Rule { effective_date, ..always.clone() }]);
        assert_eq!(rules.run(&facts(), &Work::default()).excludes(), expected);
    }
}

#[test]
fn later_rules_see_what_earlier_ones_did() {
    let rename = rule("[]", r#"[{"action_type": "set_transaction_name", "value": "Coffee"}]"#);
    let coffee = r#"[{"condition_type": "transaction_name", "operator": "=", "value": "Coffee"}]"#;
    let tag = format!(r#"[{{"action_type": "set_transaction_tags", "value": "{}"}}]"#, id(30));
    let tag = rule(coffee, &tag);
    let verdict = Rules(vec![rename.clone(), tag.clone()]).run(&facts(), &Work::default());
    assert_eq!(verdict.matched, [0, 1]);
    assert_eq!(verdict.name(), Some("Coffee"));
    assert_eq!(verdict.tags().collect::<Vec<_>>(), [id(30)]);
    assert_eq!(verdict.changing(), [0, 1]);
    let verdict = Rules(vec![tag, rename]).run(&facts(), &Work::default());
    assert_eq!(verdict.matched, [1]);
    assert_eq!(verdict.changing(), [1]);
}

#[test]
fn the_last_word_counts_and_what_comes_out_as_it_was_is_no_effect() {
    let set = |number: u128| {
        rule(
            "[]",
            &format!(
                r#"[{{"action_type": "set_transaction_category", "value": "{}"}}]"#,
                id(number)
            ),
        )
    };
    let verdict = Rules(vec![set(11), set(12)]).run(&facts(), &Work::default());
    assert_eq!(verdict.effects, [Effect { rule: 1, new: NewValue::Category(id(12)) }]);
    assert_eq!((verdict.matched.len(), verdict.changing()), (2, vec![1]));
    let back = Rules(vec![set(11), set(10)]).run(&facts(), &Work::default());
    assert_eq!((back.effects, back.matched), (Vec::new(), vec![0, 1]));
    assert!(Rules(vec![set(10)]).run(&facts(), &Work::default()).effects.is_empty());
}

#[test]
fn what_a_person_has_set_stays() {
    let all = format!(
        r#"[{{"action_type": "set_transaction_category", "value": "{0}"}},
            {{"action_type": "set_transaction_merchant", "value": "{0}"}},
            {{"action_type": "set_transaction_tags", "value": "{0}"}},
            {{"action_type": "set_transaction_name", "value": "x"}},
            {{"action_type": "exclude_transaction"}}]"#,
        id(99)
    );
    let rules = Rules(vec![rule("[]", &all)]);
    let free = rules.run(&facts(), &Work::default());
    assert_eq!((free.effects.len(), free.withheld.len()), (5, 0));
    assert_eq!((free.category(), free.merchant()), (Some(id(99)), Some(id(99))));
    for field in [
        LockField::Category,
        LockField::Merchant,
        LockField::Tags,
        LockField::Name,
        LockField::Excluded,
    ] {
        let locked = Locks::NONE.with(field, true);
        let verdict = rules.run(&Facts { locked, ..facts() }, &Work::default());
        assert_eq!((verdict.effects.len(), verdict.withheld), (4, vec![(0, field)]));
    }
    let others = Locks::NONE.with(LockField::Notes, true).with(LockField::Amount, true);
    assert_eq!(rules.run(&Facts { locked: others, ..facts() }, &Work::default()), free);
}

#[test]
fn a_transaction_has_a_limited_number_of_tags() {
    let tag = format!(r#"[{{"action_type": "set_transaction_tags", "value": "{}"}}]"#, id(99));
    let rules = Rules(vec![rule("[]", &tag)]);
    let tags: Vec<_> = (100..150).map(id).collect();
    let verdict = rules.run(&Facts { tags, ..facts() }, &Work::default());
    assert_eq!((verdict.effects.len(), verdict.withheld), (0, vec![(0, LockField::Tags)]));
}

/// What judging a transaction costs.
fn work_of(rule: &Rule, count: usize, facts: &Facts<'_>) -> u64 {
    let work = Work::default();
    Rules(vec![rule.clone(); count]).run(facts, &work);
    work.units()
}

#[test]
fn work_is_what_was_searched_and_how_texts_grew() {
    let like = |kind: &str| {
        let condition = serde_json::json!([
            { "condition_type": kind, "operator": "not_like", "value": "nothing like it" }
        ]);
        rule(&condition.to_string(), r#"[{"action_type": "exclude_transaction"}]"#)
    };
    let notes = like("transaction_notes");
    let with = |notes: String| Facts { notes: Some(notes.into()), ..facts() };
    let [short, long] = [10, 10_000].map(|length| with("a".repeat(length)));
    assert!(work_of(&notes, 1, &long) > 10 * work_of(&notes, 1, &short));
    // FoldedTexts once, searched by every condition.
    let (one, two, three) =
        (work_of(&notes, 1, &long), work_of(&notes, 2, &long), work_of(&notes, 3, &long));
    assert_eq!(two - one, three - two);
    assert!((20_000..21_000).contains(&(two - one)), "{one} {two}");
    // One character of it is 18 in the compatibility form, of 33 bytes in all.
    let grown = with("\u{FDFA}".repeat(10_000));
    let (one, two) = (work_of(&notes, 1, &grown), work_of(&notes, 2, &grown));
    assert!((660_000..661_000).contains(&(two - one)), "{one} {two}");
    assert!(one > 20 * 330_000);
    // A text that nobody looks into is only read.
    assert!(work_of(&like("transaction_name"), 1, &long) < 12_000);
}

#[test]
fn a_renamed_transaction_is_looked_into_anew() {
    let rename = rule("[]", r#"[{"action_type": "set_transaction_name", "value": "Coffee"}]"#);
    let like = |text: &str| {
        let condition = serde_json::json!([
            { "condition_type": "transaction_name", "operator": "like", "value": text }
        ]);
        rule(&condition.to_string(), r#"[{"action_type": "exclude_transaction"}]"#)
    };
    let rules = Rules(vec![like("zürich"), rename, like("coffee"), like("zürich")]);
    assert_eq!(rules.run(&facts(), &Work::default()).matched, [0, 1, 2]);
    let locked = Facts { locked: Locks::NONE.with(LockField::Name, true), ..facts() };
    assert_eq!(rules.run(&locked, &Work::default()).matched, [0, 1, 3]);
}
