-- Accounts, their keys, and what happened to them.
--
-- Everything that money depends on lives in this schema, rules included: a hold, a commit or a plan change is one
-- function call, so that it is one transaction and one round trip however many processes do it at once.

CREATE SCHEMA metering;

-- The only clock that decides anything. Services have clocks of their own; none of them can move a month or a hold.
CREATE FUNCTION metering.clock() RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE
AS 'SELECT clock_timestamp()';

-- A month is a calendar month in UTC, named by its first day.
CREATE FUNCTION metering.month_of(moment timestamptz) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT date_trunc('month', moment AT TIME ZONE 'UTC')::date $$;

CREATE FUNCTION metering.month_end(month date) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (month + interval '1 month') AT TIME ZONE 'UTC' $$;

-- Checks of columns that change with every call are domains: the server keeps those ready, where it would read the
-- CHECK constraints of a table anew with every statement.
CREATE DOMAIN metering.credits AS bigint CHECK (VALUE >= 0);
CREATE DOMAIN metering.cents AS integer CHECK (VALUE >= 0);
CREATE DOMAIN metering.currency AS text CHECK (VALUE IN ('eur', 'usd'));
CREATE DOMAIN metering.billing_interval AS text CHECK (VALUE IN ('monthly', 'yearly'));
CREATE DOMAIN metering.request_rate AS integer CHECK (VALUE > 0);

-- What was agreed with a customer, and the projections of the ledger that span months.
-- Prices of plans are not here: the terms of an account are written when its plan is set, and stay as agreed.
CREATE TABLE metering.account (
    id text PRIMARY KEY,
    email text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT metering.clock(),
    plan text NOT NULL,
    -- Credits of a month; null is unlimited.
    monthly_limit metering.credits,
    requests_per_minute metering.request_rate NOT NULL,
    overage_enabled boolean NOT NULL,
    -- Cents of `currency` per 1,000 credits; null: the plan has no overage.
    overage_rate_cents metering.cents,
    currency metering.currency NOT NULL,
    billing_interval metering.billing_interval NOT NULL,
    suspended_at timestamptz,
    -- The month whose period is open for holds; it never goes back.
    period_start date NOT NULL,
    -- Projections of the books `pack` and `pack_held`.
    pack_available metering.credits NOT NULL DEFAULT 0,
    pack_held metering.credits NOT NULL DEFAULT 0,
    -- Grows with every change that a caller can see.
    version bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 80);

CREATE TABLE metering.api_key (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES metering.account,
    name text NOT NULL,
    -- The beginning of the key, to tell keys apart. The key itself is never stored.
    prefix text NOT NULL,
    sha256 bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
    created_at timestamptz NOT NULL DEFAULT metering.clock(),
    revoked_at timestamptz
);
CREATE INDEX api_key_by_account ON metering.api_key (account_id, created_at);

-- What happened to an account that moved no credits, or why it did.
CREATE TABLE metering.account_event (
    account_id text NOT NULL REFERENCES metering.account,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT metering.clock(),
    kind text NOT NULL,
    detail jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (account_id, id)
);

-- Changes that running processes have yet to be told of. A row is written in the transaction of the change and removed
-- once caches hold the new state and it was announced, so that no crash and no outage loses a revocation.
CREATE TABLE metering.pending_change (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL,
    -- Of a revoked key.
    key_sha256 bytea
);
