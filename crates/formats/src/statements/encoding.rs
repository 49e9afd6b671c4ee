//! Which encoding a file of statements has: what it claims, and what its bytes show.
//!
//! Claims are often wrong: programs copy a header and write another encoding. A byte-order mark
//! decides; else text that is UTF-8 and isn't ASCII alone is UTF-8, because hardly anything else
//! looks like it; else the claim; else the guess of [`crate::decode`].

use encoding_rs::{Encoding as Known, UTF_8 as KNOWN_UTF_8};

use crate::decode::{DecodeError, Encoding, UTF_8};

/// The encoding that a file has, and whether it claims another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenEncoding {
    /// The encoding to read it with.
    pub encoding: Encoding,
    /// The encoding that the file claims, if its bytes show that it can't be.
    pub wrong_claim: Option<&'static str>,
}

/// Chooses between the claim in a file's head and what [`crate::decode::detect`] found in it.
pub fn choose(
    head: &[u8],
    detected: Result<Encoding, DecodeError>,
) -> Result<ChosenEncoding, DecodeError> {
    let claim = claimed(head);
    let detected = match (detected, claim) {
        // Text with a few bytes that aren't UTF-8 is broken, unless the file claims another one.
        (Err(DecodeError::Unmappable { .. }), Some(claim)) if claim != KNOWN_UTF_8 => {
            Encoding { name: claim.name(), bom_len: 0, certain: false }
        }
        (detected, _) => detected?,
    };
    let as_it_is = |wrong_claim| Ok(ChosenEncoding { encoding: detected, wrong_claim });
    let Some(claim) = claim else { return as_it_is(None) };
    if claim.name() == detected.name {
        return as_it_is(None);
    }
    let is_marked = detected.bom_len > 0;
    let is_wide = detected.name.starts_with("UTF-16");
    if detected.name == UTF_8 || is_marked || is_wide {
        // ASCII alone is the same in all of them.
        let is_a_difference = is_marked || is_wide || !head.is_ascii();
        return as_it_is(Some(claim.name()).filter(|_| is_a_difference));
    }
    if claim == KNOWN_UTF_8 || !claim.is_ascii_compatible() {
        return as_it_is(Some(claim.name()));
    }
    let encoding = Encoding { name: claim.name(), bom_len: 0, certain: true };
    Ok(ChosenEncoding { encoding, wrong_claim: None })
}

/// The encoding in the declaration of XML, or in the header of OFX 1.
pub fn claimed(head: &[u8]) -> Option<&'static Known> {
    let head = &head[..head.len().min(1024)];
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("<?xml") {
        let declaration = text.split("?>").next()?;
        let after = declaration.split("encoding").nth(1)?.trim_start().strip_prefix('=')?;
        let label = after.trim_start().split(['"', '\'']).nth(1)?;
        return Known::for_label(label.trim().as_bytes());
    }
    if !text.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("OFXHEADER")) {
        return None;
    }
    let header = text.split('<').next()?;
    let value = |name: &str| {
        let at = header.find(name)? + name.len();
        let value = header[at..].split(|c: char| c.is_whitespace()).next()?;
        // Some write the whole header as one line.
        Some(value.split("CHARSET:").next()?.split("COMPRESSION:").next()?.to_ascii_uppercase())
    };
    let encoding = value("ENCODING:").unwrap_or_default();
    if ["UNICODE", "UTF-8", "UTF8"].contains(&encoding.as_str()) {
        return Some(KNOWN_UTF_8);
    }
    let charset = value("CHARSET:")?;
    let number = charset.bytes().all(|byte| byte.is_ascii_digit());
    let label = match charset.as_str() {
        "8859-1" => "iso-8859-1".to_owned(),
        _ if number && charset.starts_with("125") => format!("windows-{charset}"),
        "932" => "shift_jis".to_owned(),
        "936" => "gbk".to_owned(),
        "949" => "euc-kr".to_owned(),
        "950" => "big5".to_owned(),
        "65001" => "utf-8".to_owned(),
        _ => charset,
    };
    Known::for_label(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::detect;

    const OFX: &str = "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\n\
        ENCODING:USASCII\r\nCHARSET:1252\r\nCOMPRESSION:NONE\r\n\r\n<OFX>";

    fn chosen(file: &[u8]) -> (&'static str, Option<&'static str>) {
        let chosen = choose(file, detect(&mut &file[..])).unwrap();
        (chosen.encoding.name, chosen.wrong_claim)
    }

    fn written(head: &str, text: &str, label: &str) -> Vec<u8> {
        let known = Known::for_label(label.as_bytes()).unwrap();
        let (bytes, _, failed) = known.encode(text);
        assert!(!failed);
        [head.as_bytes(), &bytes].concat()
    }

    #[test]
    fn claims_are_found_where_the_formats_have_them() {
        for (head, name) in [
            (OFX, Some("windows-1252")),
            ("OFXHEADER:100 DATA:OFXSGML ENCODING:UNICODE CHARSET:NONE <OFX>", Some("UTF-8")),
            (
                "OFXHEADER:100DATA:OFXSGMLENCODING:USASCIICHARSET:1250COMPRESSION:NONE",
                Some("windows-1250"),
            ),
            ("ofxheader:100\nENCODING:USASCII\nCHARSET:NONE\n", None),
            ("<?xml version='1.0' encoding = 'ISO-8859-2' ?>", Some("ISO-8859-2")),
            ("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>", Some("UTF-8")),
            ("<?xml version='1.0'?><a encoding='x'/>", None),
            (":20:ENCODING:", None),
        ] {
            assert_eq!(claimed(head.as_bytes()).map(Known::name), name, "{head}");
        }
    }

    #[test]
    fn bytes_decide_where_they_contradict_the_claim() {
        let text = "Müller Straße naïve café";
        let xml = |label: &str| format!("<?xml version='1.0' encoding='{label}'?>");
        for (head, label, expected) in [
            (OFX.to_owned(), "windows-1252", ("windows-1252", None)),
            (OFX.to_owned(), "utf-8", ("UTF-8", Some("windows-1252"))),
            (xml("UTF-8"), "utf-8", ("UTF-8", None)),
            (xml("UTF-8"), "windows-1252", ("windows-1252", Some("UTF-8"))),
            (xml("iso-8859-15"), "iso-8859-15", ("ISO-8859-15", None)),
            (xml("unknown"), "windows-1252", ("windows-1252", None)),
        ] {
            assert_eq!(chosen(&written(&head, text, label)), expected, "{head}");
        }
        assert_eq!(chosen(OFX.as_bytes()), ("UTF-8", None));
        let marked = ["\u{feff}", OFX, text].concat();
        assert_eq!(chosen(marked.as_bytes()), ("UTF-8", Some("windows-1252")));
        // A claim is also needed where statistics know nothing.
        let polish = "Zażółć gęślą jaźń";
        let claimed = written(&xml("windows-1250"), polish, "windows-1250");
        assert_eq!(chosen(&claimed), ("windows-1250", None));
    }
}
