-- Ends a statement that would queue too many sends, before it writes them. The caller stores the
-- events in smaller parts. No limit: null.
CREATE FUNCTION limit_sends(total bigint, most bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF total > most THEN
    RAISE EXCEPTION '% sends in one statement', total USING ERRCODE = 'CM001';
  END IF;
  RETURN true;
END $$;
