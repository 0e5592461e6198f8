-- The usage history in partitions by month (functions/history.sql). What there is becomes the first one: no row is read
-- or moved.
ALTER TABLE metering.usage_call RENAME TO usage_call_first;
-- Their arguments were rows of the table that has another name now.
DROP FUNCTION IF EXISTS metering.counted_in(metering.usage_call_first);
DROP FUNCTION IF EXISTS metering.charge_late(metering.usage_call_first, metering.account, boolean);
DROP FUNCTION IF EXISTS metering.is_reversible(metering.account, metering.usage_call_first);
DROP FUNCTION IF EXISTS metering.sum_up_calls(text[]);

-- The key of a partitioned table contains the time.
ALTER TABLE metering.usage_call_first DROP CONSTRAINT usage_call_pkey;
ALTER INDEX metering.usage_call_by_request RENAME TO usage_call_first_by_request;
ALTER INDEX metering.usage_call_by_account RENAME TO usage_call_first_by_account;
ALTER INDEX metering.usage_call_by_key RENAME TO usage_call_first_by_key;

CREATE TABLE metering.usage_call (LIKE metering.usage_call_first INCLUDING DEFAULTS) PARTITION BY RANGE (at);
ALTER TABLE metering.usage_call ALTER COLUMN is_summed SET DEFAULT true;
CREATE UNIQUE INDEX usage_call_by_request ON metering.usage_call (request_id, at);
CREATE INDEX usage_call_by_account ON metering.usage_call (account_id, at, request_id);
CREATE INDEX usage_call_by_key ON metering.usage_call (key_id, at);
COMMENT ON TABLE metering.usage_call IS 'Every call, by month. is_summed: usage_day contains it.';

DO $$
DECLARE
    bound text := (SELECT substring(pg_get_constraintdef(c.oid) FROM '''([^'']+)''') FROM pg_constraint c
        WHERE c.conrelid = 'metering.usage_call_first'::regclass AND c.conname = 'usage_call_before');
BEGIN
    EXECUTE format('ALTER TABLE metering.usage_call ATTACH PARTITION metering.usage_call_first
        FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END $$;

-- Calls of months that have no partition yet, so that none is refused, whatever the clock says.
CREATE TABLE metering.usage_call_default PARTITION OF metering.usage_call DEFAULT;

-- Months that an operator detached.
CREATE SCHEMA archive;

-- Its rows are updated with every call of an account.
ALTER TABLE metering.usage_day SET (fillfactor = 70);

-- Batches of cache hits that are in the sums and in no row of the history: a batch may be sent again.
CREATE TABLE metering.counted_batch (
    batch text PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT metering.clock()
);
ALTER TABLE metering.api_key ADD COLUMN last_hit_at timestamptz;
