//! Lists without an envelope, of tags and of merchants: the body is an array, and how many there
//! are in all is in headers. Clients that know no pages get the first thousand.

use std::marker::PhantomData;

use axum::response::{IntoResponse, Response};
use http::{HeaderName, StatusCode};
use purser_app::FamilyTx;
use purser_core::error::{Error, Result};
use purser_core::limits::UNWRAPPED_LIST_ITEMS_MAX;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Content, ResponseBuilder};

use super::call::List;
use super::describe::{Description, Output};
use super::error::ApiResult;
use super::json_bytes;
use super::pagination::{PageRequest, QueryParams};
use super::query::Query;

/// The number of items in the whole list.
pub(crate) const TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");
/// The number of pages.
pub(crate) const TOTAL_PAGES: HeaderName = HeaderName::from_static("x-total-pages");
/// The number of the page.
pub(crate) const PAGE: HeaderName = HeaderName::from_static("x-page");
/// The number of items of a page.
pub(crate) const PER_PAGE: HeaderName = HeaderName::from_static("x-per-page");

/// The page of an unwrapped list that is requested.
#[derive(Debug)]
pub(crate) struct UnwrappedPage(PageRequest);

impl Query for UnwrappedPage {
    fn describe(operation: &mut Description<'_>) -> bool {
        let most = UNWRAPPED_LIST_ITEMS_MAX;
        let per_page = format!("The number of items of a page. More than {most} counts as {most}.");
        for (name, description, default) in [
            ("page", "The number of the page, from 1.".to_owned(), 1),
            ("per_page", per_page, most),
        ] {
            let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
            let number = number.default(Some(default.into()));
            operation.parameter(ParameterIn::Query, name, description, number.into());
        }
        true
    }

    fn read(params: &QueryParams) -> Result<Self> {
        PageRequest::sized(params, (UNWRAPPED_LIST_ITEMS_MAX, UNWRAPPED_LIST_ITEMS_MAX)).map(Self)
    }
}

/// 200 with an array of items, and headers with the position of the page.
#[derive(Debug)]
pub(crate) struct UnwrappedList<T> {
    response: Response,
    items: PhantomData<fn() -> T>,
}

impl<T: Serialize + Send + 'static> UnwrappedList<T> {
    /// Answers with the requested page of what `list` finds.
    pub(crate) async fn read<N: Into<T> + 'static>(
        call: List<UnwrappedPage>,
        list: fn(&mut FamilyTx<'_>) -> Result<Vec<N>>,
    ) -> ApiResult<Self> {
        let (app, caller, sent) = call.judged().await?;
        let UnwrappedPage(page) = sent.query;
        let work = move |tx: &mut FamilyTx<'_>| {
            let found = list(tx)?;
            let total = found.len() as u64;
            let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
            let shown = found.into_iter().skip(offset).take(page.per_page as usize);
            let items: Vec<T> = shown.map(Into::into).collect();
            Ok((total, serde_json::to_string(&items).map_err(Error::internal)?))
        };
        let (total, body) = app.store.read(caller.access(), work).await?;
        let mut response = json_bytes(StatusCode::OK, body);
        for (name, number) in [
            (TOTAL_COUNT, total),
            (TOTAL_PAGES, page.total_pages(total)),
            (PAGE, page.page),
            (PER_PAGE, page.per_page.into()),
        ] {
            response.headers_mut().insert(name, number.into());
        }
        Ok(Self { response, items: PhantomData })
    }
}

impl<T> IntoResponse for UnwrappedList<T> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<T> Output for UnwrappedList<T>
where
    Vec<T>: ToSchema,
{
    fn describe(operation: &mut Description) {
        let content = Content::new(Some(operation.components.schema::<Vec<T>>()));
        operation.response(200, "The request succeeded.", |response| {
            let response = response.content("application/json", content);
            [
                ("X-Total-Count", "The number of items in the whole list."),
                ("X-Total-Pages", "The number of pages; 1 when the list is empty."),
                ("X-Page", "The number of this page, from 1."),
                ("X-Per-Page", "The number of items of a page."),
            ]
            .into_iter()
            .fold(response, with_number)
        });
    }
}

fn with_number(response: ResponseBuilder, (name, description): (&str, &str)) -> ResponseBuilder {
    let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
    let header = HeaderBuilder::new().schema(Some(number)).description(Some(description));
    response.header(name, header.build())
}
