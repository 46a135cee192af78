import { findNeedle, readPayloadSearch } from "#lib/core/mapping/compare/payload-search.ts";
import { maxSearchedBytes } from "#lib/db/field-search/index-fields.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { hasMask } from "#lib/db/masking/masked-database.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The searched part of a body, in bytes. More would let one search read gigabytes. */
const searchedBodyBytes = 16_384;

/**
 * Condition on a delivery: it contains a text, or has a value if the text is `path = value`. The
 * body is searched as the text that `encode(…, 'escape')` makes of its bytes, because it may not be
 * text. Letters beyond ASCII are case-sensitive.
 *
 * @param db with masked fields, bodies aren't searched
 */
export function contains(db: SqlStatements, q: string): Prisma.Sql {
  return Prisma.sql`and (
    strpos(lower(coalesce(event_id, '')), lower(${q})) > 0
    or strpos(lower(coalesce(event_type, '')), lower(${q})) > 0
    or strpos(lower(path), lower(${q})) > 0
    or strpos(lower(coalesce(reason, '')), lower(${q})) > 0
    ${hasMask(db) ? Prisma.empty : inBody(q)}
  )`;
}

function inBody(q: string): Prisma.Sql {
  return Prisma.sql`
    or strpos(
      lower(encode(substring(body from 1 for ${searchedBodyBytes}::int), 'escape') collate "C"),
      lower(encode(convert_to(${q}, 'UTF8'), 'escape') collate "C")
    ) > 0
    or ${hasValue(q)}`;
}

/** Condition on a delivery: it has a value, if the text is `path = value`. Only bodies that contain a part of the value are parsed. */
export function hasValue(q: string): Prisma.Sql {
  const search = readPayloadSearch(q);
  if (search === null) return Prisma.sql`false`;
  const { path, value } = search;
  const field = `&${new URLSearchParams([[path.join("."), value]])}&`;
  return Prisma.sql`
    case
      when body_size > ${maxSearchedBytes}::int then false
      when content_type like 'application/x-www-form-urlencoded%'
        then position(convert_to(${field}, 'UTF8') in '&'::bytea || body || '&'::bytea) > 0
      when position(convert_to(${findNeedle(search)}, 'UTF8') in body) = 0 then false
      else payload_value(body, ${[...path]}::text[]) = ${value}
    end`;
}
