-- What the rows that a plan adds come to in accounts that exist. Plans of before don't have it, so
-- those of imports that may still be published are made again.
ALTER TABLE imports ADD COLUMN plan_flows {text};           -- JSON; null: of many accounts, or no plan
UPDATE imports SET plan_version = 0 WHERE plan IS NOT NULL AND status IN ('pending', 'failed', 'importing');
