//! What is taken over from an earlier file only if it went to the same account.
//!
//! The header of a file is no proof of its bank: `Date,Description,Amount` is that of very many,
//! and a card may count purchases as positive below the header of a bank account. So what decides
//! which way money went, or between days and numbers that can be read in two ways, is kept for each
//! account. For a file of another one it is only proposed with the question, and that is asked
//! wherever the convention of signs was another one than is usual.

use serde::{Deserialize, Serialize};

use super::{GROUP, MergedSettings, TemplateUse};
use crate::ids::AccountId;
use crate::import::settings::{ALL_IN, AmountStrategy, Formats, NO_COLUMN, Settings, Signage};

/// Settings that count only for files of the same account; [`GROUP`] as well.
const OF_ACCOUNT: [&str; 10] = [
    "signage_convention",
    "total_meaning",
    "date_format",
    "number_format",
    DEBIT,
    "credit_col_label",
    "exchange_rate_col_label",
    "inverse_rate_col_label",
    "fee_col_label",
    "balance_check",
];
const DEBIT: &str = "debit_col_label";
/// Counts only for files of the same account if it names no column.
const CURRENCY: &str = "currency_col_label";
/// Accounts, alone or several in one file, of which a template keeps what was decided.
const ACCOUNTS_MAX: usize = 20;
/// A file with more accounts than these is kept for none of them.
const ACCOUNTS_OF_FILE_MAX: usize = 50;

fn is_of_account(name: &str, value: &str) -> bool {
    OF_ACCOUNT.contains(&name)
        || GROUP.contains(&name)
        || (name == CURRENCY && (value.trim() == NO_COLUMN || value.trim().starts_with(ALL_IN)))
}

/// What was decided about the file of an account, or of several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AccountSettings {
    /// The accounts that the rows of the file went to.
    pub accounts: Vec<AccountId>,
    /// Settings that were sent or chosen, of those that count only for the same account.
    #[serde(skip_serializing_if = "is_default")]
    pub settings: Settings,
    /// What was found in the file.
    #[serde(skip_serializing_if = "is_default")]
    pub found: Formats,
}

/// What a template keeps beside settings and choices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TemplateFormats {
    /// The formats of the last file.
    #[serde(flatten)]
    pub formats: Formats,
    /// What was decided for accounts, the last used first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<AccountSettings>,
}

impl AccountSettings {
    /// What counts for the accounts of a file of all that was sent or chosen for it, and found.
    /// A sign convention about amounts without any sign was an answer about that file alone, and
    /// one about amounts without a mark is no convention about signs. A currency of all amounts is
    /// an answer about that file, too: a bank may export each currency apart.
    pub fn new(accounts: Vec<AccountId>, settings: &Settings, mut found: Formats) -> Self {
        let mut settings = only(settings, is_of_account);
        if !found.is_signage_of_signs() {
            found.signage = found.signage.or(settings.signage);
            settings.signage = None;
        }
        let currency = &mut settings.labels.currency;
        *currency = currency.take().filter(|label| !label.trim().starts_with(ALL_IN));
        Self { accounts, settings, found }
    }

    /// Keeps what was decided for an earlier file of the same accounts about signs, where this one
    /// shows nothing of them.
    fn keep(&mut self, earlier: Self) {
        if let Some(reversals) = earlier.found.reversals
            && self.settings.amount_strategy.is_some_and(AmountStrategy::is_of_reversals)
        {
            self.found.reversals = Some(self.found.reversals.unwrap_or_default().or(reversals));
        }
        if self.found.has_signs == Some(true) {
            return;
        }
        let convention = |one: &Self| one.settings.signage.or(one.found.signage);
        let same = convention(&earlier).filter(|it| convention(self).is_none_or(|own| own == *it));
        if earlier.found.is_signage_of_signs() && same.is_some() {
            (self.found.signage, self.found.has_signs) = (earlier.found.signage, Some(true));
            self.settings.signage = earlier.settings.signage;
        }
        self.found.unmarked_is_out = self.found.unmarked_is_out.or(earlier.found.unmarked_is_out);
    }

    /// Whether positive amounts were money out, as far as anybody knows for the signs of a file.
    fn is_negative(&self) -> bool {
        let Formats { signage, has_signs, unmarked_is_out, .. } = self.found;
        let found = signage.filter(|_| has_signs != Some(false));
        unmarked_is_out == Some(true)
            || self.settings.signage.or(found) == Some(Signage::InflowsNegative)
    }

    /// The settings without the answer about balances, which is one about a single file where
    /// statements have them.
    pub fn without_answer(&self) -> Settings {
        only(&self.settings, |name, _| name != "balance_check")
    }

    /// Whether nothing of it would change how a file is read.
    pub fn is_blank(&self) -> bool {
        is_default(&self.settings) && is_default(&self.found)
    }

    /// Whether it was decided for all of some accounts.
    pub fn covers(&self, accounts: &[AccountId]) -> bool {
        !accounts.is_empty() && accounts.iter().all(|account| self.accounts.contains(account))
    }

