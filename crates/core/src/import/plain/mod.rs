//! What kinds with plain columns share: each field has at most one column, found by the name of its
//! header or named by a person, and a cell is the value of its field.

pub(super) mod cell_reader;
pub(super) mod header_words;
