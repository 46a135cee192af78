CREATE FUNCTION "xml_unescape"("written" TEXT) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  reference TEXT[];
  plain TEXT := "written";
BEGIN
  IF strpos(plain, '&') = 0 THEN RETURN plain; END IF;
  FOR reference IN SELECT DISTINCT regexp_matches("written", '&#(x?)([0-9A-Fa-f]{1,6});', 'g')
  LOOP
    plain := replace(plain, '&#' || reference[1] || reference[2] || ';', chr(CASE reference[1]
      WHEN 'x' THEN ('x' || lpad(reference[2], 8, '0'))::bit(32)::int ELSE reference[2]::int END));
  END LOOP;
  RETURN replace(replace(replace(replace(replace(plain, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&apos;', ''''), '&amp;', '&');
END
$$;

CREATE FUNCTION "xml_attribute"("tag" TEXT, "name" TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT xml_unescape(coalesce(pair[2], pair[3]))
  FROM regexp_matches("tag", '([^\s=/"'']+)\s*=\s*(?:"([^"]*)"|''([^'']*)'')', 'g') AS pair
  WHERE pair[1] = "name" LIMIT 1
$$;

-- The text of an element or attribute of XML at the path that the payload gives it, such as {order,item,0,@sku}.
-- An item has its number if there are several, and none otherwise. Null if there is none.
CREATE FUNCTION "xml_value"("document" TEXT, "path" TEXT[]) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  last INT := array_length("path", 1);
  token TEXT[];
  -- Of the elements that are open on the path: the names that they came to, and how many of the next name they have.
  came INT[] := ARRAY[0];
  counts INT[] := ARRAY[0];
  depth INT := 1;
  -- The elements that are open beside it.
  beside INT := 0;
  reached INT;
  text TEXT := '';
  is_leaf BOOLEAN := FALSE;
  found TEXT;
BEGIN
  FOR token IN SELECT regexp_matches("document",
    '<!\[CDATA\[((?:[^\]]|\](?!\]>))*)\]\]>|<!--(?:[^-]|-(?!->))*-->|<\?(?:[^?]|\?(?!>))*\?>|<(/?)([^\s/>]+)((?:[^>"'']|"[^"]*"|''[^'']*'')*)>|([^<]+)',
    'g')
  LOOP
    IF token[3] IS NULL THEN
      text := text || coalesce(token[1], xml_unescape(token[5]), '');
    ELSIF token[2] = '/' THEN
      IF beside > 0 THEN
        beside := beside - 1;
      ELSE
        IF came[depth] = last THEN
          IF is_leaf THEN found := coalesce(found, btrim(text, E' \t\r\n')); END IF;
        -- A single element is no list.
        ELSIF "path"[came[depth] + 2] ~ '^\d+$' AND counts[depth] = 1 THEN
          found := NULL;
        END IF;
        depth := depth - 1;
      END IF;
      is_leaf := FALSE;
      text := '';
    ELSE
      reached := NULL;
      is_leaf := TRUE;
      text := '';
      IF beside = 0 AND token[3] = "path"[came[depth] + 1] THEN
        counts[depth] := counts[depth] + 1;
        IF "path"[came[depth] + 2] ~ '^\d+$' THEN
          IF "path"[came[depth] + 2] = (counts[depth] - 1)::text THEN reached := came[depth] + 2; END IF;
        ELSIF counts[depth] = 1 THEN
          reached := came[depth] + 1;
        ELSE
          found := NULL;
        END IF;
      END IF;
      IF reached = last - 1 AND "path"[last] LIKE '@%' THEN
        found := xml_attribute(token[4], substr("path"[last], 2));
      ELSIF reached = last AND token[4] ~ '[^\s]+\s*=' AND token[4] !~ '^(\s*xmlns(:[^\s=]+)?\s*=\s*("[^"]*"|''[^'']*''))*\s*/?$' THEN
        -- An object.
        reached := NULL;
      END IF;
      IF token[4] LIKE '%/' THEN
        IF reached = last THEN found := ''; END IF;
        is_leaf := FALSE;
      ELSIF reached IS NULL THEN
        beside := beside + 1;
      ELSE
        depth := depth + 1;
        came[depth] := reached;
        counts[depth] := 0;
      END IF;
    END IF;
  END LOOP;
  RETURN found;
END
$$;

-- The value at a path of a JSON or XML body: text without quotes, and anything else as it is written. Null if there is none.
CREATE OR REPLACE FUNCTION "payload_value"("body" BYTEA, "path" TEXT[]) RETURNS TEXT
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  document text := ltrim(convert_from("body", 'UTF8'), U&'\FEFF');
  found json;
BEGIN
  IF document ~ '^\s*<' THEN
    RETURN xml_value(document, "path");
  END IF;
  found := document::json #> "path";
  RETURN CASE json_typeof(found) WHEN 'string' THEN found #>> '{}' ELSE found::text END;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$$;
