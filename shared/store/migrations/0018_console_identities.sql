-- Who a holder is elsewhere: at an OpenID Connect provider, which knows them by a subject that never changes.

CREATE TABLE console.identity (
    issuer text NOT NULL,
    subject text NOT NULL,
    holder_id text NOT NULL REFERENCES console.holder ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_by_holder ON console.identity (holder_id);
