//! Reading the bodies that make and change rules.

use purser_core::error::{Error, Problems};
use purser_core::rules::RuleValues;

use crate::http::fields::Fields;

/// Reads a body with the values of a rule, below `rule` or bare.
pub(super) fn values(body: &Fields) -> Result<RuleValues, Error> {
    let wrapped = body.object("rule")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    Ok(RuleValues {
        name: fields.nullable_text("name", &mut problems),
        resource_type: fields.text("resource_type", &mut problems),
        active: fields.flag("active", &mut problems),
        effective_date: fields.nullable_text("effective_date", &mut problems),
        position: fields.written("position").filter(|text| !text.trim().is_empty()),
        // Judged as the text that was sent: numbers in it never become floats.
        conditions: fields.raw("conditions").map(str::to_owned),
        actions: fields.raw("actions").map(str::to_owned),
        problems: problems.into_list(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> RuleValues {
        values(&serde_json::from_str(json).unwrap()).unwrap()
    }

    #[test]
    fn what_clients_send_is_read() {
        let fields = r#"{"name": "n", "resource_type": "transaction", "active": "false",
            "effective_date": null, "position": 3, "conditions": [{"value": 10.10}],
            "actions": null, "other": 1}"#;
        let expected = RuleValues {
            name: Some(Some("n".into())),
            resource_type: Some("transaction".into()),
            active: Some(false),
            effective_date: Some(None),
            position: Some("3".into()),
            conditions: Some(r#"[{"value": 10.10}]"#.into()),
            actions: None,
            problems: Vec::new(),
        };
        assert_eq!(read(fields), expected);
        assert_eq!(read(&format!(r#"{{"rule": {fields}}}"#)), expected);
        let wrong = read(r#"{"name": 1, "active": 2, "effective_date": 3, "resource_type": 4}"#);
        assert_eq!(wrong.problems.len(), 4);
        assert!(values(&serde_json::from_str(r#"{"rule": []}"#).unwrap()).is_err());
    }
}
