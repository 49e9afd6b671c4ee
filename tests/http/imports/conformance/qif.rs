//! QIF as programs write it: every spelling of amounts, days and sections, and every action.

use super::{Case, check};

/// A file of one section that names no account.
fn bank(name: &'static str, records: &str) -> Case {
    Case::new(name, "QifImport", format!("!Type:Bank\n{records}")).in_currency("USD").into("Main")
}

fn amount(name: &'static str, line: &str) -> Case {
    bank(name, &format!("D1/15/2006\n{line}\nPA\n^\n"))
}

/// A record of a depot, with the account that it names.
fn depot(name: &'static str, lines: &str) -> Case {
    let text = format!(
        "!Account\nNBox\nTPort\n^\n!Type:Invst\nD1/15/2006\n{}\n^\n",
        lines.replace(' ', "\n")
    );
    Case::new(name, "QifImport", text).in_currency("USD")
}

crate::both! {
    fn amounts_keep_their_sign_and_their_size(server) {
        check(&server, vec![
            amount("points between thousands", "T-1.234,56").reads(&["2006-01-15 1234.56 USD A"]),
            amount("a comma for the decimals", "T12,50").reads(&["2006-01-15 -12.50 USD A"]),
            amount("a plus", "T+12.50").reads(&["2006-01-15 -12.50 USD A"]),
            amount("a sign of the currency", "T$12.50").reads(&["2006-01-15 -12.50 USD A"]),
            amount("no digit before the point", "T-.50").reads(&["2006-01-15 0.50 USD A"]),
            amount("a minus behind", "T12.50-").reads(&["2006-01-15 12.50 USD A"]),
            amount("brackets", "T(12.50)").reads(&["2006-01-15 12.50 USD A"]),
            amount("another letter", "U-12.50").reads(&["2006-01-15 12.50 USD A"]),
            bank("no amount is no zero", "D1/15/2006\nPA\n^\nD1/16/2006\nT1.00\nPB\n^\n").reads(&[
                "line 2: Amount is blank", "2006-01-16 -1.00 USD B",
            ]),
        ]);
    }

    fn no_record_is_lost(server) {
        let file = |name, text: &str| Case::new(name, "QifImport", text).in_currency("USD");
        check(&server, vec![
            bank("a day that isn't one", "D1/33/2006\nT1.00\nPA\n^\nD1/20/2006\nT2.00\nPB\n^\n")
                .reads(&[
                "line 2: Date \"1/33/2006\", read as MM/DD/YYYY, is not a day of the calendar",
                "2006-01-20 -2.00 USD B",
            ]),
            bank("a space behind the end of a record", "D1/20/2006\nT2.00\nPB\n^ \n\
                D1/21/2006\nT3.00\nPC\n^\n").reads(&[
                "2006-01-20 -2.00 USD B", "2006-01-21 -3.00 USD C",
            ]),
            bank("years behind an apostrophe", "D1/15' 6\nT2.00\nPB\n^\nD1/15/99\nT3.00\nPC\n^\n")
                .reads(&["2006-01-15 -2.00 USD B", "1999-01-15 -3.00 USD C"]),
            bank("carriage returns alone", "").reads(&["2006-01-20 -2.00 USD B"])
                .holding("!Type:Bank\rD1/20/2006\rT2.00\rPB\r^\r"),
            bank("small letters and a mark of the encoding", "").reads(&["2006-01-20 -2.00 USD B"])
                .holding("\u{feff}!type:bank\nD1/20/2006\nT2.00\nPB\n^\n"),
            bank("two sections", "D1/20/2006\nT2.00\nPB\n^\n!Type:Bank\nD1/21/2006\nT3.00\nPC\n^\n")
                .reads(&["2006-01-20 -2.00 USD B", "2006-01-21 -3.00 USD C"]),
            file("lists before the transactions", "!Type:Class\nNKids\n^\n!Type:Memorized\nKP\n\
                T-5.00\nPRent\n^\n!Account\nNBox\nTCash\n^\n!Type:Cash\nD1/20/2006\nT2.00\nPB\n\
                L/Kids\n^\n").reads(&[
                "left out: account Box", "Tag Kids", "left out: list Rent",
                "2006-01-20 -2.00 USD B Box Kids",
            ]),
            file("two accounts and the money between them", "!Account\nNBox\nTBank\n^\n!Type:Bank\n\
                D1/1/2006\nT9.00\nPOpening balance\nL[Box]\n^\nD1/20/2006\nT-2.00\nPB\nL[Card]\n^\n\
                !Account\nNCard\nTCCard\n^\n!Type:CCard\nD1/20/2006\nT2.00\nPB\nL[Box]\n^\n").reads(&[
                "left out: account Box", "left out: account Card",
                "left out: 2006-01-01 -9.00 USD Opening balance Box",
                "2006-01-20 2.00 USD B Box", "2006-01-20 -2.00 USD B Card",
            ]),
            file("German types", "!Account\nNBox\n^\n!Type:Bank\nD20.01.2006\nT-2,00\nPB\n^\n\
                !Type:Kat\nNEssen\nE\n^\n!Account\nNSchuld\n^\n!Type:Oth S\nD21.01.2006\nT-3,00\n\
                PC\n^\n").reads(&[
                "left out: account Box", "left out: account Schuld",
                "2006-01-20 2.00 USD B Box", "Category Essen", "2006-01-21 3.00 USD C Schuld",
            ]),
            file("a split of which one part goes to another account", "!Account\nNBox\n^\n\
                !Type:Bank\nD1/20/2006\nT-6.00\nPShop\nLFood\nSFood\nEone\n$-1.00\nSFun\n$-2.00\n\
                S[Card]\n$-3.00\nS\n$0.00\n^\n!Account\nNCard\n^\n!Type:CCard\nD1/20/2006\nT3.00\n\
                PShop\nL[Box]\n^\n").reads(&[
                "left out: account Box", "left out: account Card",
                "2006-01-20 3.00 USD Shop Box", "2006-01-20 3.00 USD Shop Box",
                "2006-01-20 -3.00 USD Shop Card",
            ]),
            file("parts that don't add up", "!Account\nNBox\n^\n!Type:Bank\nD1/20/2006\nT-6.00\n\
                PShop\nSFood\n$-1.00\nSFun\n$-2.00\n^\n").reads(&[
                "left out: account Box",
                "line 5: Parts come to $3.00, but the transaction to $6.00",
            ]),
        ]);
    }

    fn every_action_has_its_sign_and_its_shares(server) {
        check(&server, vec![
            depot("Buy", "NBuy YA I10 Q5 O1 T51").reads(&[
                "left out: account Box", "2006-01-15 buy A 5.0 10 1.00 51.00 USD"]),
            depot("BuyX", "NBuyX YA I10 Q5 T50 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 buy A 5.0 10 50.00 USD", "2006-01-15 -50.00 USD Transfer Box"]),
            depot("SellX", "NSellX YA I10 Q5 T50 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 sell A -5.0 10 -50.00 USD", "2006-01-15 50.00 USD Transfer Box"]),
            depot("DivX", "NDivX YA T7 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 dividend A -7.00 USD", "2006-01-15 7.00 USD Transfer Box"]),
            depot("IntIncX", "NIntIncX YA T7 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 interest A -7.00 USD", "2006-01-15 7.00 USD Transfer Box"]),
            depot("CGLongX", "NCGLongX YA T7 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 dividend A -7.00 USD Long-term capital gain",
                "2006-01-15 7.00 USD Transfer Box"]),
            depot("CGShort", "NCGShort YA T7").reads(&["left out: account Box",
                "2006-01-15 dividend A -7.00 USD Short-term capital gain"]),
            depot("MiscIncX", "NMiscIncX YA T7 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 -7.00 USD Income Box A", "2006-01-15 7.00 USD Transfer Box"]),
            depot("MiscExp", "NMiscExp T7").reads(&["left out: account Box",
                "2006-01-15 7.00 USD Expense Box"]),
            depot("ReinvInt", "NReinvInt YA I10 Q5 T50").reads(&["left out: account Box",
                "2006-01-15 reinvestment A 5.0 10 0.00 USD Reinvested interest"]),
            depot("ReinvLg", "NReinvLg YA I10 Q5 T50").reads(&["left out: account Box",
                "2006-01-15 reinvestment A 5.0 10 0.00 USD Reinvested long-term capital gain"]),
            depot("ReinvSh", "NReinvSh YA I10 Q5 T50").reads(&["left out: account Box",
                "2006-01-15 reinvestment A 5.0 10 0.00 USD Reinvested short-term capital gain"]),
            depot("ShrsIn", "NShrsIn YA Q5").reads(&["left out: account Box",
                "2006-01-15 transfer_in A 5.0 0.00 USD"]),
            depot("ShrsIn with a price", "NShrsIn YA Q5 I10 T50").reads(&["left out: account Box",
                "2006-01-15 transfer_in A 5.0 10 0.00 50.00 USD"]),
            depot("ShrsOut", "NShrsOut YA Q5").reads(&["left out: account Box",
                "2006-01-15 transfer_out A -5.0 0.00 USD"]),
            depot("StkSplit", "NStkSplit YA Q20").reads(&["left out: account Box",
                "2006-01-15 split A 2:1 0.00 USD"]),
            depot("CvrShrt", "NCvrShrt YA I10 Q5 T50").reads(&["left out: account Box",
                "2006-01-15 buy A 5.0 10 50.00 USD Cover of a short sale"]),
            depot("ShtSell", "NShtSell YA I10 Q5 T50").reads(&["left out: account Box",
                "2006-01-15 sell A -5.0 10 -50.00 USD Short sale"]),
            depot("MargInt", "NMargInt T7").reads(&["left out: account Box",
                "2006-01-15 7.00 USD Margin interest Box"]),
            depot("WithdrwX", "NWithdrwX T7 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 7.00 USD Withdrawal Box"]),
            depot("ContribX", "NContribX T7 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 -7.00 USD Contribution Box"]),
            depot("XIn", "NXIn T7 L[Giro]").reads(&["left out: account Box",
                "2006-01-15 -7.00 USD Transfer Box"]),
            depot("RtrnCap", "NRtrnCap YA T7").reads(&["left out: account Box",
                "line 6: A return of capital can't be imported: it lowers what the shares cost \
                without a sale; with a blank Problem its money alone is booked"]),
        ]);
    }
}
