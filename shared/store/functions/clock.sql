-- The clock, and calendar months in UTC.

-- Returns the time. All decisions about periods and holds use this clock; the clocks of the services decide nothing.
CREATE OR REPLACE FUNCTION metering.clock() RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE
AS 'SELECT clock_timestamp()';

-- Returns the milliseconds since a moment, as far as an integer counts them.
CREATE OR REPLACE FUNCTION metering.elapsed_ms(since timestamptz) RETURNS integer
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$ SELECT least(greatest(extract(epoch FROM metering.clock() - since) * 1000, 0), 2147483647)::integer $$;

-- Returns the calendar month (in UTC) of a moment, as its first day.
CREATE OR REPLACE FUNCTION metering.month_of(moment timestamptz) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT date_trunc('month', moment AT TIME ZONE 'UTC')::date $$;

-- Returns the moment at which a month ends.
CREATE OR REPLACE FUNCTION metering.month_end(month date) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (month + interval '1 month') AT TIME ZONE 'UTC' $$;
