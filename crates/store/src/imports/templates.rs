//! Templates: what was chosen for a file, for the next one with the same header.
//!
//! A family has at most one for each type of import and header. A key that is restricted to
//! accounts knows only those that were last used for one of them.

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, TemplateId};
use purser_core::import::import_type::ImportType;
use purser_core::import::mapping::MappingChoice;
use purser_core::import::settings::Settings;
use purser_core::import::template::TemplateFormats;
use purser_core::limits::TEMPLATES_MAX;

use super::count;
use crate::access::FamilyTx;
use crate::driver::{Filter, Query, Row, Val, statements};
use crate::families::FamilyId;

statements! {
    /// The template of a header.
    TEMPLATE_BY_HEADER = "SELECT id, import_type, header_key, name, settings, found, choices,
            account_id, used_at, created_at, updated_at
        FROM import_templates WHERE family_id = $1 AND import_type = $2 AND header_key = $3";
    /// The templates of a type, the last used first.
    TEMPLATES_OF_TYPE = "SELECT id, import_type, header_key, name, settings, found, choices,
            account_id, used_at, created_at, updated_at
        FROM import_templates WHERE family_id = $1 AND import_type = $2
        ORDER BY used_at DESC, id DESC LIMIT $3";
    /// A template, in place of the one with the same header. The name that a person gave stays.
    TEMPLATE_PUT = "INSERT INTO import_templates (family_id, id, import_type, header_key, name,
            settings, found, choices, account_id, used_at, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10)
        ON CONFLICT (family_id, import_type, header_key)
        DO UPDATE SET settings = EXCLUDED.settings, found = EXCLUDED.found,
            choices = EXCLUDED.choices, account_id = EXCLUDED.account_id,
            used_at = EXCLUDED.used_at, updated_at = EXCLUDED.updated_at";
    /// Those go that were used longest ago.
    TEMPLATES_TRIM = "DELETE FROM import_templates WHERE family_id = $1 AND id IN (
        SELECT id FROM import_templates WHERE family_id = $1
        ORDER BY used_at DESC, id DESC LIMIT $2 OFFSET $3)";
    /// Gives a template another name.
    TEMPLATE_RENAME = "UPDATE import_templates SET name = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4";
    /// Removes a template for good.
    TEMPLATE_DELETE = "DELETE FROM import_templates WHERE family_id = $1 AND id = $2";
}

const TEMPLATES_SELECT: &str = "SELECT id, import_type, header_key, name, settings, found, choices,
        account_id, used_at, created_at, updated_at FROM import_templates";

/// What was chosen for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The id of the template.
    pub id: TemplateId,
    /// The type of the import.
    pub import_type: ImportType,
    /// The hash of the header.
    pub header_key: [u8; 32],
    /// The name that people see.
    pub name: String,
    /// The settings that were sent or chosen.
    pub settings: Settings,
    /// Formats that were found, and what was decided for accounts.
    pub found: TemplateFormats,
    /// What a person chose for names.
    pub choices: Vec<MappingChoice>,
    /// The account of the last import, as a suggestion.
    pub account: Option<AccountId>,
    /// When it was used last.
    pub used_at: Timestamp,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// What is kept of an import that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTemplate {
    /// The type of the import.
    pub import_type: ImportType,
    /// The hash of the header.
    pub header_key: [u8; 32],
    /// What it is called if it is the first with the header.
    pub name: String,
    /// The settings that were sent or chosen.
    pub settings: Settings,
    /// Formats that were found, and what was decided for accounts.
    pub found: TemplateFormats,
    /// What a person chose for names.
    pub choices: Vec<MappingChoice>,
    /// The account of the import.
    pub account: Option<AccountId>,
}

/// The template of a header.
pub fn template_by_header(
    tx: &mut FamilyTx<'_>,
    import_type: ImportType,
    header_key: &[u8; 32],
) -> Result<Option<Template>> {
    let family = tx.family();
    let key = [family.into(), Val::Text(import_type.as_str()), Val::Bytes(header_key)];
    tx.query_opt(&TEMPLATE_BY_HEADER, &key, read)
}

/// The templates of a type that were used last.
pub fn templates_of_type(
    tx: &mut FamilyTx<'_>,
    import_type: ImportType,
    limit: u64,
) -> Result<Vec<Template>> {
    let family = tx.family();
    let key = [family.into(), Val::Text(import_type.as_str()), count(limit)];
    tx.query(&TEMPLATES_OF_TYPE, &key, read)
}

