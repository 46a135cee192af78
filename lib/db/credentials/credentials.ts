import type { AllowList } from "#lib/core/address/allow-list.ts";
import { requireCallableOrigin, requireUsable } from "#lib/core/credential/check-credential.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { listDestinationsOf, listUses, nameUses } from "#lib/db/destinations/name-uses.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/db/postgres/page.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type {
  CredentialInput,
  CredentialPatch,
  CredentialSettings,
} from "#lib/schema/credential.ts";
import { describeCredential, sealCredential } from "./seal-credential.ts";

/** A credential as its owner sees it. Its secrets stay sealed. */
export type CredentialRecord = {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  readonly settings: CredentialSettings;
  readonly version: number;
  readonly actionCount: number;
  readonly destinationCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type CredentialRules = { readonly sealer: Sealer; readonly allowList: AllowList };

const maxCredentials = 1_000;

/** Throws `invalid_request` for one that could never be used. */
export async function createCredential(
  db: Database,
  accountId: string,
  { name, origin, auth }: CredentialInput,
  { sealer, allowList }: CredentialRules,
): Promise<CredentialRecord> {
  requireCallableOrigin(origin, allowList);
  requireUsable(auth, origin, allowList);
  const count = await db.credential.count({ where: { accountId } });
  if (count >= maxCredentials)
    throw new AppError("conflict", `An account has at most ${maxCredentials} credentials.`);
  const id = newId();
  const sealed = { kind: auth.type, settings: describeCredential(auth) };
  const ciphertext = toBytes(sealCredential(sealer, { id, accountId }, auth));
  await db.credential.create({
    data: { id, accountId, name, origin, ...sealed, ciphertext },
    select: { id: true },
  });
  return await getCredential(db, accountId, id);
}

/** Throws `not_found`. */
export async function getCredential(
  db: Prisma.TransactionClient,
  accountId: string,
  credentialId: string,
): Promise<CredentialRecord> {
  const id = requireId("credential", credentialId);
  const [row] = await readRows(db, accountId, { id, before: null, limit: 1 });
  if (row === undefined) throw notFound("credential");
  return toRecord(row);
}

/** Newest first. */
export async function listCredentials(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<CredentialRecord>> {
  const before = decodeCursor(page.cursor);
  const rows = await readRows(db, accountId, { id: null, before, limit: page.limit + 1 });
  return toPage(rows.map(toRecord), page.limit);
}

/** A new secret takes effect with the next call, on every worker. */
export async function updateCredential(
  db: Database,
  accountId: string,
  credentialId: string,
  { name, auth }: CredentialPatch,
  { sealer, allowList }: CredentialRules,
): Promise<CredentialRecord> {
  const id = requireId("credential", credentialId);
  return await db.$transaction(async (tx) => {
    const [before] = await tx.$queryRaw<{ origin: string }[]>`
      select origin from credentials where id = ${id}::uuid and account_id = ${accountId}::uuid for no key update`;
    if (before === undefined) throw notFound("credential");
    const updatedAt = new Date();
    if (name !== undefined)
      await tx.credential.update({
        where: { id },
        data: { name, updatedAt },
        select: { id: true },
      });
    if (auth !== undefined) {
      requireUsable(auth, before.origin, allowList);
      const sealed = { kind: auth.type, settings: describeCredential(auth) };
      const ciphertext = toBytes(sealCredential(sealer, { id, accountId }, auth));
      const data = { ...sealed, ciphertext, version: { increment: 1 }, updatedAt };
      await tx.credential.update({ where: { id }, data, select: { id: true } });
      await touchUsers(tx, accountId, id);
    }
    return await getCredential(tx, accountId, id);
  });
}

/** Throws `conflict` while something uses it. */
export async function deleteCredential(
  db: Database,
  accountId: string,
  credentialId: string,
): Promise<void> {
  const id = requireId("credential", credentialId);
  await db.$transaction(async (tx) => {
    const locked = await tx.$queryRaw<unknown[]>`
      select 1 from credentials where id = ${id}::uuid and account_id = ${accountId}::uuid for update`;
    if (locked.length === 0) throw notFound("credential");
    const actions = await listUses(tx, accountId, "credential", id);
    const destinations = await listDestinationsOf(tx, accountId, id);
    const uses = [
      ...(actions.length === 0
        ? []
        : [
            nameUses(
              "action",
              actions.map(({ name }) => name),
            ),
          ]),
      ...(destinations.length === 0
        ? []
        : [
            nameUses(
              "destination",
              destinations.map(({ name }) => name),
            ),
          ]),
    ];
    if (uses.length > 0) {
      const detail = `This credential is used by ${uses.join(" and by ")}. Choose another one there first.`;
      throw new AppError("conflict", detail);
    }
    await tx.credential.delete({ where: { id }, select: { id: true } });
  });
}

/**
 * Workers keep an action as long as its row is the same one, so they read those that use the
 * credential again. An action without a saved credential is never looked at for this.
 */
async function touchUsers(tx: Prisma.TransactionClient, accountId: string, id: string) {
  await tx.$executeRaw`
    update actions set updated_at = updated_at
    where account_id = ${accountId}::uuid and deleted_at is null and (
      credential_ids @> array[${id}::uuid]
      or destination_ids && array(select d.id from destinations d where d.account_id = ${accountId}::uuid and d.credential_id = ${id}::uuid)
    )`;
}

type Row = Omit<CredentialRecord, "settings"> & { readonly settings: string };

async function readRows(
  db: Prisma.TransactionClient,
  accountId: string,
  { id, before, limit }: { id: string | null; before: string | null; limit: number },
): Promise<Row[]> {
  return await db.$queryRaw<Row[]>`
    select c.id, c.name, c.origin, c.settings::text as settings, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt",
      coalesce(used.count, 0)::int as "actionCount",
      (select count(*)::int from destinations d where d.credential_id = c.id) as "destinationCount"
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
