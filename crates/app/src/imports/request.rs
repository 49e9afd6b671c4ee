//! What a caller asks for with an upload, from the fields of either body.

use std::cell::RefCell;
use std::collections::BTreeMap;

use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::AccountId;
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::settings::Settings;
use purser_formats::json_upload::{CONTENT_FIELD, Scalar};
use purser_store::VisibleAccounts;
use sha2::{Digest as _, Sha256};

/// The fields of a multipart form or of a JSON object, without the content.
pub type Fields = BTreeMap<String, Scalar>;

/// What a caller asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What the file holds.
    pub import_type: ImportType,
    /// The account that every row goes to.
    pub account: Option<AccountId>,
    /// Publish at once if the configuration is valid.
    pub publish: bool,
    /// Publish the valid rows and leave out the others.
    pub skip_invalid: bool,
    /// The columns and formats that were sent.
    pub settings: Settings,
    /// Take over what was chosen for an earlier file with the same header.
    pub use_template: bool,
}

impl Request {
    /// Reads the fields; every problem is reported at once.
    pub fn read(fields: &Fields) -> Result<Self> {
        let mut problems = Problems::new();
        let type_name = text(fields, "type", &mut problems);
        let import_type = type_name.as_deref().map_or(Some(ImportType::Transaction), |name| {
            let known = ImportType::parse_alias(name);
            if known.is_none() {
                let allowed: Vec<&str> = ImportType::ALL.iter().map(|one| one.as_str()).collect();
                problems.push(format!("type must be one of {}", allowed.join(", ")));
            }
            known
        });
        let account = text(fields, "account_id", &mut problems).and_then(|id| {
            let parsed = id.parse().ok();
            if parsed.is_none() {
                problems.push(Problem::unknown("account_id", "account"));
            }
            parsed
        });
        if fields.contains_key(CONTENT_FIELD) {
            // Text has gone to the file; what is left here is something else.
            problems.push(format!("{CONTENT_FIELD} must be a string"));
        }
        let publish = flag(fields, "publish", false, &mut problems);
        let skip_invalid = flag(fields, "skip_invalid", false, &mut problems);
        let use_template = flag(fields, "use_template", true, &mut problems);

        let wrong_types = RefCell::new(Problems::new());
        let settings =
            Settings::from_fields(|name| text(fields, name, &mut wrong_types.borrow_mut()));
        let settings = settings.unwrap_or_else(|errors| {
            problems.extend(errors);
            Settings::default()
        });
        let wrong_types = wrong_types.into_inner().into_list();
        problems.extend(wrong_types);
        problems.into_result()?;

        let import_type = import_type.unwrap_or(ImportType::Transaction);
        if !import_type.is_supported() {
            return Err(Error::invalid_code(
                "unsupported_type",
                format!("This version can't read {} yet", import_type.as_str()),
            ));
        }
        // Rows of other kinds belong to no account.
        let has_account = Kind::of(import_type).is_none_or(|kind| kind.spec().has_account);
        let account = account.filter(|_| has_account);
        Ok(Self { import_type, account, publish, skip_invalid, settings, use_template })
    }

    /// Refuses what a caller can't do who sees only some accounts.
    pub(super) fn require_account(&self, visible: &VisibleAccounts) -> Result<()> {
        match (visible.only(), self.account) {
            (None, _) => Ok(()),
            (Some(_), None) => {
                Err(Problem::about("account_id", "This key needs an account_id").into())
            }
            (Some(accounts), Some(id)) if accounts.contains(&id) => Ok(()),
            (Some(_), Some(_)) => Err(Problem::unknown("account_id", "account").into()),
        }
    }

    /// Of everything that was asked for and the content; stable from version to version.
    pub fn fingerprint(&self, content: Option<[u8; 32]>) -> [u8; 32] {
        let mut asked = serde_json::json!({
            "type": self.import_type,
            "account": self.account,
            "publish": self.publish,
            "skip_invalid": self.skip_invalid,
            "settings": self.settings,
        });
        if let (false, Some(asked)) = (self.use_template, asked.as_object_mut()) {
            asked.insert("use_template".to_owned(), false.into());
        }
        let mut hash = Sha256::new();
        hash.update(asked.to_string());
        hash.update(content.unwrap_or_default());
        hash.finalize().into()
    }
}

