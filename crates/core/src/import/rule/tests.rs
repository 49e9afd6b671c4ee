use proptest::prelude::*;
use uuid::Uuid;

use crate::error::Problems;
use crate::import::kinds::Kind;
use crate::import::row_edit::RowChoice;
use crate::import::whole::testing::{File, NoNames, id, layout, reasons, verdicts};
use crate::import::whole::{FamilyRecords, RuleRecord, Step, WholePlan};
use crate::plan::{Creation, RecordChange, RuleDraft, Target};
use crate::rules::{Catalogue, Noun, Rule, json};

const ALL: &str = "[]";
const EXCLUDE: &str = r#"[{"action_type":"exclude_transaction"}]"#;
const RENT: &str = r#"[{"condition_type":"transaction_name","operator":"like","value":"rent"}]"#;

fn action(kind: &str, value: &str) -> String {
    format!(r#"[{{"action_type":"set_transaction_{kind}","value":"{value}"}}]"#)
}

fn condition(kind: &str, value: &str) -> String {
    format!(r#"[{{"condition_type":"transaction_{kind}","operator":"=","value":"{value}"}}]"#)
}

fn rule(number: u128, name: Option<&str>, conditions: &str, actions: &str) -> RuleRecord {
    let mut problems = Problems::new();
    let rule = Rule {
        effective_date: None,
        conditions: json::read_conditions(conditions, &mut problems),
        actions: json::read_actions(actions, &mut problems),
    };
    assert!(problems.is_empty(), "{:?}", problems.texts());
    let (position, name) = (u32::try_from(number).unwrap(), name.map(str::to_owned));
    RuleRecord { id: id(number), name, active: true, position, rule }
}

/// A family with some rules, the category Food with Bars below it, the account Giro, and two
/// accounts that are called Cash.
fn family(rules: &[RuleRecord]) -> FamilyRecords {
    let mut names = Catalogue::default();
    for (number, noun, name) in [
        (101, Noun::Category, "Food"),
        (102, Noun::Category, "Food: Bars"),
        (103, Noun::Account, "Giro"),
        (104, Noun::Account, "Cash"),
        (105, Noun::Account, "cash"),
    ] {
        names.add(noun, id(number), name.to_owned());
    }
    FamilyRecords { rules: rules.to_vec(), names, ..FamilyRecords::default() }
}

fn file(rows: &[[&str; 5]]) -> File {
    let mut text = String::from("name|active|effective_date|conditions|actions");
    for row in rows {
        text.push('\n');
        text.push_str(&row.join("|"));
    }
    File::new(Kind::Rule, &text)
}

/// The family after a plan was published.
fn published(view: &FamilyRecords, plan: &WholePlan) -> FamilyRecords {
    let mut after = view.clone();
    let new_id = |slot: u32| Uuid::from_u128(1_000 + u128::from(slot));
    let target = |target: Target| match target {
        Target::Existing(id) => Ok(id),
        Target::Created(slot) => Ok(new_id(slot.0)),
    };
    let record = |id: Uuid, draft: &RuleDraft| RuleRecord {
        id,
        name: draft.name.clone(),
        active: draft.active,
        position: draft.position,
        rule: draft.resolved(target).unwrap(),
    };
    for (slot, creation) in (0..).zip(&plan.creations) {
        match creation {
            Creation::Rule(draft) => after.rules.push(record(new_id(slot), draft)),
            Creation::Category { name, parent, .. } => {
                let above = parent.map(|parent| target(parent).unwrap());
                let above = above.map(|id| after.names.name(Noun::Category, id).unwrap());
                let path = above.map_or_else(|| name.clone(), |above| format!("{above}: {name}"));
                after.names.add(Noun::Category, new_id(slot), path);
            }
            Creation::Tag { name, .. } => after.names.add(Noun::Tag, new_id(slot), name.clone()),
            Creation::Merchant { name, .. } => {
                after.names.add(Noun::Merchant, new_id(slot), name.clone());
            }
            Creation::Account(_) => panic!("{creation:?}"),
        }
    }
    for row in &plan.rows {
        if let Some(Step::Change(RecordChange::ReviseRule { id, draft })) = &row.step {
            let at = after.rules.iter().position(|one| one.id == *id).unwrap();
            after.rules[at] = record(*id, draft);
        }
    }
    after
}

#[test]
fn columns_have_many_names() {
    for (header, expected) in [
        (
            "name|resource_type|active|effective_date|conditions|actions",
            [Some(0), Some(4), Some(5)],
        ),
        ("Actions|Conditions", [None, Some(1), Some(0)]),
        ("Regel|Bedingungen|Aktionen", [Some(0), Some(1), Some(2)]),
    ] {
        let layout = layout(Kind::Rule, header);
        let fields = ["name", "conditions", "actions"];
        let found = fields.map(|field| layout.fields.get(field).copied());
        assert_eq!((found, layout.is_readable()), (expected, true), "{header}");
    }
    let problems = layout(Kind::Rule, "name|conditions").problems;
    assert!(problems[0].to_string().starts_with("No column holds the actions"), "{problems:?}");
}

#[test]
fn what_is_wrong_has_its_line() {
    let mail = r#"[{"action_type":"send_email_notification"}]"#;
    let unknown = r#"[{"condition_type":"transaction_amount","operator":"like","value":"1"}]"#;
    let twice = r#"[{"condition_type":"transaction_name","operator":"=","value":"caf\\u00e9"}]"#;
    let file = file(&[
        ["A", "", "", "", EXCLUDE],
        ["B", "", "", ALL, ""],
        ["C", "", "", ALL, "[]"],
        ["D", "perhaps", "01/02/2024", ALL, EXCLUDE],
        ["E", "", "", ALL, mail],
        ["F", "", "", unknown, EXCLUDE],
        ["G", "", "", "{}", EXCLUDE],
        ["H", "", "", twice, EXCLUDE],
        ["I", "true", "", ALL, EXCLUDE],
        ["i", "no", "", ALL, EXCLUDE],
        ["J", "", "", ALL, EXCLUDE],
    ]);
    let expected = [
        (2, "conditions is blank; [] stands for a rule that is for every transaction"),
        (3, "actions must be a JSON list of objects"),
        (4, "The actions must have 1 to 20 entries"),
        (
            5,
            "active must be true or false (or yes or no, 1 or 0); effective_date must be a \
             calendar date such as 2026-01-31",
        ),
        (6, "The actions[0].action_type can't be send_email_notification: no e-mail is sent"),
        (7, "The conditions[0].operator must be one of <, <=, =, !=, >=, >"),
        (8, "conditions must be a JSON list of objects"),
        (9, "conditions holds a text such as \\u00e9 that is escaped once too often"),
        (10, "Line 11 has the same rule with another active"),
        (11, "Line 10 has the same rule with another active"),
    ];
    let expected: Vec<(u64, String)> =
        expected.iter().map(|(line, why)| (*line, (*why).to_owned())).collect();
    assert_eq!(file.reasons(), expected);
    let other = File::new(Kind::Rule, "resource_type|conditions|actions\naccount|[]|[]");
    let why = "resource_type must be transaction: rules are for nothing else";
    assert!(other.reasons()[0].1.starts_with(why));
}

#[test]
fn a_name_is_one_rule_that_gets_the_contents_of_the_row() {
    let known = [rule(1, Some("Rent"), RENT, EXCLUDE), rule(2, Some("Other"), ALL, EXCLUDE)];
    let view = family(&known);
    let file = file(&[
        [" RENT", "", "", RENT, EXCLUDE],
        ["Other", "no", "2024-05-01", RENT, &action("category", "food")],
        ["New", "", "", ALL, EXCLUDE],
        ["new", "", "", ALL, EXCLUDE],
    ]);
    let plan = file.plan(&view);
    assert_eq!(verdicts(&plan), ["matched_by_name", "change", "create", "repeats"]);
    assert_eq!(
        reasons(&plan),
        [
            "It is the rule \"Rent\"",
            "The rule \"Other\" changes: active: yes → no, effective date: none → 2024-05-01, \
             other conditions, other actions",
            "",
            "Line 4 has the same rule",
        ]
    );
    let after = published(&view, &plan);
    assert_eq!(after.rules[0], known[0]);
    assert_eq!((after.rules[1].active, after.rules[1].position), (false, 2));
    assert_eq!(after.rules[1].rule.actions[0].value(), Some(id(101).to_string()));
    assert_eq!((after.rules[2].active, after.rules[2].position), (true, 3));
    // What a row doesn't state stays.
    let again = self::file(&[["other", "", "", RENT, &action("category", "food")]]).plan(&after);
    assert_eq!(verdicts(&again), ["matched_by_name"]);
    let new = file.plan_with(&view, &NoNames, |row| {
        if row == 1 { RowChoice::Create } else { RowChoice::LeaveOut }
    });
    assert_eq!(reasons(&new)[0], "There is already such a rule \"Rent\"");
}

#[test]
fn what_rules_name_is_found_or_created_once() {
    let view = family(&[]);
    let plan = file(&[
        ["A", "", "", &condition("merchant", "Shop"), &action("category", "Fun: Films")],
        ["B", "", "", &condition("merchant", "SHOP"), &action("tags", "Late")],
        ["C", "", "", &condition("account", "giro"), &action("category", &id(102).to_string())],
    ])
    .plan(&view);
    assert_eq!(
        reasons(&plan),
        [
            "Also created: the merchant \"Shop\", the category \"Fun: Films\"",
            "Also created: the tag \"Late\"",
            "",
        ]
    );
    let after = published(&view, &plan);
    assert_eq!(after.names.category_of_path("fun:films").map(|_| ()), Some(()));
    let merchant = |at: usize| after.rules[at].rule.conditions[0].parts().value.unwrap();
    assert_eq!(merchant(0), merchant(1), "created once");
    assert_eq!(merchant(2), id(103).to_string());
}

#[test]
fn a_person_decides_what_a_name_can_t() {
    let view = family(&[rule(1, Some("A"), RENT, EXCLUDE), rule(2, Some("a"), ALL, EXCLUDE)]);
    let unknown = condition("category", &id(999).to_string());
    let plan = file(&[
        ["B", "", "", &condition("account", "Cash"), EXCLUDE],
        ["C", "", "", &condition("account", "Nowhere"), EXCLUDE],
        ["D", "", "", &unknown, EXCLUDE],
        ["E", "", "", ALL, &action("category", "A: B: C")],
        ["A", "", "", &condition("account", "Giro"), EXCLUDE],
    ])
    .plan(&view);
    assert_eq!(verdicts(&plan), ["needs_choice"; 5]);
    let unknown = format!("The id {} is not of a category of this family", id(999));
    assert_eq!(
        reasons(&plan),
        [
            "The name \"Cash\" is ambiguous: it stands for Cash and for cash",
            "There is no account \"Nowhere\"; accounts are not created for rules",
            &unknown,
            "The category \"A: B: C\" has more than two levels",
            "Several rules have this name, here or in the file: which one is meant isn't certain",
        ]
    );
    assert!(plan.creations.is_empty());
}

#[test]
fn rules_of_one_name_and_rules_without_one_are_known_by_their_contents() {
    let view = family(&[]);
    let file = file(&[
        ["A", "", "", RENT, EXCLUDE],
        ["A", "", "", ALL, EXCLUDE],
        ["", "", "", ALL, EXCLUDE],
        ["", "", "", RENT, &action("tags", "x")],
    ]);
    let plan = file.plan(&view);
    assert_eq!(verdicts(&plan), ["create"; 4]);
    let after = published(&view, &plan);
    assert_eq!(verdicts(&file.plan(&after)), ["matched_by_name"; 4]);
}

fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["A", "a", "B", "", "C"])
}

