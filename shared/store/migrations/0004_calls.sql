-- One call: hold, then commit or release. Each is idempotent by request id and one round trip.

-- What an earlier attempt with this request id came to; null when there was none. (Functions on the way of a call are
-- in PL/pgSQL throughout: it keeps their plans, where SQL functions are planned anew on every call.)
CREATE FUNCTION metering.earlier_attempt(request text, account text, price bigint) RETURNS text
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

-- Reserves `price` credits. A refusal says what is left beside the calls under way. Outcomes: granted, quota_exceeded,
-- suspended, unknown_account; conflict (the request id belongs to another call) and settled (this call was released or
-- has expired) are mistakes of the caller.
CREATE FUNCTION metering.hold_credits(
    account text, key text, request text, price bigint, operation text, url text, life_ms bigint,
    OUT outcome text, OUT retry_after_seconds bigint, OUT plan_left bigint, OUT pack_left bigint,
    OUT state metering.account_state
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
    outcome := 'granted';
END $$;

-- The account a request belongs to, settled or not.
CREATE FUNCTION metering.account_of(request text) RETURNS text
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

-- Charges a call whose hold has expired. Its credits went back and may be spent, so it draws on what there is now, in
-- the current month, by the usual order; when nothing covers it whole, the call was ours to give and is written off.
CREATE FUNCTION metering.charge_late(c metering.usage_call, a metering.account, auto_render boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    p metering.account_period;
    draw record;
    plan_book metering.book;
BEGIN
    SELECT * INTO p FROM metering.account_period ap WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
    draw := metering.choose_source(a, p, c.price);
    plan_book := CASE draw.source WHEN 'unlimited' THEN 'issuer' ELSE 'plan' END;
    UPDATE metering.account_period ap SET
        plan_available = ap.plan_available - CASE plan_book WHEN 'plan' THEN draw.plan_credits ELSE 0 END,
        plan_spent = ap.plan_spent + draw.plan_credits,
        overage_spent = ap.overage_spent + draw.overage_credits,
        pack_spent = ap.pack_spent + draw.pack_credits
        WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
    UPDATE metering.account acc SET pack_available = acc.pack_available - draw.pack_credits, version = acc.version + 1
        WHERE acc.id = a.id;
    PERFORM
        metering.post(a.id, a.period_start, 'late_commit', plan_book, 'plan_spent', draw.plan_credits,
            c.request_id, a.plan, NULL),
        metering.post(a.id, a.period_start, 'late_commit', 'issuer', 'overage_spent', draw.overage_credits,
            c.request_id, a.plan, a.overage_rate_cents),
        metering.post(a.id, a.period_start, 'late_commit', 'pack', 'pack_spent', draw.pack_credits,
            c.request_id, a.plan, NULL),
        metering.post(a.id, a.period_start, 'late_commit', 'issuer', 'written_off',
            CASE WHEN draw.source IS NULL THEN c.price END, c.request_id, a.plan, NULL);
    UPDATE metering.usage_call uc SET
        outcome = 'ok', late = true, auto_render = charge_late.auto_render, source = draw.source,
        credits = draw.plan_credits + draw.overage_credits + draw.pack_credits, period_start = a.period_start
        WHERE uc.request_id = c.request_id;
END $$;

-- Charges a hold to the month it was taken in, also when that month has ended meanwhile; returns the account.
CREATE FUNCTION metering.charge_hold(h metering.hold, auto_render boolean) RETURNS metering.account
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    price bigint := h.plan_credits + h.overage_credits + h.pack_credits;
BEGIN
    UPDATE metering.account_period p SET
        plan_held = p.plan_held - h.plan_credits,
        plan_spent = p.plan_spent + h.plan_credits,
        overage_held = p.overage_held - h.overage_credits,
        overage_spent = p.overage_spent + h.overage_credits,
        pack_spent = p.pack_spent + h.pack_credits
        WHERE p.account_id = h.account_id AND p.period_start = h.period_start;
    UPDATE metering.account acc SET pack_held = acc.pack_held - h.pack_credits, version = acc.version + 1
        WHERE acc.id = h.account_id RETURNING * INTO a;
    IF h.source = 'pack' THEN
        PERFORM metering.post(h.account_id, h.period_start, 'commit', 'pack_held', 'pack_spent', h.pack_credits,
            h.request_id, h.plan, NULL);
    ELSE
        PERFORM metering.post(h.account_id, h.period_start, 'commit', 'plan_held', 'plan_spent', h.plan_credits,
            h.request_id, h.plan, NULL);
    END IF;
    IF h.source = 'overage' THEN
        PERFORM metering.post(h.account_id, h.period_start, 'commit', 'overage_held', 'overage_spent',
            h.overage_credits, h.request_id, h.plan, h.overage_rate_cents);
    END IF;
    INSERT INTO metering.usage_call (request_id, account_id, key_id, at, operation, url, outcome, auto_render,
            price, credits, source, period_start)
        VALUES (h.request_id, h.account_id, h.key_id, h.at, h.operation, h.url, 'ok', auto_render,
            price, price, h.source, h.period_start);
    RETURN a;
END $$;

-- Charges a call, once. Outcomes: committed; unknown (no such request) and released (the call was given up before,
-- so it stays free).
CREATE FUNCTION metering.commit_hold(
    request text, auto_render boolean,
    OUT outcome text, OUT charged bigint, OUT drawn_from text, OUT was_late boolean,
    OUT state metering.account_state
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    h metering.hold;
    c metering.usage_call;
BEGIN
    a := metering.lock_account(metering.account_of(request));
    IF a.id IS NULL THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    DELETE FROM metering.hold WHERE request_id = request RETURNING * INTO h;
    IF FOUND THEN
        a := metering.charge_hold(h, auto_render);
        outcome := 'committed';
        charged := h.plan_credits + h.overage_credits + h.pack_credits;
        drawn_from := h.source;
        was_late := false;
    ELSE
        SELECT * INTO c FROM metering.usage_call WHERE request_id = request;
        IF c.outcome = 'expired' THEN
            PERFORM metering.charge_late(c, a, auto_render);
            SELECT * INTO c FROM metering.usage_call WHERE request_id = request;
            SELECT * INTO a FROM metering.account acc WHERE acc.id = a.id;
        END IF;
        outcome := CASE WHEN c.outcome = 'ok' THEN 'committed' ELSE 'released' END;
        charged := c.credits;
        drawn_from := c.source;
        was_late := c.late;
    END IF;
    state := metering.peek_state(a);
END $$;

-- Gives a hold back and writes how the call ended. Plan credits return to the plan only as far as its limit allows
-- now, and not at all once their month has ended.
CREATE FUNCTION metering.free_hold(
    h metering.hold, a metering.account, reason metering.entry_kind, call_outcome text
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    p metering.account_period;
    back bigint := 0;
BEGIN
    SELECT * INTO p FROM metering.account_period ap
        WHERE ap.account_id = h.account_id AND ap.period_start = h.period_start;
    IF h.period_start = a.period_start THEN
        back := metering.plan_target(a.monthly_limit, p.plan_spent, p.plan_held - h.plan_credits) - p.plan_available;
        back := least(greatest(back, 0), h.plan_credits);
    END IF;
    IF h.source = 'pack' THEN
        UPDATE metering.account acc SET
            pack_available = acc.pack_available + h.pack_credits, pack_held = acc.pack_held - h.pack_credits
            WHERE acc.id = h.account_id;
    ELSE
        UPDATE metering.account_period ap SET
            plan_available = ap.plan_available + back,
            plan_held = ap.plan_held - h.plan_credits,
            overage_held = ap.overage_held - h.overage_credits
            WHERE ap.account_id = h.account_id AND ap.period_start = h.period_start;
    END IF;
    PERFORM
        metering.post(h.account_id, h.period_start, reason, 'plan_held', 'plan', back, h.request_id, NULL, NULL),
        metering.post(h.account_id, h.period_start, reason, 'plan_held', 'issuer', h.plan_credits - back,
            h.request_id, NULL, NULL),
        metering.post(h.account_id, h.period_start, reason, 'overage_held', 'issuer', h.overage_credits,
            h.request_id, NULL, NULL),
        metering.post(h.account_id, h.period_start, reason, 'pack_held', 'pack', h.pack_credits,
            h.request_id, NULL, NULL);
    INSERT INTO metering.usage_call (request_id, account_id, key_id, at, operation, url, outcome, price, period_start)
        VALUES (h.request_id, h.account_id, h.key_id, h.at, h.operation, h.url, call_outcome,
            h.plan_credits + h.overage_credits + h.pack_credits, h.period_start);
END $$;

-- Gives up a call. Outcomes: released; committed (too late, it was charged); unknown.
CREATE FUNCTION metering.release_hold(
    request text, code text, OUT outcome text, OUT state metering.account_state
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    h metering.hold;
BEGIN
    a := metering.lock_account(metering.account_of(request));
    IF a.id IS NULL THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    DELETE FROM metering.hold WHERE request_id = request RETURNING * INTO h;
    IF FOUND THEN
        PERFORM metering.free_hold(h, a, 'release', code);
        outcome := 'released';
    ELSE
        -- An expired call that is now given up: it can't be committed any more.
        UPDATE metering.usage_call c SET outcome = code WHERE c.request_id = request AND c.outcome = 'expired';
        SELECT CASE WHEN c.outcome = 'ok' THEN 'committed' ELSE 'released' END INTO outcome
            FROM metering.usage_call c WHERE c.request_id = request;
    END IF;
    SELECT * INTO a FROM metering.account acc WHERE acc.id = a.id;
    state := metering.peek_state(a);
END $$;

-- Accounts with holds whose time is up, for the sweeper.
CREATE FUNCTION metering.accounts_with_overdue_holds(at_most integer) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT DISTINCT account_id FROM (
        SELECT account_id FROM metering.hold WHERE expires_at <= metering.clock() ORDER BY expires_at LIMIT at_most
    ) overdue
$$;

-- Expires the overdue holds of one account. Until then an overdue hold still counts, and still commits as usual.
CREATE FUNCTION metering.expire_holds(account text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    h metering.hold;
    moment timestamptz;
    expired bigint := 0;
BEGIN
    a := metering.lock_account(account);
    moment := metering.clock();
    FOR h IN DELETE FROM metering.hold WHERE account_id = account AND expires_at <= moment RETURNING * LOOP
        PERFORM metering.free_hold(h, a, 'expiry', 'expired');
        expired := expired + 1;
    END LOOP;
    RETURN expired;
END $$;

-- Adds calls that never held credits to the history: cache hits, and calls that failed before. Calls of unknown
-- accounts and calls that are there already are passed over.
CREATE FUNCTION metering.record_calls(
    accounts text[], keys text[], requests text[], operations text[], urls text[], times timestamptz[],
    cached boolean[], outcomes text[]
) RETURNS bigint
LANGUAGE sql AS $$
    WITH added AS (
        INSERT INTO metering.usage_call (request_id, account_id, key_id, at, operation, url, cached, outcome)
            SELECT c.request_id, a.id, c.key_id, c.at, c.operation, c.url, c.cached, c.outcome
            FROM unnest(requests, accounts, keys, times, operations, urls, cached, outcomes)
                AS c (request_id, account_id, key_id, at, operation, url, cached, outcome)
            JOIN metering.account a ON a.id = c.account_id
        ON CONFLICT (request_id) DO NOTHING
        RETURNING 1
    )
    SELECT count(*) FROM added
$$;
