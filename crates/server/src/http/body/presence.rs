//! What it means that a member is missing or null.

use purser_core::error::Problems;

use super::Sent;
use super::kinds::Kind;
use crate::http::fields::Fields;

/// A member of a body: a kind of value, and what missing and null mean.
pub(crate) trait Member {
    /// What the struct holds.
    type Value;
    /// The kind of value.
    type Kind: Kind;
    /// Whether it must be there in a request that creates something.
    const REQUIRED: bool;
    /// Whether null is taken in a request that creates something.
    const NULL_IN_NEW: bool;
    /// Whether null is taken in a request that changes something.
    const NULL_IN_CHANGE: bool;
    /// Whether it may also stand beside the wrapper.
    const OUTER: bool = false;
    /// Whether only requests that create something have it.
    const ONLY_NEW: bool = false;

    /// Reads the member `name`, and adds what is wrong with it to `problems`.
    fn read(sent: &Sent<'_>, name: &str, problems: &mut Problems) -> Self::Value;
}

/// Must be sent when something is created. Null counts as missing; in a change, both leave the
/// value as it is.
pub(crate) struct Required<K>(K);

/// Must be sent when something is created, and null is refused always: the use case gets
/// `Some(None)` for it.
pub(crate) struct NonNull<K>(K);

/// May be missing; null counts as missing.
pub(crate) struct Optional<K>(K);

/// May be missing, which leaves the value as it is; null clears it: `Some(None)`.
pub(crate) struct Nullable<K>(K);

/// Decided when something is created. In a change it is read, too, but not described: the use case
/// refuses another value.
pub(crate) struct OnlyNew<M>(M);

/// May also stand beside the wrapper, where it wins.
pub(crate) struct Outer<M>(M);

impl<K: Kind> Member for Required<K> {
    type Value = Option<K::Output>;
    type Kind = K;
    const REQUIRED: bool = true;
    const NULL_IN_NEW: bool = false;
    const NULL_IN_CHANGE: bool = true;

    fn read(sent: &Sent<'_>, name: &str, problems: &mut Problems) -> Self::Value {
        nullable::<K>(sent.inner, name, problems).flatten()
    }
}

impl<K: Kind> Member for NonNull<K> {
    type Value = Option<Option<K::Output>>;
    type Kind = K;
    const REQUIRED: bool = true;
    const NULL_IN_NEW: bool = false;
    const NULL_IN_CHANGE: bool = false;

    fn read(sent: &Sent<'_>, name: &str, problems: &mut Problems) -> Self::Value {
        nullable::<K>(sent.inner, name, problems)
    }
}

impl<K: Kind> Member for Optional<K> {
    type Value = Option<K::Output>;
    type Kind = K;
    const REQUIRED: bool = false;
    const NULL_IN_NEW: bool = true;
    const NULL_IN_CHANGE: bool = true;

    fn read(sent: &Sent<'_>, name: &str, problems: &mut Problems) -> Self::Value {
        nullable::<K>(sent.inner, name, problems).flatten()
    }
}

impl<K: Kind> Member for Nullable<K> {
    type Value = Option<Option<K::Output>>;
    type Kind = K;
    const REQUIRED: bool = false;
    const NULL_IN_NEW: bool = true;
    const NULL_IN_CHANGE: bool = true;

    fn read(sent: &Sent<'_>, name: &str, problems: &mut Problems) -> Self::Value {
        nullable::<K>(sent.inner, name, problems)
    }
}

impl<M: Member> Member for OnlyNew<M> {
    type Value = M::Value;
    type Kind = M::Kind;
    const REQUIRED: bool = M::REQUIRED;
    const NULL_IN_NEW: bool = M::NULL_IN_NEW;
    const NULL_IN_CHANGE: bool = M::NULL_IN_CHANGE;
    const OUTER: bool = M::OUTER;
    const ONLY_NEW: bool = true;

    fn read(sent: &Sent<'_>, name: &str, problems: &mut Problems) -> Self::Value {
        M::read(sent, name, problems)
    }
}

impl<M: Member> Member for Outer<M> {
    type Value = M::Value;
    type Kind = M::Kind;
    const REQUIRED: bool = M::REQUIRED;
    const NULL_IN_NEW: bool = M::NULL_IN_NEW;
    const NULL_IN_CHANGE: bool = M::NULL_IN_CHANGE;
    const OUTER: bool = true;
    const ONLY_NEW: bool = M::ONLY_NEW;

    fn read(sent: &Sent<'_>, name: &str, problems: &mut Problems) -> Self::Value {
        let place = if sent.outer.has(name) { sent.outer } else { sent.inner };
        if !std::ptr::eq(place, sent.inner) {
            // The one inside doesn't count, but it must still be one.
            M::read(&Sent { inner: sent.inner, outer: sent.outer }, name, problems);
        }
        M::read(&Sent { inner: place, outer: sent.outer }, name, problems)
    }
}

/// `None` when it was not sent, `Some(None)` when null was. What can't be read is a problem, and
/// counts as not sent.
pub(crate) fn nullable<K: Kind>(
    fields: &Fields,
    name: &str,
    problems: &mut Problems,
) -> Option<Option<K::Output>> {
    let json = fields.json(name)?;
    if json.is_null() {
        return Some(None);
    }
    if K::BLANK_IS_NULL && json.is_blank() {
        return Some(None);
    }
    K::from_json(json, name, problems).map(Some)
}
