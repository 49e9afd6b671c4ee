-- What imports changed of records that are no entries: as they were before and after, for undo.
CREATE TABLE import_changes (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    kind {text} NOT NULL,                       -- category, …
    target_id {uuid} NOT NULL,
    before_image {text} NOT NULL,               -- JSON
    after_image {text} NOT NULL,                -- JSON
    PRIMARY KEY (family_id, import_id, kind, target_id),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};
