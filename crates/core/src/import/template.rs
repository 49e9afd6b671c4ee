//! Templates: what is taken over from an earlier file with the same header.
//!
//! Settings that were sent or chosen for that file are taken where this time nothing is sent.
//! Formats that were only found in it are no settings: they decide between formats that fit equally
//! well, nothing else. The account is a suggestion. What belongs to one file and not to its kind is
//! not taken: how many lines stand before the header counts only if the header is there. Whether
//! balances of statements are compared is decided anew; a column that isn't the balance is none in
//! the next file of the account either. What decides about signs, days and numbers counts only for
//! files of the same account: `of_account`.

mod of_account;

pub use of_account::{AccountSettings, TemplateFormats, for_account};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::columns::label_key;
use super::settings::{Formats, Settings};
use crate::ids::{AccountId, TemplateId};
use crate::limits::TEMPLATE_NAME_CHARS_MAX;

/// Settings that mean something only together: whoever sends one of them means it alone.
const GROUP: [&str; 3] =
    ["amount_type_strategy", "amount_type_inflow_value", "entity_type_col_label"];
/// Settings about the position of the header.
pub const HEADER_SETTINGS: [&str; 3] = ["has_header", "col_sep", "rows_to_skip"];
/// Settings that are used strictly, and that can be detected from the cells too.
const STRICT: [&str; 2] = ["date_format", "number_format"];
/// Headers that a name is made of.
const NAMED_HEADERS: usize = 4;

/// The template that was used for a file, and what it was used for; kept with the layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateUse {
    /// The id of the template.
    pub id: TemplateId,
    /// The name that it had then.
    pub name: String,
    /// The settings that were taken over and that nobody has changed since.
    pub settings_taken: Vec<String>,
    /// Settings that were not taken, because rows that are good without them would be invalid.
    #[serde(default)]
    pub not_fitting: Vec<String>,
    /// The account that the earlier file went to, if this one names none.
    pub account_id: Option<AccountId>,
    /// What decides between formats that fit equally well.
    #[serde(default)]
    pub preferred: Formats,
    /// What the template knows of accounts, the last used first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<AccountSettings>,
}

impl TemplateUse {
    /// Whether the setting of how directions are known is that of an earlier file.
    pub fn gives_strategy(&self) -> bool {
        self.settings_taken.iter().any(|name| name == GROUP[0])
    }

    /// The JSON object that the interface shows.
    pub fn shown(&self) -> Value {
        json!({
            "id": self.id,
            "name": self.name,
            "settings_taken": self.settings_taken,
            "not_fitting": self.not_fitting,
            "account_id": self.account_id,
        })
    }
}

/// What the key of a file is the hash of: its header, else the shape of its columns.
pub fn key_text(headers: &[String], shape: Option<&str>) -> String {
    match shape {
        Some(shape) => format!("\u{1e}{shape}"),
        None => header_text(headers),
    }
}

/// What stands for a header: its cells as labels are compared, divided at every
/// character that can separate cells, so that it doesn't depend on which one was found.
fn header_text(headers: &[String]) -> String {
    let cells = headers.iter().flat_map(|header| header.split([',', ';', '\t', '|']));
    let cells: Vec<String> = cells.map(label_key).collect();
    cells.join("\u{1f}")
}

/// Settings with what a template adds to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedSettings {
    /// What is in effect.
    pub settings: Settings,
    /// The names of those that come from the template.
    pub taken: Vec<String>,
}

impl MergedSettings {
    /// What was sent and nothing else.
    pub fn sent(settings: &Settings) -> Self {
        Self { settings: settings.clone(), taken: Vec::new() }
    }

