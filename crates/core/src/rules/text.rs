//! Looking for a text inside another one, whatever its case.

use unicode_normalization::UnicodeNormalization;

/// A text that is looked for. Every character stands for itself: there are no wildcards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle {
    written: String,
    folded: String,
}

impl Needle {
    /// Looks for this text.
    pub fn new(text: &str) -> Self {
        Self { written: text.to_owned(), folded: fold(text) }
    }

    /// As it was written.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Whether it is in a text that went through [`fold`].
    pub(super) fn is_in(&self, folded: &str) -> bool {
        folded.contains(&self.folded)
    }
}

/// Compatibility form (NFKC) in lower case: two ways to write `É`, and `é`, are one.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Lower case may leave the normal form, so it is taken between two normalisations.
    text.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}
