//! What a generated file is like: one value of each dimension, chosen by a seed.

use crate::languages::Language;
use crate::other_headers::{original, other_number};
use crate::random::Random;
use crate::styles::{
    DateStyle, NumberStyle, RARE_DATES, RARE_NUMBERS, SIGNS, SignStyle, UNITS, Unit,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    OldestFirst,
    NewestFirst,
}

/// How a file shows which way money went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Money out has a minus.
    Signed,
    /// Money in has a minus, as on many statements of cards.
    Inverted,
    /// A column for money out and one for money in.
    TwoColumns,
    /// The same, with a minus before money out.
    TwoColumnsWithMinus,
    /// The same, with a zero in the other column.
    TwoColumnsWithZeros,
    /// Amounts without signs beside a column of words.
    Words,
    /// Amounts with signs beside a column of words.
    WordsAndSigns,
    // `12.50 DR`
    Markers,
    /// Only money in has a mark: `12.50 CR`, or `+12.50`.
    PartlyMarked,
    /// A column for money out and one for money in, and some of what came back as a negative debit.
    TwoColumnsWithReversals,
    /// Words beside amounts, and some of what came back as a negative debit.
    WordsWithReversals,
    /// Only money out, without any sign: nothing shows the direction.
    Unsigned,
    /// Both ways without any sign: only the balance after each row shows the direction.
    UnsignedBothWays,
}

const DIRECTIONS: &[Direction] = &[
    Direction::Signed,
    Direction::Signed,
    Direction::Signed,
    Direction::Inverted,
    Direction::TwoColumns,
    Direction::TwoColumns,
    Direction::TwoColumnsWithMinus,
    Direction::TwoColumnsWithZeros,
    Direction::Words,
    Direction::Words,
    Direction::WordsAndSigns,
    Direction::Markers,
    Direction::Unsigned,
];

impl Direction {
    pub(crate) fn has_two_columns(self) -> bool {
        matches!(
            self,
            Self::TwoColumns
                | Self::TwoColumnsWithMinus
                | Self::TwoColumnsWithZeros
                | Self::TwoColumnsWithReversals
        )
    }

    pub(crate) fn has_words(self) -> bool {
        matches!(self, Self::Words | Self::WordsAndSigns | Self::WordsWithReversals)
    }

