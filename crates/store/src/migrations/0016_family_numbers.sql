-- The highest number that a family ever got: the next family gets the one after it.
ALTER TABLE installation RENAME COLUMN removed_family TO last_family;
UPDATE installation SET last_family = (SELECT CASE WHEN COALESCE(MAX(f.id), 0) > installation.last_family
    THEN MAX(f.id) ELSE installation.last_family END FROM families f);
