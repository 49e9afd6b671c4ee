//! `purser import --dry-run`: what an import would do, as text, with the flag that answers each
//! open question.

use std::fmt::{self, Display};

use purser_app::imports::preview::{AnswerRow, OpenAnswer, OpenQuestion, Preview};
use purser_app::imports::row_content::{Content, ShownRow};
use purser_app::imports::same_file;
use purser_core::import::mapping::MappingKind;
use purser_core::import::settings::Signage;
use purser_core::import::transaction::balance::own::OwnBalances;
use purser_core::import::transaction::totals::AccountTotals;
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::money::Money;
use purser_core::money::format::money_text;
use purser_core::text::number::NumberFormat;
use serde_json::Value;

/// How many of the first rows are shown.
const ROWS_SHOWN: usize = 5;

/// A preview as the command line shows it.
pub(super) struct DryRun<'a>(pub(super) &'a Preview);

impl Display for DryRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let preview = self.0;
        let same = preview.same_file.iter();
        let mut same: Vec<String> =
            same.map(|same| same_file::sentence(same, |day| day.to_string())).collect();
        same.dedup();
        same.iter().try_for_each(|sentence| writeln!(f, "file      {sentence}"))?;
        if let Some(format) = preview.file.sentence() {
            writeln!(f, "format    {format}")?;
        }
        if !preview.kind.has_transactions() {
            write_plain(f, preview)?;
        } else {
            write_settings(f, preview)?;
        }
        writeln!(
            f,
            "rows      {} valid, {} invalid",
            preview.valid_rows_count, preview.invalid_rows_count
        )?;
        write_longer(f, preview)?;
        write_left_out(f, preview)?;
        for finding in &preview.invalid_rows {
            let word = preview.file.line_word();
            let line = finding.line;
            writeln!(f, "  {word} {line}: {}", finding.reasons.join("; "))?;
            if finding.reasons.len() == 1 && preview.asked_rows.contains(&finding.row) {
                writeln!(f, "    --money-out {line}  or --money-in {line}")?;
            }
        }
        for totals in &preview.totals {
            writeln!(f, "period    {}", period(totals))?;
        }
        write_balance(f, preview)?;
        write_first_rows(f, preview)?;
        write_names(f, preview)?;
        if let Some(counts) = &preview.plan {
            write_plan(f, counts)?;
        }
        for shown in &preview.examples {
            let reason = shown.reason(|date| date.to_string()).unwrap_or_default();
            // What is asked about all rows stands once, with its flag.
            let asks = |question: &OpenQuestion| {
                let is_account = question.field == "account_id";
                is_account && question.problem.split("; ").any(|part| part == reason)
            };
            if preview.questions.iter().any(asks) {
                continue;
            }
            writeln!(f, "  {} {}: {reason}", preview.file.line_word(), shown.line)?;
        }
        preview.questions.iter().try_for_each(|question| write_question(f, question))
    }
}

/// Where the parts of a transaction are in the file, and how they are written.
fn write_settings(f: &mut fmt::Formatter<'_>, preview: &Preview) -> fmt::Result {
    let label = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let configuration = &preview.configuration;
    writeln!(
        f,
        "date      {} as {}",
        label(&configuration.date_col_label),
        label(&configuration.date_format)
    )?;
    writeln!(
        f,
        "amount    {} as {}, {}",
        amounts(preview).unwrap_or_else(|| label(&configuration.amount_col_label)),
        configuration.number_format.map_or("-", NumberFormat::as_str),
        direction(preview)
    )?;
    writeln!(f, "name      {}", names(preview))?;
    writeln!(f, "notes     {}", label(&configuration.notes_col_label))?;
    writeln!(f, "category  {}", label(&configuration.category_col_label))?;
    writeln!(f, "tags      {}", label(&configuration.tags_col_label))?;
    let unused = texts_of(&preview.source["unused_headers"]);
    match unused.is_empty() {
        true => Ok(()),
        false => writeln!(f, "left out  {}", unused.join(", ")),
    }
}

/// What shows which way money went.
fn direction(preview: &Preview) -> &'static str {
    if preview.source["amount"]["strategy"] == "by_balance" {
        return "in or out by the balance";
    }
    preview.configuration.signage_convention.map_or("-", Signage::as_str)
}

/// The columns of money out and of money in, if there are two.
fn amounts(preview: &Preview) -> Option<String> {
    let column = |name| preview.source["amount"][name].as_str();
    let (debit, credit) = (column("debit_col_label")?, column("credit_col_label")?);
    Some(format!("{debit} (money out) and {credit} (money in)"))
}

