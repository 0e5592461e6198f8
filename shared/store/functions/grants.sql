-- OAuth 2.1 grants of account owners to clients, with their authorization codes and tokens. Only hashes are stored.

-- Stores a grant with its authorization code. Beyond `most` active grants, the least recently used ones end. Null:
-- there is no such account, or it is closed.
CREATE OR REPLACE FUNCTION metering.create_grant(
    new_id text, account text, client text, name text, new_scopes text[], new_resource text, redirect text,
    challenge text, code bytea, code_seconds double precision, most bigint
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    a metering.account;
    ends timestamptz := metering.clock() + code_seconds * interval '1 second';
BEGIN
    a := metering.lock_account(account);
    IF a.id IS NULL OR EXISTS (SELECT FROM metering.account_event e WHERE e.account_id = a.id AND e.kind = 'closed') THEN
        RETURN NULL;
    END IF;
    PERFORM metering.end_grant(o.id) FROM (
        SELECT cg.id FROM metering.client_grant cg
        WHERE cg.account_id = a.id AND cg.revoked_at IS NULL AND cg.expires_at > metering.clock()
        ORDER BY coalesce(cg.last_used_at, cg.created_at) DESC, cg.id OFFSET most - 1) o;
    INSERT INTO metering.client_grant (id, account_id, client_id, client_name, scopes, resource, expires_at)
        VALUES (new_id, a.id, client, name, new_scopes, new_resource, ends);
    INSERT INTO metering.authorization_code (sha256, grant_id, redirect_uri, code_challenge, expires_at)
        VALUES (code, new_id, redirect, challenge, ends);
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (a.id, 'grant_made', jsonb_build_object('grant', new_id, 'client', client));
    RETURN new_id;
END $$;

-- Ends a grant, once, and queues the announcement of its unexpired access tokens. Null: it had ended before.
CREATE OR REPLACE FUNCTION metering.end_grant(ended text) RETURNS metering.client_grant
LANGUAGE plpgsql AS $$
DECLARE
    g metering.client_grant;
BEGIN
    UPDATE metering.client_grant cg SET revoked_at = metering.clock()
        WHERE cg.id = ended AND cg.revoked_at IS NULL RETURNING * INTO g;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO metering.outbox (account_id, key_sha256)
        SELECT g.account_id, t.sha256 FROM metering.grant_token t
        WHERE t.grant_id = g.id AND t.kind = 'access' AND t.expires_at > metering.clock();
    INSERT INTO metering.account_event (account_id, kind, detail)
        VALUES (g.account_id, 'grant_ended', jsonb_build_object('grant', g.id, 'client', g.client_id));
    RETURN g;
END $$;

-- Stores an access token and a refresh token of a grant, and prolongs the grant.
CREATE OR REPLACE FUNCTION metering.add_tokens(
    to_grant text, access_scopes text[], refresh_scopes text[], access bytea, access_seconds double precision,
    refresh bytea, refresh_seconds double precision
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := metering.clock();
BEGIN
    INSERT INTO metering.grant_token (sha256, grant_id, kind, scopes, expires_at) VALUES
        (access, to_grant, 'access', access_scopes, moment + access_seconds * interval '1 second'),
        (refresh, to_grant, 'refresh', refresh_scopes, moment + refresh_seconds * interval '1 second');
    UPDATE metering.client_grant cg SET
        last_used_at = moment, expires_at = moment + refresh_seconds * interval '1 second'
        WHERE cg.id = to_grant;
END $$;

-- Exchanges an authorization code for tokens. A code is used up even if the parameters do not match, so that an
-- attempt cannot be repeated. Outcomes: issued, invalid, reused (the grant has ended), wrong_resource.
CREATE OR REPLACE FUNCTION metering.exchange_code(
    code bytea, client text, redirect text, challenge text, wanted_resource text, access bytea,
    access_seconds double precision, refresh bytea, refresh_seconds double precision,
    OUT outcome text, OUT g metering.client_grant, OUT granted_scopes text[]
)
LANGUAGE plpgsql AS $$
DECLARE
    c metering.authorization_code;
BEGIN
    outcome := 'invalid';
    -- Locking the grant's row locks its codes and tokens too.
    SELECT cg.* INTO g FROM metering.client_grant cg
        WHERE cg.id = (SELECT ac.grant_id FROM metering.authorization_code ac WHERE ac.sha256 = code) FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT * INTO c FROM metering.authorization_code ac WHERE ac.sha256 = code;
    IF c.used_at IS NOT NULL THEN
        outcome := 'reused';
        PERFORM metering.end_grant(g.id);
        RETURN;
    END IF;
    UPDATE metering.authorization_code ac SET used_at = metering.clock() WHERE ac.sha256 = code;
    IF g.revoked_at IS NOT NULL OR c.expires_at <= metering.clock() OR g.client_id <> client
        OR c.code_challenge <> challenge OR c.redirect_uri <> coalesce(redirect, c.redirect_uri) THEN
        RETURN;
    END IF;
    IF g.resource <> coalesce(wanted_resource, g.resource) THEN
        outcome := 'wrong_resource';
        RETURN;
    END IF;
    outcome := 'issued';
    granted_scopes := g.scopes;
    PERFORM metering.add_tokens(g.id, g.scopes, g.scopes, access, access_seconds, refresh, refresh_seconds);
END $$;

-- Exchanges a refresh token for the next one. Outcomes: those of `exchange_code`, and wrong_scope.
CREATE OR REPLACE FUNCTION metering.refresh_grant(
    used_refresh bytea, client text, wanted_resource text, wanted_scopes text[], access bytea,
    access_seconds double precision, refresh bytea, refresh_seconds double precision,
    OUT outcome text, OUT g metering.client_grant, OUT granted_scopes text[]
)
LANGUAGE plpgsql AS $$
DECLARE
    t metering.grant_token;
BEGIN
    outcome := 'invalid';
    SELECT cg.* INTO g FROM metering.client_grant cg
        WHERE cg.id = (SELECT gt.grant_id FROM metering.grant_token gt
                       WHERE gt.sha256 = used_refresh AND gt.kind = 'refresh') FOR UPDATE;
    IF NOT FOUND OR g.client_id <> client THEN
        RETURN;
    END IF;
    SELECT * INTO t FROM metering.grant_token gt WHERE gt.sha256 = used_refresh;
    IF t.used_at IS NOT NULL THEN
        outcome := 'reused';
        PERFORM metering.end_grant(g.id);
        RETURN;
    END IF;
    IF g.revoked_at IS NOT NULL OR t.expires_at <= metering.clock() THEN
        RETURN;
    END IF;
    IF g.resource <> coalesce(wanted_resource, g.resource) THEN
        outcome := 'wrong_resource';
        RETURN;
    END IF;
    granted_scopes := CASE WHEN cardinality(wanted_scopes) = 0 THEN t.scopes ELSE wanted_scopes END;
    IF NOT granted_scopes <@ t.scopes THEN
        outcome := 'wrong_scope';
        RETURN;
    END IF;
    outcome := 'issued';
    UPDATE metering.grant_token gt SET used_at = metering.clock() WHERE gt.sha256 = used_refresh;
    PERFORM metering.add_tokens(g.id, granted_scopes, t.scopes, access, access_seconds, refresh, refresh_seconds);
END $$;

-- Revokes a token (RFC 7009): a refresh token together with its grant, an access token by itself. Returns the grant
-- if it ended.
CREATE OR REPLACE FUNCTION metering.revoke_token(token bytea, client text) RETURNS metering.client_grant
LANGUAGE plpgsql AS $$
DECLARE
    g metering.client_grant;
    t metering.grant_token;
BEGIN
    SELECT cg.* INTO g FROM metering.client_grant cg
        WHERE cg.id = (SELECT gt.grant_id FROM metering.grant_token gt WHERE gt.sha256 = token)
            AND cg.client_id = client FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO t FROM metering.grant_token gt WHERE gt.sha256 = token;
    IF t.kind = 'refresh' THEN
        RETURN metering.end_grant(g.id);
    END IF;
    UPDATE metering.grant_token gt SET used_at = coalesce(gt.used_at, metering.clock()) WHERE gt.sha256 = token;
    INSERT INTO metering.outbox (account_id, key_sha256) VALUES (g.account_id, token);
    RETURN NULL;
END $$;

-- Deletes at most `at_most` grants that ended or expired more than `seconds` ago, and at most `at_most` tokens that
-- expired as long ago. A used refresh token is kept until it expires, so that its reuse is noticed. Returns the
-- number of grants and tokens deleted.
CREATE OR REPLACE FUNCTION metering.forget_grants(seconds double precision, at_most bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    before timestamptz := metering.clock() - seconds * interval '1 second';
    grants bigint;
    tokens bigint;
BEGIN
    DELETE FROM metering.client_grant WHERE id IN (
        SELECT cg.id FROM metering.client_grant cg
        WHERE least(cg.expires_at, coalesce(cg.revoked_at, cg.expires_at)) < before
        LIMIT at_most FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS grants = ROW_COUNT;
    DELETE FROM metering.grant_token WHERE sha256 IN (
        SELECT gt.sha256 FROM metering.grant_token gt WHERE gt.expires_at < before
        LIMIT at_most FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS tokens = ROW_COUNT;
    RETURN grants + tokens;
END $$;
