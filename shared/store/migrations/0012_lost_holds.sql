-- A hold is a promise for two minutes, a charge is for good: only the charge waits for the disk.
--
-- A hold is in the log before its commit is, and the commit's own flush takes it along. What a crash or a fail-over of
-- the database may lose is holds of its last moments whose calls are under way; their commits say what was held, and
-- are charged like those of holds that have expired.

DROP FUNCTION metering.hold_credits(text, text, text, bigint, text, text, bigint);

-- As before; says what the call draws on, and does not wait for the disk.
CREATE FUNCTION metering.hold_credits(
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

DROP FUNCTION metering.commit_hold(text, boolean);

-- Charges a call, once. With what was held given, a call that nothing is known of is one whose hold was lost, and is
-- charged like one whose hold has expired. Outcomes: committed; unknown (no such request) and released (the call was
-- given up before, so it stays free).
CREATE FUNCTION metering.commit_hold(
    request text, auto_render boolean,
    holder text DEFAULT NULL, key text DEFAULT NULL, price bigint DEFAULT NULL, operation text DEFAULT NULL,
    url text DEFAULT NULL,
    OUT outcome text, OUT charged bigint, OUT drawn_from text, OUT was_late boolean,
    OUT state metering.account_state
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    h metering.hold;
    c metering.usage_call;
BEGIN
    a := metering.lock_account(coalesce(metering.account_of(request), holder));
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
        SELECT * INTO c FROM metering.usage_call uc WHERE uc.request_id = request;
        IF NOT FOUND THEN
            INSERT INTO metering.usage_call
                (request_id, account_id, key_id, at, operation, url, outcome, price, period_start)
                VALUES (request, a.id, key, metering.clock(), operation, url, 'expired', price, a.period_start)
                RETURNING * INTO c;
        END IF;
        IF c.outcome = 'expired' THEN
            PERFORM metering.charge_late(c, a, auto_render);
            SELECT * INTO c FROM metering.usage_call uc WHERE uc.request_id = request;
            SELECT * INTO a FROM metering.account acc WHERE acc.id = a.id;
        END IF;
        outcome := CASE WHEN c.outcome = 'ok' THEN 'committed' ELSE 'released' END;
        charged := c.credits;
        drawn_from := c.source;
        was_late := c.late;
    END IF;
    state := metering.peek_state(a);
END $$;
