-- Periodic jobs that one process runs for all, and the sums that the audit has verified.

-- When a job began and when it last ended well.
CREATE TABLE metering.job_run (
    job text PRIMARY KEY,
    began_at timestamptz NOT NULL,
    completed_at timestamptz
);

-- The newest ledger entry of an account that the audit has verified, and the sums up to it. Pack credits belong to no
-- month: `period_start` is -infinity. No foreign keys: the audit must not wait for an account's lock.
CREATE TABLE metering.verified_account (
    account_id text PRIMARY KEY,
    up_to bigint NOT NULL,
    verified_at timestamptz NOT NULL DEFAULT metering.clock()
);
CREATE TABLE metering.verified_balance (
    account_id text NOT NULL,
    period_start date NOT NULL,
    book metering.book NOT NULL,
    credits bigint NOT NULL,
    PRIMARY KEY (account_id, period_start, book)
);
