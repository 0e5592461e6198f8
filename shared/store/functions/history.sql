-- The usage history: partitions by month, and sums per day, which contain every call and outlive them.

-- Adds to the sums per day, in the order of their keys: concurrent transactions never wait for each other in a circle.
CREATE OR REPLACE FUNCTION metering.add_to_days(sums metering.usage_day[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metering.usage_day AS d (account_id, day, operation, period_start, calls, cached, failed, credits)
        SELECT s.account_id, s.day, s.operation, s.period_start, s.calls, s.cached, s.failed, s.credits
        FROM unnest(sums) s ORDER BY s.account_id, s.day, s.operation, s.period_start
        ON CONFLICT (account_id, day, operation, period_start) DO UPDATE SET
            calls = d.calls + excluded.calls, cached = d.cached + excluded.cached,
            failed = d.failed + excluded.failed, credits = d.credits + excluded.credits;
END $$;

-- Returns the month in which a call counts: the one that was charged, or else the one in which it began.
CREATE OR REPLACE FUNCTION metering.counted_in(c metering.usage_call) RETURNS date
LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce(c.period_start, metering.month_of(c.at)) $$;

-- Returns what a call adds to the sums per day.
CREATE OR REPLACE FUNCTION metering.day_of_call(c metering.usage_call) RETURNS metering.usage_day
LANGUAGE sql IMMUTABLE AS $$
    SELECT ROW(c.account_id, (c.at AT TIME ZONE 'UTC')::date, c.operation,
        metering.counted_in(c), 1, c.cached::integer, (c.outcome <> 'ok')::integer,
        c.credits)::metering.usage_day
$$;

-- Trigger: adds a call that had a hold to the sums per day. It is on the path of a call, and so one statement.
CREATE OR REPLACE FUNCTION metering.sum_added_call() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metering.usage_day AS d (account_id, day, operation, period_start, calls, cached, failed, credits)
        VALUES (NEW.account_id, (NEW.at AT TIME ZONE 'UTC')::date, NEW.operation, NEW.period_start, 1, 0,
            (NEW.outcome <> 'ok')::integer, NEW.credits)
        ON CONFLICT (account_id, day, operation, period_start) DO UPDATE SET
            calls = d.calls + 1, failed = d.failed + excluded.failed, credits = d.credits + excluded.credits;
    RETURN NULL;
END $$;

-- Trigger: applies a change of a call to the sums per day, as by a late charge or a refund.
CREATE OR REPLACE FUNCTION metering.sum_changed_call() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    former metering.usage_day := metering.day_of_call(OLD);
    latter metering.usage_day := metering.day_of_call(NEW);
BEGIN
    former.calls := -former.calls;
    former.cached := -former.cached;
    former.failed := -former.failed;
    former.credits := -former.credits;
    IF (former.day, former.operation, former.period_start) = (latter.day, latter.operation, latter.period_start) THEN
        latter.calls := 0;
        latter.cached := latter.cached + former.cached;
        latter.failed := latter.failed + former.failed;
        latter.credits := latter.credits + former.credits;
        PERFORM metering.add_to_days(ARRAY[latter]);
    ELSE
        PERFORM metering.add_to_days(ARRAY[former, latter]);
    END IF;
    RETURN NULL;
END $$;

-- Trigger: adds a deleted call that the sums per day do not contain. They keep the others.
CREATE OR REPLACE FUNCTION metering.sum_removed_call() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM metering.add_to_days(ARRAY[metering.day_of_call(OLD)]);
    RETURN NULL;
END $$;

-- Calls without a hold have no month that was charged; `record_calls` sums them by batch.
CREATE OR REPLACE TRIGGER usage_call_is_added AFTER INSERT ON metering.usage_call
    FOR EACH ROW WHEN (NEW.period_start IS NOT NULL) EXECUTE FUNCTION metering.sum_added_call();
CREATE OR REPLACE TRIGGER usage_call_is_changed AFTER UPDATE ON metering.usage_call
    FOR EACH ROW WHEN (OLD.is_summed AND (OLD.outcome <> NEW.outcome OR OLD.credits <> NEW.credits
        OR OLD.period_start IS DISTINCT FROM NEW.period_start)) EXECUTE FUNCTION metering.sum_changed_call();
CREATE OR REPLACE TRIGGER usage_call_is_removed AFTER DELETE ON metering.usage_call
    FOR EACH ROW WHEN (NOT OLD.is_summed) EXECUTE FUNCTION metering.sum_removed_call();

-- Returns the sums per day of calls.
CREATE OR REPLACE FUNCTION metering.sum_days(calls metering.usage_call[]) RETURNS metering.usage_day[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT ARRAY(
        SELECT ROW(d.account_id, d.day, d.operation, d.period_start, sum(d.calls), sum(d.cached), sum(d.failed),
            sum(d.credits))::metering.usage_day
        FROM unnest(calls) c, LATERAL metering.day_of_call(c) d
        GROUP BY d.account_id, d.day, d.operation, d.period_start)
$$;

-- Adds at most `at_most` calls from before there were sums for all. Returns their number; less: all are in the sums.
CREATE OR REPLACE FUNCTION metering.sum_up_history(at_most bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    summed metering.usage_call[];
BEGIN
    WITH marked AS (
        UPDATE metering.usage_call c SET is_summed = true
            FROM (SELECT f.request_id, f.at FROM metering.usage_call_first f WHERE NOT f.is_summed
                LIMIT at_most FOR UPDATE SKIP LOCKED) missing
            WHERE c.request_id = missing.request_id AND c.at = missing.at
            RETURNING c::metering.usage_call AS call
    )
    SELECT array_agg(m.call) INTO summed FROM marked m;
    PERFORM metering.add_to_days(metering.sum_days(summed));
    RETURN coalesce(cardinality(summed), 0);
END $$;

-- Returns the partitions of the history with their bounds; the first one has no lower bound, the default one none.
CREATE OR REPLACE FUNCTION metering.history_partitions()
RETURNS TABLE (name text, since timestamptz, until timestamptz, bytes bigint)
LANGUAGE sql STABLE AS $$
    SELECT p.relname::text, substring(b.bound FROM 'FROM \(''([^'']+)''\)')::timestamptz,
        substring(b.bound FROM 'TO \(''([^'']+)''\)')::timestamptz, pg_total_relation_size(p.oid)
    FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid, LATERAL pg_get_expr(p.relpartbound, p.oid) b (bound)
    WHERE i.inhparent = 'metering.usage_call'::regclass
    ORDER BY 2 NULLS FIRST, 3
$$;

-- Creates the missing partitions of this month and of `ahead` months after it. Returns their number. A month of which
-- calls are in the default partition stays there.
CREATE OR REPLACE FUNCTION metering.prepare_months(ahead integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    part record;
    made bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('metering.history'));
    FOR part IN
        SELECT 'usage_call_' || to_char(m.since, 'YYYY_MM') AS name, m.since AT TIME ZONE 'UTC' AS since,
            (m.since + interval '1 month') AT TIME ZONE 'UTC' AS until
        FROM generate_series(0, ahead) n, LATERAL (SELECT
            date_trunc('month', metering.clock() AT TIME ZONE 'UTC') + n * interval '1 month' AS since) m
    LOOP
        CONTINUE WHEN EXISTS (SELECT FROM metering.history_partitions() p
                WHERE p.until > part.since AND coalesce(p.since < part.until, true))
            OR to_regclass('archive.' || part.name) IS NOT NULL
            OR EXISTS (SELECT FROM metering.usage_call_default d WHERE d.at >= part.since AND d.at < part.until);
        EXECUTE format('CREATE TABLE metering.%I (LIKE metering.usage_call INCLUDING DEFAULTS)', part.name);
        EXECUTE format('ALTER TABLE metering.usage_call ATTACH PARTITION metering.%I FOR VALUES FROM (%L) TO (%L)',
            part.name, part.since, part.until);
        made := made + 1;
    END LOOP;
    RETURN made;
END $$;

-- Removes the months that ended more than `seconds` ago, a day at least. Returns their number. The sums per day stay.
CREATE OR REPLACE FUNCTION metering.drop_months(seconds double precision) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    part record;
    dropped bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('metering.history'));
    FOR part IN SELECT p.name FROM metering.history_partitions() p
        WHERE p.since IS NOT NULL
            AND p.until <= metering.clock() - greatest(seconds, 86400) * interval '1 second'
    LOOP
        EXECUTE format('DROP TABLE metering.%I', part.name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;

-- Takes an ended month out of the history: its partition becomes a table of the schema `archive`, whose name it returns.
-- Null: there is no such partition, or its month has not ended. Only the owner of the schemas may.
CREATE OR REPLACE FUNCTION metering.detach_month(month date) RETURNS text
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
    part text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('metering.history'));
    SELECT p.name INTO part FROM metering.history_partitions() p
        WHERE p.since = month::timestamp AT TIME ZONE 'UTC' AND p.until <= metering.clock();
    IF part IS NULL THEN
        RETURN NULL;
    END IF;
    EXECUTE format('ALTER TABLE metering.usage_call DETACH PARTITION metering.%I', part);
    EXECUTE format('ALTER TABLE metering.%I SET SCHEMA archive', part);
    RETURN 'archive.' || part;
END $$;

-- Deletes the calls of an account from detached months. Only the owner of the schemas may.
CREATE OR REPLACE FUNCTION metering.erase_archived_calls(account text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    part name;
BEGIN
    FOR part IN SELECT t.tablename FROM pg_tables t WHERE t.schemaname = 'archive' AND t.tablename ~ '^usage_call_' LOOP
        EXECUTE format('DELETE FROM archive.%I WHERE account_id = $1', part) USING account;
    END LOOP;
END $$;
