//! The automaton: where in the document the reader is, and where values go.

use super::number::Number;
use super::text::{Fault, Step, Text};
use super::{
    CONTENT_FIELD, Content, DEPTH_MAX, FIELD_BYTES_MAX, FIELDS_BYTES_MAX, FIELDS_MAX, Fields,
    Scalar, UploadError,
};

/// Decoded content is handed to the sink in pieces of about this size.
const PIECE_BYTES: usize = 64 * 1024;

/// Reads one JSON object, pushed in chunks of any size.
#[derive(Debug)]
pub struct JsonUpload {
    state: State,
    /// The objects and arrays that are open, `{` or `[`.
    open: Vec<u8>,
    position: u64,
    /// The name of the field of which the value is read, and the text of a name or value.
    field: String,
    text: Vec<u8>,
    /// Decoded content on its way to the sink.
    piece: Vec<u8>,
    kept_bytes: usize,
    has_content: bool,
    fields: Fields,
}

/// What the parser expects next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The start of the object.
    Start,
    /// A value, or the end of an empty array.
    ValueOrEnd,
    Value,
    /// A name, or the end of an empty object.
    NameOrEnd,
    Name,
    Colon,
    CommaOrEnd,
    /// Nothing but white space.
    Done,
    Text(Text, Target),
    Number(Number, Target),
    /// `true`, `false` or `null`, and how much of it has been read.
    Literal(&'static str, usize, Target),
}

/// Where a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// The name of a field.
    Name,
    /// The value of a field.
    Field,
    /// The value of `raw_file_content`, which goes to the sink.
    Content,
    /// A value inside a nested one, which is dropped.
    Skip,
    /// A name inside a nested value, which is dropped.
    SkippedName,
}

impl Default for JsonUpload {
    fn default() -> Self {
        Self::new()
    }
}

impl JsonUpload {
    /// A reader before the first byte.
    pub fn new() -> Self {
        Self {
            state: State::Start,
            open: Vec::new(),
            position: 0,
            field: String::new(),
            text: Vec::new(),
            piece: Vec::new(),
            kept_bytes: 0,
            has_content: false,
            fields: Fields::default(),
        }
    }

    /// Takes the next bytes. After an error the reader is of no further use.
    pub fn push<E>(
        &mut self,
        mut chunk: &[u8],
        mut sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), UploadError<E>> {
        while let Some(&byte) = chunk.first() {
            let taken = match self.state {
                State::Text(text, target) => self.in_text(text, target, chunk, &mut sink)?,
                State::Number(number, target) => match number.next(byte) {
                    Some(next) => {
                        self.state = State::Number(next, target);
                        self.keep(&[byte], target)?;
                        1
                    }
                    None => {
                        self.end_number(number, target)?;
                        0
                    }
                },
                State::Literal(word, read, target) => {
                    self.in_literal(word, read, target, byte)?;
                    1
                }
                _ => {
                    self.between(byte)?;
                    1
                }
            };
            self.position += taken as u64;
            chunk = &chunk[taken..];
        }
        Ok(())
    }

    /// What was read, once everything has been pushed. What the sink has not got yet it gets now.
    pub fn finish<E>(
        mut self,
        mut sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Fields, UploadError<E>> {
        match self.state {
            State::Done => {
                self.flush(&mut sink)?;
                Ok(self.fields)
            }
            _ => self.syntax("the end"),
        }
    }

    fn syntax<T, E>(&self, what: &'static str) -> Result<T, UploadError<E>> {
        Err(UploadError::Syntax { what, position: self.position })
    }

    fn flush<E>(
        &mut self,
        sink: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), UploadError<E>> {
        if !self.piece.is_empty() {
            sink(&self.piece).map_err(UploadError::Sink)?;
            self.piece.clear();
        }
        Ok(())
    }

    /// Punctuation, white space, and the first byte of a value.
    fn between<E>(&mut self, byte: u8) -> Result<(), UploadError<E>> {
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            return Ok(());
        }
        match (self.state, byte) {
            (State::Start, b'{') => self.enter(byte),
            (State::Start, _) => Err(UploadError::NotAnObject),
            (State::NameOrEnd, b'}') | (State::ValueOrEnd, b']') => {
                self.leave();
                Ok(())
            }
            (State::NameOrEnd | State::Name, b'"') => {
                let target = if self.open.len() == 1 { Target::Name } else { Target::SkippedName };
                self.text.clear();
                self.state = State::Text(Text::default(), target);
                Ok(())
            }
            (State::Colon, b':') => {
                self.state = State::Value;
                Ok(())
            }
            (State::Value | State::ValueOrEnd, _) => self.value(byte),
            (State::CommaOrEnd, b',') => {
                let in_object = self.open.last() == Some(&b'{');
                self.state = if in_object { State::Name } else { State::Value };
                Ok(())
            }
            (State::CommaOrEnd, b'}' | b']') if self.open.last() == Some(&opening(byte)) => {
                self.leave();
                Ok(())
            }
            _ => self.syntax("an unexpected character"),
        }
    }

    fn enter<E>(&mut self, byte: u8) -> Result<(), UploadError<E>> {
        if self.open.len() >= DEPTH_MAX {
            return self.syntax("too deep a nesting");
        }
        self.open.push(byte);
        self.state = if byte == b'{' { State::NameOrEnd } else { State::ValueOrEnd };
        Ok(())
    }

    fn leave(&mut self) {
        self.open.pop();
        self.state = if self.open.is_empty() { State::Done } else { State::CommaOrEnd };
    }
}

