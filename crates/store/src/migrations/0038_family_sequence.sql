-- PostgreSQL counts the numbers of families in a sequence, which nobody waits for; its last value is
-- the number of the newest family. The count in the row is at its end there, so that a node of an
-- earlier version that still runs makes no family with a number that the sequence has given.
{postgres}CREATE SEQUENCE family_numbers MINVALUE 0;
{postgres}SELECT setval('family_numbers', COALESCE((SELECT last_family FROM installation), 0));
{postgres}UPDATE installation SET last_family = 9223372036854775807;
