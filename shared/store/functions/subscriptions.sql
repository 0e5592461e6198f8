-- Subscriptions at the billing provider.

-- Applies the state of a subscription (`new_plan` is free: it has ended) to the account whose plan it pays for.
-- Another subscription replaces the account's only through the payment of the order that began it (`paid_order`,
-- otherwise null); the replaced one is marked to be cancelled. Agreed terms are left unchanged, and so is the plan of
-- an account whose subscription is marked to be cancelled.
--
-- Outcomes: stale (a newer state was applied since `known_version`; fetch it again); heeded; passed_over (it is not
-- the account's subscription); or the reason for which a payment has to be refunded: those of `note_payment`,
-- second_subscription, and ended_subscription (it had ended before its payment was recorded). Null: there is no such
-- account.
CREATE OR REPLACE FUNCTION metering.apply_subscription_state(
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
        IF payment = 'due' AND (new_plan = 'free' OR metering.is_duplicate(subscription)) THEN
            UPDATE metering.billing_order bo SET state = 'declined' WHERE bo.id = paid_order;
            PERFORM metering.record_overpayment(a.id, paid_order, 'ended_subscription');
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
        IF s.plan <> 'free' AND NOT metering.is_duplicate(s.reference) THEN
            excess := 'second_subscription';
            PERFORM metering.record_overpayment(a.id, paid_order, excess);
        END IF;
        PERFORM metering.give_up_subscription(a.id, s.reference, 'replaced', false) WHERE s.reference IS NOT NULL;
    END IF;
    INSERT INTO metering.billing_subscription AS bs
        VALUES (a.id, subscription, new_status, new_plan, new_interval, until, known_version + 1)
        ON CONFLICT (account_id) DO UPDATE SET reference = excluded.reference, status = excluded.status,
            plan = excluded.plan, billing_interval = excluded.billing_interval, paid_until = excluded.paid_until,
            version = excluded.version;
    IF a.plan <> 'business' AND NOT metering.is_duplicate(subscription)
        AND (new_plan <> a.plan OR new_interval <> a.billing_interval) THEN
        PERFORM metering.set_terms(a.id, new_plan, new_limit, new_rate, NULL, new_overage_rate, new_interval);
    END IF;
    RETURN coalesce(excess, 'heeded');
END $$;

-- Marks a subscription to be cancelled at the provider, `now_already` or at the end of the paid period. From now on
-- it does not decide about the account's plan.
CREATE OR REPLACE FUNCTION metering.give_up_subscription(account text, subscription text, why text, now_already boolean)
RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metering.surplus_subscription (reference, account_id, reason, at_once)
        VALUES (subscription, account, why, now_already) ON CONFLICT (reference) DO NOTHING
$$;

-- Returns true if the subscription is marked to be cancelled, or was cancelled for that reason.
CREATE OR REPLACE FUNCTION metering.is_duplicate(subscription text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM metering.surplus_subscription s WHERE s.reference = subscription)
$$;

-- Claims subscriptions to cancel at the provider now, each for one process. One that is not reported as ended can be
-- claimed again after `pause_seconds`.
CREATE OR REPLACE FUNCTION metering.claim_duplicate_subscriptions(at_most integer, pause_seconds double precision)
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
