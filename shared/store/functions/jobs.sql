-- Periodic jobs that one process runs for all.

-- Claims a run of a job. Returns false if it ended well within `every_seconds`, or if another process began it within
-- `lease_seconds` and has not ended it.
CREATE OR REPLACE FUNCTION metering.claim_job(
    wanted text, every_seconds double precision, lease_seconds double precision
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metering.job_run AS r (job, began_at) VALUES (wanted, metering.clock())
        ON CONFLICT (job) DO UPDATE SET began_at = metering.clock()
        WHERE coalesce(r.completed_at <= metering.clock() - every_seconds * interval '1 second', true)
            AND (r.began_at <= metering.clock() - lease_seconds * interval '1 second'
                OR r.completed_at >= r.began_at);
    RETURN FOUND;
END $$;

-- Records that a job ended well.
CREATE OR REPLACE FUNCTION metering.complete_job(done text) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metering.job_run (job, began_at, completed_at) VALUES (done, metering.clock(), metering.clock())
        ON CONFLICT (job) DO UPDATE SET completed_at = metering.clock()
$$;
