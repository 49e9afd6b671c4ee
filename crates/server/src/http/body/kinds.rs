//! Kinds of values in bodies: how each is read from JSON, and how it is described.
//!
//! Values that the domain judges (ids, days, amounts) are handed on as the text that was sent, so
//! that one rule judges what comes from bodies, files and forms alike.

use std::marker::PhantomData;

use purser_core::error::Problems;
use purser_core::ledger::input::{self, AmountText};
use purser_core::named::Named;
use utoipa::openapi::schema::{AnyOf, Array, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

use super::{Body, Sent, schema};
use crate::http::describe::Components;
use crate::http::fields::{Fields, Json};

/// A kind of value that a member can have.
pub(crate) trait Kind {
    /// The type of the value that is read.
    type Output;
    /// Whether a text of nothing but white space counts as null.
    const BLANK_IS_NULL: bool = false;
    /// Reads a value that is not null. What can't be read is a problem of the field.
    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<Self::Output>;
    /// The schema of a value that is not null.
    fn schema(components: &mut Components) -> RefOr<Schema>;
}

/// A text of `MIN` to `MAX` characters; `MAX` is the limit that the domain keeps.
pub(crate) struct Text<const MIN: usize, const MAX: usize>;

impl<const MIN: usize, const MAX: usize> Kind for Text<MIN, MAX> {
    type Output = String;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<String> {
        let text = json.text();
        if text.is_none() {
            problems.field(field, "must be a string");
        }
        text
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(MAX));
        text.min_length((MIN > 0).then_some(MIN)).into()
    }
}

/// A text without limits of its own, such as an alias that may not count.
pub(crate) struct AnyText;

impl Kind for AnyText {
    type Output = String;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<String> {
        Text::<0, 0>::from_json(json, field, problems)
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

/// A text that has a form of its own; the domain judges it.
pub(crate) trait Form {
    /// A regular expression that every accepted text matches, and few others.
    const PATTERN: &'static str;
}

/// A text of the form `F`.
pub(crate) struct Formed<F>(PhantomData<F>);

impl<F: Form> Kind for Formed<F> {
    type Output = String;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<String> {
        Text::<0, 0>::from_json(json, field, problems)
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(F::PATTERN)).into()
    }
}

/// A colour written `#rrggbb`.
pub(crate) struct HexColor;

impl Form for HexColor {
    const PATTERN: &'static str = "^ *(#[0-9A-Fa-f]{6})? *$";
}

/// The code of a currency, such as `USD`.
pub(crate) struct CurrencyCode;

impl Form for CurrencyCode {
    const PATTERN: &'static str = "^ *[A-Za-z]{3,5} *$";
}

/// An id. What is no id is judged where the id is looked up, so that it is refused like an id that
/// nothing has.
pub(crate) struct Id;

impl Kind for Id {
    type Output = String;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, _: &str, _: &mut Problems) -> Option<String> {
        Some(json.written())
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        formatted(KnownFormat::Uuid)
    }
}

/// A calendar date written `YYYY-MM-DD`; the domain judges it.
pub(crate) struct Day;

impl Kind for Day {
    type Output = String;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, _: &str, _: &mut Problems) -> Option<String> {
        Some(json.written())
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        formatted(KnownFormat::Date)
    }
}

/// As [`Day`], or a timestamp of RFC 3339, which stands for its calendar day in the offset that it
/// names.
pub(crate) struct DayOrTime;

impl Kind for DayOrTime {
    type Output = String;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, _: &str, _: &mut Problems) -> Option<String> {
        let text = json.written();
        Some(input::timestamp_day(&text).map_or(text, |day| day.to_string()))
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        let mut either = AnyOf::new();
        either.items = vec![formatted(KnownFormat::Date), formatted(KnownFormat::DateTime)];
        RefOr::T(Schema::AnyOf(either))
    }
}

/// An amount, a quantity, a price or a rate: a JSON number or a plain decimal as text. The domain
/// reads and judges it.
pub(crate) struct Decimal;

