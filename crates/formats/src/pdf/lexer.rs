//! Text of a document as objects, one after the other.

use super::error::{PdfError, Result};
use super::fixed::Fixed;
use super::limits::NESTED_MAX;
use super::object::{Dict, Object};

/// Reads objects from bytes. What can't be read as an object is a word.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'b> {
    bytes: &'b [u8],
    pub(super) at: usize,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

impl<'b> Lexer<'b> {
    pub(super) fn new(bytes: &'b [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self.peek().is_some_and(|byte| !matches!(byte, b'\r' | b'\n')) {
                    self.at += 1;
                }
            } else if is_space(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// The next object; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Object>> {
        self.object(0)
    }

    fn object(&mut self, depth: usize) -> Result<Option<Object>> {
        if depth > NESTED_MAX {
            return Err(PdfError::TooComplex);
        }
        self.skip_space();
        let Some(byte) = self.peek() else { return Ok(None) };
        self.at += 1;
        Ok(Some(match byte {
            b'(' => Object::Text(self.text()),
            b'/' => Object::Name(self.name()),
            b'<' if self.peek() == Some(b'<') => {
                self.at += 1;
                self.dict(depth)?
            }
            b'<' => Object::Text(self.hex_text()),
            b'[' => self.array(depth)?,
            b'>' if self.peek() == Some(b'>') => {
                self.at += 1;
                Object::Word(b">>".to_vec())
            }
            b']' | b'{' | b'}' | b')' | b'>' => Object::Word(vec![byte]),
            _ => self.plain(),
        }))
    }

    /// A number, a reference or a word.
    fn plain(&mut self) -> Object {
        let start = self.at - 1;
        let is_part = |byte: u8| !is_space(byte) && !is_delimiter(byte);
        while self.peek().is_some_and(is_part) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        if let Some(number) = Fixed::parse(word) {
            return self.reference(number).unwrap_or(Object::Number(number));
        }
        match word {
            b"true" => Object::Bool(true),
            b"false" => Object::Bool(false),
            b"null" => Object::Null,
            _ => Object::Word(word.to_vec()),
        }
    }

    /// `12 0 R`, of which the first number was read.
    fn reference(&mut self, number: Fixed) -> Option<Object> {
        let number = number.to_whole().and_then(|number| u32::try_from(number).ok())?;
        let rest = self.bytes.get(self.at..)?;
        let rest = rest.get(..rest.len().min(16))?;
        let spaces = rest.iter().take_while(|byte| is_space(**byte)).count();
        let digits = rest[spaces..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let more = rest[spaces + digits..].iter().take_while(|byte| is_space(**byte)).count();
        let end = spaces + digits + more;
        let is_end = rest.get(end + 1).is_none_or(|byte| is_space(*byte) || is_delimiter(*byte));
        if spaces == 0 || digits == 0 || more == 0 || rest.get(end) != Some(&b'R') || !is_end {
            return None;
        }
        self.at += end + 1;
        Some(Object::Reference(number))
    }

    fn text(&mut self) -> Vec<u8> {
        let (mut text, mut open) = (Vec::new(), 1);
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                }
                b'\\' => {
                    self.escape(&mut text);
                    continue;
                }
                _ => {}
            }
            text.push(byte);
        }
        text
    }

    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        match byte {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'\n' => {}
            b'0'..=b'7' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    value = value * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                text.push(value.to_le_bytes()[0]);
            }
            _ => text.push(byte),
        }
    }

    fn hex_text(&mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'>' {
                break;
            }
            digits.extend(hex(byte));
        }
        digits.chunks(2).map(|pair| pair[0] * 16 + pair.get(1).copied().unwrap_or(0)).collect()
    }

    fn name(&mut self) -> Vec<u8> {
        let mut name = Vec::new();
        while let Some(byte) = self.peek().filter(|byte| !is_space(*byte) && !is_delimiter(*byte)) {
            self.at += 1;
            let code = self.bytes.get(self.at..self.at + 2).filter(|_| byte == b'#');
            match code.and_then(|code| hex(code[0]).zip(hex(code[1]))) {
                Some((high, low)) => {
                    name.push(high * 16 + low);
                    self.at += 2;
                }
                None => name.push(byte),
            }
        }
        name
    }

    fn array(&mut self, depth: usize) -> Result<Object> {
        let mut items = Vec::new();
        while let Some(item) = self.object(depth + 1)? {
            match item {
                Object::Word(word) if word == b"]" => break,
                // An array that isn't closed ends with the object.
                Object::Word(word) if word == b"endobj" => break,
                item => items.push(item),
            }
        }
        Ok(Object::Array(items))
    }

    fn dict(&mut self, depth: usize) -> Result<Object> {
        let mut dict = Dict::default();
        while let Some(key) = self.object(depth + 1)? {
            match key {
                Object::Name(name) => {
                    let Some(value) = self.object(depth + 1)? else { break };
                    if matches!(&value, Object::Word(word) if word == b">>") {
                        break;
                    }
                    dict.0.insert(name, value);
                }
                Object::Word(word) if matches!(&word[..], b">>" | b"endobj" | b"stream") => break,
                _ => {}
            }
        }
        Ok(Object::Dict(dict))
    }
}
