-- One call: hold, then commit or release. Each is idempotent by request id and one round trip.

-- What an earlier attempt with this request id came to; null when there was none.
CREATE FUNCTION metering.earlier_attempt(request text, account text, price bigint) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
            WHEN h.account_id = account AND h.plan_credits + h.overage_credits + h.pack_credits = earlier_attempt.price THEN 'granted'
            ELSE 'conflict'
        END
        FROM metering.hold h WHERE h.request_id = request
    UNION ALL
    SELECT CASE
            WHEN c.account_id <> account OR c.price <> earlier_attempt.price THEN 'conflict'
            WHEN c.outcome = 'ok' THEN 'granted'
            ELSE 'settled'
        END
        FROM metering.usage_call c WHERE c.request_id = request
    LIMIT 1
$$;

-- Reserves `price` credits. A refusal says what is left beside the calls under way. Outcomes: granted, quota_exceeded, suspended, unknown_account; conflict (the request id
-- belongs to another call) and settled (this call was released or has expired) are mistakes of the caller.
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

    UPDATE metering.account_period ap SET
        plan_available = ap.plan_available - CASE draw.source WHEN 'unlimited' THEN 0 ELSE draw.plan_credits END,
        plan_held = ap.plan_held + draw.plan_credits,
        overage_held = ap.overage_held + draw.overage_credits
        WHERE draw.source <> 'pack' AND ap.account_id = a.id AND ap.period_start = a.period_start;
    IF draw.source = 'pack' THEN
        UPDATE metering.account acc SET
            pack_available = acc.pack_available - price, pack_held = acc.pack_held + price
            WHERE acc.id = a.id;
    END IF;
    INSERT INTO metering.ledger_entry
        (account_id, period_start, kind, from_book, to_book, credits, request_id)
        SELECT a.id, a.period_start, 'hold', v.from_book, v.to_book, v.credits, request
        FROM (VALUES
            (CASE draw.source WHEN 'unlimited' THEN 'issuer' ELSE 'plan' END::metering.book,
                'plan_held'::metering.book, draw.plan_credits),
            ('issuer', 'overage_held', draw.overage_credits),
            ('pack', 'pack_held', draw.pack_credits)
        ) v (from_book, to_book, credits)
        WHERE v.credits > 0;
    INSERT INTO metering.hold VALUES (
        request, a.id, key, a.period_start, draw.source, draw.plan_credits, draw.overage_credits, draw.pack_credits,
        a.plan, a.overage_rate_cents, operation, url, moment, moment + life_ms * interval '1 millisecond'
    );
    outcome := 'granted';
END $$;

