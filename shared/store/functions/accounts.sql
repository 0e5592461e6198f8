-- Changes of an account by an operator, its owner or the billing provider. Each change is recorded as an event, and
-- queued for announcement in the same transaction.

-- Records an event of the account, and queues the announcement that the account has changed.
CREATE OR REPLACE FUNCTION metering.note_change(account text, kind text, detail jsonb) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metering.account_event (account_id, kind, detail) VALUES (account, kind, detail);
    INSERT INTO metering.outbox (account_id) VALUES (account);
$$;

-- Creates an account and opens its first period.
CREATE OR REPLACE FUNCTION metering.create_account(
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
    RETURN metering.read_state(a);
END $$;

-- Switches overage on or off. `available` is false if overage is to be switched on and the plan has none. Null state:
-- there is no such account.
CREATE OR REPLACE FUNCTION metering.set_overage(
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
    state := metering.read_state(a);
END $$;

-- Suspends or resumes an account on behalf of an operator. Resuming forgives its unpaid invoices: only a further one
-- suspends the account again. Null: there is no such account.
CREATE OR REPLACE FUNCTION metering.set_suspended(account text, suspended boolean) RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    UPDATE metering.account acc SET
        operator_suspended_at = CASE WHEN suspended THEN coalesce(acc.operator_suspended_at, metering.clock()) END
        WHERE acc.id = a.id;
    IF NOT suspended THEN
        UPDATE metering.unpaid_invoice u SET forgiven_at = metering.clock()
            WHERE u.account_id = a.id AND u.forgiven_at IS NULL;
    END IF;
    RETURN metering.apply_suspension(a.id);
END $$;

-- Sets whether the account is suspended: it is if an operator has suspended it or if it has an unpaid invoice that is
-- not forgiven. The account must exist.
CREATE OR REPLACE FUNCTION metering.apply_suspension(account text) RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    suspended boolean;
BEGIN
    a := metering.lock_account(account);
    suspended := a.operator_suspended_at IS NOT NULL
        OR EXISTS (SELECT FROM metering.unpaid_invoice u WHERE u.account_id = a.id AND u.forgiven_at IS NULL);
    IF (a.suspended_at IS NOT NULL) <> suspended THEN
        UPDATE metering.account acc SET
            suspended_at = CASE WHEN suspended THEN metering.clock() END, version = acc.version + 1
            WHERE acc.id = a.id RETURNING * INTO a;
        PERFORM metering.note_change(a.id, CASE WHEN suspended THEN 'suspended' ELSE 'resumed' END, '{}');
    END IF;
    RETURN metering.read_state(a);
END $$;

-- Closes an account for its owner. Rows that money depends on stay; personal data is deleted, except that the e-mail
-- address is kept while the account owes something. Keys are revoked, client grants end and are deleted, overage is
-- switched off (overage on hold is still billed), and a subscription is marked to be cancelled. False: there is no
-- such account.
CREATE OR REPLACE FUNCTION metering.close_account(account text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN false;
    END IF;
    PERFORM metering.revoke_keys(a.id, NULL);
    PERFORM metering.end_grant(cg.id) FROM metering.client_grant cg WHERE cg.account_id = a.id;
    DELETE FROM metering.client_grant cg WHERE cg.account_id = a.id;
    UPDATE metering.usage_call c SET url = '' WHERE c.account_id = a.id AND c.url <> '';
    UPDATE metering.hold h SET url = '' WHERE h.account_id = a.id;
    UPDATE metering.account acc SET
        closed_at = coalesce(acc.closed_at, metering.clock()), overage_enabled = false, version = acc.version + 1
        WHERE acc.id = a.id;
    PERFORM metering.give_up_subscription(a.id, s.reference, 'closed_account', false)
        FROM metering.billing_subscription s WHERE s.account_id = a.id;
    PERFORM metering.forget_address(a.id);
    PERFORM metering.note_change(a.id, 'closed', '{}');
    RETURN true;
END $$;

-- Returns true if the account has open holds, overage that is on no invoice yet, or an unsettled invoice.
CREATE OR REPLACE FUNCTION metering.owes(account text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM metering.hold h WHERE h.account_id = account)
        OR EXISTS (SELECT FROM metering.invoice i WHERE i.account_id = account AND i.settled_at IS NULL)
        OR EXISTS (
            SELECT FROM metering.account_period p, metering.unbilled_overage(p.account_id, p.period_start) u
            WHERE p.account_id = account AND p.closed_at IS NULL)
$$;

-- Deletes the e-mail address of a closed account that owes nothing; until then invoices go to it. Returns true if it
-- did.
CREATE OR REPLACE FUNCTION metering.forget_address(account text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.closed_at IS NULL OR metering.owes(a.id) THEN
        RETURN false;
    END IF;
    UPDATE metering.account acc SET email = 'closed@account.invalid'
        WHERE acc.id = a.id AND acc.email <> 'closed@account.invalid';
    RETURN FOUND;
END $$;

-- Returns closed accounts whose e-mail address can be deleted.
CREATE OR REPLACE FUNCTION metering.accounts_to_forget(at_most integer) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT a.id FROM metering.account a
    WHERE a.closed_at IS NOT NULL AND a.email <> 'closed@account.invalid' AND NOT metering.owes(a.id)
    ORDER BY a.closed_at LIMIT at_most
$$;
