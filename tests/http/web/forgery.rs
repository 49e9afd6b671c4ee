//! Writes that another site sends, or that nobody's form sent, are refused and change nothing.

use super::visitor::PASSWORD;
use crate::both;

const FORMS: [&str; 18] = [
    "/accounts",
    "/accounts/0190f5f0-7c00-7a10-8000-00000000000a/edit",
    "/accounts/0190f5f0-7c00-7a10-8000-00000000000a/balance",
    "/accounts/0190f5f0-7c00-7a10-8000-00000000000a/delete",
    "/connections/new",
    "/connections/0190f5f0-7c00-7a10-8000-00000000000a/accounts",
    "/connections/0190f5f0-7c00-7a10-8000-00000000000a/edit",
    "/connections/0190f5f0-7c00-7a10-8000-00000000000a/key",
    "/connections/0190f5f0-7c00-7a10-8000-00000000000a/sync",
    "/connections/0190f5f0-7c00-7a10-8000-00000000000a/delete",
    "/settings",
    "/settings/profile",
    "/settings/password",
    "/settings/keys",
    "/sign-out",
    "/transactions/0190f5f0-7c00-7a10-8000-00000000000a",
    "/transactions/0190f5f0-7c00-7a10-8000-00000000000a/delete",
    "/settings/keys/0190f5f0-7c00-7a10-8000-00000000000a/revoke",
];

both! {
    fn no_form_works_without_its_token(server) {
        let family = server.family();
        let other = server.signed_in(&server.family());
        let visitor = server.signed_in(&family);
        for path in FORMS {
            let token = other.token();
            for fields in [&[][..], &[("form_token", "")], &[("form_token", token.as_str())]] {
                visitor.post_without_token(path, fields).expect_page(403, "This form is out of date");
            }
        }
        visitor.get("/accounts").expect_status(200);
        visitor.post("/accounts", &[("name", "A"), ("account_type", "loan")]).expect_status(303);
    }

    fn nothing_from_another_site_is_executed(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let host = format!("http://{}", server.address());
        for (name, value) in [
            ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
            ("Origin", "https://evil.example"),
            ("Origin", "null"),
        ] {
            let visitor = visitor.copy().with_header(name, value);
            for path in FORMS {
                visitor.post(path, &[]).expect_page(403, "came from another site");
            }
            visitor.get("/accounts").expect_page(200, "There is nothing here yet");
            let fresh = server.visitor().with_header(name, value);
            fresh.sign_in(&family.email, PASSWORD).expect_page(403, "came from another site");
        }
        let own = visitor.copy().with_header("Origin", &host);
        own.post("/accounts", &[("name", "A"), ("account_type", "loan")]).expect_status(303);
        let own = visitor.copy().with_header("Sec-Fetch-Site", "same-origin");
        own.post("/accounts", &[("name", "B"), ("account_type", "loan")]).expect_status(303);
    }

    fn nobody_is_signed_in_by_somebody_elses_form(server) {
        let family = server.family();
        let stranger = server.visitor();
        stranger.get("/sign-in").expect_status(200);
        let fields = [("email", &*family.email), ("password", PASSWORD)];
        let victim = server.visitor();
        victim.post_without_token("/sign-in", &fields).expect_page(403, "This form is out of date");
        let token = stranger.token();
        let with_token = [fields[0], fields[1], ("form_token", &token)];
        victim.post_without_token("/sign-in", &with_token).expect_page(403, "This form is out of date");
        assert_eq!(victim.cookie("purser_session"), None);
    }

    fn a_form_of_another_kind_or_size_is_refused(server) {
        let visitor = server.signed_in(&server.family());
        let long = "x".repeat(300 * 1024);
        visitor.post("/accounts", &[("name", &long)]).expect_page(413, "larger than");
        visitor.get("/settings/keys").expect_status(200);
        let client = server.client().with_header("Accept", "text/html");
        let cookie = format!("purser_session={}", visitor.cookie("purser_session").unwrap());
        let client = client.with_header("Cookie", &cookie);
        let answer = client.request("POST", "/accounts", Some(("application/json", b"{}")));
        answer.expect_page(415, "must be a form");
        let answer = client.request("DELETE", "/accounts", None);
        answer.expect_page(405, "be opened directly");
    }
}
