-- Corrections by people: new entries, never changed ones. Each names its reason and happens once.

ALTER TYPE metering.entry_kind ADD VALUE 'adjustment';
-- The reverse of a charge.
ALTER TYPE metering.entry_kind ADD VALUE 'refund';

-- Why, for whoever reads the ledger.
ALTER TABLE metering.ledger_entry ADD COLUMN note text;
CREATE INDEX ledger_entry_overage_refunded ON metering.ledger_entry (account_id, period_start)
    WHERE from_book = 'overage_spent';

-- When the call was given back, whether as it was paid or as pack credits.
ALTER TABLE metering.usage_call ADD COLUMN refunded_at timestamptz;

CREATE TABLE metering.adjustment (
    -- Makes it idempotent.
    reference text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    -- Added to the pack balance, or taken from it.
    credits bigint NOT NULL CHECK (credits <> 0),
    reason text NOT NULL CHECK (reason <> ''),
    at timestamptz NOT NULL DEFAULT metering.clock()
);

-- Adds credits to the pack balance, or takes them away, never below nothing. Outcomes: adjusted (also when it was
-- before), too_little, conflict (the reference is of another adjustment), unknown_account.
CREATE FUNCTION metering.adjust_pack(
    account text, reference text, difference bigint, reason text, OUT outcome text, OUT state metering.account_state
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    earlier metering.adjustment;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        outcome := 'unknown_account';
        RETURN;
    END IF;
    state := metering.peek_state(a);
    SELECT * INTO earlier FROM metering.adjustment j WHERE j.reference = adjust_pack.reference;
    IF FOUND THEN
        outcome := CASE WHEN earlier.account_id = a.id AND earlier.credits = difference
            THEN 'adjusted' ELSE 'conflict' END;
        RETURN;
    END IF;
    IF a.pack_available + difference < 0 THEN
        outcome := 'too_little';
        RETURN;
    END IF;
    INSERT INTO metering.adjustment (reference, account_id, credits, reason)
        VALUES (reference, a.id, difference, reason);
    INSERT INTO metering.ledger_entry
        (account_id, period_start, kind, from_book, to_book, credits, request_id, plan, note)
        VALUES (a.id, a.period_start, 'adjustment',
            CASE WHEN difference > 0 THEN 'issuer' ELSE 'pack' END::metering.book,
            CASE WHEN difference > 0 THEN 'pack' ELSE 'issuer' END::metering.book,
            abs(difference), reference, a.plan, reason);
    UPDATE metering.account acc SET pack_available = acc.pack_available + difference, version = acc.version + 1
        WHERE acc.id = a.id RETURNING * INTO a;
    PERFORM metering.note_change(a.id, 'adjusted',
        jsonb_build_object('credits', difference, 'reason', reason, 'reference', reference));
    outcome := 'adjusted';
    state := metering.peek_state(a);
END $$;

-- Overage of one month that is on no invoice yet, by the terms it was drawn under.
CREATE OR REPLACE FUNCTION metering.unbilled_overage(account text, month date)
RETURNS TABLE (plan text, rate_cents_per_1000 integer, quantity bigint)
LANGUAGE sql STABLE AS $$
    SELECT u.plan, u.rate, sum(u.credits)::bigint
    FROM (
        SELECT e.plan, e.overage_rate_cents AS rate, e.credits
            FROM metering.ledger_entry e
            WHERE e.account_id = account AND e.period_start = month AND e.to_book = 'overage_spent'
        UNION ALL
        SELECT e.plan, e.overage_rate_cents, -e.credits
            FROM metering.ledger_entry e
            WHERE e.account_id = account AND e.period_start = month AND e.from_book = 'overage_spent'
        UNION ALL
        SELECT l.plan, l.rate_cents_per_1000, -l.quantity
            FROM metering.invoice i JOIN metering.invoice_line l ON l.invoice_id = i.id
            WHERE i.account_id = account AND i.period_start = month AND l.kind = 'overage'
    ) u
    GROUP BY u.plan, u.rate
    HAVING sum(u.credits) > 0
    ORDER BY u.rate DESC, u.plan
$$;

-- Gives one part of a charge back to where it came from. Plan credits return only as far as the limit allows now.
CREATE FUNCTION metering.reverse_part(a metering.account, part metering.ledger_entry, reason text) RETURNS void
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

-- Whether a charge can be undone as it was made: its month runs, and no invoice has its overage.
CREATE FUNCTION metering.is_reversible(a metering.account, c metering.usage_call) RETURNS boolean
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

-- Gives a charged call back, once. What can't be undone any more (its month has ended, or its overage is on an
-- invoice) is given back as pack credits. Outcomes: refunded (also when it was before), not_charged, unknown.
CREATE FUNCTION metering.refund_call(
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
        state := metering.peek_state(a);
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
    -- What stays charged stays in the history; what was undone counts as 0.
    UPDATE metering.usage_call uc SET
        refunded_at = metering.clock(), credits = CASE WHEN as_pack THEN uc.credits ELSE 0 END
        WHERE uc.request_id = request;
    UPDATE metering.account acc SET version = acc.version + 1 WHERE acc.id = a.id RETURNING * INTO a;
    PERFORM metering.note_change(a.id, 'refunded',
        jsonb_build_object('request', request, 'credits', c.credits, 'reason', reason));
    outcome := 'refunded';
    state := metering.peek_state(a);
END $$;
