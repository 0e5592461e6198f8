-- How tries are counted: browsers that holders have signed in with apart from everybody else's.

CREATE TABLE console.device (
    token_sha256 bytea NOT NULL CHECK (length(token_sha256) = 32),
    holder_id text NOT NULL REFERENCES console.holder ON DELETE CASCADE,
    -- When the holder last signed in with it.
    signed_in_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (token_sha256, holder_id)
);
CREATE INDEX device_by_holder ON console.device (holder_id);

-- As before, and a window that ends later than one that begins now is over: the clock was set back meanwhile, and nobody
-- waits as long as that. A minute is for tries that began before the window and are counted after it.
CREATE OR REPLACE FUNCTION console.count_try(what bytea, seconds double precision, OUT so_far integer, OUT seconds_left integer)
LANGUAGE sql AS $$
    INSERT INTO console.attempt AS a VALUES (what, now() + seconds * interval '1 second', 1)
    ON CONFLICT (subject) DO UPDATE SET
        tries = CASE WHEN a.window_ends > now() AND a.window_ends < excluded.window_ends + interval '1 minute'
                     THEN a.tries + 1 ELSE 1 END,
        window_ends = CASE WHEN a.window_ends > now() AND a.window_ends < excluded.window_ends + interval '1 minute'
                           THEN a.window_ends ELSE excluded.window_ends END
    RETURNING a.tries, greatest(1, ceil(extract(epoch FROM a.window_ends - now())))::integer
$$;
