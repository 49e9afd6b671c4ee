//! The answers, in the forms of the providers.

mod json;
mod lunchflow;
mod simplefin;

use crate::misbehaviour::{Fault, FaultKind};
use crate::server::{Delivery, Request, Response, State};
pub(crate) use simplefin::setup_token;

/// The answer to a request: a fault if one is due, else that of a provider.
pub(crate) fn answer(state: &mut State, request: &Request) -> Response {
    if let Some(kind) = due(&mut state.faults, &request.path) {
        return fault(state, request, kind);
    }
    usual(state, request)
}

fn usual(state: &mut State, request: &Request) -> Response {
    if let Some(rest) = request.path.strip_prefix("/api/v1/") {
        return lunchflow::answer(state, request, rest);
    }
    if let Some(rest) = request.path.strip_prefix("/simplefin/") {
        return simplefin::answer(state, request, rest);
    }
    Response::error(404, "not_found", "There is nothing here.")
}

/// The first fault that concerns a request.
fn due(faults: &mut Vec<Fault>, path: &str) -> Option<FaultKind> {
    let at = faults.iter().position(|fault| path.contains(&fault.path))?;
    let fault = &mut faults[at];
    let kind = fault.kind.clone();
    match &mut fault.times {
        Some(1) => {
            faults.remove(at);
        }
        Some(times) => *times -= 1,
        None => {}
    }
    Some(kind)
}

fn fault(state: &mut State, request: &Request, kind: FaultKind) -> Response {
    let too_many = || Response::error(429, "rate_limited", "Too many requests.");
    match kind {
        FaultKind::Status(status) => Response::error(status, "failure", "Something went wrong."),
        FaultKind::TooMany(None) => too_many(),
        FaultKind::TooMany(Some(seconds)) => too_many().with("Retry-After", seconds.to_string()),
        FaultKind::TooManyUntil(seconds) => {
            let (now, until) = (state.http_date(0), state.http_date(seconds));
            too_many().with("Date", now).with("Retry-After", until)
        }
        FaultKind::WrappedTooMany(seconds) => Response::error(
            500,
            "internal_error",
            &format!(
                "API request failed for account 1001 (429 - Rate limit exceeded): 100/minute. \
                 Please try again in {seconds} seconds"
            ),
        ),
        FaultKind::Page => Response::page(502, "<html><body>Bad gateway</body></html>"),
        FaultKind::NotJson => Response::page(200, "<html><body>Sign in</body></html>"),
        FaultKind::Slow => usual(state, request).delivered(Delivery::Slow),
        FaultKind::Broken => usual(state, request).delivered(Delivery::Broken),
        FaultKind::Silent => usual(state, request).delivered(Delivery::Never),
        FaultKind::Huge => usual(state, request).delivered(Delivery::Huge),
        FaultKind::Redirect(address) => {
            Response::error(308, "moved", "Go elsewhere.").with("Location", address)
        }
        FaultKind::Echo => Response::error(500, "failure", &request.everything()),
    }
}
