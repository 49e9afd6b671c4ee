//! What a connection keeps to itself is in no answer and in no line of the log.

use super::put::{CANARY, Connection, Run, Table};
use crate::both;
use crate::support::Options;

both! {
    fn secrets_and_raw_texts_never_come_out(server = Options::new().env("PURSER_LOG", "trace")) {
        let family = server.family();
        let table = Table::of(&server, &family);
        let linked = family.account("Checking", "depository");
        let accounts = vec![Some(linked), None];
        let id = table.connection(&Connection { accounts, ..Connection::default() });
        for run in [
            Run::completed(1_000, 1),
            Run::failed(2_000, Some("rate_limited")),
            // The text of a provider is no code, and is never shown.
            Run::failed(3_000, Some("canary-7d1f: HTTP 401 {\"key\": 1}")),
        ] {
            table.run(&id, run);
            for path in ["provider_connections", "accounts", "usage", "openapi.json"] {
                let body = family.api.get(&format!("/api/v1/{path}")).expect_status(200).text();
                assert!(!body.contains(CANARY), "{path}: {body}");
            }
            let body = family.api.get("/api/v1/provider_connections").text();
            for name in ["credential\"", "credentials\"", "external_id", "raw", "payload", "token"]
            {
                assert!(!body.contains(name), "{name}: {body}");
            }
        }
        assert!(!server.log().contains(CANARY), "{}", server.log());
    }
}
