use std::collections::BTreeMap;

use super::*;

fn read(fields: &[(&str, &str)]) -> Result<Settings, Vec<Problem>> {
    let fields: BTreeMap<&str, &str> = fields.iter().copied().collect();
    Settings::from_fields(|name| fields.get(name).map(|value| (*value).to_owned()))
}

#[test]
fn what_was_sent_is_kept_and_blank_counts_as_not_sent() {
    let settings = read(&[
        ("date_col_label", " Date "),
        ("amount_col_label", "  "),
        ("date_format", "%d.%m.%Y"),
        ("number_format", "1.234,56"),
        ("signage_convention", "inflows_negative"),
        ("col_sep", "\t"),
        ("amount_type_strategy", "custom_column"),
        ("amount_type_inflow_value", "CRDT"),
        ("entity_type_col_label", "Type"),
        ("rows_to_skip", "3"),
        ("something_else", "ignored"),
    ])
    .unwrap();
    assert_eq!(settings.labels.date.as_deref(), Some("Date"));
    assert_eq!(settings.labels.amount, None);
    assert_eq!(settings.date_format.as_deref(), Some("%d.%m.%Y"));
    assert_eq!(settings.number_format, Some(NumberFormat::DotComma));
    assert_eq!(settings.signage, Some(Signage::InflowsNegative));
    assert_eq!(settings.separator, Some(Separator::Tab));
    assert_eq!(settings.amount_strategy, Some(AmountStrategy::CustomColumn));
    assert_eq!(settings.inflow_value.as_deref(), Some("CRDT"));
    assert_eq!(settings.rows_to_skip, Some(3));
    let json = serde_json::to_string(&settings).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
    let fields = settings.fields();
    assert_eq!(Settings::from_fields(|name| fields.get(name).cloned()), Ok(settings));
}

#[test]
fn every_setting_has_a_name() {
    fn value(name: &str) -> &str {
        match name {
            "date_format" => "%Y-%m-%d",
            "number_format" => "1,234.56",
            "signage_convention" => "inflows_negative",
            "col_sep" => "\t",
            "amount_type_strategy" => "custom_column",
            "balance_check" => "ignore",
            "debt_sign" => "negative",
            "total_meaning" => "gross",
            "has_header" => "false",
            "row_filter" => "Status is not Declined",
            "rows_to_skip" => "2",
            label => label,
        }
    }
    let known = |name: &str| SETTINGS.contains(&name).then(|| value(name).to_owned());
    let settings = Settings::from_fields(known).unwrap();
    let fields = settings.fields();
    assert_eq!(fields.keys().copied().collect::<std::collections::BTreeSet<_>>(), SETTINGS.into());
    assert!(fields.iter().all(|(name, text)| text == value(name)), "{fields:?}");
}

#[test]
fn nothing_sent_is_nothing_set() {
    assert_eq!(read(&[]), Ok(Settings::default()));
    assert_eq!(read(&[("col_sep", " "), ("number_format", "")]), Ok(Settings::default()));
    assert_eq!(serde_json::to_string(&Settings::default()).unwrap(), r#"{"labels":{}}"#);
    assert_eq!(serde_json::from_str::<Settings>("{}").unwrap(), Settings::default());
}

#[test]
fn every_separator_of_the_interface() {
    for (sent, separator) in [
        (",", Separator::Comma),
        (" ; ", Separator::Semicolon),
        ("|", Separator::Pipe),
        ("\t", Separator::Tab),
    ] {
        assert_eq!(read(&[("col_sep", sent)]).unwrap().separator, Some(separator), "{sent:?}");
    }
}

#[test]
fn each_wrong_value_is_named_and_all_together() {
    let problems = read(&[
        ("date_format", "%d.%m"),
        ("number_format", "1'234.56"),
        ("signage_convention", "positive"),
        ("col_sep", ":"),
        ("amount_type_strategy", "magic"),
        ("has_header", "perhaps"),
        ("rows_to_skip", "-1"),
    ])
    .unwrap_err();
    let names: Vec<_> = problems.iter().filter_map(Problem::path).collect();
    assert_eq!(
        names,
        [
            "date_format",
            "number_format",
            "signage_convention",
            "col_sep",
            "amount_type_strategy",
            "has_header",
            "rows_to_skip"
        ]
    );
    assert!(problems[1].to_string().contains("\"1 234,56\""), "{problems:?}");
}

#[test]
fn a_custom_column_needs_its_two_companions() {
    assert_eq!(
        read(&[("amount_type_strategy", "custom_column")]),
        Err(vec![
            Problem::field("amount_type_inflow_value", NEEDED),
            Problem::field("entity_type_col_label", NEEDED),
        ])
    );
}
