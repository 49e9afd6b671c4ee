//! The rules see what they are for.

use super::directories;
use super::rules::look_at;

fn problems(text: &str) -> Vec<String> {
    look_at(text, &directories()).problems
}

#[test]
fn statements_of_one_family_pass() {
    for text in [
        "SELECT id FROM tags WHERE family_id = $1",
        "SELECT e.id FROM entries e JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
            LEFT JOIN accounts a ON a.family_id = $1 AND a.id = e.account_id
            WHERE e.family_id = $1 AND (e.kind = 2 OR e.kind = 3)",
        "SELECT a.id, EXISTS (SELECT 1 FROM entries e WHERE e.family_id = $1 AND e.id = a.id)
            FROM accounts a WHERE (a.family_id = $1) AND (a.id IN ($2, $3)) ORDER BY a.id",
        "INSERT INTO tags (id, family_id) VALUES ($1, $2)",
        "INSERT INTO tags (family_id, id) SELECT t.family_id, $1 FROM tags t
            WHERE t.family_id = $2 ON CONFLICT (family_id, id) DO UPDATE SET name = ''",
        "UPDATE tags SET name = CASE WHEN name = 'a' OR name = 'b' THEN $1 END
            WHERE family_id = $2 AND id NOT IN (SELECT id FROM tags WHERE family_id = $2)",
        "DELETE FROM tags WHERE family_id = $1 RETURNING id",
        "WITH some AS (SELECT id FROM tags WHERE family_id = $1)
            SELECT id FROM some UNION ALL SELECT id FROM accounts WHERE family_id = $1",
        "SELECT version FROM families WHERE id = $1 FOR NO KEY UPDATE",
        "SELECT id FROM jobs WHERE state = 'queued' OR run_at > $1",
        "SELECT k.key FROM (SELECT MAX(d.date) AS day FROM balances d WHERE d.family_id = $1) k,
            balances b WHERE b.family_id = $1 AND b.date = k.day",
    ] {
        assert_eq!(problems(text), [""; 0], "{text}");
    }
}

#[test]
fn statements_that_leave_the_shard_are_found() {
    let compared = "a family_id is compared with another than a parameter";
    for (text, expected) in [
        ("SELECT id FROM tags", "no tags.family_id = $n"),
        ("SELECT id FROM tags WHERE family_id > $1", "no tags.family_id = $n"),
        ("SELECT id FROM tags WHERE family_id = ANY($1)", compared),
        ("SELECT id FROM tags WHERE id = $1 OR family_id = $2", "no tags.family_id = $n"),
        (
            "SELECT id FROM tags WHERE family_id = $2 OR id = $1",
            "an OR stands beside conditions without parentheses",
        ),
        ("SELECT id FROM tags WHERE (family_id = $2 OR id = $1)", "no tags.family_id = $n"),
        (
            "SELECT 1 FROM tags WHERE family_id = $1 UNION SELECT 2 FROM tags",
            "no tags.family_id = $n",
        ),
        (
            "SELECT e.id FROM entries e JOIN trades t ON t.entry_id = e.id WHERE e.family_id = $1",
            "no t.family_id = $n",
        ),
        ("SELECT e.id FROM entries e, trades t WHERE e.family_id = $1", "no t.family_id = $n"),
        (
            "SELECT e.id FROM entries e JOIN trades t ON t.entry_id = e.id WHERE family_id = $1",
            "no e.family_id = $n",
        ),
        (
            "SELECT a.id, (SELECT MAX(b.date) FROM balances b
                WHERE b.family_id = a.family_id) FROM accounts a WHERE a.family_id = $1",
            compared,
        ),
        (
            "SELECT a.id FROM accounts a WHERE a.family_id = $1 AND (a.id = $2 OR EXISTS (
                SELECT 1 FROM holdings h WHERE h.account_id = a.id))",
            "no h.family_id = $n",
        ),
        ("UPDATE tags SET name = $1 WHERE id = $2", "no tags.family_id = $n"),
        ("DELETE FROM families WHERE public_id = $1", "no families.id = $n"),
        ("INSERT INTO tags (id) VALUES ($1)", "tags gets rows of a family_id that is no parameter"),
        (
            "INSERT INTO tags (family_id, id) SELECT 1, id FROM accounts WHERE family_id = $1",
            "tags gets rows of a family_id that is no parameter",
        ),
        (
            "SELECT u.id FROM sessions s JOIN users u ON u.family_id = $1 WHERE s.hash = $2",
            r#"it joins {"users"} with the directories {"sessions"}"#,
        ),
    ] {
        let found = problems(text);
        assert!(found.iter().any(|problem| problem == expected), "{found:?} in {text}");
    }
}

#[test]
fn the_parameters_of_all_families_are_gathered() {
    let text = "SELECT a.id FROM accounts a JOIN tags t ON t.family_id = $2 WHERE a.family_id = $1";
    let found = look_at(text, &directories());
    assert_eq!(found.params.into_iter().collect::<Vec<_>>(), [1, 2]);
}
