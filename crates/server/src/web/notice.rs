//! The sentence that a page shows after a change.

use axum::response::Response;

use super::answer::see_other;
use crate::http::pagination::QueryParams;

const NOTICE: &str = "done";

/// The sentence that an address asks for. The address only names the sentence, so that a link can't
/// make a page show any other text.
pub(super) fn notice(query: &QueryParams) -> Option<&'static str> {
    let text = match query.one(NOTICE).ok().flatten()? {
        "account-created" => "The account is created.",
        "account-saved" => "The account is saved.",
        "account-deleted" => "The account is deleted.",
        "balance-set" => "The balance is set.",
        "transaction-saved" => "The transaction is saved.",
        "transaction-deleted" => "The transaction is deleted. An import won't bring it back.",
        "family-saved" => "The family's settings are saved.",
        "profile-saved" => "Your name is saved.",
        "password-changed" => "Your password is changed, and every other browser is signed out.",
        "key-revoked" => "The key is revoked; it no longer works.",
        "transfer-confirmed" => "The transfer is confirmed.",
        "transfer-rejected" => "The pair won't be proposed again.",
        "connection-created" => "The provider accepts the key.",
        "connection-saved" => "The name is saved.",
        "connection-key-changed" => "The provider accepts the new key.",
        "connection-deleted" => "The key is removed; the rest of the connection goes in a moment.",
        "accounts-linked" => "Your choice is saved. What is linked is synced next.",
        "sync-undo-begun" => "The sync is being undone.",
        "sync-undone" => "The sync is undone. The next one asks the bank for the same days again.",
        "duplicate-merged" => "The two are one transaction now.",
        "duplicate-kept" => "Both stay. The pair won't be shown again.",
        "webhook-test" => "A test is sent.",
        "webhook-on" => "The webhook is on.",
        "webhook-off" => "The webhook is off. What it was not sent is given up.",
        "webhook-removed" => "The webhook is removed.",
        "export-requested" => "The file is being written.",
        "direction-known" => {
            "Nothing is changed: it is known by now which way the money of that row went. Correct \
             the row if that is wrong."
        }
        "import-removed" => "The import is gone. Nothing else has changed.",
        "import-undone" => "The import is undone. Its file can be imported again.",
        "template-saved" => "The name is saved.",
        "template-removed" => "These settings are forgotten.",
        "signed-out" => "You are signed out.",
        "session-ended" => {
            "You were signed out meanwhile, so nothing was saved. Sign in, then send it again."
        }
        _ => return None,
    };
    Some(text)
}

/// The address of the same page once more, with the sentence that it shows now.
pub(super) fn kept(path: &str, query: &QueryParams) -> String {
    match query.one(NOTICE) {
        Ok(Some(code)) if notice(query).is_some() => with_code(path, code),
        _ => path.to_owned(),
    }
}

fn with_code(path: &str, code: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{NOTICE}={code}")
}

/// A redirect to a page that confirms the change.
pub(crate) fn done(path: &str, code: &'static str) -> Response {
    see_other(&with_code(path, code))
}
