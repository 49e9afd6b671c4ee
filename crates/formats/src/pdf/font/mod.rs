//! Fonts: which letters codes stand for, and how wide they are.

mod cmap;
mod names;
mod widths;

use std::collections::HashMap;

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

use super::document::Document;
use super::error::Result;
use super::fixed::Fixed;
use super::object::{Dict, Object};
use cmap::CodeMap;

/// A letter of which the document doesn't state which one it is.
pub(super) const UNKNOWN: &str = "\u{FFFD}";

/// A font of a document.
#[derive(Debug)]
pub(super) struct Font {
    /// Codes have two bytes.
    is_double: bool,
    to_unicode: Option<CodeMap>,
    /// The texts of codes of one byte.
    letters: Vec<Option<String>>,
    widths: HashMap<u32, Fixed>,
    usual_width: Fixed,
}

/// A code of a text, as a font understands it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter<'f> {
    pub(super) text: &'f str,
    /// In parts of the size of the font.
    pub(super) width: Fixed,
    /// The space of one byte, to which the spacing of words applies.
    pub(super) is_space_code: bool,
}

impl Font {
    pub(super) fn load(document: &Document<'_>, dict: &Dict) -> Result<Self> {
        let to_unicode = match document.get(dict, "ToUnicode") {
            stream @ Object::Stream(..) => {
                Some(CodeMap::read(&document.bytes_of(stream)?, &document.work)?)
            }
            _ => None,
        };
        let kind = document.get(dict, "Subtype").name().unwrap_or_default();
        let mut font = Self {
            is_double: kind == b"Type0",
            to_unicode,
            letters: Vec::new(),
            widths: HashMap::new(),
            usual_width: Fixed::ZERO,
        };
        if font.is_double {
            font.composite(document, dict)?;
        } else {
            font.simple(document, dict)?;
        }
        Ok(font)
    }

    /// The letters of a text, in their order.
    pub(super) fn read<'f>(
        &'f self,
        bytes: &[u8],
        mut each: impl FnMut(Letter<'f>) -> Result<()>,
    ) -> Result<()> {
        let length = if self.is_double { 2 } else { 1 };
        for code in bytes.chunks(length) {
            let number = code.iter().fold(0, |number, byte| (number << 8) | u32::from(*byte));
            let width = self.widths.get(&number).copied().unwrap_or(self.usual_width);
            let is_space_code = code == b" ";
            let known = self.to_unicode.as_ref().and_then(|map| map.text(number));
            let text = known.or_else(|| self.own_letter(number));
            each(Letter { text: text.unwrap_or(UNKNOWN), width, is_space_code })?;
        }
        Ok(())
    }

    fn own_letter(&self, number: u32) -> Option<&str> {
        let at = usize::try_from(number).ok()?;
        self.letters.get(at)?.as_deref()
    }

    fn simple(&mut self, document: &Document<'_>, dict: &Dict) -> Result<()> {
        let name = document.get(dict, "BaseFont").name().unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        self.letters = simple_letters(document, dict, &name);
        let descriptor = document.get(dict, "FontDescriptor").dict();
        let missing = descriptor.and_then(|dict| document.get(dict, "MissingWidth").number());
        self.usual_width = missing.unwrap_or(Fixed::ZERO).part(1, 1000);
        let scale = match document.get(dict, "FontMatrix").array() {
            Some([a, ..]) => a.number().unwrap_or(Fixed::ONE.part(1, 1000)),
            _ => Fixed::ONE.part(1, 1000),
        };
        if let Some(widths) = document.get(dict, "Widths").array() {
            let first = document.get(dict, "FirstChar").index().unwrap_or(0).min(255);
            document.work.take(widths.len())?;
            for (code, width) in (first..256).zip(widths) {
                let width = document.resolve(width).number().unwrap_or_default();
                self.widths.insert(u32::try_from(code).unwrap_or_default(), width.times(scale));
            }
        } else {
            for (code, text) in (0..).zip(&self.letters) {
                let letter = text.as_deref().and_then(|text| text.chars().next());
                let width = widths::standard_width(&name, letter.unwrap_or(' '));
                self.widths.insert(code, Fixed::whole(width).part(1, 1000));
            }
        }
        Ok(())
    }

    fn composite(&mut self, document: &Document<'_>, dict: &Dict) -> Result<()> {
        let encoding = document.get(dict, "Encoding").name().unwrap_or_default();
        let encoding = String::from_utf8_lossy(encoding);
        let is_utf16 = encoding.contains("UCS2") || encoding.contains("UTF16");
        // A table in the document may have codes of one byte alone.
        if let Some(map) = &self.to_unicode
            && map.has_single
            && !map.has_double
            && !encoding.contains("Identity")
        {
            self.is_double = false;
        }
        if is_utf16 {
            let letter = |code: u32| char::from_u32(code).map(String::from);
            self.letters = (0..=0xFFFF).map(letter).collect();
            document.work.take(0xFFFF)?;
        }
        self.usual_width = Fixed::ONE;
        let descendants = document.get(dict, "DescendantFonts").array().unwrap_or_default();
        let Some(child) = descendants.first().and_then(|one| document.resolve(one).dict()) else {
            return Ok(());
        };
        if let Some(width) = document.get(child, "DW").number() {
            self.usual_width = width.part(1, 1000);
        }
        self.composite_widths(document, document.get(child, "W").array().unwrap_or_default())
    }

