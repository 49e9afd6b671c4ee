//! One account at a provider as a part of the form: what can become of it, what is chosen, and
//! what is wrong with that.

use purser_app::accounts::Account;
use purser_app::connections::links::{self, LinkTarget, LinkableAccount, NewLinkedAccount};
use purser_core::connection::FoundAccountState;
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::{self, AccountId};
use purser_core::money::decimal::quantity_text;

use crate::web::form::Form;
use crate::web::view::Choice;

pub(super) const NEW: &str = "new";
pub(super) const LATER: &str = "later";
pub(super) const IGNORE: &str = "ignore";
pub(super) const KEEP: &str = "keep";

/// Fields of a row, with what the domain and a sentence call them.
const FIELDS: [(&str, &str, &str); 5] = [
    ("what", "account_id", "account"),
    ("name", "name", "name"),
    ("type", "account_type", "type"),
    ("subtype", "subtype", "kind"),
    ("currency", "currency", "currency"),
];

/// An account at a provider, with its part of the form.
#[derive(Debug)]
pub(super) struct AccountRow {
    pub(super) id: String,
    pub(super) name: String,
    /// The bank, the currency and the balance.
    pub(super) detail: String,
    /// What is the matter with it at the provider.
    pub(super) remark: Option<String>,
    /// What can become of it.
    pub(super) choices: Vec<Choice>,
    /// Whether a new account can be made for it.
    pub(super) can_be_new: bool,
    /// Whether a person has to state its currency.
    pub(super) needs_currency: bool,
    /// The kind of account that its name suggests.
    pub(super) subtype_hint: &'static str,
    values: Vec<(&'static str, String)>,
    problems: Vec<(&'static str, String)>,
}

/// What becomes of an account at a provider.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// It stays as it is.
    Keep,
    /// It is linked to an account.
    Link(LinkTarget),
    /// Its link ends, or it isn't left alone any more.
    Undecided,
    /// It is left alone.
    Ignore,
}

impl AccountRow {
    /// With what is in the form, or else with what is proposed.
    pub(super) fn of(account: &LinkableAccount, candidates: &[Account], form: &Form) -> Self {
        let found = &account.found;
        let id = found.id.to_string();
        let is_linked = found.account.is_some();
        let proposal = account.proposal;
        let proposed = [
            ("what", proposed_choice(account, candidates)),
            ("name", found.name.clone()),
            ("type", proposal.account_type.as_str().to_owned()),
            ("subtype", String::new()),
            ("currency", String::new()),
        ];
        let is_sent = form.is_on(&format!("what_{id}"));
        let value = |(name, proposed): (&'static str, String)| {
            let sent = form.text(&format!("{name}_{id}")).to_owned();
            (name, if is_sent { sent } else { proposed })
        };
        Self {
            name: found.name.clone(),
            detail: detail(account),
            remark: remark(account),
            choices: choices(account, candidates),
            can_be_new: !is_linked,
            needs_currency: !is_linked
                && (found.currency.is_none() || found.other_currency.is_some()),
            subtype_hint: proposal.subtype.unwrap_or_default(),
            values: proposed.map(value).into(),
            problems: Vec::new(),
            id,
        }
    }

    /// What is in a field.
    pub(super) fn value(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value)
    }

    /// What is wrong with a field.
    pub(super) fn problem(&self, name: &str) -> Option<&str> {
        self.problems.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str())
    }

    /// Adds a problem at its field, if it is of this row: its path begins with the row's id. What
    /// belongs to no field is shown at the choice.
    pub(super) fn refuse(&mut self, problem: &Problem) {
        let Some(path) = problem.path().and_then(|path| path.strip_prefix(&self.id)) else {
            return;
        };
        let sent = path.trim_start_matches('.');
        let field = FIELDS.iter().find(|(_, known, _)| *known == sent);
        let (name, _, label) = field.copied().unwrap_or(FIELDS[0]);
        self.problems.push((name, problem.text_for(label)));
    }
}

/// What a person has chosen for an account.
pub(super) fn decision(account: &LinkableAccount, form: &Form) -> Result<Decision> {
    let found = &account.found;
    let id = found.id.to_string();
    let text = |name: &str| form.filled(&format!("{name}_{id}")).map(str::to_owned);
    let is_decided = found.account.is_some() || found.is_ignored;
    Ok(match form.text(&format!("what_{id}")) {
        // An account that was found after the page was made isn't in its form.
        "" | KEEP => Decision::Keep,
        LATER if is_decided => Decision::Undecided,
        IGNORE if !found.is_ignored => Decision::Ignore,
        LATER | IGNORE => Decision::Keep,
        NEW => Decision::Link(LinkTarget::New(NewLinkedAccount {
            name: text("name"),
            account_type: text("type"),
            subtype: text("subtype"),
            currency: text("currency").map(|code| code.to_uppercase()),
        })),
        other => {
            let unknown = |_| Error::invalid(Problem::unknown("account_id", "account"));
            Decision::Link(LinkTarget::Existing(AccountId(ids::read(other).map_err(unknown)?)))
        }
    })
}

