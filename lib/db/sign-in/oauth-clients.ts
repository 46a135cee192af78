import { randomBytes } from "node:crypto";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { clientDocumentMinutes, registrationHours } from "#lib/schema/account/client-sign-in.ts";

/** A program that asks for access, as it describes itself. Nothing of it is proven but a document's own host. */
export type OAuthClient = {
  readonly id: string;
  readonly name: string | null;
  readonly redirectUris: readonly string[];
};

/** Anyone may register, so that these bound the table. They count what no person has allowed. */
export const maxUnusedClients = { ofRegistrant: 20, inAll: 10_000 } as const;

/** Stores a client that registered, and returns its id. Returns whose limit is reached otherwise. */
export async function insertClient(
  db: Database,
  { name, redirectUris, registrant }: Omit<OAuthClient, "id"> & { readonly registrant: string },
): Promise<{ readonly id: string } | keyof typeof maxUnusedClients> {
  const id = `cmc_${randomBytes(16).toString("base64url")}`;
  return await db.$transaction(async (tx) => {
    // One at a time counts and adds.
    await tx.$queryRaw`select pg_advisory_xact_lock(hashtext('oauth_clients'))::text`;
    const [unused] = await tx.$queryRaw<{ in_all: number; of_registrant: number }[]>`
      select count(*)::int as in_all, (count(*) filter (where registrant = ${registrant}))::int as of_registrant
      from oauth_clients where registrant is not null and used_at is null and expires_at > now()`;
    if ((unused?.of_registrant ?? 0) >= maxUnusedClients.ofRegistrant) return "ofRegistrant";
    if ((unused?.in_all ?? 0) >= maxUnusedClients.inAll) return "inAll";
    await tx.$executeRaw`
      insert into oauth_clients (id, name, redirect_uris, registrant, expires_at)
      values (${id}, ${name}, ${[...redirectUris]}::text[], ${registrant},
        now() + make_interval(hours => ${registrationHours.unused}::int))`;
    return { id };
  });
}

/** Keeps what a client's own document says, for some minutes. */
export async function keepClientDocument(
  db: Database,
  { id, name, redirectUris }: OAuthClient,
): Promise<void> {
  await db.$executeRaw`
    insert into oauth_clients (id, name, redirect_uris, expires_at)
    values (${id}, ${name}, ${[...redirectUris]}::text[], now() + make_interval(mins => ${clientDocumentMinutes}::int))
    on conflict (id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris,
      expires_at = excluded.expires_at`;
}

/** Finds a client that hasn't expired. Null: there is none. */
export async function findClient(db: Database, id: string): Promise<OAuthClient | null> {
  const [row] = await db.$queryRaw<ClientRow[]>`
    select id, name, redirect_uris as "redirectUris" from oauth_clients where id = ${id} and expires_at > now()`;
  return row === undefined ? null : { ...row, redirectUris: row.redirectUris ?? [] };
}

type ClientRow = { id: string; name: string | null; redirectUris: string[] | null };

/** Keeps a registration that a person allowed. A document has its own time. */
export async function markClientUsed(tx: Transaction, id: string): Promise<void> {
  await tx.$executeRaw`
    update oauth_clients set used_at = now(), expires_at = case when registrant is null then expires_at
      else now() + make_interval(hours => ${registrationHours.used}::int) end
    where id = ${id}`;
}

/** Removes clients that have expired. */
export async function pruneClients(db: SqlStatements): Promise<number> {
  return await db.$executeRaw`delete from oauth_clients where expires_at < now()`;
}