-- The account a request belongs to, settled or not.
CREATE FUNCTION metering.account_of(request text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT h.account_id FROM metering.hold h WHERE h.request_id = request
    UNION ALL
    SELECT c.account_id FROM metering.usage_call c WHERE c.request_id = request
    LIMIT 1
$$;

-- Charges a hold to the month it was taken in, also when that month has ended meanwhile.
CREATE FUNCTION metering.charge_hold(h metering.hold, auto_render boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE metering.account_period p SET
        plan_held = p.plan_held - h.plan_credits,
        plan_spent = p.plan_spent + h.plan_credits,
        overage_held = p.overage_held - h.overage_credits,
        overage_spent = p.overage_spent + h.overage_credits,
        pack_spent = p.pack_spent + h.pack_credits
        WHERE p.account_id = h.account_id AND p.period_start = h.period_start;
    UPDATE metering.account SET pack_held = pack_held - h.pack_credits, version = version + 1
        WHERE id = h.account_id;
    INSERT INTO metering.ledger_entry
        (account_id, period_start, kind, from_book, to_book, credits, request_id, plan, overage_rate_cents)
        SELECT h.account_id, h.period_start, 'commit', v.from_book, v.to_book, v.credits, h.request_id,
            h.plan, CASE WHEN v.to_book = 'overage_spent' THEN h.overage_rate_cents END
        FROM (VALUES
            ('plan_held'::metering.book, 'plan_spent'::metering.book, h.plan_credits),
            ('overage_held', 'overage_spent', h.overage_credits),
            ('pack_held', 'pack_spent', h.pack_credits)
        ) v (from_book, to_book, credits)
        WHERE v.credits > 0;
    INSERT INTO metering.usage_call (request_id, account_id, key_id, at, operation, url, outcome, auto_render,
            price, credits, source, period_start)
        VALUES (h.request_id, h.account_id, h.key_id, h.at, h.operation, h.url, 'ok', auto_render,
            h.plan_credits + h.overage_credits + h.pack_credits, h.plan_credits + h.overage_credits + h.pack_credits,
            h.source, h.period_start);
END $$;

-- Charges a call whose hold has expired. Its credits went back and may be spent, so it draws on what there is now, in
-- the current month, by the usual order; when nothing covers it whole, the call was ours to give and is written off.
CREATE FUNCTION metering.charge_late(c metering.usage_call, a metering.account, auto_render boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    p metering.account_period;
    draw record;
BEGIN
    SELECT * INTO p FROM metering.account_period ap WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
    draw := metering.choose_source(a, p, c.price);
    UPDATE metering.account_period ap SET
        plan_available = ap.plan_available - CASE draw.source WHEN 'unlimited' THEN 0 ELSE draw.plan_credits END,
        plan_spent = ap.plan_spent + draw.plan_credits,
        overage_spent = ap.overage_spent + draw.overage_credits,
        pack_spent = ap.pack_spent + draw.pack_credits
        WHERE draw.source IS NOT NULL AND ap.account_id = a.id AND ap.period_start = a.period_start;
    UPDATE metering.account acc SET pack_available = acc.pack_available - draw.pack_credits, version = acc.version + 1
        WHERE acc.id = a.id;
    INSERT INTO metering.ledger_entry
        (account_id, period_start, kind, from_book, to_book, credits, request_id, plan, overage_rate_cents)
        SELECT a.id, a.period_start, 'late_commit', v.from_book, v.to_book, v.credits, c.request_id,
            a.plan, CASE WHEN v.to_book = 'overage_spent' THEN a.overage_rate_cents END
        FROM (VALUES
            (CASE draw.source WHEN 'unlimited' THEN 'issuer' ELSE 'plan' END::metering.book,
                'plan_spent'::metering.book, draw.plan_credits),
            ('issuer', 'overage_spent', draw.overage_credits),
            ('pack', 'pack_spent', draw.pack_credits),
            ('issuer', 'written_off', CASE WHEN draw.source IS NULL THEN c.price ELSE 0 END)
        ) v (from_book, to_book, credits)
        WHERE v.credits > 0;
    UPDATE metering.usage_call uc SET
        outcome = 'ok', late = true, auto_render = charge_late.auto_render, source = draw.source,
        credits = draw.plan_credits + draw.overage_credits + draw.pack_credits, period_start = a.period_start
        WHERE uc.request_id = c.request_id;
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
        PERFORM metering.charge_hold(h, auto_render);
    END IF;
    SELECT * INTO c FROM metering.usage_call WHERE request_id = request;
    IF c.outcome = 'expired' THEN
        PERFORM metering.charge_late(c, a, auto_render);
        SELECT * INTO c FROM metering.usage_call WHERE request_id = request;
    END IF;
    outcome := CASE WHEN c.outcome = 'ok' THEN 'committed' ELSE 'released' END;
    charged := c.credits;
    drawn_from := c.source;
    was_late := c.late;
    SELECT * INTO a FROM metering.account acc WHERE acc.id = a.id;
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
    UPDATE metering.account_period ap SET
        plan_available = ap.plan_available + back,
        plan_held = ap.plan_held - h.plan_credits,
        overage_held = ap.overage_held - h.overage_credits
        WHERE h.source <> 'pack' AND ap.account_id = h.account_id AND ap.period_start = h.period_start;
    IF h.source = 'pack' THEN
        UPDATE metering.account acc SET
            pack_available = acc.pack_available + h.pack_credits, pack_held = acc.pack_held - h.pack_credits
            WHERE acc.id = h.account_id;
    END IF;
    INSERT INTO metering.ledger_entry
        (account_id, period_start, kind, from_book, to_book, credits, request_id)
        SELECT h.account_id, h.period_start, reason, v.from_book, v.to_book, v.credits, h.request_id
        FROM (VALUES
            ('plan_held'::metering.book, 'plan'::metering.book, back),
            ('plan_held', 'issuer', h.plan_credits - back),
            ('overage_held', 'issuer', h.overage_credits),
            ('pack_held', 'pack', h.pack_credits)
        ) v (from_book, to_book, credits)
        WHERE v.credits > 0;
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
