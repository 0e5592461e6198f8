-- Orders of packs and plans.

-- Places an order. Returns the open orders for a plan that an order for a plan replaces as `superseded`, for the
-- caller to decline. All nulls: there is no such account.
CREATE OR REPLACE FUNCTION metering.place_order(
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

-- Records that an order without a subscription was paid, and fulfils it. Outcomes: those of `note_payment`. Null:
-- there is no such order.
CREATE OR REPLACE FUNCTION metering.pay_order(
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
        PERFORM metering.fulfil_order(o, pack_credits, new_limit, new_rate, new_overage_rate);
    END IF;
    RETURN outcome;
END $$;

-- Records that an order was paid, once; the caller holds the account's lock. Outcomes: due (the caller has to fulfil
-- the order, even if it was declined before); known (the payment was recorded before); or the reason for which the
-- payment has to be refunded by hand: paid_twice (an operator approved the order, and it is on an invoice),
-- business_account, closed_account.
CREATE OR REPLACE FUNCTION metering.note_payment(a metering.account, order_id text) RETURNS text
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
        PERFORM metering.record_overpayment(a.id, o.id, outcome);
    END IF;
    RETURN outcome;
END $$;

-- Records an overpayment, for an operator to refund.
CREATE OR REPLACE FUNCTION metering.record_overpayment(account text, order_id text, why text) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (account, 'payment_in_excess', jsonb_build_object('order', order_id, 'reason', why))
$$;

-- Fulfils an order: adds its pack, or sets its plan. The terms are those of that plan.
CREATE OR REPLACE FUNCTION metering.fulfil_order(
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

-- Fulfils an open order on behalf of an operator, and puts it on an invoice. The order stays open if its checkout is
-- no longer `known_reference`, the one that was closed for the approval.
CREATE OR REPLACE FUNCTION metering.approve_order(
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
    PERFORM metering.fulfil_order(o, pack_credits, new_limit, new_rate, new_overage_rate);
    RETURN metering.settle_order(o.id, 'fulfilled', true);
END $$;

-- Declines an open order once its checkout (`known_reference`; null: none) can no longer be paid. The provider's word
-- (`by_provider`) does not decline an order that an operator began to approve within the last 10 minutes; an approval
-- that was not completed by then lapses.
CREATE OR REPLACE FUNCTION metering.decline_order(order_id text, known_reference text, by_provider boolean)
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

-- Settles an open order, and puts it on an invoice if `bill`; a fulfilled order that is not billed was paid. A
-- settled order is left unchanged.
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
