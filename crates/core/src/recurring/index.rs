//! Many series and many transactions: which belong together.
//!
//! [`Expected::covers`] compares one with one. Where thousands meet thousands, series are found by
//! who they are about first, and only those few are compared.

use std::collections::HashMap;

use uuid::Uuid;

use super::{Expected, Occurrence, series_key};

/// Series, found by merchant or name. They are identified by their position in the given list.
#[derive(Debug, Clone)]
pub struct Index<'a> {
    series: Vec<Expected<'a>>,
    merchants: HashMap<Uuid, Vec<usize>>,
    names: HashMap<String, Named>,
}

/// The series of a name.
#[derive(Debug, Clone, Default)]
struct Named {
    with_merchant: Vec<usize>,
    without_merchant: Vec<usize>,
}

impl<'a> Index<'a> {
    /// Builds the index; positions count from 0 in the given order.
    pub fn new(series: impl Iterator<Item = Expected<'a>>) -> Self {
        let series: Vec<Expected<'a>> = series.collect();
        let mut merchants: HashMap<Uuid, Vec<usize>> = HashMap::new();
        let mut names: HashMap<String, Named> = HashMap::new();
        for (number, one) in series.iter().enumerate() {
            let named = names.entry(series_key(one.name)).or_default();
            match one.merchant {
                Some(merchant) => {
                    merchants.entry(merchant).or_default().push(number);
                    named.with_merchant.push(number);
                }
                None => named.without_merchant.push(number),
            }
        }
        Self { series, merchants, names }
    }

    /// The positions of the series that a transaction belongs to, whatever its day.
    pub fn covering(&self, seen: &Occurrence) -> impl Iterator<Item = usize> {
        let named = self.names.get(&series_key(&seen.name));
        // Two merchants are compared directly; where one is missing, the names are compared.
        let first = match seen.merchant {
            Some(merchant) => self.merchants.get(&merchant),
            None => named.map(|named| &named.with_merchant),
        };
        let second = named.map(|named| &named.without_merchant);
        let numbers = first.into_iter().chain(second).flatten().copied();
        numbers.filter(|number| self.series.get(*number).is_some_and(|one| one.fits(seen)))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    type Who = (Option<u8>, String, i64);

    /// Few merchants, names and amounts, so that many meet.
    fn who() -> impl Strategy<Value = Who> {
        (prop::option::of(0_u8..3), "(Rent|rent 12|Shop|7)", prop::sample::select(AMOUNTS))
    }

    const AMOUNTS: &[i64] = &[-1_000, 1_000, 1_050, 2_000];
    const CURRENCIES: &[&str] = &["EUR", "USD"];

    fn id(number: u8) -> Uuid {
        Uuid::from_u128(u128::from(number))
    }

    proptest! {
        #[test]
        fn the_index_finds_what_comparing_each_with_each_finds(
            series in prop::collection::vec(
                (who(), prop::option::of(0_u8..3), prop::sample::select(CURRENCIES)),
                0..12,
            ),
            seen in (who(), 0_u8..3, prop::sample::select(CURRENCIES)),
        ) {
            let ((merchant, name, amount), account, currency) = seen;
            let seen = Occurrence {
                account: id(account),
                merchant: merchant.map(id),
                name,
                category: None,
                date: date(2024, 6, 1),
                amount,
                currency,
            };
            let expected = series.iter().map(|((merchant, name, amount), account, currency)| {
                Expected {
                    account: account.map(id),
                    merchant: merchant.map(id),
                    name: name.as_str(),
                    amount: *amount,
                    currency,
                }
            });
            let index = Index::new(expected.clone());
            let mut found: Vec<usize> = index.covering(&seen).collect();
            found.sort_unstable();
            let each: Vec<usize> = expected
                .enumerate()
                .filter(|(_, one)| one.covers(&seen))
                .map(|(number, _)| number)
                .collect();
            prop_assert_eq!(found, each);
        }
    }
}
