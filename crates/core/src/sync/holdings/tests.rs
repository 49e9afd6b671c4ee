//! Tables of cases, and laws over accounts in which days pass.

mod costs;

use std::collections::BTreeMap;

use proptest::prelude::*;
use uuid::Uuid;

use super::*;

const TODAY: Date = Date::constant(2024, 5, 10);

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn id(number: u128) -> SecurityId {
    SecurityId(Uuid::from_u128(number))
}

fn clues(isin: &str, figi: &str, cusip: &str, ticker: &str, name: &str) -> Clues {
    let texts = [isin, figi, cusip, ticker, name].map(|text| (!text.is_empty()).then_some(text));
    Clues::read(texts, Some(Currency::USD))
}

fn ticker(text: &str) -> Clues {
    clues("", "", "", text, "")
}

fn row(clues: Clues, quantity: &str, price: &str, cost: &str) -> ReportedHolding {
    let some = |text: &str| (!text.is_empty()).then(|| dec(text));
    ReportedHolding {
        clues,
        quantity: dec(quantity),
        price: some(price),
        value: None,
        stated_cost: some(cost),
        purchase_price: None,
        currency: Some(Currency::USD),
    }
}

fn whole_answer(rows: impl IntoIterator<Item = ReportedHolding>) -> ReportedHoldings {
    let rows = rows.into_iter().collect();
    ReportedHoldings { rows, is_whole: true, is_doubtful: false, total: None, balance: None }
}

fn nothing() -> KnownHoldings {
    KnownHoldings {
        currency: Currency::USD,
        is_crypto: false,
        remembered: Vec::new(),
        securities: Vec::new(),
        positions: BTreeMap::new(),
        prices: BTreeMap::new(),
    }
}

fn security(number: u128, ticker: &str, isin: &str, name: &str) -> KnownSecurity {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    KnownSecurity {
        id: id(number),
        listing: unlisted(ticker.to_owned()),
        name: some(name),
        currency: Some(Currency::USD),
        isin: some(isin),
        clues: Vec::new(),
    }
}

fn held(quantity: &str) -> KnownPosition {
    KnownPosition { quantity: dec(quantity), cost: None, before_trades: None }
}

/// What a ledger is after a plan.
fn applied(mut known: KnownHoldings, plan: &HoldingsPlan) -> KnownHoldings {
    let first = known.securities.len();
    let id_of = |security: SecurityRef| match security {
        SecurityRef::Known(id) => id,
        SecurityRef::New(at) => id(1_000 + (first + at) as u128),
    };
    for (at, new) in plan.securities.iter().enumerate() {
        let NewSecurity { listing, name, currency, isin } = new.clone();
        let id = id_of(SecurityRef::New(at));
        let clues = Vec::new();
        known.securities.push(KnownSecurity { id, listing, name, currency, isin, clues });
    }
    for change in &plan.changes {
        let position = known.positions.entry(id_of(change.security)).or_insert_with(|| held("0"));
        let is_worse =
            !matches!(&position.cost, Some((_, source)) if *source != CostBasisSource::Provider);
        match change.cost {
            Some(cost) if is_worse => {
                position.cost = Some((whole(cost), CostBasisSource::Provider));
            }
            None if change.quantity != position.quantity => position.cost = None,
            _ => {}
        }
        position.quantity = change.quantity;
    }
    for (security, price, currency) in &plan.prices {
        let (date, source) = (TODAY, PriceSource::Provider);
        let price = Price { date, currency: *currency, price: *price, source };
        known.prices.insert(id_of(*security), price);
    }
    for (clues, security) in &plan.remembered {
        known.remembered.retain(|one| one.clues != *clues);
        let security = id_of(*security);
        known.remembered.push(RememberedHolding { clues: clues.clone(), security });
    }
    known
}

