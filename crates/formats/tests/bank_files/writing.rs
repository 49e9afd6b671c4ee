//! Writes the transactions as a bank would.

use crate::combination::{
    Account, Balance, Combination, Direction, Extra, Footer, Order, Preamble, Status,
};
use crate::other_headers::{AVAILABLE, original, other_number};
use crate::random::Random;
use crate::styles::Unit;
use crate::table::{Column, Record, Table};
use crate::truth::{OWN_NUMBER, Transaction, Truth};

const OTHER_NUMBERS: [&str; 3] = ["DE02120300000000202051", "", "FR1420041010050500013M02606"];

/// What can be spent beside what the account holds.
const CREDIT_LINE: i64 = 500_000;

/// The file of the transactions.
pub(crate) fn table(combination: &Combination, truth: &Truth, random: &mut Random) -> Table {
    let writer = Writer { combination, truth };
    let columns = writer.columns(random);
    let header = writer.header(&columns, random);
    let records = writer.records(&columns, random);
    Table {
        separator: combination.separator,
        is_quoted: combination.is_quoted,
        names_separator: combination.preamble == Preamble::Separator,
        preamble: writer.preamble(),
        header: combination.has_header.then_some(header),
        columns,
        records,
    }
}

struct Writer<'c> {
    combination: &'c Combination,
    truth: &'c Truth,
}

