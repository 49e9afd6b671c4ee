//! The bodies of requests about transactions.

use purser_core::error::{Problem, Problems, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::locks::LockField;
use purser_core::ledger::nature::Nature;
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::split::PartInput;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::limits::{
    LABEL_CHARS_MAX, NAME_CHARS_MAX, NOTES_CHARS_MAX, ROW_TAGS_MAX, SPLIT_PARTS_MAX,
};
use serde_json::json;

use crate::http::body::kinds::{
    AnyText, CurrencyCode, DayOrTime, Decimal, Flag, Formed, Id, List, Object, OneOf, Text,
};
use crate::http::body::presence::{NonNull, Nullable, OnlyNew, Optional, Required};
use crate::http::body::{Checked, body};

body! {
    /// The members of a new transaction.
    pub(super) struct NewTransaction as "Transaction" in ["transaction"] {
        /// The id of a visible account.
        account_id: Required<Id>,
        /// The day of the transaction. A timestamp stands for its day in the offset that it names.
        date: Required<DayOrTime>,
        /// The amount: positive for money out, unless `nature` is sent.
        #[example("12.50")]
        amount: Required<Decimal>,
        /// The direction of the money, whatever the sign of the amount. `inflow` and `outflow` are
        /// aliases of `income` and `expense`.
        #[example("expense")]
        nature: Optional<OneOf<Nature>>,
        /// The code of the amount's currency; the account's currency if missing.
        #[example("EUR")]
        currency: Optional<Formed<CurrencyCode>>,
        /// The value of one unit of the amount's currency in the currency of the account, if the
        /// two differ. If missing, it is the best rate that is known for the day.
        #[example("1.0943")]
        exchange_rate: Nullable<Decimal>,
        /// The name that people see. It must be sent, here or as `description`.
        #[example("Grocery store")]
        name: Optional<Text<1, NAME_CHARS_MAX>>,
        /// An alias of `name`, which counts if both are sent.
        description: Optional<AnyText>,
        /// Free text about the transaction.
        notes: Nullable<Text<0, NOTES_CHARS_MAX>>,
        /// The id of the category.
        category_id: Nullable<Id>,
        /// The id of the merchant.
        merchant_id: Nullable<Id>,
        /// The ids of the tags.
        tag_ids: Optional<List<Id, ROW_TAGS_MAX>>,
        /// Whether reports and budgets leave it out; balances include it all the same.
        excluded: Optional<Flag>,
        /// The client's own id of the transaction, unique in the account and for the `source`. If
        /// it is sent again, nothing is created, and the answer is 200 with the transaction that
        /// exists.
        #[example("order-1234")]
        external_id: Optional<Text<0, LABEL_CHARS_MAX>>,
        /// The name of the client, together with `external_id`; `api` if missing.
        #[example("shop")]
        source: Optional<Text<0, LABEL_CHARS_MAX>>,
        /// Whether it is created even if a person deleted the one with this `external_id`. Without
        /// `true`, that is refused with 409 `deleted_before`.
        restore: Optional<Flag>,
    }
}

impl Checked for NewTransaction {
    type Output = TransactionInput;

    fn check(self, problems: Problems) -> Result<TransactionInput> {
        let values = TransactionValues {
            date: self.date,
            amount: self.amount,
            nature: self.nature,
            rate: self.exchange_rate,
            name: self.name.or(self.description).map(Some),
            notes: self.notes,
            category: self.category_id,
            merchant: self.merchant_id,
            tags: self.tag_ids,
            excluded: self.excluded,
            problems: problems.into_list(),
            ..TransactionValues::default()
        };
        Ok(TransactionInput {
            account: self.account_id,
            currency: self.currency,
            external_id: self.external_id,
            source: self.source,
            restore: self.restore.unwrap_or_default(),
            values,
        })
    }
}

body! {
    /// The members of a transaction that change; what is missing stays as it is.
    pub(super) struct TransactionChange as "Transaction" in ["transaction"] {
        /// The day of the transaction.
        date: Optional<DayOrTime>,
        /// The amount in the transaction's currency: positive for money out, unless `nature` is
        /// sent.
        #[example("12.50")]
        amount: Optional<Decimal>,
        /// The direction of the money, whatever the sign of the amount. `inflow` and `outflow` are
        /// aliases of `income` and `expense`.
        #[example("expense")]
        nature: Optional<OneOf<Nature>>,
        /// The value of one unit of the amount's currency in the currency of the account, if the
        /// two differ. Null stands for the best rate that is known for the day, from now on.
        exchange_rate: Nullable<Decimal>,
        /// The name that people see.
        #[example("Grocery store")]
        name: NonNull<Text<1, NAME_CHARS_MAX>>,
        /// An alias of `name`, which counts if both are sent.
        description: Optional<AnyText>,
        /// Free text about the transaction. Null clears it.
        notes: Nullable<Text<0, NOTES_CHARS_MAX>>,
        /// The id of the category. Null clears it.
        category_id: Nullable<Id>,
        /// The id of the merchant. Null clears it.
        merchant_id: Nullable<Id>,
        /// The ids of all tags that it has from now on.
        tag_ids: Optional<List<Id, ROW_TAGS_MAX>>,
        /// Whether reports and budgets leave it out; balances include it all the same.
        excluded: Optional<Flag>,
        /// The fields that rules and imports may change again, as `locked_attributes` names them.
        /// Every other field that this request changes is locked.
        #[example(["category"])]
        unlock: Optional<List<OneOf<LockField>, { usize::MAX }>>,
        /// The currency of the amount, which can't change.
        currency: OnlyNew<Optional<Formed<CurrencyCode>>>,
        /// The id of the account that it is moved to, with its parts. The amount keeps its
        /// currency; an `exchange_rate` for the account that it leaves doesn't count in another
        /// currency.
        account_id: Optional<Id>,
    }
}

impl Checked for TransactionChange {
    type Output = TransactionValues;

    fn check(self, problems: Problems) -> Result<TransactionValues> {
        Ok(TransactionValues {
            date: self.date,
            amount: self.amount,
            nature: self.nature,
            rate: self.exchange_rate,
            name: self.name.or(self.description.map(Some)),
            notes: self.notes,
            category: self.category_id,
            merchant: self.merchant_id,
            tags: self.tag_ids,
            excluded: self.excluded,
            unlock: self.unlock.unwrap_or_default(),
            currency: self.currency,
            account: self.account_id,
            problems: problems.into_list(),
        })
    }
}

body! {
    /// The counterpart of a transaction.
    pub(super) struct LinkFields as "TransferLink" in ["transfer"] {
        /// The id of the transaction on the other side. It must be sent; null stands for none.
        other_transaction_id: Nullable<Id>,
    }
}

impl Checked for LinkFields {
    type Output = Option<EntryId>;

    fn check(self, mut problems: Problems) -> Result<Option<EntryId>> {
        let field = "other_transaction_id";
        let other = match self.other_transaction_id {
            Some(other) => other.map(|id| id.parse()),
            None => {
                problems.about(field, "Other transaction ID is required");
                None
            }
        };
        if let Some(Err(_)) = other {
            // A malformed id is refused like an id that nothing has.
            problems.push(Problem::unknown(field, "transaction"));
        }
        problems.into_result()?;
        Ok(other.and_then(std::result::Result::ok))
    }
}

body! {
    /// The parts of a transaction.
    pub(super) struct SplitFields as "Split" in ["split"] {
        /// The parts, with amounts that add up to the amount of the transaction exactly.
        #[example([json!({ "amount": "7.50", "name": "Soap" }), json!({ "amount": "5.00" })])]
        parts: Required<List<Object<PartFields>, SPLIT_PARTS_MAX, 2>>,
    }
}

body! {
    /// A part of a transaction.
    pub(super) struct PartFields as "SplitPart" {
        /// The amount in the transaction's currency: positive for money out.
        #[example("7.50")]
        amount: Required<Decimal>,
        /// The name that people see; the transaction's name if missing.
        #[example("Soap")]
        name: Optional<Text<1, NAME_CHARS_MAX>>,
        /// An alias of `name`, which counts if both are sent.
        description: Optional<AnyText>,
        /// Free text about the part.
        notes: Nullable<Text<0, NOTES_CHARS_MAX>>,
        /// The id of the category.
        category_id: Nullable<Id>,
        /// The id of the merchant; the transaction's merchant if missing.
        merchant_id: Nullable<Id>,
        /// The ids of the tags.
        tag_ids: Optional<List<Id, ROW_TAGS_MAX>>,
        /// Whether reports and budgets leave the part out; as the transaction if missing.
        excluded: Optional<Flag>,
    }
}

impl Checked for SplitFields {
    type Output = Vec<PartInput>;

    fn check(self, problems: Problems) -> Result<Vec<PartInput>> {
        problems.into_result()?;
        Ok(self.parts.unwrap_or_default().into_iter().map(part).collect())
    }
}

fn part(part: PartFields) -> PartInput {
    let values = TransactionValues {
        name: part.name.or(part.description).map(Some),
        notes: part.notes,
        category: part.category_id,
        merchant: part.merchant_id,
        tags: part.tag_ids,
        excluded: part.excluded,
        ..TransactionValues::default()
    };
    PartInput { amount: part.amount, values }
}
