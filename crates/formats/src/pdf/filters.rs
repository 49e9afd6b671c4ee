//! The ways in which streams are stored.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

use super::error::{PdfError, Result};
use super::limits::STREAM_BYTES_MAX;
use super::object::{Dict, Object};

/// Whether only pictures are stored in this way.
pub(super) fn is_of_pictures(filter: &[u8]) -> bool {
    matches!(
        filter,
        b"DCTDecode" | b"DCT" | b"CCITTFaxDecode" | b"CCF" | b"JBIG2Decode" | b"JPXDecode"
    )
}

/// The bytes of a stream as they were before they were stored by this filter.
pub(super) fn decode(filter: &[u8], parameters: Option<&Dict>, bytes: &[u8]) -> Result<Vec<u8>> {
    let plain = match filter {
        b"FlateDecode" | b"Fl" => inflate(bytes)?,
        b"LZWDecode" | b"LZW" => {
            let early = parameters.and_then(|dict| dict.get("EarlyChange").whole());
            lzw(bytes, early != Some(0))?
        }
        b"ASCII85Decode" | b"A85" => ascii85(bytes)?,
        b"ASCIIHexDecode" | b"AHx" => ascii_hex(bytes),
        b"RunLengthDecode" | b"RL" => run_length(bytes)?,
        _ => return Err(PdfError::UnknownFilter),
    };
    match parameters {
        Some(parameters) => unpredict(plain, parameters),
        None => Ok(plain),
    }
}

fn inflate(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    let limit = STREAM_BYTES_MAX as u64 + 1;
    let result = ZlibDecoder::new(bytes).take(limit).read_to_end(&mut plain);
    if plain.len() > STREAM_BYTES_MAX {
        return Err(PdfError::TooComplex);
    }
    result.map_err(|_| PdfError::Damaged("a compressed part of it is cut off or changed"))?;
    Ok(plain)
}

fn lzw(bytes: &[u8], is_early: bool) -> Result<Vec<u8>> {
    const CLEAR: usize = 256;
    const END: usize = 257;
    // Each entry is a piece of the output: its start and its length.
    let mut table: Vec<(usize, usize)> = Vec::new();
    let (mut plain, mut held, mut bits, mut width) = (Vec::new(), 0_u32, 0_u32, 9_u32);
    let mut before: Option<(usize, usize)> = None;
    for byte in bytes {
        held = (held << 8) | u32::from(*byte);
        bits += 8;
        if bits < width {
            continue;
        }
        bits -= width;
        let code = (held >> bits) as usize & ((1 << width) - 1);
        if code == END {
            break;
        }
        if code == CLEAR {
            (width, before) = (9, None);
            table.clear();
            continue;
        }
        let start = plain.len();
        if code < CLEAR {
            plain.extend(u8::try_from(code));
        } else {
            let known = table.get(code - 258).copied();
            let piece = known.or(before.filter(|_| code - 258 == table.len()));
            let (from, length) = piece.ok_or(PdfError::Damaged("a code of it is unknown"))?;
            let is_new = known.is_none();
            plain.extend_from_within(from..from + length);
            if is_new {
                plain.push(plain[from]);
            }
        }
        if plain.len() > STREAM_BYTES_MAX {
            return Err(PdfError::TooComplex);
        }
        // The entry is the piece before and the first byte of this one, which follows it.
        if let Some((from, length)) = before
            && table.len() < 4096 - 258
        {
            table.push((from, length + 1));
        }
        before = Some((start, plain.len() - start));
        let next = table.len() + 258 + usize::from(is_early);
        width = match next {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
    }
    Ok(plain)
}

fn ascii85(bytes: &[u8]) -> Result<Vec<u8>> {
    let (mut plain, mut group) = (Vec::new(), Vec::with_capacity(5));
    let put = |group: &mut Vec<u8>, plain: &mut Vec<u8>| {
        let count = group.len();
        if count < 2 {
            return;
        }
        group.resize(5, 84);
        let value = group.iter().fold(0_u64, |sum, digit| sum * 85 + u64::from(*digit));
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        plain.extend_from_slice(&value.to_be_bytes()[..count - 1]);
        group.clear();
    };
    for byte in bytes {
        match byte {
            b'z' if group.is_empty() => plain.extend([0; 4]),
            b'!'..=b'u' => {
                group.push(byte - b'!');
                if group.len() == 5 {
                    put(&mut group, &mut plain);
                }
            }
            b'~' => break,
            byte if byte.is_ascii_whitespace() => {}
            _ => return Err(PdfError::Damaged("a part of it isn't in ASCII85")),
        }
    }
    put(&mut group, &mut plain);
    Ok(plain)
}

fn ascii_hex(bytes: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = bytes
        .iter()
        .take_while(|byte| **byte != b'>')
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok())
        .collect();
    digits.chunks(2).map(|pair| pair[0] * 16 + pair.get(1).copied().unwrap_or(0)).collect()
}

fn run_length(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    let mut rest = bytes;
    while let Some((length, after)) = rest.split_first() {
        let length = usize::from(*length);
        if length == 128 {
            break;
        }
        if length < 128 {
            let take = after.len().min(length + 1);
            plain.extend_from_slice(&after[..take]);
            rest = &after[take..];
        } else {
            let Some((byte, after)) = after.split_first() else { break };
            plain.extend(std::iter::repeat_n(*byte, 257 - length));
            rest = after;
        }
        if plain.len() > STREAM_BYTES_MAX {
            return Err(PdfError::TooComplex);
        }
    }
    Ok(plain)
}

/// Takes back what was done to each line of bytes so that it compresses better.
fn unpredict(plain: Vec<u8>, parameters: &Dict) -> Result<Vec<u8>> {
    let parameter = |name: &str, usual: usize| match parameters.get(name) {
        Object::Null => Some(usual),
        value => value.index().filter(|number| *number <= 1 << 20),
    };
    let damaged = PdfError::Damaged("a part of it has lines of no length");
    let predictor = parameter("Predictor", 1).ok_or(damaged.clone())?;
    if predictor < 2 {
        return Ok(plain);
    }
    let [colors, bits, columns] = [("Colors", 1), ("BitsPerComponent", 8), ("Columns", 1)]
        .map(|(name, usual)| parameter(name, usual).unwrap_or(0));
    let pixel = (colors.min(64) * bits.min(64)).div_ceil(8);
    let line = (colors.min(64) * bits.min(64) * columns).div_ceil(8);
    if pixel == 0 || line == 0 || predictor == 2 {
        return Err(damaged);
    }
    let mut result: Vec<u8> = Vec::with_capacity(plain.len());
    for row in plain.chunks(line + 1) {
        let (kind, cells) = (row[0], &row[1..]);
        let start = result.len();
        for (at, cell) in cells.iter().enumerate() {
            let above = |back: usize| match (start + at).checked_sub(line + back) {
                Some(index) if at >= back => result[index],
                _ => 0,
            };
            let left = if at >= pixel { result[start + at - pixel] } else { 0 };
            let (up, corner) = (above(0), above(pixel));
            let guess = match kind {
                1 => left,
                2 => up,
                3 => left.midpoint(up),
                4 => paeth(left, up, corner),
                _ => 0,
            };
            result.push(cell.wrapping_add(guess));
        }
    }
    Ok(result)
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, up, corner].map(i16::from);
    let guess = a + b - c;
    let [to_a, to_b, to_c] = [a, b, c].map(|one| (guess - one).abs());
    if to_a <= to_b && to_a <= to_c {
        left
    } else if to_b <= to_c {
        up
    } else {
        corner
    }
}
