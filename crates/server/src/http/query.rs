//! Queries: one struct that is read from the parameters, judged and described.
//!
//! ```text
//! query! {
//!     struct SecurityFilter {
//!         /// Only securities with this ticker, in any case.
//!         ticker: Word,
//!         /// Only securities of this kind.
//!         kind: Choice<SecurityKind>,
//!     }
//! }
//! ```
//!
//! A parameter that is missing or blank is no filter (`None`); one that can't be understood is a
//! problem among others. [`Paged`] adds `page` and `per_page`.

use std::marker::PhantomData;
use std::str::FromStr;

use jiff::civil::Date;
use purser_core::error::{Problems, Result};
use purser_core::limits::{PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX};
use purser_core::money::Currency;
use purser_core::named::{self, Named};
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::{Array, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

use super::body::schema;
use super::describe::{Description, joined};
use super::filters;
use super::pagination::{PageRequest, QueryParams};

/// The query of a request.
pub(crate) trait Query: Sized + Send + Sync + 'static {
    /// Describes the parameters; answers whether there are any.
    fn describe(operation: &mut Description<'_>) -> bool;
    /// Reads the parameters; every problem is reported.
    fn read(params: &QueryParams) -> Result<Self>;
}

impl Query for () {
    fn describe(_: &mut Description<'_>) -> bool {
        false
    }

    fn read(_: &QueryParams) -> Result<Self> {
        Ok(())
    }
}

/// The parameters of a filter; `query!` implements it.
pub(crate) trait Filter: Sized + Send + Sync + 'static {
    /// Adds the parameters to the operation.
    fn describe(operation: &mut Description<'_>);
    /// Reads the parameters; what can't be read is a problem, and no filter.
    fn read(params: &QueryParams, problems: &mut Problems) -> Self;
}

impl Filter for () {
    fn describe(_: &mut Description<'_>) {}

    fn read(_: &QueryParams, _: &mut Problems) -> Self {}
}

/// Two filters together, for members that several queries share.
impl<A: Filter, B: Filter> Filter for (A, B) {
    fn describe(operation: &mut Description<'_>) {
        A::describe(operation);
        B::describe(operation);
    }

    fn read(params: &QueryParams, problems: &mut Problems) -> Self {
        (A::read(params, problems), B::read(params, problems))
    }
}

/// A filter with the page of the list that is wanted.
#[derive(Debug)]
pub(crate) struct Paged<F = ()> {
    /// The page that is requested.
    pub(crate) page: PageRequest,
    /// The parameters of the filter.
    pub(crate) filter: F,
}

impl<F: Filter> Query for Paged<F> {
    fn describe(operation: &mut Description<'_>) -> bool {
        for (name, description, default) in [
            ("page", "The number of the page, from 1.", 1),
            (
                "per_page",
                "The number of items of a page. More than 100 counts as 100.",
                PAGE_ITEMS_DEFAULT,
            ),
        ] {
            let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
            let number = number.default(Some(default.into()));
            operation.parameter(ParameterIn::Query, name, description.to_owned(), number.into());
        }
        debug_assert_eq!(PAGE_ITEMS_MAX, 100, "the description names the limit");
        F::describe(operation);
        true
    }

    fn read(params: &QueryParams) -> Result<Self> {
        let mut problems = Problems::new();
        let page = problems.take(PageRequest::from_query(params))?;
        let filter = F::read(params, &mut problems);
        problems.into_result()?;
        Ok(Self { page: page.unwrap_or(PageRequest::FIRST), filter })
    }
}

/// A filter of a list or a report that has no pages.
#[derive(Debug)]
pub(crate) struct Unpaged<F>(pub(crate) F);

impl<F: Filter> Query for Unpaged<F> {
    fn describe(operation: &mut Description<'_>) -> bool {
        F::describe(operation);
        true
    }

    fn read(params: &QueryParams) -> Result<Self> {
        let mut problems = Problems::new();
        let filter = F::read(params, &mut problems);
        problems.into_result()?;
        Ok(Self(filter))
    }
}

/// A kind of parameter.
pub(crate) trait Parameter {
    /// What reading gives, for a parameter that may be missing.
    type Value;
    /// Reads the parameter of this name.
    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value>;
    /// Describes the parameter of this name.
    fn describe(operation: &mut Description<'_>, name: &'static str, description: String) {
        operation.parameter(ParameterIn::Query, name, description, Self::schema());
    }
    /// The schema of its value.
    fn schema() -> RefOr<Schema>;
}

/// A text, without white space around it.
pub(crate) struct Word;

impl Parameter for Word {
    type Value = Option<String>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        Ok(filters::value(params, name)?.map(str::to_owned))
    }

    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

/// `true` or `false`; `1` and `0` are understood too.
pub(crate) struct Flag;

impl Parameter for Flag {
    type Value = Option<bool>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        filters::flag(params, name)
    }

    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Boolean).into()
    }
}

/// A calendar date written `YYYY-MM-DD`.
pub(crate) struct Day;

impl Parameter for Day {
    type Value = Option<Date>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        filters::day(params, name)
    }

    fn schema() -> RefOr<Schema> {
        formatted(KnownFormat::Date)
    }
}

/// A decimal without an exponent.
pub(crate) struct Decimal;

impl Parameter for Decimal {
    type Value = Option<rust_decimal::Decimal>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        filters::decimal(params, name)
    }

    fn schema() -> RefOr<Schema> {
        let pattern = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)$";
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).into()
    }
}

/// The code of a currency, in either case.
pub(crate) struct CurrencyCode;

