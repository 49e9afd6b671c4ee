use super::*;
use crate::accounts::tests::{input, make};
use crate::testing::on_both;

#[test]
fn a_holding_keeps_its_id_and_the_cost_that_is_trusted_most() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (other, _) = fixture.family("two");
        let account = make(fixture, family, &input("Broker", "investment", "0")).summary.id;
        let put = |quantity: &str, cost: Option<Cost>| {
            let stored = fixture.store.write_blocking(family, |tx| {
                let security = security_put(tx, family, " vti ", "", None)?;
                assert_eq!(security, security_put(tx, family, "VTI", "", Some("Total"))?);
                let position = Position {
                    account,
                    security,
                    currency: Currency::USD,
                    date: jiff::civil::date(2024, 5, 1),
                    quantity: quantity.parse().unwrap(),
                    price: "0.00000001".parse().unwrap(),
                    amount: 70_000,
                    cost,
                };
                holding_put(tx, family, &position)
            });
            stored.unwrap()
        };
        let cost =
            |total, source| Some(Cost { total, quantity: Decimal::from(3), source, locked: false });
        let id = put("3", cost(10, CostBasisSource::Calculated));
        assert_eq!(put("4.50", cost(20, CostBasisSource::Provider)), id);

        let read = |family, restriction: Restriction<'_>| {
            fixture.store.read_blocking(|tx| get(tx, family, restriction, id))
        };
        let holding = read(family, Some(&[account])).unwrap();
        assert_eq!(holding.cost, cost(10, CostBasisSource::Calculated));
        assert_eq!(holding.quantity, Decimal::new(45, 1));
        assert_eq!(holding.price, Decimal::new(1, 8));
        assert_eq!(holding.security.ticker, "VTI");
        assert_eq!(holding.security.name.as_deref(), Some("Total"));
        assert_eq!(read(other, None).unwrap_err().code(), "not_found");
        assert_eq!(read(family, Some(&[])).unwrap_err().code(), "not_found");
    });
}
