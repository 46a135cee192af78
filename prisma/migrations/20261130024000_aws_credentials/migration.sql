-- Access keys that sign requests to AWS, such as those to a queue. See
-- docs/decisions/actions/166-a-credential-says-what-a-receiver-is.md.
alter table credentials drop constraint credentials_kind_check;
alter table credentials add constraint credentials_kind_check check (kind in ('bearer', 'basic', 'header', 'query', 'oauth2', 'hmac', 'certificate', 'aws'));
