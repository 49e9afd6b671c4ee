//! Making, changing and removing trades, as people and clients write them.

use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::input::label;
use purser_core::ledger::new_trade::{CheckedTrade, TradeCurrencies, TradeInput, TradeValues};
use purser_core::ledger::trade::{Terms, TradeType};
use purser_core::limits::LABEL_CHARS_MAX;
use purser_core::plan::{Change, Target, TradeDraft, TradeRevision, TradeTerms};
use rust_decimal::Decimal;
use serde_json::json;

use super::input;
use super::{TRADE_BURIED, TRADE_BY_EXTERNAL, Trade, get};
use crate::access::FamilyTx;
use crate::accounts::AccountFacts;
use crate::calendar;
use crate::driver::Val;
use crate::families;
use crate::ledger::{Applied, Event, Executor};
use crate::transactions::conversions;

/// The source of a trade that was sent without one.
const SOURCE_DEFAULT: &str = "api";

/// Adds a trade, and returns whether its external id was there before: then nothing changes.
pub fn create(tx: &mut FamilyTx<'_>, input: &TradeInput) -> Result<(Trade, bool)> {
    let mut problems = Problems::new();
    let account = own_account(tx, input, &mut problems)?;
    let origin = origin(input, &mut problems);
    if let (Some(account), Some((source, external))) = (&account, &origin)
        && problems.is_empty()
        && let Some(known) = by_external(tx, account.summary.id, external, source)?
    {
        return Ok((get(tx, known)?, true));
    }
    let named = input::security(tx, input, &mut problems)?;
    let to = destination(tx, input, account.as_ref(), &mut problems)?;
    let home = match &account {
        Some(account) => account.currency,
        None => families::get(tx)?.currency,
    };
    let place = TradeCurrencies { home, to: to.as_ref().map(|to| to.currency) };
    let today = calendar::today(tx)?;
    let checked = input.values.check(None, place, today, &mut problems);
    if input.security.is_none() && input.ticker.is_none() {
        problems.field("security_id", "or the ticker is required");
    }
    problems.into_result()?;
    if let (Some(account), Some((source, external)), false) = (&account, &origin, input.restore) {
        require_not_deleted(tx, account.summary.id, external, source)?;
    }
    let (Some(account), Some(named), Some(checked)) = (account, named, checked) else {
        return Err(Error::internal("a trade without a field was let through"));
    };
    let is_unseen = named.is_hidden(tx)?;
    let mut executor = Executor::begin(tx, 2)?;
    let draft = TradeDraft {
        account: Target::Existing(account.summary.id.0),
        security: named.find(tx, &mut executor)?,
        to: to.map(|to| Target::Existing(to.summary.id.0)),
        terms: terms(&checked)?,
        source: origin.as_ref().map(|(source, _)| source.as_str()),
        external_id: origin.as_ref().map(|(_, external)| external.as_str()),
    };
    let applied = finish(tx, executor, "trade.create", &Change::AddTrade(draft))?;
    Ok((redact_security_name(get(tx, applied.entry)?, is_unseen), false))
}

/// Changes a trade; what is missing stays. Of a move between accounts both sides change.
pub fn revise(tx: &mut FamilyTx<'_>, id: EntryId, input: &TradeInput) -> Result<Trade> {
    let before = get(tx, id)?;
    require_both_sides(&before)?;
    let mut problems = Problems::new();
    refuse_moves(input, &before, &mut problems);
    let named = input::security(tx, input, &mut problems)?;
    let (place, rate) = standing(tx, &before)?;
    let present = present(&before, rate);
    let today = calendar::today(tx)?;
    let checked = input.values.check(Some(&present), place, today, &mut problems);
    if before.counterpart.is_some() {
        require_same_move(&input.values, &before, &mut problems);
    }
    problems.into_result()?;
    let checked = checked.ok_or_else(|| Error::internal("a trade was let through"))?;
    let mut executor = Executor::begin(tx, 2)?;
    let (security, is_unseen) = match named {
        Some(named) => {
            let is_unseen = named.is_hidden(tx)?;
            (named.find(tx, &mut executor)?, is_unseen)
        }
        None => (before.security.id, false),
    };
    if checked == present && security == before.security.id && !executor.has_records() {
        return Ok(before);
    }
    let terms = terms(&checked)?;
    let change = Change::ReviseTrade(TradeRevision { entry: id, security, terms });
    finish(tx, executor, "trade.revise", &change)?;
    Ok(redact_security_name(get(tx, id)?, is_unseen))
}

