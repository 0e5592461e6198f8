-- The state of an account as callers see it. Holds are not part of it: the state changes when credits are spent.

-- Builds the state from an account and its period of `month`. A null period counts as 0 everywhere.
CREATE OR REPLACE FUNCTION metering.state_of(a metering.account, month date, p metering.account_period)
RETURNS metering.account_state
LANGUAGE sql IMMUTABLE AS $$
    SELECT ROW(
        a.id, a.plan, a.suspended_at IS NOT NULL, a.requests_per_minute, a.monthly_limit,
        extract(epoch FROM month::timestamp)::bigint,
        coalesce(p.plan_spent + p.overage_spent + p.pack_spent, 0),
        coalesce(p.plan_spent, 0), coalesce(p.overage_spent, 0),
        a.pack_available + a.pack_held, a.overage_enabled, a.version
    )::metering.account_state
$$;

-- Returns the state without locking the account, for reading. If the current month has no period yet, all counts are
-- 0 and the terms are those that take effect with that month.
CREATE OR REPLACE FUNCTION metering.read_state(a metering.account) RETURNS metering.account_state
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
