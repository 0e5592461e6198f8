-- Changes of terms that wait: a downgrade takes effect when what was paid for ends, always with a month's first day.

CREATE TABLE metering.scheduled_terms (
    account_id text PRIMARY KEY REFERENCES metering.account,
    -- First day of the month they take effect with.
    effective date NOT NULL,
    plan text NOT NULL,
    monthly_limit metering.credits,
    requests_per_minute metering.request_rate NOT NULL,
    -- Null: as its owner has switched it, on when the plan is the first with overage.
    overage boolean,
    overage_rate_cents metering.cents,
    -- Null: as it is.
    billing_interval metering.billing_interval,
    scheduled_at timestamptz NOT NULL DEFAULT metering.clock()
);
CREATE INDEX scheduled_terms_due ON metering.scheduled_terms (effective);

-- The month in which the present billing interval began; a year is counted from it.
ALTER TABLE metering.account ADD COLUMN term_start date;
UPDATE metering.account SET term_start = metering.month_of(created_at);
ALTER TABLE metering.account ALTER COLUMN term_start SET DEFAULT metering.month_of(metering.clock());
ALTER TABLE metering.account ALTER COLUMN term_start SET NOT NULL;

-- First day after the term that `month` belongs to: of the next month, or of the next year of a yearly plan.
CREATE FUNCTION metering.term_end(a metering.account, month date) RETURNS date
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    months integer := 12 * (extract(year FROM month) - extract(year FROM a.term_start))::integer
        + (extract(month FROM month) - extract(month FROM a.term_start))::integer;
BEGIN
    IF a.billing_interval = 'monthly' THEN
        RETURN (month + interval '1 month')::date;
    END IF;
    RETURN (a.term_start + (months / 12 + 1) * interval '1 year')::date;
END $$;

-- The account as it is under other terms.
CREATE FUNCTION metering.with_terms(a metering.account, terms metering.scheduled_terms, month date)
RETURNS metering.account
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    a.overage_enabled := CASE
        WHEN terms.overage_rate_cents IS NULL THEN false
        WHEN terms.overage IS NOT NULL THEN terms.overage
        ELSE a.overage_enabled OR a.overage_rate_cents IS NULL
    END;
    a.plan := terms.plan;
    a.monthly_limit := terms.monthly_limit;
    a.requests_per_minute := terms.requests_per_minute;
    a.overage_rate_cents := terms.overage_rate_cents;
    IF terms.billing_interval <> a.billing_interval THEN
        a.billing_interval := terms.billing_interval;
        a.term_start := month;
    END IF;
    RETURN a;
END $$;

-- Writes other terms into the account, and notes and announces that.
CREATE FUNCTION metering.adopt_terms(a metering.account, terms metering.scheduled_terms, month date)
RETURNS metering.account
LANGUAGE plpgsql AS $$
DECLARE
    old_plan text := a.plan;
BEGIN
    a := metering.with_terms(a, terms, month);
    UPDATE metering.account acc SET
        plan = a.plan, monthly_limit = a.monthly_limit, requests_per_minute = a.requests_per_minute,
        overage_enabled = a.overage_enabled, overage_rate_cents = a.overage_rate_cents,
        billing_interval = a.billing_interval, term_start = a.term_start, version = acc.version + 1
        WHERE acc.id = a.id RETURNING * INTO a;
    PERFORM metering.note_change(a.id, 'plan_changed', jsonb_build_object('from', old_plan, 'to', a.plan));
    RETURN a;
END $$;

-- As before, and terms that were scheduled until now take effect.
CREATE OR REPLACE FUNCTION metering.enter_month(a metering.account, month date) RETURNS metering.account
LANGUAGE plpgsql AS $$
DECLARE
    leftover bigint;
    terms metering.scheduled_terms;
BEGIN
    SELECT plan_available INTO leftover FROM metering.account_period
        WHERE account_id = a.id AND period_start = a.period_start;
    IF leftover > 0 THEN
        PERFORM metering.post(a.id, a.period_start, 'period_reset', 'plan', 'issuer', leftover, NULL, a.plan, NULL);
        UPDATE metering.account_period SET plan_available = 0
            WHERE account_id = a.id AND period_start = a.period_start;
    END IF;
    DELETE FROM metering.scheduled_terms s WHERE s.account_id = a.id AND s.effective <= month RETURNING * INTO terms;
    IF FOUND THEN
        a := metering.adopt_terms(a, terms, terms.effective);
    END IF;
    PERFORM metering.open_period(a, month);
    UPDATE metering.account SET period_start = month, version = version + 1 WHERE id = a.id RETURNING * INTO a;
    RETURN a;
