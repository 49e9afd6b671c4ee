-- Files with everything that a family has; they are removed after some days.
CREATE TABLE family_exports (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    status {text} NOT NULL,                     -- pending, processing, completed, failed
    file_id {uuid},                             -- of a completed one
    records_count {int},                        -- lines of the file
    error {text},                               -- a sentence for people
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    completed_at {int},
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, file_id) REFERENCES files (family_id, id)
) {keyed};
CREATE INDEX family_exports_newest ON family_exports (family_id, created_at, id);
