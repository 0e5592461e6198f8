-- The console: who holds an account, and how they are known. Secrets are kept as hashes only; nothing here is about
-- credits.

CREATE SCHEMA console;

CREATE TABLE console.holder (
    id text PRIMARY KEY,
    account_id text NOT NULL UNIQUE REFERENCES metering.account,
    email text NOT NULL,
    -- By which addresses are the same: in lower case.
    email_key text NOT NULL UNIQUE,
    -- Argon2id as a PHC string; null: signs in by links alone.
    password_hash text,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE console.session (
    id text PRIMARY KEY,
    token_sha256 bytea NOT NULL UNIQUE CHECK (length(token_sha256) = 32),
    holder_id text NOT NULL REFERENCES console.holder ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    -- `password` or `link`.
    signed_in_by text NOT NULL,
    address text NOT NULL,
    agent text NOT NULL
);
CREATE INDEX session_by_holder ON console.session (holder_id);

-- What was sent by mail: each works once.
CREATE TABLE console.link (
    token_sha256 bytea PRIMARY KEY CHECK (length(token_sha256) = 32),
    -- `sign_up` or `sign_in`.
    purpose text NOT NULL,
    email text NOT NULL,
    -- Of a sign-up with a password.
    password_hash text,
    expires_at timestamptz NOT NULL
);
CREATE INDEX link_by_expiry ON console.link (expires_at);

-- What was done with an account from the console. Addresses and agents go with their retention.
CREATE TABLE console.audit (
    account_id text NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT now(),
    kind text NOT NULL,
    detail text NOT NULL,
    address text NOT NULL,
    agent text NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX audit_by_time ON console.audit USING brin (at);

-- How often something was tried, in fixed windows.
CREATE TABLE console.attempt (
    subject bytea PRIMARY KEY,
    window_ends timestamptz NOT NULL,
    tries integer NOT NULL
);

-- Counts one try; how many there were in its window, this one included, and the seconds the window lasts.
CREATE FUNCTION console.count_try(what bytea, seconds double precision, OUT so_far integer, OUT seconds_left integer)
LANGUAGE sql AS $$
    INSERT INTO console.attempt AS a VALUES (what, now() + seconds * interval '1 second', 1)
    ON CONFLICT (subject) DO UPDATE SET
        tries = CASE WHEN a.window_ends <= now() THEN 1 ELSE a.tries + 1 END,
        window_ends = CASE WHEN a.window_ends <= now() THEN excluded.window_ends ELSE a.window_ends END
    RETURNING a.tries, greatest(1, ceil(extract(epoch FROM a.window_ends - now())))::integer
$$;

-- Whether parts of the service answered, by minute: what the status page shows.
CREATE TABLE console.probe (
    component text NOT NULL,
    minute timestamptz NOT NULL,
    is_up boolean NOT NULL,
    duration_ms integer NOT NULL,
    PRIMARY KEY (component, minute)
);
