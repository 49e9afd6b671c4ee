//! Files with a running balance: how they are read, and what is noticed in them.

mod available;
mod generated;
mod sense;
mod unsigned;

use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;
use std::ops::ControlFlow;

use purser_core::import::dispatch::Row;
use purser_core::import::kind::{Context, TargetAccount};
use purser_core::import::kinds::Kind;
use purser_core::import::layout::{AmountSource, Layout, Position};
use purser_core::import::layout_problem::{LayoutProblem, texts};
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};
use purser_core::import::settings::{Formats, Settings, Signage};
use purser_core::import::source_file::{FileFormat, SourceFile};
use purser_core::import::transaction::balance::{RowOrder, Sense};
use purser_core::ledger::account::Classification;
use purser_core::limits::IMPORT_MAPPINGS_MAX;
use purser_core::money::Currency;

use super::{Analysis, Visited, analyse, visit};
use crate::decode::{Encoding, UTF_8};

const ENCODING: Encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };

/// A file and what is known beside it.
#[derive(Clone, Default)]
struct File {
    text: String,
    settings: Vec<(&'static str, &'static str)>,
    classification: Option<Classification>,
    edits: RowEdits,
    preferred: Formats,
}

fn file(text: &str) -> File {
    File { text: text.to_owned(), ..File::default() }
}

impl File {
    fn of(self, classification: Classification) -> Self {
        Self { classification: Some(classification), ..self }
    }

    fn set(mut self, name: &'static str, value: &'static str) -> Self {
        self.settings.push((name, value));
        self
    }

    fn choose(mut self, row: u64, choice: RowChoice) -> Self {
        self.edits.insert(row, RowEdit { cells: BTreeMap::new(), choice });
        self
    }

    fn with_context<T>(&self, run: impl FnOnce(Context<'_>) -> T) -> T {
        let account = self
            .classification
            .map(|classification| TargetAccount { currency: Currency::EUR, classification });
        run(Context {
            as_of: "2026-06-15".parse().unwrap(),
            family_currency: Currency::EUR,
            account,
            account_currencies: &HashMap::new(),
            row_set: None,
        })
    }

    fn analysed(&self) -> Analysis {
        let find = |name: &str| {
            let sent = self.settings.iter().find(|(known, _)| *known == name);
            sent.map(|(_, value)| (*value).to_owned())
        };
        let sent = Settings::from_fields(find).unwrap();
        let settings = Settings { preferred: self.preferred.clone(), ..sent };
        let open = || Ok(Cursor::new(self.text.as_bytes()));
        self.with_context(|context| {
            analyse(open, Kind::Transaction, &ENCODING, &settings, context, &self.edits)
        })
        .unwrap()
    }

    /// The amounts in cents, money in positive, or why a row isn't one.
    fn rows(&self, layout: &Layout) -> Vec<Result<i64, String>> {
        let start = layout.start;
        let text = &self.text.as_bytes()[usize::try_from(start.offset).unwrap()..];
        let mut rows = Vec::new();
        let each = |visited: Visited<'_>| {
            rows.push(match visited.outcome {
                Ok(Row::Transaction(row)) => Ok(-row.amount / 100),
                Ok(row) => panic!("{row:?}"),
                Err(reasons) => Err(format!("line {}: {}", visited.line, reasons.join("; "))),
            });
            ControlFlow::Continue(())
        };
        self.with_context(|context| {
            visit(text, layout, context, &self.edits, start, usize::MAX, each)
        })
        .unwrap();
        rows
    }

    fn problems(&self) -> Vec<String> {
        texts(&self.analysed().layout.problems)
    }
}

const PLAIN: &str = "Date,Name,Amount,Balance\n\
    2026-01-01,A,-10.00,90.00\n\
    2026-01-02,B,50.00,140.00\n\
    2026-01-03,C,-20.00,120.00\n\
    2026-01-04,D,-5.50,114.50\n";

