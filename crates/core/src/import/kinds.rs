//! The table of record kinds: one line for each import type that this version can read. What it
//! takes to read, judge and plan a file of any kind is in [`super::dispatch`].

use serde::{Deserialize, Serialize};

/// The table: the name of each kind, and the type that implements
/// [`RecordKind`](super::kind::RecordKind). It is handed to a macro, so that everything that has a
/// part for each kind is made of the same lines.
macro_rules! table {
    ($then:ident) => {
        $then! {
            /// Transactions of a bank.
            #[default]
            Transaction => TransactionKind,
            /// Categories with their colors and icons.
            Category => CategoryKind,
            /// Merchants with their colors and websites.
            Merchant => MerchantKind,
            /// Rules with their conditions and actions.
            Rule => RuleKind,
            /// Accounts with their balances.
            Account => AccountKind,
            /// Transactions of several accounts, as Mint exported them.
            Mint => MintKind,
            /// The register of YNAB, with splits and transfers.
            Ynab => YnabKind,
            /// Transactions of Actual Budget, with splits and transfers.
            Actual => ActualKind,
            /// Transactions in a QIF file.
            Qif => QifKind,
            /// Trades of securities, as brokers list them.
            Trade => TradeKind,
            /// Everything that a family has, as this server writes it.
            Native => NativeKind,
        }
    };
}
pub(super) use table;

macro_rules! declare {
    ($($(#[$doc:meta])* $name:ident => $kind:ty,)+) => {
        /// A record kind of the table.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Kind {
            $($(#[$doc])* $name,)+
        }

        impl Kind {
            /// Every kind of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];
        }
    };
}
table!(declare);
