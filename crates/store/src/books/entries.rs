//! Transactions, and trades of money alone, by day; with the parts, the tags, the rates and the
//! transfers that belong to them. Pending ones aren't booked and are left out.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ledger::entry::EntryKind;
use purser_core::ledger::trade::TradeType;
use purser_core::money::Currency;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements, vals};

statements! {
    /// A page of booked entries, by day. Neither valuations nor parts.
    BOOKS_ENTRIES = "SELECT id, account_id, date, amount, currency, COALESCE(booked, amount), name,
            notes, category_id, merchant_id, excluded, kind, source, external_id, is_split,
            booked IS NOT NULL
        FROM ledger_entries
        WHERE family_id = $1 AND (date, id) > ($2, $3) AND kind NOT IN (1, 3) AND NOT pending
        ORDER BY date, id LIMIT $4";
    /// The tags of entries.
    BOOKS_TAGS_OF = "SELECT entry_id, tag_id FROM entry_tags
        WHERE family_id = $1 AND entry_id = ANY($2) ORDER BY entry_id, tag_id";
    /// The parts of transactions.
    BOOKS_PARTS_OF = "SELECT parent_id, id, amount, COALESCE(booked, amount), name, notes,
            category_id, merchant_id, excluded
        FROM ledger_entries WHERE family_id = $1 AND parent_id = ANY($2) ORDER BY parent_id, id";
    /// The rates by which amounts were converted.
    BOOKS_RATES_OF = "SELECT entry_id, rate FROM entry_conversions
        WHERE family_id = $1 AND entry_id = ANY($2)";
    /// The types of trades.
    BOOKS_TYPES_OF = "SELECT entry_id, trade_type, security_id FROM trades
        WHERE family_id = $1 AND entry_id = ANY($2)";
    /// The other sides of transfers that money goes out by.
    BOOKS_INFLOWS_OF = "SELECT t.outflow_id, t.id, i.id, i.account_id, i.date,
            COALESCE(i.booked, i.amount), i.name, i.pending, i.notes
        FROM transfers t JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id
        WHERE t.family_id = $1 AND t.status = 'confirmed' AND t.outflow_id = ANY($2)";
    /// The other sides of transfers that money comes in by.
    BOOKS_OUTFLOWS_OF = "SELECT t.inflow_id, t.id, o.id, o.account_id, o.date,
            COALESCE(o.booked, o.amount), o.name, o.pending, o.notes
        FROM transfers t JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
        WHERE t.family_id = $1 AND t.status = 'confirmed' AND t.inflow_id = ANY($2)";
}

/// Entries that are in memory at a time.
const PAGE_ENTRIES: i64 = 1000;

/// An entry with what belongs to it.
#[derive(Debug)]
pub struct Entry {
    /// The id of the entry.
    pub id: Uuid,
    /// The account of the entry.
    pub account: Uuid,
    /// The day of the entry.
    pub date: Date,
    /// The amount; positive is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The amount in the account's currency; 0 if no rate is known.
    pub booked: i64,
    /// The name of the entry.
    pub name: String,
    /// What people noted.
    pub notes: Option<String>,
    /// The category.
    pub category: Option<Uuid>,
    /// The merchant.
    pub merchant: Option<Uuid>,
    /// Whether reports leave it out.
    pub excluded: bool,
    /// The source that gave it an id.
    pub source: Option<String>,
    /// Its id at the source.
    pub external_id: Option<String>,
    /// The rate by which it was converted.
    pub conversion: Conversion,
    /// Its tags, and those of its parts.
    pub tags: Vec<Uuid>,
    /// Its parts, if it is split.
    pub parts: Vec<Part>,
    /// The transfer that it is a side of.
    pub transfer: Option<Side>,
    /// What it is if it is a trade, and of which security.
    pub trade: Option<(TradeType, Uuid)>,
}

/// How an amount came into the currency of its account.
#[derive(Debug, PartialEq, Eq)]
pub enum Conversion {
    /// It is in that currency.
    None,
    /// By this rate.
    Rate(String),
    /// No rate is known.
    Unknown,
}

/// A part of a split transaction.
#[derive(Debug)]
pub struct Part {
    /// The id of the part.
    pub id: Uuid,
    /// The amount in the currency of the whole.
    pub amount: i64,
    /// The amount in the account's currency.
    pub booked: i64,
    /// The name of the part.
    pub name: String,
    /// What people noted.
    pub notes: Option<String>,
    /// The category.
    pub category: Option<Uuid>,
    /// The merchant.
    pub merchant: Option<Uuid>,
    /// Whether reports leave it out.
    pub excluded: bool,
}

/// A confirmed transfer, seen from one side.
#[derive(Debug)]
pub struct Side {
    /// The id of the transfer.
    pub transfer: Uuid,
    /// Whether money goes out by this side.
    pub is_outflow: bool,
    /// The entry of the other side.
    pub other: Uuid,
    /// Its account.
    pub account: Uuid,
    /// Its day.
    pub date: Date,
    /// Its amount in its account's currency.
    pub booked: i64,
    /// Its name.
    pub name: String,
    /// Whether it isn't booked.
    pub pending: bool,
    /// What people noted.
    pub notes: Option<String>,
    /// Its tags.
    pub tags: Vec<Uuid>,
}

