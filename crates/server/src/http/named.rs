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
    AccountStatusName = purser_core::ledger::account::AccountStatus,
    AccountTypeName = purser_core::ledger::account::AccountType,
    ActionTypeName = purser_core::rules::ActionType,
    ActivityLabelName = purser_core::ledger::trade::ActivityLabel,
    ClassificationName = purser_core::ledger::account::Classification,
    ConditionTypeName = purser_core::rules::ConditionType,
    ConnectionStatusName = purser_core::connection::ConnectionStatus,
    CostBasisSourceName = purser_core::ledger::holding::CostBasisSource,
    CostMethodName = purser_core::ledger::trade::CostMethod,
    ExportFormatName = purser_core::export::ExportFormat,
    ExportStatusName = purser_core::export::ExportStatus,
    FoundAccountStateName = purser_core::connection::FoundAccountState,
    ImportStatusName = purser_core::import::status::ImportStatus,
    ImportTypeName = purser_core::import::import_type::ImportType,
    IntervalName = purser_core::periods::Interval,
    LockFieldName = purser_core::ledger::locks::LockField,
    MappingKindName = purser_core::import::mapping::MappingKind,
    NatureName = purser_core::ledger::nature::Nature,
    NumberFormatName = purser_core::text::number::NumberFormat,
    OperatorName = purser_core::rules::Operator,
    PriceSourceName = purser_core::ledger::valuing::PriceSource,
    RateSourceName = purser_core::rates::Source,
    ReadbackStatusName = purser_core::import::native::ReadbackStatus,
    RecurringStatusName = purser_core::recurring::input::RecurringStatus,
    ResourceTypeName = purser_core::rules::ResourceType,
    RevertStatusName = purser_core::connection::RevertStatus,
    RowChoiceName = purser_core::import::row_edit::RowChoice,
    RunStatusName = purser_core::rules::RunStatus,
    SessionStatusName = purser_core::import::session::SessionStatus,
    ScopeName = purser_app::keys::Scope,
    SecurityKindName = purser_core::ledger::security::SecurityKind,
    SignageName = purser_core::import::settings::Signage,
    FileFormatName = purser_core::import::source_file::FileFormat,
    StatementKindName = purser_core::import::file_statement::StatementKind,
    DoubtName = purser_core::sync::Doubt,
    SyncErrorCodeName = purser_core::connection::PublishedErrorCode,
    StepFailureName = purser_core::connection::outcome::StepFailure,
    SyncReasonName = purser_core::sync::Reason,
    HoldingReasonName = purser_core::sync::holdings::HoldingReason,
    SyncStatusName = purser_core::connection::SyncStatus,
    SyncStepName = purser_core::connection::outcome::SyncStep,
    SyncWarningName = purser_core::sync::Warning,
    WebhookEventName = purser_core::webhook::WebhookEvent,
    DeliveryEventName = purser_core::webhook::DeliveryEvent,
    DeliveryStatusName = purser_core::webhook::DeliveryStatus,
    DeliveryFailureName = purser_core::webhook::DeliveryFailure,
    TradeTypeName = purser_core::ledger::trade::TradeType,
    TransferMakerName = purser_core::transfers::Maker,
    TransferMatchingName = purser_core::transfers::Matching,
    TransferStatusName = purser_core::transfers::TransferStatus,
    TransferTypeName = purser_core::transfers::TransferType,
    ValuationKindName = purser_core::ledger::entry::ValuationKind,
    VerdictName = purser_core::import::verdict::Verdict,
}
