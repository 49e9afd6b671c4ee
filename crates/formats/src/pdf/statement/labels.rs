//! What the words beside an amount call it: a balance before the rows, after them, or a total.

use purser_core::import::left_out::AnchorKind;
use purser_core::import::transaction::anchor_kind;
use purser_core::import::transaction::header_names::known_key;

use super::amounts::WrittenAmount;
use super::dates::day_at;
use super::marks::Marked;

/// Which balance the words from one place to another one name. Days among them don't matter.
pub(super) fn label_of(marked: &Marked<'_>, from: usize, to: usize) -> Option<AnchorKind> {
    let (line, mut at, mut words) = (marked.line, from, Vec::new());
    while at < to {
        match day_at(line, at, true).filter(|(_, length)| at + length <= to) {
            Some((_, length)) => at += length,
            None => {
                words.push(line.words[at].text.as_str());
                at += 1;
            }
        }
    }
    kind_of(&words.join(" "))
}

fn kind_of(label: &str) -> Option<AnchorKind> {
    let label = label.trim_matches(|c: char| !c.is_alphanumeric());
    if label.is_empty() {
        return None;
    }
    let key = known_key(label);
    let short = ["your ", "ihr ", "votre ", "su ", "the "];
    let key = short.iter().find_map(|word| key.strip_prefix(word)).unwrap_or(&key);
    let key = [" on", " as of", " at", " am", " per", " vom", " au", " al", " of"]
        .iter()
        .find_map(|word| key.strip_suffix(word))
        .unwrap_or(key);
    let is_one_of = |phrases: &[&str]| phrases.contains(&key);
    if is_one_of(&["previous statement balance", "last statement balance", "balance at start"]) {
        return Some(AnchorKind::Opening);
    }
    // In a shop's name these would be text; as the label of an amount they are not.
    if is_one_of(&["new balance", "statement balance", "new statement balance", "balance at end"]) {
        return Some(AnchorKind::Closing);
    }
    if is_one_of(&["balance", "kontostand", "saldo", "solde"]) {
        return Some(AnchorKind::Balance);
    }
    anchor_kind(key)
}

/// Names of balances above their amounts.
pub(super) fn below(marked: &Marked<'_>, next: &Marked<'_>) -> Vec<(AnchorKind, WrittenAmount)> {
    let line = marked.line;
    let (mut stated, mut from) = (Vec::new(), 0);
    for at in 0..line.words.len() {
        let is_end = at + 1 == line.words.len() || line.gap_after(at) > line.size.part(9, 10);
        if !is_end {
            continue;
        }
        let (left, right) = (line.words[from].left, line.words[at].right);
        if let Some(kind) = label_of(marked, from, at + 1)
            && kind != AnchorKind::Balance
            && let Some(found) =
                next.amounts.iter().find(|found| found.left < right && left < found.right)
        {
            stated.push((kind, found.clone()));
        }
        from = at + 1;
    }
    stated
}
