//! Guessing passwords is slow.

use super::visitor::PASSWORD;
use crate::both;
use crate::support::Options;

const TRIES_PER_NAME: usize = 10;

both! {
    fn a_name_has_a_few_tries_whether_it_exists_or_not(server) {
        let family = server.family();
        for email in [&*family.email, "nobody@example.com"] {
            let visitor = server.visitor();
            for _ in 0..TRIES_PER_NAME {
                visitor.sign_in(email, "wrong password").expect_status(422);
            }
            let page = visitor.sign_in(&email.to_uppercase(), PASSWORD);
            let page = page.expect_page(429, "too many tries");
            let wait: u64 = page.header("Retry-After").unwrap().parse().unwrap();
            assert!((1..=600).contains(&wait), "{wait}");
            assert_eq!(visitor.cookie("purser_session"), None);
        }
        let other = server.family();
        server.visitor().sign_in(&other.email, PASSWORD).expect_redirect("/accounts");
    }

    fn nobody_outside_locks_anybody_out(
        server = Options::new().env("PURSER_TRUSTED_PROXIES", "127.0.0.0/8")
    ) {
        let family = server.family();
        let from = |address| server.visitor().with_header("X-Forwarded-For", address);
        let here = from("192.0.2.1");
        here.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        here.get("/settings/profile").expect_status(200);
        for outside in ["198.51.100.1", "198.51.100.2", "198.51.100.3"] {
            let outside = from(outside);
            for _ in 0..TRIES_PER_NAME {
                outside.sign_in(&family.email, "wrong password").expect_status(422);
            }
            outside.sign_in(&family.email, PASSWORD).expect_page(429, "too many tries");
        }
        // Neither from elsewhere nor in an open browser.
        from("192.0.2.2").sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        let change = |present: &str| {
            let fields = [
                ("present_password", present),
                ("new_password", "long enough"),
                ("new_password_again", "long enough"),
            ];
            here.post("/settings/password", &fields)
        };
        for _ in 0..TRIES_PER_NAME - 1 {
            change("wrong").expect_page(422, "not your present password");
        }
        change(PASSWORD).expect_status(303);
        here.get("/settings/profile").expect_status(200);
        for _ in 0..TRIES_PER_NAME {
            change("wrong").expect_page(422, "not your present password");
        }
        change("long enough").expect_page(422, "too many tries");
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

    fn many_tries_at_once_are_counted_exactly(server) {
        let family = server.family();
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let guess = |_| {
                let (server, email) = (&server, &family.email);
                scope.spawn(move || server.visitor().sign_in(email, "wrong password").status)
            };
            let threads: Vec<_> = (0..TRIES_PER_NAME + 4).map(guess).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let looked_at = statuses.iter().filter(|status| **status == 422).count();
        assert_eq!(looked_at, TRIES_PER_NAME, "{statuses:?}");
    }
}
