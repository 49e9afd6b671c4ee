//! Values out of fixed lists in answers: written as their names, described with all of them.

use serde::{Serialize, Serializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::body::schema;

/// Declares the types of answers that stand for enumerations of the domain. A generic type won't
/// do: deriving a schema asks every type parameter for one.
macro_rules! names {
    ($($name:ident = $value:ty),* $(,)?) => {$(
        #[doc = concat!("The name of a `", stringify!($value), "`.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $name(pub(crate) $value);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(purser_core::named::Named::name(self.0))
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                schema::names::<$value>()
            }
        }

        impl ToSchema for $name {}

        impl From<$value> for $name {
            fn from(value: $value) -> Self {
                Self(value)
            }
        }
    )*};
}

names! {
    ActivityLabelName = purser_core::ledger::trade::ActivityLabel,
    CostBasisSourceName = purser_core::ledger::holding::CostBasisSource,
    LockFieldName = purser_core::ledger::locks::LockField,
    NatureName = purser_core::ledger::nature::Nature,
    ImportStatusName = purser_core::import::status::ImportStatus,
    ImportTypeName = purser_core::import::import_type::ImportType,
    MappingKindName = purser_core::import::mapping::MappingKind,
    NumberFormatName = purser_core::text::number::NumberFormat,
    RowChoiceName = purser_core::import::row_edit::RowChoice,
    SignageName = purser_core::import::settings::Signage,
    VerdictName = purser_core::import::verdict::Verdict,
    ExecutionName = purser_core::rules::Execution,
    PriceSourceName = purser_core::ledger::valuing::PriceSource,
    RateSourceName = purser_core::rates::Source,
    RunStatusName = purser_core::rules::RunStatus,
    SecurityKindName = purser_core::ledger::security::SecurityKind,
    TradeTypeName = purser_core::ledger::trade::TradeType,
    ValuationKindName = purser_core::ledger::entry::ValuationKind,
}
