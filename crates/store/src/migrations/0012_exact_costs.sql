-- Costs of positions keep all digits from now on. What is stored was made of rounded amounts, so
-- the positions of each family are folded again, by a job of its own.
INSERT INTO jobs (id, family_id, kind, payload, dedupe_key, state, run_at, attempts, attempts_max,
        lease_token, created_at)
    SELECT {new_uuid}, id, 'positions.refold', '{}', 'positions.refold', 'queued', {now}, 0, 6, 0,
        {now}
    FROM families
    WHERE id IN (SELECT family_id FROM position_segments);