impl Kind for Decimal {
    type Output = AmountText;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, _: &str, _: &mut Problems) -> Option<AmountText> {
        Some(match json.number() {
            Some(number) => AmountText::JsonNumber(number.to_owned()),
            None => AmountText::Text(json.written()),
        })
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        components.add("DecimalInput", |_| {
            let number = ObjectBuilder::new().schema_type(Type::Number);
            let text = ObjectBuilder::new()
                .schema_type(Type::String)
                .pattern(Some(r"^ *[-+]?([0-9]+\.?[0-9]*|\.[0-9]+) *$"));
            let mut either = AnyOf::new();
            either.items = vec![number.into(), text.into()];
            either.description = Some(
                "A number, or a plain decimal as text, which is read exactly. So is a number, but \
                 one with more digits than the member takes is rounded to 15 significant digits \
                 first, because many clients calculate in floats."
                    .into(),
            );
            RefOr::T(Schema::AnyOf(either))
        })
    }
}

/// `true` or `false`, as JSON or as text.
pub(crate) struct Flag;

impl Kind for Flag {
    type Output = bool;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<bool> {
        let flag = json.flag();
        if flag.is_none() {
            problems.field(field, "must be true or false");
        }
        flag
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        let words = ObjectBuilder::new().schema_type(Type::String);
        let words = words.enum_values(Some(["true", "false"]));
        let mut either = AnyOf::new();
        either.items = vec![ObjectBuilder::new().schema_type(Type::Boolean).into(), words.into()];
        RefOr::T(Schema::AnyOf(either))
    }
}

/// A whole number from `MIN` to `MAX`, as a number or as text.
pub(crate) struct Whole<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Kind for Whole<MIN, MAX> {
    type Output = i64;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<i64> {
        let number = json.written().trim().parse().ok();
        let number = number.filter(|number| (MIN..=MAX).contains(number));
        if number.is_none() {
            problems.field(field, format!("must be a whole number from {MIN} to {MAX}"));
        }
        number
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        number.minimum(Some(MIN)).maximum(Some(MAX)).into()
    }
}

/// One of the values of a fixed list, by its name.
pub(crate) struct OneOf<E>(PhantomData<E>);

impl<E: Named> Kind for OneOf<E> {
    type Output = E;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<E> {
        let value = E::named(json.written().trim());
        if value.is_none() {
            problems.field(field, format!("must be {}", purser_core::named::list::<E>()));
        }
        value
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        schema::names::<E>()
    }
}

/// A list of `MIN` to `MAX` values of one kind; the domain keeps the limits.
pub(crate) struct List<K, const MAX: usize, const MIN: usize = 0>(PhantomData<K>);

impl<K: Kind, const MAX: usize, const MIN: usize> Kind for List<K, MAX, MIN> {
    type Output = Vec<K::Output>;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<Vec<K::Output>> {
        let Some(items) = json.items() else {
            problems.field(field, "must be a list");
            return None;
        };
        let mut values = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let (item, field) = (Json::new(item), format!("{field}[{index}]"));
            if item.is_null() {
                problems.field(field, "must not be null");
                continue;
            }
            values.extend(K::from_json(item, &field, problems));
        }
        Some(values)
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        let mut list = Array::new(K::schema(components));
        list.max_items = (MAX < usize::MAX).then_some(MAX);
        list.min_items = (MIN > 0).then_some(MIN);
        RefOr::T(Schema::Array(list))
    }
}

/// An object with members of its own. Their problems are named by their path.
pub(crate) struct Object<B>(PhantomData<B>);

impl<B: Body> Kind for Object<B> {
    type Output = B;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<B> {
        let Some(fields) = json.object() else {
            problems.field(field, "must be an object");
            return None;
        };
        let mut own = Problems::new();
        let value = read_members(&fields, &mut own);
        problems.extend_below(field, own.into_list());
        Some(value)
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        schema::component::<B>(B::NAME, true, components)
    }
}

fn read_members<B: Body>(fields: &Fields, problems: &mut Problems) -> B {
    B::read(&Sent { inner: fields, outer: fields }, problems)
}

/// JSON that the domain reads itself, as the text that was sent; described by `S`.
pub(crate) struct Raw<S>(PhantomData<S>);

/// The schema of a value that the domain reads itself.
pub(crate) trait RawSchema {
    /// The schema of the raw value.
    fn schema(components: &mut Components) -> RefOr<Schema>;
}

impl<S: RawSchema> Kind for Raw<S> {
    type Output = String;

    fn from_json(json: Json<'_>, _: &str, _: &mut Problems) -> Option<String> {
        Some(json.raw().to_owned())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        S::schema(components)
    }
}

/// A text with one of the formats that the specification of OpenAPI knows.
fn formatted(format: KnownFormat) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.format(Some(SchemaFormat::KnownFormat(format))).into()
}
