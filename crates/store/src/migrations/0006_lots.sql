-- Of shares that came from an account that is gone: their lots.
ALTER TABLE trades ADD COLUMN lots {text};      -- JSON, see purser_store::ledger::position_inputs
