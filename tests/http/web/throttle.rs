//! Guessing passwords is slow.

use super::visitor::PASSWORD;
use crate::both;

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
