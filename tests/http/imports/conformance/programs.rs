//! Exports of Mint, YNAB and Actual Budget, of today and of older versions.

use purser_formats::archive::writer::ArchiveWriter;

use super::{Case, check};

const YNAB: &str = "\"Account\",\"Flag\",\"Date\",\"Payee\",\"Category Group/Category\",\
     \"Category Group\",\"Category\",\"Memo\",\"Outflow\",\"Inflow\",\"Cleared\"\n";
const MINT: &str = "\"Date\",\"Description\",\"Original Description\",\"Amount\",\
     \"Transaction Type\",\"Category\",\"Account Name\",\"Labels\",\"Notes\"\n";
const ACTUAL: &str =
    "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n";

/// A register of YNAB with the mark of its encoding, as the web writes it.
fn ynab(name: &'static str, rows: &str) -> Case {
    Case::new(name, "YnabImport", format!("\u{feff}{YNAB}{rows}"))
}

fn mint(name: &'static str, rows: &str) -> Case {
    Case::new(name, "MintImport", format!("{MINT}{rows}")).in_currency("USD")
}

fn actual(name: &'static str, rows: &str) -> Case {
    Case::new(name, "ActualImport", format!("{ACTUAL}{rows}"))
}

fn zip(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Vec::new());
    for (name, text) in parts {
        archive.part(name, |part| part.write_all(text.as_bytes())).unwrap();
    }
    archive.finish().unwrap()
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

