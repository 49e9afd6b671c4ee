//! Rows of the data for isolation that no route makes.

use serde_json::json;

use crate::isolation_data::Data;
use crate::support::{Family, Sql};

impl Data {
    /// Pairs are made by hand; what the matching would find depends on what else there is.
    #[track_caller]
    pub(crate) fn match_nothing(family: &Family) {
        let off = json!({ "transfer_matching": "off" });
        family.api.patch("/api/v1/family_settings", &off).expect_status(200);
    }

    /// Inserts what no route makes: a merchant, a connection and what belongs to it.
    pub(crate) fn insert_the_rest(&self, sql: &Sql, email: &str) {
        let Self { mark, .. } = self;
        let family = format!("(SELECT family_id FROM sign_in_names WHERE email = '{email}')");
        let [account, transaction, merchant, connection, sync, duplicate, statement, import] = [
            &self.account,
            &self.transaction,
            &self.merchant,
            &self.connection,
            &self.sync,
            &self.duplicate,
            &self.statement,
            &self.import,
        ]
        .map(|id| sql.uuid(id));
        let credentials = sql.bytes(mark.as_bytes());
        sql.run(&format!(
            "INSERT INTO merchants (family_id, id, name, name_key, created_at, updated_at) VALUES
                 ({family}, {merchant}, '{mark} shop', '{mark} shop', 1, 1);
             UPDATE entries SET merchant_id = {merchant} WHERE id = {transaction};
             INSERT INTO connections (family_id, id, provider, provider_type, name, status,
                  credentials, scheduled_for_deletion, institution_name, institution_domain,
                  institution_url, consent_expires_at, next_attempt_at, created_at, updated_at)
             VALUES ({family}, {connection}, 'lunchflow', 'aggregator', '{mark} connection', 'good',
                  {credentials}, FALSE, '{mark} bank', '{mark}.example', 'https://{mark}.example',
                  1, NULL, 1, 1);
             INSERT INTO connection_accounts (family_id, id, connection_id, external_id, name,
                  state, is_listed, is_ignored, account_id, seen_at, created_at)
             VALUES ({family}, {sync}, {connection}, '{mark} at the bank', '{mark} there', 'active',
                  TRUE, FALSE, {account}, 1, 1);
             INSERT INTO webhooks (family_id, id, url, secret, events, is_active, created_at,
                  updated_at)
             VALUES ({family}, {connection}, 'https://{mark}.example', {credentials},
                  'sync.failed', TRUE, 1, 1);
             INSERT INTO webhook_deliveries (family_id, id, webhook_id, event, subject_id, body,
                  status, attempts, failure, created_at, completed_at)
             VALUES ({family}, {sync}, {connection}, 'sync.failed', {connection}, '{mark}',
                  'failed', 9, 'refused', 1, 1);
             INSERT INTO syncs VALUES
                 ({family}, {sync}, {connection}, 'system', NULL, 'failed', 0, 1, 'rate_limited', 1,
                  1, NULL, 1);
             INSERT INTO sync_outcomes (family_id, sync_id, found_account_id, step, failure,
                  rows_read, rows_unreadable)
             VALUES ({family}, {sync}, {sync}, 'balance', 'rate_limited', 0, 0);
             INSERT INTO bank_statements (family_id, id, account_id, import_id, format, bank,
                  holder, identifier, first_day, last_day, currency, opening, closing, closing_day,
                  lines_count, missing_count, created_at)
             VALUES ({family}, {statement}, {account}, {import}, 'mt940', '{mark} bank',
                  '{mark} holder', '{mark} 1', 1, 30, 'USD', 1, 2, 30, 1, 0, 1);
             INSERT INTO bank_statement_matches (family_id, entry_id, statement_id)
             VALUES ({family}, {transaction}, {statement});
             INSERT INTO bank_statement_positions
             VALUES ({family}, {statement}, 0, NULL, '{mark} security', NULL, '1.0');
             INSERT INTO sync_suggestions (family_id, entry_id, other_id, id, account_id, doubt,
                  created_at)
             SELECT family_id, {transaction}, id, {duplicate}, account_id, 'resembles', 1
                 FROM entries
                 WHERE family_id = {family} AND account_id = {account} AND kind = 0
                     AND id <> {transaction}
                 ORDER BY id LIMIT 1;
             INSERT INTO sync_suggestions (family_id, entry_id, other_id, id, account_id, doubt,
                  created_at)
             SELECT family_id, {transaction}, id, {sync}, account_id, 'resembles', 2
                 FROM entries
                 WHERE family_id = {family} AND account_id = {account} AND kind = 0
                     AND id <> {transaction}
                 ORDER BY id LIMIT 1 OFFSET 1;"
        ));
    }
}
