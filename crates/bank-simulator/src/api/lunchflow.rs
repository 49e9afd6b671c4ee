//! The provider with four GET calls and a key.

use jiff::civil::Date;

use super::json::{amount, day, hundredths, text};
use crate::misbehaviour::Quirk;
use crate::server::{Request, Response, State};
use crate::world::{Account, AccountKind, Holding, Row, World};

/// What one answer has at most if it is cut off.
const ROWS_MAX: usize = 25;

/// The answer to a request below `/api/v1/`.
pub(super) fn answer(state: &State, request: &Request, path: &str) -> Response {
    let world = &state.world;
    let bearer = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    if !request.header("x-api-key").or(bearer).is_some_and(|key| state.accepts(key)) {
        return Response::error(401, "unauthorized", "The key is missing or invalid.");
    }
    if request.method != "GET" {
        return Response::error(405, "method_not_allowed", "Only GET.");
    }
    let steps: Vec<&str> = path.split('/').collect();
    match steps[..] {
        ["accounts"] => accounts(world),
        ["accounts", id, call] => match account(world, id) {
            Err(response) => response,
            Ok(account) => match call {
                "balance" => balance(world, &account),
                "transactions" => transactions(world, &account, request),
                "holdings" => holdings(world, &account),
                _ => Response::error(404, "not_found", "There is no such call."),
            },
        },
        _ => Response::error(404, "not_found", "There is no such call."),
    }
}

fn account(world: &World, id: &str) -> Result<Account, Response> {
    let found = world.accounts().into_iter().find(|account| account.id.to_string() == id);
    let account = found.ok_or_else(|| Response::error(404, "not_found", "No such account."))?;
    if world.is_expired(&account) {
        return Err(Response::error(400, "bad_request", "The consent of DE89370400440532013000."));
    }
    Ok(account)
}

fn accounts(world: &World) -> Response {
    let accounts: Vec<String> = world
        .accounts()
        .iter()
        .map(|account| {
            let status = match (world.is_expired(account), world.is_failing(account)) {
                (true, _) => "DISCONNECTED",
                (false, true) => "ERROR",
                (false, false) => "ACTIVE",
            };
            let currency = match world.has(Quirk::NoCurrency) {
                true => String::new(),
                false => format!(",\"currency\":\"{}\"", account.currency),
            };
            let id = match world.has(Quirk::TextIds) {
                true => text(&account.id.to_string()),
                false => account.id.to_string(),
            };
            format!(
                "{{\"id\":{id},\"connection_id\":{},\"name\":{},\"institution_name\":{},\
                 \"institution_logo\":null,\"provider\":\"{}\",\"status\":\"{status}\"{currency}}}",
                account.connection(),
                text(account.name),
                text(account.bank),
                account.upstream,
            )
        })
        .collect();
    let body = format!("{{\"accounts\":[{}],\"total\":{}}}", accounts.join(","), accounts.len());
    Response::json(body)
}

fn balance(world: &World, account: &Account) -> Response {
    let amount = amount(world, world.balance(account));
    let currency = match world.has(Quirk::OtherCurrency) && account.id == 1001 {
        true => "GBP",
        false => account.currency,
    };
    if world.has(Quirk::FlatBalance) {
        return Response::json(format!(
            "{{\"available\":null,\"current\":{amount},\"currency\":\"{currency}\"}}"
        ));
    }
    Response::json(format!("{{\"balance\":{{\"amount\":{amount},\"currency\":\"{currency}\"}}}}"))
}

