//! Asking the feed of prices once a day for every security that a family holds.
//!
//! One symbol after the other, with a pause between them. What comes of each is noted with the
//! security, and a symbol that the feed doesn't know keeps no other from being asked. A feed that
//! is in trouble itself is left alone until the next look: asking it for a thousand symbols would
//! take hours and help nobody.

use purser_core::error::Result;
use purser_formats::feeds::prices::{PriceLine, read_answer};
use purser_store::prices::feed::{self as stored, Due, FeedPrice};
use purser_store::{Access, FamilyTx, Tx};

use super::address::FeedTemplate;
use super::client::{Failure, Fetcher};
use crate::App;
use crate::blocking::blocking;
use crate::limits::{
    FEED_FAILURES_MAX, FEED_REST, FEED_REST_AFTER_ERROR, FEED_SYMBOL_PAUSE, FEED_SYMBOLS_MAX,
};

/// How a look goes.
#[derive(Default)]
struct Course {
    /// Failures of the feed itself since it last answered.
    failures: u32,
}

impl Course {
    fn is_over(&self) -> bool {
        self.failures >= FEED_FAILURES_MAX
    }
}

/// Asks for what is due.
pub(super) async fn look(app: &App, client: &Fetcher, template: &FeedTemplate) {
    let due = |tx: &mut Tx<'_>| stored::families_due(tx, FEED_REST, FEED_REST_AFTER_ERROR);
    let families = match app.store.read_every_family(due).await {
        Ok(families) => families,
        Err(error) => {
            tracing::warn!(cause = ?error, "the feed of prices waits for the database");
            return;
        }
    };
    let mut course = Course::default();
    for access in families {
        if let Err(error) = look_for(app, client, template, access, &mut course).await {
            tracing::error!(cause = ?error, "prices of the feed can't be stored");
        }
        if course.is_over() {
            tracing::warn!("the feed of prices is in trouble and is asked again later");
            return;
        }
    }
}

/// Asks for what is due of a family.
async fn look_for(
    app: &App,
    client: &Fetcher,
    template: &FeedTemplate,
    access: Access,
    course: &mut Course,
) -> Result<()> {
    for _ in 0..FEED_SYMBOLS_MAX {
        let next =
            move |tx: &mut FamilyTx<'_>| stored::next_due(tx, FEED_REST, FEED_REST_AFTER_ERROR);
        // Most looks find nothing, and nobody has to wait for those.
        if app.store.read(access.clone(), next).await?.is_none() {
            return Ok(());
        }
        let take = move |tx: &mut FamilyTx<'_>| {
            let due = stored::next_due(tx, FEED_REST, FEED_REST_AFTER_ERROR)?;
            due.map(|due| stored::note_asking(tx, due.security).map(|()| due)).transpose()
        };
        let Some(due) = app.store.write(access.clone(), take).await? else { return Ok(()) };
        let asked = ask(client, template, &due).await;
        match &asked {
            Err(Failure::Passing(_)) => course.failures += 1,
            Ok(_) | Err(Failure::Lasting(_)) => course.failures = 0,
        }
        let asked = asked.map_err(Failure::into_reason);
        let take_over = move |tx: &mut FamilyTx<'_>| match &asked {
            Ok(prices) => stored::take_over(tx, &due, prices).map(drop),
            Err(sentence) => stored::note(tx, due.security, Some(sentence)),
        };
        app.store.write(access.clone(), take_over).await?;
        if course.is_over() {
            return Ok(());
        }
        tokio::time::sleep(FEED_SYMBOL_PAUSE).await;
    }
    Ok(())
}

/// Fetches the prices of a security from the feed.
async fn ask(
    client: &Fetcher,
    template: &FeedTemplate,
    due: &Due,
) -> std::result::Result<Vec<FeedPrice>, Failure> {
    let unfit = || Failure::Lasting("The symbol doesn't fit into the address.".to_owned());
    let url = template.url(&due.symbol).ok_or_else(unfit)?;
    let body = client.fetch(&url).await?;
    let read = blocking(move || Ok(read_answer(&body))).await;
    let lines = read.map_err(|error| {
        tracing::error!(cause = ?error, "an answer of the feed of prices can't be read");
        Failure::Lasting("The answer could not be read.".to_owned())
    })?;
    let lines = lines.map_err(|error| Failure::Lasting(error.unquoted()))?;
    let price = |line: PriceLine| {
        let PriceLine { date, currency, price, .. } = line;
        FeedPrice { date, currency, price }
    };
    Ok(lines.into_iter().map(price).collect())
}
