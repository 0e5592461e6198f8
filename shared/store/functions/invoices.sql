-- Invoices: the overage of a month, and invoices of the billing provider.

-- Puts the unbilled overage of a month on an invoice, rounding each line half up to cents. Closes the month if it has
-- ended and has no open holds. Until then a later call bills what was added, so repeating it bills nothing twice.
CREATE OR REPLACE FUNCTION metering.close_period(
    account text, month date, OUT invoice_id text, OUT is_closed boolean
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    earlier integer;
BEGIN
    a := metering.lock_account(account);
    IF EXISTS (SELECT FROM metering.unbilled_overage(account, month)) THEN
        SELECT count(*) INTO earlier FROM metering.invoice i WHERE i.account_id = account AND i.period_start = month;
        invoice_id := format('inv_%s_%s_%s', substr(account, 5), to_char(month, 'YYYYMM'), earlier + 1);
        INSERT INTO metering.invoice (id, account_id, period_start, currency, total_cents)
            VALUES (invoice_id, account, month, a.currency, 0);
        INSERT INTO metering.invoice_line
            SELECT close_period.invoice_id, row_number() OVER (), u.plan, u.quantity, u.rate_cents_per_1000,
                (u.quantity * u.rate_cents_per_1000 + 500) / 1000
            FROM metering.unbilled_overage(account, month) u;
        UPDATE metering.invoice i SET total_cents =
            (SELECT sum(l.amount_cents) FROM metering.invoice_line l WHERE l.invoice_id = i.id)
            WHERE i.id = close_period.invoice_id;
    END IF;
    is_closed := month < a.period_start
        AND NOT EXISTS (SELECT FROM metering.hold h WHERE h.account_id = account AND h.period_start = month);
    IF is_closed THEN
        UPDATE metering.account_period p SET closed_at = coalesce(p.closed_at, metering.clock())
            WHERE p.account_id = account AND p.period_start = month;
    END IF;
END $$;

-- Returns the overage of a month that is on no invoice yet, by the plan and rate under which it was drawn.
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

-- Returns the id of the next invoice of an account's month. The caller holds the account's lock.
CREATE OR REPLACE FUNCTION metering.next_invoice_id(account text, month date) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT format('inv_%s_%s_%s', substr(account, 5), to_char(month, 'YYYYMM'), count(*) + 1)
    FROM metering.invoice i WHERE i.account_id = account AND i.period_start = month
$$;

-- Records that an invoice of the provider could not be collected, or that nothing is owed for it any more; `ours` is
-- our invoice for which it was made. Null: there is no such account.
CREATE OR REPLACE FUNCTION metering.set_invoice_paid(account text, invoice text, paid boolean, ours text)
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