proptest! {
    /// Whatever the family and the file: nothing that is there goes, rules that the file doesn't
    /// name stay as they are, and the same file once more changes nothing.
    #[test]
    fn twice_is_once(
        own in prop::collection::vec((names(), 0usize..3), 0..4),
        rows in prop::collection::vec(
            (names(), 0usize..3, 0usize..5, prop::option::of(any::<bool>())), 1..7,
        ),
    ) {
        let contents = [ALL.to_owned(), RENT.to_owned(), condition("merchant", "Shop")];
        let actions = [
            EXCLUDE.to_owned(), action("category", "food"), action("category", "Fun"),
            action("category", "Fun: Films"), action("tags", "Late"),
        ];
        let known: Vec<RuleRecord> = (1u128..)
            .zip(&own)
            .map(|(number, (name, at))| {
                let name = (!name.is_empty()).then_some(*name);
                rule(number, name, &contents[at % 2], EXCLUDE)
            })
            .collect();
        let view = family(&known);
        let rows: Vec<[&str; 5]> = rows
            .iter()
            .map(|(name, condition, action, active)| {
                let active = active.map_or("", |active| if active { "true" } else { "no" });
                [*name, active, "", &contents[*condition], &actions[*action]]
            })
            .collect();
        let file = file(&rows);
        let plan = file.plan(&view);
        let after = published(&view, &plan);
        prop_assert!(after.rules.len() >= known.len());
        for (was, is) in known.iter().zip(&after.rules) {
            prop_assert_eq!((was.id, &was.name, was.position), (is.id, &is.name, is.position));
        }
        let again = file.plan(&after);
        if plan.rows.iter().all(|row| row.verdict.as_str() != "needs_choice") {
            prop_assert!(again.rows.iter().all(|row| row.step.is_none()), "{rows:?}\n{again:?}");
        }
    }
}
