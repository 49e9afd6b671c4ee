//! How often passwords may be guessed, counted in the database for all nodes.
//!
//! There are four ways to guess a password ([`GuessWay`]), and each has an allowance of its own for
//! each name, however many browsers, networks or nodes are used: [`GuessWay::allowance`]. Together
//! they are 100 guesses in any hour, whichever way they come. From where nobody has signed in under
//! a name before, all guesses share one allowance. A browser or a network from which somebody has
//! signed in under the name is a known source: it takes from another one, and keeps to the pace of
//! [`PASSWORD`] besides. So whoever guesses from everywhere in the world can't keep people out of
//! their own browsers.
//!
//! Nothing here reveals whether a name exists: for strangers names are hashed into a fixed number
//! of slots, which is also the limit of what is stored. The database's own id goes into that hash,
//! so that nobody outside can search for names that share a slot with another one. The other ways
//! need a sign-in under the name, so they have slots that no two names share: whoever signs in
//! under another one can't use up what a person has. What is known of a source is a hash of it and
//! the name.

use std::net::IpAddr;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::guessing::{PASSWORD, QUIET};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::driver::{Tx, statements, vals};
use crate::installation;
use crate::users::normal_email;

statements! {
    /// Takes one guess of a slot, if it has one. A slot can't miss more than all of its guesses,
    /// unless the clock was ahead.
    TAKE = "INSERT INTO sign_in_guesses (slot, full_at) VALUES ($1, $2)
        ON CONFLICT (slot) DO UPDATE SET full_at = $3 + CASE
            WHEN sign_in_guesses.full_at BETWEEN $4 AND $5 THEN sign_in_guesses.full_at
            ELSE $4 END
        WHERE sign_in_guesses.full_at <= $6 OR sign_in_guesses.full_at > $5";
    /// When a slot has all of its guesses again.
    FULL_AT = "SELECT full_at FROM sign_in_guesses WHERE slot = $1";
    /// Gives a guess back.
    GIVE_BACK = "UPDATE sign_in_guesses SET full_at = full_at - $1 WHERE slot = $2";
    /// The guesses of a known source.
    SOURCE = "SELECT wrong, guessed_at FROM sign_in_sources WHERE hash = $1";
    /// Counts a guess of a known source, unless another was counted since it was read.
    COUNT = "UPDATE sign_in_sources SET wrong = $1, guessed_at = $2
        WHERE hash = $3 AND wrong = $4 AND guessed_at = $5";
    /// Notes that somebody signed in from a source.
    REMEMBER = "INSERT INTO sign_in_sources (hash, wrong, guessed_at, used_at)
        VALUES ($1, 0, $2, $2)
        ON CONFLICT (hash) DO UPDATE SET wrong = 0, used_at = $2";
    /// Forgets slots that have all of their guesses.
    PURGE_GUESSES = "DELETE FROM sign_in_guesses WHERE full_at < $1";
    /// Forgets sources from where nobody comes any more.
    PURGE_SOURCES = "DELETE FROM sign_in_sources WHERE used_at < $1";
}

/// Days after the last sign-in for which a source is known.
const SOURCE_DAYS: i64 = 180;
/// The wait of whoever guesses twice at the same moment.
const AGAIN: Duration = Duration::from_secs(1);

/// A way to guess the password of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuessWay {
    /// From where nobody has signed in under the name.
    Stranger,
    /// In browsers in which somebody has.
    Browser,
    /// In networks from which somebody has.
    Network,
    /// As the present password, in a browser that is signed in.
    Session,
}

/// How many guesses of one name there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// How many there are at once.
    pub max: u32,
    /// The time after which there is one more.
    pub interval: Duration,
}

impl GuessWay {
    /// All ways that there are.
    pub const ALL: [Self; 4] = [Self::Stranger, Self::Browser, Self::Network, Self::Session];

    /// What there is for one name: 40 guesses in any hour for strangers, 20 each for the others.
    pub fn allowance(self) -> Allowance {
        match self {
            Self::Stranger => Allowance { max: 20, interval: Duration::from_secs(180) },
            Self::Browser | Self::Network | Self::Session => {
                Allowance { max: 10, interval: Duration::from_secs(360) }
            }
        }
    }

    /// Where the guesses of a name are counted, in the database with this id.
    fn slot(self, name: &str, database: Uuid) -> i64 {
        let mut hasher = Sha256::new();
        if self == Self::Stranger {
            hasher.update(database);
        }
        let hash: [u8; 32] = hasher.chain_update(normal_email(name)).finalize().into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        let way = match self {
            Self::Stranger => return i64::from(u16::from_be_bytes([a, b])),
            Self::Browser => 1,
            Self::Network => 2,
            Self::Session => 3,
        };
        (way << NAME_BITS) | (i64::from_be_bytes([a, b, c, d, e, f, g, h]) & ((1 << NAME_BITS) - 1))
    }
}

/// Bits of a name's hash in the number of a slot that is the name's own.
const NAME_BITS: u32 = 61;

/// A source and a name, as a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceHash {
    way: GuessWay,
    /// The SHA-256 of both together.
    hash: [u8; 32],
}