    /// Whether an earlier version kept it without the accounts.
    pub fn is_of_unknown_accounts(&self) -> bool {
        self.accounts.is_empty()
    }
}

impl Formats {
    /// Whether the convention is one about signs, beyond doubt.
    pub fn is_signage_of_signs(&self) -> bool {
        self.has_signs == Some(true) && self.unmarked_is_out != Some(true)
    }

    /// Completes what decides between readings that fit equally well with what was found in the
    /// last file of the account. What is known of other accounts only shows that there is a doubt.
    pub fn complete(&mut self, found: Formats, known: &[AccountSettings]) {
        let is_known = found.unmarked_is_out == Some(true)
            || (found.signage.is_some() && found.is_signage_of_signs());
        // A file of the account was imported without.
        let is_new = found.has_signs.is_none();
        let elsewhere = |of: fn(&Settings) -> Option<&String>| {
            let others = known.iter().filter(|_| is_new);
            others.filter_map(|one| of(&one.settings)).next().cloned()
        };
        *self = Self {
            date_format: self.date_format.take().or(found.date_format.clone()),
            number_format: self.number_format.or(found.number_format),
            is_negative_elsewhere: !is_known && known.iter().any(AccountSettings::is_negative),
            debit_elsewhere: elsewhere(|settings| settings.labels.more.get(DEBIT)),
            inflow_value_elsewhere: elsewhere(|settings| settings.inflow_value.as_ref()),
            ..found
        };
    }
}

impl TemplateFormats {
    /// What is known of accounts. Earlier versions kept only the last file with the account that
    /// all of it went to, and not whether a sign convention was one about signs. Without that
    /// account it counts for files that name their accounts themselves.
    pub fn known(self, settings: &Settings, account: Option<AccountId>) -> Vec<AccountSettings> {
        // A file of too many accounts is kept for none of them.
        let is_of_today = account.is_none() && self.formats.has_signs.is_some();
        if !self.accounts.is_empty() || is_of_today {
            return self.accounts;
        }
        let one = AccountSettings::new(account.into_iter().collect(), settings, self.formats);
        if one.is_blank() { Vec::new() } else { vec![one] }
    }

    /// Puts what was decided for accounts before what is known of others, in place of what was
    /// known of the same.
    pub fn put(&mut self, one: AccountSettings) {
        if one.accounts.is_empty() || one.accounts.len() > ACCOUNTS_OF_FILE_MAX {
            return;
        }
        let mut one = one;
        let is_same = |other: &mut AccountSettings| other.accounts == one.accounts;
        let earlier: Vec<_> = self.accounts.extract_if(.., is_same).collect();
        earlier.into_iter().for_each(|earlier| one.keep(earlier));
        self.accounts.insert(0, one);
        self.accounts.truncate(ACCOUNTS_MAX);
    }
}

/// The settings of a template for a file of which it knows `of_account`; without it only those
/// that count for each file with the header.
pub fn for_account(template: &Settings, of_account: Option<&AccountSettings>) -> Settings {
    let general = only(template, |name, value| !is_of_account(name, value));
    match of_account {
        None => general,
        Some(one) => MergedSettings::new(&general, &one.settings, &[]).settings,
    }
}

impl TemplateUse {
    /// What an earlier file of another account was read with: proposed, never taken.
    pub fn proposal(&self) -> Option<&AccountSettings> {
        self.accounts.first()
    }

    /// The settings of an import that goes to another account from now on: what was taken over for
    /// the account before is taken back, and what is known of the new one is taken over. Formats
    /// of that one only decide between those that fit, as if they had been found.
    pub fn moved(&mut self, settings: &Settings, account: Option<AccountId>) -> Settings {
        let fields = settings.fields();
        let is_of_account =
            |name: &str| fields.get(name).is_some_and(|value| is_of_account(name, value));
        let is_taken_back =
            |name: &str| is_of_account(name) && self.settings_taken.iter().any(|it| it == name);
        let own = only(settings, |name, _| !is_taken_back(name));
        self.settings_taken.retain(|name| !is_of_account(name));
        let known = account.and_then(|id| self.accounts.iter().find(|one| one.covers(&[id])));
        let known = known.cloned().unwrap_or_default();
        let merged = MergedSettings::new(&own, &known.settings, &[]);
        let (mut merged, _) = merged.with_loose_formats();
        merged.settings.preferred.complete(known.found, &self.accounts);
        self.settings_taken.extend(merged.taken);
        self.preferred = merged.settings.preferred.clone();
        merged.settings
    }
}

/// The settings with these names.
fn only(settings: &Settings, is_kept: impl Fn(&str, &str) -> bool) -> Settings {
    let fields = settings.fields();
    let kept = Settings::from_fields(|name| {
        fields.get(name).filter(|value| is_kept(name, value)).cloned()
    });
    // Each setting is valid in itself, and those that need each other are kept together.
    kept.map(|kept| settings.with_caller(kept)).unwrap_or_default()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
#[path = "of_account_tests.rs"]
mod tests;
