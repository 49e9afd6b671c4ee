//! The page on which the description is read.

use crate::support::{Backend, Server};

#[test]
fn the_page_of_the_description_loads_nothing_from_elsewhere() {
    let server = Server::start(Backend::Sqlite);
    let page = server.client().get("/api/docs/").expect_status(200);
    assert!(page.header("Content-Type").unwrap().starts_with("text/html"));
    let html = page.text();
    let mut loaded = references(&html);
    loaded.sort();
    assert!(loaded.len() >= 4, "{loaded:?}");
    let mut own_script = String::new();
    for reference in &loaded {
        assert!(!reference.contains("//") && !reference.starts_with("data:"), "{reference}");
        let path = format!("/api/docs/{}", reference.trim_start_matches("./"));
        let asset = server.client().get(&path).expect_status(200);
        assert!(!asset.bytes.is_empty(), "{path}");
        if reference.ends_with("initializer.js") {
            own_script = asset.text();
        }
    }
    assert!(own_script.contains("/api/v1/openapi.json"), "{own_script}");
    for elsewhere in ["http://", "https://", "petstore"] {
        assert!(!own_script.contains(elsewhere), "{own_script}");
        assert!(!html.contains(elsewhere), "{html}");
    }
    // Whatever the bundle holds, the browser loads nothing from elsewhere.
    let policy = page.header("Content-Security-Policy").unwrap();
    for rule in ["default-src 'none'", "script-src 'self'", "connect-src 'self'"] {
        assert!(policy.split("; ").any(|one| one == rule), "{policy}");
    }
    server.client().get("/api/docs/../../etc/passwd").expect_status(404);
    server.client().get("/api/docs/nothing.js").expect_status(404);
}

/// What a page loads: the values of `src` and `href`.
fn references(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in ["src=\"", "href=\"", "src='", "href='"] {
        let quote = attribute.chars().last().unwrap();
        for rest in html.split(attribute).skip(1) {
            found.push(rest.split(quote).next().unwrap().to_owned());
        }
    }
    found
}
