//! A picture of a page as a file: JPEG as it is, a fax as TIFF, all others as pixels in grey.

use super::super::document::Document;
use super::super::error::{PdfError, Result};
use super::super::limits::PIXELS_MAX;
use super::super::object::{Dict, Object};
use super::tiff::{self, Coding};

/// Smaller pictures are signs and stamps.
const WIDTH_MIN: u32 = 300;
const HEIGHT_MIN: u32 = 100;

/// A picture in a format that other programs read.
pub(super) struct File {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) content: Vec<u8>,
}

/// The picture with this number, if it is large enough for text.
pub(super) fn file(document: &Document<'_>, number: u32) -> Result<Option<File>> {
    let object = document.resolve(&Object::Reference(number)).clone();
    let Some(dict) = object.dict() else { return Ok(None) };
    let side = |name: &str| document.get(dict, name).whole().and_then(|it| u32::try_from(it).ok());
    let (Some(width), Some(height)) = (side("Width"), side("Height")) else { return Ok(None) };
    if width < WIDTH_MIN || height < HEIGHT_MIN {
        return Ok(None);
    }
    if u64::from(width) * u64::from(height) > PIXELS_MAX || width.max(height) > 60_000 {
        return Err(PdfError::TooComplex);
    }
    let (bytes, filter, parameters) = document.stored_picture(&object)?;
    let content = match filter.as_deref() {
        None => grey(document, dict, (width, height), &bytes)?,
        Some(b"DCTDecode" | b"DCT") => bytes,
        Some(b"CCITTFaxDecode" | b"CCF") => {
            let number =
                |name: &str| parameters.as_ref().and_then(|its| document.get(its, name).whole());
            let coding = match number("K").unwrap_or(0) {
                ..0 => Coding::Group4,
                k => Coding::Group3 { is_two_dimensional: k > 0 },
            };
            let columns = number("Columns").unwrap_or(1728);
            if columns != i64::from(width) {
                return Err(PdfError::UnknownFilter);
            }
            tiff::file(width, height, coding, &bytes).ok_or(PdfError::TooComplex)?
        }
        Some(_) => return Err(PdfError::UnknownFilter),
    };
    Ok(Some(File { width, height, content }))
}

/// How samples become grey.
enum Colours {
    /// So many samples of a pixel: one is grey, three are red, green and blue.
    Direct(usize),
    /// A sample is a place in a list of colours.
    Listed(Vec<u8>),
}

/// The pixels as a file of grey values (PGM).
fn grey(
    document: &Document<'_>,
    dict: &Dict,
    (width, height): (u32, u32),
    bytes: &[u8],
) -> Result<Vec<u8>> {
    let is_mask = *document.get(dict, "ImageMask") == Object::Bool(true);
    let bits = document.get(dict, "BitsPerComponent").index().unwrap_or(1);
    let bits = if is_mask { 1 } else { bits };
    if ![1, 2, 4, 8, 16].contains(&bits) {
        return Err(PdfError::UnknownFilter);
    }
    let colours = match is_mask {
        true => Colours::Direct(1),
        false => colours(document, document.get(dict, "ColorSpace"))?,
    };
    let turned = document.get(dict, "Decode").array().and_then(|ends| ends.first()?.whole());
    let is_turned = turned == Some(1);
    let samples = if let Colours::Direct(count) = colours { count } else { 1 };
    let (width, height) = (width as usize, height as usize);
    let row_bytes = (width * samples * bits).div_ceil(8);
    document.work.take(width * height)?;
    let mut file = format!("P5 {width} {height} 255\n").into_bytes();
    for row in 0..height {
        let row = bytes.get(row * row_bytes..(row + 1) * row_bytes).unwrap_or_default();
        let sample = |at: usize| {
            let bit = at * bits;
            let byte = usize::from(row.get(bit / 8).copied().unwrap_or(255));
            // Of sixteen bits the first eight are enough.
            let kept = bits.min(8);
            (byte >> (8 - kept - bit % 8)) & ((1 << kept) - 1)
        };
        let most = (1_usize << bits.min(8)) - 1;
        for pixel in 0..width {
            let value = match &colours {
                Colours::Direct(3) => {
                    let [red, green, blue] = [0, 1, 2].map(|part| sample(pixel * 3 + part));
                    (red * 30 + green * 59 + blue * 11) * 255 / (most * 100)
                }
                Colours::Direct(_) => sample(pixel) * 255 / most,
                Colours::Listed(list) => {
                    usize::from(list.get(sample(pixel)).copied().unwrap_or(255))
                }
            };
            let value = if is_turned { 255 - value.min(255) } else { value };
            file.push(u8::try_from(value).unwrap_or(255));
        }
    }
    Ok(file)
}

fn colours(document: &Document<'_>, space: &Object) -> Result<Colours> {
    let parts = space.array().unwrap_or(std::slice::from_ref(space));
    let part = |at: usize| parts.get(at).map_or(&Object::Null, |part| document.resolve(part));
    match part(0).name() {
        Some(b"DeviceGray" | b"CalGray" | b"G") => Ok(Colours::Direct(1)),
        Some(b"DeviceRGB" | b"CalRGB" | b"RGB") => Ok(Colours::Direct(3)),
        Some(b"ICCBased") => {
            let count = part(1).dict().and_then(|dict| document.get(dict, "N").index());
            count.filter(|count| [1, 3].contains(count)).map(Colours::Direct)
        }
        .ok_or(PdfError::UnknownFilter),
        Some(b"Indexed" | b"I") => {
            let Colours::Direct(count) = colours_of_list(document, part(1))? else {
                return Err(PdfError::UnknownFilter);
            };
            let list = match part(3) {
                Object::Text(list) => list.clone(),
                stream => document.bytes_of(stream)?,
            };
            let grey = |colour: &[u8]| match colour {
                [red, green, blue] => {
                    let [red, green, blue] = [red, green, blue].map(|part| u32::from(*part));
                    u8::try_from((red * 30 + green * 59 + blue * 11) / 100).unwrap_or(255)
                }
                other => other.first().copied().unwrap_or(255),
            };
            Ok(Colours::Listed(list.chunks(count).map(grey).collect()))
        }
        _ => Err(PdfError::UnknownFilter),
    }
}

/// The colours of a list, which is no list itself.
fn colours_of_list(document: &Document<'_>, space: &Object) -> Result<Colours> {
    let first = space.array().and_then(|parts| parts.first()).unwrap_or(space);
    match document.resolve(first).name() {
        Some(b"Indexed" | b"I") => Err(PdfError::UnknownFilter),
        _ => colours(document, space),
    }
}
