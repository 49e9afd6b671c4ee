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

mod parameters;

use purser_core::error::{Problems, Result};
use purser_core::limits::{PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX};
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

pub(crate) use parameters::{
    Among, Choice, Choices, CurrencyCode, Day, Decimal, Flag, Id, Ids, StrictFlag, Values, Word,
};

use super::describe::{Description, joined};
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
