//! The bodies that create and change accounts.

use purser_core::error::{Problems, Result};
use purser_core::ledger::account::{AccountStatus, AccountType};
use purser_core::ledger::account_values::AccountValues;
use purser_core::ledger::new_account::AccountInput;
use purser_core::ledger::trade::CostMethod;
use purser_core::limits::{LABEL_CHARS_MAX, NOTES_CHARS_MAX};
use purser_core::named::Named;
use utoipa::openapi::{RefOr, Schema};

use crate::http::body::kinds::{CurrencyCode, Day, Decimal, Formed, Id, Kind, OneOf, Text};
use crate::http::body::presence::{NonNull, Nullable, Optional, Required};
use crate::http::body::{Checked, body, schema};
use crate::http::describe::Components;
use crate::http::fields::Json;

/// The name of a type of account, also in other spellings: in any case, and without underscores.
pub(super) struct TypeName;

impl Kind for TypeName {
    type Output = String;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<String> {
        Text::<0, 0>::from_json(json, field, problems)
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        schema::names::<AccountType>()
    }
}

/// A status that a person may choose.
pub(super) struct StatusName;

impl Kind for StatusName {
    type Output = String;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, _: &str, _: &mut Problems) -> Option<String> {
        Some(json.written())
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        let chosen = [AccountStatus::Active, AccountStatus::Draft, AccountStatus::Disabled];
        schema::names_of(&chosen)
    }
}

body! {
    /// The members of a new account.
    pub(super) struct NewAccountFields as "Account" in ["account"] {
        /// The name that people see.
        #[example("Checking")]
        name: Required<Text<1, LABEL_CHARS_MAX>>,
        /// The type of the account. Its name is accepted in any case and without underscores. It
        /// must be sent, here or as `accountable_type`.
        #[example("depository")]
        account_type: Optional<TypeName>,
        /// An alias of `account_type`, which counts if both are sent.
        #[example("depository")]
        accountable_type: Optional<TypeName>,
        /// The code of the account's currency; the family's currency if missing.
        #[example("USD")]
        currency: Optional<Formed<CurrencyCode>>,
        /// A more exact type in your own words, such as `checking`.
        #[example("checking")]
        subtype: Optional<Text<0, LABEL_CHARS_MAX>>,
        /// The balance before all entries, or at the end of the opening day if there is one. For a
        /// liability, a positive amount is debt. It is zero if missing.
        #[example("1000.00")]
        opening_balance: Optional<Decimal>,
        /// An alias of `opening_balance`; if both are sent, they must be equal.
        #[example("1000.00")]
        balance: Optional<Decimal>,
        /// The day that ends with the opening balance.
        #[example("2026-01-01")]
        opening_date: Optional<Day>,
        /// An alias of `opening_date`, which counts if both are sent.
        #[example("2026-01-01")]
        opening_balance_date: Optional<Day>,
        /// The present balance as the bank reports it, from which earlier days are computed. It
        /// becomes the valuation `current_anchor` of the family's today.
        #[example("1234.56")]
        current_balance: Optional<Decimal>,
        /// The id of the member of the family that the account belongs to.
        owner_id: Optional<Id>,
        /// The cost-basis method; `average` if missing.
        cost_method: Optional<OneOf<CostMethod>>,
        /// The name of the bank.
        #[example("Example Bank")]
        institution_name: Optional<Text<0, LABEL_CHARS_MAX>>,
        /// The web domain of the bank.
        #[example("bank.example")]
        institution_domain: Optional<Text<0, LABEL_CHARS_MAX>>,
        /// Free text about the account.
        notes: Optional<Text<0, NOTES_CHARS_MAX>>,
    }
}

impl Checked for NewAccountFields {
    type Output = AccountInput;

    fn check(self, problems: Problems) -> Result<AccountInput> {
        Ok(AccountInput {
            name: self.name,
            account_type: self.account_type,
            accountable_type: self.accountable_type,
            subtype: self.subtype,
            currency: self.currency,
            opening_balance: self.opening_balance,
            balance: self.balance,
            opening_date: self.opening_date,
            opening_balance_date: self.opening_balance_date,
            institution_name: self.institution_name,
            institution_domain: self.institution_domain,
            notes: self.notes,
            owner: self.owner_id,
            cost_method: self.cost_method.map(|method| method.name().to_owned()),
            current_balance: self.current_balance,
            problems: problems.into_list(),
        })
    }
}

body! {
    /// The members of an account that can be changed.
    pub(super) struct AccountFields as "Account" in ["account"] {
        /// The name that people see.
        #[example("Checking")]
        name: NonNull<Text<1, LABEL_CHARS_MAX>>,
        /// A more exact type in your own words, such as `checking`.
        #[example("checking")]
        subtype: Nullable<Text<0, LABEL_CHARS_MAX>>,
        /// The status. A `disabled` account is kept, but hidden.
        status: Optional<StatusName>,
        /// The id of the member of the family that the account belongs to.
        owner_id: Nullable<Id>,
        /// The name of the bank.
        #[example("Example Bank")]
        institution_name: Nullable<Text<0, LABEL_CHARS_MAX>>,
        /// The web domain of the bank.
        #[example("bank.example")]
        institution_domain: Nullable<Text<0, LABEL_CHARS_MAX>>,
        /// Free text about the account. Null clears it.
        notes: Nullable<Text<0, NOTES_CHARS_MAX>>,
        /// The cost-basis method. Positions are computed again from the first trade on.
        cost_method: Optional<OneOf<CostMethod>>,
        /// The balance before all entries, or at the end of the opening day if there is one. For a
        /// liability, a positive amount is debt.
        #[example("1000.00")]
        opening_balance: Optional<Decimal>,
        /// The day that ends with the opening balance; it must be before the first entry. If it is
        /// null, the opening balance comes before all entries.
        #[example("2026-01-01")]
        opening_date: Nullable<Day>,
        /// The present balance as the bank reports it, from which earlier days are computed. It
        /// becomes the valuation `current_anchor` of the family's today.
        #[example("1234.56")]
        current_balance: Optional<Decimal>,
        /// The balance of the family's today, as a decimal. Another one than the present becomes a
        /// valuation of today; earlier days stay as they are. The present one may be sent back as
        /// answers show it.
        #[example("1234.56")]
        balance: Optional<Decimal>,
    }
}

impl Checked for AccountFields {
    type Output = AccountValues;

    fn check(self, problems: Problems) -> Result<AccountValues> {
        Ok(AccountValues {
            name: self.name,
            subtype: self.subtype,
            status: self.status,
            owner: self.owner_id,
            institution_name: self.institution_name,
            institution_domain: self.institution_domain,
            notes: self.notes,
            cost_method: self.cost_method.map(|method| method.name().to_owned()),
            opening_balance: self.opening_balance,
            opening_date: self.opening_date,
            current_balance: self.current_balance,
            balance: self.balance,
            problems: problems.into_list(),
        })
    }
}
