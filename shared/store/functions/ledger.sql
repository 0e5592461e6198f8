-- Double-entry postings. Every movement of credits is an entry between two books; balances are projections of the
-- entries.

-- Moves credits from one book to another. Posts no entry if `credits` is null, 0 or negative.
CREATE OR REPLACE FUNCTION metering.post(
    account text, month date, reason metering.entry_kind, from_book metering.book, to_book metering.book,
    credits bigint, request text, plan text, overage_rate_cents integer
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF credits > 0 THEN
        INSERT INTO metering.ledger_entry
            (account_id, period_start, kind, from_book, to_book, credits, request_id, plan, overage_rate_cents)
            VALUES (account, month, reason, from_book, to_book, credits, request, plan, overage_rate_cents);
    END IF;
END $$;

-- Trigger: rejects updates and deletions of ledger entries.
CREATE OR REPLACE FUNCTION metering.refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger entries are immutable; post a new entry instead';
END $$;

-- Returns the plan credits that an account with this monthly limit should have available, given the credits it has
-- spent and holds. A limit below what is already spent (after a downgrade) gives 0. An unlimited plan (null) gives 0
-- as well: its credits are issued when they are drawn.
CREATE OR REPLACE FUNCTION metering.plan_target(monthly_limit bigint, spent bigint, held bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT greatest(0, coalesce(monthly_limit, 0) - spent - held) $$;
