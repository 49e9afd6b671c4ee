-- What the provider of a connected account called its holdings, and the securities that they stand
-- for: a person may have corrected that.
CREATE TABLE sync_holdings (
    family_id {int} NOT NULL,
    account_id {uuid} NOT NULL,                 -- the connected account
    source {text} NOT NULL,                     -- the provider
    clues {text} NOT NULL,                      -- JSON, see purser_core::sync::holdings::Clues
    security_id {uuid} NOT NULL,
    PRIMARY KEY (family_id, account_id, source, clues),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, security_id) REFERENCES securities (family_id, id)
) {keyed};
CREATE INDEX sync_holdings_by_security ON sync_holdings (family_id, security_id);
