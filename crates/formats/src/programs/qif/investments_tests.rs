use super::ratio_of;
use crate::programs::qif::record::fraction_as_decimal;
use crate::programs::testing::rewritten;
use purser_core::import::register::Program;

/// The records of a file without the header and without what lists have, each as its cells that
/// aren't blank.
fn records(text: &str) -> Vec<String> {
    let all = rewritten(Program::Qif, text.as_bytes()).unwrap();
    let shown = |record: &Vec<String>| {
        let kept = record.iter().filter(|cell| !cell.is_empty());
        kept.map(String::as_str).collect::<Vec<_>>().join(" | ")
    };
    let is_entry = |record: &&Vec<String>| !["account", "security"].contains(&record[1].as_str());
    all.iter().skip(1).filter(is_entry).map(shown).collect()
}

/// The records that one of a depot becomes.
fn of_depot(lines: &str) -> Vec<String> {
    of_section("Invst", lines)
}

/// The same of one in a section of some type.
fn of_section(section: &str, lines: &str) -> Vec<String> {
    let lines = lines.replace(' ', "\n");
    let text = format!(
        "!Type:Security\nNAcme\nSACM\nTStock\n^\n!Account\nNDepot\nTInvst\n^\n!Type:{section}\n\
         D1/2/06\n{lines}\n^\n"
    );
    let cut = |record: &String| {
        let start = "11 | Depot | 1/2/06";
        record.strip_prefix(start).unwrap_or(record).trim_start_matches(" | ").to_owned()
    };
    records(&text).iter().map(cut).collect()
}

#[test]
fn every_action_is_a_trade_money_or_refused() {
    for (lines, expected) in [
        ("NBuy YAcme I10 Q5 O1 T51", &["Buy | ACM | Acme | 5 | 10 | 1 | 51"][..]),
        ("NSell YAcme I10 Q5 O1 T49", &["Sell | ACM | Acme | 5 | 10 | 1 | 49"]),
        ("NShtSell YAcme I10 Q5 T50", &["Short sale | Sell | ACM | Acme | 5 | 10 | 50"]),
        ("NCvrShrt YAcme I10 Q5 T50", &["Cover of a short sale | Buy | ACM | Acme | 5 | 10 | 50"]),
        ("NDiv YAcme T7 L_DivInc", &["Dividend | ACM | Acme | 7"]),
        ("NIntInc YAcme T7", &["Interest | ACM | Acme | 7"]),
        ("NIntInc T7", &["Interest | 7"]),
        ("NCGLong YAcme T7", &["Long-term capital gain | Dividend | ACM | Acme | 7"]),
        ("NCGMid YAcme T7", &["Mid-term capital gain | Dividend | ACM | Acme | 7"]),
        ("NCGShort YAcme T7", &["Short-term capital gain | Dividend | ACM | Acme | 7"]),
        ("NReinvDiv YAcme I10 Q5 T50", &["Reinvestment | ACM | Acme | 5 | 10 | 50"]),
        (
            "NReinvInt YAcme I10 Q5 T50",
            &["Reinvested interest | Reinvestment | ACM | Acme | 5 | 10 | 50"],
        ),
        (
            "NReinvLg YAcme I10 Q5 T50",
            &["Reinvested long-term capital gain | Reinvestment | ACM | Acme | 5 | 10 | 50"],
        ),
        (
            "NReinvMd YAcme I10 Q5 T50",
            &["Reinvested mid-term capital gain | Reinvestment | ACM | Acme | 5 | 10 | 50"],
        ),
        (
            "NReinvSh YAcme I10 Q5 T50",
            &["Reinvested short-term capital gain | Reinvestment | ACM | Acme | 5 | 10 | 50"],
        ),
        ("NShrsIn YAcme Q5 CX", &["Reconciled | Shares in | ACM | Acme | 5"]),
        ("NShrsOut YAcme Q5", &["Shares out | ACM | Acme | 5"]),
        ("NStkSplit YAcme Q20", &["Split | ACM | Acme | 2:1"]),
        ("NMiscInc YAcme T7 LBonus Mnote", &["Income | Bonus | note; Acme | 7"]),
        ("NMiscExp T7 LFees", &["Expense | Fees | -7"]),
        ("NMargInt T7", &["Margin interest | -7"]),
        ("NXIn T7 L[Giro]", &["Transfer | Giro | 7"]),
        ("NXOut T7 L[Giro]", &["Transfer | Giro | -7"]),
        ("NContribX T7 L[Giro]", &["Contribution | Giro | 7"]),
        ("NWithdrwX T7 L[Giro]", &["Withdrawal | Giro | -7"]),
        ("NCash T-7 PBank LFees", &["Bank | Fees | -7"]),
        ("T7 PBank L[Giro]", &["Bank | Giro | 7"]),
        // A minus may repeat that money goes out, and may contradict nothing.
        ("NMiscExp T-7", &["Expense | -7"]),
        // Whatever isn't known is left to the words of trades.
        ("NKauf YAcme I10 Q5 T50", &["Kauf | ACM | Acme | 5 | 10 | 50"]),
        ("NMerger YAcme T7", &["Merger | ACM | Acme | 7"]),
    ] {
        assert_eq!(of_depot(lines), expected, "{lines}");
        // In a section with a translated type every action shows what it is, and those with a
        // security do, too.
        let is_shown = !lines.starts_with("NCash") && !lines.starts_with('T');
        if is_shown {
            assert_eq!(of_section("D\u{e9}p\u{f4}t", lines), expected, "{lines}");
        }
    }
}