impl Parameter for CurrencyCode {
    type Value = Option<Currency>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        filters::currency(params, name)
    }

    fn schema() -> RefOr<Schema> {
        let code = ObjectBuilder::new().schema_type(Type::String);
        code.pattern(Some("^[A-Za-z]{3,5}$")).into()
    }
}

/// One of the values of a fixed list, by its name.
pub(crate) struct Choice<E>(PhantomData<E>);

impl<E: Named> Parameter for Choice<E> {
    type Value = Option<E>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        let Some(text) = filters::value(params, name)? else { return Ok(None) };
        match E::ALL.iter().find(|value| value.name() == text) {
            Some(value) => Ok(Some(*value)),
            None => Err(filters::invalid(name, format!("must be {}", named::list::<E>()))),
        }
    }

    fn schema() -> RefOr<Schema> {
        schema::names::<E>()
    }
}

/// Some of the values of a fixed list.
pub(crate) trait Values: 'static {
    /// The type of the values.
    type Value: Named;
    /// The values that are taken.
    const VALUES: &'static [Self::Value];
}

/// One of some values, by its name.
pub(crate) struct Among<S>(PhantomData<S>);

impl<S: Values> Parameter for Among<S> {
    type Value = Option<S::Value>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        let Some(text) = filters::value(params, name)? else { return Ok(None) };
        match S::Value::named(text).filter(|value| S::VALUES.contains(value)) {
            Some(value) => Ok(Some(value)),
            None => Err(filters::invalid(name, format!("must be {}", named::list_of(S::VALUES)))),
        }
    }

    fn schema() -> RefOr<Schema> {
        schema::names_of(S::VALUES)
    }
}

/// Some of the values of a fixed list, by their names: separated by commas, or one parameter each.
pub(crate) struct Choices<E>(PhantomData<E>);

impl<E: Named> Parameter for Choices<E> {
    type Value = Vec<E>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        let sent = params.many(name)?;
        let names = sent.iter().flat_map(|(_, names)| names.split(',')).map(str::trim);
        let values = names.filter(|name| !name.is_empty()).map(E::named).collect::<Option<_>>();
        values.ok_or_else(|| {
            filters::invalid(name, format!("must be one or some of {}", named::list::<E>()))
        })
    }

    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Array(Array::new(schema::names::<E>())))
    }
}

/// `true` or `false`; a blank value is refused.
pub(crate) struct StrictFlag;

impl Parameter for StrictFlag {
    type Value = Option<bool>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        match params.one(name)?.map(str::trim) {
            Some("") => Err(filters::invalid(name, "must be true or false")),
            _ => filters::flag(params, name),
        }
    }

    fn schema() -> RefOr<Schema> {
        Flag::schema()
    }
}

/// The id of something.
pub(crate) struct Id<T>(PhantomData<T>);

impl<T: FromStr> Parameter for Id<T> {
    type Value = Option<T>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        filters::id(params, name)
    }

    fn schema() -> RefOr<Schema> {
        formatted(KnownFormat::Uuid)
    }
}

/// Ids: one parameter with the singular name for one, and its plural for several, as
/// `account_ids[]=a&account_ids[]=b` or `account_ids=a,b`. Declared under the singular name.
pub(crate) struct Ids<T>(PhantomData<T>);

impl<T: FromStr> Parameter for Ids<T> {
    type Value = Vec<T>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        filters::ids(params, name, &plural(name))
    }

    fn describe(operation: &mut Description<'_>, name: &'static str, description: String) {
        operation.parameter(ParameterIn::Query, name, description.clone(), Self::schema());
        let list = Array::new(Self::schema());
        let plural = plural(name);
        let several = format!("{description} Several ids, also as `{plural}=a,b`.");
        let schema = RefOr::T(Schema::Array(list));
        operation.parameter(ParameterIn::Query, &format!("{plural}[]"), several, schema);
    }

    fn schema() -> RefOr<Schema> {
        formatted(KnownFormat::Uuid)
    }
}

fn plural(name: &str) -> String {
    format!("{name}s")
}

fn formatted(format: KnownFormat) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.format(Some(SchemaFormat::KnownFormat(format))).into()
}

/// Describes a parameter with its lines of documentation.
pub(crate) fn describe<K: Parameter>(
    operation: &mut Description<'_>,
    name: &'static str,
    doc: &[&str],
) {
    K::describe(operation, name, joined(doc));
}

/// Declares a filter; see [`super::query`].
macro_rules! query {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident {
            $($(#[doc = $member_doc:literal])* $member_vis:vis $member:ident: $kind:ty),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug)]
        $vis struct $name {
            $(
                $(#[doc = $member_doc])*
                $member_vis $member: <$kind as $crate::http::query::Parameter>::Value,
            )*
        }

        impl $crate::http::query::Filter for $name {
            fn describe(operation: &mut $crate::http::describe::Description<'_>) {
                $($crate::http::query::describe::<$kind>(
                    operation,
                    $crate::http::describe::member_name(stringify!($member)),
                    &[$($member_doc),*],
                );)*
            }

            fn read(
                params: &$crate::http::pagination::QueryParams,
                problems: &mut purser_core::error::Problems,
            ) -> Self {
                $(
                    let name = $crate::http::describe::member_name(stringify!($member));
                    let $member = $crate::http::filters::collect(
                        <$kind as $crate::http::query::Parameter>::read(params, name),
                        problems,
                    );
                )*
                Self { $($member),* }
            }
        }
    };
}

pub(crate) use query;
