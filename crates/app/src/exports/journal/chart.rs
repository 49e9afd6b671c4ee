//! The names of everything in a journal, and their declarations.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ledger::account::{AccountType, Classification};
use purser_core::money::Currency;
use purser_formats::journal::names::{Names, component, tag};
use purser_formats::journal::{Dialect, Fact, ROUNDING};
use purser_store::books::lists::{self, Label};
use purser_store::{FamilyTx, calendar};
use uuid::Uuid;

use super::{Writer, failed};

/// What accounts had before their first entry.
pub(super) const OPENING: &str = "Equity:Opening";
/// What no entry explains: valuations, and positions and costs that were stated.
pub(super) const ADJUSTMENTS: &str = "Equity:Adjustments";
/// Money and shares on their way from one day or account to another.
pub(super) const TRANSFERS: &str = "Equity:Transfers";
/// What reports leave out.
pub(super) const EXCLUDED: &str = "Equity:Excluded";
/// Gains of sales.
pub(super) const GAINS: &str = "Income:Trades:Gains";
/// What was received for shares of which nobody knows the cost.
pub(super) const UNKNOWN_GAINS: &str = "Income:Trades:UnknownCost";
/// Dividends, also those that became shares.
pub(super) const DIVIDENDS: &str = "Income:Trades:Dividends";
/// Interest of securities.
pub(super) const INTEREST: &str = "Income:Trades:Interest";
/// Fees that are no part of a trade of shares.
pub(super) const FEES: &str = "Expenses:Trades:Fees";

const OWN: [&str; 12] = [
    OPENING,
    ADJUSTMENTS,
    TRANSFERS,
    EXCLUDED,
    ROUNDING,
    GAINS,
    UNKNOWN_GAINS,
    DIVIDENDS,
    INTEREST,
    FEES,
    "Expenses:Uncategorized",
    "Income:Uncategorized",
];

/// An account as entries need it.
pub(super) struct Account {
    pub(super) path: String,
    pub(super) currency: Currency,
    opening: i64,
    is_debt: bool,
    facts: Vec<Fact<'static>>,
}

impl Account {
    /// A balance, or a part of one, as journals have it: debt is negative.
    pub(super) fn signed(&self, balance: i64) -> i64 {
        if self.is_debt { balance.saturating_neg() } else { balance }
    }

    pub(super) fn opening(&self) -> i64 {
        self.signed(self.opening)
    }
}

/// Money that goes out by a category, or comes in.
#[derive(Clone, Copy)]
pub(super) enum Flow {
    Expense,
    Income,
}

/// The accounts of a category, and which of them are used.
#[derive(Default)]
struct Category {
    name: String,
    paths: [String; 2],
    is_used: [bool; 2],
}

/// The names of everything.
pub(super) struct Chart {
    dialect: Dialect,
    /// The day of all declarations and openings.
    pub(super) first: Date,
    accounts: HashMap<Uuid, Account>,
    /// The accounts in their order.
    order: Vec<Uuid>,
    categories: HashMap<Uuid, Category>,
    tags: HashMap<Uuid, (String, String)>,
    merchants: HashMap<Uuid, String>,
    securities: Vec<(Uuid, Vec<Fact<'static>>)>,
    commodities: HashMap<Uuid, String>,
}

impl Chart {
    pub(super) fn read(tx: &mut FamilyTx<'_>, dialect: Dialect) -> Result<Self> {
        let first = match lists::first_day(tx)? {
            Some(day) => day,
            None => calendar::today(tx)?,
        };
        let mut chart = Self {
            dialect,
            first: first.yesterday().unwrap_or(first),
            accounts: HashMap::new(),
            order: Vec::new(),
            categories: HashMap::new(),
            tags: HashMap::new(),
            merchants: HashMap::new(),
            securities: Vec::new(),
            commodities: HashMap::new(),
        };
        let mut names = Names::default();
        OWN.iter().for_each(|own| drop(names.unique((*own).to_owned())));
        chart.name_accounts(tx, &mut names)?;
        chart.name_categories(lists::categories(tx)?, &mut names);
        let mut tags = Names::default();
        for label in lists::tags(tx)? {
            let name = tags.unique(tag(dialect, &label.name));
            chart.tags.insert(label.id, (name, label.name));
        }
        let merchants = lists::merchants(tx)?;
        chart.merchants = merchants.into_iter().map(|one| (one.id, one.name)).collect();
        chart.name_securities(tx)?;
        Ok(chart)
    }

