-- PostgreSQL publishes in one commit, so nothing is ever hidden there, and these views show the
-- tables as they are. What they compared was a family with another table's family, and that isn't
-- known where families are spread over machines.
{postgres}DROP VIEW ledger_accounts;
{postgres}CREATE VIEW ledger_accounts AS SELECT * FROM accounts;
{postgres}DROP VIEW ledger_categories;
{postgres}CREATE VIEW ledger_categories AS SELECT * FROM categories;
{postgres}DROP VIEW ledger_tags;
{postgres}CREATE VIEW ledger_tags AS SELECT * FROM tags;
{postgres}DROP VIEW ledger_merchants;
{postgres}CREATE VIEW ledger_merchants AS SELECT * FROM merchants;
{postgres}DROP VIEW ledger_securities;
{postgres}CREATE VIEW ledger_securities AS SELECT * FROM securities;
