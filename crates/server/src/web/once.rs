//! Making one thing, however often its form is sent: a double click, a reload, a way back.
//!
//! A form that makes something has a random token of its own. What it made is noted under the token
//! and the content of the form, in the transaction that makes it. The same form once more is led to
//! what is there already; one with other content, sent from the same page, makes another thing.

use axum::response::Response;
use purser_app::FamilyTx;
use purser_app::idempotency::{self, Claimed};
use purser_core::error::{Error, Result};
use purser_core::ids;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::form::{Form, TOKEN_FIELD};
use super::session::SignedIn;
use super::token::Token;

/// The field with the token.
pub(crate) const ONCE_FIELD: &str = "once";
/// Stands for the web pages among the routes of the API.
const ROUTE: &str = "web";
/// What is noted has no other status than that of a redirect.
const SEE_OTHER: u16 = 303;

/// A form that was sent, by what it is; nothing if it has no token.
#[derive(Debug, Clone)]
pub(crate) struct Once(Option<SentForm>);

/// The identity of a form that was sent.
#[derive(Clone)]
struct SentForm {
    /// What it is known by.
    key: String,
    /// Known to nobody but who got the form.
    seed: [u8; 32],
}

impl std::fmt::Debug for SentForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SentForm").field("key", &self.key).finish_non_exhaustive()
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CreationOutcome {
    /// It is created now, with its page at this address.
    Created(String),
    /// The same form created it before.
    AlreadyThere(String),
}

/// A token for the forms of a page. Without random numbers there is none, and no protection.
pub(crate) fn new_token() -> String {
    Token::generate().map(|token| token.reveal().to_owned()).unwrap_or_default()
}

impl Once {
    /// Identifies an ordinary form.
    pub(crate) fn of(who: &SignedIn, form: &Form) -> Self {
        let fields = form.fields().filter(|(name, _)| *name != TOKEN_FIELD);
        Self::of_fields(who, form.text(ONCE_FIELD), fields)
    }

    /// Identifies a form that was read otherwise.
    pub(crate) fn of_fields<'a>(
        who: &SignedIn,
        token: &str,
        fields: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        if Token::parse(token).is_none() {
            return Self(None);
        }
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        };
        add(who.user.0.as_bytes());
        add(token.as_bytes());
        for (name, value) in fields {
            add(name.as_bytes());
            add(value.as_bytes());
        }
        let seed: [u8; 32] = hash.finalize().into();
        let key = derived(&seed, "key").iter().map(|byte| format!("{byte:02x}")).collect();
        Self(Some(SentForm { key, seed }))
    }

    /// Random bytes for a secret, which are the same whenever the same form is sent.
    pub(crate) fn secret(&self, purpose: &str) -> Option<[u8; 32]> {
        self.0.as_ref().map(|sent| derived(&sent.seed, purpose))
    }

    /// The address of what the same form made before, if that is still there.
    pub(crate) fn made(
        &self,
        tx: &mut FamilyTx<'_>,
        is_there: impl FnOnce(&mut FamilyTx<'_>, &str) -> Result<bool>,
    ) -> Result<Option<String>> {
        let Some(SentForm { key, .. }) = &self.0 else { return Ok(None) };
        match idempotency::claim(tx, ROUTE, key, &[])? {
            Claimed::Replay { body, .. } => Ok(is_there(tx, &body)?.then_some(body)),
            Claimed::Fresh(claim) | Claimed::Bound { claim, .. } => {
                idempotency::release(tx, &claim)?;
                Ok(None)
            }
            Claimed::Running | Claimed::Reused => Ok(None),
        }
    }

    /// Makes something and notes the address of its page, unless the same form did before and that
    /// is still there.
    pub(crate) fn make(
        &self,
        tx: &mut FamilyTx<'_>,
        is_there: impl FnOnce(&mut FamilyTx<'_>, &str) -> Result<bool>,
        make: impl FnOnce(&mut FamilyTx<'_>) -> Result<String>,
    ) -> Result<CreationOutcome> {
        let Some(SentForm { key, .. }) = &self.0 else {
            return make(tx).map(CreationOutcome::Created);
        };
        match idempotency::claim(tx, ROUTE, key, &[])? {
            Claimed::Replay { body, .. } if is_there(tx, &body)? => {
                Ok(CreationOutcome::AlreadyThere(body))
            }
            Claimed::Fresh(claim) | Claimed::Bound { claim, .. } => {
                let address = make(tx)?;
                idempotency::save(tx, &claim, SEE_OTHER, &address)?;
                Ok(CreationOutcome::Created(address))
            }
            // What was made is gone. Else: claims of the pages end with their transaction, and the
            // content is in the key.
            Claimed::Replay { .. } | Claimed::Running | Claimed::Reused => {
                make(tx).map(CreationOutcome::Created)
            }
        }
    }
}

/// Whether what an address ends with is the id of something that is there.
pub(crate) fn is_found<T>(address: &str, find: impl FnOnce(Uuid) -> Result<T>) -> Result<bool> {
    let id = address.rsplit('/').next().and_then(|id| ids::read(id).ok());
    match id.map(find) {
        Some(Ok(_)) => Ok(true),
        None | Some(Err(Error::NotFound { .. })) => Ok(false),
        Some(Err(error)) => Err(error),
    }
}

/// Nobody can get from one of these to another.
fn derived(seed: &[u8; 32], purpose: &str) -> [u8; 32] {
    Sha256::new().chain_update(purpose).chain_update([0]).chain_update(seed).finalize().into()
}

impl CreationOutcome {
    /// The address of what was made.
    pub(crate) fn address(&self) -> &str {
        match self {
            Self::Created(address) | Self::AlreadyThere(address) => address,
        }
    }

    /// To the page of what was made, which confirms it.
    pub(crate) fn done(&self, notice: &'static str) -> Response {
        super::notice::done(self.address(), notice)
    }
}
