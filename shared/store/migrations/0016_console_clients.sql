-- Clients that registered themselves (RFC 7591). Nothing of it was checked, and none has a secret.
CREATE TABLE console.client (
    id text PRIMARY KEY,
    -- As the client calls itself.
    name text NOT NULL,
    redirect_uris text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- To the day. Null: it never came back.
    last_used_at timestamptz
);

-- Of a sign-up with a password: the browser that it was chosen in. Whoever follows the link elsewhere may be somebody
-- else, and does not get a password that another knows.
ALTER TABLE console.link ADD COLUMN asker_sha256 bytea;
