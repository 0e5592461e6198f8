-- Reserving credits for a call. Functions on the path of a call are in PL/pgSQL, which caches their plans; functions
-- in SQL are planned on every call.

-- Reserves `price` credits for `life_ms` milliseconds. Idempotent by request id. Does not wait for the disk: the
-- flush of the commit writes the hold too, and a commit whose hold a crash lost is charged as a late commit.
--
-- Outcomes: granted; quota_exceeded (with the credits that are left besides those on hold, and the seconds until the
-- next month); suspended; unknown_account. Two outcomes are errors of the caller: conflict (the request id belongs to
-- another call) and settled (this call was released or has expired).
CREATE OR REPLACE FUNCTION metering.hold_credits(
    account text, key text, request text, price bigint, operation text, url text, life_ms bigint,
    OUT outcome text, OUT retry_after_seconds bigint, OUT plan_left bigint, OUT pack_left bigint,
    OUT drawn_from text, OUT state metering.account_state
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    p metering.account_period;
    draw record;
    plan_book metering.book;
    moment timestamptz;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        outcome := 'unknown_account';
        RETURN;
    END IF;
    SELECT * INTO p FROM metering.account_period ap WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
    state := metering.state_of(a, a.period_start, p);
    outcome := metering.earlier_attempt(request, account, price);
    IF outcome IS NOT NULL THEN
        drawn_from := coalesce(
            (SELECT h.source FROM metering.hold h WHERE h.request_id = request),
            (SELECT c.source FROM metering.usage_call c WHERE c.request_id = request));
        RETURN;
    END IF;
    IF a.suspended_at IS NOT NULL THEN
        outcome := 'suspended';
        RETURN;
    END IF;
    moment := metering.clock();
    draw := metering.choose_source(a, p, price);
    IF draw.source IS NULL THEN
        outcome := 'quota_exceeded';
        plan_left := p.plan_available;
        pack_left := a.pack_available;
        retry_after_seconds := greatest(1, ceil(extract(epoch FROM metering.month_end(a.period_start) - moment)));
        RETURN;
    END IF;

    plan_book := CASE draw.source WHEN 'unlimited' THEN 'issuer' ELSE 'plan' END;
    IF draw.source = 'pack' THEN
        UPDATE metering.account acc SET
            pack_available = acc.pack_available - price, pack_held = acc.pack_held + price
            WHERE acc.id = a.id;
        PERFORM metering.post(a.id, a.period_start, 'hold', 'pack', 'pack_held', price, request, NULL, NULL);
    ELSE
        UPDATE metering.account_period ap SET
            plan_available = ap.plan_available - CASE plan_book WHEN 'plan' THEN draw.plan_credits ELSE 0 END,
            plan_held = ap.plan_held + draw.plan_credits,
            overage_held = ap.overage_held + draw.overage_credits
            WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
        PERFORM metering.post(a.id, a.period_start, 'hold', plan_book, 'plan_held', draw.plan_credits,
            request, NULL, NULL);
        IF draw.source = 'overage' THEN
            PERFORM metering.post(a.id, a.period_start, 'hold', 'issuer', 'overage_held', draw.overage_credits,
                request, NULL, NULL);
        END IF;
    END IF;
    INSERT INTO metering.hold VALUES (
        request, a.id, key, a.period_start, draw.source, draw.plan_credits, draw.overage_credits, draw.pack_credits,
        a.plan, a.overage_rate_cents, operation, url, moment, moment + life_ms * interval '1 millisecond'
    );
    PERFORM set_config('synchronous_commit', 'off', true);
    drawn_from := draw.source;
    outcome := 'granted';
END $$;

-- Returns the outcome of an earlier attempt with this request id: granted, settled or conflict. Null: there was none.
CREATE OR REPLACE FUNCTION metering.earlier_attempt(request text, account text, price bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    owner text;
    its_price bigint;
    its_outcome text := 'ok';
BEGIN
    SELECT h.account_id, h.plan_credits + h.overage_credits + h.pack_credits INTO owner, its_price
        FROM metering.hold h WHERE h.request_id = request;
    IF NOT FOUND THEN
        SELECT c.account_id, c.price, c.outcome INTO owner, its_price, its_outcome
            FROM metering.usage_call c WHERE c.request_id = request;
    END IF;
    RETURN CASE
        WHEN owner IS NULL THEN NULL
        WHEN owner <> account OR its_price <> price THEN 'conflict'
        WHEN its_outcome = 'ok' THEN 'granted'
        ELSE 'settled'
    END;
END $$;

-- Chooses the one source that a call draws on, the first that covers the whole price: plan credits; pack credits;
-- with overage enabled, the rest of the plan together with overage, up to twice the monthly limit. Never combines
-- plan and pack. A null source: none covers it.
CREATE OR REPLACE FUNCTION metering.choose_source(
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

-- Returns the account of a request, on hold or settled. Null: there is no such request.
CREATE OR REPLACE FUNCTION metering.account_of(request text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    account text;
BEGIN
    SELECT h.account_id INTO account FROM metering.hold h WHERE h.request_id = request;
    IF NOT FOUND THEN
        SELECT c.account_id INTO account FROM metering.usage_call c WHERE c.request_id = request;
    END IF;
    RETURN account;
END $$;
