-- Erasure of what is held about a person. What the law wants kept stays without a name: invoices, orders, ledger
-- entries, and the sums of calls per day.

-- Closes an account and erases what is held about its owner. Only the owner of the schemas may: the console's tables
-- are not metering's. False: there is no such account.
CREATE OR REPLACE FUNCTION metering.erase_account(account text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN false;
    END IF;
    IF a.closed_at IS NULL THEN
        PERFORM metering.close_account(a.id);
    END IF;
    DELETE FROM console.link l USING console.holder h WHERE h.account_id = a.id AND lower(l.email) = h.email_key;
    DELETE FROM console.audit c WHERE c.account_id = a.id;
    -- With it go sessions, devices and identities.
    DELETE FROM console.holder h WHERE h.account_id = a.id;
    DELETE FROM metering.usage_call c WHERE c.account_id = a.id;
    PERFORM metering.erase_archived_calls(a.id);
    UPDATE metering.api_key k SET name = '', prefix = '' WHERE k.account_id = a.id;
    UPDATE metering.account acc SET email = 'closed@account.invalid' WHERE acc.id = a.id;
    INSERT INTO metering.account_event (account_id, kind) VALUES (a.id, 'erased');
    RETURN true;
END $$;

-- Revokes what a hash belongs to: a key, or the grant of an access token. Returns true if it was in force.
CREATE OR REPLACE FUNCTION metering.revoke_hash(hash bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    ended text;
BEGIN
    WITH revoked AS (
        UPDATE metering.api_key k SET revoked_at = metering.clock() WHERE k.sha256 = hash AND k.revoked_at IS NULL
            RETURNING k.id, k.account_id, k.sha256
    ), noted AS (
        INSERT INTO metering.account_event (account_id, kind, detail)
            SELECT r.account_id, 'key_revoked', jsonb_build_object('key', r.id) FROM revoked r
    )
    INSERT INTO metering.outbox (account_id, key_sha256) SELECT r.account_id, r.sha256 FROM revoked r;
    IF FOUND THEN
        RETURN true;
    END IF;
    UPDATE metering.grant_token t SET used_at = metering.clock()
        WHERE t.sha256 = hash AND t.kind = 'access' AND t.used_at IS NULL RETURNING t.grant_id INTO ended;
    RETURN ended IS NOT NULL;
END $$;
