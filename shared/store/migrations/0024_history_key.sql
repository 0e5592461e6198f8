-- concurrent
-- The key of the history once it is partitioned by time.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS usage_call_by_request ON metering.usage_call (request_id, at);
