//! What a page draws: its letters, each with its place.

use std::collections::HashMap;
use std::rc::Rc;

use super::document::Document;
use super::error::{PdfError, Result};
use super::fixed::{Fixed, Matrix};
use super::font::Font;
use super::lexer::Lexer;
use super::limits::{FONTS_MAX, NESTED_MAX, PAGE_GLYPHS_MAX};
use super::object::{Dict, Object};

/// Operands of one operator.
const OPERANDS_MAX: usize = 10_000;

/// Pictures of one page that are noted.
const PAGE_PICTURES_MAX: usize = 1_000;

/// A letter of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glyph {
    pub(super) left: Fixed,
    pub(super) right: Fixed,
    /// How far above the lower edge of the page.
    pub(super) base: Fixed,
    /// The size of the font as it is drawn.
    pub(super) size: Fixed,
    pub(super) text: Box<str>,
    /// It is the first letter at a place that was set, so that a small gap before it counts.
    pub(super) is_placed: bool,
    /// Letters that aren't drawn belong to a picture of them.
    pub(super) is_drawn: bool,
}

/// Fonts that were loaded, by where their dictionary is.
#[derive(Debug, Default)]
pub(super) struct Fonts(HashMap<u32, Rc<Font>>);

/// What `q` keeps and `Q` brings back.
#[derive(Debug, Clone)]
struct State {
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: Fixed,
    letter_space: Fixed,
    word_space: Fixed,
    stretch: Fixed,
    leading: Fixed,
    rise: Fixed,
    is_drawn: bool,
}

/// Reads the operators of one page.
pub(super) struct Painter<'d, 'b> {
    document: &'d Document<'b>,
    fonts: &'d mut Fonts,
    state: State,
    kept: Vec<State>,
    /// Where the text and its line are.
    text: Matrix,
    line: Matrix,
    is_placed: bool,
    pub(super) glyphs: Vec<Glyph>,
    /// The numbers of pictures, in the order in which they are drawn.
    pub(super) pictures: Vec<u32>,
}

impl<'d, 'b> Painter<'d, 'b> {
    pub(super) fn new(document: &'d Document<'b>, fonts: &'d mut Fonts, matrix: Matrix) -> Self {
        let state = State {
            matrix,
            font: None,
            size: Fixed::ZERO,
            letter_space: Fixed::ZERO,
            word_space: Fixed::ZERO,
            stretch: Fixed::ONE,
            leading: Fixed::ZERO,
            rise: Fixed::ZERO,
            is_drawn: true,
        };
        let (text, line) = (Matrix::IDENTITY, Matrix::IDENTITY);
        let (kept, glyphs, pictures) = (Vec::new(), Vec::new(), Vec::new());
        Self { document, fonts, state, kept, text, line, is_placed: true, glyphs, pictures }
    }

    /// Reads operators until their end.
    pub(super) fn paint(&mut self, content: &[u8], resources: &Dict, depth: usize) -> Result<()> {
        if depth > NESTED_MAX {
            return Err(PdfError::TooComplex);
        }
        let mut lexer = Lexer::new(content, 0);
        let mut operands: Vec<Object> = Vec::new();
        while let Some(object) = lexer.next()? {
            self.document.work.take(4)?;
            let Object::Word(word) = object else {
                if operands.len() < OPERANDS_MAX {
                    operands.push(object);
                }
                continue;
            };
            match &word[..] {
                b"BI" => skip_picture(&mut lexer, content),
                b"Do" => self.form(&operands, resources, depth)?,
                b"Tf" => self.font(&operands, resources)?,
                word => self.operator(word, &operands)?,
            }
            operands.clear();
        }
        Ok(())
    }

