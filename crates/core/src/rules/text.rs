//! Looking for a text inside another one, whatever its case.

use std::sync::Arc;

use memchr::memmem::Finder;
use unicode_normalization::UnicodeNormalization;

/// A text that is looked for. Every character stands for itself: there are no wildcards.
#[derive(Debug, Clone)]
pub struct Needle {
    written: String,
    /// Prepared once, because a rule searches thousands of texts. A search takes time that is
    /// linear in the text's length, whatever the contents.
    finder: Arc<Finder<'static>>,
}

impl PartialEq for Needle {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl Eq for Needle {}

impl Needle {
    /// Looks for this text.
    pub fn new(text: &str) -> Self {
        let finder = Arc::new(Finder::new(fold(text).as_bytes()).into_owned());
        Self { written: text.to_owned(), finder }
    }

    /// As it was written.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Whether it is in a text that went through [`fold`].
    pub(super) fn is_in(&self, folded: &str) -> bool {
        self.finder.find(folded.as_bytes()).is_some()
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
