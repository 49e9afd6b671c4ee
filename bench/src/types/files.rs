//! Files of each type, the same bytes every time. A type more is a row in the table.

use crate::generate::{ACCOUNTS, CATEGORIES, KINDS, PLACES, SEED, TAGS, calendar};
use crate::prng::Prng;

/// Bytes of a file at most: the limit of an upload.
const BYTES_MAX: usize = 10 * 1024 * 1024;
/// Rows of types that are judged as a whole.
const WHOLE_ROWS_MAX: u64 = 10_000;
/// Rules that a family may have.
const RULES_MAX: u64 = 500;
/// Days over which rows are spread: so many rows follow on one.
const ROWS_A_DAY: u64 = 70;
const DAYS: u64 = 1_827;

/// A type of import, and how its files are written.
#[derive(Debug)]
pub(super) struct Type {
    /// The name in the interface.
    pub(super) name: &'static str,
    pub(super) rows_max: u64,
    /// The account that its rows go into, if they name none.
    pub(super) account_type: Option<&'static str>,
    header: &'static str,
    /// Writes the row of a number.
    row: fn(&mut String, u64, &mut Prng),
    /// Writes whether the account of the rows is another one from here on.
    section: Option<fn(&mut String, &str)>,
}

/// A file and the number of its rows.
#[derive(Debug)]
pub(super) struct File {
    pub(super) text: String,
    pub(super) rows: u64,
}

const PLAIN: Type = Type {
    name: "TransactionImport",
    rows_max: u64::MAX,
    account_type: None,
    header: "",
    row: |_, _, _| {},
    section: None,
};

/// What the others are compared with; its files are those of the other benchmarks.
pub(super) const BANK: Type = PLAIN;

/// Every type that is measured.
pub(super) const TYPES: [Type; 9] = [
    Type {
        name: "TradeImport",
        account_type: Some("investment"),
        header: "Date,Action,Symbol,Quantity,Price,Fees,Amount,Currency\n",
        row: trade,
        ..PLAIN
    },
    Type {
        name: "MintImport",
        header: "Date,Description,Original Description,Amount,Transaction Type,Category,\
                 Account Name,Labels,Notes\n",
        row: mint,
        ..PLAIN
    },
    Type {
        name: "YnabImport",
        header: "Account,Flag,Date,Payee,Category Group/Category,Category Group,Category,Memo,\
                 Outflow,Inflow,Cleared\n",
        row: ynab,
        ..PLAIN
    },
    Type {
        name: "ActualImport",
        header: "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n",
        row: actual,
        ..PLAIN
    },
    Type { name: "QifImport", row: qif, section: Some(qif_account), ..PLAIN },
    Type {
        name: "AccountImport",
        rows_max: WHOLE_ROWS_MAX,
        header: "Account type,Name,Balance,Currency,Balance Date\n",
        row: account,
        ..PLAIN
    },
    Type {
        name: "CategoryImport",
        rows_max: WHOLE_ROWS_MAX,
        header: "name,color,parent_category,lucide_icon\n",
        row: category,
        ..PLAIN
    },
    Type {
        name: "MerchantImport",
        rows_max: WHOLE_ROWS_MAX,
        header: "name,color,website_url\n",
        row: merchant,
        ..PLAIN
    },
    Type {
        name: "RuleImport",
        rows_max: RULES_MAX,
        header: "name,resource_type,active,effective_date,conditions,actions\n",
        row: rule,
        ..PLAIN
    },
];

/// A file of a type with so many rows, or with as many as 10 MiB hold.
pub(super) fn write(one: &Type, rows_max: u64) -> File {
    let mut random = Prng::new(SEED);
    let mut text = one.header.to_owned();
    let mut row = String::new();
    let mut rows = 0;
    let of_section = BYTES_MAX / (ACCOUNTS.len() + 1);
    let mut sections = ACCOUNTS.iter();
    let mut begun = 0;
    while rows < rows_max {
        row.clear();
        if let Some(begin) = one.section
            && (rows == 0 || text.len() - begun > of_section)
            && let Some(account) = sections.next()
        {
            begin(&mut row, account);
            begun = text.len();
        }
        (one.row)(&mut row, rows, &mut random);
        if text.len() + row.len() > BYTES_MAX {
            break;
        }
        text.push_str(&row);
        rows += 1;
    }
    File { text, rows }
}

/// What every movement of money has.
struct Movement {
    date: (u32, u32, u32),
    cents: u32,
    is_income: bool,
    payee: String,
    category: &'static str,
    tag: &'static str,
    account: &'static str,
}

impl Movement {
    fn new(number: u64, random: &mut Prng) -> Self {
        let is_income = random.below(20) == 0;
        let cents = 100 + random.below(if is_income { 400_000 } else { 25_000 });
        let (place, kind) = (random.pick(PLACES), random.pick(KINDS));
        Self {
            date: day_of(number),
            cents,
            is_income,
            payee: format!("{place} {kind} {}", random.below(90)),
            category: random.pick(CATEGORIES),
            tag: if random.below(2) == 0 { random.pick(TAGS) } else { "" },
            account: random.pick(ACCOUNTS),
        }
    }

