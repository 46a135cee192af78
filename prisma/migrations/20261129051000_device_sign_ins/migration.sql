-- Sign-ins that tools without a browser ask for (RFC 8628), one row from the codes to the token.
create table device_sign_ins (
  id uuid not null,
  device_hash bytea not null,
  code_hash bytea not null,
  host text,
  scopes text[],
  address text,
  client text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  interval_seconds integer not null default 5,
  polled_at timestamptz(3),
  decision text,
  decided_at timestamptz(3),
  account_id uuid,
  user_id uuid,
  claimed_at timestamptz(3),

  constraint device_sign_ins_pkey primary key (id),
  constraint device_sign_ins_decision_check check (decision in ('allowed', 'denied'))
);
create unique index device_sign_ins_device_hash_key on device_sign_ins (device_hash);
create unique index device_sign_ins_code_hash_key on device_sign_ins (code_hash);
create index device_sign_ins_expires_at_idx on device_sign_ins (expires_at);
create index device_sign_ins_account_id_user_id_idx on device_sign_ins (account_id, user_id);
-- Someone who leaves the account gives it no token any more, not even if they come back.
alter table device_sign_ins add constraint device_sign_ins_account_id_user_id_fkey
  foreign key (account_id, user_id) references memberships (account_id, user_id)
  on delete set null on update cascade;

-- The tool that may revoke a token is the one that got it.
alter table api_tokens add column client_id text;
