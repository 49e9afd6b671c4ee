-- Stand-ins for the functions of Citus on a PostgreSQL of one machine: they move nothing, but refuse
-- what Citus refuses, and note each call.
CREATE SCHEMA stand_ins;
CREATE TABLE stand_ins.pg_dist_partition (
    logicalrel REGCLASS PRIMARY KEY,
    partmethod "char" NOT NULL,
    partkey TEXT,
    repmodel "char" NOT NULL,
    called SERIAL,
    colocationid INT NOT NULL DEFAULT 1
);
-- Citus keeps the column in a form of its own.
CREATE FUNCTION stand_ins.column_to_column_name(name REGCLASS, partkey TEXT) RETURNS TEXT
LANGUAGE sql STRICT AS 'SELECT partkey';
-- Where Citus has it, it is found without the name of a schema.
DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = public, stand_ins', current_database());
END $$;

CREATE FUNCTION require_bare(name REGCLASS) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('citus.multi_shard_modify_mode', TRUE) IS DISTINCT FROM 'sequential' THEN
        RAISE 'not in sequential mode';
    END IF;
    IF EXISTS (SELECT FROM stand_ins.pg_dist_partition WHERE logicalrel = name) THEN
        RAISE '% is spread twice', name;
    END IF;
    IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND name IN (conrelid, confrelid)) THEN
        RAISE '% has a foreign key', name;
    END IF;
    IF EXISTS (SELECT FROM pg_policy WHERE polrelid = name)
        OR (SELECT relrowsecurity OR relforcerowsecurity FROM pg_class WHERE oid = name) THEN
        RAISE '% has row-level security: its rows would not be moved', name;
    END IF;
END $$;

CREATE FUNCTION create_distributed_table(
    name REGCLASS, family TEXT, distribution_type TEXT DEFAULT 'hash',
    colocate_with TEXT DEFAULT 'default', shard_count INT DEFAULT NULL
) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    is_first BOOLEAN := name = CAST('families' AS REGCLASS);
BEGIN
    PERFORM require_bare(name);
    IF family <> (CASE WHEN is_first THEN 'id' ELSE 'family_id' END)
        OR colocate_with <> (CASE WHEN is_first THEN 'none' ELSE 'families' END) THEN
        RAISE '% is spread by % beside %', name, family, colocate_with;
    END IF;
    IF NOT is_first AND NOT EXISTS (
        SELECT FROM stand_ins.pg_dist_partition WHERE logicalrel = CAST('families' AS REGCLASS)) THEN
        RAISE '% comes before the families', name;
    END IF;
    IF EXISTS (SELECT FROM pg_index WHERE indrelid = name AND indisunique AND NOT EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = name AND attname = family
            AND attnum = ANY (CAST(indkey AS INT2[])))) THEN
        RAISE '% has a unique index without the family', name;
    END IF;
    INSERT INTO stand_ins.pg_dist_partition VALUES (name, 'h', family, 's');
END $$;

CREATE FUNCTION citus_add_local_table_to_metadata(name REGCLASS) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_bare(name);
    INSERT INTO stand_ins.pg_dist_partition VALUES (name, 'n', NULL, 's');
END $$;

CREATE FUNCTION create_reference_table(name REGCLASS) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_bare(name);
    INSERT INTO stand_ins.pg_dist_partition VALUES (name, 'n', NULL, 't');
END $$;
