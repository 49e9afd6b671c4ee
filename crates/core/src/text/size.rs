//! Counts and sizes as people read them.

/// A count with its thousands apart.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in the largest unit in which it is a whole number.
pub fn size(bytes: u64) -> String {
    const KIB: u64 = 1024;
    const MIB: u64 = 1024 * KIB;
    match bytes {
        0 => "0 bytes".to_owned(),
        _ if bytes.is_multiple_of(MIB) => format!("{} MiB", grouped(bytes / MIB)),
        _ if bytes.is_multiple_of(KIB) => format!("{} KiB", grouped(bytes / KIB)),
        _ => format!("{} bytes", grouped(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_their_thousands_apart() {
        let shown = [0, 1, 999, 1_000, 12_345, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "1", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn sizes_are_written_exactly() {
        let texts = [10_485_760, 1_536_000, 1_023, 0].map(size);
        assert_eq!(texts, ["10 MiB", "1,500 KiB", "1,023 bytes", "0 bytes"]);
    }
}