fn transactions(world: &World, account: &Account, request: &Request) -> Response {
    let mut rows = world.rows(account, request.parameter("include_pending") == Some("true"));
    let limit = |name: &str| request.parameter(name).map(str::parse::<Date>);
    let (from, to) = (limit("from"), limit("to"));
    if [&from, &to].into_iter().any(|limit| matches!(limit, Some(Err(_)))) {
        return Response::error(400, "bad_request", "A day is no day.");
    }
    let from = from.and_then(Result::ok).unwrap_or(Date::MIN);
    let to = to.and_then(Result::ok).unwrap_or(Date::MAX);
    if !world.has(Quirk::IgnoredWindow) {
        rows.retain(|row| from <= row.date && row.date <= to);
    }
    let mut total = rows.len();
    if world.has(Quirk::WrongTotals) {
        total += 7;
    }
    if world.has(Quirk::HiddenRows) {
        total += world.weeks_begun(from, to);
    }
    if world.has(Quirk::Truncated) {
        rows.truncate(world.purchases_per_day.map_or(ROWS_MAX, rows_max));
    }
    let mut list: Vec<String> =
        rows.iter().enumerate().map(|(at, row)| self::row(world, account, row, at)).collect();
    if world.has(Quirk::BrokenRows) {
        let broken = [
            "{\"id\":\"broken-1\",\"amount\":\"12,50\",\"date\":\"2026-03-01\"}",
            "{\"id\":\"broken-2\",\"amount\":1,\"date\":\"yesterday\"}",
            "{\"id\":\"broken-3\",\"amount\":1,\"date\":\"2026-03-01\",\"currency\":\"PTS\"}",
            "null",
        ];
        total += broken.len();
        list.extend(broken.map(str::to_owned));
    }
    Response::json(format!("{{\"transactions\":[{}],\"total\":{total}}}", list.join(",")))
}

/// The same where more is bought than people buy: a week's purchases.
fn rows_max(purchases_per_day: u64) -> usize {
    usize::try_from(purchases_per_day.saturating_mul(7)).unwrap_or(ROWS_MAX).max(ROWS_MAX)
}

fn row(world: &World, account: &Account, row: &Row, position: usize) -> String {
    let id = match &row.id {
        Some(id) => text(id),
        None if position.is_multiple_of(2) => "\"\"".to_owned(),
        None => "null".to_owned(),
    };
    let currency = match world.has(Quirk::NoCurrency) {
        true => "null".to_owned(),
        false => text(account.currency),
    };
    let pending = match (row.pending, world.has(Quirk::OddNumbers)) {
        (true, true) => "\"true\"",
        (true, false) => "true",
        (false, true) => "null",
        (false, false) => "false",
    };
    let (payee, description) = row.texts(world);
    let or_null = |stated: Option<&str>| stated.map_or_else(|| "null".to_owned(), text);
    format!(
        "{{\"id\":{id},\"accountId\":{},\"amount\":{},\"currency\":{currency},\"date\":{},\
         \"merchant\":{},\"description\":{},\"isPending\":{pending}}}",
        account.id,
        amount(world, row.amount),
        if world.has(Quirk::NoReadableRows) { text("a day") } else { day(world, row.date) },
        or_null(payee),
        or_null(description),
    )
}

fn holdings(world: &World, account: &Account) -> Response {
    if account.kind != AccountKind::Investment {
        return Response::error(501, "not_supported", "Holdings aren't supported.");
    }
    let rows: Vec<String> = world.holdings().iter().map(holding).collect();
    Response::json(format!(
        "{{\"holdings\":[{}],\"totalValue\":{},\"currency\":\"USD\"}}",
        rows.join(","),
        hundredths(world.holdings_sum())
    ))
}

fn holding(holding: &Holding) -> String {
    let or_null = |value: Option<&str>| value.map_or("null".to_owned(), text);
    let cost = holding.cost.map_or("null".to_owned(), hundredths);
    let (currency, ticker) = (text(holding.currency), or_null(holding.ticker));
    format!(
        "{{\"security\":{{\"name\":{},\"currency\":{currency},\"tickerSymbol\":{ticker},\
         \"figi\":null,\"cusp\":null,\"isin\":{}}},\"quantity\":\"{}\",\"price\":null,\
         \"value\":{},\"costBasis\":{cost},\"currency\":{currency},\
         \"raw\":{{\"snaptrade\":{{\"id\":{}}}}}}}",
        text(holding.name),
        or_null(holding.isin),
        holding.quantity,
        hundredths(holding.value),
        text(&format!("st-{}", holding.name)),
    )
}
