import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { CredentialKind, CredentialSettings } from "#lib/schema/act/credential.ts";

/** A credential as its owner sees it. Its secrets stay sealed. */
export type CredentialRecord = {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  readonly settings: CredentialSettings;
  readonly version: number;
  readonly actionCount: number;
  readonly destinationCount: number;
  readonly subscriptionCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The columns that a service sets. */
type CredentialColumns = {
  readonly name: string;
  readonly kind: CredentialKind;
  readonly settings: CredentialSettings;
  readonly ciphertext: Uint8Array;
};

type NewCredential = CredentialColumns & {
  readonly id: string;
  readonly accountId: string;
  readonly origin: string;
};

export async function insertCredential(
  db: Database | Transaction,
  credential: NewCredential,
): Promise<void> {
  const ciphertext = toBytes(credential.ciphertext);
  await db.credential.create({ data: { ...credential, ciphertext }, select: { id: true } });
}

export async function countCredentials(
  db: Database | Transaction,
  accountId: string,
): Promise<number> {
  return await db.credential.count({ where: { accountId } });
}

/** Throws `not_found`. */
export async function getCredential(
  db: Database | Transaction,
  accountId: string,
  credentialId: string,
): Promise<CredentialRecord> {
  const id = requireId("credential", credentialId);
  const [row] = await readRows(db, accountId, { id, before: null, limit: 1 });
  if (row === undefined) throw notFound("credential");
  return toRecord(row);
}

/** Lists credentials, newest first. */
export async function listCredentials(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<CredentialRecord>> {
  const before = decodeCursor(page.cursor);
  const rows = await readRows(db, accountId, { id: null, before, limit: page.limit + 1 });
  return toPage(rows.map(toRecord), page.limit);
}

/**
 * Returns the origin and the settings of a credential that is about to be used. The credential can't be
 * deleted until the transaction ends. Null if there is none.
 */
export async function holdCredential(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<Pick<NewCredential, "origin" | "settings"> | null> {
  const [found] = await tx.$queryRaw<{ origin: string; settings: string }[]>`
    select origin, settings::text as settings from credentials
    where id = ${id}::uuid and account_id = ${accountId}::uuid for key share`;
  if (found === undefined) return null;
  return { origin: found.origin, settings: JSON.parse(found.settings) as CredentialSettings };
}

/** Locks a credential that is about to change, and reads its origin. Throws `not_found`. */
export async function lockCredential(
  tx: Transaction,
  accountId: string,
  credentialId: string,
): Promise<string> {
  const id = requireId("credential", credentialId);
  const [row] = await tx.$queryRaw<{ origin: string }[]>`
    select origin from credentials where id = ${id}::uuid and account_id = ${accountId}::uuid for no key update`;
  if (row === undefined) throw notFound("credential");
  return row.origin;
}

/**
 * Locks a credential that is about to be deleted. A save that uses it waits until the transaction
 * ends. Throws `not_found`.
 */
export async function lockCredentialToDelete(
  tx: Transaction,
  accountId: string,
  credentialId: string,
): Promise<void> {
  const id = requireId("credential", credentialId);
  const locked = await tx.$queryRaw<unknown[]>`
    select 1 from credentials where id = ${id}::uuid and account_id = ${accountId}::uuid for update`;
  if (locked.length === 0) throw notFound("credential");
}

/** Changes a locked credential. Omitted columns stay. */
export async function changeCredential(
  tx: Transaction,
  id: string,
  { ciphertext, ...columns }: Partial<CredentialColumns>,
): Promise<void> {
  const secret =
    ciphertext === undefined
      ? {}
      : { ciphertext: toBytes(ciphertext), version: { increment: 1 } as const };
  const data = { ...columns, ...secret, updatedAt: new Date() };
  await tx.credential.update({ where: { id }, data, select: { id: true } });
}

/** Deletes a locked credential that nothing uses. */
export async function removeCredential(tx: Transaction, id: string): Promise<void> {
  await tx.credential.delete({ where: { id }, select: { id: true } });
}

/**
 * Makes workers reload the actions and subscriptions that use the credential. Workers cache one until
 * its row changes. This way, those without a saved credential cost nothing.
 */
export async function touchUsers(tx: Transaction, accountId: string, id: string): Promise<void> {
  await tx.$executeRaw`
    update actions set updated_at = updated_at
    where account_id = ${accountId}::uuid and deleted_at is null and (
      credential_ids @> array[${id}::uuid]
      or destination_ids && array(select d.id from destinations d where d.account_id = ${accountId}::uuid and d.credential_id = ${id}::uuid)
    )`;
  await tx.$executeRaw`
    update subscriptions set updated_at = updated_at where account_id = ${accountId}::uuid and credential_id = ${id}::uuid`;
}

type Row = Omit<CredentialRecord, "settings"> & { readonly settings: string };

async function readRows(
  db: Database | Transaction,
  accountId: string,
  { id, before, limit }: { id: string | null; before: string | null; limit: number },
): Promise<Row[]> {
  return await db.$queryRaw<Row[]>`
    select c.id, c.name, c.origin, c.settings::text as settings, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt",
      coalesce(used.count, 0)::int as "actionCount",
      (select count(*)::int from destinations d where d.credential_id = c.id) as "destinationCount",
      (select count(*)::int from subscriptions s where s.credential_id = c.id) as "subscriptionCount"
    from credentials c left join (
      select unnest(a.credential_ids) as id, count(*) as count from actions a join hooks h on h.id = a.hook_id
      where a.account_id = ${accountId}::uuid and a.deleted_at is null and h.deleted_at is null
      group by 1
    ) used on used.id = c.id
    where c.account_id = ${accountId}::uuid and (${id}::uuid is null or c.id = ${id}::uuid)
      and (${before}::uuid is null or c.id < ${before}::uuid)
    order by c.id desc limit ${limit}::int`;
}

function toRecord(row: Row): CredentialRecord {
  return { ...row, settings: JSON.parse(row.settings) as CredentialSettings };
}

function toBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
