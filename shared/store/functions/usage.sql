-- Recording of calls without a charge, the sums per day, and retention.

-- Returns the time of a call without a hold: a gateway's clock counts within the last hour, so that a wrong one cannot
-- put a call into the future or into another month.
CREATE OR REPLACE FUNCTION metering.recorded_at(told timestamptz, moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$ SELECT greatest(least(told, moment), moment - interval '1 hour') $$;

-- Adds calls without a hold to the history: cache hits, and calls that failed early. Skips calls of unknown accounts
-- and calls that are already recorded; returns the number of calls added.
CREATE OR REPLACE FUNCTION metering.record_calls(
    accounts text[], keys text[], requests text[], operations text[], urls text[], times timestamptz[],
    cached boolean[], outcomes text[], durations integer[]
) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := metering.clock();
    added metering.usage_call[];
BEGIN
    WITH fresh AS (
        INSERT INTO metering.usage_call AS u (request_id, account_id, key_id, at, operation, url, cached, outcome,
                duration_ms)
            SELECT DISTINCT ON (c.request_id) c.request_id, a.id, c.key_id, metering.recorded_at(c.at, moment),
                c.operation, c.url, c.cached, c.outcome, c.duration_ms
            FROM unnest(requests, accounts, keys, times, operations, urls, record_calls.cached, outcomes, durations)
                AS c (request_id, account_id, key_id, at, operation, url, cached, outcome, duration_ms)
            JOIN metering.account a ON a.id = c.account_id
            WHERE NOT EXISTS (SELECT FROM metering.usage_call known WHERE known.request_id = c.request_id)
            ON CONFLICT (request_id, at) DO NOTHING
            RETURNING u::metering.usage_call AS call
    )
    SELECT array_agg(f.call) INTO added FROM fresh f;
    PERFORM metering.add_to_days(metering.sum_days(added));
    RETURN coalesce(cardinality(added), 0);
END $$;

-- Adds cache hits to the sums per day and to no row of the history. Skips hits of unknown accounts, and a batch that is
-- already counted; returns the number of hits added.
CREATE OR REPLACE FUNCTION metering.count_hits(
    accounts text[], keys text[], requests text[], operations text[], times timestamptz[]
) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := metering.clock();
    sums metering.usage_day[];
BEGIN
    INSERT INTO metering.counted_batch (batch) VALUES (md5(array_to_string(requests, ' '))) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    sums := ARRAY(
        SELECT ROW(c.account_id, c.day, c.operation, metering.month_of(min(c.at)), count(*), count(*), 0, 0)
            ::metering.usage_day
        FROM (
            SELECT a.id AS account_id, h.operation, metering.recorded_at(h.at, moment) AS at,
                (metering.recorded_at(h.at, moment) AT TIME ZONE 'UTC')::date AS day
            FROM unnest(accounts, operations, times) AS h (account_id, operation, at)
            JOIN metering.account a ON a.id = h.account_id
        ) c
        GROUP BY c.account_id, c.day, c.operation);
    PERFORM metering.add_to_days(sums);
    -- Once an hour is enough for "last used".
    UPDATE metering.api_key k SET last_hit_at = moment
        WHERE k.id IN (
            SELECT known.id FROM metering.api_key known
            WHERE known.id = ANY (keys) AND coalesce(known.last_hit_at < moment - interval '1 hour', true)
            ORDER BY known.id FOR NO KEY UPDATE SKIP LOCKED);
    RETURN (SELECT coalesce(sum(s.calls), 0) FROM unnest(sums) s);
END $$;

-- Returns calls by day, operation and month: the sums, and the calls that they do not contain yet.
CREATE OR REPLACE FUNCTION metering.usage_by_day(account text, since date, until date)
RETURNS TABLE (day date, operation text, period_start date, calls bigint, cached bigint, failed bigint, credits bigint)
LANGUAGE sql STABLE AS $$
    SELECT u.day, u.operation, u.period_start, sum(u.calls)::bigint, sum(u.cached)::bigint, sum(u.failed)::bigint,
        sum(u.credits)::bigint
    FROM (
        SELECT (c.at AT TIME ZONE 'UTC')::date AS day, c.operation,
            coalesce(c.period_start, metering.month_of(c.at)) AS period_start,
            count(*) AS calls, count(*) FILTER (WHERE c.cached) AS cached,
            count(*) FILTER (WHERE c.outcome <> 'ok') AS failed, sum(c.credits) AS credits
            FROM metering.usage_call_first c
            WHERE NOT c.is_summed AND c.account_id = account AND c.at >= since::timestamp AT TIME ZONE 'UTC'
                AND c.at < until::timestamp AT TIME ZONE 'UTC'
            GROUP BY 1, 2, 3
        UNION ALL
        SELECT d.day, d.operation, d.period_start, d.calls, d.cached, d.failed, d.credits
            FROM metering.usage_day d
            WHERE d.account_id = account AND d.day >= since AND d.day < until
    ) u
    GROUP BY u.day, u.operation, u.period_start
    HAVING sum(u.calls) <> 0
$$;

-- Deletes at most `at_most` calls that are older than `seconds` and in no partition of a month, which is dropped as a
-- whole (`drop_months`). Returns their number.
CREATE OR REPLACE FUNCTION metering.forget_calls(seconds double precision, at_most bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    oldest timestamptz := metering.clock() - seconds * interval '1 second';
    gone bigint;
BEGIN
    DELETE FROM metering.usage_call c
        USING (SELECT f.request_id, f.at FROM metering.usage_call_first f WHERE f.at < oldest
            LIMIT at_most FOR UPDATE SKIP LOCKED) old
        WHERE c.request_id = old.request_id AND c.at = old.at AND c.at < oldest;
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone = 0 THEN
        DELETE FROM metering.usage_call c
            USING (SELECT f.request_id, f.at FROM metering.usage_call_default f WHERE f.at < oldest
                LIMIT at_most FOR UPDATE SKIP LOCKED) old
            WHERE c.request_id = old.request_id AND c.at = old.at AND c.at < oldest;
        GET DIAGNOSTICS gone = ROW_COUNT;
    END IF;
    DELETE FROM metering.counted_batch b WHERE b.at < metering.clock() - interval '1 day';
    RETURN gone;
END $$;
