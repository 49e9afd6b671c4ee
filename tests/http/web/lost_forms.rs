//! A form that comes too late loses nothing that its sender doesn't hear of, and leads back to its
//! page.

use serde_json::json;

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

    fn what_was_typed_comes_back_to_its_owner(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        visitor.get("/accounts/new").expect_status(200);
        let page = format!("http://{}/accounts/new", server.address());
        let visitor = visitor.with_header("Referer", &page);
        end_sessions(&server);
        let typed = [("name", "Caf\u{e9} <till>"), ("opening_balance", "12.5"), ("password", "no")];
        visitor.post("/accounts", &typed).expect_status(303);
        let (other, stranger) = (visitor.copy(), server.signed_in(&family));
        // Another person in the same browser doesn't get it, and the same person elsewhere neither.
        let another = server.family();
        other.sign_in(&another.email, PASSWORD).expect_status(303);
        for one in [&other, &stranger] {
            let text = one.get("/accounts/new").expect_status(200).text();
            assert!(!text.contains("till"), "{text}");
        }
        visitor.sign_in(&family.email, PASSWORD).expect_status(303);
        let page = visitor.get("/accounts/new");
        let text = page.expect_page(200, "This is what you had typed when you were signed out.").text();
        assert!(text.contains("value=\"Caf\u{e9} &#60;till&#62;\""), "{text}");
        assert!(text.contains("value=\"12.5\""), "{text}");
        // Once: whoever opens the page later wants a blank one.
        let text = visitor.get("/accounts/new").expect_status(200).text();
        assert!(!text.contains("till"), "{text}");
    }

    fn what_was_chosen_for_an_import_comes_back(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let main = family.account("Main", "depository");
        let csv = "Date,Amount,Payee,Info,Kind\n2024-01-02,-5.00,Kiosk,Paper,Fun\n";
        let sent = json!({ "raw_file_content": csv });
        let import = family.api.post("/api/v1/imports", &sent).expect_status(201).id();
        let mapping = format!("/imports/{import}/mapping");
        let page = format!("http://{}{mapping}", server.address());
        let visitor = visitor.with_header("Referer", &page);
        let chosen = |visitor: &Visitor| {
            let page = visitor.get(&mapping).expect_status(200);
            let named = ["account_new", "row_filter"].map(|name| page.field(name).unwrap());
            (page.text(), named)
        };
        visitor.get(&mapping).expect_status(200);
        end_sessions(&server);
        let typed = [
            ("account_id", "create"), ("account_new", "Till"), ("name_col_label", "Info"),
            ("row_filter", "Payee is Kiosk"), ("number_format", "nonsense"),
        ];
        visitor.post(&mapping, &typed).expect_status(303);
        visitor.sign_in(&family.email, PASSWORD).expect_status(303);
        let (text, named) = chosen(&visitor);
        assert_eq!(named, ["Till", "Payee is Kiosk"]);
        assert!(text.contains("This is what you had typed when you were signed out."), "{text}");
        assert!(text.contains("<option value=\"create\" selected>"), "{text}");
        assert!(text.contains("<option value=\"Info\" selected>"), "{text}");
        // Nothing of it is stored before it is sent again, and it comes back once.
        let stored = family.api.get(&format!("/api/v1/imports/{import}")).expect_status(200).json();
        assert_eq!(stored["data"]["configuration"]["name_col_label"], "Payee");
        let (text, named) = chosen(&visitor);
        assert_eq!(named, ["", ""]);
        assert!(!text.contains("when you were signed out"), "{text}");
        end_sessions(&server);
        visitor.post(&mapping, &[("account_id", &*main)]).expect_status(303);
        visitor.sign_in(&family.email, PASSWORD).expect_status(303);
        let (text, _) = chosen(&visitor);
        assert!(text.contains(&format!("<option value=\"{main}\" selected>")), "{text}");
    }

    fn a_form_of_an_older_session_keeps_what_was_typed_too(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let account = family.account("Main", "depository");
        let edit = format!("/accounts/{account}/edit");
        let before = visitor.get(&edit).expect_status(200).field("form_token").unwrap();
        // The same person signs out and in again in another tab.
        visitor.post("/sign-out", &[]).expect_status(303);
        visitor.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        let page = format!("http://{}{edit}", server.address());
        let visitor = visitor.with_header("Referer", &page);
        let typed = [("form_token", &*before), ("before_name", "Main"), ("name", "Household")];
        visitor.post_without_token(&edit, &typed).expect_page(403, "This form is out of date");
        let page = visitor.get(&edit).expect_page(200, "It isn&#39;t saved yet.");
        assert_eq!(page.field("name").as_deref(), Some("Household"));
        let fields = [("before_name", "Main"), ("name", "Household")];
        visitor.post(&edit, &fields).expect_status(303);
        visitor.get(&format!("/accounts/{account}")).expect_page(200, "Household");
    }

    fn nothing_is_kept_of_somebody_who_never_signed_in(server) {
        server.family();
        let page = format!("http://{}/accounts/new", server.address());
        let visitor = server.visitor().with_header("Referer", &page);
        let answer = visitor.post_without_token("/accounts", &[("name", "Savings")]);
        assert_eq!(answer.expect_status(303).header("Set-Cookie"), None);
    }

    fn what_was_typed_survives_a_change_by_somebody_else(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-01-02,-5.00,Kiosk\n";
        family.import(&account, csv);
        let listed = family.api.get("/api/v1/transactions").expect_status(200).json();
        let id = listed["transactions"][0]["id"].as_str().unwrap().to_owned();
        let path = format!("/transactions/{id}");
        let version = visitor.get(&path).expect_status(200).field("version").unwrap();
        let change = json!({ "transaction": { "name": "Newsstand" } });
        family.api.patch(&format!("/api/v1{path}"), &change).expect_status(200);
        let save = |version: &str| {
            visitor.post(
                &path,
                &[("version", version), ("name", "Kiosk at the corner"), ("date", "2024-01-02"),
                    ("direction", "expense"), ("amount", "6.00"), ("notes", "")],
            )
        };
        let page = save(&version).expect_page(422, "The name is \u{201c}Newsstand\u{201d} now");
        assert_eq!(page.field("name").as_deref(), Some("Kiosk at the corner"));
        assert_eq!(page.field("amount").as_deref(), Some("6.00"));
        let now = page.field("version").unwrap();
        assert_ne!(now, version);
        save(&now).expect_status(303);
        let saved = family.api.get(&format!("/api/v1{path}")).expect_status(200).json();
        assert_eq!(saved["name"], "Kiosk at the corner");
    }
}

/// As after a month without a visit.
fn end_sessions(server: &Server) {
    Sql::open(server).run("UPDATE sessions SET expires_at = 1");
}
