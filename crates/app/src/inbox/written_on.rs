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
    let (mut sha256, mut before, mut last) = (Sha256::new(), 0, b'\n');
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
            let end = at.checked_sub(1).map_or(last, |end| part[end]);
            let is_within = !is_line_end(end) && !is_line_end(part[at]);
            if is_within && sha256.clone().finalize()[..] == known {
                return Ok(true);
            }
        }
        sha256.update(&part[hashed..]);
        (before, last) = (before + read as u64, part[read - 1]);
    }
    Ok(false)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
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
}
