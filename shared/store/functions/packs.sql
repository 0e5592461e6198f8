-- Pack credits, which do not expire.

-- Adds a pack. Idempotent by the reference of the purchase, however often the billing provider reports it. Null
-- state: there is no such account.
CREATE OR REPLACE FUNCTION metering.grant_pack(
    account text, purchase text, pack text, pack_credits bigint, OUT added boolean, OUT state metering.account_state
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO metering.pack_purchase (reference, account_id, pack, credits)
        VALUES (purchase, a.id, pack, pack_credits) ON CONFLICT (reference) DO NOTHING;
    added := FOUND;
    IF added THEN
        PERFORM metering.post(a.id, a.period_start, 'pack_purchase', 'issuer', 'pack', pack_credits,
            purchase, NULL, NULL);
        UPDATE metering.account acc SET
            pack_available = acc.pack_available + pack_credits, version = acc.version + 1
            WHERE acc.id = a.id RETURNING * INTO a;
        PERFORM metering.note_change(a.id, 'pack_granted', jsonb_build_object('pack', pack, 'credits', pack_credits));
    END IF;
    state := metering.read_state(a);
END $$;

-- Adds credits to the pack balance or subtracts them, never below 0. Idempotent by reference. Outcomes: adjusted
-- (also if it was before), too_little, conflict (the reference belongs to another adjustment), unknown_account.
CREATE OR REPLACE FUNCTION metering.adjust_pack(
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
    state := metering.read_state(a);
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
    state := metering.read_state(a);
END $$;
