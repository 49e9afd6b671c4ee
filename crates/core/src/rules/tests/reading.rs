//! What is read, what is refused, and how it is written again.

use super::*;
use crate::error::{Problem, texts};

fn condition_problems(json: &str) -> Vec<String> {
    let mut problems = Problems::new();
    json::read_conditions(json, &mut problems);
    problems.texts()
}

fn action_problems(json: &str) -> Vec<String> {
    let mut problems = Problems::new();
    json::read_actions(json, &mut problems);
    problems.texts()
}

#[test]
fn what_is_read_is_written_again() {
    let written = format!(
        r#"[{{"condition_type":"transaction_name","operator":"like","sub_conditions":[],
            "value":"50% off_"}},
        {{"condition_type":"transaction_amount","operator":">=","sub_conditions":[],
            "value":"10.50"}},
        {{"condition_type":"compound","operator":"or","value":null,"sub_conditions":[
            {{"condition_type":"transaction_type","operator":"!=","sub_conditions":[],
                "value":"transfer"}},
            {{"condition_type":"compound","operator":"and","value":null,"sub_conditions":[
                {{"condition_type":"transaction_category","operator":"is_null","value":null,
                    "sub_conditions":[]}},
                {{"condition_type":"transaction_account","operator":"=","value":"{}",
                    "sub_conditions":[]}}]}}]}}]"#,
        id(7)
    );
    let read = conditions(&written);
    let expected: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(json::write_conditions(&read), expected);
    let written = r#"[{"action_type":"set_transaction_category","value":"Food:Bars"},
        {"action_type":"exclude_transaction","value":null}]"#;
    let expected: serde_json::Value = serde_json::from_str(written).unwrap();
    assert_eq!(json::write_actions(&actions(written)), expected);
}

