//! What documents are made of: numbers, names, texts, arrays, dictionaries, and streams of bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::fixed::Fixed;

/// A value of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Object {
    Null,
    Bool(bool),
    Number(Fixed),
    Text(Vec<u8>),
    Name(Vec<u8>),
    Array(Vec<Object>),
    Dict(Dict),
    /// A dictionary, where the bytes are that belong to it, and which object it is.
    Stream(Dict, Range<usize>, ObjectId),
    /// Another object by its number.
    Reference(u32),
    /// A word without quotation: an operator of a page, or the end of an object.
    Word(Vec<u8>),
}

/// What distinguishes an object from all others of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ObjectId {
    pub(super) number: u32,
    pub(super) generation: u16,
}

/// Names and their values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Dict(pub(super) BTreeMap<Vec<u8>, Object>);

impl Dict {
    pub(super) fn get(&self, name: &str) -> &Object {
        self.0.get(name.as_bytes()).unwrap_or(&Object::Null)
    }

    /// Whether a name has this name as its value.
    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        self.get(name).name() == Some(value.as_bytes())
    }
}

impl Object {
    pub(super) fn number(&self) -> Option<Fixed> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn whole(&self) -> Option<i64> {
        self.number().and_then(Fixed::to_whole)
    }

    pub(super) fn index(&self) -> Option<usize> {
        self.whole().and_then(|number| usize::try_from(number).ok())
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn array(&self) -> Option<&[Object]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The dictionary, of a stream too.
    pub(super) fn dict(&self) -> Option<&Dict> {
        match self {
            Self::Dict(dict) | Self::Stream(dict, ..) => Some(dict),
            _ => None,
        }
    }
}
