//! A picture of a page as grey pixels, whatever it is stored as.

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::super::document::Document;
use super::super::error::{PdfError, Result};
use super::super::limits::{PIXELS_MAX, SCAN_WIDTH_MIN};
use super::super::object::{Dict, Object};

/// Smaller pictures are signs and stamps.
const WIDTH_MIN: u32 = 300;
const HEIGHT_MIN: u32 = 100;
/// The longest side that programs for pictures take.
const SIDE_MAX: u32 = 30_000;

/// Samples of a picture, row by row; each row begins with a byte.
struct Samples {
    bytes: Vec<u8>,
    bits: usize,
    colours: Colours,
}

/// How samples become grey.
enum Colours {
    /// So many samples of a pixel: one is grey, three are red, green and blue.
    Direct(usize),
    /// A sample is a place in a list of colours.
    Listed(Vec<u8>),
}

/// Whether the picture with this number may show rows of a statement, all or some of them.
pub(in crate::pdf) fn may_have_text(document: &Document<'_>, number: u32) -> bool {
    let reference = Object::Reference(number);
    let dict = document.resolve(&reference).dict();
    let width = dict.and_then(|dict| document.get(dict, "Width").whole());
    width.is_some_and(|width| width >= i64::from(WIDTH_MIN))
}

/// Width and height of the picture with this number, if it is large enough for text.
pub(super) fn size(document: &Document<'_>, number: u32) -> Result<Option<(u32, u32)>> {
    let reference = Object::Reference(number);
    let Some(dict) = document.resolve(&reference).dict() else { return Ok(None) };
    let side = |name: &str| document.get(dict, name).whole().and_then(|it| u32::try_from(it).ok());
    let (Some(width), Some(height)) = (side("Width"), side("Height")) else { return Ok(None) };
    if width >= SCAN_WIDTH_MIN && height < HEIGHT_MIN {
        // A page that is divided into strips.
        return Err(PdfError::UnknownPicture);
    }
    if width < WIDTH_MIN || height < HEIGHT_MIN {
        return Ok(None);
    }
    let is_small = u64::from(width) * u64::from(height) <= PIXELS_MAX;
    let is_short = width.max(height) <= SIDE_MAX;
    if is_small && is_short { Ok(Some((width, height))) } else { Err(PdfError::TooComplex) }
}

/// The picture with this number as a file of grey values (PGM).
pub(super) fn pixels(document: &Document<'_>, number: u32) -> Result<Vec<u8>> {
    let (width, height) = size(document, number)?.ok_or(PdfError::NoPictures)?;
    let reference = Object::Reference(number);
    let object = document.resolve(&reference);
    let dict = object.dict().ok_or(PdfError::NoPictures)?;
    let (bytes, filter, parameters) = document.stored_picture(object)?;
    let samples = match filter.as_deref() {
        None => plain(document, dict, bytes)?,
        Some(b"DCTDecode" | b"DCT") => jpeg(&bytes, width, height)?,
        Some(b"CCITTFaxDecode" | b"CCF") => {
            let none = Dict::default();
            fax(document, parameters.as_ref().unwrap_or(&none), (width, height), bytes)?
        }
        Some(_) => return Err(PdfError::UnknownPicture),
    };
    let turned = document.get(dict, "Decode").array().and_then(|ends| ends.first()?.whole());
    document.work.take(width as usize * height as usize)?;
    grey(&samples, (width as usize, height as usize), turned == Some(1))
}

fn plain(document: &Document<'_>, dict: &Dict, bytes: Vec<u8>) -> Result<Samples> {
    let is_mask = *document.get(dict, "ImageMask") == Object::Bool(true);
    let bits = document.get(dict, "BitsPerComponent").index().unwrap_or(1);
    let bits = if is_mask { 1 } else { bits };
    if ![1, 2, 4, 8, 16].contains(&bits) {
        return Err(PdfError::UnknownPicture);
    }
    let colours = match is_mask {
        true => Colours::Direct(1),
        false => colours(document, document.get(dict, "ColorSpace"))?,
    };
    Ok(Samples { bytes, bits, colours })
}

fn jpeg(bytes: &[u8], width: u32, height: u32) -> Result<Samples> {
    let side = |side: u32| usize::try_from(side).unwrap_or(usize::MAX);
    let options = DecoderOptions::default()
        .set_max_width(side(width))
        .set_max_height(side(height))
        .jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| PdfError::UnknownPicture)?;
    if decoder.dimensions() != Some((side(width), side(height))) {
        return Err(PdfError::UnknownPicture);
    }
    let bytes = decoder.decode().map_err(|_| PdfError::UnknownPicture)?;
    if bytes.len() != side(width) * side(height) {
        return Err(PdfError::UnknownPicture);
    }
    Ok(Samples { bytes, bits: 8, colours: Colours::Direct(1) })
}

