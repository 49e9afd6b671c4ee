//! Signing in and out, and what ends a session.

use super::visitor::PASSWORD;
use crate::both;
use crate::support::sql::value;
use crate::support::{Options, Sql};

both! {
    fn whoever_signs_in_comes_back_to_where_they_wanted_to_go(server) {
        let family = server.family();
        let visitor = server.visitor();
        let page = visitor.get("/transactions?q=a%26b");
        let page = page.expect_redirect("/sign-in?next=%2Ftransactions%3Fq%3Da%2526b");
        let sign_in = page.header("Location").unwrap().to_owned();
        let next = visitor.get(&sign_in).expect_status(200).field("next").unwrap();
        let fields = [("email", &*family.email), ("password", PASSWORD), ("next", &next)];
        visitor.post("/sign-in", &fields).expect_redirect("/transactions?q=a%26b");
        for hostile in ["//evil.example", "https://evil.example/", "/\\evil.example", "/sign-out"] {
            let fields = [("email", &*family.email), ("password", PASSWORD), ("next", hostile)];
            let visitor = server.visitor();
            visitor.get("/sign-in").expect_status(200);
            visitor.post("/sign-in", &fields).expect_redirect("/accounts");
        }
    }

    fn wrong_names_and_wrong_passwords_look_alike(server) {
        let family = server.family();
        let gone = server.family();
        server.run_json(&["user", "deactivate", &gone.email, "--force"], "");
        let answers = [
            (&*family.email, "wrong password"),
            ("nobody@example.com", PASSWORD),
            (&gone.email, PASSWORD),
            (&family.email, ""),
        ]
        .map(|(email, password)| {
            let visitor = server.visitor();
            let page = visitor.sign_in(email, password).expect_page(422, "belong together");
            assert_eq!(visitor.cookie("purser_session"), None);
            page.text().replace(&visitor.token(), "").replace(email, "")
        });
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    }

    fn a_session_ends_with_sign_out_everywhere(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let copied = visitor.copy();
        copied.get("/accounts").expect_status(200);
        visitor.post("/sign-out", &[]).expect_redirect("/sign-in?done=signed-out");
        assert_eq!(visitor.cookie("purser_session"), None);
        copied.get("/accounts").expect_redirect("/sign-in?next=%2Faccounts");
        visitor.get("/sign-in?done=signed-out").expect_page(200, "You are signed out");
    }

    fn signing_in_again_ends_the_session_that_the_browser_had(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let copied = visitor.copy();
        let sent = visitor.token();
        copied.get("/accounts").expect_status(200);
        // Another window that still shows the form.
        let window = server.visitor();
        window.get("/sign-in").expect_status(200);
        window.set_cookie("purser_session", &visitor.cookie("purser_session").unwrap());
        let fields = [("email", &*family.email), ("password", PASSWORD)];
        window.post("/sign-in", &fields).expect_redirect("/accounts");
        copied.get("/accounts").expect_redirect("/sign-in?next=%2Faccounts");
        assert_ne!(window.get("/accounts").expect_status(200).field("form_token"), Some(sent));
    }

    fn only_a_hash_of_the_token_is_stored_and_the_cookie_is_guarded(server) {
        let family = server.family();
        let visitor = server.visitor();
        let answer = visitor.sign_in(&family.email, PASSWORD);
        let cookie = answer.header("Set-Cookie").unwrap();
        assert!(cookie.starts_with("purser_session="), "{cookie}");
        for part in ["; Path=/", "; HttpOnly", "; SameSite=Lax"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
        assert!(!server.log().contains(&visitor.cookie("purser_session").unwrap()));
    }

    fn over_https_the_cookie_is_bound_to_the_host(
        server = Options::new().env("PURSER_TRUSTED_PROXIES", "127.0.0.0/8")
    ) {
        let family = server.family();
        let visitor = server.visitor().with_header("X-Forwarded-Proto", "https");
        let answer = visitor.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        let cookie = answer.header("Set-Cookie").unwrap();
        assert!(cookie.starts_with("__Host-purser_session="), "{cookie}");
        assert!(cookie.contains("; Secure"), "{cookie}");
        visitor.get("/accounts").expect_status(200);
        let plain = server.visitor().with_header("X-Forwarded-Proto", "http");
        plain.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        assert!(plain.cookie("purser_session").is_some());
    }

    fn a_session_ends_when_nobody_has_used_it(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let sql = Sql::open(&server);
        sql.run("UPDATE sessions SET expires_at = 1");
        visitor.get("/accounts").expect_redirect("/sign-in?next=%2Faccounts");
    }

    fn a_use_moves_the_end_at_most_once_a_minute(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let sql = Sql::open(&server);
        let ends = || value(&server, "SELECT expires_at FROM sessions").parse::<i64>().unwrap();
        let first = ends();
        visitor.get("/accounts").expect_status(200);
        assert_eq!(ends(), first, "used less than a minute ago");
        sql.run("UPDATE sessions SET last_used_at = last_used_at - 61000000");
        visitor.get("/accounts").expect_status(200);
        crate::support::until("the end to move", || (ends() > first).then_some(()));
    }

    fn a_new_password_or_deactivation_ends_every_session(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        server.run_json(&["user", "password", &family.email, "--password-stdin"], "another one\n");
        visitor.get("/accounts").expect_status(303);
        visitor.sign_in(&family.email, PASSWORD).expect_status(422);
        visitor.sign_in(&family.email, "another one").expect_redirect("/accounts");
        visitor.get("/accounts").expect_status(200);
        server.run_json(&["user", "deactivate", &family.email, "--force"], "");
        visitor.get("/accounts").expect_status(303);
        assert_eq!(value(&server, "SELECT COUNT(*) FROM sessions"), "0");
    }

    fn made_up_and_doubled_cookies_are_nobody(server) {
        server.family();
        for cookie in ["purser_session=", "purser_session=x", "purser_session=\"\"", "=;;,"] {
            let visitor = server.visitor().with_header("Cookie", cookie);
            visitor.get("/accounts").expect_redirect("/sign-in?next=%2Faccounts");
        }
        let zeros = format!("purser_session={}", "0".repeat(64));
        server.visitor().with_header("Cookie", &zeros).get("/accounts").expect_status(303);
    }
}
