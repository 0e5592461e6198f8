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

-- What was agreed with a customer, and the projections of the ledger that span months.
-- Prices of plans are not here: the terms of an account are written when its plan is set, and stay as agreed.
CREATE TABLE metering.account (
    id text PRIMARY KEY,
    email text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT metering.clock(),
    plan text NOT NULL,
    -- Credits of a month; null is unlimited.
    monthly_limit bigint CHECK (monthly_limit >= 0),
    requests_per_minute integer NOT NULL CHECK (requests_per_minute > 0),
    overage_enabled boolean NOT NULL,
    -- Cents of `currency` per 1,000 credits; null: the plan has no overage.
    overage_rate_cents integer CHECK (overage_rate_cents >= 0),
    currency text NOT NULL CHECK (currency IN ('eur', 'usd')),
    billing_interval text NOT NULL CHECK (billing_interval IN ('monthly', 'yearly')),
    suspended_at timestamptz,
    -- The month whose period is open for holds; it never goes back.
    period_start date NOT NULL,
    -- Projections of the books `pack` and `pack_held`.
    pack_available bigint NOT NULL DEFAULT 0 CHECK (pack_available >= 0),
    pack_held bigint NOT NULL DEFAULT 0 CHECK (pack_held >= 0),
    -- Grows with every change that a caller can see.
    version bigint NOT NULL DEFAULT 1,
    CHECK (NOT overage_enabled OR overage_rate_cents IS NOT NULL)
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
