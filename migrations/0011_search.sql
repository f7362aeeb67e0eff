-- Looking into headers and payloads, one letter at a time. Neither is stored as jsonb, which refuses some of what letters hold;
-- here whatever cannot be looked into is not found.

-- The bytes as text, with what jsonb refuses replaced; null for what is no text.
create function json_text(bytes bytea) returns text language plpgsql immutable
as $$
begin
  return regexp_replace(convert_from(bytes, 'UTF8'), '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\ufffd', 'g');
exception when others then
  return null;
end $$;

-- Texts of the headers of that name, in any case.
create function header_texts(headers bytea, wanted text) returns setof text language plpgsql immutable
set search_path from current
as $$
declare
  found jsonb;
begin
  for found in
    select h -> 1 from jsonb_array_elements(json_text(headers)::jsonb) as h where lower(h ->> 0) = lower(wanted)
  loop
    if found ? 'bytes' and jsonb_typeof(found) = 'object' then
      return next json_text(decode(found ->> 'bytes', 'base64'));
    elsif jsonb_typeof(found) = 'object' then
      return next coalesce(found ->> 'integer', found ->> 'timestamp', found ->> 'double');
    else
      return next found #>> '{}';
    end if;
  end loop;
exception when others then
  return;
end $$;

-- Texts of what stands at that path of a body that is JSON. Larger bodies are not looked into.
create function body_texts(body bytea, wanted jsonpath) returns setof text language plpgsql immutable
set search_path from current
as $$
begin
  if octet_length(body) <= 1048576 then
    return query select v #>> '{}' from jsonb_path_query(json_text(body)::jsonb, wanted) as v;
  end if;
exception when others then
  return;
end $$;
