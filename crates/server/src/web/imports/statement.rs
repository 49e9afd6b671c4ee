//! What a file comes to, as on the bank's own statement: by account, period, money in and out, and
//! what proves that it is whole.

use jiff::civil::Date;
use purser_app::FamilyTx;
use purser_app::accounts;
use purser_app::imports::{Import, Mapping};
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::import::layout::Layout;
use purser_core::import::mapping::{Choice, MappingKind};
use purser_core::import::transaction::balance::own::OwnBalances;
use purser_core::import::transaction::totals::AccountTotals;
use purser_core::text::label::name_key;
use purser_core::text::quoted;

use super::counted;
use crate::web::view::{Amount, day};

/// Accounts that are listed.
const ACCOUNTS_LISTED: usize = 10;

/// An account with what its rows come to.
pub(super) struct Line {
    /// The name of the account, with its currency.
    pub(super) account: String,
    /// The account is created by the publish.
    pub(super) is_new: bool,
    /// The number of rows, with the noun.
    pub(super) rows: String,
    /// From when to when.
    pub(super) period: String,
    pub(super) money_in: Amount,
    pub(super) money_out: Amount,
}

/// The lines of a file, and how many more accounts it has.
pub(super) fn lines(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    layout: &Layout,
    mappings: &[Mapping],
) -> Result<(Vec<Line>, usize)> {
    let mut lines = Vec::new();
    for totals in layout.totals.iter().take(ACCOUNTS_LISTED) {
        let (name, is_new) = account_of(tx, import, totals, mappings)?;
        lines.push(line(totals, name, is_new));
    }
    Ok((lines, layout.totals.len().saturating_sub(ACCOUNTS_LISTED)))
}

fn line(totals: &AccountTotals, name: Option<String>, is_new: bool) -> Line {
    let currency = totals.currency;
    let account = match name {
        Some(name) => format!("{name} ({})", currency.code()),
        None => currency.code().to_owned(),
    };
    let period = match (totals.first_day, totals.last_day) {
        (first, last) if first == last => day(first),
        (first, last) => format!("{} to {}", day(first), day(last)),
    };
    Line {
        account,
        is_new,
        rows: counted(totals.rows, "row", "rows"),
        period,
        money_in: Amount::new(totals.money_in, currency),
        money_out: Amount::of_entry(totals.money_out, currency),
    }
}

/// The name of the account that rows go into, and whether it is created for them.
fn account_of(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    totals: &AccountTotals,
    mappings: &[Mapping],
) -> Result<(Option<String>, bool)> {
    if let Some(id) = import.account {
        return Ok((Some(accounts::get(tx, id)?.summary.name), false));
    }
    let key = name_key(&totals.account);
    let is_its = |one: &&Mapping| one.kind == MappingKind::Account && one.value_key == key;
    let Some(mapping) = mappings.iter().find(is_its) else { return Ok((None, false)) };
    if let Some(id) = mapping.target {
        // It may be gone by now; then the plan is made anew.
        return match accounts::get(tx, AccountId(id)) {
            Ok(account) => Ok((Some(account.summary.name), false)),
            Err(Error::NotFound { .. }) => Ok((Some(totals.account.clone()), false)),
            Err(error) => Err(error),
        };
    }
    let name = match &mapping.choice {
        Some(Choice::Create { name: Some(name) } | Choice::PerCurrency { name: Some(name) }) => {
            name
        }
        _ => &mapping.value,
    };
    let name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
    Ok((name, mapping.creates))
}

/// What the file leaves out, what its balances prove, and how they stand beside those of the
/// accounts, as whole sentences.
pub(super) fn notes(layout: &Layout, own: &[OwnBalances]) -> Vec<String> {
    let left_out = layout
        .left_out
        .iter()
        .map(|one| format!("Left out: {}. {}.", counted(one.rows, "row", "rows"), one.reason));
    let unused =
        layout.unused_text().map(|columns| format!("Columns that are not used: {columns}."));
    left_out.chain(proofs(layout, own)).chain(unused).collect()
}

fn proofs(layout: &Layout, own: &[OwnBalances]) -> Vec<String> {
    let day = |date: Date| day(date);
    let in_file = |text: String| format!("Balance in the file: {text}.");
    let stated = layout.stated.as_ref().and_then(|ends| ends.text(day)).map(in_file);
    let mut proofs = Vec::new();
    if let Some(balance) = &layout.balance {
        let follow = counted(balance.proofs, "balance follows", "balances follow");
        proofs.push(format!("{follow} from the amounts of the file."));
        proofs.extend(balance.texts(day).into_iter().map(in_file));
        if layout.account_balance().is_none() {
            let header = quoted(&layout.header(balance.column));
            proofs.push(format!(
                "\"{header}\" is what can be spent, which states no balance of the account."
            ));
        }
        proofs.extend(stated);
    } else if let Some(stated) = stated {
        proofs.push(stated);
    } else if let Some(rule) = &layout.sign_rule {
        proofs.push(format!("{}.", rule.sentence()));
    } else if layout.kind.has_transactions() {
        proofs.push("The file has no balances, so nothing proves that it is whole.".to_owned());
        return proofs;
    }
    proofs.extend(own.iter().filter_map(|own| own.text(day)).map(|text| format!("{text}.")));
    proofs
}
