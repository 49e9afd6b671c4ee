//! Random trades, and what was stated about positions.

use jiff::civil::date;
use serde_json::{Value, json};

use super::{ACCOUNTS, RandomFamily, money};

/// Tickers of securities, and their markets.
const SECURITIES: [(&str, Option<&str>); 6] = [
    ("VTI", None),
    ("VTI", Some("XNAS")),
    ("BRK.B", None),
    ("0700.HK", None),
    ("BTC", None),
    ("USD", Some("XETR")),
];
/// The accounts with holdings.
const HOLDERS: [usize; 5] = [9, 10, 11, 12, 13];
/// Ten thousandths, in which money is computed here.
const UNIT: i64 = 10_000;

/// A number of thousandths as a decimal.
fn thousandths(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", number.abs() / 1000, number.abs() % 1000)
}

/// Ten thousandths as a decimal.
fn decimal(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}.{:04}", number.abs() / UNIT, number.abs() % UNIT)
}

/// Quantity × price, both in thousandths, in ten thousandths: rounded half away from zero.
fn value(quantity: i64, price: i64) -> i64 {
    (quantity * price + 50) / 100
}

impl RandomFamily {
    pub(super) fn securities(&mut self) {
        for (at, (ticker, market)) in SECURITIES.iter().enumerate() {
            let mut data = json!({
                "id": format!("s{at}"), "ticker": ticker, "kind": "standard",
                "name": "Odd; \"name\" | x",
            });
            if let Some(market) = market {
                data["exchange_operating_mic"] = (*market).into();
            }
            self.put("Security", data);
            for day in [3, 17] {
                self.put(
                    "SecurityPrice",
                    json!({
                        "security_id": format!("s{at}"), "date": date(2024, 1, day),
                        "currency": if at == 3 { "EUR" } else { "USD" },
                        "price": "12.345678901234", "source": "manual",
                    }),
                );
            }
        }
    }

    fn quantity(&mut self) -> i64 {
        let most = self.pick(&[10, 5_000, 100_000]);
        i64::try_from(self.dice.between(1, most)).unwrap()
    }

    fn traded(&mut self, account: usize, security: usize, currency: &str, of: Value) -> String {
        let id = self.id("d");
        let (ticker, market) = SECURITIES[security];
        let mut data = json!({
            "id": id, "account_id": format!("a{account}"), "date": self.day(),
            "security_id": format!("s{security}"), "ticker": ticker, "qty": "0", "price": "0",
            "amount": "0", "currency": currency, "name": "Trade; \"x\"",
        });
        let fields = data.as_object_mut().unwrap();
        if let Some(market) = market {
            fields.insert("exchange_operating_mic".into(), market.into());
        }
        fields.extend(of.as_object().unwrap().clone());
        self.put("Trade", data);
        id
    }

    pub(super) fn trade(&mut self) {
        let account = self.pick(&HOLDERS);
        // Few, so that they meet.
        let security = usize::try_from(self.dice.between(0, 12)).unwrap() % SECURITIES.len() / 2;
        let own = ACCOUNTS[account].1;
        let currency = if self.seldom() { self.pick(&["USD", "EUR", "GBP"]) } else { own };
        let (quantity, price) = (self.quantity(), self.quantity());
        let fee = if self.seldom() { 12_300 } else { 0 };
        let value = value(quantity, price);
        let shares = |quantity| (thousandths(quantity), thousandths(price));
        let (into, price_text) = shares(quantity);
        let (out, _) = shares(-quantity);
        let of = match self.dice.between(0, 14) {
            0..=4 => json!({
                "trade_type": "buy", "qty": into, "price": price_text, "fee": decimal(fee),
                "amount": decimal(value + fee),
            }),
            5..=8 => json!({
                "trade_type": "sell", "qty": out, "price": price_text, "fee": decimal(fee),
                "amount": decimal(fee - value),
            }),
            9 => json!({ "trade_type": self.pick(&["dividend", "interest"]), "amount": "-12.34" }),
            10 => json!({ "trade_type": "fee", "amount": "1.5" }),
            11 => json!({
                "trade_type": "reinvestment", "qty": into, "price": price_text,
                "fee": decimal(fee), "cost": decimal(value + fee),
            }),
            12 => return self.moved(account, security, quantity),
            _ => return self.others(account, security, quantity),
        };
        self.traded(account, security, currency, of);
    }

    /// Shares that come from elsewhere or go elsewhere, and share splits.
    fn others(&mut self, account: usize, security: usize, quantity: i64) {
        let of = match self.dice.between(0, 4) {
            0 => json!({
                "trade_type": "transfer_in", "qty": thousandths(quantity), "cost": "100.01",
            }),
            1 => json!({ "trade_type": "transfer_in", "qty": thousandths(quantity) }),
            2 => json!({ "trade_type": "transfer_out", "qty": thousandths(-quantity) }),
            _ => json!({
                "trade_type": "split", "split_to": self.dice.between(1, 8), "split_from": 3,
                "recorded_at": "2024-05-17T10:00:00Z",
            }),
        };
        self.traded(account, security, ACCOUNTS[account].1, of);
    }

    fn moved(&mut self, from: usize, security: usize, quantity: i64) {
        let to = loop {
            let to = self.pick(&HOLDERS);
            if to != from {
                break to;
            }
        };
        let (day, currency) = (self.day(), ACCOUNTS[from].1);
        let next = format!("d{}", self.count + 2);
        let out = self.traded(
            from,
            security,
            currency,
            json!({
                "trade_type": "transfer_out", "qty": thousandths(-quantity), "date": day,
                "counterpart_id": next,
            }),
        );
        let into = self.traded(
            to,
            security,
            currency,
            json!({
                "trade_type": "transfer_in", "qty": thousandths(quantity), "date": day,
                "counterpart_id": out,
            }),
        );
        assert_eq!(into, next);
    }

    /// What a provider and a person stated.
    pub(super) fn stated(&mut self) {
        for account in HOLDERS {
            if self.dice.coin() {
                let (day, quantity) = (self.day(), self.quantity());
                self.put(
                    "Holding",
                    json!({
                        "account_id": format!("a{account}"), "security_id": "s0", "ticker": "VTI",
                        "date": day, "qty": thousandths(quantity), "currency": ACCOUNTS[account].1,
                        "price": "11.5",
                    }),
                );
            }
            // Also of several days.
            for _ in 0..2 {
                if !self.dice.coin() {
                    continue;
                }
                let (day, cost) = (self.day(), self.amount().abs());
                self.put(
                    "HoldingCost",
                    json!({
                        "account_id": format!("a{account}"), "security_id": "s1", "ticker": "VTI",
                        "exchange_operating_mic": "XNAS", "date": day,
                        "cost_total": money(cost, ACCOUNTS[account].1),
                        "stated_at": "2024-05-17T10:00:00Z",
                    }),
                );
            }
        }
    }
}
