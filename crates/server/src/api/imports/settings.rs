//! The settings of a file as members of a body: which columns it has, and how it is written.

use std::collections::BTreeMap;

use purser_core::error::Problems;
use purser_core::import::settings::{AmountStrategy, BalanceCheck, DebtSign, Separator, Signage};
use purser_core::import::trade::signs::TotalMeaning;
use purser_core::text::number::NumberFormat;
use serde_json::json;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

use crate::http::body::kinds::{Flag, Kind, Text};
use crate::http::body::presence::nullable;
use crate::http::body::schema::{MemberSchema, names};
use crate::http::body::{Body, Sent};
use crate::http::describe::Components;
use crate::http::fields::Json;

/// The settings that were sent, by their names: those without a value are to be detected. The
/// domain judges them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SettingsFields(pub(super) BTreeMap<String, Option<String>>);

/// A setting: its name, its description, and its schema.
struct Setting(&'static str, &'static str, fn() -> RefOr<Schema>);

const fn text(name: &'static str, description: &'static str) -> Setting {
    Setting(name, description, string)
}

const SETTINGS: [Setting; purser_core::import::settings::SETTINGS.len()] = [
    text(
        "date_col_label",
        "The header of the date column. Labels that are not sent are detected by well-known \
         headers, and in a file without a header by what the columns hold. Every label may also be \
         the place of a column: `#3` is the third.",
    ),
    text("amount_col_label", "The header of the amount column."),
    text(
        "debit_col_label",
        "The header of the column with money out, if money in has a column of its own.",
    ),
    text(
        "credit_col_label",
        "The header of the column with money in, if money out has a column of its own.",
    ),
    text("name_col_label", "The header of the name column."),
    text(
        "category_col_label",
        "The header of the category column. A cell `Parent:Child` names both levels.",
    ),
    text("tags_col_label", "The header of the tags column."),
    text("notes_col_label", "The header of the notes column."),
    text(
        "account_col_label",
        "The header of the account column, when rows go to several accounts.",
    ),
    text("qty_col_label", "The header of the quantity column; trades only."),
    text("ticker_col_label", "The header of the ticker column; trades only."),
    text("price_col_label", "The header of the price column; trades only."),
    text(
        "entity_type_col_label",
        "The header of the column that marks inflows, for `custom_column`; of trades and of \
         accounts, the header of the column with their types.",
    ),
    text(
        "currency_col_label",
        "The header of the currency column; `-` states that a file of transactions has none, and \
         `=CHF` that all amounts without a currency of their own are in that one.",
    ),
    text(
        "balance_col_label",
        "The header of the column with the balance after each row. If it is not sent, it is \
         detected by well-known headers or by its arithmetic.",
    ),
    text(
        "exchange_operating_mic_col_label",
        "The header of the column with the exchange; trades only.",
    ),
    text("parent_col_label", "The header of the column with the parent category; categories only."),
    text(
        "color_col_label",
        "The header of the column with colors, written `#rrggbb`; categories and merchants only.",
    ),
    text("icon_col_label", "The header of the column with the names of icons; categories only."),
    text("website_col_label", "The header of the column with websites; merchants only."),
    text(
        "resource_type_col_label",
        "The header of the column that has `transaction` for each rule; rules only.",
    ),
    text(
        "active_col_label",
        "The header of the column that shows whether a rule is active; rules only.",
    ),
    text(
        "effective_date_col_label",
        "The header of the column with the day from which on a rule counts; rules only.",
    ),
    text(
        "conditions_col_label",
        "The header of the column with conditions, a list in JSON; rules only.",
    ),
    text("actions_col_label", "The header of the column with actions, a list in JSON; rules only."),
    text("subtype_col_label", "The header of the column with subtypes; accounts only."),
    text("isin_col_label", "The header of the column with ISINs; trades only."),
    text(
        "security_name_col_label",
        "The header of the column with the names of securities; trades only.",
    ),
    text(
        "amount_currency_col_label",
        "The header of the column with the currency of the total; trades only.",
    ),
    text(
        "fee_col_label",
        "The header of the column with fees. Of transactions they come off beside the amounts, and \
         so do withheld taxes: several columns stand with `|` between them (`Fee | Tax`); with `-` \
         the amounts are what was booked. If it is not sent, balances or a column of net amounts \
         show it, else the import is not configured.",
    ),
    text(
        "further_fee_col_label",
        "The header of a second column with fees, which the first one doesn't contain; trades \
         only.",
    ),
    text("tax_col_label", "The header of the column with taxes; trades only."),
    text(
        "tax_currency_col_label",
        "The header of the column with the currency of the tax; trades only. A tax in another \
         currency than the total is no part of it and is not booked.",
    ),
    text(
        "cost_col_label",
        "The header of the column with what shares cost that come in without money; trades only. \
         Without such a column it is unknown.",
    ),
    text(
        "status_col_label",
        "The header of the column that states whether an order was executed; trades only. Rows of \
         orders that were cancelled, or wait, are left out.",
    ),
    text(
        "exchange_rate_col_label",
        "The header of the column with what one unit of the row's currency is worth in the \
         currency of its account; transactions and trades only. No column is taken for it if it \
         is not sent.",
    ),
    text(
        "inverse_rate_col_label",
        "The header of the column with how many units of the row's currency are one unit of its \
         account's; transactions and trades only. No column is taken for it if it is not sent.",
    ),
    text(
        "split_ratio_col_label",
        "The header of the column with the ratios of share splits, such as `4:1`; trades only.",
    ),
    text("external_id_col_label", "The header of the column with the broker's ids; trades only."),
    Setting(
        "date_format",
        "A strftime pattern that names a whole date. If it is sent, it is used strictly. If not, \
         it is detected in the whole file; if two patterns fit, the import is not configured.",
        date_format,
    ),
    Setting(
        "number_format",
        "How numbers are written. If it is sent, it is used strictly; if not, it is detected.",
        names::<NumberFormat>,
    ),
    Setting(
        "signage_convention",
        "The sign of inflows; `inflows_positive` if it is not sent.",
        names::<Signage>,
    ),
    Setting("col_sep", "The separator of cells; the last one is a tab.", separators),
    Setting(
        "amount_type_strategy",
        "How the direction of an amount is known; `signed_amount` if it is not sent. With \
         `minus_is_reversal` the columns or words give it, and an amount with a minus is money \
         that came back; with `plain_is_reversal` one without a minus is, with \
         `direction_and_sign` one with the rarer sign; in a direction of which all amounts have \
         one sign, none is. With `direction_only` the sign is only how an amount is written.",
        names::<AmountStrategy>,
    ),
    text(
        "amount_type_inflow_value",
        "With `custom_column`: the cell that marks an inflow, or several with `|` between them.",
    ),
    Setting(
        "balance_check",
        "Whether each row is compared with the balance: `compare` if it is not sent, or `ignore`. \
         Sent as `compare`, it confirms that a balance that rises with money out is a debt. \
         `compare_debt` and `compare_money` answer what lines of a card's file count that state \
         balances before and after its rows: what is owed, or money that was paid in. \
         `ignore_ends` confirms what `compare` does, and that a document that doesn't state the \
         balances at its ends has all of its rows. `ignore_account` ignores balances, and \
         confirms that a statement of another account or currency belongs to the account.",
        names::<BalanceCheck>,
    ),
    Setting(
        "debt_sign",
        "Which sign a debt has among the balances of accounts. If it is not sent, debts are \
         positive; if one of them is negative, a person must choose. Accounts only.",
        names::<DebtSign>,
    ),
    Setting(
        "total_meaning",
        "What the totals of trades contain: `net` is what was paid or received, `gross` is before \
         fees and taxes. If it is not sent, it is found where quantity × price show it; else rows \
         for which it matters are invalid. Trades only.",
        names::<TotalMeaning>,
    ),
    Setting(
        "has_header",
        "Whether the first record is a header; detected if it is not sent. Without a header the \
         columns are called `#1`, `#2` and so on.",
        flag,
    ),
    text(
        "row_filter",
        "Which rows are taken: the header of a column, `is` or `is not`, and values of its cells \
         with `|` between them, as in `Status is not Declined | Expired`. Other rows are left out \
         with that reason. Conditions of several columns have `;` between them, and all must \
         hold. A header or a value with such words or signs in it stands in quotation marks; \
         `\"\"` is a blank cell. With `is` for the column of the status, its words decide nothing else.",
    ),
    Setting("rows_to_skip", "The number of lines before the header.", lines),
    text(
        "sheet",
        "The name of the sheet of a spreadsheet (XLSX, ODS, XLS). If it is not sent, it is the only \
         one with a table; if several have one, the import is not configured.",
    ),
];

