-- Positions that bank statements of investments state. All positions of the account on the day.
ALTER TABLE bank_statements ADD COLUMN positions_day {int}; -- at the end of which; null: none stated

CREATE TABLE bank_statement_positions (
    family_id {int} NOT NULL,
    statement_id {uuid} NOT NULL,
    number {int} NOT NULL,                      -- in the statement, from 0
    security_id {uuid},                         -- may be deleted; null: which one isn't known
    name {text} NOT NULL,                       -- as the file has it: the ticker, if it has one
    isin {text},                                -- as the file has it
    qty {text} NOT NULL,                        -- negative: sold short
    PRIMARY KEY (family_id, statement_id, number),
    FOREIGN KEY (family_id, statement_id) REFERENCES bank_statements (family_id, id)
) {keyed};
