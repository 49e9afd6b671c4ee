//! What is the same on all pages: headers, escaping, errors, assets.

use serde_json::json;

use crate::both;

const PAGES: [&str; 10] = [
    "/accounts",
    "/accounts/new",
    "/transactions",
    "/transfers",
    "/connections",
    "/connections/new",
    "/settings",
    "/settings/profile",
    "/settings/keys",
    "/nothing",
];
const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;";

const HOSTILE_KEY: [(&str, &str); 3] = [("name", HOSTILE), ("scope", "read"), ("access", "all")];

both! {
    fn pages_allow_nothing_from_elsewhere_and_nothing_inline(server) {
        let visitor = server.signed_in(&server.family());
        for path in PAGES {
            let page = visitor.get(path);
            let policy = page.header("Content-Security-Policy").unwrap();
            assert!(policy.starts_with("default-src 'none';"), "{path}: {policy}");
            assert!(!policy.contains("unsafe") && !policy.contains("http"), "{path}: {policy}");
            for (name, value) in [
                ("X-Content-Type-Options", "nosniff"),
                ("X-Frame-Options", "DENY"),
                ("Referrer-Policy", "same-origin"),
                // Going back after signing out shows nothing again.
                ("Cache-Control", "no-store"),
            ] {
                assert_eq!(page.header(name), Some(value), "{path}");
            }
            let varies: Vec<_> = page.headers.get_all("vary").iter().collect();
            let on_cookie = varies.iter().any(|value| value.to_str().unwrap().contains("Cookie"));
            assert!(on_cookie, "{path}: {varies:?}");
            let text = page.text();
            for inline in [" style=", " onclick", "<style", "javascript:"] {
                assert!(!text.contains(inline), "{inline} in {path}");
            }
            for address in text.split(['"', '\'']).filter(|part| part.contains("://")) {
                assert!(address.starts_with("http://www.w3.org/"), "{address} in {path}");
            }
        }
    }

    fn pages_are_compressed_and_have_a_length_and_a_tag(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let cookie = format!("purser_session={}", visitor.cookie("purser_session").unwrap());
        let headers = [("Accept-Encoding", "gzip"), ("Cookie", &*cookie)];
        let page = server.get_raw("/accounts/new", &headers);
        assert_eq!(page.header("content-encoding"), Some("gzip"));
        let length: usize = page.header("content-length").unwrap().parse().unwrap();
        assert_eq!(length, page.body.len());
        assert!(page.header("etag").is_some());
    }

    fn hostile_names_are_text(server) {
        let family = server.family();
        let account = family.account_with(json!({
            "name": HOSTILE, "account_type": "depository", "institution_name": HOSTILE,
        }));
        let csv = format!(
            "Date,Description,Amount,Category,Tags,Notes\n2024-01-02,{0},-5.00,{0},{0},{0}\n",
            format!("\"{}\"", HOSTILE.replace('"', "\"\""))
        );
        family.import(&account, &csv);
        let visitor = server.signed_in(&family);
        visitor.post("/settings/profile", &[("name", HOSTILE)]).expect_status(303);
        let family_fields =
            [("family", HOSTILE), ("time_zone", "UTC"), ("transfer_matching", "off")];
        visitor.post("/settings", &family_fields).expect_status(303);
        visitor.post("/settings/keys", &HOSTILE_KEY).expect_status(200);
        let link = visitor.get("/transactions").link("/transactions/");
        let hostile_query = "/transactions?q=%3Cscript%3E%22&from=%3Cscript%3E&account=%22%3E%3Cimg";
        let account_page = format!("/accounts/{account}");
        for path in PAGES.into_iter().chain([&*link, &account_page, hostile_query]) {
            let text = visitor.get(path).text();
            assert!(!text.contains("<script>") && !text.contains("<img src=x"), "{path}: {text}");
        }
        let page = visitor.get("/accounts");
        assert!(page.text().contains("&#60;script&#62;alert(1)"), "{}", page.text());
        let evil = server.visitor();
        let page = evil.get("/sign-in?next=%22%3E%3Cscript%3E&done=%3Cscript%3E");
        assert!(!page.text().contains("<script>"));
    }

    fn errors_are_pages_for_browsers_and_json_for_the_api(server) {
        let visitor = server.visitor();
        visitor.get("/nothing").expect_page(404, "There is nothing at this address");
        visitor.get("/api/v1/nothing").expect_error(404, "not_found");
        visitor.get("/api/v1/accounts").expect_error(401, "unauthorized");
        server.client().get("/nothing").expect_error(404, "not_found");
        let family = server.family();
        let visitor = server.signed_in(&family);
        let page = visitor.get("/accounts/nonsense").expect_page(404, "Account not found");
        assert!(page.text().contains("Sign out"), "whoever is signed in keeps the navigation");
        let page = visitor.get("/nothing").expect_page(404, "Nothing here");
        assert!(page.text().contains("Sign out") && page.text().contains("Back to accounts"));
        let page = visitor.get("/sign-out").expect_page(405, "be opened directly");
        assert_eq!(page.header("Allow"), Some("POST"));
        let page = server.visitor().get("/nothing").expect_status(404);
        assert!(!page.text().contains("Sign out"));
        // A cookie opens pages only.
        visitor.get("/api/v1/accounts").expect_error(401, "unauthorized");
    }

    fn a_defect_is_a_page_with_the_request_id(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let account = family.account("Main", "depository");
        family.import(&account, "Date,Amount,Name\n2024-01-01,-5.00,Bread\n");
        let listed = family.api.get("/api/v1/transactions").expect_status(200).json();
        let id = listed["transactions"][0]["id"].as_str().unwrap().to_owned();
        crate::support::Sql::open(&server).run("ALTER TABLE entry_tags RENAME TO lost_tags");
        let visitor = visitor.with_header("X-Request-Id", "abc-123");
        let page = visitor.get(&format!("/transactions/{id}"));
        let text = page.expect_page(500, "<code>abc-123</code>").text();
        assert!(!text.contains("tags"), "{text}");
        server.wait_for_log("abc-123");
    }

    fn assets_are_kept_for_ever_at_their_own_address(server) {
        let page = server.visitor().get("/welcome");
        for (start, media_type) in
            [("/assets/", "text/css"), ("/assets/", "image/svg+xml")]
        {
            let all = page.text();
            let suffix = if media_type == "text/css" { ".css" } else { ".svg" };
            let path = all
                .split('"')
                .find(|part| part.starts_with(start) && part.ends_with(suffix))
                .unwrap()
                .to_owned();
            let asset = server.client().get(&path).expect_status(200);
            assert!(asset.header("Content-Type").unwrap().starts_with(media_type));
            assert_eq!(
                asset.header("Cache-Control"),
                Some("public, max-age=31536000, immutable")
            );
            let old = path.replacen(path.split('/').nth(2).unwrap(), "0000000000000000", 1);
            let asset = server.client().get(&old).expect_status(200);
            assert_eq!(asset.header("Cache-Control"), Some("public, no-cache"));
        }
        server.visitor().get("/assets/x/../../Cargo.toml").expect_status(404);
        server.visitor().get("/assets/x/nothing.css").expect_page(404, "nothing at this");
    }
}