impl Body for SettingsFields {
    const NAME: &'static str = "ImportSettings";
    const WRAPPERS: &'static [&'static str] = &[];

    fn description() -> String {
        "The settings that a file is read with.".to_owned()
    }

    fn members(_: &mut Components) -> Vec<MemberSchema> {
        let member = |Setting(name, description, schema)| {
            let example = (name == "date_format").then(|| json!("%m/%d/%Y"));
            MemberSchema::nullable(name, description, example, schema())
        };
        SETTINGS.into_iter().map(member).collect()
    }

    fn read(sent: &Sent<'_>, problems: &mut Problems) -> Self {
        let mut settings = BTreeMap::new();
        for Setting(name, ..) in SETTINGS {
            let value = if name == "has_header" {
                let flag = nullable::<Flag>(sent.inner, name, problems);
                flag.map(|flag| flag.map(|flag| flag.to_string()))
            } else {
                nullable::<Written>(sent.inner, name, problems)
            };
            if let Some(value) = value {
                let value = value.filter(|text| text == "\t" || !text.trim().is_empty());
                settings.insert(name.to_owned(), value);
            }
        }
        Self(settings)
    }
}

/// A text, or a number as it was written.
struct Written;

impl Kind for Written {
    type Output = String;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<String> {
        match json.number() {
            Some(number) => Some(number.to_owned()),
            None => Text::<0, 0>::from_json(json, field, problems),
        }
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        string()
    }
}

fn string() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}

fn date_format() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some("%")).into()
}

fn separators() -> RefOr<Schema> {
    names::<Separator>()
}

fn flag() -> RefOr<Schema> {
    Flag::schema(&mut Components::default())
}

fn lines() -> RefOr<Schema> {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    number.minimum(Some(0)).maximum(Some(u32::MAX)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_can_be_sent() {
        let names = SETTINGS.map(|Setting(name, ..)| name);
        assert_eq!(names, purser_core::import::settings::SETTINGS);
    }
}
