//! The inside of JSON strings: escapes, surrogate pairs and UTF-8, across chunk borders.

/// Where in a string the reader is. Starts behind the opening quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Text {
    state: State,
    /// The start of a character that a chunk border cuts.
    partial: [u8; 4],
    partial_len: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Plain,
    /// After a backslash, so that the kind of the escape follows.
    Escape,
    /// Inside `\u`: digits so far, their value, and the first half of a pair.
    Hex { digits: u8, value: u32, high: Option<u32> },
    /// Behind the first half of a pair: the backslash of the second is due.
    Pair { high: u32 },
    /// The `u` of the second half is due.
    PairEscape { high: u32 },
}

/// What is wrong, and how many bytes before this step it began. A character that a chunk border
/// cuts is only found to be broken after the border, and the reported position must not depend on
/// the border.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) what: &'static str,
    pub(super) behind: usize,
}

impl From<&'static str> for Fault {
    fn from(what: &'static str) -> Self {
        Self { what, behind: 0 }
    }
}

/// How far a step came.
pub(super) enum Step<'c> {
    /// Bytes of text, and how many bytes of the chunk they took.
    Piece(&'c [u8], usize),
    /// A character that an escape or a chunk border made, and how many bytes it took.
    Char(char, usize),
    /// Bytes that are part of something not yet complete.
    More(usize),
    /// The closing quote was read.
    End,
}

impl Text {
    /// Takes some bytes of a chunk that isn't empty.
    pub(super) fn step<'c>(&mut self, chunk: &'c [u8]) -> Result<Step<'c>, Fault> {
        let Some(&first) = chunk.first() else { return Ok(Step::More(0)) };
        match self.state {
            State::Plain if self.partial_len > 0 => self.complete(chunk),
            State::Plain => self.plain(chunk),
            State::Escape => self.escape(first),
            State::Hex { digits, value, high } => self.hex(first, digits, value, high),
            State::Pair { high } => self.expect(first, b'\\', State::PairEscape { high }),
            State::PairEscape { high } => {
                self.expect(first, b'u', State::Hex { digits: 0, value: 0, high: Some(high) })
            }
        }
    }

    /// Text up to the next quote, backslash or control character. Good text before a bad byte is
    /// taken first, so that the error is at that byte.
    fn plain<'c>(&mut self, chunk: &'c [u8]) -> Result<Step<'c>, Fault> {
        let special = memchr::memchr2(b'"', b'\\', chunk).unwrap_or(chunk.len());
        let run = &chunk[..special];
        let run = run.iter().position(|byte| *byte < 0x20).map_or(run, |control| &run[..control]);
        match std::str::from_utf8(run) {
            Ok(_) if run.is_empty() => match chunk.first() {
                Some(b'"') => Ok(Step::End),
                Some(b'\\') => {
                    self.state = State::Escape;
                    Ok(Step::More(1))
                }
                _ => Err("a control character in a string".into()),
            },
            Ok(_) => Ok(Step::Piece(run, run.len())),
            Err(error) if error.valid_up_to() > 0 => {
                Ok(Step::Piece(&run[..error.valid_up_to()], error.valid_up_to()))
            }
            // Only the end of the chunk may cut a character, nothing else.
            Err(error) if error.error_len().is_none() && run.len() == chunk.len() => {
                self.partial[..run.len()].copy_from_slice(run);
                self.partial_len = run.len();
                Ok(Step::More(run.len()))
            }
            Err(_) => Err("invalid UTF-8".into()),
        }
    }

    /// One more byte of a character that was cut.
    fn complete<'c>(&mut self, chunk: &'c [u8]) -> Result<Step<'c>, Fault> {
        let fault = Fault { what: "invalid UTF-8", behind: self.partial_len };
        self.partial[self.partial_len] = chunk[0];
        let bytes = &self.partial[..=self.partial_len];
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let character = text.chars().next().ok_or(fault)?;
                self.partial_len = 0;
                Ok(Step::Char(character, 1))
            }
            Err(error) if error.error_len().is_none() => {
                self.partial_len += 1;
                Ok(Step::More(1))
            }
            Err(_) => Err(fault),
        }
    }

    fn escape(&mut self, byte: u8) -> Result<Step<'static>, Fault> {
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.state = State::Hex { digits: 0, value: 0, high: None };
                return Ok(Step::More(1));
            }
            _ => return Err("an unknown escape".into()),
        };
        self.state = State::Plain;
        Ok(Step::Char(character, 1))
    }

    fn hex(
        &mut self,
        byte: u8,
        digits: u8,
        value: u32,
        high: Option<u32>,
    ) -> Result<Step<'static>, Fault> {
        let digit = char::from(byte).to_digit(16).ok_or("an escape without four digits")?;
        let value = value << 4 | digit;
        if digits < 3 {
            self.state = State::Hex { digits: digits + 1, value, high };
            return Ok(Step::More(1));
        }
        let code = match (high, value) {
            (None, 0xD800..=0xDBFF) => {
                self.state = State::Pair { high: value };
                return Ok(Step::More(1));
            }
            (Some(high), 0xDC00..=0xDFFF) => 0x10000 + ((high - 0xD800) << 10) + (value - 0xDC00),
            (None, value) => value,
            (Some(_), _) => return Err("half of a surrogate pair".into()),
        };
        self.state = State::Plain;
        let character = char::from_u32(code).ok_or("half of a surrogate pair")?;
        Ok(Step::Char(character, 1))
    }

    fn expect(&mut self, byte: u8, expected: u8, next: State) -> Result<Step<'static>, Fault> {
        if byte != expected {
            return Err("half of a surrogate pair".into());
        }
        self.state = next;
        Ok(Step::More(1))
    }
}