    /// `[first [w w w] first last w]`
    fn composite_widths(&mut self, document: &Document<'_>, items: &[Object]) -> Result<()> {
        let mut items = items.iter().map(|item| document.resolve(item));
        while let Some(first) = items.next().and_then(Object::whole) {
            let first = u32::try_from(first).unwrap_or_default();
            match items.next() {
                Some(Object::Array(widths)) => {
                    document.work.take(widths.len())?;
                    for (code, width) in (first..=0xFFFF).zip(widths) {
                        let width = document.resolve(width).number().unwrap_or_default();
                        self.widths.insert(code, width.part(1, 1000));
                    }
                }
                Some(last) => {
                    let last = last.whole().and_then(|last| u32::try_from(last).ok());
                    let width = items.next().and_then(Object::number).unwrap_or_default();
                    let last = last.unwrap_or(first).min(0xFFFF);
                    document.work.take(last.saturating_sub(first) as usize)?;
                    for code in first..=last {
                        self.widths.insert(code, width.part(1, 1000));
                    }
                }
                None => break,
            }
        }
        Ok(())
    }
}

/// The texts of the codes of a font with codes of one byte.
fn simple_letters(document: &Document<'_>, dict: &Dict, name: &str) -> Vec<Option<String>> {
    let encoding = document.get(dict, "Encoding");
    let base = match encoding {
        Object::Name(base) => Some(&base[..]),
        Object::Dict(dict) => document.get(dict, "BaseEncoding").name(),
        _ => None,
    };
    // The letters of fonts with symbols are known only by their names.
    let is_symbolic = ["Symbol", "Dingbats", "CMSY", "CMMI", "CMEX"];
    let mut letters = if is_symbolic.iter().any(|symbols| name.contains(symbols)) {
        vec![None; 256]
    } else {
        match base {
            Some(b"MacRomanEncoding") => of_encoding(MACINTOSH),
            Some(b"WinAnsiEncoding") => of_encoding(WINDOWS_1252),
            _ => standard(),
        }
    };
    if name.contains("CMSY") {
        letters[0] = Some("\u{2212}".to_owned());
    }
    if let Object::Dict(dict) = encoding {
        let mut code = 0;
        for item in document.get(dict, "Differences").array().unwrap_or_default() {
            match document.resolve(item) {
                Object::Name(name) => {
                    if let Some(letter) = letters.get_mut(code) {
                        *letter = names::letter(&String::from_utf8_lossy(name));
                    }
                    code += 1;
                }
                number => code = number.index().unwrap_or(256),
            }
        }
    }
    letters
}

fn of_encoding(encoding: &'static Encoding) -> Vec<Option<String>> {
    let letter = |code: u8| {
        let bytes = [code];
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        (code >= 32).then(|| text.into_owned())
    };
    (0..=255).map(letter).collect()
}

/// The encoding of fonts that state none: ASCII with curved quotation marks, and some signs.
fn standard() -> Vec<Option<String>> {
    const SIGNS: &[(usize, &str)] = &[
        (0x27, "’"),
        (0x60, "‘"),
        (0xA1, "¡"),
        (0xA2, "¢"),
        (0xA3, "£"),
        (0xA4, "⁄"),
        (0xA5, "¥"),
        (0xA7, "§"),
        (0xA8, "¤"),
        (0xA9, "'"),
        (0xAA, "“"),
        (0xAB, "«"),
        (0xAE, "fi"),
        (0xAF, "fl"),
        (0xB1, "–"),
        (0xB4, "·"),
        (0xB7, "•"),
        (0xB8, "‚"),
        (0xB9, "„"),
        (0xBA, "”"),
        (0xBB, "»"),
        (0xBC, "…"),
        (0xBF, "¿"),
        (0xD0, "—"),
        (0xE1, "Æ"),
        (0xE9, "Ø"),
        (0xEA, "Œ"),
        (0xF1, "æ"),
        (0xF5, "ı"),
        (0xF8, "ł"),
        (0xF9, "ø"),
        (0xFA, "œ"),
        (0xFB, "ß"),
    ];
    let ascii = |code: u8| (32..127).contains(&code).then(|| char::from(code).to_string());
    let mut letters: Vec<Option<String>> = (0..=255).map(ascii).collect();
    for (code, text) in SIGNS {
        letters[*code] = Some((*text).to_owned());
    }
    letters
}
