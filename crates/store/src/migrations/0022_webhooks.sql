-- Addresses that are sent what has happened, and what was sent to each.
CREATE TABLE webhooks (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    url {text} NOT NULL,
    secret {bytes} NOT NULL,                    -- encrypted; signs what is sent
    events {text} NOT NULL,                     -- names, separated by commas
    is_active {bool} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};

CREATE TABLE webhook_deliveries (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    webhook_id {uuid} NOT NULL,
    event {text} NOT NULL,
    subject_id {uuid} NOT NULL,                 -- what the event is about; may be gone
    body {text} NOT NULL,
    status {text} NOT NULL,                     -- pending, delivered, failed
    attempts {int} NOT NULL,
    next_attempt_at {int},                      -- of a pending one
    response_status {int},                      -- of the latest answer
    failure {text},                             -- of the latest attempt
    created_at {int} NOT NULL,
    completed_at {int},
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, webhook_id) REFERENCES webhooks (family_id, id)
) {keyed};
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (family_id, webhook_id, created_at, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at);