/// From where somebody signs in.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// A browser, by the hash of the token in its cookie.
    Browser(&'a [u8; 32]),
    /// A network; of IPv6 its first 64 bits.
    Network(IpAddr),
}

/// A guess that was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guess {
    way: GuessWay,
    slot: i64,
}

impl Guess {
    /// The way that it came.
    pub fn way(self) -> GuessWay {
        self.way
    }
}

/// What is stored of a source from which somebody signs in under a name.
pub fn source_hash(name: &str, source: Source<'_>) -> SourceHash {
    let mut hasher = Sha256::new();
    let way = match source {
        Source::Browser(token) => {
            hasher.update(b"browser");
            hasher.update(token);
            GuessWay::Browser
        }
        Source::Network(address) => {
            hasher.update(b"network");
            hasher.update(address.to_canonical().to_string());
            GuessWay::Network
        }
    };
    hasher.update([0]);
    hasher.update(normal_email(name));
    SourceHash { way, hash: hasher.finalize().into() }
}

/// Whether somebody has signed in from a source.
pub fn is_known(tx: &mut Tx<'_>, source: &SourceHash) -> Result<bool> {
    Ok(tx.query_opt(&SOURCE, vals![&source.hash], |_| Ok(()))?.is_some())
}

/// Counts a guess of a name's password: of the first of the sources that is known and of which the
/// way has guesses left, else of those that all others share. The inner error is how long to wait.
pub fn take(
    tx: &mut Tx<'_>,
    name: &str,
    sources: &[SourceHash],
) -> Result<std::result::Result<Guess, Duration>> {
    for source in sources {
        if let Some(counted) = take_known(tx, name, source)? {
            return Ok(counted);
        }
    }
    take_of(tx, GuessWay::Stranger, name)
}

/// Counts a guess of the present password of a name, by somebody who is signed in. The inner error
/// is how long to wait.
pub fn take_present(tx: &mut Tx<'_>, name: &str) -> Result<std::result::Result<Guess, Duration>> {
    take_of(tx, GuessWay::Session, name)
}

/// Notes that a guess was right, and the sources that it came from.
pub fn was_right(tx: &mut Tx<'_>, guess: Guess, sources: &[SourceHash]) -> Result<()> {
    tx.execute(&GIVE_BACK, vals![micros(guess.way.allowance().interval), guess.slot])?;
    let now = tx.now();
    for source in sources {
        tx.execute(&REMEMBER, vals![&source.hash, now])?;
    }
    Ok(())
}

/// Forgets what is over.
pub fn purge(tx: &mut Tx<'_>) -> Result<()> {
    let now = tx.now();
    tx.execute(&PURGE_GUESSES, vals![now])?;
    let source_time = SignedDuration::from_hours(24 * SOURCE_DAYS);
    let oldest = now.checked_sub(source_time).map_err(Error::internal)?;
    tx.execute(&PURGE_SOURCES, vals![oldest]).map(drop)
}

/// `None` if the source isn't known, or if others like it have used up what its way has.
fn take_known(
    tx: &mut Tx<'_>,
    name: &str,
    source: &SourceHash,
) -> Result<Option<std::result::Result<Guess, Duration>>> {
    let SourceHash { way, hash } = source;
    let read = tx.query_opt(&SOURCE, vals![hash], |row| Ok((row.int(0)?, row.timestamp(1)?)))?;
    let Some((wrong, guessed_at)) = read else { return Ok(None) };
    let since = since(guessed_at, tx.now());
    let counted = if since >= QUIET { 0 } else { u32::try_from(wrong).unwrap_or(u32::MAX) };
    if let Some(wait) = PASSWORD.wait(counted).checked_sub(since).filter(|wait| !wait.is_zero()) {
        return Ok(Some(Err(wait)));
    }
    let Ok(guess) = take_of(tx, *way, name)? else { return Ok(None) };
    let (now, next) = (tx.now(), counted.saturating_add(1));
    let is_counted = tx.execute(&COUNT, vals![next, now, hash, wrong, guessed_at])? == 1;
    Ok(Some(if is_counted { Ok(guess) } else { Err(AGAIN) }))
}

/// How long ago something was. What was counted by a clock that was ahead is forgotten.
fn since(then: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(then)).unwrap_or(QUIET)
}

fn take_of(
    tx: &mut Tx<'_>,
    way: GuessWay,
    name: &str,
) -> Result<std::result::Result<Guess, Duration>> {
    let Allowance { max, interval } = way.allowance();
    let slot = way.slot(name, installation::require(tx)?);
    let (now, interval) = (tx.now().as_microsecond(), micros(interval));
    let (all, all_but_one) = (now + interval * i64::from(max), now + interval * i64::from(max - 1));
    let taken =
        tx.execute(&TAKE, vals![slot, now + interval, interval, now, all, all_but_one])? == 1;
    if taken {
        return Ok(Ok(Guess { way, slot }));
    }
    let full_at = tx.query_opt(&FULL_AT, vals![slot], |row| row.int(0))?.unwrap_or(now);
    let wait = u64::try_from(full_at - all_but_one).unwrap_or_default();
    Ok(Err(Duration::from_micros(wait).max(AGAIN)))
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
