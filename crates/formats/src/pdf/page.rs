//! The pages of a document, in their order.

use super::content::{Fonts, Glyph, Painter};
use super::document::Document;
use super::error::{PdfError, Result};
use super::fixed::{Fixed, Matrix};
use super::limits::{GLYPHS_MAX, NESTED_MAX, PAGES_MAX};
use super::object::{Dict, Object};

/// What pages take from those above them.
#[derive(Debug, Clone, Copy, Default)]
struct Inherited<'d> {
    resources: Option<&'d Dict>,
    rotate: i64,
}

/// What a page draws.
pub(super) struct Drawn {
    pub(super) glyphs: Vec<Glyph>,
    /// The numbers of its pictures.
    pub(super) pictures: Vec<u32>,
    /// It has text that isn't drawn beside text that is: a scanner's, below a stamp.
    pub(super) is_hidden: bool,
}

/// Reads the letters of all pages, and hands them on page by page.
pub(super) fn each_page(
    document: &Document<'_>,
    mut each: impl FnMut(Drawn) -> Result<()>,
) -> Result<()> {
    let mut pages = Vec::new();
    let root = document.get(document.catalog()?, "Pages");
    collect(document, root, Inherited::default(), 0, &mut pages)?;
    if pages.is_empty() {
        return Err(PdfError::Damaged("it has no pages"));
    }
    let (mut fonts, mut glyphs) = (Fonts::default(), 0);
    for (page, inherited) in pages {
        let found = drawn(document, &mut fonts, page, inherited)?;
        glyphs += found.glyphs.len();
        if glyphs > GLYPHS_MAX {
            return Err(PdfError::TooComplex);
        }
        each(found)?;
    }
    Ok(())
}

fn collect<'d>(
    document: &'d Document<'_>,
    node: &'d Object,
    inherited: Inherited<'d>,
    depth: usize,
    pages: &mut Vec<(&'d Dict, Inherited<'d>)>,
) -> Result<()> {
    document.work.take(64)?;
    if depth > NESTED_MAX {
        return Err(PdfError::TooComplex);
    }
    let Some(dict) = node.dict() else { return Ok(()) };
    let inherited = Inherited {
        resources: document.get(dict, "Resources").dict().or(inherited.resources),
        rotate: document.get(dict, "Rotate").whole().unwrap_or(inherited.rotate),
    };
    match document.get(dict, "Kids").array() {
        Some(kids) => {
            for kid in kids {
                collect(document, document.resolve(kid), inherited, depth + 1, pages)?;
            }
            Ok(())
        }
        None if pages.len() >= PAGES_MAX => Err(PdfError::TooManyPages),
        None => {
            pages.push((dict, inherited));
            Ok(())
        }
    }
}

fn drawn(
    document: &Document<'_>,
    fonts: &mut Fonts,
    page: &Dict,
    inherited: Inherited<'_>,
) -> Result<Drawn> {
    // The parts of a page are one text.
    let mut content = Vec::new();
    let parts = document.get(page, "Contents");
    for part in parts.array().unwrap_or(std::slice::from_ref(parts)) {
        let part = document.resolve(part);
        if *part != Object::Null {
            content.extend(document.bytes_of(part)?);
            content.push(b'\n');
        }
    }
    let none = Dict::default();
    let mut painter = Painter::new(document, fonts, turned(inherited.rotate));
    painter.paint(&content, inherited.resources.unwrap_or(&none), 0)?;
    let Painter { mut glyphs, pictures, .. } = painter;
    // Text that isn't drawn lies behind a picture, or nowhere.
    let has = |is_drawn: bool| {
        glyphs.iter().any(|glyph| glyph.is_drawn == is_drawn && !glyph.text.trim().is_empty())
    };
    let is_hidden = has(true) && has(false);
    if has(true) {
        glyphs.retain(|glyph| glyph.is_drawn);
    }
    Ok(Drawn { glyphs, pictures, is_hidden })
}

/// How a page is turned before it is shown. Where its corner is doesn't matter.
fn turned(degrees: i64) -> Matrix {
    let (zero, one, less) = (Fixed::ZERO, Fixed::ONE, Fixed::whole(-1));
    Matrix(match degrees.rem_euclid(360) {
        90 => [zero, less, one, zero, zero, zero],
        180 => [less, zero, zero, less, zero, zero],
        270 => [zero, one, less, zero, zero, zero],
        _ => return Matrix::IDENTITY,
    })
}
