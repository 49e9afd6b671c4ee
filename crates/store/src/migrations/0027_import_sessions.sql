-- Files in the server's own format that are sent in chunks.
CREATE TABLE import_sessions (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    client_session_id {text},                   -- the client's own name
    expected_chunks {int} NOT NULL,
    import_id {uuid},                           -- once it is published
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};
CREATE UNIQUE INDEX import_sessions_by_client ON import_sessions (family_id, client_session_id);
CREATE INDEX import_sessions_newest ON import_sessions (family_id, created_at, id);
CREATE INDEX import_sessions_by_import ON import_sessions (family_id, import_id);
CREATE INDEX import_sessions_open ON import_sessions (updated_at) WHERE import_id IS NULL;

CREATE TABLE import_session_chunks (
    family_id {int} NOT NULL,
    session_id {uuid} NOT NULL,
    sequence {int} NOT NULL,                    -- its place, from 1
    id {uuid} NOT NULL,
    client_chunk_id {text},                     -- the client's own name
    file_id {uuid},                             -- until the session has an import
    bytes {int} NOT NULL,
    sha256 {bytes} NOT NULL,
    lines_count {int} NOT NULL,
    rows_count {int} NOT NULL,                  -- lines that aren't blank
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, session_id, sequence),
    FOREIGN KEY (family_id, session_id) REFERENCES import_sessions (family_id, id),
    FOREIGN KEY (family_id, file_id) REFERENCES files (family_id, id)
) {keyed};
CREATE INDEX import_session_chunks_by_file ON import_session_chunks (family_id, file_id);