/// Takes a trade away; of a move between accounts both sides.
pub fn remove(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<()> {
    require_both_sides(&get(tx, id)?)?;
    let executor = Executor::begin(tx, 2)?;
    let change = Change::RemoveTrade { entry: id };
    finish(tx, executor, "trade.remove", &change).map(drop)
}

/// A trade as it is answered to a key that hadn't seen the security before.
fn redact_security_name(mut trade: Trade, is_unseen: bool) -> Trade {
    if is_unseen {
        trade.security.name = None;
    }
    trade
}

fn own_account(
    tx: &mut FamilyTx<'_>,
    input: &TradeInput,
    problems: &mut Problems,
) -> Result<Option<AccountFacts>> {
    let Some(text) = &input.account else {
        problems.required("account_id");
        return Ok(None);
    };
    input::account(tx, "account_id", text, problems)
}

/// The other account of a move.
fn destination(
    tx: &mut FamilyTx<'_>,
    input: &TradeInput,
    from: Option<&AccountFacts>,
    problems: &mut Problems,
) -> Result<Option<AccountFacts>> {
    let Some(text) = &input.to_account else { return Ok(None) };
    if input.values.trade_type != Some(TradeType::TransferOut) {
        problems.field("to_account_id", "is only for a trade of type transfer_out");
        return Ok(None);
    }
    let to = input::account(tx, "to_account_id", text, problems)?;
    if from.zip(to.as_ref()).is_some_and(|(from, to)| from.summary.id == to.summary.id) {
        problems.field("to_account_id", "must name another account");
    }
    Ok(to)
}

/// The currencies of the accounts of a trade, and the rate that was sent with it. Of a move it is
/// kept with the shares' arrival.
fn standing(tx: &mut FamilyTx<'_>, trade: &Trade) -> Result<(TradeCurrencies, Option<Decimal>)> {
    let Some(other) = trade.counterpart.as_ref().map(|other| other.entry) else {
        let home = trade.booked.as_ref().map_or(trade.currency, |booked| booked.currency);
        let given = trade.booked.as_ref().filter(|booked| booked.given);
        return Ok((TradeCurrencies { home, to: None }, given.and_then(|booked| booked.rate)));
    };
    let sides = conversions::booked(tx, vec![(trade.id, None, 0), (other, None, 0)])?;
    let arrival = sides.into_values().next();
    let to = arrival.as_ref().map_or(trade.currency, |booked| booked.currency);
    let given = arrival.filter(|booked| booked.given).and_then(|booked| booked.rate);
    Ok((TradeCurrencies { home: trade.currency, to: Some(to) }, given))
}

/// Source and external id.
fn origin(input: &TradeInput, problems: &mut Problems) -> Option<(String, String)> {
    let max = LABEL_CHARS_MAX;
    let external = label("external_id", input.external_id.as_deref(), max, problems);
    let source = label("source", input.source.as_deref(), max, problems);
    if source.is_some() && input.external_id.is_none() {
        problems.field("source", "is only for a trade with an external_id");
    }
    external.map(|external| (source.unwrap_or_else(|| SOURCE_DEFAULT.to_owned()), external))
}

fn by_external(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    external: &str,
    source: &str,
) -> Result<Option<EntryId>> {
    let family = tx.family();
    let key = [family.into(), account.into(), Val::Text(external), Val::Text(source)];
    match tx.query_opt(&TRADE_BY_EXTERNAL, &key, |row| Ok((row.id(0)?, row.int(1)?)))? {
        None => Ok(None),
        Some((id, 2)) => Ok(Some(id)),
        Some(_) => {
            let predicate = "is that of another kind of entry in the account";
            Err(Problem::field("external_id", predicate).into())
        }
    }
}

/// A deleted trade stays deleted until it is restored on request.
fn require_not_deleted(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    external: &str,
    source: &str,
) -> Result<()> {
    let family = tx.family();
    let key = [family.into(), account.into(), Val::Text(external), Val::Text(source)];
    if !tx.query_one(&TRADE_BURIED, &key, |row| row.bool(0))? {
        return Ok(());
    }
    Err(Error::Conflict {
        code: "deleted_before",
        message: format!(
            "The trade with the external_id \"{external}\" was deleted. Send \"restore\": true \
             to create it again"
        ),
    })
}

/// A key that is restricted to one side of a move would change the other. Whether that account is
/// hidden doesn't matter: a disabled account must not keep others from changing theirs.
fn require_both_sides(trade: &Trade) -> Result<()> {
    match &trade.counterpart {
        Some(other) if !other.is_allowed => Err(Error::Forbidden {
            code: "restricted_key",
            message: "The other side of this move is in an account that the key may not see".into(),
        }),
        _ => Ok(()),
    }
}

/// What a trade belongs to stays.
fn refuse_moves(input: &TradeInput, before: &Trade, problems: &mut Problems) {
    let other = before.counterpart.as_ref().and_then(|other| other.account.as_ref());
    let fixed = [
        ("account_id", &input.account, Some(before.account.id.to_string())),
        ("to_account_id", &input.to_account, other.map(|account| account.id.to_string())),
        ("external_id", &input.external_id, before.external_id.clone()),
        ("source", &input.source, before.source.clone()),
    ];
    for (field, sent, present) in fixed {
        if sent.is_some() && *sent != present {
            problems.field(field, "can't change");
        }
    }
}

/// The two sides of a move stay what they are, and the cost comes along.
fn require_same_move(values: &TradeValues, before: &Trade, problems: &mut Problems) {
    if values.trade_type.is_some_and(|sent| sent != before.trade_type) {
        problems.field("type", "can't change: the trade is one side of a move between accounts");
    }
    if matches!(values.cost, Some(Some(_))) {
        problems.field("cost", "can't be set: it comes along from the other account");
    }
}

/// A trade as it was sent, without signs.
fn present(trade: &Trade, rate: Option<Decimal>) -> CheckedTrade {
    let money = trade.trade_type.is_money();
    let amount = match trade.trade_type {
        TradeType::Fee => trade.amount,
        _ => trade.fee - trade.amount,
    };
    CheckedTrade {
        date: trade.date,
        currency: trade.currency,
        rate,
        terms: Terms {
            trade_type: trade.trade_type,
            quantity: trade.quantity.abs().normalize(),
            price: trade.price.normalize(),
            fee: trade.fee,
            amount: if money { amount } else { 0 },
        },
        cost: trade.cost.filter(|_| trade.trade_type == TradeType::TransferIn),
        split: trade.split,
        name: trade.given_name.clone(),
        notes: trade.notes.clone(),
    }
}

fn terms(checked: &CheckedTrade) -> Result<TradeTerms<'_>> {
    Ok(TradeTerms {
        date: checked.date,
        trade_type: checked.terms.trade_type,
        currency: checked.currency,
        rate: checked.rate,
        price: checked.terms.price,
        fee: checked.terms.fee,
        effect: checked.effect()?,
        split: checked.split,
        name: &checked.name,
        notes: checked.notes.as_deref(),
    })
}

fn finish(
    tx: &mut FamilyTx<'_>,
    mut executor: Executor,
    action: &'static str,
    change: &Change<'_>,
) -> Result<Applied> {
    let applied = executor.apply(tx, change)?;
    let (subject_kind, subject_id) = ("trade", applied.entry.0);
    let (actor, details) = (tx.actor(), json!({}));
    executor.finish(tx, Event { actor, action, subject_kind, subject_id, details })?;
    Ok(applied)
}
