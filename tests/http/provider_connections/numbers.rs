//! How many connections are in which state, in `/metrics`.

use super::put::{Connection, Table};
use crate::both;
use crate::support::until;

both! {
    fn connections_are_counted_by_state(server) {
        let family = server.family();
        let table = Table::of(&server, &family);
        // None of them is ever due.
        let good = Connection::default;
        let expired = Connection { consent_expires_at: Some(1_000), ..good() };
        let leaving = Connection { scheduled_for_deletion: true, ..good() };
        let refused = Connection { status: "requires_update", ..good() };
        for connection in [good(), good(), expired, leaving, refused] {
            table.connection(&connection);
        }
        // Numbers are counted when a server starts, and from time to time.
        assert!(server.stop().success());
        server.start_again();
        let expected = [
            r#"purser_provider_connections{state="good"} 2"#,
            r#"purser_provider_connections{state="consent_ending"} 1"#,
            r#"purser_provider_connections{state="deleting"} 1"#,
            r#"purser_provider_connections{state="requires_update"} 1"#,
            r#"purser_provider_connections{state="failing"} 0"#,
        ];
        until("the numbers", || {
            let text = server.client().get("/metrics").text();
            expected.iter().all(|line| text.contains(line)).then_some(())
        });
    }
}