#[test]
fn a_row_that_breaks_the_balance_is_named_with_its_line() {
    let analysis = file(PLAIN).analysed();
    let balance = analysis.layout.balance.unwrap();
    assert_eq!((balance.order, balance.sense), (RowOrder::OldestFirst, Sense::Money));
    assert_eq!((balance.proofs, analysis.valid, analysis.invalid), (3, 4, 0));

    let wrong = file(&PLAIN.replace("-20.00", "-21.00"));
    let analysis = wrong.analysed();
    assert_eq!((analysis.valid, analysis.invalid), (3, 1));
    let reason = "Balance is 120.00 EUR, but by the row before and the amount it should be \
                  119.00 EUR";
    let finding = &analysis.findings[0];
    assert_eq!((finding.row, finding.line), (3, 4));
    assert_eq!(finding.reasons, [reason]);
    let rows = wrong.rows(&analysis.layout);
    assert_eq!(rows[2], Err(format!("line 4: {reason}")));
    assert!(rows[3].is_ok());

    let more = format!("{PLAIN}2026-01-05,E,4.00,118.50\n");
    let missing = file(&more.replace("2026-01-03,C,-20.00,120.00\n", ""));
    assert_eq!(missing.analysed().findings[0].line, 4);
    let unreadable = file(&PLAIN.replace("120.00", "12o.00")).analysed();
    assert_eq!(
        unreadable.findings[0].reasons,
        ["Balance can't be read; by the row before and the amount it should be 120.00 EUR"]
    );
}

#[test]
fn a_person_decides_about_a_row_that_breaks_the_balance() {
    let wrong = file(&PLAIN.replace("-20.00", "-21.00"));
    let accepted = wrong.clone().choose(3, RowChoice::Create);
    let analysis = accepted.analysed();
    assert_eq!((analysis.valid, analysis.invalid), (4, 0));
    assert_eq!(accepted.rows(&analysis.layout)[2], Ok(-2_100));
    let corrected =
        RowEdit { cells: BTreeMap::from([(2, "-20.00".to_owned())]), choice: RowChoice::Plan };
    let corrected = File { edits: BTreeMap::from([(3, corrected)]), ..wrong.clone() }.analysed();
    assert_eq!((corrected.valid, corrected.invalid), (4, 0));

    let doubled = PLAIN.replace("2026-01-03", "2026-01-02,B,50.00,140.00\n2026-01-03");
    assert_eq!(file(&doubled).analysed().findings[0].line, 4);
    let without = file(&doubled).choose(3, RowChoice::LeaveOut).analysed();
    assert_eq!((without.valid, without.invalid, without.left_out), (4, 0, 1));
    // A row that happened may be left out as well.
    let without = file(PLAIN).choose(2, RowChoice::LeaveOut).analysed();
    assert_eq!((without.valid, without.invalid, without.left_out), (3, 0, 1));
}

#[test]
fn a_column_that_is_no_running_balance_is_a_question() {
    let wrong = PLAIN.replace("140", "7").replace("120", "8");
    let expected = "The balances in \"Balance\" do not follow from the amounts: 0 of 3 do; other \
                    columns or signs may be right, or the column is no running balance";
    assert_eq!(file(&wrong).problems(), [expected]);
    let ignored = file(&wrong).set("balance_check", "ignore").analysed();
    assert_eq!((ignored.layout.balance, ignored.valid), (None, 4));
    // What the account holds today, in every row.
    let constant = ["90.00", "140.00", "120.00"]
        .iter()
        .fold(PLAIN.to_owned(), |text, balance| text.replace(balance, "114.50"));
    let constant = file(&constant).analysed();
    assert_eq!((constant.layout.problems, constant.valid), (vec![], 4));
}

