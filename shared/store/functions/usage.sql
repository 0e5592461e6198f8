-- The usage history and its retention. Calls are deleted after their retention; their sums per day are kept.

-- Adds calls without a hold to the history: cache hits, and calls that failed early. Skips calls of unknown accounts
-- and calls that are already recorded; returns the number of calls added. A time from a gateway's clock is limited to
-- the last hour, so that a wrong clock cannot put a call into the future or into another month.
CREATE OR REPLACE FUNCTION metering.record_calls(
    accounts text[], keys text[], requests text[], operations text[], urls text[], times timestamptz[],
    cached boolean[], outcomes text[]
) RETURNS bigint
LANGUAGE sql AS $$
    WITH added AS (
        INSERT INTO metering.usage_call (request_id, account_id, key_id, at, operation, url, cached, outcome)
            SELECT c.request_id, a.id, c.key_id,
                greatest(least(c.at, metering.clock()), metering.clock() - interval '1 hour'),
                c.operation, c.url, c.cached, c.outcome
            FROM unnest(requests, accounts, keys, times, operations, urls, cached, outcomes)
                AS c (request_id, account_id, key_id, at, operation, url, cached, outcome)
            JOIN metering.account a ON a.id = c.account_id
        ON CONFLICT (request_id) DO NOTHING
        RETURNING 1
    )
    SELECT count(*) FROM added
$$;

-- Returns the month in which a call counts: the one that was charged, or else the one in which it began.
CREATE OR REPLACE FUNCTION metering.counted_in(c metering.usage_call) RETURNS date
LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce(c.period_start, metering.month_of(c.at)) $$;

-- Returns calls by day, operation and month, both recorded calls and the sums of deleted ones.
CREATE OR REPLACE FUNCTION metering.usage_by_day(account text, since date, until date)
RETURNS TABLE (day date, operation text, period_start date, calls bigint, cached bigint, failed bigint, credits bigint)
LANGUAGE sql STABLE AS $$
    SELECT u.day, u.operation, u.period_start, sum(u.calls)::bigint, sum(u.cached)::bigint, sum(u.failed)::bigint,
        sum(u.credits)::bigint
    FROM (
        SELECT (c.at AT TIME ZONE 'UTC')::date AS day, c.operation, metering.counted_in(c) AS period_start,
            count(*) AS calls, count(*) FILTER (WHERE c.cached) AS cached,
            count(*) FILTER (WHERE c.outcome <> 'ok') AS failed, sum(c.credits) AS credits
            FROM metering.usage_call c
            WHERE c.account_id = account AND c.at >= since::timestamp AT TIME ZONE 'UTC'
                AND c.at < until::timestamp AT TIME ZONE 'UTC'
            GROUP BY 1, 2, 3
        UNION ALL
        SELECT d.day, d.operation, d.period_start, d.calls, d.cached, d.failed, d.credits
            FROM metering.usage_day d
            WHERE d.account_id = account AND d.day >= since AND d.day < until
    ) u
    GROUP BY u.day, u.operation, u.period_start
$$;

-- Deletes at most `at_most` calls that are older than `seconds`, and adds them to the sums per day. Returns their
-- number.
CREATE OR REPLACE FUNCTION metering.forget_calls(seconds double precision, at_most bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    gone bigint;
BEGIN
    gone := metering.sum_up_calls(ARRAY(
        SELECT c.request_id FROM metering.usage_call c
        WHERE c.at < metering.clock() - seconds * interval '1 second'
        LIMIT at_most FOR UPDATE SKIP LOCKED));
    RETURN gone;
END $$;