/// A text field; numbers are taken as their text, blank and null as not sent.
fn text(fields: &Fields, name: &str, problems: &mut Problems) -> Option<String> {
    match fields.get(name)? {
        Scalar::Text(text) if name != "col_sep" && text.trim().is_empty() => None,
        Scalar::Text(text) | Scalar::Number(text) => Some(text.clone()),
        Scalar::Null => None,
        Scalar::Bool(_) | Scalar::Compound => {
            problems.push(format!("{name} must be a string"));
            None
        }
    }
}

/// `true` or `false` as text or as JSON; blank and missing count as not sent; anything else is
/// refused.
pub fn flag(fields: &Fields, name: &str, unless_sent: bool, problems: &mut Problems) -> bool {
    match fields.get(name) {
        None | Some(Scalar::Null) => unless_sent,
        Some(Scalar::Bool(value)) => *value,
        Some(Scalar::Text(text)) if text == "true" => true,
        Some(Scalar::Text(text)) if text == "false" => false,
        Some(Scalar::Text(text)) if text.is_empty() => unless_sent,
        Some(_) => {
            problems.push(format!("{name} must be \"true\" or \"false\""));
            unless_sent
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, Scalar)]) -> Fields {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn one(name: &str, value: Scalar) -> Result<Request> {
        Request::read(&fields(&[(name, value)]))
    }

    #[test]
    fn publish_is_true_false_or_refused() {
        for (value, expected) in [
            (Scalar::Text("true".into()), Some(true)),
            (Scalar::Bool(true), Some(true)),
            (Scalar::Text("false".into()), Some(false)),
            (Scalar::Text(String::new()), Some(false)),
            (Scalar::Null, Some(false)),
            (Scalar::Text("TRUE".into()), None),
            (Scalar::Text("1".into()), None),
            (Scalar::Number("1".into()), None),
            (Scalar::Compound, None),
        ] {
            let read = one("publish", value.clone()).ok().map(|request| request.publish);
            assert_eq!(read, expected, "{value:?}");
        }
        assert!(!Request::read(&Fields::new()).unwrap().publish);
    }

    #[test]
    fn types_are_known_supported_or_refused() {
        let read = |name: &str| one("type", Scalar::Text(name.into()));
        assert_eq!(read("TransactionImport").unwrap().import_type, ImportType::Transaction);
        assert_eq!(read("").unwrap().import_type, ImportType::Transaction);
        assert_eq!(read("PdfImport").unwrap_err().code(), "unsupported_type");
        assert_eq!(read("SureImport").unwrap_err().code(), "unsupported_type");
        let unknown = read("BankImport").unwrap_err();
        assert_eq!(unknown.code(), "validation_failed");
        assert!(unknown.to_string().contains("QifImport"));
    }

    #[test]
    fn accounts_are_named_as_in_paths() {
        let id = "0190f5f0-7c00-7a10-8000-00000000000a";
        let read = |text: &str| one("account_id", Scalar::Text(text.into()));
        assert_eq!(read(id).unwrap().account.unwrap().to_string(), id);
        for other in [id.replace('-', ""), format!("{{{id}}}"), format!("urn:uuid:{id}")] {
            let message = read(&other).unwrap_err().to_string();
            assert_eq!(message, "The account_id is not an account of this family", "{other}");
        }
    }

    #[test]
    fn every_problem_is_reported() {
        let error = Request::read(&fields(&[
            ("publish", Scalar::Text("yes".into())),
            ("account_id", Scalar::Text("7".into())),
            ("number_format", Scalar::Text("1.2.3".into())),
        ]))
        .unwrap_err();
        let Error::Invalid { problems: errors, .. } = error else { panic!("{error:?}") };
        assert_eq!(errors.len(), 3, "{errors:?}");
    }
}