    fn name_accounts(&mut self, tx: &mut FamilyTx<'_>, names: &mut Names) -> Result<()> {
        for account in lists::accounts(tx)? {
            let is_debt = account.account_type.classification() == Classification::Liability;
            let root = if is_debt { "Liabilities" } else { "Assets" };
            let class = class_of(account.account_type);
            let own = component(self.dialect, &account.name);
            let path = names.unique(format!("{root}:{class}:{own}"));
            let mut facts = facts([
                ("id", Some(account.id.to_string())),
                ("name", Some(account.name)),
                ("subtype", account.subtype),
                ("institution", account.institution),
                ("status", Some(account.status).filter(|status| status != "active")),
                ("notes", account.notes),
            ]);
            if self.dialect == Dialect::Hledger && account.account_type == AccountType::Depository {
                // So that reports of cash know it.
                facts.insert(0, ("type", "C".into()));
            }
            let (currency, opening) = (account.currency, account.opening);
            let named = Account { path, currency, opening, is_debt, facts };
            self.accounts.insert(account.id, named);
            self.order.push(account.id);
        }
        Ok(())
    }

    fn name_categories(&mut self, categories: Vec<Label>, names: &mut Names) {
        for category in categories {
            let above = category.parent.and_then(|parent| self.categories.get(&parent));
            let own = component(self.dialect, &category.name);
            let paths = [Flow::Expense, Flow::Income].map(|flow| match above {
                Some(above) => format!("{}:{own}", above.paths[flow as usize]),
                None => format!("{}:{own}", root_of(flow)),
            });
            let name = match above {
                Some(above) => format!("{}: {}", above.name, category.name),
                None => category.name,
            };
            let paths = paths.map(|path| names.unique(path));
            let named = Category { name, paths, is_used: [false; 2] };
            self.categories.insert(category.id, named);
        }
    }

    fn name_securities(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let mut symbols = Names::default();
        for security in lists::securities(tx)? {
            let symbol = symbols.commodity(&security.ticker, &security.market);
            self.commodities.insert(security.id, symbol);
            let market = Some(security.market).filter(|market| !market.is_empty());
            let facts = facts([
                ("ticker", Some(security.ticker)),
                ("name", security.name),
                ("market", market),
                ("isin", security.isin),
            ]);
            self.securities.push((security.id, facts));
        }
        Ok(())
    }

    /// An account; none if it is hidden.
    pub(super) fn account(&self, id: Uuid) -> Option<&Account> {
        self.accounts.get(&id)
    }

    /// The accounts in their order.
    pub(super) fn accounts(&self) -> impl Iterator<Item = (Uuid, &Account)> {
        self.order.iter().filter_map(|id| Some((*id, self.accounts.get(id)?)))
    }

    /// The securities by their tickers.
    pub(super) fn securities(&self) -> impl Iterator<Item = Uuid> {
        self.securities.iter().map(|(id, _)| *id)
    }

    /// Remembers that a category is used.
    pub(super) fn use_category(&mut self, id: Option<Uuid>, flow: Flow) {
        if let Some(category) = id.and_then(|id| self.categories.get_mut(&id)) {
            category.is_used[flow as usize] = true;
        }
    }

    /// The account of a category.
    pub(super) fn category(&self, id: Option<Uuid>, flow: Flow) -> &str {
        match (id.and_then(|id| self.categories.get(&id)), flow) {
            (Some(category), _) => &category.paths[flow as usize],
            (None, Flow::Expense) => "Expenses:Uncategorized",
            (None, Flow::Income) => "Income:Uncategorized",
        }
    }

