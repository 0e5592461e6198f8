-- Comparison of the ledger with its projections. Not on the path of a call.

-- Returns the balances that differ from the sums of the entries or of the open holds. It is one statement and so one
-- snapshot: it may run while calls are charged. No rows: all match.
CREATE OR REPLACE FUNCTION metering.check_ledger(accounts text[])
RETURNS TABLE (account_id text, period_start date, book text, projected bigint, posted bigint, held bigint)
LANGUAGE sql STABLE AS $$
    SELECT d.account_id, nullif(d.period, '-infinity'), d.book::text, d.projected, d.posted, d.held
    FROM metering.compare_balances(accounts, ARRAY(
        SELECT ROW(p.account_id, coalesce(p.period_start, '-infinity'), p.book, p.credits)::metering.verified_balance
        FROM metering.posted_balances(accounts) p)) d
$$;

-- Like `check_ledger`, but sums only the entries since those that were verified, and keeps the sums of accounts without
-- a difference as verified. Entries of an account are numbered in the order of their transactions, which hold its lock.
CREATE OR REPLACE FUNCTION metering.check_new_entries(accounts text[])
RETURNS TABLE (account_id text, period_start date, book text, projected bigint, posted bigint, held bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    -- Two audits at once would mix the sums of their snapshots.
    PERFORM pg_advisory_xact_lock(hashtext('metering.check_new_entries'));
    RETURN QUERY
    WITH fresh AS (
        SELECT e.account_id, e.id, side.book, side.credits, side.period
        FROM unnest(accounts) AS wanted (id)
            LEFT JOIN metering.verified_account v ON v.account_id = wanted.id
            JOIN metering.ledger_entry e ON e.account_id = wanted.id AND e.id > coalesce(v.up_to, 0),
            LATERAL metering.sides_of_entry(e) side
    ), sums AS (
        SELECT s.account_id, s.period, s.book, sum(s.credits)::bigint AS credits
        FROM (
            SELECT f.account_id, f.period, f.book, f.credits FROM fresh f
            UNION ALL
            SELECT v.account_id, v.period_start, v.book, v.credits
                FROM metering.verified_balance v WHERE v.account_id = ANY (accounts)
        ) s
        WHERE s.book NOT IN ('issuer', 'written_off')
        GROUP BY s.account_id, s.period, s.book
    ), differing AS (
        SELECT d.account_id, nullif(d.period, '-infinity') AS period, d.book, d.projected, d.posted, d.held
        FROM metering.compare_balances(accounts, ARRAY(
            SELECT ROW(s.account_id, s.period, s.book, s.credits)::metering.verified_balance FROM sums s)) d
    ), advanced AS (
        INSERT INTO metering.verified_account AS v (account_id, up_to)
            SELECT f.account_id, max(f.id) FROM fresh f
            WHERE f.account_id NOT IN (SELECT d.account_id FROM differing d) GROUP BY f.account_id
            ON CONFLICT (account_id) DO UPDATE SET up_to = excluded.up_to, verified_at = metering.clock()
            RETURNING v.account_id
    ), kept AS (
        INSERT INTO metering.verified_balance AS v (account_id, period_start, book, credits)
            SELECT s.account_id, s.period, s.book, s.credits FROM sums s
            WHERE s.account_id IN (SELECT a.account_id FROM advanced a)
            ON CONFLICT (account_id, period_start, book) DO UPDATE SET credits = excluded.credits
    )
    SELECT d.account_id, d.period, d.book::text, d.projected, d.posted, d.held FROM differing d;
END $$;

-- Returns the balances that differ from the given sums or from the open holds.
CREATE OR REPLACE FUNCTION metering.compare_balances(accounts text[], sums metering.verified_balance[])
RETURNS TABLE (account_id text, period date, book metering.book, projected bigint, posted bigint, held bigint)
LANGUAGE sql STABLE AS $$
    SELECT b.account_id, b.period, b.book,
        coalesce(sum(b.projected), 0)::bigint, coalesce(sum(b.posted), 0)::bigint, coalesce(sum(b.held), 0)::bigint
    FROM (
        SELECT p.account_id, coalesce(p.period_start, '-infinity') AS period, p.book,
            p.credits AS projected, NULL::bigint AS posted, NULL::bigint AS held
            FROM metering.projected_balances(accounts) p
        UNION ALL
        SELECT s.account_id, s.period_start, s.book, NULL, s.credits, NULL FROM unnest(sums) s
        UNION ALL
        SELECT h.account_id, coalesce(h.period_start, '-infinity'), h.book, NULL, NULL, h.credits
            FROM metering.held_balances(accounts) h
    ) b
    GROUP BY b.account_id, b.period, b.book
    HAVING coalesce(sum(b.projected), 0) <> coalesce(sum(b.posted), 0)
        OR (b.book IN ('plan_held', 'overage_held', 'pack_held')
            AND coalesce(sum(b.held), 0) <> coalesce(sum(b.posted), 0))
$$;

-- Returns what an entry adds to each of its two books. Pack credits belong to no month: their `period` is -infinity.
CREATE OR REPLACE FUNCTION metering.sides_of_entry(e metering.ledger_entry)
RETURNS TABLE (book metering.book, period date, credits bigint)
LANGUAGE sql IMMUTABLE AS $$
    SELECT side.book, CASE WHEN side.book IN ('pack', 'pack_held') THEN '-infinity' ELSE e.period_start END, side.credits
    FROM (VALUES (e.to_book, e.credits::bigint), (e.from_book, -e.credits)) side (book, credits)
$$;

-- Returns every balance as the sum of its entries. The books outside an account (`issuer`, `written_off`) are not
-- balances.
CREATE OR REPLACE FUNCTION metering.posted_balances(accounts text[])
RETURNS TABLE (account_id text, period_start date, book metering.book, credits bigint)
LANGUAGE sql STABLE AS $$
    SELECT e.account_id, nullif(side.period, '-infinity'), side.book, sum(side.credits)::bigint
    FROM metering.ledger_entry e, LATERAL metering.sides_of_entry(e) side
    WHERE e.account_id = ANY (accounts) AND side.book NOT IN ('issuer', 'written_off')
    GROUP BY e.account_id, side.period, side.book
$$;

-- Returns every balance as it is stored.
CREATE OR REPLACE FUNCTION metering.projected_balances(accounts text[])
RETURNS TABLE (account_id text, period_start date, book metering.book, credits bigint)
LANGUAGE sql STABLE AS $$
    SELECT p.account_id, p.period_start, b.book, b.credits
    FROM metering.account_period p,
        LATERAL (VALUES
            ('plan'::metering.book, p.plan_available), ('plan_held', p.plan_held), ('plan_spent', p.plan_spent),
            ('overage_held', p.overage_held), ('overage_spent', p.overage_spent), ('pack_spent', p.pack_spent)
        ) b (book, credits)
    WHERE p.account_id = ANY (accounts)
    UNION ALL
    SELECT a.id, NULL, b.book, b.credits
    FROM metering.account a,
        LATERAL (VALUES ('pack'::metering.book, a.pack_available), ('pack_held', a.pack_held)) b (book, credits)
    WHERE a.id = ANY (accounts)
$$;

-- Returns the sums of the open holds.
CREATE OR REPLACE FUNCTION metering.held_balances(accounts text[])
RETURNS TABLE (account_id text, period_start date, book metering.book, credits bigint)
LANGUAGE sql STABLE AS $$
    SELECT h.account_id, CASE WHEN b.book = 'pack_held' THEN NULL ELSE h.period_start END, b.book,
        sum(b.credits)::bigint
    FROM metering.hold h,
        LATERAL (VALUES
            ('plan_held'::metering.book, h.plan_credits), ('overage_held', h.overage_credits),
            ('pack_held', h.pack_credits)
        ) b (book, credits)
    WHERE h.account_id = ANY (accounts)
    GROUP BY 1, 2, 3
$$;

-- Computes the stored balances of one account from its entries again. Null: there is no such account.
CREATE OR REPLACE FUNCTION metering.rebuild_projections(account text) RETURNS metering.account_state
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO metering.account_period AS p (account_id, period_start, plan_available, plan_held, plan_spent,
            overage_held, overage_spent, pack_spent)
        SELECT a.id, b.period_start,
            coalesce(sum(b.credits) FILTER (WHERE b.book = 'plan'), 0),
            coalesce(sum(b.credits) FILTER (WHERE b.book = 'plan_held'), 0),
            coalesce(sum(b.credits) FILTER (WHERE b.book = 'plan_spent'), 0),
            coalesce(sum(b.credits) FILTER (WHERE b.book = 'overage_held'), 0),
            coalesce(sum(b.credits) FILTER (WHERE b.book = 'overage_spent'), 0),
            coalesce(sum(b.credits) FILTER (WHERE b.book = 'pack_spent'), 0)
        FROM metering.posted_balances(ARRAY[account]) b WHERE b.period_start IS NOT NULL GROUP BY b.period_start
        ON CONFLICT (account_id, period_start) DO UPDATE SET
            plan_available = excluded.plan_available, plan_held = excluded.plan_held,
            plan_spent = excluded.plan_spent, overage_held = excluded.overage_held,
            overage_spent = excluded.overage_spent, pack_spent = excluded.pack_spent;
    UPDATE metering.account acc SET
        pack_available = packs.available, pack_held = packs.held, version = acc.version + 1
        FROM (
            SELECT coalesce(sum(b.credits) FILTER (WHERE b.book = 'pack'), 0) AS available,
                coalesce(sum(b.credits) FILTER (WHERE b.book = 'pack_held'), 0) AS held
            FROM metering.posted_balances(ARRAY[account]) b
        ) packs
        WHERE acc.id = a.id;
    SELECT * INTO a FROM metering.account acc WHERE acc.id = a.id;
    INSERT INTO metering.account_event (account_id, kind) VALUES (a.id, 'projections_rebuilt');
    INSERT INTO metering.outbox (account_id) VALUES (a.id);
    RETURN metering.read_state(a);
END $$;
