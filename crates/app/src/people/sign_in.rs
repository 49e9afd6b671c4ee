//! Signing in: a guess is counted, the password compared, a session begun.
//!
//! The answer to a wrong name and to a wrong password is the same, and takes the same time: an
//! unknown name is compared with a hash that no password has, and both are counted in the same way.
//! [`Attempt::verify`] ends with somebody who has the right password, [`Verified::begin`] lets them
//! in: a second factor has its place between the two.

use std::net::IpAddr;
use std::time::Duration;

use purser_core::error::Result;
use purser_core::ids::UserId;
use purser_store::guesses::{self, Guess, Source, SourceHash, source_hash};
use purser_store::users::{self, SignIn};
use purser_store::{FamilyId, FamilyTx, Secret};

use crate::network::of_one_client;
use crate::{App, passwords};

/// A name, and from where somebody tries to sign in under it.
#[derive(Debug, Clone)]
pub struct Attempt {
    name: String,
    browser: Option<SourceHash>,
    network: SourceHash,
}

/// What became of an attempt.
#[derive(Debug)]
pub enum Outcome {
    /// The password is right.
    Verified(Box<Verified>),
    /// Alike for an unknown name, a wrong password and a user who may not come in.
    Refused,
    /// There were too many guesses; the next one may come after this time.
    Wait(Duration),
}

/// Somebody who has entered the right password.
#[derive(Debug)]
pub struct Verified {
    attempt: Attempt,
    sign_in: SignIn,
    guess: Guess,
}

impl Attempt {
    /// By a name, from an address, perhaps in a browser that has the token with this hash.
    pub fn new(name: &str, address: IpAddr, browser: Option<&[u8; 32]>) -> Self {
        let hash = |source| source_hash(name, source);
        Self {
            name: name.to_owned(),
            browser: browser.map(|token| hash(Source::Browser(token))),
            network: hash(Source::Network(of_one_client(address))),
        }
    }

    /// Whether somebody has signed in under the name in this browser before. Then guesses from
    /// elsewhere don't count here.
    pub async fn is_of_known_browser(&self, app: &App) -> Result<bool> {
        let Some(browser) = self.browser else { return Ok(false) };
        app.store.read_directory(move |tx| guesses::is_known(tx, &browser)).await
    }

    /// Counts the guess, then compares the password.
    pub async fn verify(self, app: &App, password: Secret) -> Result<Outcome> {
        let counted = self.clone();
        let taken = app.store.write_directory(move |tx| {
            let sources: Vec<SourceHash> =
                counted.browser.into_iter().chain([counted.network]).collect();
            guesses::take(tx, &counted.name, &sources)
        });
        let guess = match taken.await? {
            Ok(guess) => guess,
            Err(wait) => return Ok(Outcome::Wait(wait)),
        };
        let found = users::sign_in(&app.store, &self.name).await?;
        let found = found.filter(|found| !found.is_closed());
        let hash = found.as_ref().map(|found| found.password_hash.clone());
        let matches = passwords::matches(app, password, hash).await?;
        Ok(match found.filter(|_| matches) {
            Some(sign_in) => {
                Outcome::Verified(Box::new(Verified { attempt: self, sign_in, guess }))
            }
            None => Outcome::Refused,
        })
    }
}

/// Counts a guess of the present password of somebody who is signed in. The inner error is how long
/// to wait.
pub async fn take_present(app: &App, name: &str) -> Result<std::result::Result<Guess, Duration>> {
    let name = name.to_owned();
    app.store.write_directory(move |tx| guesses::take_present(tx, &name)).await
}

/// The present password was the right one: the guess is given back.
pub async fn was_present(app: &App, guess: Guess) -> Result<()> {
    app.store.write_directory(move |tx| guesses::was_right(tx, guess, &[])).await
}

impl Verified {
    /// Begins what `begin` does for the family and the user, and remembers the browser by the hash
    /// of the token that it has from now on. False if the password was changed or the user
    /// was shut out meanwhile: both take the family's turn, as this does.
    pub async fn begin(
        self,
        app: &App,
        browser: [u8; 32],
        begin: impl Fn(&mut FamilyTx<'_>, FamilyId, UserId) -> Result<()> + Send + 'static,
    ) -> Result<bool> {
        let Self { attempt, sign_in, guess } = self;
        let browser = source_hash(&attempt.name, Source::Browser(&browser));
        let sources = [browser, attempt.network];
        app.store
            .write(sign_in.access(), move |tx| {
                let now = users::find_by_email(tx, &sign_in.user.email)?;
                let unchanged = now.is_some_and(|now| {
                    now.password_hash == sign_in.password_hash && !now.is_closed()
                });
                if unchanged {
                    guesses::was_right(tx, guess, &sources)?;
                    begin(tx, sign_in.family, sign_in.user.id)?;
                }
                Ok(unchanged)
            })
            .await
    }
}
