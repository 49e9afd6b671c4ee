-- Lots have a place in line that stays when accounts are deleted, so what folds go on from is of
-- another form. The first is written when the security's positions are folded the next time.
DELETE FROM position_checkpoints;

-- Costs that a person stated of earlier days than cost_date.
ALTER TABLE holdings ADD COLUMN earlier_costs {text};       -- JSON, see purser_store::ledger::stated_costs