/// What is worth knowing about an account at a provider.
fn remark(account: &LinkableAccount) -> Option<String> {
    let found = &account.found;
    let of_state = match (found.is_listed, found.state) {
        (false, _) => Some("The provider doesn't list it any more."),
        (_, FoundAccountState::ConsentExpired) => Some("The bank asks for a new consent."),
        (_, FoundAccountState::Failing) => Some("The provider has trouble with this bank."),
        (_, FoundAccountState::Active) => None,
    };
    let currencies = match account.account_currency {
        Some(kept) => found.newest_currency().filter(|now| *now != kept).map(|now| {
            let (now, kept) = (now.code(), kept.code());
            format!("The provider states {now}, and the account is in {kept}.")
        }),
        None => found.currency.zip(found.other_currency).map(|(first, now)| {
            let (first, now) = (first.code(), now.code());
            format!("The provider stated {first} at first, and states {now} now.")
        }),
    };
    let parts: Vec<String> = of_state.map(str::to_owned).into_iter().chain(currencies).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn detail(account: &LinkableAccount) -> String {
    let found = &account.found;
    let currency = found.newest_currency().map(|currency| currency.code());
    let mut parts: Vec<String> = found.institution_name.clone().into_iter().collect();
    match (found.reported_balance, currency) {
        (Some(balance), currency) => {
            let text = format!("{} {}", quantity_text(balance), currency.unwrap_or_default());
            parts.push(text.replacen('-', "\u{2212}", 1).trim_end().to_owned());
        }
        (None, Some(currency)) => parts.push(currency.to_owned()),
        (None, None) => {}
    }
    parts.join(" · ")
}

/// Accounts of the family in the currency of one at a provider.
fn fitting<'a>(account: &LinkableAccount, all: &'a [Account]) -> impl Iterator<Item = &'a Account> {
    let found = &account.found;
    all.iter().filter(|one| found.currency.is_none() || links::is_stated(found, one.currency))
}

fn choices(account: &LinkableAccount, candidates: &[Account]) -> Vec<Choice> {
    if let Some(name) = account.account_name.as_deref().filter(|_| account.found.account.is_some())
    {
        return vec![
            Choice::new(KEEP, format!("Linked to {name}")),
            Choice::new(LATER, "End the link; what came by it stays"),
            Choice::new(IGNORE, "End the link, and leave it alone"),
        ];
    }
    let mut choices = vec![Choice::new(NEW, "A new account")];
    choices.extend(fitting(account, candidates).map(|one| {
        let label = format!("{} ({})", one.summary.name, one.currency.code());
        Choice::new(one.summary.id.to_string(), label)
    }));
    choices.push(Choice::new(LATER, "Decide later"));
    choices.push(Choice::new(IGNORE, "Leave it alone"));
    choices
}

/// The account of the same name if there is exactly one, else a new one.
fn proposed_choice(account: &LinkableAccount, candidates: &[Account]) -> String {
    let found = &account.found;
    if found.account.is_some() {
        return KEEP.to_owned();
    }
    if found.is_ignored {
        return IGNORE.to_owned();
    }
    let name = found.name.to_lowercase();
    let is_same = |one: &&Account| one.summary.name.to_lowercase() == name;
    let mut same = fitting(account, candidates).filter(is_same);
    match (same.next(), same.next()) {
        (Some(only), None) => only.summary.id.to_string(),
        _ => NEW.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use purser_app::connections::FoundAccount;
    use purser_core::connection::proposal::TypeProposal;
    use purser_core::ids::{ConnectionId, FoundAccountId};
    use purser_core::ledger::account::AccountType;
    use purser_core::money::Currency;
    use uuid::Uuid;

    use super::*;

    /// What counts for a linked account is its own currency, and for another one what the provider
    /// stated first.
    #[test]
    fn currencies_are_compared_with_that_of_the_account() {
        let (euros, dollars) = (Some(Currency::EUR), Some(Currency::USD));
        let remark_of = |other_currency, account_currency: Option<Currency>| {
            let found = FoundAccount {
                id: FoundAccountId(Uuid::nil()),
                connection: ConnectionId(Uuid::nil()),
                external_id: "1".to_owned(),
                name: "Giro".to_owned(),
                institution_name: None,
                state: FoundAccountState::Active,
                upstream: None,
                currency: euros,
                other_currency,
                reported_balance: None,
                is_listed: true,
                is_ignored: false,
                account: account_currency.map(|_| AccountId(Uuid::nil())),
                watermark: None,
                holdings_unsupported_at: None,
                observed_on: None,
                drift: None,
            };
            let proposal = TypeProposal { account_type: AccountType::Depository, subtype: None };
            remark(&LinkableAccount { found, account_name: None, account_currency, proposal })
        };
        let sentence = |text: &str| Some(text.to_owned());
        let at_first = sentence("The provider stated EUR at first, and states USD now.");
        assert_eq!((remark_of(None, None), remark_of(dollars, None)), (None, at_first));
        assert_eq!((remark_of(None, euros), remark_of(dollars, dollars)), (None, None));
        let of_euros = sentence("The provider states USD, and the account is in EUR.");
        let of_dollars = sentence("The provider states EUR, and the account is in USD.");
        assert_eq!((remark_of(dollars, euros), remark_of(None, dollars)), (of_euros, of_dollars));
    }
}
