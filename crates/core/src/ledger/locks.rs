//! Locks: which fields of a transaction a person has set.
//!
//! A field that a person has set is locked: rules and imports leave it alone until it is unlocked.
//! The locks are one integer beside the entry, with a bit for each field; the bits are stored, so
//! they never get another meaning. A cleared field is locked as well: a person may want a
//! transaction to have no category.

use std::fmt;

use crate::named::Named;

/// A field that can be locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LockField {
    /// What it is called.
    Name,
    /// Its category, or that it has none.
    Category,
    /// Its merchant, or that it has none.
    Merchant,
    /// All of its tags.
    Tags,
    /// The notes of the transaction.
    Notes,
    /// Whether it is left out of reports.
    Excluded,
    /// The day of the transaction.
    Date,
    /// The amount of the transaction.
    Amount,
}

impl LockField {
    /// Every field, in the order of the bits.
    pub const ALL: [Self; 8] = [
        Self::Name,
        Self::Category,
        Self::Merchant,
        Self::Tags,
        Self::Notes,
        Self::Excluded,
        Self::Date,
        Self::Amount,
    ];

    /// As the interface calls it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Category => "category",
            Self::Merchant => "merchant",
            Self::Tags => "tags",
            Self::Notes => "notes",
            Self::Excluded => "excluded",
            Self::Date => "date",
            Self::Amount => "amount",
        }
    }

    /// From its name; the names of the fields that hold ids are understood too.
    pub fn parse(text: &str) -> Option<Self> {
        let name = match text {
            "category_id" => "category",
            "merchant_id" => "merchant",
            "tag_ids" => "tags",
            other => other,
        };
        Self::ALL.into_iter().find(|field| field.as_str() == name)
    }

    fn bit(self) -> i64 {
        match self {
            Self::Name => 1,
            Self::Category => 1 << 1,
            Self::Merchant => 1 << 2,
            Self::Tags => 1 << 3,
            Self::Notes => 1 << 4,
            Self::Excluded => 1 << 5,
            Self::Date => 1 << 6,
            Self::Amount => 1 << 7,
        }
    }
}

impl Named for LockField {
    const ALL: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.as_str()
    }

    /// The field that a text names; the names of the fields that hold ids are aliases.
    fn named(name: &str) -> Option<Self> {
        Self::parse(name)
    }
}

/// The locked fields of one transaction.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Locks(i64);

impl Locks {
    /// No field is locked.
    pub const NONE: Self = Self(0);

    /// As it is stored.
    pub fn bits(self) -> i64 {
        self.0
    }

    /// From what is stored. Bits that no field has are kept: a newer program may know them.
    pub fn from_bits(bits: i64) -> Self {
        Self(bits)
    }

    /// Whether a field is locked.
    pub fn has(self, field: LockField) -> bool {
        self.0 & field.bit() != 0
    }

    /// With a field locked, if `is_set`.
    #[must_use]
    pub fn with(self, field: LockField, is_set: bool) -> Self {
        if is_set { Self(self.0 | field.bit()) } else { self }
    }

    /// With everything that is locked here or there.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Without what is locked there.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether nothing is locked.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The locked fields, in the order of the bits.
    pub fn fields(self) -> impl Iterator<Item = LockField> {
        LockField::ALL.into_iter().filter(move |field| self.has(*field))
    }

    /// The names of the locked fields.
    pub fn names(self) -> Vec<&'static str> {
        self.fields().map(LockField::as_str).collect()
    }
}

impl fmt::Debug for Locks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_a_bit_and_a_name_of_its_own() {
        let mut all = Locks::NONE;
        for (position, field) in LockField::ALL.into_iter().enumerate() {
            assert_eq!(field.bit(), 1 << position, "{field:?}");
            assert_eq!(LockField::parse(field.as_str()), Some(field));
            assert!(!all.has(field));
            all = all.with(field, true);
            assert!(all.has(field));
        }
        assert_eq!(all.bits(), 255);
        assert_eq!(all.fields().collect::<Vec<_>>(), LockField::ALL);
        assert_eq!(LockField::parse("category_id"), Some(LockField::Category));
        assert_eq!(LockField::parse("Name"), None);
    }

    #[test]
    fn locks_are_a_set() {
        let one = Locks::NONE.with(LockField::Name, true).with(LockField::Notes, false);
        let two = Locks::NONE.with(LockField::Tags, true);
        assert_eq!(one.union(two).names(), ["name", "tags"]);
        assert_eq!(one.union(two).without(one), two);
        assert!(one.without(one).is_empty());
        let newer = Locks::from_bits(1 << 40);
        assert_eq!(newer.union(one).without(one).bits(), 1 << 40, "what isn't known stays");
    }
}
