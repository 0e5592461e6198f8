-- Functions that only the previous release calls. It runs on this schema during an upgrade and after a roll-back.

-- Old names of functions; each calls its successor.

CREATE OR REPLACE FUNCTION metering.peek_state(a metering.account) RETURNS metering.account_state
LANGUAGE sql STABLE AS $$ SELECT metering.read_state(a) $$;

CREATE OR REPLACE FUNCTION metering.enter_month(a metering.account, month date) RETURNS metering.account
LANGUAGE sql AS $$ SELECT metering.ensure_period(a, month) $$;

CREATE OR REPLACE FUNCTION metering.adopt_terms(a metering.account, terms metering.scheduled_terms, month date)
RETURNS metering.account
LANGUAGE sql AS $$ SELECT metering.apply_terms(a, terms, month) $$;

CREATE OR REPLACE FUNCTION metering.unschedule_terms(account text) RETURNS boolean
LANGUAGE sql AS $$ SELECT metering.cancel_scheduled_terms(account) $$;

CREATE OR REPLACE FUNCTION metering.note_subscription(
    account text, subscription text, known_version bigint, new_status text, until timestamptz,
    new_plan text, new_limit bigint, new_rate integer, new_overage_rate integer, new_interval text, paid_order text
) RETURNS text
LANGUAGE sql AS $$
    SELECT metering.apply_subscription_state(account, subscription, known_version, new_status, until, new_plan,
        new_limit, new_rate, new_overage_rate, new_interval, paid_order)
$$;

CREATE OR REPLACE FUNCTION metering.is_surplus(subscription text) RETURNS boolean
LANGUAGE sql STABLE AS $$ SELECT metering.is_duplicate(subscription) $$;

CREATE OR REPLACE FUNCTION metering.claim_surplus_subscriptions(at_most integer, pause_seconds double precision)
RETURNS SETOF metering.surplus_subscription
LANGUAGE sql AS $$ SELECT * FROM metering.claim_duplicate_subscriptions(at_most, pause_seconds) $$;

CREATE OR REPLACE FUNCTION metering.note_excess(account text, order_id text, why text) RETURNS void
LANGUAGE sql AS $$ SELECT metering.record_overpayment(account, order_id, why) $$;

CREATE OR REPLACE FUNCTION metering.bring_about(
    o metering.billing_order, pack_credits bigint, new_limit bigint, new_rate integer, new_overage_rate integer
) RETURNS void
LANGUAGE sql AS $$ SELECT metering.fulfil_order(o, pack_credits, new_limit, new_rate, new_overage_rate) $$;

-- For releases before 0028_call_duration.
CREATE OR REPLACE FUNCTION metering.record_calls(
    accounts text[], keys text[], requests text[], operations text[], urls text[], times timestamptz[],
    cached boolean[], outcomes text[]
) RETURNS bigint
LANGUAGE sql AS $$
    SELECT metering.record_calls(accounts, keys, requests, operations, urls, times, cached, outcomes, '{}')
$$;

-- For releases before 0019_billing_rules.
CREATE OR REPLACE FUNCTION metering.set_invoice_paid(account text, invoice text, paid boolean)
RETURNS metering.account_state
LANGUAGE sql AS $$ SELECT metering.set_invoice_paid(account, invoice, paid, NULL) $$;

-- For releases before 0019_billing_rules, which apply the state of a subscription by this. Returns false if a newer
-- state was applied since `known_version`. Null: there is no such account.
CREATE OR REPLACE FUNCTION metering.heed_subscription(
    account text, subscription text, known_version bigint, new_status text, until timestamptz,
    new_plan text, new_limit bigint, new_rate integer, new_overage_rate integer, new_interval text
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    s metering.billing_subscription;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT * INTO s FROM metering.billing_subscription bs WHERE bs.account_id = a.id;
    IF coalesce(s.version, 0) <> known_version THEN
        RETURN false;
    END IF;
    INSERT INTO metering.billing_subscription AS bs
        VALUES (a.id, subscription, new_status, new_plan, new_interval, until, known_version + 1)
        ON CONFLICT (account_id) DO UPDATE SET reference = excluded.reference, status = excluded.status,
            plan = excluded.plan, billing_interval = excluded.billing_interval, paid_until = excluded.paid_until,
            version = excluded.version;
    IF new_plan IS NOT NULL AND (new_plan <> a.plan OR new_interval <> a.billing_interval) THEN
        PERFORM metering.set_terms(a.id, new_plan, new_limit, new_rate, NULL, new_overage_rate, new_interval);
    END IF;
    RETURN true;
END $$;
