-- What an operator or a billing provider does to an account. Each change is noted, and queued for announcement in the
-- same transaction.

CREATE FUNCTION metering.note_change(account text, kind text, detail jsonb) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metering.account_event (account_id, kind, detail) VALUES (account, kind, detail);
    INSERT INTO metering.pending_change (account_id) VALUES (account);
$$;

CREATE FUNCTION metering.create_account(
    new_id text, email text, plan text, monthly_limit bigint, requests_per_minute integer,
    overage_enabled boolean, overage_rate_cents integer, currency text, billing_interval text
) RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    INSERT INTO metering.account (id, email, plan, monthly_limit, requests_per_minute, overage_enabled,
            overage_rate_cents, currency, billing_interval, period_start)
        VALUES (new_id, email, plan, monthly_limit, requests_per_minute, overage_enabled,
            overage_rate_cents, currency, billing_interval, metering.month_of(metering.clock()))
        RETURNING * INTO a;
    PERFORM metering.open_period(a, a.period_start);
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (a.id, 'created', jsonb_build_object('plan', plan));
    RETURN metering.peek_state(a);
END $$;

-- Puts an account on other terms, at once and in either direction. What was spent stays spent; plan credits are
-- granted or lapse so that what is left follows from the new limit. Overage that is not decided (null) is off on a plan
-- without it, on when the plan is the first with it, and otherwise stays as its owner has switched it.
CREATE FUNCTION metering.set_terms(
    account text, new_plan text, new_limit bigint, new_rate integer, new_overage boolean, new_overage_rate integer
) RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    p metering.account_period;
    difference bigint;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT * INTO p FROM metering.account_period ap WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
    difference := metering.plan_target(new_limit, p.plan_spent, p.plan_held) - p.plan_available;
    PERFORM
        metering.post(a.id, a.period_start, 'plan_change', 'issuer', 'plan', difference, NULL, new_plan, NULL),
        metering.post(a.id, a.period_start, 'plan_change', 'plan', 'issuer', -difference, NULL, new_plan, NULL);
    UPDATE metering.account_period ap SET plan_available = ap.plan_available + difference
        WHERE ap.account_id = a.id AND ap.period_start = a.period_start;
    PERFORM metering.note_change(a.id, 'plan_changed', jsonb_build_object('from', a.plan, 'to', new_plan));
    UPDATE metering.account acc SET
        plan = new_plan, monthly_limit = new_limit, requests_per_minute = new_rate,
        overage_enabled = CASE
            WHEN new_overage_rate IS NULL THEN false
            WHEN new_overage IS NOT NULL THEN new_overage
            ELSE acc.overage_enabled OR acc.overage_rate_cents IS NULL
        END,
        overage_rate_cents = new_overage_rate, version = acc.version + 1
        WHERE acc.id = a.id RETURNING * INTO a;
    RETURN metering.peek_state(a);
END $$;

-- Null state: no such account. `available` is false when the plan has no overage.
CREATE FUNCTION metering.set_overage(
    account text, enabled boolean, OUT available boolean, OUT state metering.account_state
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN;
    END IF;
    available := NOT enabled OR a.overage_rate_cents IS NOT NULL;
    IF available AND a.overage_enabled <> enabled THEN
        UPDATE metering.account acc SET overage_enabled = enabled, version = acc.version + 1
            WHERE acc.id = a.id RETURNING * INTO a;
        PERFORM metering.note_change(a.id, CASE WHEN enabled THEN 'overage_on' ELSE 'overage_off' END, '{}');
    END IF;
    state := metering.peek_state(a);
END $$;

CREATE FUNCTION metering.set_suspended(account text, suspended boolean) RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    IF (a.suspended_at IS NOT NULL) <> suspended THEN
        UPDATE metering.account acc SET
            suspended_at = CASE WHEN suspended THEN metering.clock() END, version = acc.version + 1
            WHERE acc.id = a.id RETURNING * INTO a;
        PERFORM metering.note_change(a.id, CASE WHEN suspended THEN 'suspended' ELSE 'resumed' END, '{}');
    END IF;
    RETURN metering.peek_state(a);
END $$;

-- Packs bought or granted. The reference makes a purchase idempotent, however often a billing provider reports it.
CREATE TABLE metering.pack_purchase (
    reference text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    pack text NOT NULL,
    credits bigint NOT NULL CHECK (credits > 0),
    at timestamptz NOT NULL DEFAULT metering.clock()
);

CREATE FUNCTION metering.grant_pack(
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
    state := metering.peek_state(a);
END $$;

-- Revokes a key by its id or its hash; null when there is none. Revoking twice announces twice and changes nothing.
CREATE FUNCTION metering.revoke_key(key_id text, key_sha256 bytea) RETURNS metering.api_key
LANGUAGE plpgsql AS $$
DECLARE
    k metering.api_key;
BEGIN
    UPDATE metering.api_key ak SET revoked_at = coalesce(ak.revoked_at, metering.clock())
        WHERE ak.id = key_id OR ak.sha256 = key_sha256 RETURNING * INTO k;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (k.account_id, 'key_revoked', jsonb_build_object('key', k.id));
    INSERT INTO metering.pending_change (account_id, key_sha256) VALUES (k.account_id, k.sha256);
    RETURN k;
END $$;

-- Outcomes: created, too_many, unknown_account.
CREATE FUNCTION metering.create_key(
    new_id text, account text, name text, prefix text, sha256 bytea, most bigint,
    OUT outcome text, OUT created_at timestamptz
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        outcome := 'unknown_account';
        RETURN;
    END IF;
    IF (SELECT count(*) >= most FROM metering.api_key k WHERE k.account_id = a.id AND k.revoked_at IS NULL) THEN
        outcome := 'too_many';
        RETURN;
    END IF;
    created_at := metering.clock();
    INSERT INTO metering.api_key VALUES (new_id, a.id, name, prefix, sha256, created_at);
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (a.id, 'key_created', jsonb_build_object('key', new_id));
    outcome := 'created';
END $$;
