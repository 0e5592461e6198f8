-- Orders, and what ties an account to a billing provider.

-- A line is overage of a month, or something ordered.
ALTER TABLE metering.invoice_line
    ADD COLUMN kind text NOT NULL DEFAULT 'overage' CHECK (kind IN ('overage', 'pack', 'plan')),
    ADD COLUMN pack text,
    ADD COLUMN billing_interval metering.billing_interval,
    ALTER COLUMN plan DROP NOT NULL,
    ALTER COLUMN rate_cents_per_1000 DROP NOT NULL,
    ADD CHECK (kind <> 'overage' OR (plan IS NOT NULL AND rate_cents_per_1000 IS NOT NULL));

CREATE TABLE metering.billing_customer (
    account_id text PRIMARY KEY REFERENCES metering.account,
    provider text NOT NULL,
    -- What the provider calls it.
    reference text NOT NULL,
    UNIQUE (provider, reference)
);

-- The plan as the provider collects for it.
CREATE TABLE metering.billing_subscription (
    account_id text PRIMARY KEY REFERENCES metering.account,
    reference text NOT NULL UNIQUE,
    status text NOT NULL,
    plan text,
    billing_interval metering.billing_interval,
    paid_until timestamptz,
    -- Grows with every word of the provider that was heeded; a word that was asked for before another is stale.
    version bigint NOT NULL
);

-- A pack or a plan that an account holder wants. It takes effect when the provider says that it is paid, or when an
-- operator approves it.
CREATE TABLE metering.billing_order (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    pack text,
    plan text,
    billing_interval metering.billing_interval,
    currency metering.currency NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'fulfilled', 'declined')),
    provider text NOT NULL,
    provider_reference text,
    ordered_at timestamptz NOT NULL DEFAULT metering.clock(),
    settled_at timestamptz,
    CHECK ((pack IS NULL) <> (plan IS NULL))
);
CREATE INDEX billing_order_by_account ON metering.billing_order (account_id, ordered_at);
CREATE INDEX billing_order_open ON metering.billing_order (ordered_at) WHERE state = 'open';

-- Messages of a provider that were dealt with. One that comes again changes nothing.
CREATE TABLE metering.billing_event (
    provider text NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    heeded_at timestamptz NOT NULL DEFAULT metering.clock(),
    PRIMARY KEY (provider, id)
);
CREATE INDEX billing_event_by_time ON metering.billing_event USING brin (heeded_at);

-- Invoices that the provider could not collect. An account is suspended while it has any.
CREATE TABLE metering.unpaid_invoice (
    reference text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    since timestamptz NOT NULL DEFAULT metering.clock()
);
CREATE INDEX unpaid_invoice_by_account ON metering.unpaid_invoice (account_id);

-- The account that an invoice could not be collected from, or has been after all. Null state: no such account.
CREATE FUNCTION metering.set_invoice_paid(account text, invoice text, paid boolean) RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    IF NOT paid THEN
        INSERT INTO metering.unpaid_invoice (reference, account_id) VALUES (invoice, a.id) ON CONFLICT DO NOTHING;
        RETURN metering.set_suspended(a.id, true);
    END IF;
    DELETE FROM metering.unpaid_invoice u WHERE u.reference = invoice AND u.account_id = a.id;
    -- Whoever was suspended for another reason stays so.
    IF FOUND AND NOT EXISTS (SELECT FROM metering.unpaid_invoice u WHERE u.account_id = a.id) THEN
        RETURN metering.set_suspended(a.id, false);
    END IF;
    RETURN metering.peek_state(a);
END $$;

-- Heeds what the provider says of a subscription now, unless something newer was heeded since it was asked. With a
-- plan (`new_plan` is not null) the account is on that plan from now on. False: stale, ask again. Null: no account.
CREATE FUNCTION metering.heed_subscription(
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

-- The next invoice of an account's month; the caller holds the account's lock.
CREATE FUNCTION metering.next_invoice_id(account text, month date) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT format('inv_%s_%s_%s', substr(account, 5), to_char(month, 'YYYYMM'), count(*) + 1)
    FROM metering.invoice i WHERE i.account_id = account AND i.period_start = month
$$;

-- Settles an open order; one that is settled stays as it is. What people collect (`bill`) becomes an invoice.
CREATE FUNCTION metering.settle_order(order_id text, new_state text, bill boolean) RETURNS metering.billing_order
LANGUAGE plpgsql AS $$
DECLARE
    o metering.billing_order;
    a metering.account;
    new_invoice text;
BEGIN
    SELECT * INTO o FROM metering.billing_order bo WHERE bo.id = order_id;
    a := metering.lock_account(o.account_id);
    UPDATE metering.billing_order bo SET state = new_state, settled_at = metering.clock()
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
