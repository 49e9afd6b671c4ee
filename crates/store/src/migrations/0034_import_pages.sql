-- The pages of documents as they were read, for pictures of them.
CREATE TABLE import_pages (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    file_id {uuid} NOT NULL,
    PRIMARY KEY (family_id, import_id),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id),
    FOREIGN KEY (family_id, file_id) REFERENCES files (family_id, id)
) {keyed};
