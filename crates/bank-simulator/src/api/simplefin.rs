//! The open protocol with one call for everything.

use jiff::civil::Date;

use super::json::{hundredths, seconds, text};
use crate::SIMPLEFIN_PASSWORD as PASSWORD;
use crate::misbehaviour::Quirk;
use crate::server::{Request, Response, State};
use crate::world::{Account, AccountKind, Holding, World};

/// The user of the access address.
const USER: &str = "demo";
/// The token that is exchanged for it, once.
const TOKEN: &str = "one-time-token";
/// The bank that sentences are about.
const TROUBLED_BANK: &str = "Harbour Bank";
/// The days that one request may span.
const DAYS_MAX: i64 = 90;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// What a person would paste.
pub(crate) fn setup_token(address: &str) -> String {
    purser_outbound::base64::encode(format!("{address}/simplefin/claim/{TOKEN}").as_bytes())
}

/// The answer to a request below `/simplefin/`.
pub(super) fn answer(state: &mut State, request: &Request, path: &str) -> Response {
    match (request.method.as_str(), path) {
        ("GET", "info") => Response::json("{\"versions\":[\"1.0\",\"2.0\"]}".to_owned()),
        ("POST", claim) if claim.strip_prefix("claim/") == Some(TOKEN) => {
            if std::mem::replace(&mut state.is_claimed, true) {
                return Response::error(403, "forbidden", "The token was used.");
            }
            let password =
                percent_encoding::utf8_percent_encode(PASSWORD, percent_encoding::NON_ALPHANUMERIC);
            let host = state.address.trim_start_matches("http://");
            Response::text(format!("http://{USER}:{password}@{host}/simplefin"))
        }
        ("POST", claim) if claim.starts_with("claim/") => {
            Response::error(403, "forbidden", "There is no such token.")
        }
        ("GET", "accounts") => {
            let expected = format!("{USER}:{PASSWORD}");
            let given =
                request.header("authorization").and_then(|value| value.strip_prefix("Basic "));
            if given.and_then(purser_outbound::base64::decode) != Some(expected.into_bytes()) {
                return Response::error(403, "forbidden", "The access was revoked.");
            }
            accounts(&state.world, request)
        }
        _ => Response::error(404, "not_found", "There is no such call."),
    }
}

fn accounts(world: &World, request: &Request) -> Response {
    let number = |name: &str| request.parameter(name).and_then(|value| value.parse::<i64>().ok());
    let from = number("start-date").unwrap_or(0);
    let to = number("end-date").unwrap_or(i64::MAX);
    let mut errors = Vec::new();
    if to.saturating_sub(from) > DAYS_MAX * DAY_SECONDS && from > 0 {
        errors.push("{\"code\":\"gen.api\",\"msg\":\"The range is too long.\"}".to_owned());
    }
    let is_brief = request.parameter("balances-only").is_some();
    // Looked at for presence, whatever its value.
    let pending = request.parameter("pending").is_some();
    let accounts: Vec<String> = world
        .accounts()
        .iter()
        .map(|account| {
            if world.is_expired(account) {
                errors.push(format!(
                    "{{\"code\":\"con.auth\",\"msg\":\"Sign in again.\",\"conn_id\":\"c{}\",\
                     \"account_id\":\"{}\"}}",
                    account.connection(),
                    account.id
                ));
            }
            if world.is_failing(account) {
                errors.push(format!(
                    "{{\"code\":\"act.failed\",\"msg\":\"Down.\",\"account_id\":\"{}\"}}",
                    account.id
                ));
            }
            let data =
                if is_brief { String::new() } else { data(world, account, from, to, pending) };
            format!(
                "{{\"id\":\"{}\",\"conn_id\":\"c{}\",\"name\":{},\"currency\":{},\"balance\":{},\
                 \"available-balance\":null,\"balance-date\":{}{data}}}",
                account.id,
                account.connection(),
                text(account.name),
                currency(world, account),
                text(&hundredths(world.balance(account))),
                seconds(world.today),
            )
        })
        .collect();
    let connections: Vec<String> = world.accounts().iter().map(connection).collect();
    let sentences = match world.has(Quirk::Sentences) {
        true => format!("\"Connection to {TROUBLED_BANK} may need attention\""),
        false => String::new(),
    };
    Response::json(format!(
        "{{\"errlist\":[{}],\"errors\":[{sentences}],\"connections\":[{}],\"accounts\":[{}]}}",
        errors.join(","),
        connections.join(","),
        accounts.join(",")
    ))
}

fn currency(world: &World, account: &Account) -> String {
    match world.has(Quirk::NoCurrency) {
        true => text("https://points.example/currency"),
        false => text(account.currency),
    }
}

fn connection(account: &Account) -> String {
    format!(
        "{{\"conn_id\":\"c{}\",\"name\":{},\"org_id\":\"o{}\",\"org_name\":{}}}",
        account.connection(),
        text(account.bank),
        account.id,
        text(account.bank)
    )
}

fn data(world: &World, account: &Account, from: i64, to: i64, pending: bool) -> String {
    let moment = |date: Date| seconds(date);
    let mut rows = world.rows(account, pending);
    if world.has(Quirk::Sentences) && account.bank == TROUBLED_BANK {
        rows.retain(|row| !row.pending);
        rows = rows.into_iter().step_by(2).collect();
    }
    let rows: Vec<String> = rows
        .iter()
        .filter(|row| from <= moment(row.date) && moment(row.date) < to)
        .map(|row| {
            let (posted, rest) = match row.pending {
                true => (0, format!(",\"pending\":true,\"transacted_at\":{}", moment(row.date))),
                false => (moment(row.date), String::new()),
            };
            format!(
                "{{\"id\":{},\"posted\":{posted},\"amount\":{},\"description\":{},\
                 \"payee\":{}{rest}}}",
                row.id.as_deref().map_or("\"\"".to_owned(), text),
                text(&hundredths(row.amount)),
                text(&row.description),
                text(row.payee),
            )
        })
        .collect();
    let mut data = format!(",\"transactions\":[{}]", rows.join(","));
    if account.kind == AccountKind::Investment {
        let rows: Vec<String> = world.holdings().iter().map(holding).collect();
        data.push_str(&format!(",\"holdings\":[{}]", rows.join(",")));
    }
    data
}

fn holding(holding: &Holding) -> String {
    format!(
        "{{\"id\":{},\"symbol\":{},\"description\":{},\"shares\":\"{}\",\
         \"market_value\":\"{}\",\"cost_basis\":\"{}\",\"currency\":\"{}\"}}",
        text(&format!("h-{}", holding.name)),
        text(holding.ticker.unwrap_or_default()),
        text(holding.name),
        holding.quantity,
        hundredths(holding.value),
        holding.cost.map_or(String::new(), hundredths),
        holding.currency,
    )
}
