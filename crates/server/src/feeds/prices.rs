//! Asking the feed of prices once a day for every security that a family holds.
//!
//! One symbol after the other, with a pause between them. What comes of each is noted with the
//! security, and a symbol that the feed doesn't know keeps no other from being asked.

use purser_core::error::Result;
use purser_formats::feeds::prices::{PriceLine, read_answer};
use purser_store::prices::feed::{self as stored, Due, FeedPrice};
use purser_store::rates::feed::{self, PRICES};
use purser_store::{FamilyId, families};

use super::address::FeedTemplate;
use super::client::Fetcher;
use super::tables;
use crate::blocking::blocking;
use crate::limits::{FEED_REST, FEED_REST_AFTER_ERROR, FEED_SYMBOL_PAUSE, FEED_SYMBOLS_MAX};
use crate::state::AppState;

/// Asks for what is due.
pub(super) async fn look(app: &AppState, client: &Fetcher, template: &FeedTemplate) {
    let families = match app.store.read(families::list).await {
        Ok(families) => families,
        Err(error) => {
            tracing::warn!(cause = ?error, "the feed of prices waits for the database");
            return;
        }
    };
    for family in families {
        if let Err(error) = look_for(app, client, template, family.id).await {
            tracing::error!(cause = ?error, "prices of the feed can't be stored");
        }
    }
}

/// Asks for what is due of a family.
async fn look_for(
    app: &AppState,
    client: &Fetcher,
    template: &FeedTemplate,
    family: FamilyId,
) -> Result<()> {
    let take = move |tx: &mut purser_store::Tx<'_>| {
        stored::take_due(tx, family, FEED_REST, FEED_REST_AFTER_ERROR, FEED_SYMBOLS_MAX)
    };
    let due = app.store.write(family, take).await?;
    for (number, one) in due.into_iter().enumerate() {
        if number > 0 {
            tokio::time::sleep(FEED_SYMBOL_PAUSE).await;
        }
        let asked = ask(client, template, &one).await;
        let take_over = move |tx: &mut purser_store::Tx<'_>| match &asked {
            Ok(prices) => stored::take_over(tx, family, &one, prices),
            Err(sentence) => {
                stored::note(tx, family, one.security, Some(sentence))?;
                Ok(Err(sentence.clone()))
            }
        };
        let came = app.store.write(family, take_over).await?;
        let came = came.map(drop);
        app.store
            .write_directory(move |tx| {
                feed::note(tx, PRICES, came.as_ref().map_err(String::as_str).copied())
            })
            .await?;
    }
    Ok(())
}

/// What the feed says of a security, or the sentence that says why nothing.
async fn ask(
    client: &Fetcher,
    template: &FeedTemplate,
    due: &Due,
) -> std::result::Result<Vec<FeedPrice>, String> {
    let url = template.url(&due.symbol).ok_or("The symbol doesn't fit into the address.")?;
    let body = client.fetch(&url).await?;
    let read = blocking(move || Ok(read_answer(&body))).await;
    let lines = read.map_err(|error| {
        tracing::error!(cause = ?error, "an answer of the feed of prices can't be read");
        "The answer could not be read.".to_owned()
    })?;
    let lines = lines.map_err(|error| tables::short(&error))?;
    let price = |line: PriceLine| {
        let PriceLine { date, currency, price, .. } = line;
        FeedPrice { date, currency, price }
    };
    Ok(lines.into_iter().map(price).collect())
}
