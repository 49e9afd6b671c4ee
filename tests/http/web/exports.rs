//! Exports on the page.

use crate::both;
use crate::support::until;

const PATH: &str = "/settings/exports";

both! {
    fn a_family_takes_everything_with_it(server) {
        let family = server.family();
        family.account("Moving box", "depository");
        let visitor = server.signed_in(&family);
        let page = visitor.get(PATH).expect_page(200, "No files");
        assert!(page.text().contains("Tables for spreadsheets"));
        visitor.post(PATH, &[("format", "paper")]).expect_page(422, "Choose one of the list");
        visitor
            .post(PATH, &[("format", "ndjson")])
            .expect_redirect("/settings/exports?done=export-requested");
        let page = until("the file to be written", || {
            let page = visitor.get(PATH).expect_page(200, "Purser file (NDJSON)");
            page.text().contains("/download").then_some(page)
        });
        let file = page.link("/settings/exports/");
        let answer = visitor.get(&file).expect_status(200);
        assert!(answer.header("Content-Disposition").unwrap().starts_with("attachment;"));
        assert!(answer.text().contains("\"name\":\"Moving box\""), "{}", answer.text());
        // Nobody else gets it.
        let other = server.signed_in(&server.family());
        other.get(PATH).expect_page(200, "No files");
        other.get(&file).expect_status(404);
        server.visitor().get(&file).expect_status(303);
    }
}
