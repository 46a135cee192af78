-- The headers that sign an account's events.
alter table sender_settings
  add column signature_header text not null default 'Catchment-Signature',
  add column catchment_signature boolean not null default true,
  add column standard_webhooks_headers boolean not null default true;
