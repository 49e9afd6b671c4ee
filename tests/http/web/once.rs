//! A form that is sent twice makes one thing.

use crate::both;
use crate::support::{Multipart, sql};

const CSV: &[u8] = b"Date,Amount,Name\n2024-01-02,-5.00,Kiosk\n";

both! {
    fn an_account_is_made_once(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let once = visitor.get("/accounts/new").expect_status(200).field("once").unwrap();
        let send = |name: &str| {
            let fields = [("name", name), ("account_type", "depository"), ("currency", "USD")];
            let fields = [&fields[..], &[("once", &*once)]].concat();
            let answer = visitor.post("/accounts", &fields).expect_status(303);
            answer.header("Location").unwrap().to_owned()
        };
        let first = send("Joint");
        assert_eq!(send("Joint"), first);
        visitor.get(&first).expect_page(200, "The account is created.");
        // Whoever goes back and types something else wants another one.
        assert_ne!(send("Other"), first);
        assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM accounts"), "2");
    }

    fn without_a_token_nothing_is_guarded(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        for once in ["", "x"] {
            let fields = [("name", "Joint"), ("account_type", "depository"), ("once", once)];
            visitor.post("/accounts", &fields).expect_status(303);
            visitor.post("/accounts", &fields).expect_status(303);
        }
        assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM accounts"), "4");
    }

    fn what_was_refused_can_be_sent_again(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let once = visitor.get("/accounts/new").expect_status(200).field("once").unwrap();
        let fields = [("name", ""), ("account_type", "depository"), ("once", &*once)];
        visitor.post("/accounts", &fields).expect_page(422, "name");
        visitor.post("/accounts", &fields).expect_page(422, "name");
        let fields = [("name", "Joint"), ("account_type", "depository"), ("once", &*once)];
        visitor.post("/accounts", &fields).expect_status(303);
    }

    fn nobody_else_gets_to_what_a_token_made(server) {
        let family = server.family();
        let (mine, theirs) = (server.signed_in(&family), server.family());
        let theirs = server.signed_in(&theirs);
        let once = mine.get("/accounts/new").expect_status(200).field("once").unwrap();
        theirs.get("/accounts/new").expect_status(200);
        let fields = [("name", "Joint"), ("account_type", "depository"), ("once", &*once)];
        let first = mine.post("/accounts", &fields).expect_status(303);
        let second = theirs.post("/accounts", &fields).expect_status(303);
        assert_ne!(first.header("Location"), second.header("Location"));
    }

    fn an_upload_is_made_once(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let once = visitor.get("/imports/new").expect_status(200).field("once").unwrap();
        let send = |content: &[u8]| {
            let form = Multipart::new().text("once", &once).text("type", "TransactionImport");
            let answer = visitor.post_form("/imports/new", form.file("file", "a.csv", "text/csv", content));
            answer.expect_status(303).header("Location").unwrap().to_owned()
        };
        let first = send(CSV);
        assert_eq!(send(CSV), first);
        assert_ne!(send(b"Date,Amount,Name\n2024-01-03,-6.00,Tram\n"), first);
        // What was thrown away can be sent again.
        visitor.post(&format!("{first}/delete"), &[]).expect_status(303);
        assert_ne!(send(CSV), first);
        assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM imports"), "2");
    }

    fn a_key_is_made_once_and_shown_by_both_answers(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let once = visitor.get("/settings/keys").expect_status(200).field("once").unwrap();
        let send = || {
            let fields = [("name", "Phone"), ("scope", "read"), ("access", "all"), ("once", &*once)];
            let text = visitor.post("/settings/keys", &fields).expect_status(200).text();
            let start = text.find("purser_").expect("a key");
            text[start..start + 56].to_owned()
        };
        let key = send();
        assert_eq!(send(), key);
        let made = "SELECT COUNT(*) FROM api_keys WHERE name = 'Phone'";
        assert_eq!(sql::value(&server, made), "1");
        server.client().with_key(&key).get("/api/v1/accounts").expect_status(200);
    }
}
