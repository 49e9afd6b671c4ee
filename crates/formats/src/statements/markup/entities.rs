//! Characters that are written as `&amp;` or `&#228;`.

use std::borrow::Cow;

use super::tokens::Strictness;

/// More letters than the name or the number of an entity has.
const NAME_BYTES_MAX: usize = 32;

/// Replaces entities by their characters. Where declarations could define others, an unknown one
/// is an error with its name; in SGML of banks `&` is often just a sign.
pub(crate) fn decode(text: &str, strictness: Strictness) -> Result<Cow<'_, str>, String> {
    if !text.contains('&') {
        return Ok(Cow::Borrowed(text));
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let name = rest.bytes().take(NAME_BYTES_MAX).position(|byte| byte == b';');
        let name = name.and_then(|end| rest.get(..end));
        match (name.and_then(|name| character(name, strictness)), strictness) {
            (Some(character), _) => {
                decoded.push(character);
                rest = &rest[name.map_or(0, str::len) + 1..];
            }
            (None, Strictness::Sgml) => decoded.push('&'),
            (None, Strictness::Xml) => {
                let shown = rest.chars().take(NAME_BYTES_MAX).take_while(|c| c.is_alphanumeric());
                return Err(shown.collect());
            }
        }
    }
    decoded.push_str(rest);
    Ok(Cow::Owned(decoded))
}

fn character(name: &str, strictness: Strictness) -> Option<char> {
    match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "apos" => return Some('\''),
        "quot" => return Some('"'),
        "nbsp" if strictness == Strictness::Sgml => return Some(' '),
        _ => {}
    }
    let number = name.strip_prefix('#')?;
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let is_digit = |digit: char| digit.is_digit(radix);
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| digits.chars().all(is_digit))?;
    let is_text = |c: &char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    char::from_u32(code).filter(is_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_become_characters() {
        for (text, expected) in [
            ("plain", "plain"),
            ("A &amp; B", "A & B"),
            ("&lt;&gt;&apos;&quot;", "<>'\""),
            ("&#228;&#xE4;&#X20AC;", "ää€"),
            ("&amp;lt;", "&lt;"),
            ("&#10;", "\n"),
        ] {
            assert_eq!(decode(text, Strictness::Xml).as_deref(), Ok(expected));
            assert_eq!(decode(text, Strictness::Sgml).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_a_declaration_would_define_is_an_error_in_xml_and_text_in_sgml() {
        for (text, name) in [
            ("a &nbsp; b", "nbsp"),
            ("AT&T", "T"),
            ("&lol9;", "lol9"),
            ("&#0;", ""),
            ("&#xD800;", ""),
            ("&#+5;", ""),
            ("&", ""),
            ("&äöü;", "äöü"),
        ] {
            assert_eq!(decode(text, Strictness::Xml), Err(name.to_owned()), "{text}");
            let kept = text.replace("&nbsp;", " ");
            assert_eq!(decode(text, Strictness::Sgml).as_deref(), Ok(kept.as_str()));
        }
    }
}
