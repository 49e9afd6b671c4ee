//! Files of brokers as they are, in their languages.

use super::{Case, check};

/// A purchase without fees.
const BUY: &str = "2024-05-15 buy DE0007164600 10.0 170 1700.00 EUR";

fn file(name: &'static str, text: &str) -> Case {
    Case::new(name, "TradeImport", text).into("Depot")
}

crate::both! {
    fn files_of_brokers_are_read_as_they_are(server) {
        check(&server, vec![
            file("plain English", "date,symbol,side,quantity,price,commission\n\
                2024-05-15,AAPL,BUY,10,150.25,1.00\n2024-05-16,AAPL,SELL,4,160.00,1.00\n").reads(&[
                "2024-05-15 buy AAPL 10.0 150.25 1.00 1503.50 EUR",
                "2024-05-16 sell AAPL -4.0 160 1.00 -639.00 EUR",
            ]),
            file("French", "Date;Sens;Libellé valeur;Code ISIN;Quantité;Cours;Frais;Montant net\n\
                15/05/2024;Achat;TOTAL;FR0000120271;10;65,50;2,50;-657,50\n\
                16/05/2024;Vente;TOTAL;FR0000120271;4;66,00;2,50;261,50\n").reads(&[
                "2024-05-15 buy FR0000120271 10.0 65.5 2.50 657.50 EUR",
                "2024-05-16 sell FR0000120271 -4.0 66 2.50 -261.50 EUR",
            ]),
            file("German, with dividends", "Datum;Typ;ISIN;Stück;Kurs;Gebühren;Betrag\n\
                15.05.2024;Kauf;DE0007164600;10;170,00;5,90;-1.705,90\n\
                17.05.2024;Dividende;DE0007164600;;;;13,20\n").reads(&[
                "2024-05-15 buy DE0007164600 10.0 170 5.90 1705.90 EUR",
                "2024-05-17 dividend DE0007164600 -13.20 EUR",
            ]),
            file("words without anything between them", "ClientAccountID,CurrencyPrimary,Symbol,\
                TradeDate,Buy/Sell,Quantity,TradePrice,IBCommission,NetCash\n\
                U1,EUR,SAP,20240515,BUY,10,150.25,-1,-1503.5\n\
                U1,EUR,SAP,20240516,SELL,-4,160,-1,639\n").reads(&[
                "2024-05-15 buy SAP 10.0 150.25 1.00 1503.50 EUR",
                "2024-05-16 sell SAP -4.0 160 1.00 -639.00 EUR",
            ]),
            file("the type stands in a sentence, and a column that is called so holds another one",
                "\n\nRun Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),\
                Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n\
                05/15/2024,YOU BOUGHT VANGUARD (VTI) (Cash),VTI,FUND,Cash,10,150.25,1.00,0.02,,\
                -1503.52,05/17/2024\n\
                05/17/2024,DIVIDEND RECEIVED VANGUARD (VTI) (Cash),VTI,FUND,Cash,0.000,,,,,12.34,\n\
                05/18/2024,Electronic Funds Transfer Received (Cash), ,None,Cash,0.000,,,,,500,\n\n\
                \"The data in this spreadsheet is provided to you solely for your use\"\n")
                .in_currency("USD").reads(&[
                "2024-05-15 buy VTI 10.0 150.25 1.02 1503.52 USD FUND",
                "2024-05-17 dividend VTI -12.34 USD FUND",
                "2024-05-18 -500.00 USD None",
            ]),
        ]);
    }

    fn files_of_brokers_have_remarks_and_names_of_their_own(server) {
        check(&server, vec![
            file("a day as of another one, and a total behind the rows",
                "\"Date\",\"Action\",\"Symbol\",\"Description\",\"Quantity\",\"Price\",\
                \"Fees & Comm\",\"Amount\"\n\
                \"05/15/2024\",\"Buy\",\"VTI\",\"FUND\",\"10\",\"$150.25\",\"$1.00\",\"-$1503.50\"\n\
                \"05/16/2024 as of 05/15/2024\",\"Qual Div Reinvest\",\"VTI\",\"FUND\",\"\",\"\",\
                \"\",\"$12.34\"\n\
                \"05/18/2024\",\"MoneyLink Transfer\",\"\",\"Tfr\",\"\",\"\",\"\",\"$500.00\"\n\
                \"Transactions Total\",\"\",\"\",\"\",\"\",\"\",\"\",\"-$991.16\"\n")
                .in_currency("USD").reads(&[
                "2024-05-15 buy VTI 10.0 150.25 1.00 1503.50 USD FUND",
                "2024-05-16 dividend VTI -12.34 USD FUND",
                "2024-05-18 -500.00 USD Tfr",
            ]),
            file("the ticker is called an instrument, money out stands in brackets",
                "\"Activity Date\",\"Process Date\",\"Settle Date\",\"Instrument\",\
                \"Description\",\"Trans Code\",\"Quantity\",\"Price\",\"Amount\"\n\
                \"5/15/2024\",\"5/15/2024\",\"5/17/2024\",\"AAPL\",\"Apple\nCUSIP: 037\",\"Buy\",\
                \"10\",\"$150.25\",\"($1,502.50)\"\n\
                \"5/17/2024\",\"5/17/2024\",\"5/17/2024\",\"AAPL\",\"Div\",\"CDIV\",\"\",\"\",\
                \"$2.40\"\n\
                \"5/18/2024\",\"5/18/2024\",\"5/18/2024\",\"\",\"ACH Deposit\",\"ACH\",\"\",\"\",\
                \"$500.00\"\n").in_currency("USD").reads(&[
                "2024-05-15 buy AAPL 10.0 150.25 1502.50 USD Apple\nCUSIP: 037",
                "2024-05-17 dividend AAPL -2.40 USD Div",
                "2024-05-18 -500.00 USD ACH Deposit",
            ]),
        ]);
    }

    fn what_became_of_an_order_decides(server) {
        check(&server, vec![
            file("orders that were cancelled are no trades",
                "date;time;status;reference;description;assetType;type;isin;shares;price;amount;\
                fee;tax;currency\n\
                2024-05-15;09:30:00;Executed;S1;SAP;Security;Buy;DE0007164600;10;170,00;-1.700,00;\
                0,99;0,00;EUR\n\
                2024-05-16;09:30:00;Cancelled;S2;SAP;Security;Buy;DE0007164600;10;170,00;\
                -1.700,00;0,99;0,00;EUR\n\
                2024-05-17;09:30:00;Executed;W1;SAP;Cash;Distribution;DE0007164600;;;13,20;0,00;\
                3,00;EUR\n\
                2024-05-18;09:30:00;Executed;W2;Deposit;Cash;Deposit;;;;500,00;0,00;;EUR\n\
                2024-05-19;09:30:00;Executed;S3;SAP;Security;Sell;DE0007164600;1;170,00;170,00;\
                0,99;0,00;EUR\n\
                2024-05-20;09:30:00;Executed;I1;Interest;Cash;Interest;;;;10,00;0,00;2,64;EUR\n\
                2024-05-21;09:30:00;Executed;W3;Cash;Cash;Withdrawal;;;;-50,00;1,00;;EUR\n\
                2024-05-22;09:30:00;Executed;I2;Interest;Cash;Interest;;;;1,00;0,00;1,00;EUR\n")
                .reads(&[
                "2024-05-15 buy DE0007164600 10.0 170 0.99 1700.99 EUR SAP",
                "left out: 2024-05-16 buy DE0007164600 10.0 170 0.99 1700.99 EUR SAP",
                "2024-05-17 dividend DE0007164600 3.00 -10.20 EUR SAP",
                "2024-05-18 -500.00 EUR Deposit",
                "2024-05-19 sell DE0007164600 -1.0 170 0.99 -169.01 EUR SAP",
                "2024-05-20 -7.36 EUR Interest",
                "2024-05-21 51.00 EUR Cash",
                "line 9: Fees and taxes leave nothing of the total",
            ]),
            file("a word for the status that nobody knows",
                "Date,Status,Side,Symbol,Quantity,Price\n2024-05-15,Filled,Buy,A,1,2.00\n\
                2024-05-16,Half done,Buy,A,1,2.00\n").reads(&[
                "2024-05-15 buy A 1.0 2 2.00 EUR",
                "line 3: Status \"Half done\" is no known status",
            ]),
            file("a status that is about something else",
                "Date,Status,Side,Symbol,Quantity,Price\n2024-05-15,Long term,Buy,A,1,2.00\n")
                .reads(&["2024-05-15 buy A 1.0 2 2.00 EUR"]),
            file("the value is what was paid, and another column has it before fees",
                "Datum;Typ;Wert;Buchungswährung;Bruttobetrag;Gebühren;Steuern;Stück;ISIN;Notiz\n\
                2024-05-15T00:00;Kauf;1.705,90;EUR;1.700,00;5,90;0,00;10;DE0007164600;\n\
                2024-05-17T00:00;Einlieferung;170,00;EUR;;0,00;0,00;1;DE0007164600;\n").reads(&[
                "2024-05-15 buy DE0007164600 10.0 170 5.90 1705.90 EUR",
                "2024-05-17 transfer_in DE0007164600 1.0 0.00 EUR",
            ]),
        ]);
    }

    fn files_of_brokers_are_read_in_other_currencies(server) {
        check(&server, vec![
            file("a price in another currency than the total, the rate beside it",
                "Action,Time,ISIN,Ticker,No. of shares,Price / share,Currency (Price / share),\
                Exchange rate,Result,Currency (Result),Total,Currency (Total),Withholding tax,\
                Currency (Withholding tax),Currency conversion fee\n\
                Market buy,2024-01-03 14:30:05,US0378331005,AAPL,2.0000000000,185.00,USD,1.09500,\
                ,,338.41,EUR,,,0.51\n\
                Dividend (Dividend),2024-02-15 10:00:00,US0378331005,AAPL,2.0000000000,0.20,USD,\
                Not available,,,0.37,EUR,0.06,USD,\n").reads(&[
                "2024-01-03 buy US0378331005 AAPL 2.0 168.95 0.51 338.41 EUR",
                "2024-02-15 dividend US0378331005 AAPL -0.37 EUR",
            ]),
            file("what the order was stands behind a dash",
                "Date,Ticker,Type,Quantity,Price per share,Total Amount,Currency,FX Rate\n\
                2024-05-14T09:30:05.123456Z,,CASH TOP-UP,,,USD 500,USD,1.08\n\
                2024-05-15T09:30:05.123456Z,AAPL,BUY - MARKET,2,USD 150.25,USD 300.50,USD,1.08\n\
                2024-05-18T09:30:05Z,AAPL,STOCK SPLIT,3,,USD 0,USD,1.08\n")
                .in_currency("USD").reads(&[
                "2024-05-14 -500.00 USD Deposit",
                "2024-05-15 buy AAPL 2.0 150.25 300.50 USD",
                "line 4: A split needs its ratio, such as 4:1, in a column of its own",
            ]),
            file("Swedish", "Datum;Konto;Typ av transaktion;Värdepapper/beskrivning;Antal;Kurs;\
                Belopp;Courtage;ISIN\n\
                2024-05-15;1;Köp;Volvo B;10;250,50;-2506,00;1,00;SE0000115446\n\
                2024-05-16;1;Sälj;Volvo B;-4;255;1019;1;SE0000115446\n").in_currency("SEK").reads(&[
                "2024-05-15 buy SE0000115446 10.0 250.5 1.00 2506.00 SEK",
                "2024-05-16 sell SE0000115446 -4.0 255 1.00 -1019.00 SEK",
            ]),
            file("costs come off", "Date;Order #;Transaction;Symbol;ISIN;Quantity;Unit price;Costs;\
                Net Amount;Balance;Currency\n15-05-2024 09:30:00;1;Buy;NESN;CH0038863350;10.0;\
                95.50;5.85;-960.85;9039.15;CHF\n")
                .in_currency("CHF").reads(&[
                "2024-05-15 buy CH0038863350 NESN 10.0 95.5 5.85 960.85 CHF",
            ]),
        ]);
    }

    fn one_rule_holds_for_the_signs(server) {
        check(&server, vec![
            file("purchases are negative in every cell",
                "date,symbol,qty,price\n2024-05-15,A,-10,2.00\n2024-05-16,A,4,2.00\n")
                .with(&[("signage_convention", "inflows_negative")]).reads(&[
                "2024-05-15 buy A 10.0 2 20.00 EUR",
                "2024-05-16 sell A -4.0 2 -8.00 EUR",
            ]),
            file("a quantity with a sign needs no type",
                "date,ISIN,quantity,price\n2024-05-15,US0378331005,10,2.00\n\
                2024-05-16,US0378331005,-4,2.00\n").reads(&[
                "2024-05-15 buy US0378331005 10.0 2 20.00 EUR",
                "2024-05-16 sell US0378331005 -4.0 2 -8.00 EUR",
            ]),
            file("signs that contradict the type",
                "date,side,symbol,quantity,price,total\n2024-05-15,buy,A,10,2.00,-20.00\n\
                2024-05-16,sell,A,4,2.00,8.00\n2024-05-17,sell,A,4,2.00,-8.00\n").reads(&[
                "2024-05-15 buy A 10.0 2 20.00 EUR",
                "2024-05-16 sell A -4.0 2 -8.00 EUR",
                "line 4: By the type money comes in, by the sign of the total it goes out",
            ]),
            file("no known rate",
                "date,symbol,side,quantity,price,currency\n2024-05-15,AAPL,buy,10,150.25,USD\n")
                .reads(&["open: 2024-05-15 buy AAPL 10.0 150.25 1502.50 USD: It is in USD and its \
                account in EUR, and no exchange rate is known for 2024-05-15: state one, or name \
                the column of the rates"]),
            file("every type", "date,type,symbol,quantity,price,fee,amount,ratio\n\
                2024-01-02,buy,A,10,2.00,1.00,-21.00,\n2024-01-03,dividend,A,,,,5.00,\n\
                2024-01-04,interest,A,,,,1.00,\n2024-01-05,fee,A,,,,-2.00,\n\
                2024-01-06,split,A,,,,,2:1\n2024-01-07,reinvestment,A,1,2.00,,,\n\
                2024-01-08,transfer in,A,3,,,,\n2024-01-09,transfer out,A,2,,,,\n\
                2024-01-10,sell,A,1,2.00,1.00,1.00,\n2024-01-11,deposit,,,,,9.00,\n\
                2024-01-12,withdrawal,,,,,-8.00,\n").reads(&[
                "2024-01-02 buy A 10.0 2 1.00 21.00 EUR",
                "2024-01-03 dividend A -5.00 EUR",
                "2024-01-04 interest A -1.00 EUR",
                "2024-01-05 fee A 2.00 EUR",
                "2024-01-06 split A 2:1 0.00 EUR",
                "2024-01-07 reinvestment A 1.0 2 0.00 EUR",
                "2024-01-08 transfer_in A 3.0 0.00 EUR",
                "2024-01-09 transfer_out A -2.0 0.00 EUR",
                "2024-01-10 sell A -1.0 2 1.00 -1.00 EUR",
                "2024-01-11 -9.00 EUR Deposit",
                "2024-01-12 8.00 EUR Withdrawal",
            ]),
        ]);
    }

    fn fees_and_costs_are_never_lost(server) {
        // Orders without fees: nothing shows what totals contain.
        let open = "date;type;isin;shares;price;amount;fee;tax\n\
            2024-05-15;Buy;DE0007164600;10;170,00;-1.700,00;0,00;0,00\n\
            2024-05-17;Distribution;DE0007164600;;;13,20;0,00;3,00\n\
            2024-05-18;Interest;;;;10,00;0,00;2,64\n";
        check(&server, vec![
            file("nothing shows whether taxes are part of the total", open).reads(&[
                BUY,
                "line 3: Nothing shows whether the total 13.20 contains the fees and taxes of \
                 3.00: state it (total_meaning)",
                "line 4: Nothing shows whether the total 10.00 contains the fees and taxes of \
                 2.64: state it (total_meaning)",
            ]),
            file("it is stated that they aren't", open).with(&[("total_meaning", "gross")]).reads(&[
                BUY,
                "2024-05-17 dividend DE0007164600 3.00 -10.20 EUR",
                "2024-05-18 -7.36 EUR Interest",
            ]),
            file("it is stated that they are", open).with(&[("total_meaning", "net")]).reads(&[
                BUY,
                "2024-05-17 dividend DE0007164600 3.00 -13.20 EUR",
                "2024-05-18 -10.00 EUR Interest",
            ]),
            file("a dividend for each share shows it",
                "date,type,symbol,quantity,price,tax,amount\n\
                2024-05-17,Dividend,A,10,1.32,3.00,10.20\n2024-05-18,Dividend,B,,,2.00,5.00\n")
                .reads(&[
                "2024-05-17 dividend A 3.00 -10.20 EUR",
                "2024-05-18 dividend B 2.00 -5.00 EUR",
            ]),
            file("a dividend for each share contradicts what was stated",
                "date,type,symbol,quantity,price,tax,amount\n\
                2024-05-19,Dividend,A,10,1.32,3.00,13.20\n")
                .with(&[("total_meaning", "net")]).reads(&[
                "line 2: By quantity × price the total 13.20 doesn't contain the fees and taxes \
                 of 3.00, by what holds for the file it does",
            ]),
            file("a fee that rounding may hide", "date,type,symbol,quantity,price,fee,total\n\
                2024-05-15,buy,A,10000,0.05,4.90,500.00\n").reads(&[
                "line 2: Nothing shows whether the total 500.00 contains the fees and taxes of \
                 4.90: state it (total_meaning)",
            ]),
            file("a price by a total with fees",
                "date,type,symbol,quantity,fee,total\n2024-05-15,buy,A,8,5.00,100.00\n").reads(&[
                "line 2: Nothing shows whether the total 100.00 contains the fees and taxes of \
                 5.00: state it (total_meaning)",
            ]),
            file("a fee of a move, and of a split", "date,type,symbol,quantity,fee,amount,ratio\n\
                2024-05-15,transfer out,A,2,25.00,,\n2024-05-16,split,A,,,3.50,2:1\n").reads(&[
                "line 2: A fee of 25.00 can't be part of a row on which no money moves: it needs \
                 a row of its own",
                "line 3: The total 3.50 can't be part of a split: money needs a row of its own",
            ]),
        ]);
    }

    fn what_shares_cost_and_count_is_what_the_file_states(server) {
        check(&server, vec![
            file("what shares cost that come in",
                "date,type,symbol,quantity,price,cost basis\n\
                2024-05-15,transfer in,A,2,9.00,10.00\n2024-05-16,transfer in,A,2,9.00,\n\
                2024-05-17,transfer in,A,2,9.00,0.00\n").reads(&[
                "2024-05-15 transfer_in A 2.0 9 0.00 10.00 EUR",
                "2024-05-16 transfer_in A 2.0 9 0.00 EUR",
                "2024-05-17 transfer_in A 2.0 9 0.00 0.00 EUR",
            ]),
            file("what shares are worth that come in is no cost",
                "date,type,symbol,quantity,price,amount\n\
                2024-05-15,transfer in,A,2,9.00,18.00\n").reads(&[
                "2024-05-15 transfer_in A 2.0 9 0.00 EUR",
            ]),
            file("pence are no pounds",
                "date,type,symbol,currency,quantity,price\n2024-05-15,buy,VOD,GBp,10,1234.5\n\
                2024-05-15,buy,NPN,ZAc,10,1234.5\n").in_currency("GBP").reads(&[
                "open: 2024-05-15 buy VOD 10.0 1234.5 12345 GBX: It is in GBX and its account in \
                 GBP, and no exchange rate is known for 2024-05-15: state one, or name the column \
                 of the rates",
                "line 3: currency \"ZAc\" is not a known currency such as USD",
            ]),
            file("what was cancelled or taken back", "date,type,symbol,quantity,price\n\
                2024-05-15,Buy (Cancelled),A,1,2.00\n2024-05-16,SELL - CANCELED,A,1,2.00\n")
                .reads(&[
                "line 2: type \"Buy (Cancelled)\" takes a trade back, or states that it didn't \
                 happen",
                "line 3: type \"SELL - CANCELED\" takes a trade back, or states that it didn't \
                 happen",
            ]),
            file("options", "date,type,symbol,quantity,price,fee,amount\n\
                2024-01-15,Buy,AAPL240119C00150000,2,1.50,1.30,-301.30\n\
                2024-01-16,Sell,-AAPL240119C150,1,1.50,0.65,149.35\n\
                2024-01-17,Buy,AAPL240119P00150000,1,1.50,,\n\
                2024-01-18,Buy,AAPL,1,1.50,,-150.00\n").reads(&[
                "2024-01-15 buy AAPL240119C00150000 2.0 150 1.30 301.30 EUR",
                "2024-01-16 sell -AAPL240119C150 -1.0 150 0.65 -149.35 EUR",
                "line 4: It is an option, as its ticker shows: without a total nothing shows for \
                 how many shares a contract is",
                "line 5: The total 150.00 does not follow from 1 × 1.50",
            ]),
        ]);
    }
}