#[test]
fn securities_are_recognised_by_the_most_certain_clue() {
    let mut known = nothing();
    known.securities = vec![
        security(1, "VTI", "US9229087690", "Total market fund"),
        security(2, "SAP", "DE0007164600", "SAP SE"),
        security(3, "GOLD", "", "Gold trust"),
        security(4, "OTHER", "", "Twin"),
        security(5, "TWIN", "", "twin"),
    ];
    known.securities[2].clues = vec![clues("", "BBG000BWQYZ5", "36160Y109", "", "")];
    let mut euro = ticker("SAP");
    euro.currency = Some(Currency::EUR);
    let found: [(&str, Clues, Option<u128>); 11] = [
        ("isin", clues("us9229087690", "", "", "SAP", ""), Some(1)),
        ("cusip within an isin", clues("", "", "922908769", "SAP", ""), Some(1)),
        ("figi of a provider", clues("", "BBG000BWQYZ5", "", "VTI", ""), Some(3)),
        ("cusip of a provider", clues("", "", "36160y109", "VTI", ""), Some(3)),
        ("ticker with currency", ticker("sap"), Some(2)),
        ("ticker in another currency", euro, None),
        ("name", clues("", "", "", "", "sap se"), Some(2)),
        ("ticker before name", clues("", "", "", "GOLD", "SAP SE"), Some(3)),
        ("another isin", clues("US0378331005", "", "", "VTI", "Total market fund"), None),
        ("a name of two", clues("", "", "", "", "Twin"), None),
        ("an isin with a wrong digit is none", clues("US0378331006", "", "", "VTI", ""), Some(1)),
    ];
    for (what, clues, expected) in found {
        let securities = Securities::of(&known);
        let expected = expected.map(|number| SecurityRef::Known(id(number)));
        assert_eq!(securities.find(&clues), expected, "{what}");
    }
    // What a person has corrected counts more than everything else.
    let clues = clues("US9229087690", "", "", "VTI", "");
    known.remembered = vec![RememberedHolding { clues: clues.clone(), security: id(5) }];
    assert_eq!(Securities::of(&known).find(&clues), Some(SecurityRef::Known(id(5))));
}

#[test]
fn new_securities_get_symbols_that_are_free() {
    let mut known = nothing();
    known.securities = vec![security(1, "VOD", "GB00BH4HKS39", "Vodafone")];
    let other = clues("US92857W3088", "", "", "VOD", "Vodafone ADR");
    let rows = [
        row(other, "1", "", ""),
        row(clues("", "", "", "", "Fund of funds, class A"), "1", "", ""),
        row(clues("", "BBG000BWQYZ5", "", "", ""), "1", "", ""),
    ];
    let plan = plan(&known, &whole_answer(rows), TODAY);
    let symbols: Vec<&str> =
        plan.securities.iter().map(|one| one.listing.ticker.as_str()).collect();
    assert_eq!(symbols, ["VOD.USD", "FUND-OF-FUNDS-CLASS-A", "BBG000BWQYZ5"]);
}

#[test]
fn prices_come_from_price_or_value() {
    let price = |quantity: &str, price: &str, value: &str| {
        let mut row = row(ticker("A"), quantity, price, "");
        row.value = (!value.is_empty()).then(|| dec(value));
        let plan = plan(&nothing(), &whole_answer([row]), TODAY);
        (plan.prices.first().map(|one| one.1.to_string()), plan.warnings)
    };
    let some = |text: &str| (Some(text.to_owned()), vec![]);
    assert_eq!(price("40.5", "", "10550.25"), some("260.5"));
    assert_eq!(price("3", "", "100"), some("33.33333"), "with it 100.00 come again");
    assert_eq!(price("2", "50.4", "100"), some("50.4"));
    let unclear = (None, vec![Warning::HoldingPriceUnclear]);
    assert_eq!(price("2", "5000", "100"), unclear, "pence");
    assert_eq!(price("2", "", ""), (None, vec![]));
    assert_eq!(price("2", "0", "0"), (None, vec![]));
}

#[test]
fn what_is_lacking_is_closed_if_the_provider_reported_it() {
    let answer = whole_answer([row(ticker("A"), "5", "10", ""), row(ticker("B"), "1", "10", "")]);
    let mut known = applied(nothing(), &plan(&nothing(), &answer, TODAY));
    known.securities.push(security(7, "MINE", "", ""));
    known.positions.insert(id(7), held("3"));
    let only_a = whole_answer([row(ticker("A"), "5", "10", "")]);
    let later = plan(&known, &only_a, TODAY);
    assert_eq!(later.changes.len(), 1);
    let change = &later.changes[0];
    assert_eq!((change.reason, change.before), (HoldingReason::Closed, dec("1")));
    assert_eq!(later.warnings, [Warning::HoldingsNotReported], "what people record stays");
    let known = applied(known, &later);
    let none = plan(&known, &whole_answer([]), TODAY);
    assert_eq!(none.counts.closed, 1, "an empty list is a statement");
    let mut partial = whole_answer([]);
    partial.is_whole = false;
    let partial = plan(&known, &partial, TODAY);
    assert!(partial.is_empty());
    assert_eq!(partial.warnings, [Warning::HoldingsIncomplete]);
}

