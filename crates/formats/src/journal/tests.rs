use jiff::civil::date;

use super::*;

const USD: Currency = Currency::USD;

fn written(dialect: Dialect, put: impl FnOnce(&mut Journal<'_>)) -> String {
    let whole = |put: &mut dyn FnMut(&mut Journal<'_>)| {
        let mut output = Vec::new();
        put(&mut Journal::begin(dialect, &mut output, "Ann \"& Bob\"", USD).unwrap());
        String::from_utf8(output).unwrap()
    };
    let begin = whole(&mut |_| ());
    let mut put = Some(put);
    let text = whole(&mut |journal| put.take().unwrap()(journal));
    text.strip_prefix(&begin).unwrap().to_owned()
}

fn posting<'a>(account: &'a str, amount: Amount<'a>) -> Posting<'a> {
    Posting { account, amount, facts: Vec::new() }
}

fn lot(quantity: i64, cost: Fraction, rounded: i128) -> Amount<'static> {
    let (quantity, opened) = (Decimal::from(quantity), date(2024, 1, 5));
    Amount::Lot {
        quantity,
        commodity: "BRK.B",
        opened,
        cost,
        is_known: true,
        rounded,
        currency: USD,
    }
}

#[track_caller]
fn check(put: impl Fn(&mut Journal<'_>), hledger: &str, beancount: &str) {
    assert_eq!(written(Dialect::Hledger, &put), hledger);
    assert_eq!(written(Dialect::Beancount, &put), beancount);
}

#[test]
fn a_transaction_in_another_currency_has_what_it_counts_as() {
    let transaction = Transaction {
        date: date(2024, 3, 9),
        payee: Some("(Café) | \"Zoë\""),
        text: "one; two\nthree",
        tags: vec!["kids", "tax"],
        facts: vec![("notes", "see [2024-01-01], date:2024 \\ \"x\"".into())],
        postings: vec![
            posting("Assets:Giro", Amount::Money(-220_000, USD)),
            Posting {
                account: "Expenses:Food",
                amount: Amount::Converted {
                    amount: 200_000,
                    currency: Currency::EUR,
                    booked: 220_000,
                    into: USD,
                },
                facts: vec![("name", "part".into())],
            },
        ],
    };
    check(
        |journal| journal.transaction(&transaction).unwrap(),
        "2024-03-09 * () (Café) / \"Zoë\" | one, two three\n    ; kids:, tax:\n    \
         ; notes: see (2024-01-01], date :2024 \\ \"x\"\n    \
         Assets:Giro  -22.00 USD\n    Expenses:Food  20.00 EUR @@ 22.00 USD\n    ; name: part\n\n",
        "2024-03-09 * \"(Café) | \\\"Zoë\\\"\" \"one; two\\nthree\" #kids #tax\n  \
         notes: \"see [2024-01-01], date:2024 \\\\ \\\"x\\\"\"\n  \
         Assets:Giro  -22.00 USD\n  Expenses:Food  20.00 EUR @@ 22.00 USD\n    name: \"part\"\n\n",
    );
}

/// A third of ten dollars has no end; hledger is given what the whole position's rounded cost
/// loses.
#[test]
fn a_sale_has_its_cost_and_the_rest_is_the_gain() {
    let cost = Fraction::new((-200_000).into(), 3.into());
    let transaction = Transaction {
        date: date(2024, 3, 9),
        payee: None,
        text: "Sell",
        tags: Vec::new(),
        facts: Vec::new(),
        postings: vec![
            posting("Assets:Depot", Amount::Money(80_000, USD)),
            posting("Assets:Depot", lot(-2, cost, -66_667)),
            posting("Income:Gains", Amount::Rest(USD)),
        ],
    };
    check(
        |journal| journal.transaction(&transaction).unwrap(),
        "2024-03-09 * Sell\n    Assets:Depot  8.00 USD\n    \
         Assets:Depot  -2 \"BRK.B\" @@ 6.6667 USD  ; lot: 2024-01-05\n    \
         Income:Gains  -1.3333 USD\n\n",
        "2024-03-09 * \"Sell\"\n  Assets:Depot  8.00 USD\n  Assets:Depot  \
         -2 BRK.B {3.3333333333333333333333333333 USD, 2024-01-05}\n  \
         Income:Gains  -1.3333 USD\n\n",
    );
}

#[test]
fn free_shares_are_not_those_of_unknown_cost() {
    let free = |is_known| Amount::Lot {
        quantity: Decimal::ONE,
        commodity: "VTI",
        opened: date(2024, 1, 5),
        cost: Fraction::new(0.into(), 1.into()),
        is_known,
        rounded: 0,
        currency: USD,
    };
    let transaction = Transaction {
        date: date(2024, 1, 5),
        payee: None,
        text: "Gift",
        tags: Vec::new(),
        facts: Vec::new(),
        postings: vec![posting("Assets:A", free(true)), posting("Assets:A", free(false))],
    };
    check(
        |journal| journal.transaction(&transaction).unwrap(),
        "2024-01-05 * Gift\n    Assets:A  1 VTI @@ 0.00 USD  ; lot: 2024-01-05\n    \
         Assets:A  1 VTI @@ 0.00 USD  ; lot: 2024-01-05, cost: unknown\n\n",
        "2024-01-05 * \"Gift\"\n  Assets:A  1 VTI {0 USD, 2024-01-05, \"free\"}\n  \
         Assets:A  1 VTI {0 USD, 2024-01-05, \"unknown cost\"}\n\n",
    );
}

/// Half a unit might be overlooked or not.
#[test]
fn what_rounding_leaves_is_booked_if_it_is_as_much_as_half_a_unit() {
    let half = Fraction::new(100_001.into(), 2.into());
    let bought = |cost: Fraction| Transaction {
        date: date(2024, 3, 9),
        payee: None,
        text: "Buy",
        tags: Vec::new(),
        facts: Vec::new(),
        postings: vec![
            posting("Assets:Depot", Amount::Money(-50_001, USD)),
            posting("Assets:Depot", lot(1, cost, 50_001)),
            posting("Income:Gains", Amount::Rest(USD)),
        ],
    };
    let text =
        |cost| written(Dialect::Beancount, |journal| journal.transaction(&bought(cost)).unwrap());
    let booked = "{5.00005 USD, 2024-01-05}\n  Income:Gains  0.0001 USD\n  \
        Equity:Rounding  -0.00005 USD\n\n";
    assert!(text(half).ends_with(booked));
    assert!(!text(Fraction::new(50_001.into(), 1.into())).contains("Rounding"));
    assert!(!text(Fraction::new(500_009.into(), 10.into())).contains("Rounding"));
}

#[test]
fn directives_are_those_of_each_program() {
    check(
        |journal| {
            let first = date(2024, 1, 1);
            journal.heading("Prices").unwrap();
            journal.currency(first, Currency::parse("JPY").unwrap()).unwrap();
            journal.commodity(first, "BRK.B", &[("name", "Berkshire; \"B\"".into())]).unwrap();
            journal.account(first, "Assets:Giro", &[]).unwrap();
            journal.price(first, "BRK.B", "412.5", "USD").unwrap();
            journal.price(first, "EUR", "1.1", "USD").unwrap();
            journal.assert(first, "Assets:Giro", EndBalance::Money(-5_000, USD)).unwrap();
            let shares = EndBalance::Shares(Decimal::new(-15, 1), "BRK.B");
            journal.assert(first, "Assets:Giro", shares).unwrap();
        },
        "\n; Prices\n\ncommodity 1000. JPY\ncommodity \"BRK.B\"\n    \
         ; name: Berkshire; \"B\"\naccount Assets:Giro\nP 2024-01-01 \"BRK.B\" 412.5 USD\n\
         P 2024-01-01 EUR 1.1 USD\n\
         2024-01-01 * Balance\n    Assets:Giro  0.00 USD = -0.50 USD\n\n\
         2024-01-01 * Balance\n    Assets:Giro  0 \"BRK.B\" = -1.5 \"BRK.B\"\n\n",
        "\n; Prices\n\n2024-01-01 commodity JPY\n2024-01-01 commodity BRK.B\n  \
         name: \"Berkshire; \\\"B\\\"\"\n2024-01-01 open Assets:Giro\n\
         2024-01-01 price BRK.B 412.5 USD\n2024-01-01 price EUR 1.1 USD\n\
         2024-01-02 balance Assets:Giro  -0.50 ~ 0 USD\n\
         2024-01-02 balance Assets:Giro  -1.5 ~ 0 BRK.B\n",
    );
}
