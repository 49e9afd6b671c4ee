//! Which encoding a file has, in one pass.
//!
//! The pass validates UTF-8 and, beside it, keeps a sample of the lines that hold non-ASCII bytes;
//! only when the file turns out not to be UTF-8 the statistical detector sees that sample. A file
//! with many good multi-byte sequences and a few broken bytes is broken UTF-8, not something else:
//! reading it as a single-byte encoding would turn every good sequence into two wrong letters.

use std::io::Read;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use encoding_rs::{WINDOWS_1250, WINDOWS_1252};

use super::content_kind::utf16_without_mark;
use super::{CHUNK_BYTES, DecodeError, Encoding, HEAD_BYTES, UTF_8, fill};

/// Bytes of sample kept from before, and again from after, the first byte that isn't UTF-8.
const SAMPLE_BYTES: usize = 64 * 1024;
/// Country hints under which a certain guess must stay the same.
const HINTS: &[&[u8]] = &[b"com", b"de", b"fr", b"pl", b"hu", b"tr", b"gr", b"ru", b"ee", b"jp"];

/// Reads the source to its end and returns its encoding.
pub fn detect(reader: &mut impl Read) -> Result<Encoding, DecodeError> {
    let mut buffer = vec![0; HEAD_BYTES.max(CHUNK_BYTES)];
    let mut filled = fill(reader, &mut buffer, 0)?;
    if let Some(encoding) = by_mark(&buffer[..filled]) {
        return Ok(encoding);
    }
    if let Some(name) = utf16_without_mark(&buffer[..filled]) {
        return Ok(Encoding { name, bom_len: 0, certain: false });
    }
    let mut evidence = Evidence::default();
    loop {
        let at_end = filled < buffer.len();
        let whole = if at_end { filled } else { whole_characters(&buffer[..filled]) };
        evidence.observe(&buffer[..whole]);
        if at_end {
            return evidence.conclude();
        }
        buffer.copy_within(whole..filled, 0);
        filled = fill(reader, &mut buffer, filled - whole)?;
    }
}

/// The encoding that a byte-order mark names.
pub(super) fn by_mark(head: &[u8]) -> Option<Encoding> {
    let (name, bom_len) = match head {
        [0xEF, 0xBB, 0xBF, ..] => (UTF_8, 3),
        [0xFF, 0xFE, ..] => ("UTF-16LE", 2),
        [0xFE, 0xFF, ..] => ("UTF-16BE", 2),
        _ => return None,
    };
    Some(Encoding { name, bom_len, certain: true })
}

/// The length without a multi-byte sequence that the end cuts off.
fn whole_characters(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let at = bytes.len() - back;
        let length = match bytes[at] {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF7 => 4,
            0x80..=0xBF => continue,
            _ => 1,
        };
        return if length > back { at } else { bytes.len() };
    }
    bytes.len()
}

/// What the pass has seen.
#[derive(Default)]
struct Evidence {
    position: u64,
    good_sequences: u64,
    bad_sequences: u64,
    first_bad: Option<u64>,
    sample: Vec<u8>,
}

impl Evidence {
    fn observe(&mut self, bytes: &[u8]) {
        if !bytes.is_ascii() {
            self.count(bytes);
            self.keep_sample(bytes);
        }
        self.position += bytes.len() as u64;
    }

    fn count(&mut self, bytes: &[u8]) {
        let mut position = self.position;
        for chunk in bytes.utf8_chunks() {
            let valid = chunk.valid().as_bytes();
            let leads = valid.iter().filter(|&&byte| byte >= 0xC0).count();
            self.good_sequences += leads as u64;
            position += valid.len() as u64;
            if !chunk.invalid().is_empty() {
                self.bad_sequences += 1;
                self.first_bad.get_or_insert(position);
                position += chunk.invalid().len() as u64;
            }
        }
    }

    fn keep_sample(&mut self, bytes: &[u8]) {
        let room = if self.first_bad.is_some() { 2 * SAMPLE_BYTES } else { SAMPLE_BYTES };
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.sample.len() >= room {
                return;
            }
            if !line.is_ascii() {
                let part = line.len().min(room - self.sample.len());
                self.sample.extend_from_slice(&line[..part]);
            }
        }
    }

    fn conclude(self) -> Result<Encoding, DecodeError> {
        let Some(position) = self.first_bad else {
            return Ok(Encoding { name: UTF_8, bom_len: 0, certain: true });
        };
        if self.good_sequences > self.bad_sequences {
            return Err(DecodeError::Unmappable { encoding: UTF_8, position });
        }
        Ok(guess(&self.sample))
    }
}

/// Whether all that isn't ASCII are the euro, the pound and the fixed space of windows-1252, and
/// none of them is in a word. Statistics of letters know nothing about such a file.
fn has_only_money_signs(sample: &[u8]) -> bool {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphabetic() || *b >= 0x80);
    let is_sign = |(at, byte): (usize, &u8)| match byte {
        0xA0 => true,
        0x80 | 0xA3 => {
            let before = at.checked_sub(1).and_then(|before| sample.get(before));
            let is_inside = |byte: Option<&u8>| is_letter(byte) && byte != Some(&0xA0);
            !is_inside(before) && !is_inside(sample.get(at + 1))
        }
        _ => false,
    };
    sample.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()).all(is_sign)
}

/// Whether a sample in windows-1252 names its columns in Hungarian. Then õ and û, which other
/// languages write, are ő and ű of windows-1250; the detector knows too little of the language.
fn is_hungarian(sample: &[u8]) -> bool {
    const WORDS: [&str; 12] = [
        "összeg",
        "könyvel",
        "közlemény",
        "terhelés",
        "jóváírás",
        "devizanem",
        "pénznem",
        "dátum",
        "megnevezés",
        "tranzakció",
        "értéknap",
        "számla",
    ];
    let text = WINDOWS_1252.decode_without_bom_handling(sample).0.to_lowercase();
    text.contains(['õ', 'û']) && WORDS.iter().any(|word| text.contains(word))
}

/// The statistical guess, certain if no country hint changes how the sample reads.
fn guess(sample: &[u8]) -> Encoding {
    if has_only_money_signs(sample) {
        return Encoding { name: "windows-1252", bom_len: 0, certain: false };
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    let mut best = detector.guess(None, Utf8Detection::Deny);
    if best == WINDOWS_1252 && is_hungarian(sample) {
        best = WINDOWS_1250;
    }
    let text = best.decode_without_bom_handling(sample).0;
    let certain = HINTS.iter().all(|hint| {
        let other = detector.guess(Some(hint), Utf8Detection::Deny);
        other == best || other.decode_without_bom_handling(sample).0 == text
    });
    Encoding { name: best.name(), bom_len: 0, certain }
}
