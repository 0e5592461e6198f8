-- Users of the database, each with what its role needs. For the owner of the schemas, after the first migration; repeating
-- it is harmless, and tables of later migrations are covered.
--
--   limner_metering  the ledger: reads and adds entries, never changes or removes one
--   limner_console   sign-ins and sessions; nothing of the ledger
--
-- Neither can sign in before it has a password: ALTER ROLE limner_metering LOGIN PASSWORD '…';
DO $$
DECLARE
    member text;
BEGIN
    FOREACH member IN ARRAY ARRAY['limner_metering', 'limner_console'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = member) THEN
            EXECUTE format('CREATE ROLE %I', member);
        END IF;
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), member);
        EXECUTE format('GRANT SELECT ON schema_migration, schema_functions TO %I', member);
    END LOOP;
END $$;

GRANT USAGE ON SCHEMA metering TO limner_metering;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA metering TO limner_metering;
REVOKE UPDATE, DELETE ON metering.ledger_entry FROM limner_metering;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA metering TO limner_metering;
ALTER DEFAULT PRIVILEGES IN SCHEMA metering GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO limner_metering;
ALTER DEFAULT PRIVILEGES IN SCHEMA metering GRANT USAGE, SELECT ON SEQUENCES TO limner_metering;

GRANT USAGE ON SCHEMA console TO limner_console;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA console TO limner_console;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA console TO limner_console;
ALTER DEFAULT PRIVILEGES IN SCHEMA console GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO limner_console;
ALTER DEFAULT PRIVILEGES IN SCHEMA console GRANT USAGE, SELECT ON SEQUENCES TO limner_console;
