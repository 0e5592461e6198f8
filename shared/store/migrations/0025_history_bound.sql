-- What the present history needs to become the first partition without being read under a lock: a bound in time, which
-- 0026 validates, and a mark for the calls that the sums per day do not contain yet. The bound is more than a month
-- ahead: the migrations up to 0027 have to end before that.
ALTER TABLE metering.usage_call ADD COLUMN is_summed boolean NOT NULL DEFAULT false;

DO $$
DECLARE
    bound timestamp := date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months';
BEGIN
    EXECUTE format('ALTER TABLE metering.usage_call ADD CONSTRAINT usage_call_before CHECK (at < %L) NOT VALID',
        bound AT TIME ZONE 'UTC');
END $$;