    /// What was sent, and from the template what wasn't; `except` is not taken.
    pub fn new(sent: &Settings, template: &Settings, except: &[&str]) -> Self {
        let mut fields = sent.fields();
        let is_alone = GROUP.iter().any(|name| fields.contains_key(name));
        let mut taken = Vec::new();
        for (name, value) in template.fields() {
            let stays_out = except.contains(&name) || (is_alone && GROUP.contains(&name));
            if !stays_out && !fields.contains_key(name) {
                fields.insert(name, value);
                taken.push(name.to_owned());
            }
        }
        match Settings::from_fields(|name| fields.get(name).cloned()) {
            Ok(settings) => Self { settings: sent.with_caller(settings), taken },
            // They don't go together.
            Err(_) => Self::sent(sent),
        }
    }

    /// The variants in which a template may find its header: with the earlier file's settings of
    /// its position, else without them.
    pub fn variants(sent: &Settings, template: &Settings) -> Vec<Self> {
        let mut variants: Vec<Self> = Vec::new();
        for except in [&[][..], &HEADER_SETTINGS[2..], &HEADER_SETTINGS[..]] {
            let variant = Self::new(sent, template, except);
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        variants
    }

    /// The labels of columns that it takes.
    pub fn labels_taken(&self) -> Vec<String> {
        self.taken.iter().filter(|name| name.ends_with("_col_label")).cloned().collect()
    }

    /// Whether it takes formats that could be detected from the cells too.
    pub fn takes_formats(&self) -> bool {
        self.taken.iter().any(|name| STRICT.contains(&name.as_str()))
    }

    /// The same, but formats that were taken only decide between those that fit; and their names.
    pub fn with_loose_formats(&self) -> (Self, Vec<String>) {
        let mut loose = self.clone();
        let is_strict = |name: &String| STRICT.contains(&name.as_str());
        let not_fitting: Vec<String> =
            loose.taken.iter().filter(|n| is_strict(n)).cloned().collect();
        loose.taken.retain(|name| !is_strict(name));
        for name in &not_fitting {
            match name.as_str() {
                "date_format" => {
                    loose.settings.preferred.date_format = loose.settings.date_format.take();
                }
                _ => loose.settings.preferred.number_format = loose.settings.number_format.take(),
            }
        }
        (loose, not_fitting)
    }
}

/// What a person knows a kind of file by: the name of the file without what differs from one to
/// the next (numbers, the ending), else its first headers.
pub fn name_of(file: Option<&str>, headers: &[String]) -> String {
    let file = file.unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_letter = |c: char| c.is_alphabetic() || c == '&';
    let words: Vec<&str> =
        stem.split(|c| !is_letter(c)).filter(|word| word.chars().any(is_letter)).collect();
    let name = words.join(" ");
    let name = if name.chars().count() > 1 { name } else { shown(headers) };
    name.chars().take(TEMPLATE_NAME_CHARS_MAX).collect()
}

fn shown(headers: &[String]) -> String {
    let named: Vec<&str> =
        headers.iter().map(String::as_str).filter(|header| !header.is_empty()).collect();
    let mut name = named.iter().take(NAMED_HEADERS).copied().collect::<Vec<_>>().join(", ");
    if named.len() > NAMED_HEADERS {
        name.push('…');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(fields: &[(&str, &str)]) -> Settings {
        let find = |name: &str| {
            let field = fields.iter().find(|(known, _)| *known == name);
            field.map(|(_, value)| (*value).to_owned())
        };
        Settings::from_fields(find).unwrap()
    }

    fn headers(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn a_header_is_known_whatever_separates_it() {
        let split = header_text(&headers(&["Date", " AMOUNT*", "Pay_ee"]));
        assert_eq!(header_text(&headers(&["date;amount;pay-ee"])), split);
        assert_ne!(header_text(&headers(&["date", "amount"])), split);
        assert_ne!(header_text(&headers(&["amount", "date", "pay ee"])), split);
    }

    #[test]
    fn a_file_without_a_header_is_known_by_its_shape() {
        let places = headers(&["#1", "#2"]);
        let days_first = key_text(&places, Some("day 9.9.9\u{1f}number ,"));
        assert_ne!(days_first, key_text(&places, Some("number ,\u{1f}day 9.9.9")));
        assert_ne!(days_first, key_text(&places, None), "a header that is called so");
        assert_eq!(key_text(&places, None), header_text(&places), "as earlier versions have it");
    }

    #[test]
    fn what_is_sent_wins() {
        let sent = settings(&[("date_format", "%d.%m.%Y"), ("name_col_label", "Payee")]);
        let template = settings(&[
            ("date_format", "%m/%d/%Y"),
            ("number_format", "1.234,56"),
            ("signage_convention", "inflows_negative"),
        ]);
        let merged = MergedSettings::new(&sent, &template, &[]);
        assert_eq!(merged.taken, ["number_format", "signage_convention"]);
        assert_eq!(merged.settings.date_format.as_deref(), Some("%d.%m.%Y"));
        assert_eq!(merged.settings.labels.name.as_deref(), Some("Payee"));
        assert!(merged.settings.signage.is_some() && merged.takes_formats());
        let (loose, not_fitting) = merged.with_loose_formats();
        assert_eq!(not_fitting, ["number_format"]);
        assert_eq!(loose.taken, ["signage_convention"]);
        assert_eq!(loose.settings.number_format, None);
        assert_eq!(loose.settings.preferred.number_format, template.number_format);
        assert_eq!(loose.settings.date_format, sent.date_format);
    }

    #[test]
    fn a_group_is_taken_whole_or_not_at_all() {
        let template = settings(&[
            ("amount_type_strategy", "custom_column"),
            ("amount_type_inflow_value", "IN"),
            ("entity_type_col_label", "Way"),
        ]);
        assert_eq!(MergedSettings::new(&settings(&[]), &template, &[]).taken.len(), 3);
        let signed = settings(&[("amount_type_strategy", "signed_amount")]);
        assert_eq!(MergedSettings::new(&signed, &template, &[]), MergedSettings::sent(&signed));
    }

    #[test]
    fn an_answer_about_balances_is_about_its_account_only() {
        let [one, other] = [1, 2].map(|id| AccountId(uuid::Uuid::from_u128(id)));
        let template = settings(&[("balance_check", "ignore"), ("name_col_label", "Payee")]);
        let known = AccountSettings::new(vec![one], &template, Formats::default());
        assert!(known.covers(&[one]) && !known.covers(&[other]));
        assert_eq!(for_account(&template, None).balance_check, None);
        let again = for_account(&template, Some(&known));
        assert_eq!(again.balance_check, template.balance_check);
        assert_eq!(
            AccountSettings { settings: known.without_answer(), ..known }.settings.balance_check,
            None
        );
    }

    #[test]
    fn the_place_of_the_header_is_tried_first() {
        let template =
            settings(&[("col_sep", ";"), ("rows_to_skip", "3"), ("date_format", "%Y%m%d")]);
        let variants = MergedSettings::variants(&settings(&[]), &template);
        let taken: Vec<_> = variants.iter().map(|variant| variant.taken.join(" ")).collect();
        assert_eq!(
            taken,
            ["col_sep date_format rows_to_skip", "col_sep date_format", "date_format"]
        );
        assert_eq!(MergedSettings::variants(&settings(&[]), &settings(&[])).len(), 1);
    }

    #[test]
    fn names_are_what_stays_from_file_to_file() {
        let cells = headers(&["Date", "", "Amount", "Name", "Notes", "Tags"]);
        for (file, name) in [
            (Some("Umsätze_2024-01.csv"), "Umsätze"),
            (Some("H&M card 0017 - March.csv"), "H&M card March"),
            (Some("20240131.csv"), "Date, Amount, Name, Notes…"),
            (Some("x1.csv"), "Date, Amount, Name, Notes…"),
            (Some("statement"), "statement"),
            (None, "Date, Amount, Name, Notes…"),
        ] {
            assert_eq!(name_of(file, &cells), name, "{file:?}");
        }
    }
}
