//! Guessing passwords is slow.

use super::visitor::PASSWORD;
use crate::both;
use crate::support::{Answer, Options, until};

/// Wrong tries before the first wait.
const TRIES_AT_ONCE: usize = 5;
/// Tries under one name from everywhere where nobody has signed in under it.
const TRIES_OF_STRANGERS: usize = 20;
/// Tries at the present password in all sessions.
const TRIES_OF_SESSIONS: usize = 10;

both! {
    fn a_name_has_a_few_tries_whether_it_exists_or_not(server) {
        let family = server.family();
        for email in [&*family.email, "nobody@example.com"] {
            let visitor = server.visitor();
            let page = first_refused(|| visitor.sign_in(&email.to_uppercase(), "wrong password"));
            let wait: u64 = page.header("Retry-After").unwrap().parse().unwrap();
            assert!((1..=32).contains(&wait), "{wait}");
            page.expect_page(429, "too many tries");
            assert_eq!(visitor.cookie("purser_session"), None);
        }
        let other = server.family();
        server.visitor().sign_in(&other.email, PASSWORD).expect_redirect("/accounts");
        // A delay, not a lock: it ends.
        let visitor = server.visitor();
        until("the end of the wait", || {
            (visitor.sign_in(&family.email, PASSWORD).status == 303).then_some(())
        });
    }

    fn nobody_outside_locks_anybody_out(
        server = Options::new().env("PURSER_TRUSTED_PROXIES", "127.0.0.0/8")
    ) {
        let family = server.family();
        let from = |address: &str| server.visitor().with_header("X-Forwarded-For", address);
        let here = from("192.0.2.1");
        here.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        here.get("/settings/profile").expect_status(200);
        let browser = here.cookie("purser_browser").expect("a token");
        // From one network after the other, until the name has no guesses left for strangers.
        let mut statuses = Vec::new();
        for network in 0..10 {
            let outside = from(&format!("198.51.100.{network}"));
            for _ in 0..TRIES_AT_ONCE {
                statuses.push(outside.sign_in(&family.email, "wrong password").status);
            }
        }
        let guesses = statuses.iter().filter(|status| **status == 422).count();
        assert_eq!(guesses, TRIES_OF_STRANGERS, "{statuses:?}");
        let stranger = from("203.0.113.1").sign_in(&family.email, PASSWORD);
        let wait: u64 = stranger.header("Retry-After").unwrap().parse().unwrap();
        assert!(stranger.status == 429 && (1..=180).contains(&wait), "{wait}");
        // From the network where she signed in before, and in her browser wherever it is.
        from("192.0.2.1").sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        let elsewhere = from("203.0.113.2");
        elsewhere.set_cookie("purser_browser", &browser);
        elsewhere.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        // Her browser is nothing to somebody with another name.
        let other = from("203.0.113.3");
        other.set_cookie("purser_browser", &browser);
        other.sign_in("nobody@example.com", "wrong password").expect_status(422);
    }

    fn an_open_browser_has_a_few_tries_at_the_present_password(server) {
        let family = server.family();
        let here = server.signed_in(&family);
        let change = |present: &str| {
            let fields = [
                ("present_password", present),
                ("new_password", "long enough"),
                ("new_password_again", "long enough"),
            ];
            here.post("/settings/password", &fields)
        };
        for _ in 0..TRIES_AT_ONCE - 1 {
            change("wrong").expect_page(422, "not your present password");
        }
        change(PASSWORD).expect_status(303);
        here.get("/settings/profile").expect_status(200);
        first_refused(|| change("wrong"));
    }

    fn tries_at_the_present_password_are_counted_for_all_sessions_and_nodes(server) {
        let family = server.family();
        let mut guesses = 0;
        let is_refused = |status: &Answer| status.text().contains("too many tries");
        for _ in 0..=TRIES_OF_SESSIONS / TRIES_AT_ONCE {
            let here = server.signed_in(&family);
            let fields = [
                ("present_password", "wrong"),
                ("new_password", "long enough"),
                ("new_password_again", "long enough"),
            ];
            for _ in 0..TRIES_AT_ONCE {
                let answer = here.post("/settings/password", &fields);
                guesses += usize::from(!is_refused(&answer.expect_status(422)));
            }
            // Another node, or the same after a restart, remembers none of its own.
            server.stop();
            server.start_again();
        }
        assert_eq!(guesses, TRIES_OF_SESSIONS);
    }

    /// What a program that bans addresses looks for.
    fn refused_tries_are_logged_with_address_and_account(
        server = Options::new().env("PURSER_TRUSTED_PROXIES", "127.0.0.0/8")
    ) {
        server.family();
        let visitor = server.visitor().with_header("X-Forwarded-For", "203.0.113.9");
        visitor.sign_in("ann@example.org\u{1b}[2J", "hunter2 hunter2").expect_status(422);
        let line = until("the line", || {
            let log = server.log();
            log.lines().find(|line| line.contains("sign-in refused")).map(str::to_owned)
        });
        let fields = "sign-in refused address=203.0.113.9 account=\"ann@example.org\\u{1b}[2J\"";
        assert!(line.contains(fields) && line.contains("WARN"), "{line}");
        assert!(!server.log().contains("hunter2"));
    }

    fn a_proxy_that_is_not_trusted_is_reported(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        assert!(!visitor.get("/settings").text().contains("PURSER_TRUSTED_PROXIES"));
        for _ in 0..2 {
            server.client().with_header("X-Forwarded-For", "203.0.113.9").get("/healthz");
        }
        visitor.get("/settings").expect_page(200, "proxy’s header from 127.0.0.1");
        until("the warning", || {
            let log = server.log();
            (log.matches("comes from an address that is not trusted").count() == 1).then_some(())
        });
    }

    fn names_that_nobody_can_have_cost_nothing(server) {
        let family = server.family();
        let visitor = server.visitor();
        visitor.get("/sign-in").expect_status(200);
        let long = format!("{}@example.com", "x".repeat(200 * 1024));
        // More than this network's tries: they are not counted, for nothing is looked up.
        for _ in 0..40 {
            let fields = [("email", &*long), ("password", PASSWORD)];
            visitor.post("/sign-in", &fields).expect_page(422, "belong together");
        }
        visitor.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
    }

    fn many_tries_at_once_are_counted_exactly(
        server = Options::new().env("PURSER_TRUSTED_PROXIES", "127.0.0.0/8")
    ) {
        let family = server.family();
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let guess = |number: usize| {
                let (server, email) = (&server, &family.email);
                let address = format!("198.51.100.{number}");
                let visitor = move || server.visitor().with_header("X-Forwarded-For", &address);
                scope.spawn(move || visitor().sign_in(email, "wrong password").status)
            };
            let threads: Vec<_> = (0..TRIES_OF_STRANGERS + 10).map(guess).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let looked_at = statuses.iter().filter(|status| **status == 422).count();
        assert_eq!(looked_at, TRIES_OF_STRANGERS, "{statuses:?}");
    }

    fn common_passwords_are_refused(server) {
        let visitor = server.signed_in(&server.family());
        let fields = [
            ("present_password", PASSWORD),
            ("new_password", "Summer2024!"),
            ("new_password_again", "Summer2024!"),
        ];
        visitor.post("/settings/password", &fields).expect_page(422, "must not be a common one");
    }
}

/// The first answer to a wrong try that has to wait. However slow the machine is, the wait soon is
/// longer than a try.
fn first_refused(attempt: impl Fn() -> Answer) -> Answer {
    for number in 0.. {
        let answer = attempt();
        if answer.text().contains("too many tries") {
            assert!(number >= TRIES_AT_ONCE, "the first {number} cost no time");
            return answer;
        }
        assert!(answer.status == 422 && number < 2 * TRIES_AT_ONCE, "{}", answer.status);
    }
    unreachable!()
}