    fn amount(&self) -> String {
        format!("{}.{:02}", self.cents / 100, self.cents % 100)
    }

    fn signed(&self) -> String {
        format!("{}{}", if self.is_income { "" } else { "-" }, self.amount())
    }
}

fn day_of(number: u64) -> (u32, u32, u32) {
    calendar((number / ROWS_A_DAY).min(DAYS - 1) as u32)
}

fn iso((year, month, day): (u32, u32, u32)) -> String {
    format!("{year}-{month:02}-{day:02}")
}

fn american((year, month, day): (u32, u32, u32)) -> String {
    format!("{month}/{day}/{year}")
}

fn trade(row: &mut String, number: u64, random: &mut Prng) {
    let (day, symbol) = (iso(day_of(number)), random.below(200));
    let (quantity, cents, fee) =
        (1 + u64::from(random.below(50)), 1_000 + u64::from(random.below(30_000)), 199);
    // More is bought than sold, so that no shares are missing.
    let is_sale = number > 2_000 && random.below(4) == 0;
    let (word, sign) = if is_sale { ("Sell", "") } else { ("Buy", "-") };
    let value = quantity * cents;
    let total = if is_sale { value - fee } else { value + fee };
    row.push_str(&format!(
        "{day},{word},SYM{symbol},{quantity},{}.{:02},1.99,{sign}{}.{:02},USD\n",
        cents / 100,
        cents % 100,
        total / 100,
        total % 100
    ));
}

fn mint(row: &mut String, number: u64, random: &mut Prng) {
    let one = Movement::new(number, random);
    let way = if one.is_income { "credit" } else { "debit" };
    row.push_str(&format!(
        "{},{},{},{},{way},{},{},{},\n",
        american(one.date),
        one.payee,
        one.payee.to_uppercase(),
        one.amount(),
        one.category,
        one.account,
        one.tag
    ));
}

fn ynab(row: &mut String, number: u64, random: &mut Prng) {
    let one = Movement::new(number, random);
    let (out, inn) =
        if one.is_income { ("0.00".into(), one.amount()) } else { (one.amount(), "0.00".into()) };
    row.push_str(&format!(
        "{},{},{},{},All: {},All,{},,${out},${inn},Cleared\n",
        one.account,
        one.tag,
        american(one.date),
        one.payee,
        one.category,
        one.category
    ));
}

fn actual(row: &mut String, number: u64, random: &mut Prng) {
    let one = Movement::new(number, random);
    row.push_str(&format!(
        "{},{},{},{},All,{},{},0,Cleared\n",
        one.account,
        iso(one.date),
        one.payee,
        one.tag,
        one.category,
        one.signed()
    ));
}

fn qif(row: &mut String, number: u64, random: &mut Prng) {
    let one = Movement::new(number, random);
    let class = if one.tag.is_empty() { String::new() } else { format!("/{}", one.tag) };
    row.push_str(&format!(
        "D{}\nT{}\nCX\nP{}\nL{}{class}\n^\n",
        american(one.date),
        one.signed(),
        one.payee,
        one.category
    ));
}

fn qif_account(text: &mut String, name: &str) {
    text.push_str(&format!("!Account\nN{name}\nTBank\n^\n!Type:Bank\n"));
}

fn account(row: &mut String, number: u64, random: &mut Prng) {
    let kinds = ["Depository", "checking", "savings", "investment", "other asset"];
    let (kind, cents) = (random.pick(&kinds), random.below(1_000_000));
    let day = iso(day_of(number));
    row.push_str(&format!(
        "{kind},Account {number},{}.{:02},USD,{day}\n",
        cents / 100,
        cents % 100
    ));
}

fn category(row: &mut String, number: u64, random: &mut Prng) {
    let color = random.below(0x0100_0000);
    let parent = match number % 10 {
        0 => String::new(),
        _ => format!("Category {}", number - number % 10),
    };
    row.push_str(&format!("Category {number},#{color:06x},{parent},shapes\n"));
}

fn merchant(row: &mut String, number: u64, random: &mut Prng) {
    let color = random.below(0x0100_0000);
    row.push_str(&format!("Merchant {number},#{color:06x},merchant-{number}.example\n"));
}

fn rule(row: &mut String, number: u64, random: &mut Prng) {
    let (place, category) = (random.pick(PLACES), random.pick(CATEGORIES));
    row.push_str(&format!(
        "Rule {number},transaction,true,,\"[{{\"\"condition_type\"\":\"\"transaction_name\"\",\
         \"\"operator\"\":\"\"like\"\",\"\"value\"\":\"\"{place} {number}\"\"}}]\",\
         \"[{{\"\"action_type\"\":\"\"set_transaction_category\"\",\"\"value\"\":\
         \"\"{category}\"\"}}]\"\n"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_full_but_not_over_and_the_same_every_time() {
        for one in &TYPES {
            let file = write(one, one.rows_max);
            assert!(file.text.len() <= BYTES_MAX, "{}", one.name);
            let is_full = BYTES_MAX - file.text.len() < 1_000 || file.rows == one.rows_max;
            assert!(is_full, "{}: {} bytes", one.name, file.text.len());
            assert_eq!(file.text, write(one, one.rows_max).text, "{}", one.name);
        }
    }
}
