//! Accounts: their types, what class they belong to, and their status.

use serde::{Deserialize, Serialize};

use super::trade::CostMethod;
use crate::ids::UserId;
use crate::named::text_enum;

text_enum! {
    /// What an account is.
    AccountType {
        /// A checking or savings account, or cash.
        Depository = "depository",
        /// A credit card: its balance is debt.
        CreditCard = "credit_card",
        /// A brokerage or retirement account.
        Investment = "investment",
        /// A wallet or an exchange account.
        Crypto = "crypto",
        /// A loan: its balance is debt.
        Loan = "loan",
        /// A house, a flat or land.
        Property = "property",
        /// A car or another vehicle.
        Vehicle = "vehicle",
        /// Anything else of value.
        OtherAsset = "other_asset",
        /// A debt of any other kind.
        OtherLiability = "other_liability",
    }
}

text_enum! {
    /// Whether an account's balance is owned or owed.
    Classification {
        /// Owned: money in raises the balance.
        Asset = "asset",
        /// Owed: the balance is positive debt, money out raises it.
        Liability = "liability",
    }
}

text_enum! {
    /// The life of an account.
    AccountStatus {
        /// The account is in use.
        Active = "active",
        /// The account is being set up.
        Draft = "draft",
        /// The account is kept, but hidden.
        Disabled = "disabled",
        /// Will be removed by a job.
        PendingDeletion = "pending_deletion",
    }
}

impl AccountType {
    /// Owned or owed; follows from the type alone.
    pub fn classification(self) -> Classification {
        match self {
            Self::CreditCard | Self::Loan | Self::OtherLiability => Classification::Liability,
            _ => Classification::Asset,
        }
    }
}

/// What an account's balance consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Composition {
    /// The account has only money.
    Cash,
    /// Something that is worth money, or that is owed.
    NonCash,
    /// Money, and securities beside it.
    Holdings,
}

impl AccountType {
    /// What its balance consists of; follows from the type alone.
    pub fn composition(self) -> Composition {
        match self {
            Self::Depository | Self::CreditCard => Composition::Cash,
            Self::Investment | Self::Crypto => Composition::Holdings,
            Self::Loan
            | Self::Property
            | Self::Vehicle
            | Self::OtherAsset
            | Self::OtherLiability => Composition::NonCash,
        }
    }

    /// Whether it can have trades.
    pub fn holds_securities(self) -> bool {
        self.composition() == Composition::Holdings
    }
}

impl Classification {
    /// How an entry's amount (positive = money out) moves the balance: −1 for assets, +1 for debt.
    pub fn sign(self) -> i64 {
        match self {
            Self::Asset => -1,
            Self::Liability => 1,
        }
    }
}

impl AccountType {
    /// The value that somebody names, whatever the case and with or without underscores:
    /// `credit_card`, `CreditCard`, `CREDIT_CARD`.
    pub fn read(text: &str) -> Option<Self> {
        let plain = |text: &str| text.replace('_', "").to_ascii_lowercase();
        let wanted = plain(text.trim());
        Self::ALL.iter().copied().find(|one| plain(one.as_str()) == wanted)
    }
}

impl AccountStatus {
    /// Whether lists show the account unless asked for more.
    pub fn is_visible(self) -> bool {
        matches!(self, Self::Active | Self::Draft)
    }
}

/// An account's name and settings as somebody gives them, checked by [`crate::plan`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAccount {
    /// Shown name, trimmed, 1 to [`crate::limits::LABEL_CHARS_MAX`] characters.
    pub name: String,
    /// The type of the account.
    pub account_type: AccountType,
    /// Free text such as `checking`, if any.
    pub subtype: Option<String>,
    /// The currency of its balance.
    pub currency: crate::money::Currency,
    /// The balance before everything that the ledger knows, in the currency's scale.
    pub opening: Opening,
    /// The name of the bank, if known.
    pub institution_name: Option<String>,
    /// The web domain of the bank, if known.
    pub institution_domain: Option<String>,
    /// Free text about the account.
    pub notes: Option<String>,
    /// The member to whom it belongs, if it belongs to one in particular.
    pub owner: Option<UserId>,
    /// The cost-basis method of the account.
    pub cost_method: CostMethod,
    /// The balance that the bank reports now; balances of earlier days are computed from it.
    pub current_amount: Option<i64>,
}

/// Where an account's series of balances starts.
///
/// Without a day, the amount is before the first entry, whichever day that turns out to be: someone
/// who opens an account with 1,000 and then uploads five years of statements means that the 1,000
/// came first. With a day, it is a valuation of kind `opening_anchor` on that day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The amount in the currency's scale; for a liability positive = debt.
    pub amount: i64,
    /// The end of this day has the amount.
    pub date: Option<jiff::civil::Date>,
}
