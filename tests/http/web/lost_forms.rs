//! A form that comes too late loses nothing that its sender doesn't hear of, and leads back to its
//! page.

use super::Visitor;
use super::visitor::PASSWORD;
use crate::both;
use crate::support::{Answer, Server, Sql};

/// Sends a form as from a page of a server's address.
fn from_page(server: &Server, visitor: &Visitor, page: &str, path: &str) -> Answer {
    let page = format!("http://{}{page}", server.address());
    visitor.copy().with_header("Referer", &page).post(path, &[("name", "Savings")])
}

both! {
    fn after_the_session_ended_the_way_leads_back_to_the_form(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        Sql::open(&server).run("UPDATE sessions SET expires_at = 1");
        let answer = from_page(&server, &visitor, "/accounts/new?a=b", "/accounts");
        let target = "/sign-in?next=%2Faccounts%2Fnew%3Fa%3Db&done=session-ended";
        let answer = answer.expect_redirect(target);
        let page = visitor.get(answer.header("Location").unwrap());
        let page = page.expect_page(200, "so nothing was saved");
        let next = page.field("next").unwrap();
        let fields = [("email", &*family.email), ("password", PASSWORD), ("next", &next)];
        visitor.post("/sign-in", &fields).expect_redirect("/accounts/new?a=b");
    }

    fn no_other_site_chooses_the_next_page(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        Sql::open(&server).run("UPDATE sessions SET expires_at = 1");
        for referer in ["https://evil.example/accounts", "http://evil.example", "nonsense"] {
            let visitor = visitor.copy().with_header("Referer", referer);
            visitor.post("/accounts", &[]).expect_redirect("/sign-in?done=session-ended");
        }
        visitor.post("/accounts", &[]).expect_redirect("/sign-in?done=session-ended");
        // A person who wanted to sign out learns that they are signed out.
        from_page(&server, &visitor, "/accounts", "/sign-out")
            .expect_redirect("/sign-in?done=signed-out");
    }

    fn a_form_of_an_older_session_leads_to_the_page_as_it_is_now(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let page = format!("http://{}/accounts/new", server.address());
        let old = visitor.copy().with_header("Referer", &page);
        let answer = old.post_without_token("/accounts", &[("form_token", "of yesterday")]);
        let answer = answer.expect_page(403, "This form is out of date");
        assert_eq!(answer.link("/accounts/new"), "/accounts/new");
        assert!(!answer.text().contains("reload"), "{}", answer.text());
        let foreign = visitor.copy().with_header("Referer", "https://evil.example/accounts/new");
        let answer = foreign.post_without_token("/accounts", &[]);
        let answer = answer.expect_page(403, "This form is out of date");
        assert!(!answer.text().contains("/accounts/new"), "{}", answer.text());
    }
}