#[test]
fn a_balance_needs_no_name() {
    let analysis = file(&PLAIN.replace("Balance", "Column X")).analysed();
    assert_eq!(analysis.layout.balance.unwrap().column, 3);
    let named = file(&PLAIN.replace("Balance", "Column X")).set("balance_col_label", "column x");
    assert_eq!(named.analysed().layout.balance.unwrap().column, 3);
    // A number that counts the rows is none.
    let counted = "Date,Name,Amount,No\n\
        2026-01-01,A,-10.00,1\n2026-01-02,B,50.00,2\n2026-01-03,C,-20.00,3\n2026-01-04,D,1.00,4\n";
    assert_eq!(file(counted).analysed().layout.balance, None);
}

#[test]
fn it_decides_which_column_is_the_amount() {
    let two = "Date,Name,Amount,Montant,Balance\n\
        2026-01-01,A,-11.00,-10.00,90.00\n\
        2026-01-02,B,55.00,50.00,140.00\n\
        2026-01-03,C,-22.00,-20.00,120.00\n";
    let found = file(two).analysed().layout;
    assert_eq!(found.problems, []);
    assert_eq!(found.amount, Some(AmountSource::Signed { column: 3 }));
    let without = file(two).set("balance_check", "ignore").problems();
    assert_eq!(without, ["The amount may be in \"Amount\" or in \"Montant\"; say which one it is"]);
    let unknown = two.replace("Montant", "Q").replace("Amount", "R");
    let found = file(&unknown).analysed().layout;
    assert_eq!((found.problems, found.amount), (vec![], Some(AmountSource::Signed { column: 3 })));
}

#[test]
fn it_decides_between_signs_by_the_kind_of_the_account() {
    let flipped = PLAIN
        .replace(",-10.00", ",10.00")
        .replace(",50.00", ",-50.00")
        .replace(",-20.00", ",20.00")
        .replace(",-5.50", ",5.50");
    let question = "Which way money went is not certain: the balance in \"Balance\" may be money \
                    that the account holds, or a debt that grows with each purchase";
    assert_eq!(file(&flipped).problems(), [question]);
    let asset = file(&flipped).of(Classification::Asset);
    let analysis = asset.analysed();
    assert_eq!(analysis.layout.signage, Signage::InflowsNegative);
    assert_eq!(
        asset.rows(&analysis.layout),
        [Ok(-1_000), Ok(5_000), Ok(-2_000), Ok(-550)],
        "{:?}",
        analysis.layout
    );
    // A card that lists charges as positive, and what is owed.
    let card = "Date,Name,Amount,Balance\n\
        2026-01-01,A,10.00,110.00\n\
        2026-01-02,B,20.00,130.00\n\
        2026-01-03,Payment,-100.00,30.00\n\
        2026-01-04,D,5.50,35.50\n";
    let of_card = file(card).of(Classification::Liability);
    assert_eq!(of_card.problems(), [question]);
    let of_card = of_card.set("signage_convention", "inflows_negative");
    let analysis = of_card.analysed();
    assert_eq!(analysis.layout.balance.as_ref().unwrap().sense, Sense::Debt);
    assert_eq!(of_card.rows(&analysis.layout), [Ok(-1_000), Ok(-2_000), Ok(10_000), Ok(-550)]);
    // A card that is paid in advance, in a month without purchases.
    let prepaid = file(
        "Date,Name,Amount,Balance\n\
        2026-01-01,Top-up,500.00,500.00\n\
        2026-01-09,Refund,20.00,520.00\n",
    )
    .of(Classification::Liability);
    assert_eq!(prepaid.problems(), [question]);
    let prepaid = prepaid.set("signage_convention", "inflows_positive");
    let analysis = prepaid.analysed();
    assert_eq!(analysis.layout.balance.as_ref().unwrap().sense, Sense::Money);
    assert_eq!(prepaid.rows(&analysis.layout), [Ok(50_000), Ok(2_000)]);
    let columns = "Date,Name,Debit,Credit,Balance\n\
        2026-01-01,A,10.00,,110.00\n\
        2026-01-02,B,20.00,,130.00\n\
        2026-01-03,Payment,,100.00,30.00\n";
    assert_eq!(
        file(columns).of(Classification::Asset).problems(),
        ["The balance in \"Balance\" rises with what the file calls money out, although the \
          account holds money: the directions may be the wrong way round"]
    );
    assert_eq!(file(columns).problems(), [question]);
    for confirmed in
        [file(columns).of(Classification::Liability), file(columns).set("balance_check", "compare")]
    {
        let analysis = confirmed.analysed();
        assert_eq!(
            confirmed.rows(&analysis.layout),
            [Ok(-1_000), Ok(-2_000), Ok(10_000)],
            "{:?}",
            analysis.layout.problems
        );
    }
}