    fn operator(&mut self, word: &[u8], operands: &[Object]) -> Result<()> {
        let number = |at: usize| operands.get(at).and_then(Object::number).unwrap_or_default();
        self.is_placed |= matches!(word, b"BT" | b"Td" | b"TD" | b"Tm" | b"T*" | b"'" | b"\"");
        match word {
            b"q" if self.kept.len() < 1_000 => self.kept.push(self.state.clone()),
            b"Q" => self.state = self.kept.pop().unwrap_or_else(|| self.state.clone()),
            b"cm" => {
                self.state.matrix = matrix(operands).then(self.state.matrix);
            }
            b"BT" => (self.text, self.line) = (Matrix::IDENTITY, Matrix::IDENTITY),
            b"Tc" => self.state.letter_space = number(0),
            b"Tw" => self.state.word_space = number(0),
            b"Tz" => self.state.stretch = number(0).part(1, 100),
            b"TL" => self.state.leading = number(0),
            b"Ts" => self.state.rise = number(0),
            b"Tr" => self.state.is_drawn = number(0) != Fixed::whole(3),
            b"Td" => self.move_line(number(0), number(1)),
            b"TD" => {
                self.state.leading = Fixed::ZERO.minus(number(1));
                self.move_line(number(0), number(1));
            }
            b"Tm" => {
                self.line = matrix(operands);
                self.text = self.line;
            }
            b"T*" => self.next_line(),
            b"Tj" => self.show(operands.first())?,
            b"'" => {
                self.next_line();
                self.show(operands.first())?;
            }
            b"\"" => {
                (self.state.word_space, self.state.letter_space) = (number(0), number(1));
                self.next_line();
                self.show(operands.get(2))?;
            }
            b"TJ" => {
                for item in operands.first().and_then(Object::array).unwrap_or_default() {
                    match item {
                        Object::Number(back) => {
                            let back = back.part(1, 1000).times(self.state.size);
                            self.advance(Fixed::ZERO.minus(back).times(self.state.stretch));
                        }
                        item => self.show(Some(item))?,
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn move_line(&mut self, x: Fixed, y: Fixed) {
        self.line = Matrix::moved(x, y).then(self.line);
        self.text = self.line;
    }

    fn next_line(&mut self) {
        self.move_line(Fixed::ZERO, Fixed::ZERO.minus(self.state.leading));
    }

    fn advance(&mut self, by: Fixed) {
        self.text = Matrix::moved(by, Fixed::ZERO).then(self.text);
    }

    fn show(&mut self, text: Option<&Object>) -> Result<()> {
        let (Some(Object::Text(bytes)), Some(font)) = (text, self.state.font.clone()) else {
            return Ok(());
        };
        font.read(bytes, |letter| {
            self.document.work.take(16)?;
            let State { size, stretch, letter_space, word_space, rise, .. } = self.state;
            let whole = self.text.then(self.state.matrix);
            let width = letter.width.times(size).times(stretch);
            let (left, base) = whole.point(Fixed::ZERO, rise);
            let (right, base_after) = whole.point(width, rise);
            let (_, top) = whole.point(Fixed::ZERO, rise.plus(size));
            let spaces = match letter.is_space_code {
                true => letter_space.plus(word_space),
                false => letter_space,
            };
            self.advance(width.plus(spaces.times(stretch)));
            // What is written upwards or downwards stands beside the page's text.
            let is_level = base.minus(base_after).abs() <= right.minus(left).abs().part(1, 10);
            if !is_level || right < left {
                return Ok(());
            }
            if self.glyphs.len() >= PAGE_GLYPHS_MAX {
                return Err(PdfError::TooComplex);
            }
            let (size, is_drawn) = (top.minus(base).abs(), self.state.is_drawn);
            let is_placed = std::mem::replace(&mut self.is_placed, false);
            let text = letter.text.into();
            self.glyphs.push(Glyph { left, right, base, size, text, is_placed, is_drawn });
            Ok(())
        })
    }

    fn font(&mut self, operands: &[Object], resources: &Dict) -> Result<()> {
        let [Object::Name(name), size] = operands else { return Ok(()) };
        self.state.size = size.number().unwrap_or_default();
        let document = self.document;
        let fonts = document.get(resources, "Font").dict();
        let Some(found) = fonts.and_then(|fonts| fonts.0.get(name)) else {
            self.state.font = None;
            return Ok(());
        };
        let Some(dict) = document.resolve(found).dict() else {
            self.state.font = None;
            return Ok(());
        };
        self.state.font = Some(match found {
            Object::Reference(number) => match self.fonts.0.get(number) {
                Some(font) => font.clone(),
                None => {
                    let font = Rc::new(Font::load(document, dict)?);
                    if self.fonts.0.len() >= FONTS_MAX {
                        return Err(PdfError::TooComplex);
                    }
                    self.fonts.0.insert(*number, font.clone());
                    font
                }
            },
            _ => Rc::new(Font::load(document, dict)?),
        });
        Ok(())
    }

    /// A part that is drawn at several places, with resources of its own.
    fn form(&mut self, operands: &[Object], resources: &Dict, depth: usize) -> Result<()> {
        let [Object::Name(name)] = operands else { return Ok(()) };
        let document = self.document;
        let parts = document.get(resources, "XObject").dict();
        let Some(part) = parts.and_then(|parts| parts.0.get(name)) else { return Ok(()) };
        let (reference, part) = (part, document.resolve(part));
        if let Object::Reference(number) = reference
            && part.dict().is_some_and(|dict| dict.is("Subtype", "Image"))
            && self.pictures.len() < PAGE_PICTURES_MAX
        {
            self.pictures.push(*number);
        }
        let Some(dict) = part.dict().filter(|dict| dict.is("Subtype", "Form")) else {
            return Ok(());
        };
        let (before, kept) = (self.state.clone(), std::mem::take(&mut self.kept));
        if let Some(items) = document.get(dict, "Matrix").array() {
            self.state.matrix = matrix(items).then(self.state.matrix);
        }
        let own = document.get(dict, "Resources").dict().unwrap_or(resources);
        let content = document.bytes_of(part)?;
        let result = self.paint(&content, own, depth + 1);
        (self.state, self.kept) = (before, kept);
        result
    }
}

fn matrix(operands: &[Object]) -> Matrix {
    let mut matrix = Matrix::IDENTITY;
    for (cell, operand) in matrix.0.iter_mut().zip(operands) {
        *cell = operand.number().unwrap_or_default();
    }
    matrix
}

/// A picture among the operators: everything up to its end.
fn skip_picture(lexer: &mut Lexer<'_>, content: &[u8]) {
    let rest = content.get(lexer.at..).unwrap_or_default();
    let is_end = |at: &usize| {
        let after = rest.get(at + 3).copied();
        rest[*at].is_ascii_whitespace() && after.is_none_or(|byte| byte.is_ascii_whitespace())
    };
    let ends = memchr::memmem::find_iter(rest, b"EI").filter_map(|at| at.checked_sub(1));
    let end = ends.filter(|at| rest.len() > *at).find(is_end);
    lexer.at += end.map_or(rest.len(), |at| at + 3);
}
