-- Functions of the console.

-- Counts an attempt in its window of `seconds`. Returns the number of attempts in the window, this one included, and
-- the seconds until it ends. A window that ends later than one that begins now (plus a minute, for attempts that
-- began before the window and are counted after it) is over: the clock was set back meanwhile.
CREATE OR REPLACE FUNCTION console.count_try(
    what bytea, seconds double precision, OUT so_far integer, OUT seconds_left integer
)
LANGUAGE sql AS $$
    INSERT INTO console.attempt AS a VALUES (what, now() + seconds * interval '1 second', 1)
    ON CONFLICT (subject) DO UPDATE SET
        tries = CASE WHEN a.window_ends > now() AND a.window_ends < excluded.window_ends + interval '1 minute'
                     THEN a.tries + 1 ELSE 1 END,
        window_ends = CASE WHEN a.window_ends > now() AND a.window_ends < excluded.window_ends + interval '1 minute'
                           THEN a.window_ends ELSE excluded.window_ends END
    RETURNING a.tries, greatest(1, ceil(extract(epoch FROM a.window_ends - now())))::integer
$$;