#[test]
fn one_record_shows_what_a_translated_section_is() {
    let text = "!Account\nNDepot\n^\n!Type:Wertpapiere\nD1/2/06\nNCash\nT-7\nPBank\n^\n\
         D1/3/06\nNErtrag\nT5\n^\nD1/4/06\nNKauf\nYAcme\nQ1\nT5\n^\n";
    let records = records(text);
    assert_eq!(records[0], "5 | Depot | 1/2/06 | Bank | -7");
    assert_eq!(records[1], "10 | Depot | 1/3/06 | Ertrag | 5", "a word for the trade");
}

#[test]
fn an_x_adds_the_side_of_a_transfer() {
    for (lines, expected) in [
        (
            "NBuyX YAcme I10 Q5 T50 L[Giro] $50",
            ["Buy | ACM | Acme | 5 | 10 | 50", "Transfer | Giro | 50"],
        ),
        (
            "NSellX YAcme I10 Q5 T50 L[Giro] $40",
            ["Sell | ACM | Acme | 5 | 10 | 50", "Transfer | Giro | -40"],
        ),
        (
            "NCvrShrtX YAcme Q5 T-50 L[Giro]",
            ["Cover of a short sale | Buy | ACM | Acme | 5 | -50", "Transfer | Giro | 50"],
        ),
        (
            "NShtSellX YAcme Q5 T50 L[Giro]",
            ["Short sale | Sell | ACM | Acme | 5 | 50", "Transfer | Giro | -50"],
        ),
        (
            "NBuyX YAcme I10 Q5 T50.00- L[Giro]",
            ["Buy | ACM | Acme | 5 | 10 | 50.00-", "Transfer | Giro | 50.00"],
        ),
        ("NDivX YAcme T7 L[Giro]", ["Dividend | ACM | Acme | 7", "Transfer | Giro | -7"]),
        ("NIntIncX T7 L[Giro]", ["Interest | 7", "Transfer | Giro | -7"]),
        (
            "NCGLongX YAcme T7 L[Giro]",
            ["Long-term capital gain | Dividend | ACM | Acme | 7", "Transfer | Giro | -7"],
        ),
        ("NMiscIncX T7 LBonus|[Giro]", ["Income | Bonus | 7", "Transfer | Giro | -7"]),
        ("NMiscExpX T7 LFees|[Giro]", ["Expense | Fees | -7", "Transfer | Giro | 7"]),
        ("NMargIntX T7 L[Giro]", ["Margin interest | -7", "Transfer | Giro | 7"]),
    ] {
        assert_eq!(of_depot(lines), expected, "{lines}");
    }
    // Without an account the money is that of the depot all the same.
    assert_eq!(of_depot("NDivX YAcme T7"), ["Dividend | ACM | Acme | 7", "Transfer | -7"]);
    assert_eq!(of_depot("NDivX YAcme T7 L[Depot]").len(), 2);
}

#[test]
fn what_cannot_be_represented_has_a_reason() {
    for (lines, reason) in [
        ("NRtrnCap YAcme T7", "A return of capital can't be imported"),
        ("NRtrnCapX YAcme T7 L[Giro]", "A return of capital can't be imported"),
        ("NVest YAcme Q7", "Options of employees"),
        ("NExercisX YAcme Q7", "Options of employees"),
        ("NReminder Mthink", "A reminder is no movement"),
        ("NMiscInc T-7", "The amount has a minus"),
        ("NXIn T(7) L[Giro]", "The amount has a minus"),
        ("NXIn T5.00- L[Giro]", "The amount has a minus"),
        ("NContribX T$-5 L[Giro]", "The amount has a minus"),
        ("NMiscInc T7.00-", "The amount has a minus"),
        ("NMiscInc T5.00DR", "The amount has a minus"),
        ("NReinvDiv YAcme Q5 T-7", "The amount has a minus"),
    ] {
        let records = of_depot(lines);
        assert_eq!(records.len(), 1, "{lines}");
        assert!(records[0].contains(reason), "{lines}: {records:?}");
    }
    let day = "!Account\nNDepot\n^\n!Type:Invst\nNBuy\nYAcme\nQ1\nT5\n^\n";
    assert!(records(day)[0].contains("has no day"), "{:?}", records(day));
}

#[test]
fn securities_without_symbols_must_differ() {
    let text = "!Account\nNDepot\n^\n!Type:Invst\nD1/2/06\nNBuy\nYA B\nQ1\nT5\n^\n\
                D1/2/06\nNBuy\nYA/B\nQ1\nT5\n^\n";
    let records = records(text);
    assert!(records[0].contains("Buy | A-B | A B | 1 | 5"), "{records:?}");
    assert!(records[1].contains("would both be called A-B"), "{records:?}");
}

#[test]
fn ratios_are_stated_for_ten_shares() {
    for (quantity, ratio) in [
        ("20", "2:1"),
        ("15", "3:2"),
        ("1", "1:10"),
        ("12.5", "5:4"),
        ("12,50", "5:4"),
        ("1,000", "1,000"),
        ("12.500", "12.500"),
        ("0.125", "1:80"),
        ("1.1250", "9:80"),
        ("0", "0"),
        ("", ""),
        ("many", "many"),
        ("12345678901", "12345678901"),
    ] {
        assert_eq!(ratio_of(quantity), ratio, "{quantity}");
    }
}

#[test]
fn prices_in_fractions_become_decimals() {
    for (text, decimal) in [
        ("45 1/2", "45.5"),
        ("141 9/16", "141.5625"),
        ("1/256", "0.00390625"),
        ("45 1/8", "45.1250"),
        ("45", "45"),
        ("1 234,56", "1 234,56"),
        ("3 2/3", "3 2/3"),
        ("3 5/4", "3 5/4"),
    ] {
        assert_eq!(fraction_as_decimal(text), decimal, "{text}");
    }
}
