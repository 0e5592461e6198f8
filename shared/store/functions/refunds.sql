-- Refunds of charged calls, as new entries.

-- Refunds a charged call, once. If the charge can no longer be reversed, its credits are granted as pack credits.
-- Outcomes: refunded (also if it was before), not_charged, unknown.
CREATE OR REPLACE FUNCTION metering.refund_call(
    request text, reason text, OUT outcome text, OUT as_pack boolean, OUT state metering.account_state
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    c metering.usage_call;
    part metering.ledger_entry;
BEGIN
    a := metering.lock_account(metering.account_of(request));
    IF a.id IS NULL THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    SELECT * INTO c FROM metering.usage_call uc WHERE uc.request_id = request;
    IF c.refunded_at IS NOT NULL THEN
        outcome := 'refunded';
        as_pack := c.credits > 0;
        state := metering.read_state(a);
        RETURN;
    END IF;
    IF c.credits IS NULL OR c.credits = 0 THEN
        outcome := 'not_charged';
        RETURN;
    END IF;
    as_pack := NOT metering.is_reversible(a, c);
    IF as_pack THEN
        INSERT INTO metering.ledger_entry (account_id, period_start, kind, from_book, to_book, credits, request_id,
                plan, note)
            VALUES (a.id, a.period_start, 'refund', 'issuer', 'pack', c.credits, request, a.plan, reason);
        UPDATE metering.account acc SET pack_available = acc.pack_available + c.credits WHERE acc.id = a.id;
    ELSE
        FOR part IN SELECT * FROM metering.ledger_entry e
            WHERE e.account_id = a.id AND e.period_start = c.period_start AND e.request_id = request
                AND e.to_book IN ('plan_spent', 'overage_spent', 'pack_spent')
        LOOP
            PERFORM metering.reverse_part(a, part, reason);
        END LOOP;
    END IF;
    -- A charge that stays is kept in the history; a reversed one counts as 0.
    UPDATE metering.usage_call uc SET
        refunded_at = metering.clock(), credits = CASE WHEN as_pack THEN uc.credits ELSE 0 END
        WHERE uc.request_id = request;
    UPDATE metering.account acc SET version = acc.version + 1 WHERE acc.id = a.id RETURNING * INTO a;
    PERFORM metering.note_change(a.id, 'refunded',
        jsonb_build_object('request', request, 'credits', c.credits, 'reason', reason));
    outcome := 'refunded';
    state := metering.read_state(a);
END $$;

-- Returns true if a charge can be reversed as it was made: its month is the open one, and no invoice has its overage.
CREATE OR REPLACE FUNCTION metering.is_reversible(a metering.account, c metering.usage_call) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN c.period_start = a.period_start AND NOT EXISTS (
        SELECT FROM metering.ledger_entry e
        WHERE e.account_id = a.id AND e.period_start = c.period_start AND e.request_id = c.request_id
            AND e.to_book = 'overage_spent'
            AND e.credits > coalesce((
                SELECT u.quantity FROM metering.unbilled_overage(a.id, c.period_start) u
                WHERE u.plan = e.plan AND u.rate_cents_per_1000 = e.overage_rate_cents), 0));
END $$;

-- Returns one part of a charge to its source. Plan credits return only as far as the current limit allows.
CREATE OR REPLACE FUNCTION metering.reverse_part(a metering.account, part metering.ledger_entry, reason text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    p metering.account_period;
    back bigint := 0;
BEGIN
    IF part.to_book = 'plan_spent' THEN
        SELECT * INTO p FROM metering.account_period ap
            WHERE ap.account_id = a.id AND ap.period_start = part.period_start;
        back := metering.plan_target(a.monthly_limit, p.plan_spent - part.credits, p.plan_held) - p.plan_available;
        back := least(greatest(back, 0), part.credits);
    ELSIF part.to_book = 'pack_spent' THEN
        back := part.credits;
    END IF;
    INSERT INTO metering.ledger_entry (account_id, period_start, kind, from_book, to_book, credits, request_id, plan,
            overage_rate_cents, note)
        SELECT a.id, part.period_start, 'refund', part.to_book, r.book, r.credits, part.request_id, part.plan,
            part.overage_rate_cents, reason
        FROM (VALUES
            (CASE part.to_book WHEN 'pack_spent' THEN 'pack' ELSE 'plan' END::metering.book, back),
            ('issuer'::metering.book, part.credits - back)
        ) r (book, credits)
        WHERE r.credits > 0;
    UPDATE metering.account_period ap SET
        plan_available = ap.plan_available + CASE part.to_book WHEN 'plan_spent' THEN back ELSE 0 END,
        plan_spent = ap.plan_spent - CASE part.to_book WHEN 'plan_spent' THEN part.credits ELSE 0 END,
        overage_spent = ap.overage_spent - CASE part.to_book WHEN 'overage_spent' THEN part.credits ELSE 0 END,
        pack_spent = ap.pack_spent - CASE part.to_book WHEN 'pack_spent' THEN part.credits ELSE 0 END
        WHERE ap.account_id = a.id AND ap.period_start = part.period_start;
    IF part.to_book = 'pack_spent' THEN
        UPDATE metering.account acc SET pack_available = acc.pack_available + part.credits WHERE acc.id = a.id;
    END IF;
END $$;
