//! What conditions and actions point to.

use uuid::Uuid;

use crate::ids;

/// The kind of thing that a reference points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Noun {
    /// A category of the family.
    Category,
    /// A merchant of the family.
    Merchant,
    /// A tag of the family.
    Tag,
    /// An account of the family.
    Account,
}

impl Noun {
    /// As sentences call it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Merchant => "merchant",
            Self::Tag => "tag",
            Self::Account => "account",
        }
    }
}

/// Something that a family has: its id, or the name that somebody wrote for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// The id of something that exists.
    Id(Uuid),
    /// To be found, or created.
    Name(String),
}

impl Reference {
    /// What looks like an id is one; everything else is a name.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        ids::read(text).map_or_else(|_| Self::Name(text.to_owned()), Self::Id)
    }

    /// The id, if it is known.
    pub fn id(&self) -> Option<Uuid> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Name(_) => None,
        }
    }

    /// As it is written.
    pub fn text(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Name(name) => name.clone(),
        }
    }
}
