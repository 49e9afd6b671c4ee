//! The names that documents give to letters: `eacute`, `Zcaron`, `uni20AC`.

use unicode_normalization::UnicodeNormalization as _;

/// The letter of a name, if it is one of those of European fonts.
pub(super) fn letter(name: &str) -> Option<String> {
    // What follows a point is a form of the letter: `one.tnum`.
    let name = name.split('.').next().filter(|name| !name.is_empty())?;
    let mut chars = name.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return Some(only.to_string());
    }
    if let Some((_, text)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some((*text).to_owned());
    }
    by_code(name).or_else(|| with_accent(name))
}

/// The letter of a code: `uni20AC`, `u20AC`.
fn by_code(name: &str) -> Option<String> {
    let digits = name.strip_prefix("uni").or_else(|| name.strip_prefix('u'))?;
    if !(4..=6).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let code = u32::from_str_radix(digits, 16).ok()?;
    char::from_u32(code).map(String::from)
}

/// A letter and the name of what stands above or below it.
fn with_accent(name: &str) -> Option<String> {
    let (letter, accent) = name.split_at_checked(1)?;
    let mark = ACCENTS.iter().find(|(known, _)| *known == accent)?.1;
    letter.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(())?;
    Some(format!("{letter}{mark}").nfc().collect())
}

const ACCENTS: &[(&str, char)] = &[
    ("grave", '\u{300}'),
    ("acute", '\u{301}'),
    ("circumflex", '\u{302}'),
    ("tilde", '\u{303}'),
    ("macron", '\u{304}'),
    ("breve", '\u{306}'),
    ("dotaccent", '\u{307}'),
    ("dieresis", '\u{308}'),
    ("ring", '\u{30A}'),
    ("hungarumlaut", '\u{30B}'),
    ("caron", '\u{30C}'),
    ("commaaccent", '\u{326}'),
    ("cedilla", '\u{327}'),
    ("ogonek", '\u{328}'),
];

#[rustfmt::skip]
const NAMES: &[(&str, &str)] = &[
    ("space", " "), ("nbspace", " "), ("nonbreakingspace", " "), ("exclam", "!"),
    ("quotedbl", "\""), ("numbersign", "#"), ("dollar", "$"), ("percent", "%"),
    ("ampersand", "&"), ("quotesingle", "'"), ("parenleft", "("), ("parenright", ")"),
    ("asterisk", "*"), ("plus", "+"), ("comma", ","), ("hyphen", "-"), ("sfthyphen", "-"),
    ("hyphenminus", "-"), ("minus", "\u{2212}"), ("period", "."), ("slash", "/"),
    ("zero", "0"), ("one", "1"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"),
    ("six", "6"), ("seven", "7"), ("eight", "8"), ("nine", "9"), ("colon", ":"),
    ("semicolon", ";"), ("less", "<"), ("equal", "="), ("greater", ">"), ("question", "?"),
    ("at", "@"), ("bracketleft", "["), ("backslash", "\\"), ("bracketright", "]"),
    ("asciicircum", "^"), ("underscore", "_"), ("grave", "`"), ("braceleft", "{"), ("bar", "|"),
    ("braceright", "}"), ("asciitilde", "~"), ("quoteleft", "‘"), ("quoteright", "’"),
    ("quotedblleft", "“"), ("quotedblright", "”"), ("quotedblbase", "„"),
    ("quotesinglbase", "‚"), ("guillemotleft", "«"), ("guillemotright", "»"),
    ("guilsinglleft", "‹"), ("guilsinglright", "›"), ("endash", "–"), ("emdash", "—"),
    ("bullet", "•"), ("periodcentered", "·"), ("middot", "·"), ("ellipsis", "…"),
    ("dagger", "†"), ("daggerdbl", "‡"), ("section", "§"), ("paragraph", "¶"),
    ("copyright", "©"), ("registered", "®"), ("trademark", "™"), ("degree", "°"),
    ("plusminus", "±"), ("multiply", "×"), ("divide", "÷"), ("fraction", "⁄"),
    ("onequarter", "¼"), ("onehalf", "½"), ("threequarters", "¾"), ("onesuperior", "¹"),
    ("twosuperior", "²"), ("threesuperior", "³"), ("ordfeminine", "ª"),
    ("ordmasculine", "º"), ("exclamdown", "¡"), ("questiondown", "¿"), ("Euro", "€"),
    ("euro", "€"), ("sterling", "£"), ("yen", "¥"), ("cent", "¢"), ("currency", "¤"),
    ("florin", "ƒ"), ("logicalnot", "¬"), ("brokenbar", "¦"), ("mu", "µ"), ("acute", "´"),
    ("dieresis", "¨"), ("cedilla", "¸"), ("macron", "¯"), ("circumflex", "ˆ"), ("tilde", "˜"),
    ("germandbls", "ß"), ("ae", "æ"), ("AE", "Æ"), ("oe", "œ"), ("OE", "Œ"), ("oslash", "ø"),
    ("Oslash", "Ø"), ("lslash", "ł"), ("Lslash", "Ł"), ("eth", "ð"), ("Eth", "Ð"),
    ("dcroat", "đ"), ("Dcroat", "Đ"), ("thorn", "þ"), ("Thorn", "Þ"), ("dotlessi", "ı"),
    ("Idotaccent", "İ"), ("perthousand", "‰"), ("fi", "fi"), ("fl", "fl"), ("ff", "ff"),
    ("ffi", "ffi"), ("ffl", "ffl"), ("f_i", "fi"), ("f_l", "fl"), ("f_f", "ff"),
    ("scedilla", "ş"), ("Scedilla", "Ş"), ("tcedilla", "ţ"), ("Tcedilla", "Ţ"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_names_and_what_is_no_name_has_no_letter() {
        for (name, text) in [
            ("A", "A"),
            ("nine", "9"),
            ("eacute", "é"),
            ("Zcaron", "Ž"),
            ("tcommaaccent", "ț"),
            ("uhungarumlaut", "ű"),
            ("uni20AC", "€"),
            ("u1F600", "😀"),
            ("one.tnum", "1"),
            ("ffi", "ffi"),
            ("minus", "\u{2212}"),
        ] {
            assert_eq!(letter(name).as_deref(), Some(text), "{name}");
        }
        for name in ["", ".notdef", "g17", "uniD800", "9acute", "nothing"] {
            assert_eq!(letter(name), None, "{name}");
        }
    }
}
