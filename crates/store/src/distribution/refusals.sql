-- What Citus refuses of statements that change the schema. Made by a superuser: these are the
-- triggers of events.
CREATE FUNCTION refuse_what_citus_refuses() RETURNS EVENT_TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    wrong RECORD;
BEGIN
    IF NOT EXISTS (SELECT FROM stand_ins.pg_dist_partition WHERE partmethod = 'h') THEN
        RETURN;
    END IF;
    IF current_query() ~ ';\s*\S' AND current_query() !~ 'DO \$wall\$' THEN
        RAISE 'several statements at once: %', current_query();
    END IF;
    FOR wrong IN
        SELECT c.conname FROM pg_constraint c WHERE c.contype = 'f'
            AND EXISTS (SELECT FROM stand_ins.pg_dist_partition WHERE logicalrel = c.conrelid)
                <> EXISTS (SELECT FROM stand_ins.pg_dist_partition WHERE logicalrel = c.confrelid)
    LOOP
        RAISE 'a foreign key between a table that is spread and one that is not: %', wrong.conname;
    END LOOP;
    FOR wrong IN
        SELECT tablename FROM pg_policies
        WHERE schemaname = 'public' AND qual LIKE '%SELECT%'
            AND EXISTS (SELECT FROM stand_ins.pg_dist_partition
                WHERE logicalrel = CAST(format('public.%I', tablename) AS REGCLASS))
    LOOP
        RAISE 'a policy with a subquery: %', wrong.tablename;
    END LOOP;
END $$;
CREATE EVENT TRIGGER refusals ON ddl_command_end EXECUTE FUNCTION refuse_what_citus_refuses();
