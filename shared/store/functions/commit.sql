-- Charging a call.

-- Charges a call, once. If the request is unknown and the call's details are given (`holder` and the parameters after
-- it), its hold was lost, and it is charged as if the hold had expired.
--
-- Outcomes: committed; unknown (no such request); released (the call was released before and stays free).
CREATE OR REPLACE FUNCTION metering.commit_hold(
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
    state := metering.read_state(a);
END $$;

-- Charges a hold to the month in which it was taken, even if that month has ended. Returns the account.
CREATE OR REPLACE FUNCTION metering.charge_hold(h metering.hold, auto_render boolean) RETURNS metering.account
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
            price, credits, source, period_start, duration_ms)
        VALUES (h.request_id, h.account_id, h.key_id, h.at, h.operation, h.url, 'ok', auto_render,
            price, price, h.source, h.period_start, metering.elapsed_ms(h.at));
    RETURN a;
END $$;

-- Charges a call whose hold has expired. Its credits were returned and may be spent, so it draws on the credits that
-- are available in the current month, in the usual order. If no source covers the whole price, the call is written
-- off.
CREATE OR REPLACE FUNCTION metering.charge_late(c metering.usage_call, a metering.account, auto_render boolean) RETURNS void
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
