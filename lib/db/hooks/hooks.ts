import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { checkRegistrationSoon } from "#lib/db/registrations/registrations.ts";
import type { HookState } from "#lib/schema/receive/hook.ts";
import { type HookRecord, toHookRecord, wholeHook } from "./hook-record.ts";

/** The columns that a service sets. `prisma/schema.prisma` describes each column. */
export type HookColumns = Omit<
  HookRecord,
  | "id"
  | "accountId"
  | "accountSlug"
  | "createdAt"
  | "updatedAt"
  | "status"
  | "methods"
  | "path"
  | "pending"
  | "previousKeys"
  | "secrets"
  | "fieldSearchUntil"
> & {
  readonly status: HookState;
  readonly methods: string[];
  /** The time since which the hook awaits its first secret. Null: it doesn't. */
  readonly pendingSince: Date | null;
};

type NewHook = Omit<HookColumns, "status" | "reply"> & {
  readonly id: string;
  readonly accountId: string;
};

export async function insertHook(tx: Transaction, hook: NewHook): Promise<void> {
  await tx.hook.create({ data: { ...hook, ...toJsonColumns(hook) }, select: { id: true } });
}

/** Throws `not_found` if it is deleted or another account's. */
export async function getHook(
  db: Database | Transaction,
  accountId: string,
  hookId: string,
): Promise<HookRecord> {
  const row = await db.hook.findFirst({
    where: { id: requireId("hook", hookId), accountId, deletedAt: null },
    ...wholeHook,
  });
  if (row === null) throw notFound("hook");
  return toHookRecord(row);
}

export async function listHooks(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<HookRecord>> {
  const rows = await db.hook.findMany({
    where: { accountId, deletedAt: null, id: { lt: decodeCursor(page.cursor) } },
    orderBy: { id: "desc" },
    take: page.limit + 1,
    ...wholeHook,
  });
  return toPage(rows.map(toHookRecord), page.limit);
}

/** The newest hooks of some providers. */
export async function listHooksOfProviders(
  db: Database,
  accountId: string,
  providers: readonly string[],
  limit: number,
): Promise<readonly HookRecord[]> {
  const rows = await db.hook.findMany({
    where: { accountId, deletedAt: null, provider: { in: [...providers] } },
    orderBy: { id: "desc" },
    take: limit,
    ...wholeHook,
  });
  return rows.map(toHookRecord);
}

/**
 * Changes a locked hook; omitted columns stay. The time of the change notifies every process that
 * has the hook in its cache. Its webhook at the provider is soon compared with it.
 */
export async function changeHook(
  tx: Transaction,
  hookId: string,
  columns: Partial<HookColumns>,
): Promise<HookRecord> {
  const row = await tx.hook.update({
    where: { id: hookId },
    data: { ...columns, ...toJsonColumns(columns), updatedAt: new Date() },
    ...wholeHook,
  });
  await checkRegistrationSoon(tx, row.accountId, hookId);
  return toHookRecord(row);
}

/**
 * Deletes a locked hook, its secrets, and drafts of its actions at once, and frees its paths.
 * `purgeDeletedHooks` removes its rows later.
 */
export async function markHookDeleted(tx: Transaction, hookId: string): Promise<void> {
  await tx.hookSecret.deleteMany({ where: { hookId } });
  await tx.hookPath.deleteMany({ where: { hookId } });
  await tx.actionDraft.deleteMany({ where: { hookId } });
  await tx.hook.update({
    where: { id: hookId },
    data: { deletedAt: new Date() },
    select: { id: true },
  });
}

const jsonColumns = [
  "verification",
  "dedupe",
  "eventType",
  "response",
  "publish",
  "cors",
  "silence",
  "reply",
] as const;

/** Values from our own schemas are JSON. */
function toJsonColumns(columns: Partial<HookColumns>): JsonColumns {
  const given = jsonColumns.filter((name) => columns[name] !== undefined);
  const entries = given.map((name) => [name, columns[name] ?? Prisma.DbNull]);
  return Object.fromEntries(entries);
}

type JsonColumns = {
  readonly [Name in (typeof jsonColumns)[number]]: Prisma.InputJsonValue | typeof Prisma.DbNull;
};
