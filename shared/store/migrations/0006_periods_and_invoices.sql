-- Closing a month: what went past the plan becomes lines of an invoice.

CREATE TABLE metering.invoice (
    -- Says what it is for, and is the idempotency key towards a billing provider.
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    period_start date NOT NULL,
    currency text NOT NULL,
    total_cents bigint NOT NULL CHECK (total_cents >= 0),
    created_at timestamptz NOT NULL DEFAULT metering.clock(),
    -- What the billing provider calls it; null until it has been handed over.
    provider_reference text
);
CREATE INDEX invoice_by_account ON metering.invoice (account_id, period_start);

CREATE TABLE metering.invoice_line (
    invoice_id text NOT NULL REFERENCES metering.invoice,
    position integer NOT NULL,
    -- The plan and the rate that were in force when the credits were drawn.
    plan text NOT NULL,
    quantity bigint NOT NULL CHECK (quantity > 0),
    rate_cents_per_1000 integer NOT NULL,
    amount_cents bigint NOT NULL,
    PRIMARY KEY (invoice_id, position)
);

-- Overage of one month that is on no invoice yet, by the terms it was drawn under.
CREATE FUNCTION metering.unbilled_overage(account text, month date)
RETURNS TABLE (plan text, rate_cents_per_1000 integer, quantity bigint)
LANGUAGE sql STABLE AS $$
    SELECT u.plan, u.rate, sum(u.credits)::bigint
    FROM (
        SELECT e.plan, e.overage_rate_cents AS rate, e.credits
            FROM metering.ledger_entry e
            WHERE e.account_id = account AND e.period_start = month AND e.to_book = 'overage_spent'
        UNION ALL
        SELECT l.plan, l.rate_cents_per_1000, -l.quantity
            FROM metering.invoice i JOIN metering.invoice_line l ON l.invoice_id = i.id
            WHERE i.account_id = account AND i.period_start = month
    ) u
    GROUP BY u.plan, u.rate
    HAVING sum(u.credits) > 0
    ORDER BY u.rate DESC, u.plan
$$;

-- Bills what is unbilled of one month. The month is closed once it has ended and no call of it is under way; until
-- then a later run bills what came after, so running it twice, or early, never bills anything twice.
-- Amounts are cents, rounded half up per line.
CREATE FUNCTION metering.close_period(
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