#[test]
fn it_decides_between_number_formats_and_words() {
    let numbers = "Datum;Text;Betrag;Saldo\n\
        2026-01-01;A;1.000;4.000\n2026-01-02;B;2.500;6.500\n2026-01-03;C;-5;6.495\n";
    let analysis = file(numbers).analysed();
    assert_eq!(analysis.layout.problems, []);
    assert_eq!(analysis.layout.number_format.unwrap().as_str(), "1.234,56");
    // Each number in thousandths or in thousands: nothing decides.
    let open = numbers.replace("-5;6.495", "-5.000;1.500");
    assert!(file(&open).problems()[0].starts_with("The number format is ambiguous"));
    // Rows behind those that are tried have the only number that is read in two ways.
    let mut late = "Datum;Text;Betrag;Saldo\n".to_owned();
    for row in 1..=150 {
        late.push_str(&format!("2026-01-01;A;2;{}\n2026-01-01;B;-1;{row}\n", row + 1));
    }
    late.push_str("2026-01-02;C;1.000;\n");
    assert!(file(&late).problems()[0].starts_with("The number format is ambiguous"));
    let words = "Date,Name,Amount,Type,Balance\n\
        2026-01-01,A,10.00,Foo,90.00\n\
        2026-01-02,B,50.00,Bar,140.00\n\
        2026-01-03,C,20.00,Foo,120.00\n";
    let words = file(words);
    let analysis = words.analysed();
    assert_eq!(words.rows(&analysis.layout), [Ok(-1_000), Ok(5_000), Ok(-2_000)]);
}

#[test]
fn accounts_and_currencies_are_followed_apart() {
    let text = "Date,Name,Amount,Currency,Account,Balance\n\
        2026-01-01,A,-10.00,EUR,One,90.00\n\
        2026-01-01,B,-1.00,USD,One,9.00\n\
        2026-01-02,C,5.00,EUR,Two,1005.00\n\
        2026-01-03,D,-20.00,EUR,One,70.00\n\
        2026-01-03,E,-1.00,USD,One,8.00\n\
        2026-01-04,F,5.00,EUR,Two,1010.00\n";
    let analysis = file(text).analysed();
    assert_eq!((analysis.layout.problems, analysis.invalid), (vec![], 0));
    assert_eq!(analysis.layout.balance.unwrap().proofs, 3);
    let wrong = file(&text.replace("1010.00", "1010.50")).analysed();
    assert_eq!(wrong.findings[0].line, 7);
}

#[test]
fn the_account_of_the_import_has_one_chain_of_balances() {
    // The column may name the other party's accounts; one of the file's own would be a name.
    let text = PLAIN.replace("Balance", "Balance,Account").replace(".00\n", ".00,X\n");
    let text = text.replace("140.00,X", "140.00,Y").replace("114.50\n", "114.50,Z\n");
    let analysis = file(&text).of(Classification::Asset).analysed();
    assert_eq!(analysis.layout.problems, []);
    let balance = analysis.layout.balance.unwrap();
    assert_eq!((balance.proofs, balance.ends.len()), (3, 1));
    assert_eq!(balance.ends[0].account, "");
}

