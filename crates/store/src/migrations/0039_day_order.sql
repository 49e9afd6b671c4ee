-- Lots have a place in line that stays when accounts are deleted, so what folds go on from is of
-- another form, and some lots of accounts that are gone are sold in another order. The positions of
-- each family are folded again, by a job of its own.
DELETE FROM position_checkpoints;
INSERT INTO jobs (id, family_id, kind, payload, dedupe_key, state, run_at, attempts, attempts_max,
        lease_token, created_at)
    SELECT {new_uuid}, id, 'positions.refold', '{}', 'positions.refold', 'queued', {now}, 0, 6, 0,
        {now}
    FROM families
    WHERE id IN (SELECT family_id FROM position_segments)
    ON CONFLICT (family_id, dedupe_key) WHERE dedupe_key IS NOT NULL AND state <> 'failed' DO NOTHING;

-- Costs that a person stated of earlier days than cost_date.
ALTER TABLE holdings ADD COLUMN earlier_costs {text};       -- JSON, see purser_store::ledger::stated_costs
