//! The fields of an upload, for the description of the interface: `http::content` and
//! `purser_app::imports::request` read them.

use serde::Serialize;
use utoipa::ToSchema;

/// An upload as JSON.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportUpload)]
pub(super) struct UploadJson {
    /// The content, at most 10 MiB in UTF-8.
    raw_file_content: Option<String>,
    #[serde(flatten)]
    fields: UploadFields,
}

/// An upload as a form.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportUploadForm)]
pub(super) struct UploadForm {
    /// The file, at most 10 MiB. It wins over `raw_file_content`.
    #[schema(value_type = Option<String>, format = Binary, content_media_type = "application/octet-stream")]
    file: Option<Vec<u8>>,
    /// The content, instead of a file.
    raw_file_content: Option<String>,
    #[serde(flatten)]
    fields: UploadFields,
}

/// What can be said about the content. Unknown fields are ignored.
#[derive(Debug, Serialize, ToSchema)]
struct UploadFields {
    /// One of the twelve import types; this version reads `TransactionImport`.
    #[schema(default = "TransactionImport")]
    #[serde(rename = "type")]
    import_type: Option<String>,
    /// The account that every row goes to.
    #[schema(value_type = Option<uuid::Uuid>)]
    account_id: Option<String>,
    /// `true` queues the import at once if nothing stands in the way.
    #[schema(example = "true")]
    publish: Option<String>,
    /// `true` publishes the valid rows and leaves out the others.
    skip_invalid: Option<String>,
    #[serde(flatten)]
    settings: SettingsFields,
    /// `false` takes over nothing from an earlier file with the same header. Else settings that are
    /// not sent are those that were published with that file, and `source.template` tells which.
    #[schema(default = "true")]
    use_template: Option<String>,
}

/// What can be said about the columns and the formats.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportSettings)]
pub(super) struct SettingsFields {
    /// Header of the date column. Labels that are not sent are found from well-known headers.
    #[schema(example = "Date")]
    date_col_label: Option<String>,
    /// Header of the amount column.
    #[schema(example = "Amount")]
    amount_col_label: Option<String>,
    /// Header of the name column.
    name_col_label: Option<String>,
    /// Header of the category column. `Parent:Child` makes both levels.
    category_col_label: Option<String>,
    /// Header of the tags column.
    tags_col_label: Option<String>,
    /// Header of the notes column.
    notes_col_label: Option<String>,
    /// Header of the account column, when rows span several accounts.
    account_col_label: Option<String>,
    /// Trades only.
    qty_col_label: Option<String>,
    /// Trades only.
    ticker_col_label: Option<String>,
    /// Trades only.
    price_col_label: Option<String>,
    /// Header of the column that says in or out, for `custom_column`.
    entity_type_col_label: Option<String>,
    /// Header of the currency column.
    currency_col_label: Option<String>,
    /// Trades only.
    exchange_operating_mic_col_label: Option<String>,
    /// Categories only: header of the column with the category above.
    parent_col_label: Option<String>,
    /// Categories only: header of the column with colors, written `#rrggbb`.
    color_col_label: Option<String>,
    /// Categories only: header of the column with the names of icons.
    icon_col_label: Option<String>,
    /// A strftime pattern that names a whole date. Sent: used strictly. Not sent: found in the
    /// whole file, or the import is not configured if two patterns fit.
    #[schema(example = "%m/%d/%Y")]
    date_format: Option<String>,
    /// `1,234.56`, `1.234,56`, `1 234,56` or `1,234`. Sent: used strictly. Not sent: found.
    #[schema(example = "1,234.56")]
    number_format: Option<String>,
    /// `inflows_positive` or `inflows_negative`.
    #[schema(default = "inflows_positive")]
    signage_convention: Option<String>,
    /// `,`, `;`, `|` or a tab.
    col_sep: Option<String>,
    /// `signed_amount` or `custom_column`.
    #[schema(default = "signed_amount")]
    amount_type_strategy: Option<String>,
    /// With `custom_column`: the value that marks an inflow.
    amount_type_inflow_value: Option<String>,
    /// Lines before the header.
    rows_to_skip: Option<String>,
}