END $$;

-- As before; in a month that no call has opened yet, under the terms that begin with it.
CREATE OR REPLACE FUNCTION metering.peek_state(a metering.account) RETURNS metering.account_state
LANGUAGE plpgsql STABLE AS $$
DECLARE
    month date := greatest(metering.month_of(metering.clock()), a.period_start);
    p metering.account_period;
    terms metering.scheduled_terms;
BEGIN
    SELECT * INTO p FROM metering.account_period WHERE account_id = a.id AND period_start = month;
    IF month > a.period_start THEN
        SELECT * INTO terms FROM metering.scheduled_terms s WHERE s.account_id = a.id AND s.effective <= month;
        IF FOUND THEN
            a := metering.with_terms(a, terms, terms.effective);
        END IF;
    END IF;
    RETURN metering.state_of(a, month, p);
END $$;

DROP FUNCTION metering.set_terms(text, text, bigint, integer, boolean, integer);

-- Puts an account on other terms, at once and in either direction. What was spent stays spent; plan credits are
-- granted or lapse so that what is left follows from the new limit. What was scheduled is void.
CREATE FUNCTION metering.set_terms(
    account text, new_plan text, new_limit bigint, new_rate integer, new_overage boolean, new_overage_rate integer,
    new_interval text
) RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    p metering.account_period;
    difference bigint;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    DELETE FROM metering.scheduled_terms s WHERE s.account_id = a.id;
    SELECT * INTO p FROM metering.account_period ap WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
    difference := metering.plan_target(new_limit, p.plan_spent, p.plan_held) - p.plan_available;
    PERFORM
        metering.post(a.id, a.period_start, 'plan_change', 'issuer', 'plan', difference, NULL, new_plan, NULL),
        metering.post(a.id, a.period_start, 'plan_change', 'plan', 'issuer', -difference, NULL, new_plan, NULL);
    UPDATE metering.account_period ap SET plan_available = ap.plan_available + difference
        WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
    a := metering.adopt_terms(a, ROW(a.id, a.period_start, new_plan, new_limit, new_rate, new_overage,
        new_overage_rate, new_interval, NULL)::metering.scheduled_terms, a.period_start);
    RETURN metering.peek_state(a);
END $$;

-- Schedules terms for `wanted`, or for the end of the present term; the latest word counts. Null: no such account.
CREATE FUNCTION metering.schedule_terms(
    account text, new_plan text, new_limit bigint, new_rate integer, new_overage boolean, new_overage_rate integer,
    new_interval text, wanted date
) RETURNS date
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    start date;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    start := greatest(coalesce(wanted, metering.term_end(a, a.period_start)),
        (a.period_start + interval '1 month')::date);
    DELETE FROM metering.scheduled_terms s WHERE s.account_id = a.id;
    INSERT INTO metering.scheduled_terms VALUES (a.id, start, new_plan, new_limit, new_rate, new_overage,
        new_overage_rate, new_interval);
    PERFORM metering.note_change(a.id, 'plan_change_scheduled',
        jsonb_build_object('from', a.plan, 'to', new_plan, 'effective', start));
    RETURN start;
END $$;

-- Says whether anything was scheduled. Null: no such account.
CREATE FUNCTION metering.unschedule_terms(account text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    new_plan text;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    DELETE FROM metering.scheduled_terms s WHERE s.account_id = a.id RETURNING s.plan INTO new_plan;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM metering.note_change(a.id, 'plan_change_cancelled', jsonb_build_object('to', new_plan));
    RETURN true;
END $$;

-- Accounts whose scheduled terms are due. Locking one puts them into effect.
CREATE FUNCTION metering.accounts_with_due_terms(at_most integer) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT account_id FROM metering.scheduled_terms
    WHERE effective <= metering.month_of(metering.clock()) ORDER BY effective LIMIT at_most
$$;
