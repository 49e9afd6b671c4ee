//! Each rule finds what it is for, and leaves alone what is allowed.

use crate::glossary::Glossary;
use crate::ratchet;
use crate::rules::check;

const GLOSSARY: &str = "| `said` | given |\n| `Found` | a noun |";

/// Rules and lines of what is found.
fn found(path: &str, source: &str) -> Vec<(&'static str, usize)> {
    check(path, source, &Glossary::parse(GLOSSARY))
        .into_iter()
        .map(|finding| (finding.rule, finding.line))
        .collect()
}

#[test]
fn each_rule_finds_its_offence() {
    let long_line = format!("let x = {};", "a".repeat(100));
    let long_string = format!("let x = \"{}\";", "a".repeat(130));
    let long_function = format!("fn f([u8; 2]) {{\n{}}}", "g();\n".repeat(69));
    let long_file = "\n".repeat(401);
    let in_crate = [
        ("// Who said it\n", ("words", 1)),
        ("/// One two three four said\nfn f() {}", ("words", 1)),
        ("let said_name = \"said\";", ("words", 1)),
        ("let x: T<'said>;", ("words", 1)),
        ("struct Found;", ("type-names", 1)),
        ("/// Only three words\nstruct X;", ("short-docs", 1)),
        ("/// Of the present account\nstruct X;", ("fragments", 1)),
        ("let x: f64 = y;", ("floats", 1)),
        ("let x = 1f32;", ("floats", 1)),
        (
            "#[expect(dead_code, reason = \"describes what the handler reads\")]",
            ("descriptions", 1),
        ),
        ("#[expect(\n    dead_code,\n    reason = \"describes\"\n)]", ("descriptions", 1)),
        ("// TODO: more\n", ("reminders", 1)),
        ("todo!()", ("reminders", 1)),
        ("sleep(x);\n#[cfg(test)]\nmod tests {\n    sleep(x);\n}", ("sleeps", 4)),
        (&*long_line, ("line-width", 1)),
        (&*long_string, ("line-width", 1)),
        (&*long_function, ("function-length", 1)),
        (&*long_file, ("file-length", 1)),
    ];
    for (source, finding) in in_crate {
        assert_eq!(found("crates/core/src/x.rs", source), [finding], "{source}");
    }
    assert_eq!(found("tests/http/x.rs", "sleep(x);"), [("sleeps", 1)]);
}

#[test]
fn what_is_allowed_is_left_alone() {
    let long_string = format!("let x = \"{}\";", "a".repeat(110));
    let function = format!("fn f() {{\n{}}}", "g();\n".repeat(68));
    let in_crate = [
        "let x = \"said // TODO\";",
        "// unsaid\n",
        "use a::Found;",
        "/// Four words are enough\nstruct X;",
        "/// Two lines of\n/// words\nstruct X;",
        "/// Two lines with a list\n/// Of entries\nstruct X;",
        "#[expect(dead_code, reason = \"kept for its Drop\")]",
        "// TODO(#12): more\n",
        "(\"12.50 XXX\", None)",
        "sleep(x);",
        "trait T { fn f(); }\nfn g() {}",
        &*long_string,
        &*function,
    ];
    for source in in_crate {
        assert_eq!(found("crates/core/src/x.rs", source), [], "{source}");
    }
    assert_eq!(found("crates/server/src/x.rs", "let x: f64 = y;"), []);
}

#[test]
fn numbers_of_the_list_are_exact() {
    let findings = check("a.rs", "// said, said\n", &Glossary::parse(GLOSSARY));
    let differ = |list: &str| ratchet::differences(&ratchet::parse(list), &findings).len();
    assert_eq!(differ("words a.rs 2"), 0);
    assert_eq!(differ("words a.rs 1"), 1);
    assert_eq!(differ("words a.rs 3"), 1);
    assert_eq!(differ("words a.rs 2\nfloats a.rs 1"), 1);
    assert_eq!(ratchet::parse(&ratchet::render(&ratchet::count(&findings))).len(), 1);
}
