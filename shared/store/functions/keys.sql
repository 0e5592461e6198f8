-- API keys. Only their hashes are stored.

-- Creates a key. Only keys with the purpose `api` count towards the limit `most`. Outcomes: created, too_many,
-- unknown_account.
CREATE OR REPLACE FUNCTION metering.create_key(
    new_id text, account text, name text, prefix text, sha256 bytea, most bigint,
    OUT outcome text, OUT created_at timestamptz
)
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL THEN
        outcome := 'unknown_account';
        RETURN;
    END IF;
    IF (SELECT count(*) >= most FROM metering.api_key k
            WHERE k.account_id = a.id AND k.revoked_at IS NULL AND k.purpose = 'api') THEN
        outcome := 'too_many';
        RETURN;
    END IF;
    created_at := metering.clock();
    INSERT INTO metering.api_key VALUES (new_id, a.id, name, prefix, sha256, created_at);
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (a.id, 'key_created', jsonb_build_object('key', new_id));
    outcome := 'created';
END $$;

-- Creates the playground key of an account and revokes the previous one. Outcomes: those of `create_key`.
CREATE OR REPLACE FUNCTION metering.create_playground_key(
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

-- Creates a key for the calls of one client. Each process of the MCP server has its own: the newest `keep` keys of an
-- account stay, older ones are revoked, and a process that used one creates another. Outcomes: those of `create_key`.
CREATE OR REPLACE FUNCTION metering.create_mcp_key(
    new_id text, account text, name text, prefix text, sha256 bytea, most bigint,
    OUT outcome text, OUT created_at timestamptz
)
LANGUAGE plpgsql AS $$
DECLARE
    keep CONSTANT bigint := 32;
    old record;
BEGIN
    PERFORM metering.lock_account(account);
    FOR old IN
        SELECT k.id, k.sha256 FROM metering.api_key k
        WHERE k.account_id = account AND k.purpose = 'mcp' AND k.revoked_at IS NULL
        ORDER BY k.created_at DESC, k.id DESC OFFSET keep - 1
    LOOP
        UPDATE metering.api_key k SET revoked_at = metering.clock() WHERE k.id = old.id;
        INSERT INTO metering.outbox (account_id, key_sha256) VALUES (account, old.sha256);
    END LOOP;
    SELECT c.outcome, c.created_at INTO outcome, created_at
        FROM metering.create_key(new_id, account, name, prefix, sha256, most + 1) c;
    UPDATE metering.api_key k SET purpose = 'mcp' WHERE k.id = new_id;
END $$;

-- Revokes a key by its id or its hash. Null: there is none. Revoking a key again announces it again and changes
-- nothing else.
CREATE OR REPLACE FUNCTION metering.revoke_key(key_id text, key_sha256 bytea) RETURNS metering.api_key
LANGUAGE plpgsql AS $$
DECLARE
    k metering.api_key;
BEGIN
    UPDATE metering.api_key ak SET revoked_at = coalesce(ak.revoked_at, metering.clock())
        WHERE ak.id = key_id OR ak.sha256 = key_sha256 RETURNING * INTO k;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (k.account_id, 'key_revoked', jsonb_build_object('key', k.id));
    INSERT INTO metering.outbox (account_id, key_sha256) VALUES (k.account_id, k.sha256);
    RETURN k;
END $$;

-- Revokes the active keys of an account that have this purpose. Null: all purposes.
CREATE OR REPLACE FUNCTION metering.revoke_keys(account text, only_purpose text) RETURNS void
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
    INSERT INTO metering.outbox (account_id, key_sha256) SELECT r.account_id, r.sha256 FROM revoked r
$$;