#[test]
fn a_value_is_an_id_or_a_name_or_stands_in_its_reference() {
    let reference = |member: &str| {
        let json = format!(r#"[{{"action_type": "set_transaction_tags", {member}}}]"#);
        let actions = actions(&json);
        let Some(Action::AddTag(reference)) = actions.first() else { panic!("{actions:?}") };
        reference.clone()
    };
    let by_id = format!(r#""value": "{}""#, id(5).to_string().to_uppercase());
    assert_eq!(reference(&by_id), Reference::Id(id(5)));
    assert_eq!(reference(r#""value": " Home ""#), Reference::Name("Home".into()));
    assert_eq!(reference(r#""value": 7"#), Reference::Name("7".into()));
    let named = r#""value": null, "value_ref": {"type": "Tag", "id": "x", "name": "Home"}"#;
    assert_eq!(reference(named), Reference::Name("Home".into()));
}

#[test]
fn every_problem_is_reported_with_its_place() {
    let errors = condition_problems(
        r#"[{"condition_type": "transaction_name", "operator": ">", "value": "x"},
            {"condition_type": "compound", "operator": "xor", "sub_conditions": [
                {"condition_type": "transaction_amount", "operator": "=", "value": "-1"},
                {"condition_type": "transaction_account", "operator": "is_null"}]},
            {"operator": "=", "value": "x"},
            {"condition_type": "transaction_weather", "operator": "=", "value": "x"},
            {"condition_type": "transaction_type", "operator": "=", "value": "gift"},
            {"condition_type": "transaction_tag", "operator": "=", "value": " "},
            {"condition_type": "transaction_notes", "operator": "like", "value": ["x"]}]"#,
    );
    let starts = [
        "The conditions[0].operator must be one of like, ",
        "The conditions[1].sub_conditions[0].value must be a plain decimal",
        "The conditions[1].sub_conditions[1].operator must be one of =, !=",
        "The conditions[1].operator must be one of and, or",
        "The conditions[2].condition_type is required",
        "The conditions[3].condition_type must be ",
        "The conditions[4].value must be income",
        "The conditions[5].value is required",
        "The conditions[6].value must be a string",
    ];
    assert_eq!(errors.len(), starts.len(), "{errors:#?}");
    for (error, start) in errors.iter().zip(starts) {
        assert!(error.starts_with(start), "{error}");
    }
    let errors = action_problems(
        r#"[{"action_type": "auto_categorize"}, {"action_type": "fly"}, {"value": "x"},
            {"action_type": "set_transaction_name", "value": "a\nb"},
            {"action_type": "set_transaction_tags"}]"#,
    );
    let starts = [
        "The actions[0].action_type can't be auto_categorize: nothing",
        "The actions[1].action_type must be ",
        "The actions[2].action_type is required",
        "The actions[3].value must not contain control characters",
        "The actions[4].value is required",
    ];
    assert_eq!(errors.len(), starts.len(), "{errors:#?}");
    for (error, start) in errors.iter().zip(starts) {
        assert!(error.starts_with(start), "{error}");
    }
}

#[test]
fn amounts_are_plain_decimals() {
    let read = |value: &str| {
        condition_problems(&format!(
            r#"[{{"condition_type": "transaction_amount", "operator": "<", "value": {value}}}]"#
        ))
        .len()
    };
    for good in ["0", "12.5", r#""12.50""#, r#"" 7 ""#, "0.00000001", "900000000000000"] {
        assert_eq!(read(good), 0, "{good}");
    }
    for bad in [r#""1e3""#, "1e3", "-5", r#""1,5""#, r#""abc""#, "0.000000001", r#""+5""#, "true"] {
        assert_eq!(read(bad), 1, "{bad}");
    }
}

#[test]
fn lists_have_limits() {
    assert_eq!(condition_problems("{}"), ["The conditions must be a list of objects"]);
    assert_eq!(condition_problems("[1]"), ["The conditions must be a list of objects"]);
    assert_eq!(condition_problems("[]").len(), 0);
    assert_eq!(action_problems("[]"), ["The actions must have 1 to 20 entries"]);
    let one = r#"{"condition_type": "transaction_name", "operator": "is_null"}"#;
    let many = |count: usize| format!("[{}]", vec![one; count].join(","));
    assert_eq!(condition_problems(&many(100)).len(), 0);
    assert_eq!(condition_problems(&many(101)), ["The conditions must have at most 100 entries"]);
    let nested = |depth: usize| {
        (0..depth).fold(one.to_owned(), |inner, _| {
            format!(
                r#"{{"condition_type": "compound", "operator": "and", "sub_conditions": [{inner}]}}"#
            )
        })
    };
    assert_eq!(condition_problems(&format!("[{}]", nested(4))).len(), 0);
    assert_eq!(
        condition_problems(&format!("[{}]", nested(5))),
        [
            "The conditions[0].sub_conditions[0].sub_conditions[0].sub_conditions[0].sub_conditions[0] \
            must be nested at most 4 times"
        ]
    );
}

#[test]
fn a_rule_is_judged_whole() {
    let wrong = RuleValues {
        name: Some(Some("a\u{1b}".into())),
        resource_type: Some("account".into()),
        effective_date: Some(Some("2026-2-1".into())),
        position: Some("0".into()),
        conditions: Some("7".into()),
        actions: None,
        problems: vec![Problem::field("active", "must be true or false")],
        active: None,
    };
    assert_eq!(
        texts(&wrong.check_new().unwrap_err().into_problems()),
        [
            "The active must be true or false",
            "The name must not contain control characters",
            "The resource_type must be transaction",
            "The effective_date must be a calendar date such as 2026-01-31",
            "The position must be a whole number from 1 to 1000000",
            "The conditions must be a list of objects",
            "The actions must have at least one entry",
        ]
    );
    let nothing = RuleValues::default();
    assert_eq!(nothing.check().unwrap(), CheckedRule::default());
    let cleared = RuleValues {
        name: Some(None),
        effective_date: Some(None),
        resource_type: Some("transaction".into()),
        ..RuleValues::default()
    };
    let cleared = cleared.check().unwrap();
    assert_eq!((cleared.name, cleared.effective_date), (Some(None), Some(None)));
}
