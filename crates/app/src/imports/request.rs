//! What a caller asks for with an upload, from the texts of its fields.

use std::collections::BTreeMap;

use purser_core::error::{Problem, Problems, Result};
use purser_core::ids::AccountId;
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::settings::Settings;
use purser_core::secret::Secret;
use purser_store::VisibleAccounts;
use sha2::{Digest as _, Sha256};

use super::stated_directions::StatedDirections;

/// The fields of an upload by their names, without the content. A blank one counts as not sent.
pub type Fields = BTreeMap<String, String>;

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
    /// Which way the money of single rows went. Only the command line sends it: over HTTP a row is
    /// changed after the upload.
    pub directions: StatedDirections,
    /// What opens a document that is protected; it is used once and never stored.
    pub password: Secret,
}

impl Request {
    /// Reads the fields; every problem is reported at once, with those of reading them so far.
    pub fn read(fields: &Fields, mut problems: Problems) -> Result<Self> {
        let text = |name: &str| fields.get(name).filter(|text| !text.trim().is_empty());
        let import_type = text("type").map_or(Some(ImportType::Transaction), |name| {
            let known = ImportType::parse_alias(name);
            if known.is_none() {
                problems.push(unknown_type("type"));
            }
            known
        });
        let account = text("account_id").and_then(|id| {
            let parsed = id.parse().ok();
            if parsed.is_none() {
                problems.push(Problem::unknown("account_id", "account"));
            }
            parsed
        });
        let mut flag = |name: &str, unless_sent| match text(name).map(String::as_str) {
            None => unless_sent,
            Some("true") => true,
            Some("false") => false,
            Some(_) => {
                problems.field(name, "must be true or false");
                unless_sent
            }
        };
        let publish = flag("publish", false);
        let skip_invalid = flag("skip_invalid", false);
        let use_template = flag("use_template", true);
        let settings = Settings::from_fields(|name| fields.get(name).cloned());
        let settings = settings.unwrap_or_else(|errors| {
            problems.extend(errors);
            Settings::default()
        });
        problems.into_result()?;

        let import_type = import_type.unwrap_or(ImportType::Transaction);
        // Rows of other kinds belong to no account.
        let has_account = Kind::of(import_type).spec().has_account;
        let account = account.filter(|_| has_account);
        let password = Secret::new(text("password").cloned().unwrap_or_default());
        let directions = StatedDirections::new();
        Ok(Self {
            import_type,
            account,
            publish,
            skip_invalid,
            settings,
            use_template,
            directions,
            password,
        })
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

    /// The hash of the request and the content; stable from version to version.
    pub fn fingerprint(&self, content: Option<[u8; 32]>) -> [u8; 32] {
        let mut requested = serde_json::json!({
            "type": self.import_type,
            "account": self.account,
            "publish": self.publish,
            "skip_invalid": self.skip_invalid,
            "settings": self.settings,
        });
        if let (false, Some(requested)) = (self.use_template, requested.as_object_mut()) {
            requested.insert("use_template".to_owned(), false.into());
        }
        if let (false, Some(requested)) = (self.directions.is_empty(), requested.as_object_mut()) {
            requested.insert("directions".to_owned(), serde_json::json!(self.directions));
        }
        let mut hash = Sha256::new();
        hash.update(requested.to_string());
        hash.update(content.unwrap_or_default());
        hash.finalize().into()
    }
}

/// The name of a type of imports, in this field, that there is not.
pub fn unknown_type(field: &str) -> Problem {
    let known: Vec<&str> = ImportType::ALL.iter().map(|one| one.as_str()).collect();
    Problem::field(field, format!("must be one of {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use purser_core::error::Error;

    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Request> {
        let fields = pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Request::read(&fields.collect(), Problems::new())
    }

    #[test]
    fn publish_is_true_false_or_refused() {
        for (text, expected) in [
            ("true", Some(true)),
            ("false", Some(false)),
            ("", Some(false)),
            ("TRUE", None),
            ("1", None),
        ] {
            let publish = read(&[("publish", text)]).ok().map(|request| request.publish);
            assert_eq!(publish, expected, "{text:?}");
        }
        assert!(!read(&[]).unwrap().publish);
    }

    #[test]
    fn types_are_known_or_refused() {
        let read = |name: &str| read(&[("type", name)]);
        assert_eq!(read("TransactionImport").unwrap().import_type, ImportType::Transaction);
        assert_eq!(read("").unwrap().import_type, ImportType::Transaction);
        assert_eq!(read("PdfImport").unwrap().import_type, ImportType::Pdf);
        assert_eq!(read("SureImport").unwrap().import_type, ImportType::Native);
        let unknown = read("BankImport").unwrap_err();
        assert_eq!(unknown.code(), "validation_failed");
        assert!(unknown.to_string().contains("QifImport"));
    }

    #[test]
    fn accounts_are_named_as_in_paths() {
        let id = "0190f5f0-7c00-7a10-8000-00000000000a";
        let read = |text: &str| read(&[("account_id", text)]);
        assert_eq!(read(id).unwrap().account.unwrap().to_string(), id);
        for other in [id.replace('-', ""), format!("{{{id}}}"), format!("urn:uuid:{id}")] {
            let message = read(&other).unwrap_err().to_string();
            assert_eq!(message, "The account_id is not an account of this family", "{other}");
        }
    }

    #[test]
    fn every_problem_is_reported() {
        let bad = [("publish", "yes"), ("account_id", "7"), ("number_format", "1.2.3")];
        let error = read(&bad).unwrap_err();
        let Error::Invalid { problems: errors, .. } = error else { panic!("{error:?}") };
        assert_eq!(errors.len(), 3, "{errors:?}");
    }
}
