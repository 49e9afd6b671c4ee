//! The first start: one family, made once, by whoever comes first.

use super::Visitor;
use super::visitor::PASSWORD;
use crate::both;
use crate::support::{Answer, Options, Server};

const FIELDS: [(&str, &str); 7] = [
    ("family", "The Smiths"),
    ("currency", "EUR"),
    ("time_zone", "europe/berlin"),
    ("name", "Ann"),
    ("email", "Ann@Example.org"),
    ("password", "long enough"),
    ("password_again", "long enough"),
];

/// Families that one network may ask for in ten minutes.
const TRIES: usize = 10;

fn with(changes: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let changed = |name: &str| changes.iter().find(|(known, _)| *known == name);
    FIELDS
        .iter()
        .map(|(name, value)| (*name, changed(name).map_or(*value, |(_, value)| value).to_owned()))
        .collect()
}

#[track_caller]
fn sign_up(visitor: &Visitor, changes: &[(&str, &str)]) -> Answer {
    let fields = with(changes);
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
    visitor.post("/welcome", &fields)
}

fn families(server: &Server) -> usize {
    let listed = server.run_json(&["user", "list"], "");
    listed["users"].as_array().unwrap().len()
}

both! {
    fn an_empty_server_leads_to_its_first_family(server) {
        let ann = server.visitor();
        ann.get("/").expect_redirect("/welcome");
        ann.get("/sign-in").expect_redirect("/welcome");
        ann.get("/accounts").expect_redirect("/sign-in?next=%2Faccounts");
        ann.get("/welcome").expect_page(200, "Nobody lives here yet");
        sign_up(&ann, &[]).expect_redirect("/accounts");
        ann.get("/").expect_redirect("/accounts");
        ann.get("/accounts").expect_page(200, "Welcome, Ann");
        ann.get("/welcome").expect_redirect("/accounts");
        let users = server.run_json(&["user", "list"], "");
        let (user, family) = (&users["users"][0], &users["users"][0]["family"]);
        assert_eq!(user["email"], "ann@example.org");
        assert_eq!(user["role"], "admin");
        assert_eq!(family["name"], "The Smiths");
        ann.get("/settings").expect_page(200, "value=\"Europe/Berlin\"");
        let bob = server.visitor();
        bob.get("/").expect_redirect("/sign-in");
        bob.get("/welcome").expect_redirect("/sign-in");
        bob.get("/sign-in").expect_status(200);
        let page = sign_up(&bob, &[("email", "bob@example.org")]);
        page.expect_page(422, "Somebody has set this server up already");
        assert_eq!(families(&server), 1);
    }

    fn problems_stand_at_their_fields_and_what_was_typed_stays(server) {
        let ann = server.visitor();
        ann.get("/welcome").expect_status(200);
        let wrong = [
            ("family", ""),
            ("currency", "XYZ"),
            ("time_zone", "Mars"),
            ("name", " "),
            ("email", "nobody"),
            ("password", "short"),
            ("password_again", "shirt"),
        ];
        let page = sign_up(&ann, &wrong).expect_page(422, "The email must be an e-mail address");
        for (name, _) in wrong {
            let (found, text) = (format!("id=\"{name}-problem\""), page.text());
            assert!(text.contains(&found), "{name}: {text}");
        }
        assert_eq!(page.field("email").as_deref(), Some("nobody"));
        assert_eq!(page.field("password").as_deref(), Some(""), "a password is not sent back");
        assert!(!page.text().contains("shirt"));
        assert_eq!(families(&server), 0);
        sign_up(&ann, &[]).expect_redirect("/accounts");
    }

    fn of_many_at_once_one_makes_the_family(server) {
        let outcomes: Vec<u16> = std::thread::scope(|scope| {
            let come = |number: usize| {
                let server = &server;
                scope.spawn(move || {
                    let visitor = server.visitor();
                    visitor.get("/welcome").expect_status(200);
                    sign_up(&visitor, &[("email", &format!("u{number}@example.org"))]).status
                })
            };
            let threads: Vec<_> = (0..4).map(come).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let made = outcomes.iter().filter(|status| **status == 303).count();
        assert_eq!(made, 1, "{outcomes:?}");
        assert_eq!(families(&server), 1);
    }

    fn an_open_server_takes_everybody(server = Options::new().env("PURSER_SIGNUP", "open")) {
        let family = server.family();
        let ann = server.visitor();
        ann.get("/sign-in").expect_page(200, "/welcome");
        ann.get("/welcome").expect_page(200, "A new family");
        sign_up(&ann, &[("email", &family.email)])
            .expect_page(422, "There is already a user with this e-mail address");
        sign_up(&ann, &[]).expect_redirect("/accounts");
        assert_eq!(families(&server), 2);
    }

    fn an_open_server_takes_a_few_families_of_each_network(
        server = Options::new()
            .env("PURSER_SIGNUP", "open")
            .env("PURSER_TRUSTED_PROXIES", "127.0.0.0/8")
    ) {
        let family = server.family();
        let from = |address| server.visitor().with_header("X-Forwarded-For", address);
        let ann = from("192.0.2.1");
        ann.get("/welcome").expect_status(200);
        // A form that can't become a family costs no attempt and reveals nothing.
        for _ in 0..TRIES + 1 {
            sign_up(&ann, &[("password", "short")]).expect_page(422, "at least 8 characters");
        }
        for _ in 0..TRIES {
            sign_up(&ann, &[("email", &family.email)]).expect_page(422, "already a user");
        }
        for email in [&*family.email, "new@example.org"] {
            let page = sign_up(&ann, &[("email", email)]).expect_page(429, "too many tries");
            assert!(!page.text().contains("already a user"), "{}", page.text());
            let wait: u64 = page.header("Retry-After").unwrap().parse().unwrap();
            assert!((1..=600).contains(&wait), "{wait}");
        }
        assert_eq!(families(&server), 1);
        let bob = from("192.0.2.2");
        bob.get("/welcome").expect_status(200);
        sign_up(&bob, &[]).expect_redirect("/accounts");
        // Who has an account there still gets in.
        let ann = from("192.0.2.1");
        ann.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
    }

    fn a_closed_server_takes_nobody(server = Options::new().env("PURSER_SIGNUP", "closed")) {
        let ann = server.visitor();
        ann.get("/welcome").expect_page(403, "Signing up is closed");
        ann.get("/sign-in").expect_status(200);
        sign_up(&ann, &[]).expect_page(403, "Signing up is closed");
        assert_eq!(families(&server), 0);
    }
}
