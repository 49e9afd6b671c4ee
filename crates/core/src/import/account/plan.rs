//! What becomes of the rows of a file of accounts.
//!
//! A row stands for the account of its name and type that the family has, which stays as it is, or
//! is a new one. Its balance is the opening balance: on its day, or before the first entry if the
//! row has none. The ledger keeps a debt as a positive amount. Files have debts as positive or as
//! negative amounts: if all are positive, they are debts; as soon as one is negative, a person must
//! state which sign a debt has.

use std::collections::{HashMap, HashSet};

use super::set::AccountRow;
use super::{AccountKind, Row};
use crate::import::kind::WholePlanner;
use crate::import::mapping::MappingKind;
use crate::import::row_edit::RowChoice;
use crate::import::settings::DebtSign;
use crate::import::whole::decision::Decision;
use crate::import::whole::rows::{ChosenRows, Group};
use crate::import::whole::{AccountRecord, FamilyRecords, NameTargets, WholePlan};
use crate::ledger::account::{AccountType, Classification, NewAccount, Opening};
use crate::ledger::trade::CostMethod;
use crate::money::decimal::amount_text;
use crate::plan::{Creation, Slot};
use crate::text::label::name_key;

/// Collects the rows and plans them.
#[derive(Debug, Default)]
pub(super) struct AccountPlanner(ChosenRows<AccountRow>);

impl WholePlanner<AccountKind> for AccountPlanner {
    fn row(&mut self, number: u64, line: u64, row: Option<&Row<'_>>, choice: RowChoice) {
        self.0.push(row.map(|row| AccountRow::of(number, line, row)), choice);
    }

    fn finish(
        self: Box<Self>,
        view: &FamilyRecords,
        mapped: &dyn NameTargets,
        prepared: &[Creation],
    ) -> WholePlan {
        let mut known: HashMap<(String, AccountType), Vec<&AccountRecord>> = HashMap::new();
        for account in &view.accounts {
            let place = (name_key(&account.name), account.account_type);
            known.entry(place).or_default().push(account);
        }
        let mut planning = PlanBuilder {
            known,
            mapped,
            has_negative_debt: false,
            first: prepared.len(),
            creations: Vec::new(),
            taken: HashSet::new(),
        };
        planning.has_negative_debt = self.0.taken().any(|(row, _)| {
            let is_debt = planning.account_type(row).is_ok_and(is_liability);
            is_debt && !row.is_marked && row.balance < 0
        });
        let mut decisions = HashMap::new();
        for (identity, group) in self.0.grouped() {
            let decision = planning.decide(&group).unwrap_or_else(Decision::Open);
            decisions.insert(identity, decision);
        }
        let title = |id| {
            let found = view.accounts.iter().find(|one| one.id == id);
            format!("account {:?}, which stays as it is", found.map_or("", |one| &one.name))
        };
        let rows = self.0.planned("account", &decisions, title);
        WholePlan { creations: planning.creations, rows }
    }
}

fn is_liability(account_type: AccountType) -> bool {
    account_type.classification() == Classification::Liability
}

struct PlanBuilder<'a> {
    known: HashMap<(String, AccountType), Vec<&'a AccountRecord>>,
    mapped: &'a dyn NameTargets,
    /// A debt of the file has a negative amount.
    has_negative_debt: bool,
    /// The number of the first creation.
    first: usize,
    creations: Vec<Creation>,
    /// Accounts that rows stand for already, by the key of the name and the type.
    taken: HashSet<(String, AccountType)>,
}

