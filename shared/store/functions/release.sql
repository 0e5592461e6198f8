-- Returns reserved credits: of calls that are released (`release_hold`) and of holds that nobody settled in time
-- (`expire_holds`).

-- Releases the hold of a call; `code` is how the call ended. Outcomes: released; committed (it is already charged);
-- unknown.
CREATE OR REPLACE FUNCTION metering.release_hold(
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
        -- An expired call that is released now can no longer be committed.
        UPDATE metering.usage_call c SET outcome = code WHERE c.request_id = request AND c.outcome = 'expired';
        SELECT CASE WHEN c.outcome = 'ok' THEN 'committed' ELSE 'released' END INTO outcome
            FROM metering.usage_call c WHERE c.request_id = request;
    END IF;
    SELECT * INTO a FROM metering.account acc WHERE acc.id = a.id;
    state := metering.read_state(a);
END $$;

-- Returns the credits of a hold and records how the call ended. Plan credits return to the plan only as far as its
-- current limit allows, and expire if their month has ended.
CREATE OR REPLACE FUNCTION metering.free_hold(
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
    INSERT INTO metering.usage_call (request_id, account_id, key_id, at, operation, url, outcome, price, period_start,
            duration_ms)
        VALUES (h.request_id, h.account_id, h.key_id, h.at, h.operation, h.url, call_outcome,
            h.plan_credits + h.overage_credits + h.pack_credits, h.period_start,
            CASE reason WHEN 'release' THEN metering.elapsed_ms(h.at) END);
END $$;

-- Returns accounts that have overdue holds: those whose time is over and which `expire_holds` has not yet removed.
CREATE OR REPLACE FUNCTION metering.accounts_with_overdue_holds(at_most integer) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT DISTINCT account_id FROM (
        SELECT account_id FROM metering.hold WHERE expires_at <= metering.clock() ORDER BY expires_at LIMIT at_most
    ) overdue
$$;

-- Expires the overdue holds of an account and returns their number. An overdue hold counts, and can be committed as
-- usual, until this is called.
CREATE OR REPLACE FUNCTION metering.expire_holds(account text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    h metering.hold;
    moment timestamptz;
    expired bigint := 0;
BEGIN
    a := metering.lock_account(account);
    moment := metering.clock();
    -- In the order of the sums per day (`add_to_days`).
    FOR h IN
        WITH overdue AS (DELETE FROM metering.hold WHERE account_id = account AND expires_at <= moment RETURNING *)
        SELECT * FROM overdue o ORDER BY (o.at AT TIME ZONE 'UTC')::date, o.operation, o.period_start
    LOOP
        PERFORM metering.free_hold(h, a, 'expiry', 'expired');
        expired := expired + 1;
    END LOOP;
    RETURN expired;
END $$;
