-- A registration that its provider ends after a time, unless it is renewed.
alter table registrations add column expires_at timestamptz(3), add column renew_at timestamptz(3);
