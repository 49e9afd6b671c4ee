//! What a family has set for all of its members.

mod shape;
pub(super) mod show;
pub(super) mod update;

pub(crate) use shape::FamilyBody;
