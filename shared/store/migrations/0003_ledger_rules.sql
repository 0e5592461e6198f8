-- The rules every operation on an account shares: its lock, the change of month, its visible state, and which source
-- a call draws on.

-- The visible state of an account. Holds are not in it: it changes when credits are spent, not when they are reserved.
CREATE TYPE metering.account_state AS (
    account_id text,
    plan text,
    suspended boolean,
    requests_per_minute integer,
    monthly_limit bigint,
    period_start_unix bigint,
    spent_this_month bigint,
    plan_spent bigint,
    overage_spent bigint,
    pack_balance bigint,
    overage_enabled boolean,
    version bigint
);

CREATE FUNCTION metering.state_of(a metering.account, month date, p metering.account_period)
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

-- The state without a lock: for reading. In a month that no call has opened yet, all counts are 0.
CREATE FUNCTION metering.peek_state(a metering.account) RETURNS metering.account_state
LANGUAGE plpgsql STABLE AS $$
DECLARE
    month date := greatest(metering.month_of(metering.clock()), a.period_start);
    p metering.account_period;
BEGIN
    SELECT * INTO p FROM metering.account_period WHERE account_id = a.id AND period_start = month;
    RETURN metering.state_of(a, month, p);
END $$;

-- Moves credits from one book to another; nothing is no entry.
CREATE FUNCTION metering.post(
    account text, month date, reason metering.entry_kind, from_book metering.book, to_book metering.book,
    credits bigint, request text, plan text, overage_rate_cents integer
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF credits > 0 THEN
        INSERT INTO metering.ledger_entry
            (account_id, period_start, kind, from_book, to_book, credits, request_id, plan, overage_rate_cents)
            VALUES (account, month, reason, from_book, to_book, credits, request, plan, overage_rate_cents);
    END IF;
END $$;

-- Plan credits that an account of this limit should have available, given what is spent and held.
-- A limit below what was already spent (after a downgrade) leaves nothing; an unlimited plan issues as it goes.
CREATE FUNCTION metering.plan_target(monthly_limit bigint, spent bigint, held bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT greatest(0, coalesce(monthly_limit, 0) - spent - held) $$;

-- Ends the open period and opens the one of `month`: leftover plan credits lapse, packs stay.
CREATE FUNCTION metering.enter_month(a metering.account, month date) RETURNS metering.account
LANGUAGE plpgsql AS $$
DECLARE
    leftover bigint;
BEGIN
    SELECT plan_available INTO leftover FROM metering.account_period
        WHERE account_id = a.id AND period_start = a.period_start;
    IF leftover > 0 THEN
        PERFORM metering.post(a.id, a.period_start, 'period_reset', 'plan', 'issuer', leftover, NULL, a.plan, NULL);
        UPDATE metering.account_period SET plan_available = 0
            WHERE account_id = a.id AND period_start = a.period_start;
    END IF;
    PERFORM metering.open_period(a, month);
    UPDATE metering.account SET period_start = month, version = version + 1 WHERE id = a.id RETURNING * INTO a;
    RETURN a;
END $$;

CREATE FUNCTION metering.open_period(a metering.account, month date) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metering.account_period (account_id, period_start, plan_available)
        VALUES (a.id, month, coalesce(a.monthly_limit, 0));
    PERFORM metering.post(a.id, month, 'grant', 'issuer', 'plan', a.monthly_limit, NULL, a.plan, NULL);
END $$;

-- Locks the one row that everything about an account waits for, and enters the current month. All nulls: no such
-- account. The month is read after the lock, so that whoever waited across midnight is in the new month.
CREATE FUNCTION metering.lock_account(wanted text) RETURNS metering.account
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    month date;
BEGIN
    SELECT * INTO a FROM metering.account WHERE id = wanted FOR NO KEY UPDATE;
    month := metering.month_of(metering.clock());
    IF month > a.period_start THEN
        a := metering.enter_month(a, month);
    END IF;
    RETURN a;
END $$;

-- The one source a call draws on: the first that covers it whole. Plan credits, then the pack balance; with overage
-- on, the plan's remainder together with overage, up to twice the allowance. Never plan and pack. Null: none.
CREATE FUNCTION metering.choose_source(
    a metering.account, p metering.account_period, price bigint,
    OUT source metering.credit_source, OUT plan_credits bigint, OUT overage_credits bigint, OUT pack_credits bigint
)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    used bigint := p.plan_spent + p.plan_held + p.overage_spent + p.overage_held;
BEGIN
    plan_credits := 0;
    overage_credits := 0;
    pack_credits := 0;
    IF a.monthly_limit IS NULL THEN
        source := 'unlimited';
        plan_credits := price;
    ELSIF p.plan_available >= price THEN
        source := 'plan';
        plan_credits := price;
    ELSIF a.pack_available >= price THEN
        source := 'pack';
        pack_credits := price;
    ELSIF a.overage_enabled AND used + price <= 2 * a.monthly_limit THEN
        source := 'overage';
        plan_credits := p.plan_available;
        overage_credits := price - p.plan_available;
    END IF;
END $$;
