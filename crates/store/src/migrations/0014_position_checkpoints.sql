-- The day of a trade's entry. By it the trades of later days are found without those before.
ALTER TABLE trades ADD COLUMN date {int} NOT NULL DEFAULT 0;
UPDATE trades SET date = COALESCE((SELECT e.date FROM entries e
    WHERE e.family_id = trades.family_id AND e.id = trades.entry_id), 0);
CREATE INDEX trades_by_day ON trades (family_id, security_id, date);

-- Derived: what a fold of the trades of a security, in all accounts of the family, goes on from. The
-- first is written when the security's positions are folded the next time.
CREATE TABLE position_checkpoints (
    family_id {int} NOT NULL,
    security_id {uuid} NOT NULL,
    date {int} NOT NULL,                        -- at the end of this day
    state {text} NOT NULL,                      -- JSON, see purser_core::ledger::positions::checkpoint
    PRIMARY KEY (family_id, security_id, date),
    FOREIGN KEY (family_id, security_id) REFERENCES securities (family_id, id)
) {keyed};
