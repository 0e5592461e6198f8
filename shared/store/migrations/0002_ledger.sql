-- The ledger. Credits only ever move from one book to another, so all books of an account add up to nothing; every
-- balance elsewhere is a projection of these entries, can be rebuilt from them and is compared with them by a job.

CREATE TYPE metering.book AS ENUM (
    -- Outside: where credits come from, and where they go when they lapse.
    'issuer',
    -- Plan credits of one month.
    'plan', 'plan_held', 'plan_spent',
    -- Credits past the plan, issued as they are needed and billed afterwards.
    'overage_held', 'overage_spent',
    -- Pack credits, which never lapse.
    'pack', 'pack_held', 'pack_spent',
    -- Calls that were served and could not be charged any more: their cost is ours.
    'written_off'
);

CREATE TYPE metering.entry_kind AS ENUM (
    'grant', 'period_reset', 'plan_change', 'pack_purchase',
    'hold', 'commit', 'release', 'expiry',
    -- A commit that came after its hold had expired: honoured once, from what is left then.
    'late_commit'
);

CREATE TYPE metering.credit_source AS ENUM ('plan', 'pack', 'overage', 'unlimited');

CREATE DOMAIN metering.moved_credits AS bigint CHECK (VALUE > 0);

CREATE TABLE metering.ledger_entry (
    account_id text NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT metering.clock(),
    -- The month it belongs to: that of the hold, for whatever follows from a hold.
    period_start date NOT NULL,
    kind metering.entry_kind NOT NULL,
    from_book metering.book NOT NULL,
    to_book metering.book NOT NULL,
    credits metering.moved_credits NOT NULL,
    -- The call, or the reference of the purchase.
    request_id text,
    -- Terms in force when overage was drawn: it is billed at the rate that was agreed then.
    plan text,
    overage_rate_cents integer,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX ledger_entry_overage ON metering.ledger_entry (account_id, period_start)
    WHERE to_book = 'overage_spent';

CREATE FUNCTION metering.refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger entries are immutable; post a new entry instead';
END $$;

CREATE TRIGGER ledger_entry_is_immutable BEFORE UPDATE OR DELETE ON metering.ledger_entry
    FOR EACH ROW EXECUTE FUNCTION metering.refuse_change();
CREATE TRIGGER ledger_entry_is_never_emptied BEFORE TRUNCATE ON metering.ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION metering.refuse_change();

-- The books of one account in one month, as the entries add up.
CREATE TABLE metering.account_period (
    account_id text NOT NULL REFERENCES metering.account,
    period_start date NOT NULL,
    plan_available metering.credits NOT NULL DEFAULT 0,
    plan_held metering.credits NOT NULL DEFAULT 0,
    plan_spent metering.credits NOT NULL DEFAULT 0,
    overage_held metering.credits NOT NULL DEFAULT 0,
    overage_spent metering.credits NOT NULL DEFAULT 0,
    pack_spent metering.credits NOT NULL DEFAULT 0,
    -- Set when the month has ended and everything in it is billed: nothing is posted to it any more.
    closed_at timestamptz,
    PRIMARY KEY (account_id, period_start)
) WITH (fillfactor = 80);
CREATE INDEX account_period_open ON metering.account_period (period_start) WHERE closed_at IS NULL;

-- Calls under way. A row is gone as soon as the call is settled; then it is in `usage_call`.
CREATE TABLE metering.hold (
    request_id text PRIMARY KEY,
    account_id text NOT NULL,
    key_id text NOT NULL,
    period_start date NOT NULL,
    source metering.credit_source NOT NULL,
    plan_credits metering.credits NOT NULL,
    overage_credits metering.credits NOT NULL,
    pack_credits metering.credits NOT NULL,
    plan text NOT NULL,
    overage_rate_cents integer,
    operation text NOT NULL,
    url text NOT NULL,
    at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX hold_by_expiry ON metering.hold (expires_at);

-- The usage history: every call that was answered, cache hits included.
CREATE TABLE metering.usage_call (
    request_id text PRIMARY KEY,
    account_id text NOT NULL,
    key_id text NOT NULL,
    at timestamptz NOT NULL,
    operation text NOT NULL,
    url text NOT NULL,
    -- `ok`, an error code, or `expired` when nobody said how the call ended.
    outcome text NOT NULL,
    cached boolean NOT NULL DEFAULT false,
    auto_render boolean NOT NULL DEFAULT false,
    -- What the call costs when it succeeds, and what was charged.
    price metering.credits NOT NULL DEFAULT 0,
    credits metering.credits NOT NULL DEFAULT 0,
    source metering.credit_source,
    -- Committed after its hold had expired.
    late boolean NOT NULL DEFAULT false,
    -- The month that was charged.
    period_start date
);
CREATE INDEX usage_call_by_account ON metering.usage_call (account_id, at, request_id);
-- For retention: rows arrive roughly in the order of their time.
CREATE INDEX usage_call_by_time ON metering.usage_call USING brin (at);
