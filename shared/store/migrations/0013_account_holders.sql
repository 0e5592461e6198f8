-- What account holders see and do by themselves.

-- What a key is for: `api` (handed to its owner) or `playground` (kept by the console, one an account).
ALTER TABLE metering.api_key ADD COLUMN purpose text NOT NULL DEFAULT 'api' CHECK (purpose IN ('api', 'playground'));

-- When a key was last used is its latest call.
CREATE INDEX usage_call_by_key ON metering.usage_call (key_id, at);

-- Revokes the live keys of an account that have this purpose, or all of them.
CREATE FUNCTION metering.revoke_keys(account text, only_purpose text) RETURNS void
LANGUAGE sql AS $$
    WITH revoked AS (
        UPDATE metering.api_key k SET revoked_at = metering.clock()
            WHERE k.account_id = account AND k.revoked_at IS NULL
                AND (only_purpose IS NULL OR k.purpose = only_purpose)
            RETURNING k.id, k.account_id, k.sha256
    ), noted AS (
        INSERT INTO metering.account_event (account_id, kind, detail)
            SELECT r.account_id, 'key_revoked', jsonb_build_object('key', r.id) FROM revoked r
    )
    INSERT INTO metering.pending_change (account_id, key_sha256) SELECT r.account_id, r.sha256 FROM revoked r
$$;

-- Makes the one playground key of an account; the one before it stops working. Outcomes: as those of `create_key`.
CREATE FUNCTION metering.create_playground_key(
    new_id text, account text, name text, prefix text, sha256 bytea, most bigint,
    OUT outcome text, OUT created_at timestamptz
)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM metering.lock_account(account);
    PERFORM metering.revoke_keys(account, 'playground');
    SELECT c.outcome, c.created_at INTO outcome, created_at
        FROM metering.create_key(new_id, account, name, prefix, sha256, most) c;
    UPDATE metering.api_key k SET purpose = 'playground' WHERE k.id = new_id;
END $$;

-- Ends an account for its owner. Rows that money depends on stay; what tells about a person goes, as far as invoices do
-- not name it. False: there is no such account.
CREATE FUNCTION metering.close_account(account text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        RETURN false;
    END IF;
    PERFORM metering.revoke_keys(a.id, NULL);
    UPDATE metering.usage_call c SET url = '' WHERE c.account_id = a.id AND c.url <> '';
    UPDATE metering.hold h SET url = '' WHERE h.account_id = a.id;
    UPDATE metering.account acc SET email = 'closed@account.invalid'
        WHERE acc.id = a.id AND NOT EXISTS (SELECT FROM metering.invoice i WHERE i.account_id = a.id);
    PERFORM metering.note_change(a.id, 'closed', '{}');
    RETURN true;
END $$;