impl PlanBuilder<'_> {
    /// What the account of a row is, unless a person must choose.
    fn account_type(&self, row: &AccountRow) -> Result<AccountType, String> {
        self.mapped.account_type(&row.type_text).ok_or_else(|| {
            let problem = self.mapped.problem(MappingKind::AccountType, &row.type_text);
            problem.unwrap_or_else(|| "A type must be chosen for the account".to_owned())
        })
    }

    fn decide(&mut self, group: &Group<'_, AccountRow>) -> Result<Decision, String> {
        let row = group.rows.first().ok_or("There is no row")?;
        let account_type = self.account_type(row)?;
        let place = (name_key(&row.name), account_type);
        if !self.taken.insert(place.clone()) {
            return Err("Another row stands for the same account".to_owned());
        }
        let known = self.known.get(&place).map(Vec::as_slice).unwrap_or_default();
        match known {
            _ if group.is_new => {}
            [] => {}
            [one] if one.currency == row.currency => return Ok(Decision::Known(one.id, None)),
            [one] => {
                let (its, rows) = (one.currency.code(), row.currency.code());
                return Err(format!("The account {:?} is in {its}, the row in {rows}", one.name));
            }
            several => {
                let count = several.len();
                return Err(format!("{count} accounts of this type are called {:?}", row.name));
            }
        }
        self.create(group, row, account_type)
    }

    fn create(
        &mut self,
        group: &Group<'_, AccountRow>,
        row: &AccountRow,
        account_type: AccountType,
    ) -> Result<Decision, String> {
        let amount = self.amount(row, account_type)?;
        let slot = u32::try_from(self.first + self.creations.len());
        let slot = Slot(slot.map_err(|_| "There are too many rows")?);
        let date = group.first(|row| row.date.as_ref()).copied();
        let of_word = row.meaning.filter(|(its, _)| *its == account_type);
        let of_word = of_word.and_then(|(_, subtype)| subtype).map(str::to_owned);
        let stated = group.first(|row| row.subtype.as_ref()).cloned();
        let account = NewAccount {
            name: row.name.clone(),
            account_type,
            subtype: stated.or(of_word),
            currency: row.currency,
            opening: Opening { amount, date },
            institution_name: None,
            institution_domain: None,
            notes: None,
            owner: None,
            cost_method: CostMethod::Average,
            current_amount: None,
        };
        let shown = described(&account);
        self.creations.push(Creation::Account(account));
        Ok(Decision::New(slot, Some(shown)))
    }

    /// The balance as the ledger keeps it.
    fn amount(&self, row: &AccountRow, account_type: AccountType) -> Result<i64, String> {
        if !is_liability(account_type) {
            return Ok(row.balance);
        }
        if row.is_marked {
            return Ok(row.balance.saturating_neg());
        }
        match row.debt_sign {
            Some(DebtSign::Positive) => Ok(row.balance),
            Some(DebtSign::Negative) => Ok(row.balance.saturating_neg()),
            None if !self.has_negative_debt || row.balance == 0 => Ok(row.balance),
            None => Err(format!(
                "Is {} {} a debt or money in excess? Which sign a debt has in the file is to be \
                 stated (debt_sign)",
                amount_text(row.balance, row.currency),
                row.currency.code()
            )),
        }
    }
}

/// The new account for people, so that nobody has to know the sign of a debt.
fn described(account: &NewAccount) -> String {
    let Opening { amount, date } = account.opening;
    let noun = account.account_type.as_str().replace('_', " ");
    let noun = match &account.subtype {
        Some(subtype) => format!("{noun} ({})", subtype.replace('_', " ")),
        None => noun,
    };
    let (text, code) = (amount_text(amount.saturating_abs(), account.currency), account.currency);
    let code = code.code();
    let balance = match (is_liability(account.account_type), amount) {
        (_, 0) => format!("with nothing in {code}"),
        (true, 1..) => format!("with a debt of {text} {code}"),
        (true, _) => format!("with {text} {code} paid in excess"),
        (false, 1..) => format!("with {text} {code}"),
        (false, _) => format!("overdrawn by {text} {code}"),
    };
    match date {
        Some(date) => format!("A new {noun} {balance} on {date}"),
        None => format!("A new {noun} {balance} before the first entry"),
    }
}
