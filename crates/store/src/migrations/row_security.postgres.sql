-- Row-level security: a second wall beside the family in every statement. Built after the last step
-- of the schema, for every table that has none yet, so that no later step can forget it.
--
-- A row is reached if `purser.family` is its family or 'all'; without the setting none is. The
-- condition is written so that the planner takes nearly every row for reached (IS NOT NULL of an
-- expression), since the statements name the family themselves and it would be counted twice
-- otherwise. The subquery (SELECT) reads the setting once in a statement, not once a row; where
-- families are spread over machines there is none, because Citus takes none in policies.
DO $wall$
DECLARE
    one record;
    reached text;
BEGIN
    FOR one IN
        SELECT c.oid::regclass AS name, a.attname AS family
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
            AND a.attname = CASE c.relname WHEN 'families' THEN 'id' ELSE 'family_id' END
        WHERE c.relnamespace = to_regnamespace(current_schema()::text) AND c.relkind IN ('r', 'p')
            AND pg_has_role(c.relowner, 'USAGE')
            AND NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid)
    LOOP
        reached := format(
            '(CASE ({once}CASE current_setting(''purser.family'', TRUE)
                    WHEN ''all'' THEN -1
                    WHEN '''' THEN NULL
                    ELSE CAST(current_setting(''purser.family'', TRUE) AS BIGINT) END)
                WHEN %I THEN TRUE
                WHEN -1 THEN TRUE END) IS NOT NULL',
            one.family);
        EXECUTE format(
            'CREATE POLICY of_family ON %s USING (%s) WITH CHECK (%s)', one.name, reached, reached);
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', one.name);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', one.name);
    END LOOP;
    -- With the rights of whoever reads them, not of their owner. Views of extensions are theirs.
    FOR one IN
        SELECT c.oid::regclass AS name FROM pg_class c
        WHERE c.relnamespace = to_regnamespace(current_schema()::text) AND c.relkind = 'v'
            AND pg_has_role(c.relowner, 'USAGE')
            AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                AND d.objid = c.oid AND d.deptype = 'e')
            AND NOT COALESCE('security_invoker=true' = ANY (c.reloptions), FALSE)
    LOOP
        EXECUTE format('ALTER VIEW %s SET (security_invoker = TRUE)', one.name);
    END LOOP;
END
$wall$
