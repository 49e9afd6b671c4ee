//! A picture of a fax (CCITT groups 3 and 4) in the file that programs read: TIFF.

/// How the bytes of a fax are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    /// Group 3, each line by itself, or some by the one before.
    Group3 { is_two_dimensional: bool },
    /// Group 4.
    Group4,
}

/// The file: a header, the bytes, and a directory behind them.
pub(super) fn file(width: u32, height: u32, coding: Coding, bytes: &[u8]) -> Option<Vec<u8>> {
    const HEADER_BYTES: u32 = 8;
    let length = u32::try_from(bytes.len()).ok()?;
    let directory = HEADER_BYTES.checked_add(length)?.checked_next_multiple_of(2)?;
    let (compression, options) = match coding {
        Coding::Group3 { is_two_dimensional } => (3, Some(u32::from(is_two_dimensional))),
        Coding::Group4 => (4, None),
    };
    let mut entries: Vec<(u16, u32)> = vec![
        (256, width),
        (257, height),
        // One bit for each pixel, of which 0 is white, in one strip.
        (258, 1),
        (259, compression),
        (262, 0),
        (273, HEADER_BYTES),
        (277, 1),
        (278, height),
        (279, length),
    ];
    entries.extend(options.map(|options| (292, options)));
    let mut file = Vec::with_capacity(bytes.len() + 200);
    file.extend_from_slice(b"II*\0");
    file.extend_from_slice(&directory.to_le_bytes());
    file.extend_from_slice(bytes);
    file.resize(usize::try_from(directory).ok()?, 0);
    file.extend_from_slice(&u16::try_from(entries.len()).ok()?.to_le_bytes());
    for (tag, value) in entries {
        // All are of the type with four bytes.
        file.extend_from_slice(&tag.to_le_bytes());
        file.extend_from_slice(&4_u16.to_le_bytes());
        file.extend_from_slice(&1_u32.to_le_bytes());
        file.extend_from_slice(&value.to_le_bytes());
    }
    file.extend_from_slice(&[0; 4]);
    Some(file)
}
