//! A feed of rates that answers, that answers something else, and that can't be reached.

use std::net::TcpListener;

use super::conversions::spend;
use super::feed_server::FeedServer;
use super::{PATH, found, listed, stated};
use crate::both;
use crate::support::{Options, Server, sql, until};

const DAILY: &str = "<Envelope><Cube><Cube time='2026-01-05'>\
    <Cube currency='USD' rate='1.25'/><Cube currency='GBP' rate='0.8'/>\
    </Cube></Cube></Envelope>";

/// What is noted of the feed, once it was asked.
fn status(server: &Server) -> (bool, String) {
    until("the feed to be asked", || {
        let rows = sql::query(
            server,
            "SELECT CASE WHEN succeeded_at IS NULL THEN 'no' ELSE 'yes' END, COALESCE(error, '')
             FROM feeds WHERE name = 'rates'",
        );
        let row = rows.first()?;
        (!row[1].contains("not answered yet")).then(|| (row[0] == "yes", row[1].clone()))
    })
}

fn feed(answer: impl Fn(&str) -> (u16, String) + Send + 'static) -> (FeedServer, Options) {
    let feed = FeedServer::start(answer);
    let url = format!("http://{}/daily?key=canary", feed.address());
    (feed, Options::new().env("PURSER_RATES_URL", url))
}

both! {
    fn the_feed_is_asked_and_converts_what_waits(
        server = feed(|path| match path {
            "/daily?key=canary" => (302, "/elsewhere.xml".to_owned()),
            _ => (200, DAILY.to_owned()),
        }).1
    ) {
        assert_eq!(status(&server), (true, String::new()));
        let family = server.family();
        let (rate, legs) = found(&family.api, "GBP", "USD", "2026-01-10");
        assert_eq!(rate.as_deref(), Some("1.5625"));
        assert_eq!(legs, ["1/EUR/GBP 2026-01-05 feed", "EUR/USD 2026-01-05 feed"]);
        assert_eq!(listed(&family.api, "").len(), 0, "the family stated none");
        family.api.post(PATH, &stated("EUR", "USD", "2026-01-05", "1.3")).expect_status(201);
        assert_eq!(found(&family.api, "EUR", "USD", "2026-01-05").1, ["EUR/USD 2026-01-05 manual"]);
        assert_eq!(found(&server.family().api, "EUR", "USD", "2026-01-05").0.unwrap(), "1.25");
        assert!(!server.log().contains("canary"), "addresses may hold a key");
    }

    fn rates_of_the_feed_convert_amounts_that_are_there(server) {
        let family = server.family();
        let account = family.account("Everyday", "depository");
        spend(&family, &account, "2026-01-05", 100, "EUR");
        assert!(server.stop().success());
        let (_feed, options) = feed(|_| (200, DAILY.to_owned()));
        server.start_again_with(options.env("PURSER_RATE_LIMIT", "0"));
        assert_eq!(status(&server), (true, String::new()));
        until("the amount to be converted", || {
            let body = family.api.get("/api/v1/accounts").expect_status(200).json();
            (body["accounts"][0]["balance_decimal"] == "-125.00").then_some(())
        });
    }

    fn a_feed_with_another_answer_changes_nothing(
        server = feed(|_| (200, "<html>Sign in</html>".to_owned())).1
    ) {
        assert_eq!(status(&server), (false, "The file has no rates".to_owned()));
        let family = server.family();
        assert_eq!(found(&family.api, "EUR", "USD", "2026-01-05").0, None);
    }

    fn a_redirect_to_another_kind_of_address_is_not_followed(
        server = feed(|_| (302, "file:///etc/passwd".to_owned())).1
    ) {
        assert_eq!(status(&server), (false, "The feed answered with status 302.".to_owned()));
    }

    fn a_redirect_to_another_host_is_not_followed(
        server = {
            let other = FeedServer::start(|_| (200, DAILY.to_owned()));
            let target = format!("http://{}/daily", other.address());
            feed(move |_| (302, target.clone())).1
        }
    ) {
        let sentence = "The feed redirects to where it must not.";
        assert_eq!(status(&server), (false, sentence.to_owned()));
    }

    fn nothing_of_an_answer_is_shown(
        server = feed(|_| (200, "date,base,quote,rate\ncanary,EUR,USD,1\n".to_owned())).1
    ) {
        assert_eq!(status(&server), (false, "Line 2 can't be read".to_owned()));
        let shown = server.family().api.get("/api/v1/feeds").expect_status(200).json();
        assert_eq!(shown["exchange_rates"]["error"], "Line 2 can't be read");
        assert!(!server.log().contains("canary"));
    }

    fn redirects_come_to_an_end(server = feed(|path| (302, path.to_owned())).1) {
        let sentence = "The feed redirects to where it must not.";
        assert_eq!(status(&server), (false, sentence.to_owned()));
    }

    fn a_feed_that_cannot_be_reached_harms_nothing(
        server = {
            // A port that was free a moment ago.
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            Options::new().env("PURSER_RATES_URL", format!("http://{address}/"))
        }
    ) {
        let family = server.family();
        family.api.post(PATH, &stated("EUR", "USD", "2026-01-05", "1.3")).expect_status(201);
        assert_eq!(status(&server), (false, "The feed can't be reached.".to_owned()));
    }
}

#[test]
fn what_failed_may_pass_and_is_asked_again() {
    let failures = std::sync::atomic::AtomicU32::new(1);
    let (feed, options) = feed(move |_| {
        let is_bad = failures.fetch_update(
            std::sync::atomic::Ordering::SeqCst,
            std::sync::atomic::Ordering::SeqCst,
            |left| left.checked_sub(1),
        );
        if is_bad.is_ok() { (503, "Later".to_owned()) } else { (200, DAILY.to_owned()) }
    });
    let server = Server::start_with(crate::support::Backend::Sqlite, options);
    assert_eq!(status(&server), (true, String::new()));
    assert_eq!(feed.asked(), 2);
}
