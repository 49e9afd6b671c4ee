//! A file's text as UTF-8, chunk by chunk.

use std::borrow::Cow;
use std::io::{Read, Write};

use encoding_rs::DecoderResult;

use super::content_kind::utf16_without_mark;
use super::detect::by_mark;
use super::{CHUNK_BYTES, DecodeError, Encoding, fill};

/// Writes the text of `reader` in UTF-8, without the byte-order mark, and returns its length.
///
/// The first byte that has no character in the encoding ends it with an error.
pub fn transcode(
    reader: &mut impl Read,
    writer: &mut impl Write,
    encoding: &Encoding,
) -> Result<u64, DecodeError> {
    let Some(kind) = encoding_rs::Encoding::for_label(encoding.name.as_bytes()) else {
        return Err(DecodeError::Unmappable { encoding: encoding.name, position: 0 });
    };
    let mut decoder = kind.new_decoder_without_bom_handling();
    let mut input = vec![0; CHUNK_BYTES];
    // Three bytes for one are the most that any of the encodings needs, and a few for its state.
    let mut output = vec![0; 3 * CHUNK_BYTES + 64];
    let mut position = skip_mark(reader, encoding)?;
    let mut total = 0;
    loop {
        let filled = fill(reader, &mut input, 0)?;
        let last = filled < input.len();
        let mut done = 0;
        loop {
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(&input[done..filled], &mut output, last);
            let text = &output[..written];
            if let Some(before) = first_c1_control(text).filter(|_| kind.is_single_byte()) {
                let position = position + before as u64;
                return Err(DecodeError::Unmappable { encoding: encoding.name, position });
            }
            writer.write_all(text)?;
            total += written as u64;
            done += read;
            position += read as u64;
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    let position = position - u64::from(length) - u64::from(after);
                    return Err(DecodeError::Unmappable { encoding: encoding.name, position });
                }
            }
        }
        if last {
            return Ok(total);
        }
    }
}

/// The start of a file as ASCII has it, if it is in UTF-16: signs of formats are ASCII.
pub fn head_text(head: &[u8]) -> Cow<'_, [u8]> {
    let marked = by_mark(head).map(|it| (it.name, it.bom_len));
    let found = marked.or_else(|| utf16_without_mark(head).map(|name| (name, 0)));
    let (kind, bom_len) = match found {
        Some(("UTF-16LE", bom_len)) => (encoding_rs::UTF_16LE, bom_len),
        Some(("UTF-16BE", bom_len)) => (encoding_rs::UTF_16BE, bom_len),
        _ => return Cow::Borrowed(head),
    };
    let (text, _) = kind.decode_without_bom_handling(&head[bom_len..]);
    Cow::Owned(text.into_owned().into_bytes())
}

/// Reads over the byte-order mark.
fn skip_mark(reader: &mut impl Read, encoding: &Encoding) -> Result<u64, DecodeError> {
    let mut mark = [0; 3];
    let length = encoding.bom_len.min(mark.len());
    reader.read_exact(&mut mark[..length])?;
    Ok(length as u64)
}

/// How many characters are before the first of U+0080 to U+009F, which no file means: it is what
/// the registry's tables give for bytes that the encoding leaves undefined.
fn first_c1_control(text: &[u8]) -> Option<usize> {
    let is_c1 = |pair: &[u8]| pair[0] == 0xC2 && matches!(pair[1], 0x80..=0x9F);
    let at = text.windows(2).position(is_c1)?;
    Some(text[..at].iter().filter(|&&byte| byte & 0xC0 != 0x80).count())
}
