//! Many names: pages of unwrapped lists, and how many a family may have.

use serde_json::json;

use crate::both;
use crate::support::{Answer, Backend, Family, Server, Sql};

/// How many categories, tags and merchants a family may have.
const MAX: usize = 10_000;

/// Adds tags or merchants with the numbers from 1 to `count` in their names.
fn add(server: &Server, family: &Family, table: &str, count: usize) {
    let sql = Sql::open(server);
    let number = format!("SELECT family_id FROM sign_in_names WHERE email = '{}'", family.email);
    let (numbers, id, name) = match server.backend() {
        Backend::Sqlite => (
            format!(
                "(WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {count})
                 SELECT n FROM n)"
            ),
            "randomblob(16)",
            "'name ' || substr('0000' || n, -5)",
        ),
        Backend::Postgres => (
            format!("(SELECT n FROM generate_series(1, {count}) n) n"),
            "gen_random_uuid()",
            "'name ' || lpad(n::TEXT, 5, '0')",
        ),
    };
    sql.run(&format!(
        "INSERT INTO {table} (family_id, id, name, name_key, created_at, updated_at)
         SELECT ({number}), {id}, {name}, {name}, 1, 1 FROM {numbers}"
    ));
}

fn totals(answer: &Answer) -> Vec<&str> {
    let names = ["X-Total-Count", "X-Total-Pages", "X-Page", "X-Per-Page"];
    names.iter().map(|name| answer.header(name).unwrap()).collect()
}

both! {
    fn a_unwrapped_list_has_a_thousand_items_and_pages_for_more(server) {
        let family = server.family();
        for (table, path) in [("tags", "/api/v1/tags"), ("merchants", "/api/v1/merchants")] {
            let empty = family.api.get(path).expect_status(200);
            assert_eq!((empty.json(), totals(&empty)), (json!([]), vec!["0", "1", "1", "1000"]));
            add(&server, &family, table, 1_001);
            let list = |query: &str| family.api.get(&format!("{path}{query}")).expect_status(200);
            let names = |answer: &Answer| -> Vec<String> {
                let body = answer.json();
                let names = body.as_array().unwrap().iter().map(|one| one["name"].as_str());
                names.map(|name| name.unwrap().to_owned()).collect()
            };
            for (query, count, first, shown) in [
                ("", 1_000, "name 00001", ["1001", "2", "1", "1000"]),
                ("?page=2", 1, "name 01001", ["1001", "2", "2", "1000"]),
                ("?per_page=2&page=3", 2, "name 00005", ["1001", "501", "3", "2"]),
                ("?per_page=99999", 1_000, "name 00001", ["1001", "2", "1", "1000"]),
            ] {
                let answer = list(query);
                let found = names(&answer);
                assert_eq!((found.len(), found[0].as_str()), (count, first), "{path}{query}");
                assert_eq!(totals(&answer), shown, "{path}{query}");
            }
            assert_eq!(list("?page=3").json(), json!([]));
            family.api.get(&format!("{path}?page=0")).expect_error(422, "validation_failed");
            let exposed = list("");
            assert!(exposed.header("Access-Control-Expose-Headers").unwrap().contains("X-Total-Count"));
        }
    }

    fn a_family_has_so_many_names_and_no_more(server) {
        let family = server.family();
        let account = family.account("Giro", "depository");
        add(&server, &family, "tags", MAX - 1);
        let csv = "date,amount,name,tags\n2026-01-02,-1,A,Last\n2026-01-03,-1,B,Too many\n";
        let fields = json!({ "raw_file_content": csv, "account_id": account, "publish": "true" });
        let refused = family.api.post("/api/v1/imports", &fields);
        let refused = refused.expect_error(422, "unassigned_mappings").to_string();
        assert!(refused.contains("there would be 10001 tags"), "{refused}");
        family.api.post("/api/v1/tags", &json!({ "name": "Last" })).expect_status(201);
        let one_more = family.api.post("/api/v1/tags", &json!({ "name": "One more" }));
        let body = one_more.expect_error(422, "validation_failed");
        assert_eq!(body["message"], "A family has at most 10000 tags");
        // What is there can still be used.
        family.import(&account, "date,amount,name,tags\n2026-01-02,-1,A,Last\n");

        add(&server, &family, "merchants", MAX - 1);
        let csv = crate::support::Multipart::new()
            .file("file", "m.csv", "text/csv", b"name\nLast\nToo many\n");
        let refused = family.api.post_form("/api/v1/merchants", &csv);
        refused.expect_error(422, "validation_failed");
        let found = family.api.get("/api/v1/merchants?per_page=1").expect_status(200);
        assert_eq!(found.header("X-Total-Count"), Some("9999"), "none of the file was created");
    }
}
