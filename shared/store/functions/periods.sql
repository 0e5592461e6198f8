-- The lock of an account and the change of its monthly period.

-- Locks the account's row, which every change of the account waits for, and opens the current month's period if
-- needed. Returns all nulls if there is no such account. The month is read after the lock is acquired, so that a call
-- that waited across midnight uses the new month.
CREATE OR REPLACE FUNCTION metering.lock_account(wanted text) RETURNS metering.account
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    month date;
BEGIN
    SELECT * INTO a FROM metering.account WHERE id = wanted FOR NO KEY UPDATE;
    month := metering.month_of(metering.clock());
    IF month > a.period_start THEN
        a := metering.ensure_period(a, month);
    END IF;
    RETURN a;
END $$;

-- Ends the open period and opens that of `month`: unused plan credits expire, pack credits stay, and terms that were
-- scheduled for `month` or earlier take effect. The caller holds the account's lock.
CREATE OR REPLACE FUNCTION metering.ensure_period(a metering.account, month date) RETURNS metering.account
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
        a := metering.apply_terms(a, terms, terms.effective);
    END IF;
    PERFORM metering.open_period(a, month);
    UPDATE metering.account SET period_start = month, version = version + 1 WHERE id = a.id RETURNING * INTO a;
    RETURN a;
END $$;

-- Creates the period of `month` and grants the plan's monthly credits.
CREATE OR REPLACE FUNCTION metering.open_period(a metering.account, month date) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metering.account_period (account_id, period_start, plan_available)
        VALUES (a.id, month, coalesce(a.monthly_limit, 0));
    PERFORM metering.post(a.id, month, 'grant', 'issuer', 'plan', a.monthly_limit, NULL, a.plan, NULL);
END $$;
