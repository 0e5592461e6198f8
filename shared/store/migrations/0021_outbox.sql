-- Account changes that running processes have yet to be told of are a transactional outbox. The previous release uses
-- the table's old name, which is a view from now on.

ALTER TABLE metering.pending_change RENAME TO outbox;
CREATE VIEW metering.pending_change AS SELECT id, account_id, key_sha256 FROM metering.outbox;