#[test]
fn spellings_of_an_account_are_limited_too() {
    let mut text = PLAIN.replace("Balance", "Balance,Account").replace("0\n", "0,Main\n");
    for row in 0..=IMPORT_MAPPINGS_MAX {
        // Each bit of the number is a capital letter or a small one: one name for a mapping.
        let cell: String = (0..14).map(|bit| if row >> bit & 1 == 1 { 'A' } else { 'a' }).collect();
        text.push_str(&format!("2026-01-05,E,1.00,1.00,{cell}\n"));
    }
    let problems = file(&text).problems();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("different accounts"), "{problems:?}");
}

#[test]
fn a_balance_shows_no_direction_of_the_oldest_amount_without_a_sign() {
    let unsigned = "Date,Name,Amount,Balance\n\
        2026-01-01,A,10.00,90.00\n2026-01-02,B,50.00,140.00\n2026-01-03,C,20.00,160.00\n\
        2026-01-04,D,5.50,165.50\n2026-01-05,E,65.50,100.00\n";
    // Three of four came in if the balance is money, and went out if it is a debt.
    assert!(file(unsigned).problems()[0].contains("known what it counts"));
    let of_account = file(unsigned).of(Classification::Asset).analysed();
    assert_eq!((of_account.valid, of_account.findings[0].line), (4, 2));
    let one_way = unsigned.replace("65.50,100.00", "4.50,170.00");
    assert!(file(&one_way).problems()[0].contains("all rows but the oldest are money in"));
    let opening =
        one_way.replace("2026-01-01,A", "2026-01-01,Opening balance,,80.00\n2026-01-01,A");
    assert_eq!(file(&opening).problems(), [""; 0]);
    assert_eq!(file(&one_way.replace("4.50,", "+4.50,")).problems(), [""; 0]);
}

#[test]
fn a_column_of_amounts_without_a_known_name_has_no_gaps() {
    let two = "Date,Name,Foo,Bar,Balance\n\
        2026-01-01,A,10.00,0.00,90.00\n2026-01-02,B,0.00,50.00,140.00\n\
        2026-01-03,C,0.00,20.00,160.00\n2026-01-04,D,0.00,5.50,165.50\n";
    for text in [two.to_owned(), two.replace("0.00,50", ",50").replace(",0.00", ",")] {
        let problems = file(&text).problems();
        assert!(problems[0].starts_with("The money out may be in \"Foo\""), "{text}: {problems:?}");
    }
}

#[test]
fn answers_about_a_balance_and_about_the_ends_do_not_undo_each_other() {
    // A card that was paid ahead once: its balance is a debt below zero.
    let card = "Date,Name,Amount,Balance\n\
        2026-01-01,A,10.00,110.00\n\
        2026-01-02,Payment,-130.00,-20.00\n\
        2026-01-03,B,50.00,30.00\n\
        2026-01-04,C,5.50,35.50\n";
    let card = file(card).of(Classification::Liability);
    let card = card.set("signage_convention", "inflows_negative");
    let asked = |file: &File| {
        let mut analysis = file.analysed();
        analysis.of_file(SourceFile {
            unstated_ends: vec!["No line states its ends".to_owned()],
            ..SourceFile::of(FileFormat::Pdf)
        });
        analysis.layout.problems
    };
    // One after the other: the answer to the second confirms the first.
    let of_balance = asked(&card);
    assert!(matches!(&of_balance[..], [LayoutProblem::MoneyOrDebt { .. }]), "{of_balance:?}");
    let of_ends = asked(&card.clone().set("balance_check", "compare"));
    assert!(matches!(&of_ends[..], [LayoutProblem::EndsNotStated { .. }]), "{of_ends:?}");
    let answered = card.set("balance_check", "ignore_ends");
    assert_eq!(texts(&asked(&answered)), Vec::<String>::new());
    let rows = answered.rows(&answered.analysed().layout);
    assert_eq!(rows, [Ok(-1_000), Ok(13_000), Ok(-5_000), Ok(-550)]);
}
