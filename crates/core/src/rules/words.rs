//! The words that conditions are written with.

use crate::named::text_enum;

text_enum! {
    /// The type of a condition.
    ConditionType {
        /// The name of the transaction.
        Name = "transaction_name",
        /// The notes of the transaction.
        Notes = "transaction_notes",
        /// The name that its source gave it.
        Details = "transaction_details",
        /// The amount without its sign.
        Amount = "transaction_amount",
        /// The direction of the money.
        Type = "transaction_type",
        /// The category of a transaction.
        Category = "transaction_category",
        /// The merchant of a transaction.
        Merchant = "transaction_merchant",
        /// The tags of a transaction.
        Tag = "transaction_tag",
        /// The account of a transaction.
        Account = "transaction_account",
        /// Several conditions that are joined.
        Compound = "compound",
    }
}

text_enum! {
    /// The comparison of a condition; not every type has all of them.
    Operator {
        /// The text contains the value, whatever the case.
        Contains = "like",
        /// The text doesn't contain the value, whatever the case.
        ContainsNot = "not_like",
        /// It is the value.
        Is = "=",
        /// It is not the value.
        IsNot = "!=",
        /// The amount is below the value.
        Less = "<",
        /// The amount is below the value or equal to it.
        AtMost = "<=",
        /// The amount is equal to the value or above it.
        AtLeast = ">=",
        /// The amount is above the value.
        More = ">",
        /// There is no value.
        Missing = "is_null",
        /// There is some value.
        Present = "is_not_null",
        /// All of the conditions hold.
        All = "and",
        /// At least one of the conditions holds.
        Any = "or",
    }
}