/// The entries after one, which is named by its day and its id; none if there are no more.
pub fn page(tx: &mut FamilyTx<'_>, after: (Date, Uuid)) -> Result<Vec<Entry>> {
    let family = tx.family();
    let mut kinds = Vec::new();
    let key = vals![family, after.0, after.1, PAGE_ENTRIES];
    let mut entries = tx.query(&BOOKS_ENTRIES, key, |row| {
        kinds.push((row.int(11)?, row.bool(14)?, row.bool(15)?));
        read_entry(row)
    })?;
    let of = |is_wanted: &dyn Fn(&(i64, bool, bool)) -> bool| -> Vec<Val<'_>> {
        let wanted = entries.iter().zip(&kinds).filter(|(_, kind)| is_wanted(kind));
        wanted.map(|(entry, _)| Val::Uuid(entry.id)).collect()
    };
    let all = of(&|_| true);
    let traded = of(&|(kind, ..)| *kind == EntryKind::Trade.code());
    let split = of(&|(_, is_split, _)| *is_split);
    let converted = of(&|(.., is_converted)| *is_converted);
    let mut found = Belongings::default();
    found.read_parts(tx, &split)?;
    found.read_transfers(tx, &all)?;
    let mut tagged: BTreeSet<Uuid> = entries.iter().map(|entry| entry.id).collect();
    tagged.extend(found.parts.values().flatten().map(|part| part.id));
    tagged.extend(found.transfers.values().map(|side| side.other));
    let tagged: Vec<Val<'_>> = tagged.into_iter().map(Val::Uuid).collect();
    found.read(tx, &tagged, &converted, &traded)?;
    for entry in &mut entries {
        found.give(entry);
    }
    Ok(entries)
}

fn read_entry(row: &Row<'_>) -> Result<Entry> {
    let conversion = if row.bool(15)? { Conversion::Unknown } else { Conversion::None };
    Ok(Entry {
        id: row.uuid(0)?,
        account: row.uuid(1)?,
        date: row.date(2)?,
        amount: row.int(3)?,
        currency: row.currency(4)?,
        booked: row.int(5)?,
        name: row.string(6)?,
        notes: row.opt_string(7)?,
        category: row.opt_uuid(8)?,
        merchant: row.opt_uuid(9)?,
        excluded: row.bool(10)?,
        source: row.opt_string(12)?,
        external_id: row.opt_string(13)?,
        conversion,
        tags: Vec::new(),
        parts: Vec::new(),
        transfer: None,
        trade: None,
    })
}

/// What belongs to the entries of a page, by their ids.
#[derive(Default)]
struct Belongings {
    tags: HashMap<Uuid, Vec<Uuid>>,
    parts: HashMap<Uuid, Vec<Part>>,
    rates: HashMap<Uuid, String>,
    trades: HashMap<Uuid, (TradeType, Uuid)>,
    transfers: HashMap<Uuid, Side>,
}

impl Belongings {
    fn read_parts(&mut self, tx: &mut FamilyTx<'_>, split: &[Val<'_>]) -> Result<()> {
        let family = tx.family();
        tx.lookup(&BOOKS_PARTS_OF, vals![family], split, |row| {
            let part = Part {
                id: row.uuid(1)?,
                amount: row.int(2)?,
                booked: row.int(3)?,
                name: row.string(4)?,
                notes: row.opt_string(5)?,
                category: row.opt_uuid(6)?,
                merchant: row.opt_uuid(7)?,
                excluded: row.bool(8)?,
            };
            self.parts.entry(row.uuid(0)?).or_default().push(part);
            Ok(())
        })
    }

    fn read(
        &mut self,
        tx: &mut FamilyTx<'_>,
        tagged: &[Val<'_>],
        converted: &[Val<'_>],
        traded: &[Val<'_>],
    ) -> Result<()> {
        let family = tx.family();
        tx.lookup(&BOOKS_TAGS_OF, vals![family], tagged, |row| {
            self.tags.entry(row.uuid(0)?).or_default().push(row.uuid(1)?);
            Ok(())
        })?;
        tx.lookup(&BOOKS_RATES_OF, vals![family], converted, |row| {
            if let Some(rate) = row.opt_string(1)? {
                self.rates.insert(row.uuid(0)?, rate);
            }
            Ok(())
        })?;
        tx.lookup(&BOOKS_TYPES_OF, vals![family], traded, |row| {
            self.trades.insert(row.uuid(0)?, (row.named(1)?, row.uuid(2)?));
            Ok(())
        })
    }

    fn read_transfers(&mut self, tx: &mut FamilyTx<'_>, all: &[Val<'_>]) -> Result<()> {
        let family = tx.family();
        for (sql, is_outflow) in [(&BOOKS_INFLOWS_OF, true), (&BOOKS_OUTFLOWS_OF, false)] {
            tx.lookup(sql, vals![family], all, |row| {
                let side = Side {
                    transfer: row.uuid(1)?,
                    is_outflow,
                    other: row.uuid(2)?,
                    account: row.uuid(3)?,
                    date: row.date(4)?,
                    booked: row.int(5)?,
                    name: row.string(6)?,
                    pending: row.bool(7)?,
                    notes: row.opt_string(8)?,
                    tags: Vec::new(),
                };
                self.transfers.insert(row.uuid(0)?, side);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn give(&mut self, entry: &mut Entry) {
        entry.parts = self.parts.remove(&entry.id).unwrap_or_default();
        let tags_of = |id: &Uuid| self.tags.get(id).cloned().unwrap_or_default();
        entry.tags = tags_of(&entry.id);
        entry.tags.extend(entry.parts.iter().flat_map(|part| tags_of(&part.id)));
        entry.transfer = self.transfers.remove(&entry.id);
        if let Some(side) = &mut entry.transfer {
            side.tags = tags_of(&side.other);
        }
        if let Some(rate) = self.rates.remove(&entry.id) {
            entry.conversion = Conversion::Rate(rate);
        }
        entry.trade = self.trades.remove(&entry.id);
    }
}
