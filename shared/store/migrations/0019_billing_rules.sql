-- Money by the order it belongs to: which subscription an account's plan is paid by, which orders were paid, who
-- suspended an account, and when a closed one owes nothing any more.
--
-- Functions that the release before calls stay, since it works on this schema.

ALTER TABLE metering.account
    -- Who is suspended by an operator stays so whatever is paid. `suspended_at` is for this or for unpaid invoices.
    ADD COLUMN operator_suspended_at timestamptz,
    ADD COLUMN closed_at timestamptz;
ALTER TABLE metering.billing_order
    -- When the provider first said that it is paid, whatever came of it.
    ADD COLUMN paid_at timestamptz,
    -- When an operator began to approve it: that its page expired since then is our doing and settles nothing.
    ADD COLUMN approval_began_at timestamptz;
ALTER TABLE metering.invoice
    -- When the provider said that nothing is owed for it any more. Where people collect nobody says so.
    ADD COLUMN settled_at timestamptz;
ALTER TABLE metering.unpaid_invoice
    -- When an operator resumed its account: it suspends no more, whatever else is said of it.
    ADD COLUMN forgiven_at timestamptz;

-- What is known of before: whoever was resumed owes nothing that suspends, and who owes nothing was suspended by an
-- operator. Since when somebody is suspended tells nothing: the invoice that it began with may be paid while others aren't.
UPDATE metering.unpaid_invoice u SET forgiven_at = metering.clock()
    FROM metering.account a WHERE a.id = u.account_id AND a.suspended_at IS NULL;
UPDATE metering.account a SET operator_suspended_at = a.suspended_at
    WHERE a.suspended_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM metering.unpaid_invoice u WHERE u.account_id = a.id);
UPDATE metering.account a SET closed_at = e.at
    FROM (SELECT account_id, min(at) AS at FROM metering.account_event WHERE kind = 'closed' GROUP BY account_id) e
    WHERE e.account_id = a.id;
UPDATE metering.billing_order SET paid_at = settled_at WHERE state = 'fulfilled' AND provider <> 'manual';
CREATE INDEX account_to_forget ON metering.account (closed_at)
    WHERE closed_at IS NOT NULL AND email <> 'closed@account.invalid';

-- Suspended is whoever an operator has suspended or has an invoice that could not be collected and is not forgiven. The
-- caller made sure that there is the account.
CREATE FUNCTION metering.apply_suspension(account text) RETURNS metering.account_state
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
    RETURN metering.peek_state(a);
END $$;

-- What an operator says. Whoever is resumed is so although invoices are unpaid: only another one suspends again.
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

-- An invoice of the provider's could not be collected, or nothing is owed for it any more; `ours` is the one of ours that
-- it was made for. Null state: no such account.
CREATE FUNCTION metering.set_invoice_paid(account text, invoice text, paid boolean, ours text)
RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    IF paid THEN
        DELETE FROM metering.unpaid_invoice u WHERE u.reference = invoice AND u.account_id = a.id;
        UPDATE metering.invoice i SET settled_at = metering.clock()
            WHERE i.id = ours AND i.account_id = a.id AND i.settled_at IS NULL;
    ELSE
        INSERT INTO metering.unpaid_invoice (reference, account_id) VALUES (invoice, a.id) ON CONFLICT DO NOTHING;
    END IF;
    RETURN metering.apply_suspension(a.id);
END $$;

CREATE OR REPLACE FUNCTION metering.set_invoice_paid(account text, invoice text, paid boolean)
RETURNS metering.account_state
LANGUAGE sql AS $$ SELECT metering.set_invoice_paid(account, invoice, paid, NULL) $$;

-- Subscriptions that are to collect nothing more and decide about no plan any more. A job tells the provider.
CREATE TABLE metering.surplus_subscription (
    reference text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    -- Another took its place, its first payment failed, its account has agreed terms or is closed, or it was over when
    -- its order was noted as paid.
    reason text NOT NULL CHECK (
        reason IN ('replaced', 'unpaid', 'business_account', 'closed_account', 'ended_subscription')),
    -- Otherwise with the end of what is paid for.
    at_once boolean NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT metering.clock(),
    tried_at timestamptz,
    ended_at timestamptz
);
CREATE INDEX surplus_subscription_to_end ON metering.surplus_subscription (noted_at) WHERE ended_at IS NULL;

CREATE FUNCTION metering.give_up_subscription(account text, subscription text, why text, now_already boolean)
RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metering.surplus_subscription (reference, account_id, reason, at_once)
        VALUES (subscription, account, why, now_already) ON CONFLICT (reference) DO NOTHING
$$;

