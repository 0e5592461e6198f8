-- Keys that the MCP server keeps for those who signed in, so that the usage history tells their calls from others.

ALTER TABLE metering.api_key DROP CONSTRAINT api_key_purpose_check;
ALTER TABLE metering.api_key ADD CONSTRAINT api_key_purpose_check CHECK (purpose IN ('api', 'playground', 'mcp'));

-- As before; only the keys that people make count towards their limit.
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

-- Makes a key for one client's calls. Every process of the MCP server has its own, so the newest `keep` of an account stay;
-- older ones stop working, and a process that still had one makes another. Outcomes: as those of `create_key`.
CREATE FUNCTION metering.create_mcp_key(
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
        INSERT INTO metering.pending_change (account_id, key_sha256) VALUES (account, old.sha256);
    END LOOP;
    SELECT c.outcome, c.created_at INTO outcome, created_at
        FROM metering.create_key(new_id, account, name, prefix, sha256, most + 1) c;
    UPDATE metering.api_key k SET purpose = 'mcp' WHERE k.id = new_id;
END $$;
