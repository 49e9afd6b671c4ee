//! Values out of fixed lists, with the names that they have in the interface and in the database.

/// A value out of a fixed list.
pub trait Named: Copy + PartialEq + Send + Sync + 'static {
    /// Every value, in the order in which the interface lists them.
    const ALL: &'static [Self];

    /// The name that is sent and stored.
    fn name(self) -> &'static str;

    /// The value with exactly this name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}

/// Implements the text form of an enumeration: `as_str`, `parse`, `ALL`, and the JSON form.
macro_rules! text_enum {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$vdoc:meta])* $variant:ident = $text:literal),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant),* }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The text that is stored in the database and in the API.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// The value that a text names, exactly.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)* _ => None }
            }
        }

        impl $crate::named::Named for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.as_str()
            }
        }
    };
}
pub(crate) use text_enum;

/// Every name, for sentences: `a, b or c`.
pub fn list<T: Named>() -> String {
    list_of(T::ALL)
}

/// The names of some values, for sentences.
pub fn list_of<T: Named>(values: &[T]) -> String {
    let names: Vec<&str> = values.iter().map(|value| value.name()).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::security::SecurityKind;

    #[test]
    fn values_are_found_by_their_names() {
        assert_eq!(SecurityKind::named("cash"), Some(SecurityKind::Cash));
        assert_eq!(SecurityKind::named("Cash"), None);
        assert_eq!(list::<SecurityKind>(), "standard or cash");
    }
}
