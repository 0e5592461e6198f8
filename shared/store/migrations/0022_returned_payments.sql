-- Money that went back to a customer: refunds, disputes, credit notes.

-- Pack credits that are taken back because their payment was returned, and that are given again because it was not.
ALTER TYPE metering.entry_kind ADD VALUE 'pack_withdrawal';
ALTER TYPE metering.entry_kind ADD VALUE 'pack_restoration';

-- A payment of which the provider returned money, as it was reported last.
CREATE TABLE metering.returned_payment (
    -- The provider's id of the payment.
    reference text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    -- The order of a pack that was paid with it; null for subscriptions and invoices.
    order_id text REFERENCES metering.billing_order,
    currency text NOT NULL,
    paid_cents bigint NOT NULL CHECK (paid_cents >= 0),
    refunded_cents bigint NOT NULL CHECK (refunded_cents >= 0),
    -- By a credit note without a refund: to the customer's balance, or outside of the provider.
    credited_cents bigint NOT NULL CHECK (credited_cents >= 0),
    -- Of disputes that are not won.
    disputed_cents bigint NOT NULL CHECK (disputed_cents >= 0),
    dispute text CHECK (dispute IN ('inquiry', 'open', 'won', 'lost')),
    -- Pack credits that were taken back, and those that could not be because they were spent.
    credits_withdrawn bigint NOT NULL CHECK (credits_withdrawn >= 0),
    credits_short bigint NOT NULL CHECK (credits_short >= 0),
    -- Number of states that were applied; a state that was read before the last one is stale.
    version bigint NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT metering.clock(),
    changed_at timestamptz NOT NULL DEFAULT metering.clock()
);
CREATE INDEX returned_payment_by_account ON metering.returned_payment (account_id, noted_at);

-- Credit notes of the provider.
CREATE TABLE metering.credit_note (
    reference text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    -- The number that the customer sees.
    number text NOT NULL,
    -- The provider's invoice that it corrects, and ours for which that was made.
    invoice_reference text NOT NULL,
    invoice_id text,
    currency text NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    is_void boolean NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT metering.clock()
);
CREATE INDEX credit_note_by_account ON metering.credit_note (account_id, noted_at);

-- When an order's owner withdrew it, and when the provider was told to refund it.
ALTER TABLE metering.billing_order
    ADD COLUMN withdrawn_at timestamptz,
    ADD COLUMN refund_submitted_at timestamptz;
