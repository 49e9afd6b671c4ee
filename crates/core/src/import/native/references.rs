//! What records are called, and what they point to.

use super::entries::{EntryFacts, Labels};
use super::securities::SecurityName;
use super::{Record, RecordType, SourceId};

/// Is called with the type of what is pointed to, its id, and the field.
pub(super) type Visit<'v> = dyn FnMut(RecordType, &SourceId, &str) + 'v;

impl Record {
    /// The ids of the record; of a transaction also those of its parts.
    pub(super) fn ids(&self) -> Vec<&SourceId> {
        match self {
            Self::Account(one) => vec![&one.id],
            Self::Category(one) => vec![&one.id],
            Self::Tag(one) => vec![&one.id],
            Self::Merchant(one) => vec![&one.id],
            Self::RecurringTransaction(one) => vec![&one.id],
            Self::Transaction(one) => {
                let parts = one.parts.iter().filter_map(|part| part.id.as_ref());
                std::iter::once(&one.id).chain(parts).collect()
            }
            Self::Trade(one) => one.id.iter().collect(),
            Self::Valuation(one) => one.id.iter().collect(),
            Self::Budget(one) => vec![&one.id],
            Self::Rule(one) => vec![&one.id],
            Self::Security(one) => vec![&one.id],
            _ => Vec::new(),
        }
    }

    /// What people call the record, if it has a name.
    pub(super) fn title(&self) -> Option<&str> {
        match self {
            Self::Account(one) => Some(&one.name),
            Self::Category(one) => Some(&one.name),
            Self::Tag(one) => Some(&one.name),
            Self::Merchant(one) => Some(&one.name),
            Self::RecurringTransaction(one) => one.name.as_deref(),
            Self::Transaction(one) => Some(&one.facts.name),
            Self::Valuation(one) => Some(&one.facts.name),
            Self::Trade(one) => Some(&one.security.listing.ticker),
            Self::Tombstone(one) => Some(&one.facts.name),
            Self::Security(one) => Some(&one.values.listing.ticker),
            Self::Rule(one) => one.rule.name.as_ref().and_then(Option::as_deref),
            _ => None,
        }
    }

    /// Visits what the record is nothing without, but for the sides of a transfer: labels are
    /// missing where they aren't taken.
    pub fn required(&self, visit: &mut Visit<'_>) {
        let mut needed = |of, id: &SourceId, field: &str| {
            let is_label = matches!(of, RecordType::Merchant | RecordType::Tag);
            let is_side = matches!(of, RecordType::Transaction | RecordType::Trade);
            let is_of_entry = matches!(self, Self::Transaction(_) | Self::RecurringTransaction(_));
            if !(is_label || is_side || (of == RecordType::Category && is_of_entry)) {
                visit(of, id, field);
            }
        };
        self.references(&mut needed);
    }

    /// Visits what the record points to. The sides of a rejected transfer may be missing.
    pub(super) fn references(&self, visit: &mut Visit<'_>) {
        use RecordType as T;
        match self {
            Self::Category(one) => {
                visit_option(T::Category, one.parent.as_ref(), "parent_id", visit)
            }
            Self::Transaction(one) => {
                visit_facts(&one.facts, "", visit);
                visit_labels(&one.labels, "", visit);
                if let Some(origin) = &one.origin {
                    visit_facts(origin, "origin.", visit);
                }
                for (at, part) in one.parts.iter().enumerate() {
                    visit_labels(&part.labels, &format!("split_lines[{at}]."), visit);
                }
            }
            Self::Valuation(one) => visit_facts(&one.facts, "", visit),
            Self::Trade(one) => {
                visit_facts(&one.facts, "", visit);
                visit_security(&one.security, visit);
                visit_option(T::Trade, one.counterpart.as_ref(), "counterpart_id", visit);
            }
            Self::Tombstone(one) => visit_facts(&one.facts, "", visit),
            Self::Balance(one) => visit(T::Account, &one.account, "account_id"),
            Self::Holding(one) => {
                visit(T::Account, &one.account, "account_id");
                visit_security(&one.security, visit);
            }
            Self::HoldingCost(one) => {
                visit(T::Account, &one.account, "account_id");
                visit_security(&one.security, visit);
            }
            Self::SecurityPrice(one) => visit(T::Security, &one.security, "security_id"),
            Self::Transfer(one) => {
                visit(T::Transaction, &one.outflow, "outflow_transaction_id");
                visit(T::Transaction, &one.inflow, "inflow_transaction_id");
            }
            Self::BudgetCategory(one) => {
                visit(T::Budget, &one.budget, "budget_id");
                visit(T::Category, &one.category, "category_id");
            }
            Self::RecurringTransaction(one) => {
                visit_option(T::Account, one.account.as_ref(), "account_id", visit);
                // Without a merchant only a name can show what the series is.
                let merchant = one.merchant.as_ref().filter(|_| one.name.is_none());
                visit_option(T::Merchant, merchant, "merchant_id", visit);
                visit_option(T::Category, one.category.as_ref(), "category_id", visit);
            }
            // A rule may name what is gone; it doesn't run then.
            Self::Family
            | Self::Rule(_)
            | Self::Budget(_)
            | Self::Account(_)
            | Self::Tag(_)
            | Self::Merchant(_)
            | Self::RejectedTransfer(_)
            | Self::Security(_)
            | Self::ExchangeRate(_) => {}
        }
    }
}

fn visit_option(of: RecordType, id: Option<&SourceId>, field: &str, visit: &mut Visit<'_>) {
    if let Some(id) = id {
        visit(of, id, field);
    }
}

fn visit_facts(facts: &EntryFacts, within: &str, visit: &mut Visit<'_>) {
    visit(RecordType::Account, &facts.account, &format!("{within}account_id"));
}

fn visit_labels(labels: &Labels, within: &str, visit: &mut Visit<'_>) {
    let field = |name: &str| format!("{within}{name}");
    visit_option(RecordType::Category, labels.category.as_ref(), &field("category_id"), visit);
    // A merchant that the file has no record of is made of its name. Without one it is left out:
    // the older server doesn't export merchants that a bank's provider found.
    for tag in labels.tags.iter().flatten() {
        visit(RecordType::Tag, tag, &field("tag_ids"));
    }
}

fn visit_security(security: &SecurityName, visit: &mut Visit<'_>) {
    // Other programs have no records of securities: their ticker names them.
    if security.listing.ticker.is_empty() {
        visit_option(RecordType::Security, security.id.as_ref(), "security_id", visit);
    }
}