/// Stores a template, in place of the one with the same header.
pub fn template_put(tx: &mut FamilyTx<'_>, new: &NewTemplate) -> Result<()> {
    let family = tx.family();
    let id = tx.new_id()?;
    let now = tx.now();
    let settings = serde_json::to_string(&new.settings).map_err(Error::internal)?;
    let found = serde_json::to_string(&new.found).map_err(Error::internal)?;
    let choices = serde_json::to_string(&new.choices).map_err(Error::internal)?;
    tx.execute(
        &TEMPLATE_PUT,
        &[
            family.into(),
            Val::Uuid(id),
            Val::Text(new.import_type.as_str()),
            Val::Bytes(&new.header_key),
            Val::Text(&new.name),
            Val::Text(&settings),
            Val::Text(&found),
            Val::Text(&choices),
            new.account.into(),
            now.into(),
        ],
    )?;
    let trim = [family.into(), count(TEMPLATES_MAX), count(TEMPLATES_MAX)];
    tx.execute(&TEMPLATES_TRIM, &trim).map(drop)
}

/// A page of templates, the last used first, and how many there are.
pub fn templates(tx: &mut FamilyTx<'_>, limit: u64, offset: u64) -> Result<(Vec<Template>, u64)> {
    let filter = visible(tx.family(), tx.accounts().only());
    let total = tx.query_one(&counting(&filter), &[], |row| row.count(0))?;
    Ok((tx.query(&page(&filter, limit, offset), &[], read)?, total))
}

/// The template with an id.
pub fn template_get(tx: &mut FamilyTx<'_>, id: TemplateId) -> Result<Template> {
    let one = visible(tx.family(), tx.accounts().only()).and("id = ?", [Val::Uuid(id.0)]);
    tx.query_opt(&one.query(TEMPLATES_SELECT, "", []), &[], read)?
        .ok_or(Error::NotFound { what: "Import template" })
}

/// Gives a template another name.
pub fn template_rename(tx: &mut FamilyTx<'_>, id: TemplateId, name: &str) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    let set = [Val::Text(name), now.into(), family.into(), Val::Uuid(id.0)];
    tx.execute(&TEMPLATE_RENAME, &set).map(drop)
}

/// Forgets a template. Imports that took over from it keep what they took.
pub fn template_delete(tx: &mut FamilyTx<'_>, id: TemplateId) -> Result<()> {
    let family = tx.family();
    tx.execute(&TEMPLATE_DELETE, &[family.into(), Val::Uuid(id.0)]).map(drop)
}

fn visible<'a>(family: FamilyId, accounts: Option<&[AccountId]>) -> Filter<'a> {
    let filter = Filter::of_family("family_id = ?", family);
    match accounts {
        None => filter,
        Some(accounts) => filter.and_in("account_id", accounts.iter().map(|id| (*id).into())),
    }
}

fn counting<'a>(filter: &Filter<'a>) -> Query<'a> {
    filter.query("SELECT CAST(COUNT(*) AS BIGINT) FROM import_templates", "", [])
}

fn page<'a>(filter: &Filter<'a>, limit: u64, offset: u64) -> Query<'a> {
    let then = "ORDER BY used_at DESC, id DESC LIMIT ? OFFSET ?";
    filter.query(TEMPLATES_SELECT, then, [count(limit), count(offset)])
}

/// The widest query, for the test that prepares it.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let family = FamilyId::from_number(1);
    let accounts = [AccountId(uuid::Uuid::nil())];
    let all = visible(family, Some(&accounts));
    let one = all.clone().and("id = ?", [Val::Uuid(uuid::Uuid::nil())]);
    vec![counting(&all), page(&all, 1, 0), one.query(TEMPLATES_SELECT, "", [])]
}

fn read(row: &Row<'_>) -> Result<Template> {
    Ok(Template {
        id: TemplateId(row.uuid(0)?),
        import_type: row.named(1)?,
        header_key: row.bytes(2)?.try_into().map_err(Error::internal)?,
        name: row.text(3)?.to_owned(),
        settings: serde_json::from_str(row.text(4)?).map_err(Error::internal)?,
        found: serde_json::from_str(row.text(5)?).map_err(Error::internal)?,
        choices: serde_json::from_str(row.text(6)?).map_err(Error::internal)?,
        account: row.opt_uuid(7)?.map(AccountId),
        used_at: row.timestamp(8)?,
        created_at: row.timestamp(9)?,
        updated_at: row.timestamp(10)?,
    })
}