/// Beside a problem of the provider a position may be missing, or a lot of one.
#[test]
fn a_doubtful_answer_takes_nothing_away() {
    let lots = [row(ticker("A"), "5", "10", ""), row(ticker("A"), "2", "10", "")];
    let answer = whole_answer(lots.into_iter().chain([row(ticker("B"), "1", "10", "")]));
    let known = applied(nothing(), &plan(&nothing(), &answer, TODAY));
    let doubtful = |rows: Vec<ReportedHolding>| {
        let answer = ReportedHoldings { is_doubtful: true, ..whole_answer(rows) };
        plan(&known, &answer, TODAY)
    };
    let cash = clues("", "", "", "CUR:USD", "US dollar");
    for rows in [vec![], vec![row(cash, "5", "1", "")], vec![row(ticker("A"), "5", "10", "")]] {
        let plan = doubtful(rows);
        assert!(plan.is_empty(), "{plan:?}");
        assert_eq!(plan.warnings, [Warning::HoldingsDoubtful]);
    }
    let more = doubtful(vec![row(ticker("A"), "8", "10", ""), row(ticker("C"), "1", "10", "")]);
    assert_eq!((more.counts.changed, more.counts.opened, more.counts.closed), (1, 1, 0));
}

#[test]
fn cash_zeros_and_lots_are_no_positions_of_their_own() {
    let cash = clues("", "", "", "CUR:USD", "US dollar");
    let rows = [
        row(cash, "1200", "1", ""),
        row(clues("", "", "", "", "Cash"), "5", "", ""),
        row(ticker("OLD"), "0", "", ""),
        row(ticker("A"), "2", "10", "20"),
        row(ticker("A"), "3", "10", "27"),
    ];
    let plan = plan(&nothing(), &whole_answer(rows), TODAY);
    assert_eq!((plan.securities.len(), plan.changes.len()), (1, 1));
    assert_eq!((plan.changes[0].quantity, plan.changes[0].cost), (dec("5"), Some(470_000)));
}

#[test]
fn a_sum_that_differs_is_a_warning() {
    let answer = |total: &str, balance: &str| {
        let cash = row(clues("", "", "", "CUR:USD", ""), "500", "1", "");
        let rows = [row(ticker("A"), "10", "100", ""), cash];
        let balance = Some((dec(balance), Currency::USD));
        ReportedHoldings { total: Some((dec(total), Currency::USD)), balance, ..whole_answer(rows) }
    };
    let warns = |total: &str, balance: &str| {
        let plan = plan(&nothing(), &answer(total, balance), TODAY);
        assert_eq!(plan.changes[0].quantity, dec("10"), "the sum changes nothing");
        !plan.warnings.is_empty()
    };
    for right in ["1000", "1009", "1500", "1700"] {
        assert!(!warns(right, "1700"), "{right}");
    }
    assert!(warns("1200", "1700") && warns("0", "1700"));
}

#[test]
fn a_trade_that_the_provider_has_not_noticed_is_left_alone() {
    let mut known = nothing();
    known.securities = vec![security(1, "A", "", "")];
    known.remembered = vec![RememberedHolding { clues: ticker("A"), security: id(1) }];
    let bought = KnownPosition { before_trades: Some(dec("5")), ..held("8") };
    known.positions.insert(id(1), bought);
    let old = plan(&known, &whole_answer([row(ticker("A"), "5", "10", "")]), TODAY);
    assert_eq!((old.changes.len(), old.warnings), (0, vec![Warning::HoldingsLag]));
    let other = plan(&known, &whole_answer([row(ticker("A"), "6", "10", "")]), TODAY);
    assert_eq!(other.changes[0].quantity, dec("6"));
}