impl Writer<'_> {
    fn columns(&self, random: &mut Random) -> Vec<Column> {
        let one = self.combination;
        let has = |extra| one.has(extra);
        let two = one.direction.has_two_columns();
        let columns = [
            (Column::Account, one.account == Account::Column),
            (Column::OwnNumber, has(Extra::OwnNumber)),
            (Column::Date, true),
            (Column::ValueDate, has(Extra::ValueDate)),
            (Column::Name, true),
            (Column::OtherNumber, has(Extra::OtherNumber)),
            (Column::Purpose, has(Extra::Purpose)),
            (Column::Original, has(Extra::Original)),
            (Column::OriginalCurrency, has(Extra::Original)),
            (Column::Direction, one.direction.has_words()),
            (Column::MoneyOut, two),
            (Column::MoneyIn, two),
            (Column::Amount, !two),
            (Column::Currency, has(Extra::Currency)),
            (Column::Balance, one.balance != Balance::None),
            (Column::Status, one.status != Status::None),
            (Column::OtherStatus, one.has_second_status),
            (Column::Blank, has(Extra::Blank)),
        ];
        let mut columns: Vec<Column> =
            columns.into_iter().filter(|(_, is_there)| *is_there).map(|(one, _)| one).collect();
        if one.is_shuffled {
            for last in (1..columns.len()).rev() {
                columns.swap(last, random.below(last + 1));
            }
        }
        // Remarks and totals begin in the first column, which is never one of numbers.
        let is_number = |column: Column| {
            use Column::{Amount, Balance, Direction, MoneyIn, MoneyOut, Original};
            matches!(column, Amount | Balance | Direction | MoneyIn | MoneyOut | Original)
        };
        if is_number(columns[0]) {
            let date = columns.iter().position(|column| *column == Column::Date).unwrap();
            columns.swap(0, date);
        }
        if one.is_purchase_currency {
            // Beside what was booked alone it would be the currency of that.
            columns.retain(|column| *column != Column::OriginalCurrency);
            let at = columns.iter().position(|column| *column == Column::Original).unwrap();
            columns.insert(at + 1, Column::OriginalCurrency);
        }
        columns
    }

    fn header(&self, columns: &[Column], random: &mut Random) -> Vec<String> {
        let language = self.combination.language;
        let headers = &language.headers;
        let (out, into) = *random.pick(headers.two);
        let originals = original(language).unwrap_or_default();
        let direction = headers.direction[self.direction_index()].0;
        let mut header = |column: &Column| match column {
            Column::Date => *random.pick(headers.date),
            Column::ValueDate => *random.pick(headers.value_date),
            Column::Name => *random.pick(headers.name),
            Column::Purpose => *random.pick(headers.purpose),
            Column::Amount => *random.pick(headers.amount),
            Column::MoneyOut => out,
            Column::MoneyIn => into,
            Column::Direction => direction,
            Column::Balance if self.combination.is_available => AVAILABLE,
            Column::Balance => *random.pick(headers.balance),
            Column::Currency => *random.pick(headers.currency),
            Column::Original => originals.0,
            Column::OriginalCurrency if self.combination.is_purchase_currency => {
                *random.pick(headers.currency)
            }
            Column::OriginalCurrency => originals.1,
            Column::Account | Column::OwnNumber => headers.account,
            Column::OtherNumber => other_number(language).unwrap_or_default(),
            Column::Status => headers.status,
            Column::OtherStatus => "Booking status",
            Column::Blank => "",
        };
        let mut chosen: Vec<String> =
            columns.iter().map(|column| header(column).to_owned()).collect();
        self.keep_apart(columns, &mut chosen);
        chosen
    }

    /// A bank doesn't call two columns the same.
    fn keep_apart(&self, columns: &[Column], chosen: &mut [String]) {
        let headers = &self.combination.language.headers;
        for (column, others) in [(Column::Date, headers.date), (Column::Currency, headers.currency)]
        {
            let Some(at) = columns.iter().position(|its| *its == column) else { continue };
            let is_taken = |header: &str| {
                chosen.iter().enumerate().any(|(index, its)| index != at && its == header)
            };
            if is_taken(&chosen[at])
                && let Some(free) = others.iter().find(|other| !is_taken(other))
            {
                chosen[at] = (*free).to_owned();
            }
        }
    }

    /// The position of the words for the direction: the same for header and cells.
    fn direction_index(&self) -> usize {
        let first = self.truth.transactions[0].amount.unsigned_abs();
        (first % self.combination.language.headers.direction.len() as u64) as usize
    }

    fn preamble(&self) -> Vec<Vec<String>> {
        let one = self.combination;
        let values = [OWN_NUMBER, "A. Nobody", ""];
        let mut lines: Vec<Vec<String>> = one
            .language
            .preamble
            .iter()
            .zip(values)
            .map(|(word, value)| vec![format!("{word}:"), value.to_owned()])
            .collect();
        let days = [self.first().day, self.last().day].map(|day| one.date.text(day));
        lines[2][1] = days.join(" - ");
        let closing = format!("{} {}:", one.language.closing, days[1]);
        let balance = self.money(self.last().balance, Unit::CodeAfter);
        match one.preamble {
            Preamble::None | Preamble::Separator => Vec::new(),
            Preamble::Lines => lines,
            Preamble::LinesWithBalance => {
                lines.push(vec![closing, balance]);
                lines.push(vec![String::new()]);
                lines
            }
        }
    }

    fn first(&self) -> &Transaction {
        &self.truth.transactions[0]
    }

    fn last(&self) -> &Transaction {
        &self.truth.transactions[self.truth.transactions.len() - 1]
    }

    fn records(&self, columns: &[Column], random: &mut Random) -> Vec<Record> {
        let one = self.combination;
        let mut records = Vec::new();
        if let Footer::BalancesWithoutAmount | Footer::BalancesAsAmount = one.footer {
            let first = self.first();
            let opening = first.balance - first.amount;
            records.push(self.of_balance(columns, one.language.opening, first.day, opening));
        }
        for (index, transaction) in self.truth.transactions.iter().enumerate() {
            let word = one.language.status[0];
            let cells = columns.iter().map(|column| self.cell(*column, transaction, word));
            records.push(Record { cells: cells.collect(), transaction: Some(index) });
            self.add_unbooked(columns, &mut records, transaction, random);
        }
        if let Footer::BalancesWithoutAmount | Footer::BalancesAsAmount = one.footer {
            let last = self.last();
            records.push(self.of_balance(columns, one.language.closing, last.day, last.balance));
        }
        if one.order == Order::NewestFirst {
            records.reverse();
        }
        self.add_footer(columns, &mut records);
        records
    }

    /// A row that looks like the others but was not booked.
    fn add_unbooked(
        &self,
        columns: &[Column],
        records: &mut Vec<Record>,
        like: &Transaction,
        random: &mut Random,
    ) {
        let one = self.combination;
        let word = match one.status {
            Status::SomePending => one.language.status[1],
            Status::SomeRejected => one.language.status[2],
            Status::None | Status::AllBooked => return,
        };
        // The second row, so that there is one in each file.
        if records.len() != 2 && !random.one_in(6) {
            return;
        }
        let unbooked = Transaction { amount: -1_234, is_last_of_day: false, ..like.clone() };
        let cells = columns.iter().map(|column| match column {
            Column::Balance => String::new(),
            _ => self.cell(*column, &unbooked, word),
        });
        records.push(Record { cells: cells.collect(), transaction: None });
    }

    /// A line that only states what the account held.
    fn of_balance(
        &self,
        columns: &[Column],
        word: &str,
        day: jiff::civil::Date,
        balance: i64,
    ) -> Record {
        let one = self.combination;
        let cell = |column: &Column| match column {
            Column::Date => one.date.text(day),
            // Some banks write the day once more.
            Column::Name if day.day() % 2 == 0 => format!("{word} {}", one.date.text(day)),
            Column::Name => word.to_owned(),
            Column::Balance => self.money(balance, one.unit),
            Column::Amount | Column::MoneyIn if one.footer == Footer::BalancesAsAmount => {
                self.money(balance, one.unit)
            }
            _ => String::new(),
        };
        Record { cells: columns.iter().map(cell).collect(), transaction: None }
    }

    fn add_footer(&self, columns: &[Column], records: &mut Vec<Record>) {
        let one = self.combination;
        let cells = match one.footer {
            Footer::Remark => vec![one.language.remark.to_owned()],
            Footer::Total => {
                let of = |sign: i64| {
                    let amounts = self.truth.transactions.iter().map(|its| its.amount);
                    amounts.filter(|amount| amount.signum() == sign).sum::<i64>()
                };
                let cell = |(index, column): (usize, &Column)| match column {
                    _ if index == 0 => one.language.total.to_owned(),
                    Column::Amount => self.money(of(1) + of(-1), one.unit),
                    Column::MoneyOut => self.money(-of(-1), one.unit),
                    Column::MoneyIn => self.money(of(1), one.unit),
                    _ => String::new(),
                };
                columns.iter().enumerate().map(cell).collect()
            }
            Footer::None | Footer::BalancesWithoutAmount | Footer::BalancesAsAmount => return,
        };
        records.push(Record { cells, transaction: None });
    }

    fn cell(&self, column: Column, row: &Transaction, status: &str) -> String {
        let one = self.combination;
        let is_out = row.amount < 0 || self.is_reversal(row);
        let is_alone = |has_it: bool| match (has_it, one.direction) {
            (true, Direction::TwoColumnsWithMinus) => self.money(row.amount, one.unit),
            (true, Direction::TwoColumnsWithReversals) if self.is_reversal(row) => {
                self.money(-row.amount, one.unit)
            }
            (true, _) => self.money(row.amount.abs(), one.unit),
            (false, Direction::TwoColumnsWithZeros) => self.money(0, one.unit),
            (false, _) => String::new(),
        };
        match column {
            Column::Date => one.date.text(row.day),
            Column::ValueDate => one.date.text(row.day.tomorrow().unwrap()),
            Column::Name => row.name.to_owned(),
            Column::Purpose => row.purpose.to_owned(),
            Column::Amount => self.amount(row),
            Column::MoneyOut => is_alone(is_out),
            Column::MoneyIn => is_alone(!is_out),
            Column::Direction => {
                let (_, out, into) = one.language.headers.direction[self.direction_index()];
                if is_out { out.to_owned() } else { into.to_owned() }
            }
            Column::Balance => self.balance(row),
            Column::Currency => one.language.currency.0.to_owned(),
            Column::Original if self.is_abroad(row) => self.money(row.amount / 3, one.unit),
            Column::Original if one.is_purchase_currency => self.money(row.amount, one.unit),
            Column::Original => String::new(),
            Column::OriginalCurrency if self.is_abroad(row) => "CHF".to_owned(),
            Column::OriginalCurrency if one.is_purchase_currency => {
                one.language.currency.0.to_owned()
            }
            Column::OriginalCurrency => String::new(),
            Column::Account => row.account.unwrap_or_default().to_owned(),
            Column::OwnNumber => OWN_NUMBER.to_owned(),
            Column::OtherNumber => OTHER_NUMBERS[row.name.len() % OTHER_NUMBERS.len()].to_owned(),
            Column::Status if one.has_second_status => one.language.status[0].to_owned(),
            Column::Status | Column::OtherStatus => status.to_owned(),
            Column::Blank => String::new(),
        }
    }

    /// Whether an amount abroad stands beside the amount in another currency.
    fn is_abroad(&self, row: &Transaction) -> bool {
        let is_out = row.amount < 0 || self.is_reversal(row);
        is_out && (!self.combination.is_purchase_currency || row.amount % 4 != 0)
    }

    /// Whether what came back stands as a negative debit: every second amount that came in.
    fn is_reversal(&self, row: &Transaction) -> bool {
        use Direction::{TwoColumnsWithReversals, WordsWithReversals};
        let is_written =
            matches!(self.combination.direction, TwoColumnsWithReversals | WordsWithReversals);
        let before = self.truth.transactions.iter().take_while(|other| *other != row);
        is_written && row.amount > 0 && before.filter(|other| other.amount > 0).count() % 2 == 0
    }

    fn amount(&self, row: &Transaction) -> String {
        let one = self.combination;
        match one.direction {
            Direction::Inverted => self.money(-row.amount, one.unit),
            Direction::Words | Direction::Unsigned | Direction::UnsignedBothWays => {
                self.money(row.amount.abs(), one.unit)
            }
            Direction::PartlyMarked if row.amount < 0 => self.money(row.amount.abs(), one.unit),
            Direction::PartlyMarked if one.language.name.ends_with("English") => {
                format!("{} CR", self.money(row.amount, one.unit))
            }
            Direction::PartlyMarked => format!("+{}", self.money(row.amount, one.unit)),
            Direction::WordsWithReversals if self.is_reversal(row) => {
                self.money(-row.amount, one.unit)
            }
            Direction::WordsWithReversals => self.money(row.amount.abs(), one.unit),
            Direction::Markers => {
                let marker = if row.amount < 0 { "DR" } else { "CR" };
                format!("{} {marker}", self.money(row.amount.abs(), one.unit))
            }
            _ => self.money(row.amount, one.unit),
        }
    }

    fn balance(&self, row: &Transaction) -> String {
        let one = self.combination;
        match one.balance {
            Balance::EndOfDay if !row.is_last_of_day => String::new(),
            Balance::Debt => self.money(-row.balance, one.unit),
            _ if one.is_available => self.money(row.balance + CREDIT_LINE, one.unit),
            _ => self.money(row.balance, one.unit),
        }
    }

    fn money(&self, units: i64, unit: Unit) -> String {
        let one = self.combination;
        let digits = one.number.text(units.abs(), self.truth.currency.precision());
        unit.text(&one.sign.text(&digits, units < 0), one.language.currency)
    }
}
