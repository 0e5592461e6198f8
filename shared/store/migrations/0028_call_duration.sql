-- How long a call took, in milliseconds. Null: nobody measured it (the call expired, or was recorded by a former release).
ALTER TABLE metering.usage_call ADD COLUMN duration_ms integer;
