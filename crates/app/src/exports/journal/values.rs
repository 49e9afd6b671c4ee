//! Openings, adjustments, balances at the end, prices and rates.

use purser_core::error::Result;
use purser_core::money::Currency;
use purser_core::money::decimal::amount_text;
use purser_formats::journal::{Amount, EndBalance, Transaction};
use purser_store::FamilyTx;
use purser_store::books::values::{self, Adjustment};

use super::chart::{ADJUSTMENTS, Account, OPENING, facts};
use super::flows::posting;
use super::{Writer, failed};

impl Writer<'_> {
    /// Writes prices and rates; of one day those of the family come last, and count.
    pub(super) fn prices(&mut self, tx: &mut FamilyTx<'_>, currency: Currency) -> Result<()> {
        let Self { journal, chart, .. } = self;
        journal.heading("Prices and rates").map_err(failed)?;
        let mut currencies = vec![currency.code()];
        currencies.extend(chart.accounts().map(|(_, account)| account.currency.code()));
        currencies.sort_unstable();
        currencies.dedup();
        let used: Vec<Currency> = currencies.into_iter().filter_map(Currency::parse).collect();
        for base in &used {
            for quote in used.iter().filter(|quote| *quote != base) {
                values::feed_rates(tx, *base, *quote, |rate| {
                    let (of, into) = (base.code(), quote.code());
                    journal.price(rate.date, of, rate.price, into).map_err(failed)
                })?;
            }
        }
        values::rates(tx, |base, rate, quote| {
            journal.price(rate.date, base, rate.price, quote).map_err(failed)
        })?;
        values::prices(tx, |security, price, currency| {
            let symbol = chart.commodity(security);
            journal.price(price.date, symbol, price.price, currency).map_err(failed)
        })
    }

    /// Writes what accounts had before their first entry.
    pub(super) fn openings(&mut self) -> Result<()> {
        let Self { journal, chart, .. } = self;
        journal.heading("Openings").map_err(failed)?;
        for (_, account) in chart.accounts().filter(|(_, account)| account.opening() != 0) {
            let (amount, currency) = (account.opening(), account.currency);
            let transaction = Transaction {
                date: chart.first,
                payee: None,
                text: "Opening balance",
                tags: Vec::new(),
                facts: Vec::new(),
                postings: vec![
                    posting(&account.path, Amount::Money(amount, currency)),
                    posting(OPENING, Amount::Rest(currency)),
                ],
            };
            journal.transaction(&transaction).map_err(failed)?;
        }
        Ok(())
    }

    /// Writes what no entry explains, and the balances that were stated.
    pub(super) fn adjustments(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let Self { journal, chart, entries } = self;
        journal.heading("Adjustments").map_err(failed)?;
        values::adjustments(tx, |adjustment| {
            let Some(account) = chart.account(adjustment.account) else { return Ok(()) };
            *entries += u64::from(adjustment.valuation.is_some());
            journal.transaction(&adjusted(account, &adjustment)).map_err(failed)?;
            if adjustment.valued.is_some() {
                let end = EndBalance::Money(account.signed(adjustment.end), account.currency);
                journal.assert(adjustment.date, &account.path, end).map_err(failed)?;
            }
            Ok(())
        })
    }

    /// Writes what every account must have at the end.
    pub(super) fn ends(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let Self { journal, chart, .. } = self;
        journal.heading("Balances at the end").map_err(failed)?;
        for (id, account) in chart.accounts() {
            let Some((date, end)) = values::end(tx, id)? else { continue };
            let end = EndBalance::Money(account.signed(end), account.currency);
            journal.assert(date, &account.path, end).map_err(failed)?;
        }
        Ok(())
    }
}

fn adjusted<'a>(account: &'a Account, adjustment: &'a Adjustment) -> Transaction<'a> {
    let (amount, currency) = (account.signed(adjustment.adjustment), account.currency);
    let valuation = adjustment.valuation.as_ref();
    let name = valuation.map(|(_, name, _)| name.as_str()).filter(|name| !name.is_empty());
    let value = |valued| format!("{} {}", amount_text(valued, currency), currency.code());
    Transaction {
        date: adjustment.date,
        payee: None,
        text: name.unwrap_or(if valuation.is_some() { "Valuation" } else { "Adjustment" }),
        tags: Vec::new(),
        facts: facts([
            ("id", valuation.map(|(id, ..)| id.to_string())),
            ("value", adjustment.valued.map(value)),
            ("notes", valuation.and_then(|(_, _, notes)| notes.clone())),
        ]),
        postings: vec![
            posting(&account.path, Amount::Money(amount, currency)),
            posting(ADJUSTMENTS, Amount::Money(-amount, currency)),
        ],
    }
}