#[test]
fn a_more_trusted_price_of_the_day_stays() {
    let answer = whole_answer([row(ticker("A"), "5", "10", "")]);
    let known = applied(nothing(), &plan(&nothing(), &answer, TODAY));
    let security = *known.prices.keys().next().unwrap();
    let is_stated = |date: Date, price: &str, source: PriceSource| {
        let mut known = known.clone();
        let price = Price { date, currency: Currency::USD, price: dec(price), source };
        known.prices.insert(security, price);
        !plan(&known, &answer, TODAY).prices.is_empty()
    };
    let yesterday = TODAY.yesterday().unwrap();
    assert!(!is_stated(TODAY, "11", PriceSource::Manual));
    assert!(is_stated(yesterday, "11", PriceSource::Manual));
    assert!(is_stated(TODAY, "11", PriceSource::Feed));
    assert!(!is_stated(yesterday, "10", PriceSource::Feed), "the price is the same");
}

/// Rows of a small market, so that everything collides.
fn any_row() -> impl Strategy<Value = ReportedHolding> {
    let codes = (0..3u8, 0..3u8, 0..3u8, 0..4u8, 0..3u8);
    let amounts = (-4..20i64, 0..4u32, 0..3u8, 0..3u8);
    (codes, amounts).prop_map(|((isin, figi, cusip, symbol, name), (units, price, cost, value))| {
        let isin = ["", "US9229087690", "DE0007164600"][usize::from(isin)];
        let figi = ["", "BBG000BWQYZ5", "BBG000BWQYZ6"][usize::from(figi)];
        let cusip = ["", "922908769", "36160Y109"][usize::from(cusip)];
        let symbol = ["", "A", "B", "CUR:USD"][usize::from(symbol)];
        let name = ["Some fund", "Another fund", "Cash"][usize::from(name)];
        let price = ["", "1", "100", "250.125"][price as usize];
        let cost = ["", "90", "900"][usize::from(cost)];
        let quantity = Decimal::new(units, 1).to_string();
        let mut row = row(clues(isin, figi, cusip, symbol, name), &quantity, price, cost);
        row.value = [None, Some(dec("100")), Some(dec("33.33"))][usize::from(value)];
        row
    })
}

fn any_answer() -> impl Strategy<Value = ReportedHoldings> {
    (prop::collection::vec(any_row(), 0..6), prop::bool::weighted(0.9))
        .prop_map(|(rows, is_whole)| ReportedHoldings { is_whole, ..whole_answer(rows) })
}

proptest! {
    /// Days pass; each answer that comes twice changes nothing the second time, and what the
    /// ledger has after a whole one is what it reports.
    #[test]
    fn the_same_answer_twice_changes_nothing(answers in prop::collection::vec(any_answer(), 1..5)) {
        let mut known = nothing();
        for answer in answers {
            let first = plan(&known, &answer, TODAY);
            if !answer.is_whole {
                prop_assert!(first.is_empty(), "a partial answer changes nothing");
                continue;
            }
            known = applied(known, &first);
            let again = plan(&known, &answer, TODAY);
            prop_assert!(again.changes.is_empty(), "{:?}", again.changes);
            prop_assert!(again.remembered.is_empty() && again.securities.is_empty());
            prop_assert!(again.prices.is_empty(), "{:?}", again.prices);
            let units = answer.rows.iter().filter(|row| !rows::is_cash(row));
            let units: Decimal = units.map(|row| row.quantity).sum();
            let ledger: Decimal = known.positions.values().map(|one| one.quantity).sum();
            prop_assert_eq!(units, ledger, "every unit is in one position");
            let tickers: BTreeSet<_> = known.securities.iter().map(|one| &one.listing).collect();
            prop_assert_eq!(tickers.len(), known.securities.len(), "symbols are free");
        }
    }

    /// The order of the rows makes no difference to what is held.
    #[test]
    fn order_makes_no_difference(rows in prop::collection::vec(any_row(), 0..5)) {
        let mut securities = nothing();
        securities.securities = vec![
            security(1, "A", "US9229087690", "Some fund"),
            security(2, "B", "DE0007164600", "Another fund"),
        ];
        let quantities = |rows: Vec<ReportedHolding>| {
            let plan = plan(&securities, &whole_answer(rows), TODAY);
            let known = plan.changes.iter().filter_map(|one| match one.security {
                SecurityRef::Known(id) => Some((id, one.quantity)),
                SecurityRef::New(_) => None,
            });
            known.collect::<BTreeMap<_, _>>()
        };
        let mut reversed = rows.clone();
        reversed.reverse();
        prop_assert_eq!(quantities(rows), quantities(reversed));
    }
}
