//! The kinds of parameters that filters are made of.

use std::marker::PhantomData;
use std::str::FromStr;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::money::Currency;
use purser_core::named::{self, Named};
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::{Array, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

use super::Parameter;
use crate::http::body::schema;
use crate::http::describe::Description;
use crate::http::filters;
use crate::http::pagination::QueryParams;

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

pub(super) fn plural(name: &str) -> String {
    format!("{name}s")
}

pub(super) fn formatted(format: KnownFormat) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.format(Some(SchemaFormat::KnownFormat(format))).into()
}