crate::both! {
    fn money_and_days_of_ynab_are_those_of_the_plan(server) {
        check(&server, vec![
            ynab("euros behind, comma", "\"Giro\",\"\",\"13/02/2026\",\"Shop\",\"F: A\",\"F\",\"A\",\
                \"\",\"1.144,36€\",\"0,00€\",\"Cleared\"\n")
                .reads(&["2026-02-13 1144.36 EUR Shop F:A Giro Cleared"]),
            ynab("euros before", "Giro,,13.02.2026,Shop,F: A,F,A,,\"€144,36\",\"€0,00\",Cleared\n")
                .reads(&["2026-02-13 144.36 EUR Shop F:A Giro Cleared"]),
            ynab("Swedish crowns", "Giro,,2026-02-13,Shop,,,,,\"30,00kr\",\"0,00kr\",Uncleared\n\
                Giro,,2026-02-14,Shop,,,,,\"1.030,50kr\",\"0,00kr\",\n").in_currency("SEK")
                .reads(&["2026-02-13 30.00 SEK Shop Giro", "2026-02-14 1030.50 SEK Shop Giro"]),
            ynab("crowns before, spaces", "Giro,,2026-02-13,Shop,,,,,\"kr 30,00\",\"kr 0,00\",\n\
                Giro,,2026-02-14,Shop,,,,,\"kr 1 030,50\",\"kr 0,00\",\n").in_currency("NOK")
                .reads(&["2026-02-13 30.00 NOK Shop Giro", "2026-02-14 1030.50 NOK Shop Giro"]),
            ynab("francs", "Giro,,13.02.2026,Shop,,,,,CHF 1'144.36,CHF 0.00,\n")
                .in_currency("CHF").reads(&["2026-02-13 1144.36 CHF Shop Giro"]),
            ynab("rupees", "Giro,,13/02/2026,Shop,,,,,\"₹1,44,000.36\",₹0.00,\n")
                .in_currency("INR").reads(&["2026-02-13 144000.36 INR Shop Giro"]),
            ynab("year first", "Giro,,2026/02/13,Shop,,,,,144.36€,0.00€,\n")
                .reads(&["2026-02-13 144.36 EUR Shop Giro"]),
            ynab("what can't be read is no zero", "Giro,,13/02/2026,Shop,,,,,nothing,0.00,\n\
                Giro,,13/02/2026,Shop,,,,,1.00,0.00,\n").reads(&[
                "line 2: Outflow \"nothing\" is not an amount",
                "2026-02-13 1.00 EUR Shop Giro",
            ]),
            ynab("a day that may be two", "Giro,,02/03/2026,Shop,,,,,1.00,0.00,\n").reads(&[]),
        ]);
    }

    fn files_of_ynab_come_in_many_forms(server) {
        let rows = "Girö,,13/02/2026,Shöp,F: A,F,A,,\"€144,36\",\"€0,00\",R\n";
        let read = &["2026-02-13 144.36 EUR Shöp F:A Girö Reconciled"];
        let text = format!("{YNAB}{rows}");
        let tabs = format!(
            "\u{feff}{}Girö\t\t13/02/2026\tShöp\tF: A\tF\tA\t\t€144,36\t€0,00\tR\n",
            YNAB.replace(',', "\t")
        );
        let of = |name, content: Vec<u8>| Case::new(name, "YnabImport", content);
        let old = "Account,Flag,Check Number,Date,Payee,Category,Master Category,Sub Category,\
            Memo,Outflow,Inflow,Cleared,Running Balance\n\
            Giro,,101,2013-01-13,Landlord,Home:Rent,Home,Rent,jan,500.00,0.00,R,500.00\n\
            Giro,,,2013-01-14,Transfer : Box,,,,,50.00,0.00,C,450.00\n\
            Box,,,2013-01-14,Transfer : Giro,,,,,0.00,50.00,U,50.00\n\
            Giro,,,2013-01-15,Shop,Food:Bread,Food,Bread,(Split 1/2) a,5.00,0.00,U,445\n\
            Giro,,,2013-01-15,Shop,Food:Fruit,Food,Fruit,(Split 2/2) b,6.00,0.00,U,439\n";
        let plan = "\u{feff}\"Month\",\"Category Group/Category\",\"Category Group\",\
            \"Category\",\"Assigned\",\"Activity\",\"Available\"\n\
            \"Feb 2026\",\"F: A\",\"F\",\"A\",\"1.050,00€\",\"-3,50€\",\"0,00€\"\n\
            \"Feb 2026\",\"F: B\",\"F\",\"B\",\"0,00€\",\"0,00€\",\"0,00€\"\n";
        check(&server, vec![
            of("with the mark of the encoding", format!("\u{feff}{text}").into()).reads(read),
            of("without a mark", text.clone().into()).reads(read),
            of("UTF-16", utf16(&text)).reads(read),
            of("tabs", tabs.into()).reads(read),
            of("an archive with the register alone", zip(&[("a - Register.csv", &text)]))
                .reads(read),
            of("an archive with both", zip(&[("a - Plan.csv", plan), ("a - Register.csv", &text)]))
                .reads(&[
                "2026-02-13 144.36 EUR Shöp F:A Girö Reconciled",
                "BudgetCategory 2026-02 F:A 1050.00 EUR",
            ]),
            of("the plan alone", plan.into()).reads(&["BudgetCategory 2026-02 F:A 1050.00 EUR"]),
            of("the budget of YNAB 4", "Month,Category,Master Category,Sub Category,Budgeted,\
                Outflows,Category Balance\nJanuary 2013,F:A,F,A,50.00,-10.00,40.00\n".into())
                .reads(&["BudgetCategory 2013-01 F:A 50.00 EUR"]),
            of("YNAB 4", old.into()).reads(&[
                "2013-01-13 500.00 EUR Landlord Home:Rent Giro Reconciled jan; check 101",
                "2013-01-14 50.00 EUR Transfer : Box Giro Cleared",
                "2013-01-14 -50.00 EUR Transfer : Giro Box",
                "2013-01-15 11.00 EUR Shop Giro",
            ]),
            ynab("starting balances, flags, splits with a transfer",
                "Giro,,13/02/2026,Starting Balance,,,,,0.00,9.00,Reconciled\n\
                Giro,Red,14/02/2026,Shop,F: A,F,A,Split (1/3) one,1.00,0.00,\n\
                Giro,Red,14/02/2026,Shop,F: B,F,B,Split (2/3) two,2.00,0.00,\n\
                Giro,Red,14/02/2026,Transfer : Box,,,,Split (3/3) kept,3.00,0.00,\n\
                Box,,14/02/2026,Transfer : Giro,,,,kept,0.00,3.00,\n").reads(&[
                "left out: 2026-02-13 -9.00 EUR Starting Balance Giro Reconciled",
                "2026-02-14 3.00 EUR Transfer : Box Giro Red kept",
                "2026-02-14 3.00 EUR Shop Giro Red",
                "2026-02-14 -3.00 EUR Transfer : Giro Box kept",
            ]),
        ]);
    }

    fn mint_is_read_as_it_was(server) {
        check(&server, vec![
            mint("the type decides, in any case", "5/26/2014,Coffee,SQ,4.50,debit,Cafés,Cash,a b,\n\
                5/27/2014,Pay,PAY,\"1,200.00\",Credit,Paycheck,Cash,,\n\
                5/28/2014,Back,BACK,$12.00,CREDIT,Uncategorized,Cash,,\n").reads(&[
                "2014-05-26 4.50 USD Coffee Cafés Cash a, b SQ",
                "2014-05-27 -1200.00 USD Pay Paycheck Cash",
                "2014-05-28 -12.00 USD Back Cash",
            ]),
            mint("numbers that can't be meant", "5/26/2014,A,A,\"12,50\",debit,,Cash,,\n\
                5/26/2014,B,B,twelve,debit,,Cash,,\n5/26/2014,C,C,1.00,pending,,Cash,,\n\
                5/26/2014,D,D,1.00,debit,,Cash,,\n").reads(&[
                "line 2: Amount \"12,50\" is not written like 1,234.56",
                "line 3: Amount \"twelve\" is not an amount",
                "line 4: Direction \"pending\" does not say whether money came in or went out",
                "2014-05-26 1.00 USD D Cash",
            ]),
            Case::new("without labels and notes", "MintImport", "Date,Description,Original \
                Description,Amount,Transaction Type,Category,Account Name\n\
                5/26/2014,Coffee,COFFEE,4.50,debit,Cafés,Cash\n").in_currency("USD")
                .reads(&["2014-05-26 4.50 USD Coffee Cafés Cash"]),
            Case::new("tabs", "MintImport", format!("{MINT}5/26/2014,A,A,4.50,debit,,Cash,x,\n")
                .replace(',', "\t")).in_currency("USD")
                .reads(&["2014-05-26 4.50 USD A Cash x"]),
        ]);
    }

    fn both_exports_of_actual_are_read(server) {
        check(&server, vec![
            actual("split parents are no zero rows", "Cash,2026-01-01,Starting Balance,,,\
                Starting Balances,100.00,0,Reconciled\n\
                Cash,2026-01-02,Shop,(SPLIT INTO 2) all,,,0,-3.00,Cleared\n\
                Cash,2026-01-02,Shop,(SPLIT 1 OF 2) one,Food,Fruit,-1.00,0,Cleared\n\
                Cash,2026-01-02,Shop,(SPLIT 2 OF 2),Food,Bread,-2.00,0,Cleared\n\
                Cash,2026-01-03,Bank,,,,-5.00,0,Not cleared\n\
                Bank,2026-01-03,Cash,,,,5.00,0,Not cleared\n").reads(&[
                "left out: 2026-01-01 -100.00 EUR Starting Balance Starting Balances Cash Reconciled",
                "2026-01-02 3.00 EUR Shop Cash Cleared all",
                "2026-01-03 5.00 EUR Bank Cash",
                "2026-01-03 -5.00 EUR Cash Bank",
            ]),
            Case::new("chosen transactions", "ActualImport", "Account,Date,Payee,Notes,Category,\
                Amount,Cleared,Reconciled\nCash,2026-01-02,Shop,x,Food: Fruit,-1.00,true,false\n\
                Cash,2026-01-03,Shop,,Food: Fruit,-2.00,true,true\n").reads(&[
                "2026-01-02 1.00 EUR Shop Food: Fruit Cash Cleared x",
                "2026-01-03 2.00 EUR Shop Food: Fruit Cash Reconciled",
            ]),
            Case::new("a version with balances", "ActualImport", "Account,Date,Payee,Notes,Category,\
                Amount,Balance,Cleared\nCash,2026-01-02,Shop,,Fruit,-1.00,99.00,Not cleared\n")
                .reads(&["2026-01-02 1.00 EUR Shop Fruit Cash"]),
            Case::new("in an archive", "ActualImport", zip(&[("a.csv",
                &format!("{ACTUAL}Cash,2026-01-02,Shop,,,,\"-1,234.50\",0,\n"))]))
                .reads(&["2026-01-02 1234.50 EUR Shop Cash"]),
        ]);
    }
}
