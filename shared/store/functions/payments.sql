-- Payments of which money went back: refunds, disputes and credit notes.

-- Applies the state of a payment at the provider, unless another was applied since `known_version`. The returned share
-- of a pack's credits is withdrawn from the pack balance as far as there is one; the rest is recorded as short and is
-- not taken later. Credits come back if less is returned than before (a dispute was won, a refund failed). A dispute
-- suspends the account while it is open or if it is lost.
--
-- Outcomes: stale; unchanged; refunded; disputed; dispute_won; dispute_lost; restored (less is returned than before).
-- `withdrawn` and `short` are the changes. Null outcome: there is no such account.
CREATE OR REPLACE FUNCTION metering.apply_payment_state(
    account text, payment text, known_version bigint, paid_order text, paid_currency text, paid bigint,
    refunded bigint, credited bigint, disputed bigint, new_dispute text,
    OUT outcome text, OUT withdrawn bigint, OUT short bigint
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    r metering.returned_payment;
    due bigint;
    kept bigint;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN;
    END IF;
    SELECT * INTO r FROM metering.returned_payment rp WHERE rp.reference = payment;
    IF coalesce(r.version, 0) <> known_version THEN
        outcome := 'stale';
        RETURN;
    END IF;
    outcome := CASE
        WHEN new_dispute IS DISTINCT FROM r.dispute AND new_dispute = 'lost' THEN 'dispute_lost'
        WHEN new_dispute IS DISTINCT FROM r.dispute AND new_dispute = 'won' THEN 'dispute_won'
        WHEN new_dispute IS DISTINCT FROM r.dispute AND new_dispute IS NOT NULL THEN 'disputed'
        WHEN refunded + credited + disputed
            > coalesce(r.refunded_cents + r.credited_cents + r.disputed_cents, 0) THEN 'refunded'
        WHEN refunded + credited + disputed
            < coalesce(r.refunded_cents + r.credited_cents + r.disputed_cents, 0) THEN 'restored'
        ELSE 'unchanged'
    END;
    IF outcome = 'unchanged' THEN
        RETURN;
    END IF;
    due := CASE
        -- Its owner's withdrawal has taken the credits.
        WHEN EXISTS (SELECT FROM metering.billing_order bo WHERE bo.id = paid_order AND bo.withdrawn_at IS NOT NULL)
            THEN coalesce(r.credits_withdrawn + r.credits_short, 0)
        ELSE metering.credits_of_returned_share(a.id, paid_order, paid, refunded + credited + disputed)
    END;
    -- Of what is due, what was taken before stays taken, and what was short before stays short.
    kept := least(due, coalesce(r.credits_withdrawn, 0));
    withdrawn := kept - coalesce(r.credits_withdrawn, 0);
    IF due > coalesce(r.credits_withdrawn + r.credits_short, 0) THEN
        withdrawn := least(due - coalesce(r.credits_withdrawn + r.credits_short, 0), a.pack_available);
        kept := coalesce(r.credits_withdrawn, 0) + withdrawn;
    END IF;
    short := due - kept - coalesce(r.credits_short, 0);
    PERFORM metering.withdraw_pack_credits(a, payment, withdrawn, outcome);
    INSERT INTO metering.returned_payment AS rp (reference, account_id, order_id, currency, paid_cents, refunded_cents,
            credited_cents, disputed_cents, dispute, credits_withdrawn, credits_short, version)
        VALUES (payment, a.id, paid_order, paid_currency, paid, refunded, credited, disputed, new_dispute,
            kept, due - kept, 1)
        ON CONFLICT (reference) DO UPDATE SET order_id = excluded.order_id, paid_cents = excluded.paid_cents,
            refunded_cents = excluded.refunded_cents, credited_cents = excluded.credited_cents,
            disputed_cents = excluded.disputed_cents, dispute = excluded.dispute,
            credits_withdrawn = excluded.credits_withdrawn, credits_short = excluded.credits_short,
            version = rp.version + 1, changed_at = metering.clock();
    IF new_dispute IN ('open', 'lost') THEN
        INSERT INTO metering.unpaid_invoice (reference, account_id) VALUES ('dispute:' || payment, a.id)
            ON CONFLICT DO NOTHING;
    ELSE
        DELETE FROM metering.unpaid_invoice u WHERE u.reference = 'dispute:' || payment;
    END IF;
    PERFORM metering.note_change(a.id, 'payment_returned', jsonb_build_object('payment', payment, 'order', paid_order,
        'outcome', outcome, 'returned_cents', refunded + credited + disputed, 'withdrawn', withdrawn, 'short', short));
    PERFORM metering.apply_suspension(a.id);
END $$;

-- Returns the credits that belong to the returned share of a pack's payment, rounded down. 0 if the payment added no
-- pack: it was for something else, or was not owed in the first place.
CREATE OR REPLACE FUNCTION metering.credits_of_returned_share(
    account text, paid_order text, paid bigint, returned bigint
) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT coalesce((
        SELECT p.credits * least(paid, returned) / nullif(paid, 0)
        FROM metering.pack_purchase p JOIN metering.billing_order bo ON bo.id = p.reference
        WHERE p.reference = paid_order AND bo.account_id = account AND bo.paid_at IS NOT NULL
            AND NOT EXISTS (
                SELECT FROM metering.account_event e
                WHERE e.account_id = account AND e.kind = 'payment_in_excess' AND e.detail ->> 'order' = paid_order)
    ), 0)
$$;

-- Moves credits out of the pack balance, or back into it (`withdrawn` is negative). The caller holds the account's
-- lock, and made sure that the balance suffices.
CREATE OR REPLACE FUNCTION metering.withdraw_pack_credits(
    a metering.account, payment text, withdrawn bigint, reason text
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF withdrawn = 0 THEN
        RETURN;
    END IF;
    INSERT INTO metering.ledger_entry
        (account_id, period_start, kind, from_book, to_book, credits, request_id, plan, note)
        VALUES (a.id, a.period_start,
            CASE WHEN withdrawn > 0 THEN 'pack_withdrawal' ELSE 'pack_restoration' END::metering.entry_kind,
            CASE WHEN withdrawn > 0 THEN 'pack' ELSE 'issuer' END::metering.book,
            CASE WHEN withdrawn > 0 THEN 'issuer' ELSE 'pack' END::metering.book,
            abs(withdrawn), payment, a.plan, reason);
    UPDATE metering.account acc SET pack_available = acc.pack_available - withdrawn, version = acc.version + 1
        WHERE acc.id = a.id;
END $$;

-- Records a credit note of the provider. Returns true if it is new or has changed.
CREATE OR REPLACE FUNCTION metering.record_credit_note(
    account text, note text, new_number text, of_invoice text, ours text, new_currency text, amount bigint, void boolean
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metering.credit_note AS cn
            (reference, account_id, number, invoice_reference, invoice_id, currency, amount_cents, is_void)
        VALUES (note, account, new_number, of_invoice, ours, new_currency, amount, void)
        ON CONFLICT (reference) DO UPDATE SET is_void = excluded.is_void, amount_cents = excluded.amount_cents
            WHERE (cn.is_void, cn.amount_cents) <> (excluded.is_void, excluded.amount_cents);
    IF FOUND THEN
        INSERT INTO metering.account_event (account_id, kind, detail) VALUES (account, 'credit_note',
            jsonb_build_object('number', new_number, 'amount_cents', amount, 'void', void));
    END IF;
    RETURN FOUND;
END $$;

-- Withdraws a fulfilled order of a pack on behalf of its owner, within 14 days and if its credits are unspent: takes
-- the credits back. The caller has the money refunded.
--
-- Outcomes: withdrawn (also if it was before), unknown, not_withdrawable (it is not a fulfilled order of a pack),
-- too_late, spent.
CREATE OR REPLACE FUNCTION metering.withdraw_order(account text, order_id text, refunding_provider text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    o metering.billing_order;
    credits bigint;
BEGIN
    a := metering.lock_account(account);
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id AND bo.account_id = a.id FOR UPDATE;
    IF o.id IS NULL THEN
        RETURN 'unknown';
    END IF;
    IF o.withdrawn_at IS NOT NULL THEN
        RETURN 'withdrawn';
    END IF;
    IF o.pack IS NULL OR o.state <> 'fulfilled' THEN
        RETURN 'not_withdrawable';
    END IF;
    IF metering.clock() > o.settled_at + interval '14 days' THEN
        RETURN 'too_late';
    END IF;
    SELECT p.credits - coalesce(sum(rp.credits_withdrawn + rp.credits_short), 0)::bigint INTO credits
        FROM metering.pack_purchase p LEFT JOIN metering.returned_payment rp ON rp.order_id = p.reference
        WHERE p.reference = o.id GROUP BY p.credits;
    IF credits > a.pack_available THEN
        RETURN 'spent';
    END IF;
    PERFORM metering.withdraw_pack_credits(a, o.id, credits, 'order withdrawn');
    UPDATE metering.billing_order bo SET withdrawn_at = metering.clock() WHERE bo.id = o.id;
    PERFORM metering.note_change(a.id, 'order_withdrawn', jsonb_build_object('order', o.id, 'credits', credits));
    -- The duty to refund what people collected is recorded with the withdrawal that causes it.
    IF o.paid_at IS NULL OR o.provider IS DISTINCT FROM refunding_provider THEN
        PERFORM metering.record_overpayment(a.id, o.id, 'withdrawn_order');
        RETURN 'withdrawn_owed';
    END IF;
    RETURN 'withdrawn';
END $$;