/// The texts of a list in JSON.
fn texts_of(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The columns of the name, in the order in which the first that has a text is taken.
fn names(preview: &Preview) -> String {
    let first = preview.configuration.name_col_label.as_deref().unwrap_or("-");
    let more = texts_of(&preview.source["further_name_col_labels"]);
    [vec![first], more].concat().join(", then ")
}

/// How many rows have more cells than the header.
fn write_longer(f: &mut fmt::Formatter<'_>, preview: &Preview) -> fmt::Result {
    let longer = &preview.source["longer_rows"];
    match longer["count"].as_u64().unwrap_or_default() {
        0 => Ok(()),
        count => {
            let first = &longer["lines"][0];
            let rows = if count == 1 { "row has" } else { "rows have" };
            writeln!(f, "  {count} {rows} more cells than the header, such as line {first}")
        }
    }
}

/// How many rows the file itself leaves out, by reason.
fn write_left_out(f: &mut fmt::Formatter<'_>, preview: &Preview) -> fmt::Result {
    let reasons = preview.source["left_out_rows"].as_array().into_iter().flatten();
    reasons.into_iter().try_for_each(|one| {
        let reason = one["reason"].as_str().unwrap_or_default();
        writeln!(f, "  {} left out: {reason}", one["rows"])
    })
}

/// The columns of a kind that has one for each field, and how signs are read.
fn write_plain(f: &mut fmt::Formatter<'_>, preview: &Preview) -> fmt::Result {
    for column in preview.kind.spec().columns {
        let header = preview.source["columns"][column.field].as_str().unwrap_or("-");
        writeln!(f, "{:<9} {header}", column.field)?;
    }
    match preview.source["sign_rule"].as_str() {
        Some(rule) => writeln!(f, "signs     {rule}"),
        None => Ok(()),
    }
}

/// The days and sums of an account's rows.
fn period(totals: &AccountTotals) -> String {
    let money = |amount: i64| money_text(Money::new(amount, totals.currency));
    let account = match totals.account.trim() {
        "" => String::new(),
        name => format!("{name}: "),
    };
    format!(
        "{account}{} to {}, {} in, {} out",
        totals.first_day,
        totals.last_day,
        money(totals.money_in),
        money(totals.money_out)
    )
}

/// The column of balances and how many of them follow, if there is one, and what accounts that are
/// there hold before and after.
fn write_balance(f: &mut fmt::Formatter<'_>, preview: &Preview) -> fmt::Result {
    let day = |day: jiff::civil::Date| day.to_string();
    let balance = &preview.source["balance"];
    let stated = preview.stated.iter().filter_map(|ends| ends.text(day));
    stated.into_iter().try_for_each(|text| writeln!(f, "balance   {text}"))?;
    if let Some(header) = balance["balance_col_label"].as_str() {
        writeln!(f, "balance   {header}, follows from the amounts in {} rows", balance["proofs"])?;
        let texts = preview.balance.iter().flat_map(|balance| balance.texts(day));
        let own = preview.own_balances.iter().filter_map(|own| own.text(day));
        return texts.chain(own).try_for_each(|text| writeln!(f, "  {text}"));
    }
    let texts = |own: &OwnBalances| own.text(day).unwrap_or_else(|| own.own_text(day));
    let own = preview.own_balances.iter().map(texts);
    own.into_iter().try_for_each(|text| writeln!(f, "balance   {text}"))
}

/// The first rows as they will stand in the ledger, with a minus for money out.
fn write_first_rows(f: &mut fmt::Formatter<'_>, preview: &Preview) -> fmt::Result {
    let shown = |row: &ShownRow| {
        let content = row.outcome.as_ref().ok()?;
        Some(match content {
            Content::Transaction(content) => {
                let Money { amount, currency } = content.amount;
                let amount = money_text(Money::new(amount.saturating_neg(), currency));
                format!("{}  {amount}  {}", content.date, content.name)
            }
            // What a new record of such a kind is like: that a card has a debt, for example.
            Content::Plain(content) if content.is_trade() => {
                let field = |name| content.field(name).unwrap_or_default();
                let amount = match field("amount").strip_prefix('-') {
                    Some(money_in) => money_in.to_owned(),
                    None => format!("-{}", field("amount")),
                };
                let name = row.outcome.as_ref().map(Content::name).unwrap_or_default();
                format!("{}  {amount} {}  {name}", field("date"), field("currency"))
            }
            Content::Plain(_) => match row.reason(|day| day.to_string()) {
                Some(reason) if row.verdict == Some(Verdict::Create) => {
                    format!("{}: {reason}", content.name())
                }
                _ => content.name(),
            },
        })
    };
    let stands = |row: &&ShownRow| !row.verdict.is_some_and(Verdict::leaves_nothing);
    let rows = preview.rows.iter().filter(stands).filter_map(|row| Some((row.line, shown(row)?)));
    let rows: Vec<(u64, String)> = rows.take(ROWS_SHOWN).collect();
    match rows.as_slice() {
        [] => return Ok(()),
        _ if preview.kind.spec().is_whole => writeln!(f, "first     as they will stand")?,
        _ => writeln!(f, "first     as they will stand, with a minus for money out")?,
    }
    rows.iter().try_for_each(|(line, row)| writeln!(f, "  line {line}: {}", on_one_line(row)))
}

/// A text without its line breaks, which some files have inside of cells.
fn on_one_line(text: &str) -> String {
    let lines = text.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// What would be created, and names that a person must choose for. The account of the rows is a
/// question of its own.
fn write_names(f: &mut fmt::Formatter<'_>, preview: &Preview) -> fmt::Result {
    for name in preview.mappings.iter().filter(|name| name.create || name.problem.is_some()) {
        match &name.problem {
            Some(_) if name.kind == MappingKind::Account => {}
            Some(problem) => writeln!(f, "{:<9} {problem}", name.kind.as_str())?,
            None => writeln!(f, "{:<9} {} would be created", name.kind.as_str(), name.name)?,
        }
    }
    Ok(())
}

/// How many rows have each verdict, without those that none has.
fn write_plan(f: &mut fmt::Formatter<'_>, counts: &Counts) -> fmt::Result {
    let parts = [
        (counts.created(), "would be created"),
        (counts.possible_duplicate, "of them perhaps there already"),
        (counts.change, "would be changed"),
        (counts.matched(), "already there"),
        (counts.deleted_before, "deleted before"),
        (counts.left_out, "left out"),
        (counts.invalid, "invalid"),
        (counts.needs_choice, "need a choice"),
    ];
    let mut texts = Vec::new();
    for (position, (count, what)) in parts.into_iter().enumerate() {
        if count > 0 || position == 0 {
            texts.push(format!("{count} {what}"));
        }
    }
    writeln!(f, "plan      {}", texts.join(", "))
}

/// What must be decided, and the flags that decide it.
fn write_question(f: &mut fmt::Formatter<'_>, question: &OpenQuestion) -> fmt::Result {
    // How many rows are invalid was shown above.
    if question.field != "skip_invalid" {
        writeln!(f, "question  {}", question.problem)?;
    }
    match (question.field, question.answers.as_slice()) {
        ("account_id", _) => writeln!(f, "  --account NAME  puts every row into that account"),
        (field, []) => writeln!(f, "  --set {field}=…"),
        (_, answers) => answers.iter().try_for_each(|answer| write_answer(f, answer)),
    }
}

fn write_answer(f: &mut fmt::Formatter<'_>, answer: &OpenAnswer) -> fmt::Result {
    let flags: Vec<String> = answer.fields.iter().map(|(name, value)| flag(name, value)).collect();
    writeln!(f, "  {}  {}", flags.join(" "), answer.meaning)?;
    if answer.fields.contains_key("skip_invalid") {
        writeln!(f, "  or correct them on the page of the import, where the file stays as it is")?;
    }
    answer.rows.iter().try_for_each(|row| writeln!(f, "    {}", answered(row)))
}

/// A field of the request as a flag, ready for a shell.
fn flag(name: &str, value: &str) -> String {
    if name == "skip_invalid" {
        return "--skip-invalid".to_owned();
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "%._-/:,+@".contains(c);
    if value.chars().all(is_plain) {
        return format!("--set {name}={value}");
    }
    format!("--set '{name}={}'", value.replace('\'', "'\\''"))
}

/// A row of the file as an answer reads it, with a minus for money out.
fn answered(row: &AnswerRow) -> String {
    let date = row.date.as_deref().unwrap_or(&row.date_cell);
    let amount = match (&row.amount, row.currency) {
        (Some(amount), Some(currency)) => match amount.strip_prefix('-') {
            Some(inflow) => format!("+{inflow} {currency}"),
            None => format!("-{amount} {currency}"),
        },
        _ => row.amount_cell.clone(),
    };
    format!("{date}  {amount}  {}", on_one_line(&row.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_ready_for_a_shell() {
        assert_eq!(flag("date_format", "%d.%m.%Y"), "--set date_format=%d.%m.%Y");
        assert_eq!(flag("amount_col_label", "It's"), "--set 'amount_col_label=It'\\''s'");
        assert_eq!(flag("number_format", "1 234,56"), "--set 'number_format=1 234,56'");
        assert_eq!(flag("skip_invalid", "true"), "--skip-invalid");
    }
}
