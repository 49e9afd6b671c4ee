//! Whether a file goes on within a row of one that was imported.
//!
//! A writer that stopped within a row, and went on after the part before was imported, leaves half
//! a row in the ledger. This process notices it for a while; after a restart, or if the file was
//! put back, the bytes show it.

use std::io::Read;

use purser_core::error::Result;
use purser_store::files::io_failed;
use sha2::{Digest as _, Sha256};

/// Whether the content begins with one of these files, and they end within a row of it. Files that
/// grow by whole rows are usual.
pub(super) fn cuts_a_row(
    mut content: impl Read,
    mut imported: Vec<(u64, [u8; 32])>,
) -> Result<bool> {
    imported.sort_unstable();
    imported.dedup();
    let (mut sha256, mut before, mut last) = (Sha256::new(), 0, *b"\n\n");
    let mut buffer = vec![0; 64 * 1024];
    let mut ends = imported.into_iter().peekable();
    while ends.peek().is_some() {
        let read = content.read(&mut buffer).map_err(io_failed)?;
        if read == 0 {
            break;
        }
        let (part, mut hashed) = (&buffer[..read], 0);
        while let Some((bytes, known)) = ends.next_if(|(bytes, _)| *bytes < before + read as u64) {
            // The byte at this place is the first one behind that file.
            let at = usize::try_from(bytes - before).unwrap_or(read);
            sha256.update(&part[hashed..at]);
            hashed = at;
            let back =
                |by: usize| at.checked_sub(by).map_or_else(|| last[at + 2 - by], |i| part[i]);
            let next = [part[at], part.get(at + 1).copied().unwrap_or_default()];
            let is_within = !is_line_end([back(1), back(2)]) && !is_line_end(next);
            if is_within && sha256.clone().finalize()[..] == known {
                return Ok(true);
            }
        }
        sha256.update(&part[hashed..]);
        last = [if read == 1 { last[1] } else { part[read - 2] }, part[read - 1]];
        before += read as u64;
    }
    Ok(false)
}

/// Whether a line ends at a place: the bytes from there on, in UTF-16 with a zero before or behind.
fn is_line_end(bytes: [u8; 2]) -> bool {
    matches!(bytes, [b'\n' | b'\r', _] | [0, b'\n' | b'\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_goes_on_within_a_row_is_doubtful() {
        let file = |text: &str| (text.len() as u64, Sha256::digest(text).into());
        let long = format!("{}2024-01-02,-45", "2024-01-01,-1.00\n".repeat(10_000));
        for (earlier, now, is_within) in [
            ("a,-45", "a,-450.00\n", true),
            ("a,-45\n", "a,-45\nb,1\n", false),
            ("a,-45", "a,-45\nb,1\n", false),
            ("a,-45", "a,-45\r\nb,1\n", false),
            ("a,-45", "a,-45", false),
            ("a,-46", "a,-450.00\n", false),
            (&long, &format!("{long}0.00\n"), true),
            (&long, &format!("{long}\nx"), false),
        ] {
            let known = vec![file("a"), file("other"), file(earlier)];
            let known = known.into_iter().filter(|known| known.0 != 1 || earlier == "a").collect();
            assert_eq!(cuts_a_row(now.as_bytes(), known).unwrap(), is_within, "{earlier} {now}");
        }
    }

    #[test]
    fn letters_of_two_bytes_end_rows_as_well() {
        for bytes_of in [u16::to_le_bytes, u16::to_be_bytes] {
            let utf_16 = |text: &str| text.encode_utf16().flat_map(bytes_of).collect::<Vec<u8>>();
            for (earlier, now, is_within) in [
                ("a,-45", "a,-450.00\n", true),
                ("a,-45\n", "a,-45\nb,1\n", false),
                ("a,-45", "a,-45\r\nb,1\n", false),
            ] {
                let (earlier, now) = (utf_16(earlier), utf_16(now));
                let known = vec![(earlier.len() as u64, Sha256::digest(&earlier).into())];
                assert_eq!(cuts_a_row(&now[..], known).unwrap(), is_within, "{now:?}");
            }
        }
    }
}
