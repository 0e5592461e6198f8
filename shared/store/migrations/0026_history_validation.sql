-- concurrent
-- Neither statement keeps calls from being recorded.
ALTER TABLE metering.usage_call VALIDATE CONSTRAINT usage_call_before;
CREATE INDEX CONCURRENTLY IF NOT EXISTS usage_call_unsummed ON metering.usage_call (account_id, at) WHERE NOT is_summed;
