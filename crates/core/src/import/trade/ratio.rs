//! The ratio of a share split as files write it.

use crate::ledger::new_trade::Split;
use crate::limits::SPLIT_PART_MAX;

/// Reads `4:1`, `4/1`, `4 for 1` or `4-for-1`: four shares after the split for one before it.
pub(super) fn parse(text: &str) -> Option<Split> {
    let text = text.trim().to_lowercase();
    let (to, from) = ["-for-", " for ", ":", "/"].iter().find_map(|sign| text.split_once(sign))?;
    let part = |text: &str| {
        let part: u32 = text.trim().parse().ok()?;
        (1..=SPLIT_PART_MAX).contains(&part).then_some(part)
    };
    Some(Split { to: part(to)?, from: part(from)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_must_be_stated() {
        for (text, ratio) in [
            ("4:1", Some((4, 1))),
            ("3 for 2", Some((3, 2))),
            ("1-for-10", Some((1, 10))),
            ("20/1", Some((20, 1))),
            ("4", None),
            ("0:1", None),
            ("4:x", None),
            ("", None),
        ] {
            let found = parse(text).map(|split| (split.to, split.from));
            assert_eq!(found, ratio, "{text}");
        }
    }
}
