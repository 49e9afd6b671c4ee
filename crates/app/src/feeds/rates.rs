//! Fetching exchange rates from the feed once a day, and storing them.

use purser_core::error::Result;
use purser_core::rates::StatedRate;
use purser_formats::feeds::rates::read;
use purser_store::Tx;
use purser_store::rates::applying;
use purser_store::rates::effects::Reach;
use purser_store::rates::feed::{self, RATES};

use super::address::FeedUrl;
use super::client::Fetcher;
use crate::App;
use crate::blocking::blocking;
use crate::limits::{FEED_RATES_PER_COMMIT, FEED_REST, FEED_REST_AFTER_ERROR};

/// Asks, if it is time to.
pub(super) async fn look(app: &App, client: &Fetcher, url: &FeedUrl) {
    let turn = app
        .store
        .write_directory(|tx| feed::take_turn(tx, RATES, FEED_REST, FEED_REST_AFTER_ERROR))
        .await;
    match turn {
        Ok(true) => {}
        Ok(false) => return,
        Err(error) => {
            tracing::warn!(cause = ?error, "the feed of rates waits for the database");
            return;
        }
    }
    let asked = ask(app, client, url).await;
    let noted = app.store.write_directory(move |tx| {
        let sentence = asked.as_ref().err().map(String::as_str);
        feed::note(tx, RATES, sentence.map_or(Ok(()), Err))
    });
    if let Err(error) = noted.await {
        tracing::warn!(cause = ?error, "what came of the feed of rates can't be noted");
    }
}

/// Fetches and stores the rates; the error is a sentence about the failure.
async fn ask(app: &App, client: &Fetcher, url: &FeedUrl) -> std::result::Result<(), String> {
    let url = url.url().ok_or("The address of the feed can't be read.")?;
    let body = client.fetch(&url).await.map_err(|failure| {
        let reason = failure.into_reason();
        tracing::warn!(reason, "the feed of rates gave nothing");
        reason
    })?;
    let read = blocking(move || Ok(read(&body))).await;
    let lines = match read {
        Ok(Ok(lines)) => lines,
        Ok(Err(error)) => {
            let reason = error.unquoted();
            tracing::warn!(reason, "the feed of rates gave something else than rates");
            return Err(reason);
        }
        Err(error) => {
            tracing::error!(cause = ?error, "the feed of rates can't be read");
            return Err("The answer could not be read.".to_owned());
        }
    };
    let rates: Vec<StatedRate> = lines.into_iter().map(|line| line.stated).collect();
    for part in rates.chunks(FEED_RATES_PER_COMMIT) {
        let part = part.to_vec();
        let put = app.store.write_directory(move |tx| put(tx, &part)).await;
        put.map_err(|error| {
            tracing::error!(cause = ?error, "rates of the feed can't be stored");
            "The rates could not be stored.".to_owned()
        })?;
    }
    Ok(())
}

/// Stores rates, and has every family's ledger brought up to date with what changed, by a job in
/// the same transaction.
fn put(tx: &mut Tx<'_>, rates: &[StatedRate]) -> Result<()> {
    let Some(reach): Option<Reach> = feed::put(tx, rates)? else { return Ok(()) };
    applying::queue_for_all(tx, &reach)
}