    /// The name of a category with the one above it.
    pub(super) fn category_name(&self, id: Option<Uuid>) -> Option<&str> {
        id.and_then(|id| self.categories.get(&id)).map(|category| category.name.as_str())
    }

    /// The name of a merchant.
    pub(super) fn merchant(&self, id: Option<Uuid>) -> Option<&str> {
        id.and_then(|id| self.merchants.get(&id)).map(String::as_str)
    }

    /// The commodity of a security.
    pub(super) fn commodity(&self, id: Uuid) -> &str {
        self.commodities.get(&id).map_or("X", String::as_str)
    }

    /// Tags as the program takes them, each once, and as people wrote them if that is different.
    pub(super) fn tags<'c>(
        &'c self,
        ids: impl Iterator<Item = &'c Uuid>,
    ) -> (Vec<&'c str>, Option<Fact<'c>>) {
        let ids: BTreeSet<&Uuid> = ids.collect();
        let tags: Vec<_> = ids.into_iter().filter_map(|id| self.tags.get(id)).collect();
        let is_same = tags.iter().all(|(name, original)| name == original);
        let originals = || tags.iter().map(|(_, original)| original.as_str()).collect::<Vec<_>>();
        let fact = (!is_same).then(|| ("tags", Cow::from(originals().join(", "))));
        (tags.iter().map(|(name, _)| name.as_str()).collect(), fact)
    }
}

impl Writer<'_> {
    /// Declares currencies, securities and accounts.
    pub(super) fn declare(&mut self, tx: &mut FamilyTx<'_>, currency: Currency) -> Result<()> {
        let Self { journal, chart, .. } = self;
        let mut currencies: BTreeSet<&str> = BTreeSet::from([currency.code()]);
        currencies.extend(chart.accounts.values().map(|account| account.currency.code()));
        let others = lists::other_currencies(tx)?;
        currencies.extend(others.iter().map(|currency| currency.code()));
        for currency in currencies.into_iter().filter_map(Currency::parse) {
            journal.currency(chart.first, currency).map_err(failed)?;
        }
        for (id, facts) in &chart.securities {
            journal.commodity(chart.first, chart.commodity(*id), facts).map_err(failed)?;
        }
        journal.heading("Accounts").map_err(failed)?;
        for (_, account) in chart.accounts() {
            journal.account(chart.first, &account.path, &account.facts).map_err(failed)?;
        }
        for own in OWN {
            journal.account(chart.first, own, &[]).map_err(failed)?;
        }
        Ok(())
    }

    /// Declares the accounts of the categories that were used.
    pub(super) fn declare_categories(&mut self) -> Result<()> {
        let Self { journal, chart, .. } = self;
        journal.heading("Categories").map_err(failed)?;
        let mut used: Vec<(&str, &str)> = Vec::new();
        for category in chart.categories.values() {
            let paths = category.paths.iter().zip(category.is_used).filter(|(_, is_used)| *is_used);
            used.extend(paths.map(|(path, _)| (path.as_str(), category.name.as_str())));
        }
        used.sort_unstable();
        for (path, name) in used {
            journal.account(chart.first, path, &[("name", name.into())]).map_err(failed)?;
        }
        Ok(())
    }
}

/// The facts that are known.
pub(super) fn facts<const N: usize>(
    all: [(&'static str, Option<String>); N],
) -> Vec<Fact<'static>> {
    let known = all.into_iter().filter_map(|(key, value)| Some((key, Cow::from(value?))));
    known.filter(|(_, value)| !value.is_empty()).collect()
}

fn root_of(flow: Flow) -> &'static str {
    match flow {
        Flow::Expense => "Expenses",
        Flow::Income => "Income",
    }
}

fn class_of(account_type: AccountType) -> &'static str {
    match account_type {
        AccountType::Depository => "Depository",
        AccountType::CreditCard => "CreditCard",
        AccountType::Investment => "Investment",
        AccountType::Crypto => "Crypto",
        AccountType::Loan => "Loan",
        AccountType::Property => "Property",
        AccountType::Vehicle => "Vehicle",
        AccountType::OtherAsset => "OtherAsset",
        AccountType::OtherLiability => "OtherLiability",
    }
}
