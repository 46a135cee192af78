import { Prisma } from "../generated/client.ts";

/**
 * `SavedRows` of the action `a`, as text. Null for an action that names none, which costs nothing.
 * A change of any of these rows also writes the action's row, so its version changes.
 */
export const savedRows = Prisma.sql`
  case when a.credential_ids = '{}' and a.destination_ids = '{}' then null else json_build_object(
    'credentials', (
      select coalesce(json_agg(json_build_object(
        'id', c.id, 'version', c.version, 'origin', c.origin, 'ciphertext', encode(c.ciphertext, 'base64'))), '[]')
      from credentials c
      where c.account_id = a.account_id and (c.id = any (a.credential_ids)
        or c.id in (select d.credential_id from destinations d where d.id = any (a.destination_ids)))
    ),
    'destinations', (
      select coalesce(json_agg(json_build_object('id', d.id, 'credentialId', d.credential_id)), '[]')
      from destinations d where d.account_id = a.account_id and d.id = any (a.destination_ids)
    )
  )::text end`;
