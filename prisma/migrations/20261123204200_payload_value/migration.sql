-- The value at a path of a JSON body: text without quotes, and anything else as it is written. Null if there is none.
CREATE FUNCTION "payload_value"("body" BYTEA, "path" TEXT[]) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  found json;
BEGIN
  found := ltrim(convert_from("body", 'UTF8'), U&'\FEFF')::json #> "path";
  RETURN CASE json_typeof(found) WHEN 'string' THEN found #>> '{}' ELSE found::text END;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$$;
