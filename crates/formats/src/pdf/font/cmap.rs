//! Tables in documents that state which text the codes of a font stand for.

use std::collections::HashMap;

use super::super::error::Result;
use super::super::lexer::Lexer;
use super::super::object::Object;
use super::super::work::Work;

/// Codes of a font that are kept.
const CODES_MAX: usize = 70_000;

/// What the codes of a font stand for.
#[derive(Debug, Clone, Default)]
pub(super) struct CodeMap {
    texts: HashMap<u32, String>,
    /// Whether codes of one byte, and of two, are in the table.
    pub(super) has_single: bool,
    pub(super) has_double: bool,
}

impl CodeMap {
    pub(super) fn read(bytes: &[u8], work: &Work) -> Result<Self> {
        let mut map = Self::default();
        let mut lexer = Lexer::new(bytes, 0);
        // What stands before an operator, since the one before it.
        let mut operands: Vec<Object> = Vec::new();
        while let Some(object) = lexer.next()? {
            work.take(8)?;
            let Object::Word(word) = object else {
                if operands.len() < CODES_MAX {
                    operands.push(object);
                }
                continue;
            };
            match &word[..] {
                b"endcodespacerange" => map.code_space(&operands),
                b"endbfchar" => map.singles(&operands),
                b"endbfrange" => map.ranges(&operands, work)?,
                _ => {}
            }
            operands.clear();
        }
        Ok(map)
    }

    pub(super) fn text(&self, code: u32) -> Option<&str> {
        self.texts.get(&code).map(String::as_str)
    }

    fn code_space(&mut self, operands: &[Object]) {
        for operand in operands {
            if let Object::Text(bytes) = operand {
                self.has_single |= bytes.len() == 1;
                self.has_double |= bytes.len() == 2;
            }
        }
    }

    fn singles(&mut self, operands: &[Object]) {
        for pair in operands.chunks_exact(2) {
            if let [Object::Text(code), Object::Text(text)] = pair {
                self.put(number(code), utf16(text));
            }
        }
    }

    fn ranges(&mut self, operands: &[Object], work: &Work) -> Result<()> {
        for range in operands.chunks_exact(3) {
            let [Object::Text(first), Object::Text(last), target] = range else { continue };
            let (first, last) = (number(first), number(last));
            if first > last || last - first > 0xFFFF {
                continue;
            }
            work.take(usize::try_from(last - first).unwrap_or(usize::MAX))?;
            for code in first..=last {
                let step = code - first;
                let text = match target {
                    Object::Text(bytes) => utf16(bytes).map(|text| stepped(&text, step)),
                    Object::Array(items) => {
                        let item = usize::try_from(step).ok().and_then(|at| items.get(at));
                        match item {
                            Some(Object::Text(bytes)) => utf16(bytes),
                            _ => None,
                        }
                    }
                    _ => None,
                };
                self.put(code, text);
            }
        }
        Ok(())
    }

    fn put(&mut self, code: u32, text: Option<String>) {
        if let Some(text) = text
            && self.texts.len() < CODES_MAX
            && text.len() <= 64
        {
            self.texts.insert(code, text);
        }
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, byte| (number << 8) | u32::from(*byte))
}

fn utf16(bytes: &[u8]) -> Option<String> {
    if let [only] = bytes {
        return Some(char::from(*only).to_string());
    }
    let units = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).collect::<std::result::Result<String, _>>().ok()
}

/// The text with its last letter so many places further on.
fn stepped(text: &str, step: u32) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    if let Some(last) = chars.last_mut() {
        *last = char::from_u32(u32::from(*last).saturating_add(step)).unwrap_or('\u{FFFD}');
    }
    chars.into_iter().collect()
}
