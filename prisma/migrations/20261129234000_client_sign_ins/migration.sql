-- Programs that sign in by a redirect (OAuth 2.1), such as AI assistants, and the codes that they exchange for a token. See
-- docs/decisions/dashboard/157-assistants-sign-in-by-a-redirect.md.
create table oauth_clients (
  -- What was given to a client that registered, or the URL of its own document.
  id text not null,
  name text,
  redirect_uris text[],
  -- The address range that counts as one. Null: it is a document.
  registrant text,
  created_at timestamptz(3) not null default now(),
  -- Null: no one has allowed it yet.
  used_at timestamptz(3),
  expires_at timestamptz(3) not null,

  constraint oauth_clients_pkey primary key (id)
);
create index oauth_clients_expires_at_idx on oauth_clients (expires_at);

create table authorization_codes (
  id uuid not null,
  code_hash bytea not null,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  code_challenge text not null,
  resource text not null,
  scopes text[],
  account_id uuid not null,
  user_id uuid not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  -- What was made from it: it ends if the code comes again.
  token_id uuid,

  constraint authorization_codes_pkey primary key (id)
);
create unique index authorization_codes_code_hash_key on authorization_codes (code_hash);
create index authorization_codes_expires_at_idx on authorization_codes (expires_at);
create index authorization_codes_account_id_user_id_idx on authorization_codes (account_id, user_id);
create index authorization_codes_token_id_idx on authorization_codes (token_id);
alter table authorization_codes add constraint authorization_codes_account_id_user_id_fkey
  foreign key (account_id, user_id) references memberships (account_id, user_id)
  on delete cascade on update cascade;
alter table authorization_codes add constraint authorization_codes_token_id_fkey
  foreign key (token_id) references api_tokens (id) on delete set null on update cascade;