CREATE FUNCTION metering.is_surplus(subscription text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM metering.surplus_subscription s WHERE s.reference = subscription)
$$;

-- Surplus subscriptions that the provider is to be told of now, each to one process at a time. One that it was not told
-- of is tried again later.
CREATE FUNCTION metering.claim_surplus_subscriptions(at_most integer, pause_seconds double precision)
RETURNS SETOF metering.surplus_subscription
LANGUAGE sql AS $$
    UPDATE metering.surplus_subscription SET tried_at = metering.clock()
        WHERE reference IN (
            SELECT s.reference FROM metering.surplus_subscription s
            WHERE s.ended_at IS NULL
                AND (s.tried_at IS NULL OR s.tried_at <= metering.clock() - pause_seconds * interval '1 second')
            ORDER BY s.noted_at LIMIT at_most FOR UPDATE SKIP LOCKED)
        RETURNING *
$$;

INSERT INTO metering.surplus_subscription (reference, account_id, reason, at_once)
    SELECT s.reference, a.id, CASE WHEN a.plan = 'business' THEN 'business_account' ELSE 'closed_account' END, false
    FROM metering.billing_subscription s JOIN metering.account a ON a.id = s.account_id
    WHERE s.plan <> 'free' AND (a.plan = 'business' OR a.closed_at IS NOT NULL);

-- As before; terms that are agreed in person end the subscription that paid for the plan before.
CREATE OR REPLACE FUNCTION metering.adopt_terms(a metering.account, terms metering.scheduled_terms, month date)
RETURNS metering.account
LANGUAGE plpgsql AS $$
DECLARE
    old_plan text := a.plan;
BEGIN
    a := metering.with_terms(a, terms, month);
    UPDATE metering.account acc SET
        plan = a.plan, monthly_limit = a.monthly_limit, requests_per_minute = a.requests_per_minute,
        overage_enabled = a.overage_enabled, overage_rate_cents = a.overage_rate_cents,
        billing_interval = a.billing_interval, term_start = a.term_start, version = acc.version + 1
        WHERE acc.id = a.id RETURNING * INTO a;
    IF a.plan = 'business' THEN
        PERFORM metering.give_up_subscription(a.id, s.reference, 'business_account', false)
            FROM metering.billing_subscription s WHERE s.account_id = a.id;
    END IF;
    PERFORM metering.note_change(a.id, 'plan_changed', jsonb_build_object('from', old_plan, 'to', a.plan));
    RETURN a;
END $$;

-- Notes that somebody was paid for nothing, for an operator to see.
CREATE FUNCTION metering.note_excess(account text, order_id text, why text) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (account, 'payment_in_excess', jsonb_build_object('order', order_id, 'reason', why))
$$;