/// A fax of group 4, as samples of one bit.
fn fax(
    document: &Document<'_>,
    parameters: &Dict,
    (width, height): (u32, u32),
    bytes: Vec<u8>,
) -> Result<Samples> {
    let number = |name: &str| document.get(parameters, name).whole();
    let is_true = |name: &str| *document.get(parameters, name) == Object::Bool(true);
    let is_group_4 = number("K").is_some_and(|k| k < 0) && !is_true("EncodedByteAlign");
    if !is_group_4 || number("Columns").unwrap_or(1728) != i64::from(width) {
        return Err(PdfError::UnknownPicture);
    }
    // A code of a bit may stand for a whole row.
    document.work.take(width as usize * height as usize / 8)?;
    let row_bytes = (width as usize).div_ceil(8);
    let (white, black) = if is_true("BlackIs1") { (0x00, 1) } else { (0xff, 0) };
    let mut samples = Vec::with_capacity(row_bytes * height as usize);
    let decoded = fax::decoder::decode_g4(bytes.into_iter(), width, Some(height), |changes| {
        let start = samples.len();
        samples.resize(start + row_bytes, white);
        for run in changes.chunks(2) {
            let from = run[0].min(width);
            let to = run.get(1).copied().unwrap_or(width).min(width);
            for at in from..to {
                let (byte, bit) = (start + at as usize / 8, 7 - at % 8);
                if let Some(byte) = samples.get_mut(byte) {
                    *byte = *byte & !(1 << bit) | black << bit;
                }
            }
        }
    });
    decoded.ok_or(PdfError::UnknownPicture)?;
    Ok(Samples { bytes: samples, bits: 1, colours: Colours::Direct(1) })
}

/// The samples as a file of grey values. A picture of which a part is missing is refused.
fn grey(samples: &Samples, (width, height): (usize, usize), is_turned: bool) -> Result<Vec<u8>> {
    let Samples { bytes, bits, colours } = samples;
    let count = if let Colours::Direct(count) = colours { *count } else { 1 };
    let row_bytes = (width * count * bits).div_ceil(8);
    if bytes.len() < row_bytes * height {
        return Err(PdfError::Damaged("a picture of a page is cut off"));
    }
    // Of sixteen bits the first eight are enough.
    let kept = (*bits).min(8);
    let most = (1_usize << kept) - 1;
    let mut file = format!("P5 {width} {height} 255\n").into_bytes();
    file.reserve_exact(width * height);
    for row in 0..height {
        let row = bytes.get(row * row_bytes..).unwrap_or_default();
        let sample = |at: usize| {
            let bit = at * bits;
            let byte = usize::from(row.get(bit / 8).copied().unwrap_or(255));
            (byte >> (8 - kept - bit % 8)) & most
        };
        for pixel in 0..width {
            let value = match colours {
                Colours::Direct(3) => {
                    let [red, green, blue] = [0, 1, 2].map(|part| sample(pixel * 3 + part));
                    (red * 30 + green * 59 + blue * 11) * 255 / (most * 100)
                }
                Colours::Direct(_) => sample(pixel) * 255 / most,
                Colours::Listed(list) => {
                    usize::from(list.get(sample(pixel)).copied().unwrap_or(255))
                }
            };
            let value = u8::try_from(value).unwrap_or(255);
            file.push(if is_turned { 255 - value } else { value });
        }
    }
    Ok(file)
}

fn colours(document: &Document<'_>, space: &Object) -> Result<Colours> {
    let parts = space.array().unwrap_or(std::slice::from_ref(space));
    let part = |at: usize| parts.get(at).map_or(&Object::Null, |part| document.resolve(part));
    match part(0).name() {
        Some(b"Indexed" | b"I") => {
            let count = direct(document, part(1))?;
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
        _ => direct(document, space).map(Colours::Direct),
    }
}

/// How many samples a pixel has.
fn direct(document: &Document<'_>, space: &Object) -> Result<usize> {
    let parts = space.array().unwrap_or(std::slice::from_ref(space));
    let part = |at: usize| parts.get(at).map_or(&Object::Null, |part| document.resolve(part));
    let count = match part(0).name() {
        Some(b"DeviceGray" | b"CalGray" | b"G") => Some(1),
        Some(b"DeviceRGB" | b"CalRGB" | b"RGB") => Some(3),
        Some(b"ICCBased") => part(1).dict().and_then(|dict| document.get(dict, "N").index()),
        _ => None,
    };
    count.filter(|count| [1, 3].contains(count)).ok_or(PdfError::UnknownPicture)
}