    /// Whether the sign or the mark of some amounts means something that only a balance proves.
    pub(crate) fn needs_balance(self) -> bool {
        use Direction::{PartlyMarked, TwoColumnsWithReversals, WordsWithReversals};
        matches!(self, PartlyMarked | TwoColumnsWithReversals | WordsWithReversals)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Balance {
    None,
    EachRow,
    /// Only the last row of a day has one.
    EndOfDay,
    /// What is owed on a card, which rises with purchases.
    Debt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preamble {
    None,
    // Account, owner, period.
    Lines,
    /// The same with the balance of a day.
    LinesWithBalance,
    // `sep=;`
    Separator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Footer {
    None,
    Remark,
    /// The sums of the amounts.
    Total,
    /// Opening and closing balance with a day and no amount, before and behind the rows.
    BalancesWithoutAmount,
    /// The same with the balance in the amount's column.
    BalancesAsAmount,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    None,
    /// A column with one word in every row.
    AllBooked,
    /// Some rows are pending: not booked yet.
    SomePending,
    /// Some rows were rejected: no money went.
    SomeRejected,
}

/// What is known of the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    Unknown,
    Money,
    Debt,
    /// A column names one of two.
    Column,
}

/// Columns that not every bank has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extra {
    ValueDate,
    Purpose,
    Currency,
    /// What was paid abroad, with its currency.
    Original,
    /// The number of the own account, the same in each row.
    OwnNumber,
    /// The number of the other party's account.
    OtherNumber,
    /// A column without a name and without text.
    Blank,
}

const EXTRAS: &[(Extra, usize)] = &[
    (Extra::ValueDate, 3),
    (Extra::Purpose, 2),
    (Extra::Currency, 3),
    (Extra::Original, 8),
    (Extra::OwnNumber, 8),
    (Extra::OtherNumber, 6),
    (Extra::Blank, 8),
];

/// One value of each dimension.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Combination {
    pub(crate) language: &'static Language,
    pub(crate) separator: char,
    pub(crate) date: DateStyle,
    pub(crate) number: NumberStyle,
    pub(crate) sign: SignStyle,
    pub(crate) unit: Unit,
    pub(crate) order: Order,
    pub(crate) direction: Direction,
    pub(crate) balance: Balance,
    pub(crate) preamble: Preamble,
    pub(crate) footer: Footer,
    pub(crate) status: Status,
    pub(crate) has_header: bool,
    pub(crate) account: Account,
    pub(crate) extras: Vec<Extra>,
    /// Whether every cell is in quotes.
    pub(crate) is_quoted: bool,
    /// Whether the columns stand in an unusual order.
    pub(crate) is_shuffled: bool,
    /// Whether the family counts in another currency than the file.
    pub(crate) is_abroad: bool,
    /// Whether the balance is what can be spent, with a credit line.
    pub(crate) is_available: bool,
    /// Whether the amount abroad has the only column of currencies, which is just called so.
    pub(crate) is_purchase_currency: bool,
    /// Whether a second column has the status, and the first one only words for booked.
    pub(crate) has_second_status: bool,
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Combination {
    pub(crate) fn of(language: &'static Language, random: &mut Random) -> Self {
        let dates = if random.one_in(16) { RARE_DATES } else { language.dates };
        let numbers = if random.one_in(16) { RARE_NUMBERS } else { language.numbers };
        let mut one = Self {
            language,
            separator: *random.pick(language.separators),
            date: *random.pick(dates),
            number: *random.pick(numbers),
            sign: *random.pick(SIGNS),
            unit: *random.pick(UNITS),
            order: *random.pick(&[Order::OldestFirst, Order::NewestFirst]),
            direction: *random.pick(DIRECTIONS),
            balance: *random.pick(&[
                Balance::None,
                Balance::None,
                Balance::EachRow,
                Balance::EachRow,
                Balance::EndOfDay,
                Balance::Debt,
            ]),
            preamble: *random.pick(&[
                Preamble::None,
                Preamble::None,
                Preamble::Lines,
                Preamble::LinesWithBalance,
                Preamble::Separator,
            ]),
            footer: *random.pick(&[
                Footer::None,
                Footer::None,
                Footer::Remark,
                Footer::Total,
                Footer::BalancesWithoutAmount,
                Footer::BalancesAsAmount,
            ]),
            status: *random.pick(&[
                Status::None,
                Status::None,
                Status::None,
                Status::AllBooked,
                Status::SomePending,
                Status::SomeRejected,
            ]),
            has_header: !random.one_in(14),
            account: *random.pick(&[
                Account::Unknown,
                Account::Unknown,
                Account::Money,
                Account::Debt,
                Account::Column,
            ]),
            extras: EXTRAS
                .iter()
                .filter(|(_, cases)| random.one_in(*cases))
                .map(|(extra, _)| *extra)
                .collect(),
            is_quoted: random.one_in(3),
            is_shuffled: random.one_in(4),
            is_abroad: random.one_in(2),
            is_available: false,
            is_purchase_currency: false,
            has_second_status: false,
        };
        one.make_sense();
        let has_balances = matches!(one.balance, Balance::EachRow | Balance::Debt);
        if one.direction == Direction::Unsigned && has_balances && !random.one_in(4) {
            one.direction = Direction::UnsignedBothWays;
        }
        one
    }

    /// Makes some files of the plain directions those of banks that write them in another way.
    pub(crate) fn vary(&mut self, random: &mut Random) {
        let is_markers = self.direction == Direction::Markers;
        self.direction = match self.direction {
            Direction::TwoColumns if random.one_in(4) => Direction::TwoColumnsWithReversals,
            // Without a header one word in all rows is no column of directions.
            Direction::Words if self.has_header && random.one_in(4) => {
                Direction::WordsWithReversals
            }
            Direction::Markers if random.one_in(2) => Direction::PartlyMarked,
            Direction::Signed if random.one_in(12) => Direction::PartlyMarked,
            other => other,
        };
        if self.direction == Direction::PartlyMarked && !is_markers {
            (self.sign, self.unit) = (SignStyle::Minus, Unit::Nothing);
        }
        self.vary_columns(random);
    }

    /// Makes some columns those that are easily taken for others.
    fn vary_columns(&mut self, random: &mut Random) {
        let is_plain = self.has_header && self.direction != Direction::UnsignedBothWays;
        let has_balance = matches!(self.balance, Balance::EachRow | Balance::EndOfDay);
        self.is_available = is_plain && has_balance && random.one_in(8);
        if self.is_available && self.footer != Footer::Remark {
            // Lines would have another balance than the column.
            self.footer = Footer::None;
        }
        let has_original = self.has(Extra::Original) && self.unit == Unit::Nothing;
        self.is_purchase_currency = self.has_header && has_original && random.one_in(2);
        if self.is_purchase_currency {
            self.extras.retain(|extra| *extra != Extra::Currency);
            self.is_abroad = false;
        }
        let has_status = self.has_header && self.status != Status::None;
        self.has_second_status = has_status && random.one_in(3);
    }

    /// Replaces what no bank would write.
    fn make_sense(&mut self) {
        let is_english = self.language.name.ends_with("English");
        if self.direction == Direction::Markers && !is_english {
            self.direction = Direction::Signed;
        }
        if self.direction == Direction::Inverted && self.account != Account::Debt {
            self.account = Account::Unknown;
        }
        if self.balance == Balance::Debt && self.account != Account::Debt {
            self.balance = Balance::EachRow;
        }
        let has_balance = self.balance != Balance::None;
        if !has_balance && self.footer == Footer::BalancesWithoutAmount {
            self.footer = Footer::Total;
        }
        let has_unit = self.unit != Unit::Nothing || self.direction == Direction::Markers;
        if has_unit && matches!(self.sign, SignStyle::TrailingMinus | SignStyle::Parentheses) {
            self.sign = SignStyle::Minus;
        }
        if self.direction == Direction::Markers {
            self.unit = Unit::Nothing;
        }
        if self.sign == SignStyle::PlusAndMinus
            && !matches!(self.direction, Direction::Signed | Direction::WordsAndSigns)
        {
            self.sign = SignStyle::Minus;
        }
        if self.unit != Unit::Nothing {
            // The sign of a currency may be that of another one, too.
            self.extras.retain(|extra| *extra != Extra::Currency);
        }
        if self.account == Account::Column {
            self.extras.retain(|extra| *extra != Extra::OwnNumber);
        }
        if other_number(self.language).is_none() {
            self.extras.retain(|extra| *extra != Extra::OtherNumber);
        }
        if original(self.language).is_none() {
            self.extras.retain(|extra| *extra != Extra::Original);
        }
        self.is_abroad &= self.extras.contains(&Extra::Currency) && self.has_header;
    }

    pub(crate) fn has(&self, extra: Extra) -> bool {
        self.extras.contains(&extra)
    }

    /// Whether lines state the balances before and after all rows of the only account, and can be
    /// compared: such a line has neither a word for the direction nor a currency.
    pub(crate) fn states_ends(&self) -> bool {
        matches!(self.footer, Footer::BalancesWithoutAmount | Footer::BalancesAsAmount)
            && self.account != Account::Column
            && !self.is_abroad
            && matches!(self.direction, Direction::Signed | Direction::Inverted)
    }

    /// Whether a bank of the language may write such a file, and it has all that is needed to be
    /// read without any question.
    pub(crate) fn is_realistic(&self) -> bool {
        let is_plain = self.has_header
            && self.language.dates.contains(&self.date)
            && self.language.numbers.contains(&self.number)
            && matches!(self.status, Status::None | Status::AllBooked)
            && self.footer != Footer::BalancesAsAmount
            && !(self.is_available || self.is_purchase_currency);
        // Which sign a purchase has on a card, only words or columns show.
        let is_directed = match self.account {
            Account::Debt => {
                self.direction.has_two_columns() || self.direction == Direction::Markers
            }
            _ => !matches!(
                self.direction,
                Direction::Unsigned | Direction::UnsignedBothWays | Direction::Inverted
            ),
        };
        // Without a balance it is a question what the sign means.
        let is_proven = !self.direction.needs_balance() || self.balance == Balance::EachRow;
        is_plain && is_directed && is_proven
    }
}
