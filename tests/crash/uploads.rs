//! One upload or one undo, and what became of it as far as the client knows.

use serde_json::json;

use super::ledger::{Ledger, Outcome, Undo};
use crate::support::Client;

/// Rows of each file.
pub(super) const ROWS: u64 = 20;
/// The amount of each row, in cents.
pub(super) const CENTS: u64 = 125;

/// Uploads a file of [`ROWS`] rows that all carry the name, and notes the answer.
pub(super) fn send(api: &Client, account: &str, name: &str, ledger: &Ledger) {
    let mut csv = String::from("Date,Amount,Name\n");
    for row in 0..ROWS {
        csv.push_str(&format!("2024-03-{:02},+1.25,{name} {row}\n", 1 + row % 28));
    }
    let body = json!({ "account_id": account, "publish": "true", "raw_file_content": csv });
    ledger.note(
        name,
        match api.try_post("/api/v1/imports", &body) {
            None => Outcome::Unknown,
            Some(answer) if answer.status == 201 => Outcome::Acknowledged(answer.id()),
            Some(answer) => Outcome::Refused(answer.status, answer.text()),
        },
    );
}

/// Undoes the import of an upload that was acknowledged, and notes the answer. One that is not
/// published yet is left alone.
pub(super) fn undo(api: &Client, name: &str, id: &str, ledger: &Ledger) {
    match api.try_post(&format!("/api/v1/imports/{id}/revert"), &json!({})) {
        None => ledger.note_undo(name, Undo::Unknown),
        Some(answer) if answer.status == 202 => ledger.note_undo(name, Undo::Acknowledged),
        Some(answer) if answer.status == 422 => {
            answer.expect_error(422, "not_revertable");
        }
        Some(answer) => ledger.note(name, Outcome::Refused(answer.status, answer.text())),
    }
}
