-- The terms of an account (its plan, limits and rates), and terms that are scheduled for a later month.

-- Puts an account on other terms at once, upgrade or downgrade. Spent credits stay spent; plan credits are granted or
-- expire so that those available follow from the new limit. Cancels scheduled terms. Null: there is no such account.
CREATE OR REPLACE FUNCTION metering.set_terms(
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
    a := metering.apply_terms(a, ROW(a.id, a.period_start, new_plan, new_limit, new_rate, new_overage,
        new_overage_rate, new_interval, NULL)::metering.scheduled_terms, a.period_start);
    RETURN metering.read_state(a);
END $$;

-- Returns the account as it is under other terms, which begin with `month`. If the terms leave overage open (null),
-- it is off on a plan without overage, on if the account's plan had none before, and otherwise unchanged.
CREATE OR REPLACE FUNCTION metering.with_terms(a metering.account, terms metering.scheduled_terms, month date)
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

-- Writes other terms to the account, records the change and queues its announcement. Terms of the plan `business`,
-- which are agreed in person, end the subscription that paid for the plan before.
CREATE OR REPLACE FUNCTION metering.apply_terms(a metering.account, terms metering.scheduled_terms, month date)
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
    IF a.plan = 'business' THEN
        PERFORM metering.give_up_subscription(a.id, s.reference, 'business_account', false)
            FROM metering.billing_subscription s WHERE s.account_id = a.id;
    END IF;
    PERFORM metering.note_change(a.id, 'plan_changed', jsonb_build_object('from', old_plan, 'to', a.plan));
    RETURN a;
END $$;

-- Schedules terms for the month `wanted`, or for the end of the current term; replaces those scheduled before.
-- Returns the day on which they take effect. Null: there is no such account.
CREATE OR REPLACE FUNCTION metering.schedule_terms(
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

-- Cancels scheduled terms. Returns whether there were any. Null: there is no such account.
CREATE OR REPLACE FUNCTION metering.cancel_scheduled_terms(account text) RETURNS boolean
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

-- Returns accounts whose scheduled terms are due. `lock_account` puts them into effect.
CREATE OR REPLACE FUNCTION metering.accounts_with_due_terms(at_most integer) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT account_id FROM metering.scheduled_terms
    WHERE effective <= metering.month_of(metering.clock()) ORDER BY effective LIMIT at_most
$$;

-- Returns the first day after the term that contains `month`: that of the next month, or of the next year of a yearly
-- plan.
CREATE OR REPLACE FUNCTION metering.term_end(a metering.account, month date) RETURNS date
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
