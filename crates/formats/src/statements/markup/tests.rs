use std::io::{self, Read};

use proptest::prelude::*;

use super::super::error::{Refusal, StatementError};
use super::super::limits::{ELEMENTS_NESTED_MAX, TOKEN_BYTES_MAX};
use super::{Strictness, Token, Tokens};

/// Delivers a text in pieces of a size.
struct Pieces<'t>(&'t [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(buffer.len());
        self.0.read(&mut buffer[..length])
    }
}

fn tokens(
    text: &[u8],
    piece: usize,
    strictness: Strictness,
) -> Result<Vec<String>, (u64, Refusal)> {
    let mut tokens = Tokens::new(Pieces(text, piece), strictness);
    let mut found: Vec<String> = Vec::new();
    loop {
        let token = match tokens.next() {
            Ok(Some(Token::Start { name, attributes })) => format!("<{name}{attributes}>"),
            Ok(Some(Token::End { name })) => format!("</{name}>"),
            Ok(Some(Token::Text(text))) => text.into_owned(),
            Ok(None) => return Ok(found),
            Err(StatementError::Refused { location, refusal }) => {
                return Err((location.line, refusal));
            }
            Err(error) => panic!("{error}"),
        };
        found.push(token);
    }
}

fn xml(text: &str) -> Result<Vec<String>, (u64, Refusal)> {
    tokens(text.as_bytes(), usize::MAX, Strictness::Xml)
}

fn sgml(text: &str) -> Vec<String> {
    tokens(text.as_bytes(), usize::MAX, Strictness::Sgml).unwrap()
}

#[test]
fn xml_is_read_tag_by_tag() {
    let text = "\u{feff}<?xml version='1.0'?>\n<!-- <no> -->\n<n:a x=\"1>2\" ><b/><c z='1'/>\
        T&amp;<![CDATA[<&amp;>]]>U</n:a >\n<!-- end -->\n";
    let expected =
        ["<a x=\"1>2\" >", "<b>", "</b>", "<c z='1'>", "</c>", "T&", "<&amp;>", "U", "</a>"];
    assert_eq!(xml(text).unwrap(), expected);
}

#[test]
fn broken_xml_is_refused_with_its_line() {
    let mismatch = |open: &str, closed: &str| Refusal::TagMismatch {
        open: open.to_owned(),
        closed: closed.to_owned(),
    };
    let cut = |what: &str| Refusal::CutOff { what: what.to_owned() };
    for (text, line, refusal) in [
        ("<a>\n<b></a>", 2, mismatch("b", "a")),
        ("<a>\n</a>\n</a>", 3, Refusal::NothingOpen { closed: "a".to_owned() }),
        ("<a>\n<b>text", 2, cut("<b>")),
        ("<a>\n<b", 2, cut("a tag")),
        ("<a>\n</b", 2, cut("a tag")),
        ("<a>\n<!-- never", 2, cut("a tag")),
        ("<a>\n<![CDATA[never", 2, cut("a tag")),
        ("<a>\r\n1 < 2</a>", 2, Refusal::BadTag),
        ("<a>\n<b c='>'", 2, cut("a tag")),
        ("<a></a>\n<b/>", 2, Refusal::AfterTheEnd),
        ("<a/>\ntext", 1, Refusal::AfterTheEnd),
        ("text<a/>", 1, Refusal::BadTag),
        ("<![CDATA[text]]><a/>", 1, Refusal::BadTag),
        ("<a>&nbsp;</a>", 1, Refusal::UnknownEntity { name: "nbsp".to_owned() }),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a>&b;</a>", 1, Refusal::DocumentType),
        ("<a><!ELEMENT b></a>", 1, Refusal::DocumentType),
        ("<a(b)/>", 1, Refusal::BadTag),
        ("</>", 1, Refusal::BadTag),
    ] {
        assert_eq!(xml(text), Err((line, refusal)), "{text}");
    }
}

#[test]
fn sgml_is_read_as_it_stands() {
    let text = "OFXHEADER:100\n\n<ofx><Memo>AT&T 1 < 2 &amp; 3<5\n<NAME>x</unknown><a.b/></OFX>";
    let expected = [
        "OFXHEADER:100\n\n",
        "<OFX>",
        "<MEMO>",
        "AT&T 1 < 2 & 3<5\n",
        "<NAME>",
        "x",
        "</UNKNOWN>",
        "<A.B>",
        "</A.B>",
        "</OFX>",
    ];
    assert_eq!(sgml(text), expected);
    assert_eq!(sgml("a<"), ["a<"]);
    let doctype = tokens(b"<!DOCTYPE x>", 9, Strictness::Sgml);
    assert_eq!(doctype, Err((1, Refusal::DocumentType)));
}

#[test]
fn what_is_larger_than_anything_of_a_bank_is_refused() {
    let deep = "<a>".repeat(ELEMENTS_NESTED_MAX + 1);
    assert_eq!(xml(&deep), Err((1, Refusal::TooDeep)));
    let long = TOKEN_BYTES_MAX * 2;
    for text in [
        format!("<a b=\"{}\">", "x".repeat(long)),
        format!("<a>{}</a>", "x".repeat(long)),
        format!("<{}", "x".repeat(long)),
        format!("<!--{}", "x".repeat(long)),
    ] {
        assert_eq!(xml(&text), Err((1, Refusal::TokenTooLong)));
    }
    let fits = format!("<a>{}</a>", "x".repeat(TOKEN_BYTES_MAX - 10));
    assert_eq!(xml(&fits).unwrap()[1].len(), TOKEN_BYTES_MAX - 10);
    assert_eq!(tokens(b"<a>\n\xFF</a>", 99, Strictness::Xml), Err((2, Refusal::NotUtf8)));
}

proptest! {
    /// How the source delivers its bytes changes nothing.
    #[test]
    fn pieces_change_nothing(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "<a>", "</a>", "<b x='>'>", "</b>", "<c/>", "<", ">", "&amp;", "&", "text", "\r\n",
                "<!-- c -->", "<![CDATA[", "]]>", "<?x?>", "ä€", "<!", "é<b", " ",
            ]),
            0..20,
        ),
        piece in 1_usize..9,
        is_xml: bool,
    ) {
        let text = parts.concat();
        let strictness = if is_xml { Strictness::Xml } else { Strictness::Sgml };
        let whole = tokens(text.as_bytes(), usize::MAX, strictness);
        prop_assert_eq!(tokens(text.as_bytes(), piece, strictness), whole);
    }
}
