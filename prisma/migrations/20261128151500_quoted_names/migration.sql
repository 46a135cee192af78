-- Paths have one syntax: a name with a bracket or a quotation mark is quoted. The rules of hooks and masked fields
-- were names between dots, in which `data[email]` was one name, so they are written as paths that read the same names.

create function pg_temp.quote_names(path text) returns text language sql immutable as $$
  select string_agg(
    case
      when name ~ '[][''"]' then '["' || replace(replace(name, '\', '\\'), '"', '\"') || '"]'
      else case when place = 1 then '' else '.' end || name
    end, '' order by place)
  from unnest(string_to_array(path, '.')) with ordinality as part(name, place)
$$;

create function pg_temp.quote_paths(value jsonb) returns jsonb language plpgsql immutable strict as $$
begin
  if jsonb_typeof(value) = 'array' then
    return (select coalesce(jsonb_agg(pg_temp.quote_paths(item) order by place), '[]')
      from jsonb_array_elements(value) with ordinality as part(item, place));
  end if;
  if jsonb_typeof(value) <> 'object' then
    return value;
  end if;
  return (select coalesce(jsonb_object_agg(key, case
      when key in ('path', 'recipientPath') and jsonb_typeof(item) = 'string'
        then to_jsonb(pg_temp.quote_names(item #>> '{}'))
      when key = 'except' and jsonb_typeof(item) = 'array'
        then (select jsonb_agg(pg_temp.quote_names(name) order by place)
          from jsonb_array_elements_text(item) with ordinality as part(name, place))
      else pg_temp.quote_paths(item)
    end), '{}')
    from jsonb_each(value) as member(key, item));
end
$$;

update hooks set dedupe = pg_temp.quote_paths(dedupe::jsonb)
  where pg_temp.quote_paths(dedupe::jsonb) is distinct from dedupe::jsonb;
update hooks set event_type = pg_temp.quote_paths(event_type::jsonb)
  where pg_temp.quote_paths(event_type::jsonb) is distinct from event_type::jsonb;
update hooks set publish = pg_temp.quote_paths(publish::jsonb)
  where pg_temp.quote_paths(publish::jsonb) is distinct from publish::jsonb;
update hooks set verification = pg_temp.quote_paths(verification::jsonb)
  where pg_temp.quote_paths(verification::jsonb) is distinct from verification::jsonb;

update accounts set masked_fields = (
    select array_agg(pg_temp.quote_names(field) order by place)
    from unnest(masked_fields) with ordinality as part(field, place))
  where array_to_string(masked_fields, '') ~ '[][''"]';
