-- Sorts cust_2 before cust_10: each number gets 20 digits. Collations that do it need ICU, which not
-- every PostgreSQL has.
CREATE FUNCTION natural_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(name, '(\d+)', '0000000000000000000\1', 'g'), '\d*(\d{20})', '\1', 'g')
$$;

-- Without ids behind the key, equal keys could not be paged.
CREATE INDEX "recipients_account_id_natural_key_idx"
  ON "recipients" ("account_id", natural_key("id") COLLATE "C", "id" COLLATE "C");
