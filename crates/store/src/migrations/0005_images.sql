-- What a change of many records (a file of prices) created, changed and removed: as the records were
-- before and after, for the history and for taking it back. A row has the images of many.
CREATE TABLE audit_images (
    family_id {int} NOT NULL,
    event_id {uuid} NOT NULL,
    block {int} NOT NULL,                       -- from 0 on
    images {text} NOT NULL,                     -- JSON: kind, id, before, after of each
    PRIMARY KEY (family_id, event_id, block),
    -- The blocks are written while the change is made, the event at its end.
    FOREIGN KEY (family_id, event_id) REFERENCES audit_events (family_id, id)
        DEFERRABLE INITIALLY DEFERRED
) {keyed};