-- Notes that an order was paid, once; the caller holds the account's lock. Outcomes: due (it takes effect now, also when
-- it was declined before), known (it was noted before), or why somebody has to give the money back: paid_twice (people
-- approved it and collect for it), business_account, closed_account.
CREATE FUNCTION metering.note_payment(a metering.account, order_id text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    o metering.billing_order;
    outcome text;
BEGIN
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id AND bo.account_id = a.id FOR UPDATE;
    IF NOT FOUND OR o.paid_at IS NOT NULL THEN
        RETURN 'known';
    END IF;
    outcome := CASE
        WHEN a.closed_at IS NOT NULL THEN 'closed_account'
        WHEN o.state = 'fulfilled' THEN 'paid_twice'
        WHEN o.plan IS NOT NULL AND a.plan = 'business' THEN 'business_account'
        ELSE 'due'
    END;
    UPDATE metering.billing_order bo SET
        paid_at = metering.clock(), settled_at = CASE outcome
            WHEN 'due' THEN metering.clock() ELSE coalesce(bo.settled_at, metering.clock()) END,
        state = CASE WHEN outcome = 'due' THEN 'fulfilled' WHEN bo.state = 'open' THEN 'declined' ELSE bo.state END
        WHERE bo.id = o.id;
    IF outcome <> 'due' THEN
        PERFORM metering.note_excess(a.id, o.id, outcome);
    END IF;
    RETURN outcome;
END $$;

-- Adds the pack of an order, or sets its plan; the terms are those of that plan.
CREATE FUNCTION metering.bring_about(
    o metering.billing_order, pack_credits bigint, new_limit bigint, new_rate integer, new_overage_rate integer
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF o.pack IS NOT NULL THEN
        PERFORM metering.grant_pack(o.account_id, o.id, o.pack, pack_credits);
    ELSE
        PERFORM metering.set_terms(o.account_id, o.plan, new_limit, new_rate, NULL, new_overage_rate,
            o.billing_interval);
    END IF;
END $$;

-- Heeds that an order without a subscription was paid. Outcomes: those of `note_payment`. Null: no such order.
CREATE FUNCTION metering.pay_order(
    order_id text, pack_credits bigint, new_limit bigint, new_rate integer, new_overage_rate integer
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    o metering.billing_order;
    a metering.account;
    outcome text;
BEGIN
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id;
    a := metering.lock_account(o.account_id);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    outcome := metering.note_payment(a, o.id);
    IF outcome = 'due' THEN
        PERFORM metering.bring_about(o, pack_credits, new_limit, new_rate, new_overage_rate);
    END IF;
    RETURN outcome;
END $$;

-- Brings an open order into effect on an operator's word, and onto an invoice. It stays open when its checkout is another
-- than the one that was closed for this.
CREATE FUNCTION metering.approve_order(
    order_id text, known_reference text, pack_credits bigint, new_limit bigint, new_rate integer,
    new_overage_rate integer
) RETURNS metering.billing_order
LANGUAGE plpgsql AS $$
DECLARE
    o metering.billing_order;
BEGIN
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id;
    PERFORM metering.lock_account(o.account_id);
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id FOR UPDATE;
    IF o.state <> 'open' OR o.provider_reference IS DISTINCT FROM known_reference THEN
        RETURN o;
    END IF;
    PERFORM metering.bring_about(o, pack_credits, new_limit, new_rate, new_overage_rate);
    RETURN metering.settle_order(o.id, 'fulfilled', true);
END $$;

-- Ends an open order that nothing comes of, once its checkout (`known_reference`; null: it has none) can't be paid any
-- more. The provider's word does not end one that an operator is approving; an approval that went no further lapses.
CREATE FUNCTION metering.decline_order(order_id text, known_reference text, by_provider boolean)
RETURNS metering.billing_order
LANGUAGE plpgsql AS $$
DECLARE
    o metering.billing_order;
BEGIN
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id;
    PERFORM metering.lock_account(o.account_id);
    UPDATE metering.billing_order bo SET state = 'declined', settled_at = metering.clock()
        WHERE bo.id = order_id AND bo.state = 'open'
            AND coalesce(bo.provider_reference, known_reference) IS NOT DISTINCT FROM known_reference
            AND NOT (by_provider
                AND coalesce(bo.approval_began_at > metering.clock() - interval '10 minutes', false));
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id;
    RETURN o;
END $$;

-- As before; what is fulfilled and goes on no invoice was paid. (For the release before; see `note_payment`.)
CREATE OR REPLACE FUNCTION metering.settle_order(order_id text, new_state text, bill boolean)
RETURNS metering.billing_order
LANGUAGE plpgsql AS $$
DECLARE
    o metering.billing_order;
    a metering.account;
    new_invoice text;
BEGIN
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id;
    a := metering.lock_account(o.account_id);
    UPDATE metering.billing_order bo SET state = new_state, settled_at = metering.clock(),
            paid_at = CASE WHEN new_state = 'fulfilled' AND NOT bill THEN metering.clock() ELSE bo.paid_at END
        WHERE bo.id = order_id AND bo.state = 'open' RETURNING * INTO o;
    IF NOT FOUND THEN
        SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id;
        RETURN o;
    END IF;
    IF bill AND new_state = 'fulfilled' THEN
        new_invoice := metering.next_invoice_id(a.id, a.period_start);
        INSERT INTO metering.invoice (id, account_id, period_start, currency, total_cents)
            VALUES (new_invoice, a.id, a.period_start, o.currency, o.amount_cents);
        INSERT INTO metering.invoice_line
                (invoice_id, position, plan, quantity, amount_cents, kind, pack, billing_interval)
            VALUES (new_invoice, 1, o.plan, 1, o.amount_cents,
                CASE WHEN o.plan IS NULL THEN 'pack' ELSE 'plan' END, o.pack, o.billing_interval);
    END IF;
    RETURN o;
END $$;

-- Places an order. One for a plan comes instead of those for a plan that are open: `superseded`, to be declined.
-- All nulls: no such account.
CREATE FUNCTION metering.place_order(
    new_id text, account text, new_pack text, new_plan text, new_interval text, new_currency text, amount bigint,
    new_provider text, OUT placed metering.billing_order, OUT superseded text[]
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN;
    END IF;
    SELECT coalesce(array_agg(bo.id ORDER BY bo.ordered_at, bo.id), '{}') INTO superseded
        FROM metering.billing_order bo
        WHERE bo.account_id = a.id AND bo.state = 'open' AND bo.plan IS NOT NULL AND new_plan IS NOT NULL;
    INSERT INTO metering.billing_order (id, account_id, pack, plan, billing_interval, currency, amount_cents, provider)
        VALUES (new_id, a.id, new_pack, new_plan, new_interval, new_currency, amount, new_provider)
        RETURNING * INTO placed;
END $$;

-- Heeds how a subscription stands (`new_plan` is free: it has ended), for the account whose plan is paid by it. Another
-- one takes its place only by the payment of the order that it began with (`paid_order`, else null); what was paid before
-- is given up. Agreed terms, and whoever is paid by a subscription that was given up, are left alone.
-- Outcomes: stale (something newer was heeded since it was asked; ask again), heeded, passed_over (it is not the
-- account's), or why somebody has to give money back: those of `note_payment`, second_subscription, and
-- ended_subscription (it was over before its payment was noted). Null: no account.
CREATE FUNCTION metering.note_subscription(
    account text, subscription text, known_version bigint, new_status text, until timestamptz,
    new_plan text, new_limit bigint, new_rate integer, new_overage_rate integer, new_interval text, paid_order text
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    s metering.billing_subscription;
    payment text;
    excess text;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT * INTO s FROM metering.billing_subscription bs WHERE bs.account_id = a.id;
    IF coalesce(s.version, 0) <> known_version THEN
        RETURN 'stale';
    END IF;
    payment := CASE WHEN paid_order IS NULL THEN 'known' ELSE metering.note_payment(a, paid_order) END;
    excess := CASE WHEN payment NOT IN ('known', 'due') THEN payment END;
    IF s.reference IS DISTINCT FROM subscription THEN
        IF payment = 'due' AND (new_plan = 'free' OR metering.is_surplus(subscription)) THEN
            UPDATE metering.billing_order bo SET state = 'declined' WHERE bo.id = paid_order;
            PERFORM metering.note_excess(a.id, paid_order, 'ended_subscription');
            PERFORM metering.give_up_subscription(a.id, subscription, 'ended_subscription', true);
            RETURN 'ended_subscription';
        END IF;
        IF payment = 'known' OR new_plan = 'free' THEN
            RETURN coalesce(excess, 'passed_over');
        END IF;
        IF payment IN ('business_account', 'closed_account') THEN
            PERFORM metering.give_up_subscription(a.id, subscription, payment, false);
            RETURN payment;
        END IF;
        IF s.plan <> 'free' AND NOT metering.is_surplus(s.reference) THEN
            excess := 'second_subscription';
            PERFORM metering.note_excess(a.id, paid_order, excess);
        END IF;
        PERFORM metering.give_up_subscription(a.id, s.reference, 'replaced', false) WHERE s.reference IS NOT NULL;
    END IF;
    INSERT INTO metering.billing_subscription AS bs
        VALUES (a.id, subscription, new_status, new_plan, new_interval, until, known_version + 1)
        ON CONFLICT (account_id) DO UPDATE SET reference = excluded.reference, status = excluded.status,
            plan = excluded.plan, billing_interval = excluded.billing_interval, paid_until = excluded.paid_until,
            version = excluded.version;
    IF a.plan <> 'business' AND NOT metering.is_surplus(subscription)
        AND (new_plan <> a.plan OR new_interval <> a.billing_interval) THEN
        PERFORM metering.set_terms(a.id, new_plan, new_limit, new_rate, NULL, new_overage_rate, new_interval);
    END IF;
    RETURN coalesce(excess, 'heeded');
END $$;

-- Whether an account has calls under way, overage that is on no invoice, or an invoice that is not settled.
CREATE FUNCTION metering.owes(account text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM metering.hold h WHERE h.account_id = account)
        OR EXISTS (SELECT FROM metering.invoice i WHERE i.account_id = account AND i.settled_at IS NULL)
        OR EXISTS (
            SELECT FROM metering.account_period p, metering.unbilled_overage(p.account_id, p.period_start) u
            WHERE p.account_id = account AND p.closed_at IS NULL)
$$;

-- Forgets the address of a closed account once nothing is owed: until then invoices go to it. Says whether it did.
CREATE FUNCTION metering.forget_address(account text) RETURNS boolean
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

-- Closed accounts whose address can be forgotten.
CREATE FUNCTION metering.accounts_to_forget(at_most integer) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT a.id FROM metering.account a
    WHERE a.closed_at IS NOT NULL AND a.email <> 'closed@account.invalid' AND NOT metering.owes(a.id)
    ORDER BY a.closed_at LIMIT at_most
$$;

-- As before. The address stays for as long as something is owed, nothing goes past the plan any more (what is under way
-- is billed as it was granted), and a subscription that is left collects nothing more.
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
