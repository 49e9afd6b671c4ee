//! A list of objects in a cell, as programs write it when they escape JSON once too often.
//!
//! The text is repaired only as long as it is no JSON, and a repair counts only if the result is:
//! a text that is JSON means what it means. What these repairs don't make a list is refused.

use serde_json::value::RawValue;

/// How often a text may be wrapped or escaped.
const REPAIRS_MAX: usize = 6;

/// The list in a cell, as plain JSON.
pub(super) fn list(cell: &str) -> Result<String, &'static str> {
    let list = repaired(cell).ok_or("must be a JSON list of objects")?;
    if has_escaped_text(&list) {
        return Err("holds a text such as \\u00e9 that is escaped once too often");
    }
    Ok(list)
}

fn repaired(cell: &str) -> Option<String> {
    let mut text = cell.trim().to_owned();
    for _ in 0..REPAIRS_MAX {
        if let Some(list) = list_of_objects(&text) {
            return Some(list);
        }
        text = match serde_json::from_str::<String>(&text) {
            Ok(inner) => inner.trim().to_owned(),
            Err(_) => undoubled(&text).or_else(|| unescaped(&text))?,
        };
    }
    None
}

/// A list of objects, or of texts that are objects.
fn list_of_objects(text: &str) -> Option<String> {
    let items: Vec<Box<RawValue>> = serde_json::from_str(text).ok()?;
    let objects = items.iter().map(|item| {
        let raw = item.get();
        if raw.starts_with('{') {
            return Some(raw.to_owned());
        }
        let inner: String = serde_json::from_str(raw).ok()?;
        let object: Box<RawValue> = serde_json::from_str(&inner).ok()?;
        object.get().starts_with('{').then(|| object.get().to_owned())
    });
    let objects: Option<Vec<String>> = objects.collect();
    Some(format!("[{}]", objects?.join(",")))
}

/// Every quotation mark written twice, as in a cell of CSV: `[{""a"":""b""}]`.
fn undoubled(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let single = [inner, text].into_iter().map(|text| text.replace("\"\"", "\""));
    single.into_iter().find(|single| list_of_objects(single).is_some())
}

/// The text of a JSON string without its quotation marks: `[{\"a\":\"b\"}]`, `[{\u0022a\u0022:1}]`.
fn unescaped(text: &str) -> Option<String> {
    let one_line = text.replace('\r', "\\r").replace('\n', "\\n").replace('\t', "\\t");
    let plain: String = serde_json::from_str(&format!("\"{one_line}\"")).ok()?;
    (plain != text).then_some(plain)
}

/// Whether a text in the JSON holds an escape such as `\u00e9` as it stands.
fn has_escaped_text(json: &str) -> bool {
    json.match_indices("\\\\u").any(|(at, _)| {
        let digits = json.as_bytes().get(at + 3..at + 7);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = r#"[{"a":"b \"c\" é","n":1.50}]"#;

    /// The text as a JSON string, without its quotation marks.
    fn escaped(text: &str) -> String {
        let quoted = serde_json::to_string(text).unwrap();
        quoted[1..quoted.len() - 1].to_owned()
    }

    fn doubled(text: &str) -> String {
        text.replace('"', "\"\"")
    }

    #[test]
    fn every_form_is_repaired_to_the_same_list() {
        let wrapped = serde_json::to_string(PLAIN).unwrap();
        let simple = r#"[{"a":"","b":"x"}]"#;
        for (cell, expected) in [
            (PLAIN.to_owned(), PLAIN),
            (format!("  {PLAIN}\n"), PLAIN),
            (wrapped.clone(), PLAIN),
            (serde_json::to_string(&wrapped).unwrap(), PLAIN),
            (escaped(PLAIN), PLAIN),
            (escaped(&escaped(PLAIN)), PLAIN),
            (escaped(&escaped(&escaped(PLAIN))), PLAIN),
            (doubled(simple), simple),
            (format!("\"{}\"", doubled(simple)), simple),
            (escaped(&doubled(simple)), simple),
            (simple.replace('"', "\\u0022"), simple),
            (format!("[{}]", serde_json::to_string(r#"{"a":"","b":"x"}"#).unwrap()), simple),
            ("[]".to_owned(), "[]"),
            ("\"[]\"".to_owned(), "[]"),
        ] {
            assert_eq!(list(&cell).as_deref(), Ok(expected), "{cell}");
        }
    }

    #[test]
    fn lines_between_members_are_no_matter() {
        let cell = "[\n\t{\\\"a\\\": 1}\r\n]";
        assert_eq!(list(cell).as_deref(), Ok(r#"[{"a": 1}]"#));
    }

    #[test]
    fn what_is_no_list_of_objects_is_refused() {
        for cell in ["", "x", "{}", "[1]", "[\"x\"]", "null", "true", "[{]", "[{'a':1}]", "[[]]"] {
            assert_eq!(list(cell), Err("must be a JSON list of objects"), "{cell}");
        }
        assert!(list(r#"[{"a":"caf\\u00e9"}]"#).unwrap_err().contains("once too often"));
        assert!(list(r#"[{"a":"C:\\users"}]"#).is_ok(), "no four digits");
    }
}
