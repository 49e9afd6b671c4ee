-- On PostgreSQL families can be spread over machines, each with all of its rows; the directories
-- stay together on one. So no foreign key may lead from a directory to a family, and no unique
-- index may do without the family's number. `purser check` follows what directories point to.
{postgres}ALTER TABLE sign_in_names DROP CONSTRAINT IF EXISTS sign_in_names_family_id_fkey;
{postgres}ALTER TABLE key_hashes DROP CONSTRAINT IF EXISTS key_hashes_family_id_fkey;
{postgres}ALTER TABLE jobs DROP CONSTRAINT IF EXISTS jobs_family_id_fkey;
{postgres}ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_family_id_fkey;
-- Only made of new ids, and never asked for.
{postgres}ALTER TABLE families DROP CONSTRAINT IF EXISTS families_public_id_key;