impl JsonUpload {
    /// The first byte of a value.
    fn value<E>(&mut self, byte: u8) -> Result<(), UploadError<E>> {
        let is_field = self.open.len() == 1;
        let target = if is_field { Target::Field } else { Target::Skip };
        self.text.clear();
        self.state = match byte {
            b'"' if is_field && self.field == CONTENT_FIELD => {
                self.fields.content = Content::Text(0);
                State::Text(Text::default(), Target::Content)
            }
            b'"' => State::Text(Text::default(), target),
            b't' => State::Literal("true", 1, target),
            b'f' => State::Literal("false", 1, target),
            b'n' => State::Literal("null", 1, target),
            b'{' | b'[' => {
                if is_field {
                    self.store(Scalar::Compound)?;
                }
                return self.enter(byte);
            }
            _ => match Number::start(byte) {
                Some(number) => {
                    self.keep(&[byte], target)?;
                    State::Number(number, target)
                }
                None => return self.syntax("an unexpected character"),
            },
        };
        Ok(())
    }

    fn in_literal<E>(
        &mut self,
        word: &'static str,
        read: usize,
        target: Target,
        byte: u8,
    ) -> Result<(), UploadError<E>> {
        if word.as_bytes().get(read) != Some(&byte) {
            return self.syntax("an unexpected character");
        }
        self.state = State::Literal(word, read + 1, target);
        if read + 1 < word.len() {
            return Ok(());
        }
        self.state = State::CommaOrEnd;
        match (target, word) {
            (Target::Field, "null") => self.store(Scalar::Null),
            (Target::Field, word) => self.store(Scalar::Bool(word == "true")),
            _ => Ok(()),
        }
    }

    fn end_number<E>(&mut self, number: Number, target: Target) -> Result<(), UploadError<E>> {
        if !number.is_complete() {
            return self.syntax("an incomplete number");
        }
        self.state = State::CommaOrEnd;
        if target != Target::Field {
            return Ok(());
        }
        let text = self.take_text()?;
        self.store(Scalar::Number(text))
    }

    /// One step inside a string; how many bytes it took.
    fn in_text<E>(
        &mut self,
        mut text: Text,
        target: Target,
        chunk: &[u8],
        sink: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<usize, UploadError<E>> {
        let step = match text.step(chunk) {
            Ok(step) => step,
            Err(Fault { what, behind }) => {
                let position = self.position - behind as u64;
                return Err(UploadError::Syntax { what, position });
            }
        };
        self.state = State::Text(text, target);
        match step {
            Step::More(taken) => Ok(taken),
            Step::Piece(piece, taken) => {
                self.emit(piece, target, sink)?;
                Ok(taken)
            }
            Step::Char(character, taken) => {
                self.emit(character.encode_utf8(&mut [0; 4]).as_bytes(), target, sink)?;
                Ok(taken)
            }
            Step::End => {
                self.end_text(target)?;
                Ok(1)
            }
        }
    }

    fn emit<E>(
        &mut self,
        bytes: &[u8],
        target: Target,
        sink: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), UploadError<E>> {
        if target != Target::Content {
            return self.keep(bytes, target);
        }
        if let Content::Text(length) = &mut self.fields.content {
            *length += bytes.len() as u64;
        }
        if bytes.len() >= PIECE_BYTES {
            self.flush(sink)?;
            return sink(bytes).map_err(UploadError::Sink);
        }
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES { self.flush(sink) } else { Ok(()) }
    }

    fn end_text<E>(&mut self, target: Target) -> Result<(), UploadError<E>> {
        self.state = State::CommaOrEnd;
        match target {
            Target::Name => {
                self.state = State::Colon;
                self.field = self.take_text()?;
                let again = if self.field == CONTENT_FIELD {
                    std::mem::replace(&mut self.has_content, true)
                } else {
                    self.fields.values.contains_key(&self.field)
                };
                if again {
                    return Err(UploadError::Twice(std::mem::take(&mut self.field)));
                }
            }
            Target::SkippedName => self.state = State::Colon,
            Target::Field => {
                let text = self.take_text()?;
                self.store(Scalar::Text(text))?;
            }
            Target::Content | Target::Skip => {}
        }
        Ok(())
    }

    /// Keeps bytes of a name or a value, as long as they are few.
    fn keep<E>(&mut self, bytes: &[u8], target: Target) -> Result<(), UploadError<E>> {
        if !matches!(target, Target::Name | Target::Field) {
            return Ok(());
        }
        if self.text.len() + bytes.len() > FIELD_BYTES_MAX {
            return Err(UploadError::TooLarge("a field that is too long"));
        }
        self.text.extend_from_slice(bytes);
        Ok(())
    }

    /// The text that was kept. Its pieces were valid UTF-8, each by itself.
    fn take_text<E>(&mut self) -> Result<String, UploadError<E>> {
        match String::from_utf8(std::mem::take(&mut self.text)) {
            Ok(text) => Ok(text),
            Err(_) => self.syntax("invalid UTF-8"),
        }
    }

    fn store<E>(&mut self, value: Scalar) -> Result<(), UploadError<E>> {
        let field = std::mem::take(&mut self.field);
        if field == CONTENT_FIELD {
            let is_null = value == Scalar::Null;
            self.fields.content = if is_null { Content::Missing } else { Content::NotText };
            return Ok(());
        }
        self.kept_bytes += field.len();
        if let Scalar::Text(text) | Scalar::Number(text) = &value {
            self.kept_bytes += text.len();
        }
        if self.kept_bytes > FIELDS_BYTES_MAX {
            return Err(UploadError::TooLarge("fields that are too long together"));
        }
        self.fields.values.insert(field, value);
        if self.fields.values.len() > FIELDS_MAX {
            return Err(UploadError::TooLarge("too many fields"));
        }
        Ok(())
    }
}

fn opening(closing: u8) -> u8 {
    if closing == b'}' { b'{' } else { b'[' }
}
